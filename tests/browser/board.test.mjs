/** What the pages say of a ply, for games of every kind: also of those that are not here yet. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from './support.mjs';

const script = readFileSync(join(ROOT, 'src/view/page/board.js'), 'utf8');
const countChanges = new Function(`${script}\nreturn countChanges;`)();

for (const [what, stones, set, expected] of [
  ['a stone that is placed', [-1, 1], [[0, 0]], { turned: 0, taken: 0 }],
  ['a stone that turns others over', [-1, 1, 1], [[0, 0], [1, 0], [2, 0]], { turned: 2, taken: 0 }],
  ['a stone that surrounds others', [-1, 1, 1], [[0, 0], [1, null], [2, null]], { turned: 0, taken: 2 }],
  ['a piece that moves', [0, -1], [[0, null], [1, 0]], { turned: 0, taken: 0 }],
  ['a piece that moves on to another', [0, 1], [[0, null], [1, 0]], { turned: 0, taken: 1 }],
  ['a piece that leaps over another', [0, 1, -1], [[0, null], [1, null], [2, 0]], { turned: 0, taken: 1 }],
  ['a piece that moves and turns others over', [0, -1, 1], [[0, null], [1, 0], [2, 0]], { turned: 1, taken: 0 }],
]) {
  test(`${what} is told from others`, () => assert.deepEqual(countChanges(Int8Array.from(stones), set, 0), expected));
}
