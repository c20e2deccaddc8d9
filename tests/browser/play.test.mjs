/** Whole games that a person plays in the browser. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { assertAccessible, assertFits, boardLetters, browser, lettersAt, openPage, readJournal, scratch, started } from './support.mjs';

const folder = scratch();
let chromium;
before(async () => {
  chromium = await browser();
});
after(() => chromium.close());

/** Waits until the person can move or the game is over; says which. @param {import('playwright-core').Page} page */
async function turn(page) {
  await page.waitForFunction(() => document.querySelector('.spot.can') || !document.querySelector('.verdict').hidden);
  return (await page.locator('.verdict').isHidden()) ? 'yours' : 'over';
}

/** How many plies the page shows. */
const plies = (page) => page.locator('.moves li').count();

/** Waits until more has been played than before. */
const moved = (page, before) => page.waitForFunction((before) => document.querySelectorAll('.moves li').length > before, before);

/** Plays what the reference would, by clicks. */
async function playHint(page) {
  await page.getByRole('button', { name: 'hint', exact: true }).click();
  await page.locator('.spot.hint').first().waitFor();
  const words = (await page.locator('.say').textContent()).replace('hint: ', '');
  const cells = await page.locator('.spot.hint').evaluateAll((spots) => spots.map((spot) => Number(spot.dataset.cell)));
  return { words, cells };
}

for (const [game, seats, options] of [
  ['hex', ['@random', 'human:Ana'], ['--size', '5']],
  ['rhex', ['human:Ana', '@random'], ['--size', '5']],
  ['okupacio', ['human:Ana', '@random'], ['--size', '4']],
  ['xinez', ['human:Ana', '@random'], ['--size', '1']],
]) {
  describe(`${game} in the browser`, () => {
    test('is played to its end by clicks', async () => {
      const home = join(folder, game);
      const { link, stop, done } = await started('play', ...seats, '--game', game, ...options, '--out', home, '--address', '127.0.0.1:0');
      const { page, close, assertQuiet } = await openPage(chromium, link);
      await assertFits(page, game);
      await turn(page);
      await assertAccessible(page, game);
      const clocks = await page.locator('.seats li').evaluateAll((rows) => rows.map((row) => row.textContent));
      for (const row of clocks) assert.match(row, row.includes('(you)') ? /\d used$/ : /\d left$/);
      if (game === 'xinez') {
        // Once, a piece that was picked stayed so when it was pointed at again.
        const piece = page.locator('.spot.can').first();
        const cell = await piece.getAttribute('data-cell');
        const picked = page.locator(`.spot.from[data-cell="${cell}"]`);
        await piece.click();
        await picked.waitFor();
        assert.match(await page.locator('.say').textContent(), /choose where to/);
        await picked.click();
        await page.waitForFunction(() => !document.querySelector('.spot.from'));
        assert.equal(await page.locator('.say').textContent(), 'It is your turn.');
      }
      if (game === 'hex') {
        await page.getByRole('button', { name: 'swap' }).click();
        await moved(page, 1);
        assert.match(await page.locator('.moves').textContent(), /swap/);
        assert.match(await page.locator('.seats li', { hasText: '(you)' }).textContent(), /white/);
      }
      for (let move = 0; (await turn(page)) === 'yours'; move++) {
        assert.ok(move < 200, 'the game does not end');
        const before = await plies(page);
        if (game === 'xinez') {
          // The reference leads home.
          const { cells, words } = await playHint(page);
          const first = cells.find((cell) => cell === Number(words.split(' ')[0])) ?? cells[0];
          const from = await page.locator('.spot.hint.can').first().getAttribute('data-cell');
          await page.locator(`.spot[data-cell="${from ?? first}"]`).click();
          await page.locator('.spot.hint.to').first().click();
        } else {
          await page.locator('.spot.can').first().click();
        }
        await moved(page, before);
      }
      await page.locator('.verdict').waitFor();
      const shown = await boardLetters(page, { root: 'main' });
      stop();
      await done;
      const [record] = readJournal(home);
      assert.equal(shown, lettersAt(home, 1, record.moves.length));
      assert.equal(record.swapped, game === 'hex');
      assertQuiet();
      await close();
    });
  });
}

describe('playing', () => {
  test('works by keyboard, with undo, hint, resignation and a new game', async () => {
    const { link, stop, done } = await started(
      'play',
      'human:Ana',
      '@random',
      '--size',
      '5',
      '--out',
      join(folder, 'keys'),
      '--address',
      '127.0.0.1:0',
    );
    const { page, close, assertQuiet } = await openPage(chromium, link);
    await turn(page);
    await page.locator('.spot[tabindex="0"]').focus();
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
    await moved(page, 1);
    assert.notEqual(await page.locator('.moves li b').first().textContent(), '0 0');
    await turn(page);
    await page.getByRole('button', { name: 'undo' }).click();
    await page.waitForFunction(() => document.querySelectorAll('.moves li').length === 0);
    await playHint(page);
    await page.getByRole('button', { name: 'resign' }).click();
    await page.getByRole('button', { name: 'really?' }).click();
    await page.locator('.verdict', { hasText: 'random wins' }).waitFor();
    const before = await page.locator('.seats .who').allTextContents();
    await page.getByRole('button', { name: 'new game' }).click();
    await page.locator('.verdict').waitFor({ state: 'hidden' });
    await page.waitForFunction((first) => document.querySelector('.seats .who').textContent !== first, before[0]);
    assertQuiet();
    stop();
    await done;
    await close();
  });
});
