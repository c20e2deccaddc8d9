// Opens a report with the page's own script, as a browser does, and prints what it finds as JSON: the games, and their exports.
//     node read_report.mjs blocks.js report.html
import fs from "node:fs";

const [script, page] = process.argv.slice(2).map((path) => fs.readFileSync(path, "utf8"));
const texts = new Map();
for (const [, id, text] of page.matchAll(/<script type="[a-z/]+" id="([a-z0-9-]+)">([^<]*)<\/script>/g)) texts.set(id, text);
globalThis.document = { getElementById: (id) => (texts.has(id) ? { textContent: texts.get(id) } : null) };
globalThis.location = { hash: "#" };
const { DATA, openIndex, openGame, exportGame } = new Function(`${script}\nreturn { DATA, openIndex, openGame, exportGame };`)();
const index = await openIndex();
const games = [];
for (const row of index.number.keys()) games.push(await openGame(row));
const exports = games.map((game) => (DATA.exports[game.board] ?? []).map((format) => exportGame(game, format, DATA.bots)));
process.stdout.write(JSON.stringify({ data: DATA, index, games, exports }));
