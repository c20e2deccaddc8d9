// The longest free row or column is begun at its middle.
const readline = require('readline');
const size = 14;
const grid = Array.from({ length: size }, () => new Uint8Array(size));

function runs() {
  const found = [];
  for (let i = 0; i < size; i++) {
    for (const across of [true, false]) {
      let start = null;
      for (let j = 0; j <= size; j++) {
        const open = j < size && (across ? grid[i][j] : grid[j][i]) === 0;
        if (open && start === null) start = j;
        if (!open && start !== null) {
          found.push({ i, across, start, length: j - start });
          start = null;
        }
      }
    }
  }
  return found.sort((a, b) => b.length - a.length);
}

function move() {
  const [longest] = runs();
  if (!longest) process.exit(0);
  const at = longest.start + (longest.length >> 1);
  const [row, col] = longest.across ? [longest.i, at] : [at, longest.i];
  grid[row][col] = 1;
  console.log(`${row} ${col}`);
}

if (process.argv[2] === 'b') move();
readline.createInterface({ input: process.stdin }).on('line', (text) => {
  const [row, col] = text.trim().split(' ').map(Number);
  grid[row][col] = 2;
  move();
});
