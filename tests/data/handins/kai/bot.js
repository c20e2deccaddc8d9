const N = Number(process.env.ARBITRO_SIZE || 14);
const board = new Array(N * N).fill(0);
let seed = [...(process.env.ARBITRO_SEED || "7")].reduce((sum, x) => (sum * 33 + x.charCodeAt(0)) % 2147483647, 5);
const rnd = () => (seed = (seed * 48271) % 2147483647) / 2147483647;

function neighbours(at) {
  const r = Math.floor(at / N), c = at % N, list = [];
  if (c > 0) list.push(at - 1);
  if (c < N - 1) list.push(at + 1);
  if (r > 0) list.push(at - N);
  if (r < N - 1) list.push(at + N);
  if (r > 0 && c < N - 1) list.push(at - N + 1);
  if (r < N - 1 && c > 0) list.push(at + N - 1);
  return list;
}
const NEAR = board.map((_, at) => neighbours(at));

function topToBottom(cells) {
  const todo = [], seen = new Set();
  for (let c = 0; c < N; c++) if (cells[c] === 1) { todo.push(c); seen.add(c); }
  while (todo.length) {
    const at = todo.pop();
    if (at >= N * (N - 1)) return true;
    for (const next of NEAR[at]) if (cells[next] === 1 && !seen.has(next)) { seen.add(next); todo.push(next); }
  }
  return false;
}

function rollouts(me) {
  const empty = board.map((x, i) => (x ? -1 : i)).filter((i) => i >= 0);
  const won = new Map(empty.map((i) => [i, [0, 1]]));
  for (let k = 0; k < 120; k++) {
    const cells = board.slice();
    const order = empty.map((i) => [rnd(), i]).sort((a, b) => a[0] - b[0]).map((x) => x[1]);
    order.forEach((i, turn) => { cells[i] = turn % 2 ? 3 - me : me; });
    const good = topToBottom(cells) === (me === 1) ? 1 : 0;
    order.forEach((i, turn) => { if (turn % 2 === 0) { won.get(i)[0] += good; won.get(i)[1]++; } });
  }
  return empty.reduce((a, b) => (won.get(b)[0] / won.get(b)[1] > won.get(a)[0] / won.get(a)[1] ? b : a));
}

let me = process.argv[2] === "b" ? 1 : 2, turn = 1, count = 0, first = -1;
function apply(at) {
  count++;
  if (count === 2 && at === first) { me = 3 - me; return; }
  if (count === 1) first = at;
  board[at] = turn;
  turn = 3 - turn;
}
function move() {
  while (turn === me && board.includes(0)) {
    const at = rollouts(me);
    process.stdout.write(Math.floor(at / N) + " " + (at % N) + "\n");
    apply(at);
  }
}
move();
require("readline").createInterface({ input: process.stdin }).on("line", (text) => {
  const [r, c] = text.trim().split(/\s+/).map(Number);
  apply(r * N + c);
  move();
});
