/** A championship watched from its first move to its end. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { SIZES, assertAccessible, assertFits, browser, openPage, reportUrl, scratch, started } from './support.mjs';

const folder = scratch();
let chromium;
before(async () => {
  chromium = await browser();
});
after(() => chromium.close());

/** The tables of a page, without what a script may have added. */
const tables = (page) => page.locator('#standings, #crosstable').evaluateAll((parts) => parts.map((part) => part.innerHTML));

describe('the live page', () => {
  for (const [game, bots, options] of [
    ['hex', ['@random', '@greedy', '@easy', 'other=@easy'], ['--rounds', '3', '--size', '9', '--time', '5']],
    ['okupacio', ['@greedy', '@easy', '@medium', 'other=@medium'], ['--rounds', '12', '--size', '20', '--seats', '4', '--time', '5']],
  ]) {
    test(`shows ${game} from the first move to the report's own tables`, async () => {
      const home = join(folder, game);
      const { link, done } = await started(
        'championship',
        ...bots,
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
      const late = await openPage(chromium, link, { size: SIZES.phone, colorScheme: 'dark' });
      // What has to happen while games are played comes first: on a busy machine, the rest may take longer than they do.
      await late.page.locator('.results li').first().waitFor();
      await late.page.reload();
      await page.locator('.tile .spot.on').first().waitFor({ state: 'attached' });
      assert.equal(await page.locator('h1').textContent(), `The <b>${game}</b> cup`);
      await page.locator('#standings tbody tr').nth(3).waitFor();
      await late.page.locator('.results li').first().waitFor();
      await assertAccessible(late.page, `${game}, phone`);
      await assertFits(page, game);
      await assertFits(late.page, `${game}, phone`);
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
