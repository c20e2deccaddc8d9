/** What the tests share: real championships, a real browser, and what is to be said of a page. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

/** The folder of the project. */
export const ROOT = resolve(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '../..');
/** The example bots. */
export const BOTS = join(ROOT, 'bots');
export const ARBITRO = process.env.ARBITRO ?? join(ROOT, 'target/release/arbitro');
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export const SIZES = { wide: { width: 1920, height: 1080 }, middle: { width: 1280, height: 720 }, phone: { width: 390, height: 844 } };

/** The four games, on boards that are soon played on. */
export const GAMES = [
  { game: 'hex', bots: ['@random', '@greedy', '@easy'], options: ['--size', '7'] },
  { game: 'rhex', bots: ['@random', '@greedy', '@easy'], options: ['--size', '7'] },
  { game: 'okupacio', bots: ['@random', '@greedy', '@easy', 'other=@random'], options: ['--seats', '3', '--size', '6'] },
  { game: 'xinez', bots: ['@random', '@greedy', '@easy', 'other=@greedy'], options: ['--seats', '3', '--size', '2'] },
];

/** A folder that is gone after the tests. */
export function scratch() {
  const folder = mkdtempSync(join(tmpdir(), 'arbitro-browser-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs the program; returns what it prints. @param {string[]} args */
export function arbitro(...args) {
  return execFileSync(ARBITRO, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
    maxBuffer: 1 << 28,
  });
}

/**
 * Starts the program and waits until it tells the link of its page.
 * @param {string[]} args @returns {Promise<{link: string, done: Promise<number|null>, stop: () => void}>}
 */
export async function started(...args) {
  const child = spawn(ARBITRO, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NO_COLOR: '1' } });
  const done = new Promise((resolve) => {
    child.on('exit', resolve);
  });
  const link = await new Promise((resolve, reject) => {
    let told = '';
    const read = (part) => {
      told += part;
      const found = told.match(/http:\/\/\S+(?=\s)/);
      if (found) resolve(found[0]);
    };
    child.stdout.setEncoding('utf8').on('data', read);
    child.stderr.setEncoding('utf8').on('data', read);
    child.on('exit', () => reject(new Error(`arbitro ${args.join(' ')} has no page: ${told}`)));
  });
  process.on('exit', () => child.kill('SIGKILL'));
  return { link, done, stop: () => child.kill('SIGINT') };
}

/** Plays a championship with a fixed seed. @returns {string} its folder */
export function championship(folder, { game, bots, options }, rounds = 5) {
  arbitro('championship', ...bots, '--game', game, '--out', folder, '--time', '30', '--seed', '7', '--rounds', String(rounds), ...options);
  return folder;
}

/** The games of a journal. @returns {any[]} */
export const readJournal = (folder) =>
  readFileSync(join(folder, 'games.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

const CRC = Uint32Array.from({ length: 256 }, (_, byte) =>
  Array.from({ length: 8 }).reduce((crc) => (crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1), byte),
);
const crc32 = (bytes) => (bytes.reduce((crc, byte) => CRC[(crc ^ byte) & 255] ^ (crc >>> 8), 0xffffffff) ^ 0xffffffff) >>> 0;

/** Writes games as a journal does: every line begins with the checksum of the rest of it. */
export function writeJournal(folder, games) {
  const lines = games.map(({ crc32: _, ...game }) => {
    const fields = JSON.stringify(game).slice(1);
    return `{"crc32":"${crc32(Buffer.from(fields)).toString(16).padStart(8, '0')}",${fields}\n`;
  });
  writeFileSync(join(folder, 'games.jsonl'), lines.join(''));
}

/**
 * A championship between bots with these names, in which the games of another were played by turns, and its report.
 * @param {string} model the other one @param {string} folder @param {string[]} names @param {(game: any) => any} [change]
 */
export function synthetic(model, folder, names, change = (game) => game) {
  mkdirSync(folder, { recursive: true });
  const settings = readFileSync(join(model, 'championship.toml'), 'utf8').split('[[bots]]')[0];
  const models = readJournal(model);
  const { command, identity } = models[0].seats[0];
  const bots = names.map((name) => `[[bots]]\nname = ${JSON.stringify(name)}\ncommand = "${command}"\nidentity = "${identity}"\n`);
  writeFileSync(join(folder, 'championship.toml'), settings + bots.join('\n'));
  const pairs = names.flatMap((_, one) => names.flatMap((_, other) => (one === other ? [] : [[one, other]])));
  writeJournal(
    folder,
    pairs.map((pair, at) => {
      const game = structuredClone(models[at % models.length]);
      game.seats = game.seats.map((seat, index) => ({ ...seat, bot: names[pair[index]], command, identity }));
      // Which of the games of a pair it is follows from who sits where.
      return change({ ...game, number: at + 1, round: 1, leg: undefined });
    }),
  );
}

/** A browser for the tests of a file. */
export async function browser() {
  return chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
}

/**
 * A page that must stay silent: errors on the console and requests to anywhere else are found by `assertQuiet`.
 * @param {import('playwright-core').Browser} browser @param {string} url
 */
export async function openPage(browser, url, { size = SIZES.middle, colorScheme = 'light', touch = false } = {}) {
  const context = await browser.newContext({ viewport: size, colorScheme, hasTouch: touch, isMobile: touch, acceptDownloads: true });
  const page = await context.newPage();
  const problems = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  const home = new URL(url);
  page.on('request', (request) => {
    const { protocol, host } = new URL(request.url());
    if (protocol !== 'blob:' && protocol !== 'data:' && (protocol !== home.protocol || host !== home.host))
      problems.push(`request to ${request.url()}`);
  });
  await page.goto(url);
  return { page, problems, close: () => context.close(), assertQuiet: () => assert.deepEqual(problems, []) };
}

/** The address of a report. */
export const reportUrl = (folder, hash = '') => pathToFileURL(join(folder, 'report.html')).href + hash;

/** Waits until the page shows this game. @param {import('playwright-core').Page} page */
export async function waitForGame(page, number) {
  await page.locator('#replay h2', { hasText: new RegExp(`^Game ${number}$`) }).waitFor();
}

/**
 * The letters on the board of the page, row by row: walls and empty cells as dots, what won as capitals. With `steps`, also those after each
 * press of the key →, until the last ply.
 * @param {import('playwright-core').Page} page
 */
export const boardLetters = async (page, { root = '#replay', steps = false } = {}) => {
  const positions = await page.locator(root).evaluate((root, steps) => {
    const place = (spot) =>
      spot
        .getAttribute('transform')
        .match(/-?[\d.]+/g)
        .map(Number);
    const spots = [...root.querySelectorAll('.board .spot')].map((spot) => ({ spot, place: place(spot) }));
    spots.sort((one, other) => one.place[1] - other.place[1] || one.place[0] - other.place[0]);
    const letterOf = ({ spot }) => {
      const letter = spot.querySelector('.letter');
      const seen = (letter && getComputedStyle(letter).visibility === 'visible' && letter.textContent) || '.';
      return spot.classList.contains('win') ? seen.toUpperCase() : seen;
    };
    const letters = () => spots.map(letterOf).join('');
    const positions = [letters()];
    const slider = root.querySelector('input[type=range]');
    while (steps && slider.value !== slider.max) {
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true, cancelable: true }));
      positions.push(letters());
    }
    return positions;
  }, steps);
  return steps ? positions : positions[0];
};

/** The letters of all positions of a game as `arbitro replay --all` prints them, in the same form. */
export const replayedLetters = (folder, number) =>
  arbitro('replay', folder, String(number), '--all')
    .split(/^(?=game \d+, )/m)
    .map(lettersOf);

/** The letters of the position that `arbitro replay --at` prints. */
export const lettersAt = (folder, number, ply) => lettersOf(arbitro('replay', folder, String(number), '--at', String(ply)));

/**
 * The letters of the board in a printed position. It stands after the first empty line; where there are coordinates, every row of it has the
 * same one at its beginning and at its end.
 */
function lettersOf(frame) {
  const lines = frame.split('\n');
  const from = lines.indexOf('') + 1;
  const rows = lines.slice(from, lines.indexOf('', from)).map((line) => line.replace(/[[\]]/g, ' ').trim().split(/\s+/));
  const longest = Math.max(...rows.map((row) => row.length));
  const framed = rows.filter((row) => row.length === longest && row[0] === row.at(-1));
  const cells =
    framed.length > 1 && framed.length < rows.length && /^(0|a)$/.test(framed[0][0]) ? framed.map((row) => row.slice(1, -1)) : rows;
  return cells.flat().join('').replace(/[-#]/g, '.');
}

/** Fails if axe-core finds something serious. @param {import('playwright-core').Page} page */
export async function assertAccessible(page, where) {
  // What axe-core is evaluated as comes from outside the page, so that its policy need not let it in.
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => globalThis.axe.run({ resultTypes: ['violations'] }));
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  assert.deepEqual(
    serious.map(
      ({ id, nodes }) =>
        `${where}: ${id}: ${nodes
          .slice(0, 3)
          .map((node) => `${node.html.slice(0, 200)} ${node.failureSummary}`)
          .join(' | ')}`,
    ),
    [],
  );
}

/** Fails if the page scrolls sideways. @param {import('playwright-core').Page} page */
export async function assertFits(page, where) {
  const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(content <= window, `${where}: ${content} px in a window of ${window}`);
}
