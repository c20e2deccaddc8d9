#!/usr/bin/env node
// A player of Xadrez Xinez (Chinese checkers) to start from. It knows the rules and the protocol; how to think is up to you: see
// choose().
//
// Start:  ./bot.js 4 14 4     plays player 4 of the players 1 and 4, on the board with N = 4
//         ./bot.js 4 14 4 d   the same, and shows the board on stderr after every move
"use strict";
const fs = require("fs");
const readline = require("readline");

const STEPS = [[1, 0], [1, 1], [0, 1], [-1, 0], [-1, -1], [0, -1]];
let dice = Number(BigInt(process.env.ARBITRO_SEED ?? Date.now()) % 4294967296n); // the same seed gives the same game

// A whole number below `sides`. Math.random() cannot be seeded.
function random(sides) {
  dice = (Math.imul(dice, 1664525) + 1013904223) >>> 0;
  return Math.floor((dice / 4294967296) * sides);
}

// The move of the player `me`, a pair of indices; null if there is none.
function choose(board, me) {
  const moves = board.moves(me);
  if (moves.length === 0) return null;
  // your idea goes here: this is any move that does not go back, if there is one
  const good = moves.filter(([from, to]) => board.ahead(me, to) >= board.ahead(me, from));
  const best = good.length ? good : moves;
  return best[random(best.length)];
}

// A cell has coordinates u, v and w = v - u. Moves name cells by their index.
class Board {
  constructor(n, players) {
    this.n = n;
    this.cells = Array(6 * n * n + 6 * n + 1); // [u, v] by index
    this.pieces = Array(this.cells.length).fill(0); // whose piece is on a cell, 0 if none is
    for (let u = -2 * n; u <= 2 * n; u++) {
      for (let v = -2 * n; v <= 2 * n; v++) {
        if (this.isOnBoard(u, v)) this.cells[this.number(u, v)] = [u, v];
      }
    }
    for (const player of players) {
      for (const at of this.cells.keys()) if (this.ahead(player, at) < -n) this.pieces[at] = player;
    }
  }

  isOnBoard(u, v) {
    return [u, v, v - u].filter((x) => Math.abs(x) <= this.n).length >= 2;
  }

  // The index of a cell: row by row where |u| and |v| are at most n, then four points of the star.
  number(u, v) {
    const n = this.n;
    const side = 2 * n + 1;
    if (Math.abs(u) <= n && Math.abs(v) <= n) return u + n + side * (v + n);
    const point = u > n ? 0 : u < -n ? 1 : v > n ? 2 : 3;
    const line = [u - n, -u - n, v - n, -v - n][point];
    const along = [v, -v, u, -u][point];
    const before = (line - 1) * (n + 1) - (line * (line - 1)) / 2;
    return side * side + (point * n * (n + 1)) / 2 + before + along - line;
  }

  // A cell as a player sees it: turned until the player's home is where player 1's is.
  seenBy(player, u, v) {
    for (let turns = (7 - player) % 6; turns > 0; turns--) [u, v] = [u - v, u];
    return [u, v];
  }

  // How far ahead a cell is for a player: below -n is its home, above n its goal.
  ahead(player, at) {
    const [u, v] = this.seenBy(player, ...this.cells[at]);
    return v - u;
  }

  // Whether a player may stop on a cell: not on a piece, nor in the points of others.
  isFreeFor(player, u, v) {
    const isFree = this.isOnBoard(u, v) && !this.pieces[this.number(u, v)];
    return isFree && this.seenBy(player, u, v).every((x) => Math.abs(x) <= this.n);
  }

  // All cells that a piece can go to: by one step, or by any number of jumps.
  reach(from) {
    const player = this.pieces[from];
    this.pieces[from] = 0; // on its way it finds its own cell empty
    const found = new Set([from]);
    for (const at of found) { // which grows while we walk it
      const [u, v] = this.cells[at];
      for (const [du, dv] of STEPS) {
        const isOver = this.isOnBoard(u + du, v + dv) && this.pieces[this.number(u + du, v + dv)];
        if (isOver && this.isFreeFor(player, u + 2 * du, v + 2 * dv)) found.add(this.number(u + 2 * du, v + 2 * dv));
      }
    }
    const [u, v] = this.cells[from];
    for (const [du, dv] of STEPS) {
      if (this.isFreeFor(player, u + du, v + dv)) found.add(this.number(u + du, v + dv));
    }
    this.pieces[from] = player;
    found.delete(from);
    return [...found];
  }

  // All moves of a player.
  moves(player) {
    const own = [...this.pieces.keys()].filter((at) => this.pieces[at] === player);
    return own.flatMap((from) => this.reach(from).map((to) => [from, to]));
  }

  make([from, to]) {
    this.pieces[to] = this.pieces[from];
    this.pieces[from] = 0;
  }

  show() {
    for (let w = 2 * this.n; w >= -2 * this.n; w--) {
      const row = Array(6 * this.n + 1).fill(" ");
      this.cells.forEach(([u, v], at) => {
        if (v - u === w) row[u + v + 3 * this.n] = this.pieces[at] || ".";
      });
      console.error(row.join("").trimEnd());
    }
  }
}

// Reads lines until one can be what this player does: its move, or null for a pass. At the end of the lines, leaves.
async function readMove(lines, board, player) {
  for (;;) {
    const { value, done } = await lines.next();
    if (done) process.exit(0);
    const words = value.trim().split(/\s+/).join(" ");
    if (words === `${player} pass`) return null;
    const move = board.moves(player).find(([from, to]) => words === `${player} ${from} ${to}`);
    if (move) return move;
    console.error(`invalid; send another, as: ${player} origin destination, or ${player} pass`);
  }
}

async function main() {
  const [me, players, n] = process.argv.slice(2).map(Number);
  const debug = process.argv[5] === "d";
  if (!n) {
    console.error("usage: bot.js PLAYER PLAYERS N [d]");
    return 2;
  }
  const inGame = [...String(players)].map(Number);
  const board = new Board(n, inGame);
  const lines = readline.createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  for (let turn = 0; ; turn = (turn + 1) % inGame.length) {
    const player = inGame[turn];
    const move = player === me ? choose(board, me) : await readMove(lines, board, player);
    // If we cannot move, the referee knows, and the game goes on without a word. What is written is written at once.
    if (player === me && move) fs.writeSync(1, `${move[0]} ${move[1]}\n`);
    if (move) board.make(move);
    if (debug) board.show();
  }
}

main().then((code) => process.exit(code));
