// Goes on thinking in two workers while it waits. Usage: node ponder.js b|p
const { Worker, isMainThread } = require("worker_threads");

function think() {
  let thought = [];
  for (;;) {
    thought.push({ length: thought.length });
    if (thought.length === 10000) thought = [];
  }
}

function play(side) {
  const size = Number(process.env.ARBITRO_SIZE || 14);
  const taken = new Array(size * size).fill(false);
  let next = 0;
  const move = () => {
    while (taken[next]) next++;
    taken[next] = true;
    console.log(`${Math.floor(next / size)} ${next % size}`);
  };
  for (let count = 0; count < 2; count++) new Worker(__filename);
  if (side === "b") move();
  const lines = require("readline").createInterface({ input: process.stdin });
  lines.on("line", (line) => {
    const [row, column] = line.split(" ").map(Number);
    taken[row * size + column] = true;
    move();
  });
  lines.on("close", () => process.exit(0));
}

if (isMainThread) play(process.argv[2]);
else think();
