/** The report of a real championship of each game, as people use it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  GAMES,
  SIZES,
  arbitro,
  assertAccessible,
  assertFits,
  boardLetters,
  browser,
  championship,
  lettersAt,
  openPage,
  readJournal,
  replayedLetters,
  reportUrl,
  scratch,
  waitForGame,
} from './support.mjs';

const folder = scratch();
let chromium;
before(async () => {
  chromium = await browser();
});
after(() => chromium.close());

for (const setup of GAMES) {
  describe(`a report of ${setup.game}`, () => {
    const home = join(folder, setup.game);
    let games;
    before(() => {
      games = readJournal(championship(home, setup));
    });

    test('leads to a game, which is stepped through to its end by keyboard', async () => {
      const { page, close, assertQuiet } = await openPage(chromium, reportUrl(home));
      await page.locator('.cross td a').first().click();
      await page.locator('#replay h2').waitFor();
      const number = Number((await page.locator('#replay h2').textContent()).replace('Game ', ''));
      const plies = games.find((game) => game.number === number).moves.length;
      await page.keyboard.press('Home');
      assert.equal(await boardLetters(page), lettersAt(home, number, 0));
      for (let ply = 0; ply < plies; ply++) await page.keyboard.press('ArrowRight');
      assert.match(await page.locator('#replay .say').textContent(), new RegExp(`^ply ${plies} of ${plies}: `));
      assert.equal(await boardLetters(page), lettersAt(home, number, plies));
      assertQuiet();
      await close();
    });

    test('shows every ply of twenty games as the terminal does', async () => {
      assert.ok(games.length >= 20, `${games.length} games`);
      const { page, close, assertQuiet } = await openPage(chromium, reportUrl(home));
      for (const { number } of games.slice(0, 20)) {
        await page.evaluate((hash) => {
          location.hash = hash;
        }, `#game=${number}&ply=0`);
        await waitForGame(page, number);
        const shown = await boardLetters(page, { steps: true });
        assert.deepEqual(shown, replayedLetters(home, number), `game ${number}`);
      }
      assertQuiet();
      await close();
    });

    test('has links to every ply and every bot, and the address follows', async () => {
      const game = games[2];
      const middle = Math.floor(game.moves.length / 2);
      const { page, close, assertQuiet } = await openPage(chromium, reportUrl(home, `#game=${game.number}&ply=${middle}`));
      await waitForGame(page, game.number);
      assert.equal(await boardLetters(page), lettersAt(home, game.number, middle));
      await page.keyboard.press('ArrowLeft');
      await page.waitForFunction((hash) => location.hash === hash, `#game=${game.number}&ply=${middle - 1}`);
      await page.keyboard.press('n');
      await waitForGame(page, games[3].number);
      await page.goBack();
      await waitForGame(page, game.number);
      assert.equal(await boardLetters(page), lettersAt(home, game.number, middle - 1));
      await page.locator('#replay .seats a').first().click();
      await page.locator('.bot.chosen').waitFor();
      const name = game.seats[0].bot;
      assert.equal(await page.locator('.bot.chosen h3').textContent(), name);
      const own = games.filter(({ seats }) => seats.some(({ bot }) => bot === name)).length;
      assert.equal(await page.locator('#games tbody tr').count(), own);
      await page.locator('#games tbody a[href^="#game="]').first().click();
      await page.locator('#replay h2').waitFor();
      await page.keyboard.press('Escape');
      await page.locator('.bot.chosen').waitFor();
      assertQuiet();
      await close();
    });

    // Once, the address that follows the last ply took the place of a link that had just been clicked, and the game was never shown.
    test('loses no link that is followed while the address is about to change', async () => {
      const { page, close, assertQuiet } = await openPage(chromium, reportUrl(home, `#game=${games[0].number}`));
      await waitForGame(page, games[0].number);
      for (const { number } of games.slice(1, 8)) {
        await page.evaluate((hash) => {
          document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true, cancelable: true }));
          // The page is kept busy until the address is due to follow, and the link is followed just before it does.
          const due = performance.now() + 200;
          while (performance.now() < due);
          scheduler.postTask(() => (location.hash = hash), { priority: 'user-blocking' });
        }, `#game=${number}`);
        await waitForGame(page, number);
      }
      assertQuiet();
      await close();
    });

    test('finds games', async () => {
      const { page, close, assertQuiet } = await openPage(chromium, reportUrl(home));
      const rows = page.locator('#games tbody tr');
      const expectRows = async (count) => {
        await page.waitForFunction((count) => document.querySelectorAll('#games tbody tr:not(:has(.none))').length === count, count);
      };
      await expectRows(games.length);
      await page.locator('#games [name=bot]').selectOption('easy');
      await page.locator('#games [name=opponent]').selectOption('random');
      const meets = (game, ...names) => names.every((name) => game.seats.some(({ bot }) => bot === name));
      await expectRows(games.filter((game) => meets(game, 'easy', 'random')).length);
      await page.locator('#games .clear').click();
      const lengths = games.map(({ moves }) => moves.length).sort((one, other) => one - other);
      const middle = lengths[Math.floor(lengths.length / 2)];
      await page.locator('#games [name=min]').fill(String(middle));
      await expectRows(lengths.filter((length) => length >= middle).length);
      await page.locator('#games [name=max]').fill(String(middle));
      await expectRows(lengths.filter((length) => length === middle).length);
      await page.locator('#games .clear').click();
      await page.locator('#games [name=q]').fill('no such game');
      await expectRows(0);
      await page.locator('#games [name=q]').fill('3');
      await expectRows(1);
      await rows.locator('a').first().click();
      await waitForGame(page, 3);
      assertQuiet();
      await close();
    });

    test('does not become slower by a thousand seeks', async () => {
      const longest = games.reduce((one, other) => (other.moves.length > one.moves.length ? other : one));
      const { page, close, assertQuiet } = await openPage(chromium, reportUrl(home, `#game=${longest.number}`));
      await waitForGame(page, longest.number);
      const times = await page.evaluate(() => {
        const slider = document.querySelector('#replay input[type=range]');
        const times = [];
        for (let seek = 0; seek < 1000; seek++) {
          const begun = performance.now();
          slider.value = String((seek * 7919) % (Number(slider.max) + 1));
          slider.dispatchEvent(new Event('input', { bubbles: true }));
          document.querySelector('#replay svg.board').getBoundingClientRect();
          times.push(performance.now() - begun);
        }
        return times;
      });
      // Medians: a machine that does other work stops the browser now and then.
      const median = (part) => part.sort((one, other) => one - other)[Math.floor(part.length / 2)];
      const [first, last] = [median(times.slice(0, 100)), median(times.slice(-100))];
      assert.ok(last < 3 * first + 1, `a seek of the last 100 took ${last} ms, of the first ${first} ms`);
      assertQuiet();
      await close();
    });

    for (const colorScheme of ['light', 'dark']) {
      test(`is accessible and fits every window, ${colorScheme}`, async () => {
        for (const [name, size] of Object.entries(SIZES)) {
          for (const hash of ['', `#game=${games[0].number}`, '#bot=easy']) {
            const { page, close, assertQuiet } = await openPage(chromium, reportUrl(home, hash), {
              size,
              colorScheme,
              touch: name === 'phone',
            });
            if (hash.startsWith('#game')) await waitForGame(page, games[0].number);
            await assertFits(page, `${name} ${hash}`);
            await assertAccessible(page, `${name} ${colorScheme} ${hash}`);
            assertQuiet();
            await close();
          }
        }
      });
    }
  });
}

describe('a game of RHEX', () => {
  test('marks the tokens that a ply turns over', async () => {
    const home = join(folder, 'rhex');
    const turned = (before, after) => [...after].filter((letter, at) => before[at] !== '.' && letter !== before[at]).length;
    const { page, close, assertQuiet } = await openPage(chromium, reportUrl(home));
    let seen = 0;
    for (const { number } of readJournal(home)) {
      const letters = replayedLetters(home, number).map((position) => position.toLowerCase());
      const ply = letters.findIndex((position, at) => at > 0 && turned(letters[at - 1], position) > 0);
      if (ply < 0) continue;
      await page.goto(reportUrl(home, `#game=${number}&ply=${ply}`));
      await waitForGame(page, number);
      const count = turned(letters[ply - 1], letters[ply]);
      assert.equal(await page.locator('#replay .spot.changed').count(), count);
      assert.match(await page.locator('#replay .say').textContent(), new RegExp(`; ${count} stones? changed sides$`));
      seen += 1;
    }
    assert.ok(seen > 0, 'no game of this seed turns a token over');
    assertQuiet();
    await close();
  });
});

describe('a game of Hex', () => {
  const home = join(folder, 'hex');

  test('is kept as SGF and opened at HexWorld as the command line does', async () => {
    const { page, close, assertQuiet } = await openPage(chromium, reportUrl(home, '#game=4'));
    await waitForGame(page, 4);
    const link = await page.locator('#replay .extras a', { hasText: 'HexWorld' }).getAttribute('href');
    assert.ok(arbitro('replay', home, '4', '--at', '1').includes(link), link);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('#replay .extras button', { hasText: 'SGF' }).click(),
    ]);
    assert.equal(download.suggestedFilename(), 'game-4.sgf');
    assert.match(readFileSync(await download.path(), 'utf8'), /^\(;FF\[4\]GM\[11\]/);
    assertQuiet();
    await close();
  });

  test('plays by itself, is paused, and is led by a finger', async () => {
    // Long enough not to end before it is paused, on a machine that does other work too.
    const { number } = readJournal(home).reduce((one, other) => (other.moves.length > one.moves.length ? other : one));
    const { page, close, assertQuiet } = await openPage(chromium, reportUrl(home, `#game=${number}`), { size: SIZES.phone, touch: true });
    await waitForGame(page, number);
    const slider = page.locator('#replay input[type=range]');
    for (let press = 0; press < 2; press++) await page.keyboard.press('.');
    await page.keyboard.press(' ');
    await page.waitForFunction(() => ['2', '3', '4'].includes(document.querySelector('#replay input[type=range]').value));
    await page.keyboard.press(' ');
    assert.equal(await page.locator('#replay [aria-label="play (space)"]').count(), 1);
    const ply = Number(await slider.inputValue());
    await page.evaluate(() => {
      const stage = document.querySelector('#replay .stage');
      const touch = (clientX) => new Touch({ identifier: 1, target: stage, clientX, clientY: 300 });
      stage.dispatchEvent(new TouchEvent('touchstart', { touches: [touch(200)], changedTouches: [touch(200)] }));
      stage.dispatchEvent(new TouchEvent('touchend', { touches: [], changedTouches: [touch(300)] }));
    });
    assert.equal(Number(await slider.inputValue()), ply - 1);
    await page.keyboard.press('?');
    await page.locator('dialog[open]', { hasText: 'one ply back' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('c');
    assert.equal(await page.locator('#replay .axes').isVisible(), false);
    assertQuiet();
    await close();
  });

  test('tells a swap as what it is', async () => {
    const swapped = readJournal(home).find((game) => game.swapped);
    assert.ok(swapped, 'no game of this seed has a swap');
    const { page, close } = await openPage(chromium, reportUrl(home, `#game=${swapped.number}&ply=1`));
    await waitForGame(page, swapped.number);
    const sides = () => page.locator('#replay .seats .side').allTextContents();
    const before = await sides();
    await page.keyboard.press('ArrowRight');
    assert.match(await page.locator('#replay .say').textContent(), / swapped.*takes over white.*now plays black/);
    assert.deepEqual(await sides(), before.reverse());
    await close();
  });

  test('can be read without JavaScript', async () => {
    const context = await chromium.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(reportUrl(home));
    for (const part of ['#standings', '#crosstable', '#games', '#bots']) assert.ok(await page.locator(part).isVisible(), part);
    assert.equal(await page.locator('#games tbody tr').count(), readJournal(home).length);
    await context.close();
  });
});
