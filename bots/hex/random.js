#!/usr/bin/env node
// A Hex player that plays any legal move, each with the same chance.
//
// Build:  nothing to build
// Start:  node random.js b     plays white, which joins the first row to the last and moves first
//         node random.js p     plays black, which joins the first column to the last
//         node random.js b d   the same, and shows the board on stderr after every move
//
// Type the opponent's moves as "row col", both from 0; end with Ctrl-D. ARBITRO_SIZE is the size
// of the board (2 to 26, 14 if not set). The same ARBITRO_SEED, any text, gives the same choices.
// ARBITRO_OPENING, such as "2 3, 7 7", has the first moves, both sides' in turn; ours are played
// where they are legal.
"use strict";
const fs = require("fs");
const readline = require("readline");

const USAGE = "usage: random.js b|p [d]   (with ARBITRO_SIZE not set, or from 2 to 26)";
const OTHER = { b: "p", p: "b" };
const MASK = (1n << 64n) - 1n;

// A generator of our own, since the language's cannot be seeded.
class Dice {
  constructor(me) {
    // The colour goes into the seed so that two of us in one game do not choose alike.
    this.state = BigInt(me.charCodeAt(0));
    for (const byte of Buffer.from(process.env.ARBITRO_SEED ?? String(process.hrtime.bigint()))) {
      this.state = (this.state * 31n + BigInt(byte)) & MASK;
    }
  }

  roll(sides) {
    // The low bits repeat too soon to be of use.
    this.state = (this.state * 6364136223846793005n + 1442695040888963407n) & MASK;
    return Number((this.state >> 33n) % BigInt(sides));
  }
}

// A cell is a number, row * n + col; the board has one letter for each: b, p or - for empty.
class Hex {
  constructor(n) {
    this.n = n;
    this.board = Array(n * n).fill("-");
    this.turn = "b";
    this.ply = 1;
    this.swap = null; // the one stone that may be played on again, which only ply 2 allows
  }

  // The legal move that a text is; null if it is none.
  legal(text) {
    const match = /^\s*(\d{1,8})\s+(\d{1,8})\s*$/.exec(text);
    const [row, col] = match ? [Number(match[1]), Number(match[2])] : [this.n, this.n];
    const at = row * this.n + col;
    return row < this.n && col < this.n && (this.board[at] === "-" || at === this.swap) ? at : null;
  }

  // Plays a move; true if it was a swap, after which the players change seats.
  play(at) {
    const swapped = at === this.swap;
    if (!swapped) {
      this.board[at] = this.turn;
      this.turn = OTHER[this.turn];
    }
    this.swap = this.ply === 1 ? at : null;
    this.ply += 1;
    return swapped;
  }

  // Whether the group of stones at a cell touches both edges of its colour.
  connects(at) {
    const { n, board } = this;
    const group = [at];
    const lines = new Set();
    for (const cell of group) { // which grows while we walk it
      const [row, col] = [Math.floor(cell / n), cell % n];
      lines.add(board[at] === "b" ? row : col);
      for (const [down, right] of [[0, -1], [0, 1], [-1, 0], [1, 0], [1, -1], [-1, 1]]) {
        const [r, c] = [row + down, col + right];
        const near = r * n + c;
        if (r >= 0 && r < n && c >= 0 && c < n && board[near] === board[at] && !group.includes(near)) group.push(near);
      }
    }
    return lines.has(0) && lines.has(n - 1);
  }

  toString() {
    const row = (_, r) => this.board.slice(r * this.n, (r + 1) * this.n).join(" ");
    return Array.from({ length: this.n }, row).join("\n");
  }
}

function choose(hex, dice) {
  if (hex.swap !== null && dice.roll(2)) return hex.swap;
  const empty = [...hex.board.keys()].filter((at) => hex.board[at] === "-");
  return empty[dice.roll(empty.length)];
}

async function main() {
  const size = process.env.ARBITRO_SIZE ?? "14";
  const [side, debug, ...rest] = process.argv.slice(2);
  const n = Number(size);
  if (!(side in OTHER) || (debug ?? "d") !== "d" || rest.length || !/^\d+$/.test(size) || n < 2 || n > 26) {
    console.error(USAGE);
    return 2;
  }
  const hex = new Hex(n);
  const dice = new Dice(side);
  const opening = (process.env.ARBITRO_OPENING ?? "").split(",");
  const lines = readline.createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  let me = side;
  for (;;) {
    let at = null;
    if (hex.turn === me) {
      at = hex.legal(opening[hex.ply - 1] ?? "") ?? choose(hex, dice);
      // Written at once: console.log would not wait for a pipe that is full.
      fs.writeSync(1, `${Math.floor(at / n)} ${at % n}\n`);
    }
    while (at === null) {
      const { value, done } = await lines.next();
      if (done) return 0;
      at = hex.legal(value);
      if (at === null) console.error("invalid move; send another, as: row col");
    }
    if (hex.play(at)) me = OTHER[me];
    if (debug) console.error(String(hex));
    if (hex.connects(at)) return 0;
  }
}

main().then((code) => process.exit(code));
