/**
 * A championship while it is played: the standings, the boards of the games that run, the last results. Everything comes from `/events`.
 *
 * @typedef {{id: number, bots: string[], board: number, plies: PlyData[], used_ms: number[], turn: number, turn_ms: number, clock: ClockTerms|null}} Running
 * @typedef {{number: number, names: string[], winner: number|null, reason: string, sentence: string, plies: number, counts: boolean}} GameResult
 */

/** How many results stay in sight. */
const RESULTS_SHOWN = 60;
/** How long the board of a game that has ended stays if no other game wants its place. */
const ENDED_STAYS_MS = 8000;
/** How often clocks are drawn. */
const TICK_MS = 100;

/** The board of a game that runs, with the players and their clocks. */
class LiveGame {
  /** @param {HTMLElement} place what it is put into */
  constructor(place) {
    this.seats = element('ul', { class: 'seats' });
    this.stage = element('div', { class: 'stage' });
    this.result = element('p', { class: 'result' });
    this.tile = element('article', { class: 'tile' }, this.seats, this.stage, this.result);
    place.append(this.tile);
    /** @type {Board|null} */
    this.board = null;
    this.id = -1;
    this.endedAt = 0;
    /** @type {number[]} */
    this.used = [];
    this.turn = 0;
    this.turnBegan = 0;
  }

  /**
   * A game begins here.
   * @param {Running} game
   * @param {BoardData} boardData
   */
  begin(game, boardData) {
    this.id = game.id;
    this.endedAt = 0;
    this.clock = game.clock;
    this.moves = game.bots.map(() => 0);
    this.sides = boardData.seats;
    this.names = game.bots;
    this.played = 0;
    this.tile.classList.remove('ended');
    this.tile.setAttribute('aria-label', game.bots.join(' – '));
    this.result.textContent = '';
    if (this.board?.data !== boardData) {
      this.board?.remove();
      this.board = new Board(boardData, this.stage, { coordinates: false, label: 'board of a game in progress' });
    } else {
      this.board.reset();
    }
    this.items = game.bots.map((name) => ({
      row: element('li', {}),
      dot: element('span', { class: 'dot' }),
      clock: element('span', { class: 'clock' }),
      name,
    }));
    for (const { row, dot, clock, name } of this.items) row.append(dot, element('span', { class: 'who' }, nameElement(name)), clock);
    this.seats.replaceChildren(...this.items.map((item) => item.row));
    this.seats.classList.toggle('many', game.bots.length > 2);
    this.play(0, game.plies, game.used_ms, game.turn, game.turn_ms);
  }

  /**
   * @param {number} from the number of the first of these plies
   * @param {PlyData[]} plies
   * @param {number[]} used time that each seat has used, without the turn that goes on
   * @param {number} turn
   * @param {number} turnMs how long the turn has gone on
   */
  play(from, plies, used, turn, turnMs) {
    for (const ply of plies.slice(Math.max(0, this.played - from))) {
      this.board?.mark('changed', changedCells(this.board.stones, ply.set));
      for (const [cell, side] of ply.set) this.board?.setCell(cell, side);
      this.moves[ply.seat] += 1;
      if (ply.swap) this.sides = [...this.sides].reverse();
      this.played += 1;
    }
    if (plies.length) this.board?.mark('last', plies[plies.length - 1].last);
    [this.used, this.turn, this.turnBegan] = [used, turn, performance.now() - turnMs];
    this.items?.forEach((item, seat) => {
      item.dot.className = `dot s${this.sides[seat]}`;
      item.dot.textContent = this.board?.data.letters[this.sides[seat]] ?? '';
      item.row.classList.toggle('turn', seat === turn);
    });
    this.tick();
  }

  /** Draws the clocks. */
  tick() {
    if (!this.items) return;
    const now = performance.now();
    this.items.forEach(({ clock }, seat) => {
      const goesOn = seat === this.turn && this.endedAt === 0 && this.clock?.kind !== 'cpu';
      const used = this.used[seat] + (goesOn ? now - this.turnBegan : 0);
      const text = clockText(this.clock ? Math.max(0, this.clock.base_ms + this.clock.increment_ms * this.moves[seat] - used) : used);
      if (clock.textContent !== text) clock.textContent = text;
    });
  }

  /** @param {GameResult|null} result nothing if the game was broken off */
  end(result) {
    this.endedAt = performance.now();
    this.tile.classList.add('ended');
    this.result.textContent = result ? resultText(result) : 'broken off, to be played again';
    this.items?.forEach((item, seat) => item.row.classList.toggle('turn', seat === result?.winner));
  }

  remove() {
    this.board?.remove();
    this.tile.remove();
  }
}

/** @param {GameResult} result */
const resultText = (result) =>
  `${result.winner === null ? 'nobody wins' : `${result.names[result.winner]} wins`} (${result.reason})${result.counts ? '' : ', to be played again'}`;

/**
 * How long something still takes, as exactly as that can be known.
 * @param {number} seconds
 */
function leftText(seconds) {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))}\u00a0s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes}\u00a0min` : `${Math.floor(minutes / 60)}\u00a0h ${minutes % 60}\u00a0min`;
}

/**
 * Makes a list that is longer than its place end with a whole entry.
 * @param {HTMLElement} box what scrolls
 * @param {Iterable<Element>} entries
 * @returns {number} how many entries are in sight
 */
function endWhole(box, entries) {
  box.removeAttribute('style');
  const [room, top, all] = [box.clientHeight, box.getBoundingClientRect().top - box.scrollTop, [...entries]];
  if (box.scrollHeight <= room) return all.length;
  const whole = all.map((entry) => entry.getBoundingClientRect().bottom - top).filter((bottom) => bottom <= room);
  if (whole.length) box.style.maxHeight = `${Math.max(...whole) + box.offsetHeight - room}px`;
  return whole.length;
}

/** The page of a championship that is played. */
class Live {
  /** @param {string} url where its events come from */
  constructor(url) {
    this.title = element('h1', {});
    this.status = element('p', { role: 'status' });
    this.progress = element('progress', { max: 1, value: 0, 'aria-label': 'games played' });
    document.querySelector('header')?.replaceChildren(this.title, this.status, this.progress);
    this.tables = element('div', { id: 'tables' });
    this.results = element('ol', { class: 'results', tabindex: 0, 'aria-label': 'last results' });
    this.boards = element('div', { class: 'boards', role: 'group', 'aria-label': 'games in progress' });
    this.resultsPart = element('section', { id: 'results' }, element('h2', {}, 'Last results'), this.results);
    document.querySelector('main')?.replaceChildren(this.tables, this.resultsPart, this.boards);
    document.body.dataset.view = 'live';
    /** @type {LiveGame[]} */
    this.games = [];
    /** @type {BoardData[]} */
    this.boardData = [];
    this.html = '';
    this.#listen(url);
    setInterval(() => this.#tick(), TICK_MS);
    new ResizeObserver(() => {
      this.arrange();
      this.#endWhole();
    }).observe(this.boards);
  }

  /** @param {string} url */
  #listen(url) {
    const events = new EventSource(url);
    const on = (/** @type {string} */ name, /** @type {(data: any) => void} */ act) =>
      events.addEventListener(name, (event) => act(JSON.parse(event.data)));
    on('snapshot', (data) => this.#restart(data));
    on('begin', (data) => this.#begin({ plies: [], used_ms: data.bots.map(() => 0), turn: 0, turn_ms: 0, ...data }));
    on('plies', ({ id, from, plies, used_ms, turn, turn_ms }) => this.#game(id)?.play(from, plies, used_ms, turn, turn_ms));
    on('end', ({ id, result }) => {
      this.#game(id)?.end(result);
      if (result) this.#addResult(result);
    });
    on('tables', (data) => this.#showTables(data.html, data));
    on('finished', (data) => {
      events.close();
      this.#finish(data);
    });
    events.addEventListener('error', () => {
      if (document.body.dataset.view === 'live') this.status.textContent = 'The connection is lost. Trying again…';
    });
  }

  /** @param {number} id */
  #game(id) {
    return this.games.find((game) => game.id === id && game.endedAt === 0);
  }

  /**
   * All that there is, for a page that comes in or has fallen behind.
   * @param {any} data
   */
  #restart(data) {
    document.title = data.title;
    this.title.textContent = data.title;
    this.boardData = data.boards;
    this.games.forEach((game) => game.remove());
    this.games = [];
    this.results.replaceChildren();
    data.results.forEach((/** @type {GameResult} */ result) => this.#addResult(result));
    data.games.forEach((/** @type {Running} */ game) => this.#begin(game));
    this.#showTables(data.standings_html, data);
    this.arrange();
  }

  /** @param {Running} game */
  #begin(game) {
    // The place of a game that has ended is taken, so that the others stay where they are.
    const ended = this.games.filter((one) => one.endedAt > 0).sort((one, other) => one.endedAt - other.endedAt)[0];
    const shown = ended ?? new LiveGame(this.boards);
    if (!ended) this.games.push(shown);
    shown.begin(game, this.boardData[game.board]);
    this.boards.classList.remove('none');
    if (!ended) this.arrange();
  }

  /** @param {GameResult} result */
  #addResult(result) {
    const names = result.names.flatMap((name, seat) => [
      seat ? ' – ' : '',
      seat === result.winner ? element('b', {}, nameElement(name)) : nameElement(name),
    ]);
    const told = result.counts ? result.sentence : `${result.sentence} It is played again.`;
    this.results.prepend(
      element(
        'li',
        {},
        element('span', { class: 'no' }, result.number),
        element('div', {}, ...names, ' ', element('span', { class: 'note' }, result.reason), element('p', {}, told)),
      ),
    );
    while (this.results.children.length > RESULTS_SHOWN) this.results.lastElementChild?.remove();
    this.#endWhole();
  }

  /**
   * @param {string} html made by our own templates, names escaped
   * @param {{done: number, total: number, rate: number|null, left_s: number|null}} how
   */
  #showTables(html, { done, total, rate, left_s }) {
    const parts = [
      `${done.toLocaleString('en')} of ${counted(total, 'game')}`,
      rate ? `${rate < 10 ? rate.toFixed(1) : Math.round(rate).toLocaleString('en')} a minute` : '',
      left_s !== null && done < total ? `about ${leftText(left_s)} left` : '',
    ];
    this.status.textContent = parts.filter(Boolean).join(' · ');
    [this.progress.max, this.progress.value] = [Math.max(1, total), done];
    if (html === this.html) return;
    this.html = html;
    const scrolled = [...this.tables.querySelectorAll('.scroll')].map((box) => [box.scrollLeft, box.scrollTop]);
    this.tables.innerHTML = html;
    this.#endWhole();
    this.tables
      .querySelectorAll('.scroll')
      .forEach((/** @type {Element} */ box, /** @type {number} */ at) => box.scrollTo(...(scrolled[at] ?? [0, 0])));
  }

  /** What does not fit is cut between two entries, before it is drawn again. */
  #endWhole() {
    cancelAnimationFrame(this.pending);
    this.pending = requestAnimationFrame(() => {
      endWhole(this.results, this.results.children);
      const [box, rows] = [this.tables.querySelector('#standings .scroll'), this.tables.querySelectorAll('#standings tbody tr')];
      const shown = box ? endWhole(box, rows) : 0;
      if (shown < rows.length) this.tables.dataset.shown = `first ${shown} of ${rows.length}`;
      else delete this.tables.dataset.shown;
    });
  }

  /** @param {any} data */
  #finish(data) {
    this.#showTables(data.html, data);
    this.games.forEach((game) => game.remove());
    this.games = [];
    document.body.dataset.view = 'finished';
    // From here on the tables are those of the report, and have all the room they need.
    this.tables.querySelectorAll('.scroll').forEach((/** @type {Element} */ box) => box.removeAttribute('style'));
    this.#endWhole();
    // What the tables lead to is in the report, as long as that is served.
    if (data.report)
      this.tables
        .querySelectorAll('a[href^="#"]')
        .forEach((/** @type {Element} */ link) => link.setAttribute('href', data.report + link.getAttribute('href')));
    this.status.textContent = data.complete
      ? `complete: ${counted(data.done, 'game')}`
      : `stopped after ${data.done} of ${counted(data.total, 'game')}`;
    this.status.classList.toggle('complete', data.complete);
  }

  #tick() {
    const now = performance.now();
    const gone = this.games.filter((game) => game.endedAt > 0 && now - game.endedAt > ENDED_STAYS_MS);
    gone.forEach((game) => game.remove());
    this.games = this.games.filter((game) => !gone.includes(game));
    if (gone.length) this.arrange();
    this.games.forEach((game) => game.tick());
  }

  /** As many columns as make the boards as large as they can be. */
  arrange() {
    const count = this.games.length;
    this.boards.classList.toggle('none', count === 0);
    const board = this.games[0]?.board;
    if (!board) return;
    const { clientWidth, clientHeight } = this.boards;
    const head = 2.4 * 16 * Math.ceil(this.games[0].names.length / 2);
    const scale = (/** @type {number} */ columns) => {
      const [width, height] = [clientWidth / columns, clientHeight / Math.ceil(count / columns) - head];
      return Math.min(width / board.upright.width, height / board.upright.height);
    };
    const columns = [...Array(count).keys()].map((at) => at + 1).reduce((best, one) => (scale(one) > scale(best) ? one : best), 1);
    this.boards.style.setProperty('--columns', String(columns));
  }
}
