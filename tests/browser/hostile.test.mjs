/** Names, sentences and stderr come from students: nothing in them is run, and nothing in them breaks the page. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
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
  readJournal,
  reportUrl,
  scratch,
  synthetic,
  waitForGame,
} from './support.mjs';

const folder = scratch();
const NAMES = [
  '<img src=x onerror=alert(1)>',
  '</script><script>alert(2)</script>',
  '"><svg onload=alert(3)>',
  "'-alert(4)-'",
  '\u202Eevil\u202C',
  '${alert(5)}{{7*7}}',
  '\\u003cscript>',
  'W'.repeat(60),
  '#game=1&ply=2',
  '%3Cscript%3E',
];
let chromium;
before(async () => {
  chromium = await browser();
});
after(() => chromium.close());

describe('hostile bots', () => {
  const [model, home] = [join(folder, 'model'), join(folder, 'hostile')];
  before(() => {
    championship(model, GAMES[0], 1);
    synthetic(model, home, NAMES, (game) => ({
      ...game,
      warnings: [{ ply: 1, seat: 0, kind: 'not-a-move', text: '<img src=x onerror=alert(6)>' }],
    }));
    const stderr = `<img src=x onerror=alert(7)>\n</script><script>alert(8)</script>\n\u001b[31mred\u001b]0;title\u0007\n\u202Ebidi\n${'x'.repeat(65536)}\n`;
    mkdirSync(join(home, 'logs'));
    for (const { number, seats } of readJournal(home)
      .filter(({ seats }) => !seats[0].bot.includes('/'))
      .slice(0, 4)) {
      writeFileSync(join(home, 'logs', `${String(number).padStart(4, '0')}-${seats[0].bot}.stderr`), stderr);
    }
    arbitro('report', home, '--with-stderr');
  });

  test('run nothing and break nothing', async () => {
    for (const [name, size] of Object.entries(SIZES)) {
      const { page, close, problems, assertQuiet } = await openPage(chromium, reportUrl(home), { size });
      await assertFits(page, name);
      const links = await page.locator('.standings tbody a').evaluateAll((links) => links.map((link) => link.getAttribute('href')));
      assert.equal(links.length, NAMES.length);
      for (const hash of ['#game=1', '#game=2&ply=3', ...links]) {
        await page.evaluate((hash) => {
          location.hash = hash;
        }, hash);
        if (hash.startsWith('#game')) await waitForGame(page, hash.match(/\d+/)[0]);
        else await page.locator('.bot.chosen').waitFor();
        await assertFits(page, `${name} ${hash}`);
      }
      await page.evaluate(() => {
        location.hash = '#game=1';
      });
      await waitForGame(page, 1);
      assert.match(await page.locator('#replay .stderr pre').first().textContent(), /<img src=x onerror=alert\(7\)>/);
      assert.match(await page.locator('#replay .warning').first().textContent(), /<img src=x onerror=alert\(6\)>/);
      assert.equal(await page.locator('img, iframe, object, embed').count(), 0);
      assert.deepEqual(problems, []);
      assertQuiet();
      await close();
    }
  });
});
