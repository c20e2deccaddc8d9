/** The pictures of the documentation: `scripts/pictures`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SIZES, arbitro, browser, openPage, readJournal, reportUrl, scratch, started, waitForGame } from './support.mjs';

const [target] = process.argv.slice(2);
const folder = scratch();
const chromium = await browser();

/** Takes a picture of a page when `ready` is done. */
async function shoot(name, url, options, ready = async () => {}) {
  const { page, close, assertQuiet } = await openPage(chromium, url, options);
  await ready(page);
  await page.screenshot({ path: join(target, `${name}.png`) });
  assertQuiet();
  await close();
}

const BOTS = ['@random', '@greedy', '@easy', '@medium', 'other=@greedy', 'third=@random'];
const home = join(folder, 'hex');
arbitro('championship', ...BOTS, '--size', '11', '--time', '10', '--seed', '5', '--title', 'Hex championship', '--out', home);
const swapped = readJournal(home).find((game) => game.swapped && game.moves.length > 25 && game.moves.length < 60) ?? readJournal(home)[0];
const game = `#game=${swapped.number}`;
const showsGame = (page) => waitForGame(page, swapped.number);
await shoot('report', reportUrl(home), {});
await shoot('report-dark', reportUrl(home), { colorScheme: 'dark' });
await shoot('report-phone', reportUrl(home), { size: SIZES.phone, touch: true });
await shoot('game', reportUrl(home, game), {}, showsGame);
await shoot('game-dark', reportUrl(home, game), { colorScheme: 'dark' }, showsGame);
await shoot('game-phone', reportUrl(home, game), { size: SIZES.phone, touch: true }, showsGame);

const live = await started(
  'championship',
  ...BOTS,
  'hard=@hard',
  '--size',
  '11',
  '--time',
  '10',
  '--jobs',
  '2',
  '--seed',
  '5',
  '--title',
  'Hex championship',
  '--out',
  join(folder, 'live'),
  '--live=127.0.0.1:0',
);
await shoot('live', live.link, {}, (page) =>
  page.waitForFunction(
    // Tables follow the results a moment later.
    () =>
      document.querySelectorAll('.results li').length > 2 &&
      document.querySelectorAll('.tile .spot.on').length > 20 &&
      !document.querySelector('[role=status]').textContent.startsWith('0 '),
    null,
    { timeout: 120_000 },
  ),
);
live.stop();

const play = await started('play', 'human:Ana', '@medium', '--size', '11', '--out', join(folder, 'play'), '--address', '127.0.0.1:0');
await shoot('play', play.link, {}, async (page) => {
  for (const cell of [49, 71, 38]) {
    await page.locator(`.spot.can[data-cell="${cell}"]`).click();
    await page.locator('.seats li.turn', { hasText: '(you)' }).waitFor();
    await page.locator(`.spot.on[data-cell="${cell}"]`).waitFor();
    await page.locator('.spot.can').first().waitFor();
  }
  await page.getByRole('button', { name: 'hint' }).click();
  await page.locator('.spot.hint').first().waitFor();
});
play.stop();

for (const [name, bots, options] of [
  ['hex', ['@greedy', '@medium'], []],
  ['rhex', ['@greedy', '@medium'], []],
  ['okupacio', ['@greedy', '@medium'], []],
  ['xinez', ['@greedy', '@medium'], ['--size', '3']],
]) {
  const games = join(folder, `board-${name}`);
  arbitro('duel', ...bots, '--game', name, '--games', '2', '--seed', '5', '--time', '10', '--out', games, ...options);
  const [first] = readJournal(games);
  const ply = name === 'hex' ? first.moves.length : Math.floor(first.moves.length / 2);
  writeFileSync(join(target, `board-${name}.svg`), arbitro('replay', games, String(first.number), '--svg', String(ply)));
}
await chromium.close();
