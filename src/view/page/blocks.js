// The games of a report: packed in blocks, which are opened when somebody asks for one of their games. See blocks.rs.

/**
 * @typedef {{number: number[], round: number[], bots: number[][], winner: number[], places: number[][]|null, reason: number[], plies: number[], swapped: number[],
 *   disturbed: number[], loser_fault: number[], board: number[]}} Index
 * @typedef {{seat: number, ply: number|null, text: string}} Told
 * @typedef {{number: number, round: number, bots: number[], winner: number, result: string, reason: string, sentence: string, swapped: boolean,
 *   disturbed: boolean, board: number, plies: PlyData[], winning: number[], refused: null|{ply: number|null, seat: number, text: string, cell: number|null},
 *   clock: null|{base_ms: number, increment_ms: number, kind: string},
 *   seats: {used_ms: number, cpu_ms: number|null, startup_ms: number|null, peak: number|null, stderr: string|null}[],
 *   losses: Told[], hints: Told[], warnings: Told[], started: string|null, opening: string|null}} GameData
 */

/** What the page was made with. @type {any} */
const DATA = JSON.parse(document.getElementById("data")?.textContent ?? "{}");

// A page of one game shows it at once.
if (typeof DATA.opens === "number" && location.hash === "") history.replaceState(null, "", `#game=${DATA.opens}`);

/** How many blocks stay open. */
const OPEN_BLOCKS = 4;

/** @type {Promise<Index>|undefined} */
let openedIndex;
/** The blocks that are open, the last one used at the end. @type {Map<number, Promise<GameData[]>>} */
const openedBlocks = new Map();

/** The bytes that were packed in an element of the page. @param {string} id @returns {Promise<Uint8Array>} */
async function unpack(id) {
  const letters = atob(document.getElementById(id)?.textContent?.trim() ?? "");
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The list of all games: columns with an entry for each. @returns {Promise<Index>} */
function openIndex() {
  openedIndex ??= unpack("index").then((bytes) => JSON.parse(new TextDecoder().decode(bytes)));
  return openedIndex;
}

/** A game by its place in the index. @param {number} row @returns {Promise<GameData>} */
async function openGame(row) {
  const at = DATA.blocks.findIndex((block) => row >= block.first && row < block.first + block.count);
  if (at < 0) throw new Error(`there is no game in row ${row}`);
  const opened = openedBlocks.get(at) ?? openBlock(at);
  openedBlocks.delete(at);
  openedBlocks.set(at, opened);
  for (const oldest of openedBlocks.keys()) {
    if (openedBlocks.size > OPEN_BLOCKS) openedBlocks.delete(oldest);
  }
  return (await opened)[row - DATA.blocks[at].first];
}

/** All games of a block. @param {number} at @returns {Promise<GameData[]>} */
async function openBlock(at) {
  const [bytes, index] = await Promise.all([unpack(`block-${at}`), openIndex()]);
  return readBlock(bytes, DATA.blocks[at].first, index, DATA);
}

/**
 * Reads the games of a block.
 * @param {Uint8Array} bytes @param {number} first @param {Index} index @param {any} data @returns {GameData[]}
 */
function readBlock(bytes, first, index, data) {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const length = view.getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  let from = 4 + length;
  const [kinds, cells, highCells, ms, cpuMs, winning, seats] = head.columns.map((size) => {
    const column = new Column(bytes.subarray(from, from + size));
    from += size;
    return column;
  });
  let odd = 0;
  const nextOdd = () => head.odd[odd++];
  const time = (column) => (head.exact ? column.number() / 10 : fromCoarse(column.byte()));
  const timeIfKnown = (column) => {
    const code = head.exact ? column.number() : column.byte();
    return code === 0 ? null : head.exact ? (code - 1) / 10 : fromCoarse(code - 1);
  };

  /** @param {BoardData} board @param {number} count @param {number} winner */
  const readPlies = (board, count, winner) => {
    const sides = [...board.seats];
    const stones = new Array(board.names.length).fill(null);
    for (const [cell, side] of board.set) stones[cell] = side;
    let turn = 0;
    const plies = [];
    for (let k = 0; k < count; k++) {
      const kind = kinds.byte();
      const cell = cells.byte() + (board.names.length > 256 ? 256 * highCells.byte() : 0);
      const seat = kind & 1 ? nextOdd() : turn;
      const text = kind & 2 ? nextOdd() : board.names[cell];
      const set = kind & 4 ? nextOdd() : [[cell, sides[seat]]];
      const last = kind & 8 ? nextOdd() : [cell];
      const swap = (kind & 16) !== 0;
      plies.push({ seat, text, set, last, swap, ms: time(ms), cpu_ms: timeIfKnown(cpuMs) });
      for (const [changed, side] of set) stones[changed] = side;
      if (swap) sides.reverse();
      turn = (seat + 1) % sides.length;
    }
    return { plies, winning: readWinning(stones, sides[winner]) };
  };

  /** @param {(number|null)[]} stones @param {number|undefined} side @returns {number[]} */
  const readWinning = (stones, side) => {
    const how = winning.byte();
    if (how === 3) return nextOdd();
    const own = [...stones.keys()].filter((cell) => how !== 0 && stones[cell] === side);
    if (how !== 2) return own;
    let bits = 0;
    return own.filter((_, at) => {
      if (at % 8 === 0) bits = winning.byte();
      return (bits >> (at % 8)) & 1;
    });
  };

  const readSeat = () => {
    const used_ms = time(seats);
    const cpu_ms = timeIfKnown(seats);
    const startup_ms = head.exact ? timeIfKnown(seats) : null;
    const peak = head.exact ? seats.number() : 0;
    return { used_ms, cpu_ms, startup_ms, peak: peak === 0 ? null : peak - 1, stderr: null };
  };

  return head.plies.map((count, k) => {
    const row = first + k;
    const bots = index.bots[row];
    const winner = index.winner[row];
    const whole = (text) =>
      text.replace(/\u0001(.)/g, (_, letter) => data.bots[bots[letter.charCodeAt(0) - 97]]).replace("\u0002", ` on ply ${count}`);
    const { plies, winning } = readPlies(data.boards[index.board[row]], count, winner);
    const rest = head.games[k] || {};
    const found = bots.map(readSeat);
    rest.stderr?.forEach((text, seat) => (found[seat].stderr = text));
    return {
      number: index.number[row],
      round: index.round[row],
      bots,
      winner,
      result: rest.result === undefined ? `${data.bots[bots[winner]]} wins` : whole(rest.result),
      reason: data.reasons[index.reason[row]].name,
      sentence: whole(head.sentences[k]),
      swapped: index.swapped[row] === 1,
      disturbed: index.disturbed[row] === 1,
      board: index.board[row],
      plies,
      winning,
      refused: rest.refused ?? null,
      clock: head.clocks[head.clock[k]] ?? null,
      seats: found,
      losses: rest.losses ?? [],
      hints: rest.hints ?? [],
      warnings: rest.warnings ?? [],
      started: head.started[k],
      opening: rest.opening ?? null,
    };
  });
}

/** A time that was stored in one byte. @param {number} code @returns {number} milliseconds */
function fromCoarse(code) {
  return code === 0 ? 0 : Math.round(5 * 2 ** ((code - 1) / 12));
}

/** A column of bytes that is read from its beginning to its end. */
class Column {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  byte() {
    return this.bytes[this.at++];
  }

  /** Seven bits in each byte, the lowest first. */
  number() {
    let number = 0;
    let scale = 1;
    for (;;) {
      const byte = this.byte();
      number += (byte & 127) * scale;
      if (byte < 128) return number;
      scale *= 128;
    }
  }
}

/**
 * A game in a format of other programs: the text of a file, or a link.
 * @param {GameData} game @param {any} format one of `DATA.exports[game.board]` @param {string[]} names of all bots @param {any[]} reasons of `DATA`
 * @returns {string}
 */
function exportGame(game, format, names, reasons = DATA.reasons) {
  let swapped = false;
  const moves = game.plies.map((ply) => {
    const name = ply.swap ? format.swap : (swapped ? format.swapped_names : format.names)[ply.last[0]];
    swapped ||= ply.swap;
    return name;
  });
  const loser = game.reason === "resigned" && game.winner >= 0 ? 1 - game.winner : -1;
  if (format.kind === "link") return format.head + moves.join("") + (loser < 0 ? "" : format.resigns[loser]);
  const escaped = (text) => String(text).replace(/[\\\]]/g, "\\$&");
  const seconds = (ms) => String(Math.round(ms * 10) / 10000);
  const clock = game.clock ?? { base_ms: 0, increment_ms: 0 };
  const left = game.bots.map(() => clock.base_ms);
  const nodes = moves.map((name, k) => {
    const seat = k % 2;
    left[seat] = Math.max(0, left[seat] - game.plies[k].ms) + clock.increment_ms;
    return `;${format.letters[seat]}[${name}]${format.letters[seat]}L[${seconds(left[seat])}]`;
  });
  if (loser >= 0) nodes.push(`;${format.letters[loser]}[${format.resigns[loser]}]`);
  const properties = {
    PB: names[game.bots[0]],
    PW: names[game.bots[1]],
    TM: seconds(clock.base_ms),
    OT: `${seconds(clock.increment_ms)} fischer`,
    RE: sgfResult(game, format, reasons),
    GC: sgfComment(game, names, reasons),
    ...(game.started === null ? {} : { DT: game.started.slice(0, 10) }),
  };
  const head = format.head.replace("{number}", game.number).replace("{round}", game.round);
  const root = head + Object.entries(properties).map(([name, value]) => `${name}[${escaped(value)}]`).join("");
  const lines = [root, ...nodes].map((node, k) => node + (k % 8 === 0 || k === nodes.length ? "\n" : ""));
  return `${lines.join("")})\n`;
}

/** Who won, and in which way. @param {GameData} game @param {any} format @param {any[]} reasons */
function sgfResult(game, format, reasons) {
  if (game.winner < 0) return "Void";
  const how = { resigned: "R", timeout: "T" }[game.reason] ?? (reasons.find(({ name }) => name === game.reason)?.fault ? "F" : "");
  return `${format.letters[game.winner]}+${how}`;
}

/** Why it ended. @param {GameData} game @param {string[]} names @param {any[]} reasons */
function sgfComment(game, names, reasons) {
  const { reason, losses } = game;
  const byRules = reason !== "resigned" && !reasons.find(({ name }) => name === reason)?.fault;
  if (byRules) return reason;
  return losses.length === 1 ? `${reason}: ${names[game.bots[losses[0].seat]]} ${losses[0].text}` : `${reason}: ${game.sentence}`;
}
