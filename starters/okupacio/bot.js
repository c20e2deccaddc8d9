#!/usr/bin/env node
// An Okupació player to start from. It knows the rules and the protocol; how to think is up to you: see choose().
//
// Start:  ./bot.js A 3 board.txt     plays A, the first of three players, on the board in a file
//         ./bot.js A 3 board.txt d   the same, and shows the board on stderr after every move
"use strict";
const fs = require("fs");
const readline = require("readline");

const STEPS = [[-1, 0], [1, 0], [0, -1], [0, 1]];
let rows, cols;
let board; // "#" wall, "-" free, or the letter of who holds the cell; the cell (row, col) is number row * cols + col
let dice = Number(BigInt(process.env.ARBITRO_SEED ?? Date.now()) % 4294967296n); // the same seed gives the same game

// A whole number below `sides`. Math.random() cannot be seeded.
function random(sides) {
  dice = (Math.imul(dice, 1664525) + 1013904223) >>> 0;
  return Math.floor((dice / 4294967296) * sides);
}

// The move of the player `me`.
function choose(me) {
  const free = heldBy("-");
  // your idea goes here: this is any free cell
  return free[random(free.length)];
}

function readBoard(path) {
  const [first, second, ...stretches] = fs.readFileSync(path, "utf8").trim().split(/\s+/).map(Number);
  [rows, cols] = [first, second];
  board = Array(rows * cols).fill("-");
  let cell = 0;
  stretches.forEach((length, index) => {
    if (index % 2) board.fill("#", cell, cell + length);
    cell += length;
  });
}

function heldBy(who) {
  return [...board.keys()].filter((at) => board[at] === who);
}

// The cells beside a cell; walls are not among them.
function around(at) {
  const [row, col] = [Math.floor(at / cols), at % cols];
  const near = STEPS.map(([down, right]) => [row + down, col + right]);
  const onBoard = near.filter(([r, c]) => r >= 0 && r < rows && c >= 0 && c < cols);
  return onBoard.map(([r, c]) => r * cols + c).filter((cell) => board[cell] !== "#");
}

// Whether a cell, beside one that the player `who` has just occupied, becomes the player's too.
function isTaken(at, who) {
  const near = around(at);
  const others = near.filter((cell) => board[cell] !== who);
  if (others.length === 0) return true;
  if (near.length < 3 || others.length > 1) return false;
  return board[at] === "-" || (near.length === 4 && board[others[0]] !== board[at]);
}

// A player occupies a cell, and takes the cells beside it that it closes in.
function occupy(at, who) {
  board[at] = who;
  const taken = around(at).filter((near) => board[near] !== who && isTaken(near, who));
  for (const cell of taken) board[cell] = who;
}

// The cells of one who leaves are free again.
function leave(who) {
  for (const cell of heldBy(who)) board[cell] = "-";
}

function cellOf(word) {
  const [row, col] = [word.charCodeAt(0) - 97, word.charCodeAt(1) - 97];
  return word.length === 2 && row < rows && col < cols ? row * cols + col : -1;
}

function wordOf(at) {
  return String.fromCharCode(97 + Math.floor(at / cols), 97 + (at % cols));
}

// Reads lines until one can be what the player `who` has done; null when there are no more lines.
async function readNews(lines, who) {
  for (;;) {
    const { value, done } = await lines.next();
    if (done) return null;
    const [, what] = new RegExp(`^\\s*${who}\\s+(00|--|[a-y]{2})\\s*$`).exec(value) ?? [];
    if (what === "00" || what === "--" || (what && board[cellOf(what)] === "-")) return what;
    console.error(`invalid; send another, as: ${who} ab`);
  }
}

function show() {
  for (let row = 0; row < rows; row++) console.error(board.slice(row * cols, (row + 1) * cols).join(" "));
}

async function main() {
  const [me, players, path, debug] = process.argv.slice(2);
  if (!path) {
    console.error("usage: bot.js LETTER PLAYERS BOARDFILE [d]");
    return 2;
  }
  readBoard(path);
  const lines = readline.createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  const inGame = [..."ABCDEFGHIJ"].slice(0, Number(players));
  for (let turn = 0; inGame.length > 1 && board.includes("-"); turn %= inGame.length) {
    const who = inGame[turn];
    const what = who === me ? wordOf(choose(me)) : await readNews(lines, who);
    if (what === null) return 0; // the game is over
    // Written at once: nothing waits in a buffer.
    if (who === me) fs.writeSync(1, `${what}\n`);
    if (what === "00" || what === "--") {
      leave(who);
      inGame.splice(turn, 1); // the next one moves up
    } else {
      occupy(cellOf(what), who);
      turn += 1;
    }
    if (debug === "d") show();
  }
  return 0;
}

main().then((code) => process.exit(code));
