/** Long names, many bots, large boards, no games, nothing but faults: everything stays where it belongs. */
import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  GAMES,
  SIZES,
  arbitro,
  assertFits,
  browser,
  championship,
  openPage,
  reportUrl,
  scratch,
  synthetic,
  waitForGame,
  writeJournal,
} from './support.mjs';

const folder = scratch();
const [model, many, few, long, none, faults, large] = ['model', 'many', 'few', 'long', 'none', 'faults', 'large'].map((name) =>
  join(folder, name),
);
let chromium;

/** A program that is of no use. */
function script(name, text) {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
  return path;
}

before(async () => {
  chromium = await browser();
  championship(model, GAMES[0], 1);
  const longName = (number) => `team-${number}-${'with-a-name-that-goes-on-and-on-until-it-has-sixty-letters'.slice(0, 52)}`;
  synthetic(
    model,
    many,
    Array.from({ length: 60 }, (_, number) => (number % 3 ? `bot-${number}` : longName(number))),
  );
  synthetic(
    model,
    long,
    Array.from({ length: 8 }, (_, number) => longName(number)),
  );
  synthetic(model, few, [longName(1), longName(2).replaceAll('-', '_'), 'random', 'medium', 'ana']);
  synthetic(model, none, ['ana', 'bob', 'cid']);
  writeJournal(none, []);
  for (const home of [many, few, long]) arbitro('report', home);
  try {
    arbitro('report', none);
  } catch {
    // It is not complete, and says so.
  }
  const bots = [script('crashes', 'exit 3'), script('cheats', 'echo "0 0"; while read x; do echo "0 0"; done')];
  arbitro('championship', ...bots, '--keep-failing', '--size', '5', '--time', '1', '--seed', '1', '--out', faults);
  arbitro('duel', '@random', '@greedy', '--size', '26', '--games', '2', '--seed', '1', '--out', large);
});
after(() => chromium.close());

/** Fails if two of these parts of the page cover each other, or one leaves the window. @param {import('playwright-core').Page} page */
async function assertApart(page, where, ...parts) {
  const boxes = await Promise.all(parts.map((part) => page.locator(part).boundingBox()));
  boxes.forEach((one, at) => {
    assert.ok(one && one.x >= 0 && one.x + one.width <= page.viewportSize().width + 0.5, `${where}: ${parts[at]} leaves the window`);
    boxes.slice(at + 1).forEach((other, next) => {
      const apart =
        one.x + one.width <= other.x + 0.5 ||
        other.x + other.width <= one.x + 0.5 ||
        one.y + one.height <= other.y + 0.5 ||
        other.y + other.height <= one.y + 0.5;
      assert.ok(apart, `${where}: ${parts[at]} and ${parts[at + 1 + next]} overlap`);
    });
  });
}

/** Fails if a table is wider than its place, so that one has to move it to read it. @param {import('playwright-core').Page} page */
async function assertWhole(page, where) {
  const cut = await page
    .locator('.scroll')
    .evaluateAll((places) => places.filter((place) => place.scrollWidth > place.clientWidth + 1).map((place) => place.ariaLabel));
  assert.deepEqual(cut, [], where);
}

describe('a report', () => {
  for (const [what, home, game] of [
    ['of 60 bots', many, 7],
    ['of five bots', few, 3],
    ['of bots with 60 letters', long, 3],
    ['without games', none, null],
    ['of faults only', faults, 1],
    ['of boards of 26×26', large, 1],
  ]) {
    test(`${what} fits every window`, async () => {
      for (const [name, size] of Object.entries(SIZES)) {
        const { page, close, assertQuiet } = await openPage(chromium, reportUrl(home), { size, touch: name === 'phone' });
        await assertFits(page, `${what}, ${name}`);
        if (name === 'phone' || home === few) await assertWhole(page, `${what}, ${name}`);
        await assertApart(page, `${what}, ${name}`, 'header', '#standings', '#crosstable', '#games');
        if (game !== null) {
          await page.evaluate((hash) => {
            location.hash = hash;
          }, `#game=${game}`);
          await waitForGame(page, game);
          await assertFits(page, `${what}, ${name}, game`);
          await page.locator('#replay .rest').evaluate(() => scrollTo(0, 0));
          await assertApart(
            page,
            `${what}, ${name}, game`,
            '#replay .head',
            '#replay .seats',
            '#replay .stage',
            '#replay .bar',
            '#replay .say',
            '#replay .rest',
          );
          const [stage, board] = await Promise.all(['#replay .stage', '#replay svg.board'].map((part) => page.locator(part).boundingBox()));
          assert.ok(board.height <= size.height && board.width <= stage.width + 1, `${what}, ${name}: the board is larger than its place`);
        }
        assertQuiet();
        await close();
      }
    });
  }
});
