#!/usr/bin/env node
// A Hex player to start from. It knows the rules and the protocol; how to think is up to you: see choose() and wantsSwap().
//
// Start:  ./bot.js b     plays white, which joins row 0 to the last row and moves first
//         ./bot.js p     plays black, which joins column 0 to the last column
//         ./bot.js b d   the same, and shows the board on stderr after every move
"use strict";
const fs = require("fs");
const readline = require("readline");

const OTHER = { b: "p", p: "b" };
const n = Number(process.env.ARBITRO_SIZE ?? 14);
const board = Array(n * n).fill("-"); // "-" empty, "b" white, "p" black; the cell (row, col) is number row * n + col
let dice = Number(BigInt(process.env.ARBITRO_SEED ?? Date.now()) % 4294967296n); // the same seed gives the same game

// A whole number below `sides`. Math.random() cannot be seeded.
function random(sides) {
  dice = (Math.imul(dice, 1664525) + 1013904223) >>> 0;
  return Math.floor((dice / 4294967296) * sides);
}

// The move of the player `me`; null if the board is full. The six neighbours of (row, col) are (row, col-1), (row, col+1),
// (row-1, col), (row+1, col), (row-1, col+1) and (row+1, col-1).
function choose(me) {
  const empty = [...board.keys()].filter((at) => board[at] === "-");
  // your idea goes here: this is any empty cell
  return empty.length ? empty[random(empty.length)] : null;
}

// Whether to take the opponent's first stone: then you are white from now on, and the opponent moves next as black.
function wantsSwap(first) {
  const [row, col] = [Math.floor(first / n), first % n];
  // your idea goes here: this takes stones that are not near an edge
  return row > 1 && row < n - 2 && col > 1 && col < n - 2;
}

// Reads lines until one is a move that is possible; null when there are no more lines. `swap` may be played on again.
async function readMove(lines, swap) {
  for (;;) {
    const { value, done } = await lines.next();
    if (done) return null;
    const match = /^\s*(\d{1,8})\s+(\d{1,8})\s*$/.exec(value);
    const [row, col] = match ? [Number(match[1]), Number(match[2])] : [n, n];
    const at = row * n + col;
    if (row < n && col < n && (board[at] === "-" || at === swap)) return at;
    console.error("invalid move; send another, as: row col");
  }
}

function show() {
  for (let row = 0; row < n; row++) console.error(board.slice(row * n, (row + 1) * n).join(" "));
}

async function main() {
  let [me, debug] = process.argv.slice(2);
  if (!(me in OTHER)) {
    console.error("usage: bot.js b|p [d]");
    return 2;
  }
  const lines = readline.createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  let turn = "b";
  let first = null;
  for (let ply = 1; ; ply++) {
    const swap = ply === 2 ? first : null;
    let move;
    if (turn !== me) move = await readMove(lines, swap);
    else move = swap !== null && wantsSwap(swap) ? swap : choose(me);
    if (move === null) return 0; // the game is over
    // Written at once: nothing waits in a buffer.
    if (turn === me) fs.writeSync(1, `${Math.floor(move / n)} ${move % n}\n`);
    if (move === swap) {
      me = OTHER[me]; // a swap: the stone stays white, and it is still black's turn
    } else {
      board[move] = turn;
      turn = OTHER[turn];
    }
    if (ply === 1) first = move;
    if (debug === "d") show();
  }
}

main().then((code) => process.exit(code));
