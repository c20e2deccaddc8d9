#!/usr/bin/env node
// A RHEX player to start from. It knows the rules and the protocol; how to think is up to you: see choose().
//
// Start:  ./bot.js b     plays white, which moves first
//         ./bot.js p     plays black
//         ./bot.js b d   the same, and shows the board on stderr after every move
"use strict";
const fs = require("fs");
const readline = require("readline");

const OTHER = { b: "p", p: "b" };
const STEPS = [[0, -1], [0, 1], [-1, 0], [1, 0], [-1, 1], [1, -1]];
const n = Number(process.env.ARBITRO_SIZE ?? 14); // there are 2n tokens in all
const board = Array(n * n).fill("-"); // "-" empty, "b" white, "p" black; the cell (row, col) is number row * n + col
let dice = Number(BigInt(process.env.ARBITRO_SEED ?? Date.now()) % 4294967296n); // the same seed gives the same game

// A whole number below `sides`. Math.random() cannot be seeded.
function random(sides) {
  dice = (Math.imul(dice, 1664525) + 1013904223) >>> 0;
  return Math.floor((dice / 4294967296) * sides);
}

// The move of the player `me`.
function choose(me) {
  const empty = [...board.keys()].filter((at) => board[at] === "-");
  // your idea goes here: this is any empty cell
  return empty[random(empty.length)];
}

// All tokens that hang together with the one at a cell, whatever their colours.
function zoneOf(at) {
  const zone = [at];
  for (const cell of zone) { // which grows while we walk it
    for (const [down, right] of STEPS) {
      const [row, col] = [Math.floor(cell / n) + down, (cell % n) + right];
      const near = row * n + col;
      const isToken = row >= 0 && row < n && col >= 0 && col < n && board[near] !== "-";
      if (isToken && !zone.includes(near)) zone.push(near);
    }
  }
  return zone;
}

// Places a token. If most tokens of its zone show the other colour, all of them are turned over.
function place(at, side) {
  board[at] = side;
  const zone = zoneOf(at);
  const own = zone.filter((cell) => board[cell] === side).length;
  if (2 * own < zone.length) for (const cell of zone) board[cell] = OTHER[board[cell]];
}

// Reads lines until one is a move that is possible; null when there are no more lines.
async function readMove(lines) {
  for (;;) {
    const { value, done } = await lines.next();
    if (done) return null;
    const match = /^\s*(\d{1,8})\s+(\d{1,8})\s*$/.exec(value);
    const [row, col] = match ? [Number(match[1]), Number(match[2])] : [n, n];
    if (row < n && col < n && board[row * n + col] === "-") return row * n + col;
    console.error("invalid move; send another, as: row col");
  }
}

function show() {
  for (let row = 0; row < n; row++) console.error(board.slice(row * n, (row + 1) * n).join(" "));
}

async function main() {
  const [me, debug] = process.argv.slice(2);
  if (!(me in OTHER)) {
    console.error("usage: bot.js b|p [d]");
    return 2;
  }
  const lines = readline.createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  let turn = "b";
  for (let token = 1; token <= 2 * n; token++) {
    const move = turn === me ? choose(me) : await readMove(lines);
    if (move === null) return 0; // the game is over
    // Written at once: nothing waits in a buffer.
    if (turn === me) fs.writeSync(1, `${Math.floor(move / n)} ${move % n}\n`);
    place(move, turn);
    turn = OTHER[turn];
    if (debug === "d") show();
  }
  return 0;
}

main().then((code) => process.exit(code));
