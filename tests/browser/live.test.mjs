/** A championship watched from its first move to its end. */
import assert from 'node:assert/strict';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { BOTS, SIZES, assertAccessible, assertFits, browser, openPage, reportUrl, scratch, started } from './support.mjs';

const folder = scratch();
/** What bots may see of what the tests want. */
const signs = scratch();
let chromium;
before(async () => {
  chromium = await browser();
});
after(() => chromium.close());

/** The tables of a page, without what a script may have added. */
const tables = (page) => page.locator('#standings, #crosstable').evaluateAll((parts) => parts.map((part) => part.innerHTML));

/**
 * A bot that plays as another, but makes its second move only when a file is gone: so games last until all has been looked at, however
 * busy the machine is.
 * @param {string} game @param {string} held @param {string} bot
 */
function patient(game, held, bot) {
  const script = join(folder, `${game}.py`);
  const lines = [
    'import builtins, os, runpy, time',
    'made, told = 0, print',
    'def tell(*words, **options):',
    '    global made',
    '    made += 1',
    `    while made > 1 and os.path.exists(${JSON.stringify(held)}): time.sleep(0.05)`,
    '    told(*words, **options)',
    'builtins.print = tell',
    `runpy.run_path(${JSON.stringify(join(BOTS, bot))}, run_name="__main__")`,
  ];
  writeFileSync(script, `${lines.join('\n')}\n`);
  return `patient=python3 ${script}`;
}

/** Waits until the journal has a game. @param {string} home */
async function firstGame(home) {
  while (!statSync(join(home, 'games.jsonl'), { throwIfNoEntry: false })?.size) await sleep(20);
}

describe('the live page', () => {
  for (const [game, bots, bot, options] of [
    ['hex', ['@random', '@greedy', '@easy'], 'hex/path.py', ['--rounds', '3', '--size', '9']],
    ['okupacio', ['@greedy', '@easy', '@medium', 'other=@medium'], 'okupacio/greedy.py', ['--rounds', '6', '--size', '20', '--seats', '4']],
  ]) {
    test(`shows ${game} from the first move to the report's own tables`, async () => {
      const home = join(folder, game);
      const held = join(signs, `${game}.held`);
      writeFileSync(held, '');
      const { link, done } = await started(
        'championship',
        ...bots,
        patient(game, held, bot),
        '--allow-read',
        signs,
        '--allow-read',
        BOTS,
        '--time',
        '600',
        '--game',
        game,
        ...options,
        '--jobs',
        '2',
        '--seed',
        '3',
        '--title',
        `The <b>${game}</b> cup`,
        '--out',
        home,
        '--live=127.0.0.1:0',
      );
      const { page, close, assertQuiet } = await openPage(chromium, link);
      await page.locator('.tile .spot.on').first().waitFor({ state: 'attached' });
      rmSync(held);
      await firstGame(home);
      writeFileSync(held, '');
      const late = await openPage(chromium, link, { size: SIZES.phone, colorScheme: 'dark' });
      await late.page.locator('.results li').first().waitFor();
      await late.page.reload();
      assert.equal(await page.locator('h1').textContent(), `The <b>${game}</b> cup`);
      await page.locator('#standings tbody tr').nth(3).waitFor();
      await late.page.locator('.results li').first().waitFor();
      await assertAccessible(late.page, `${game}, phone`);
      await assertFits(page, game);
      await assertFits(late.page, `${game}, phone`);
      await page.bringToFront();
      await page.setViewportSize({ width: 1280, height: 340 });
      await page.locator('#tables[data-shown^="first "]').waitFor();
      const cut = await page.locator('#standings .scroll').evaluate((box) => {
        const { bottom } = box.getBoundingClientRect();
        const rows = [...box.querySelectorAll('tbody tr')].map((row) => row.getBoundingClientRect());
        return rows.filter((row) => row.top < bottom - 1 && row.bottom > bottom + 1).length;
      });
      assert.equal(cut, 0, `${game}: a row of the standings is cut`);
      await page.setViewportSize(SIZES.middle);
      rmSync(held);
      await page.locator('body[data-view=finished]').waitFor({ timeout: 600_000 });
      await late.page.locator('body[data-view=finished]').waitFor();
      assert.equal(await done, 0);
      const report = await openPage(chromium, reportUrl(home));
      const expected = await tables(report.page);
      assert.deepEqual(await tables(page), expected);
      assert.deepEqual(await tables(late.page), expected);
      await assertFits(page, `${game}, finished`);
      await assertAccessible(page, `${game}, finished`);
      for (const opened of [{ close, assertQuiet }, late, report]) {
        opened.assertQuiet();
        await opened.close();
      }
    });
  }
});
