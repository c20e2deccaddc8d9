// A Hex bot with one flaw, as students write them: node flawed.js FLAW b|p
//
// Without its flaw it is sound: it plays a line of stones towards itself, marks every stone, and knows the swap.
"use strict";
const readline = require("readline");

const [flaw, side] = process.argv.slice(2);
const n = Number(process.env.ARBITRO_SIZE ?? 14);
const board = Array.from({ length: n }, () => Array(n).fill("-"));
let me = side;
let plies = 0;
let last = [-1, -1];
let held = ""; // a move that is written together with the next

if (flaw === "needs-a-package") require("lodash");

function choose() {
  const middle = Math.floor(n / 2);
  if (flaw === "repeats-itself" && plies > 1) return last;
  if (flaw === "plays-twice-when-swapped") {
    for (let cell = 0; cell < n * n; cell++)
      if (board[Math.floor(cell / n)][cell % n] === "-") return [Math.floor(cell / n), cell % n];
  }
  for (let i = n - 1; i >= 0; i--) {
    const [row, col] = me === "b" ? [i, middle] : [middle, i];
    if (board[row][col] === "-") return [row, col];
  }
  for (let row = n - 1; row >= 0; row--)
    for (let col = n - 1; col >= 0; col--)
      if (board[row][col] === "-") return [row, col];
}

function say(row, col) {
  if (flaw === "prints-an-array") console.log([row, col]);
  else if (flaw === "prints-json") console.log(JSON.stringify({ row, col }));
  else if (flaw === "semicolon") console.log(`${row};${col}`);
  else if (flaw === "adds-the-numbers") console.log(row + col);
  else if (flaw === "no-newline") process.stdout.write(`${row} ${col}`);
  else if (flaw === "undefined") console.log(row, undefined);
  else {
    process.stdout.write(held + `${row} ${col}\n`);
    held = "";
  }
}

function play() {
  last = choose();
  if (flaw === "type-error" && plies > 1) board[n + plies][0] = me;
  board[last[0]][last[1]] = me;
  plies++;
  say(...last);
  // It takes five stones of its own for a win.
  if (flaw === "thinks-it-has-won" && plies > 6) process.exit(0);
}

function hear(line) {
  const [row, col] = line.split(" ").map(Number);
  plies++;
  if (plies === 2 && me === "b" && row === last[0] && col === last[1]) {
    me = "p";
    // Both moves come at once, so that the game is always the same.
    if (flaw === "plays-twice-when-swapped") {
      last = choose();
      board[last[0]][last[1]] = me;
      plies++;
      held = `${last[0]} ${last[1]}\n`;
    }
    return;
  }
  if (flaw === "plays-twice-when-swapped" && board[row][col] !== "-") throw new Error(`cell ${row} ${col} is mine`);
  board[row][col] = me === "b" ? "p" : "b";
}

if (me === "b") play();
if (flaw === "waits-for-the-end") {
  let text = "";
  process.stdin.on("data", (data) => { text += data; });
  process.stdin.on("end", () => text.trim().split("\n").forEach((line) => { hear(line); play(); }));
} else {
  readline.createInterface({ input: process.stdin }).on("line", (line) => { hear(line); play(); });
}
