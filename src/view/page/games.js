/**
 * The list of games: searched and filtered as one types, a page of rows at a time.
 *
 * @typedef {{name: string, words: string, fault: boolean}} ReasonData
 * @typedef {{q: string, bot: string, opponent: string, reason: string, min: string, max: string, swapped: string, disturbed: string}} Filter
 */

/** Rows on a page. */
const PAGE_ROWS = 100;
/** @type {Filter} */
const NO_FILTER = { q: '', bot: '', opponent: '', reason: '', min: '', max: '', swapped: '', disturbed: '' };

/**
 * The rows of the games that a filter lets through.
 * @param {Index} index
 * @param {string[]} bots
 * @param {ReasonData[]} reasons
 * @param {Filter} filter
 * @returns {number[]}
 */
function filterGames(index, bots, reasons, filter) {
  const [bot, opponent] = [filter.bot, filter.opponent].map((name) => (name === '' ? -1 : bots.indexOf(name)));
  const reason = reasons.findIndex(({ name }) => name === filter.reason);
  const [min, max] = [Number(filter.min || 0), Number(filter.max || Infinity)];
  // Each word has to be found in a name, in the reason or as the number; names are compared once for all games.
  const words = filter.q
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => ({
      number: /^\d+$/.test(word) ? Number(word) : -1,
      bots: new Set([...bots.keys()].filter((number) => bots[number].toLowerCase().includes(word))),
      reasons: new Set(
        [...reasons.keys()].filter((number) => `${reasons[number].name} ${reasons[number].words}`.toLowerCase().includes(word)),
      ),
      swap: 'swapped'.startsWith(word) && word.length > 2,
    }));
  const rows = [];
  for (let row = 0; row < index.number.length; row++) {
    const players = index.bots[row];
    if (bot >= 0 && !players.includes(bot)) continue;
    if (opponent >= 0 && (!players.includes(opponent) || (opponent === bot && players.indexOf(bot) === players.lastIndexOf(bot)))) continue;
    if (reason >= 0 && index.reason[row] !== reason) continue;
    if (index.plies[row] < min || index.plies[row] > max) continue;
    if (filter.swapped && String(index.swapped[row]) !== filter.swapped) continue;
    if (filter.disturbed && String(index.disturbed[row]) !== filter.disturbed) continue;
    if (
      words.every(
        (word) =>
          word.number === index.number[row] ||
          players.some((player) => word.bots.has(player)) ||
          word.reasons.has(index.reason[row]) ||
          (word.swap && index.swapped[row] === 1),
      )
    )
      rows.push(row);
  }
  return rows;
}

/**
 * The next game that a bot lost, after the last one the first again; nothing if it lost no other.
 * @param {Index} index
 * @param {number} row where to begin
 * @param {number} bot
 * @returns {number|null}
 */
function nextLoss(index, row, bot) {
  const games = index.number.length;
  for (let step = 1; step < games; step++) {
    const other = (row + step) % games;
    const seat = index.bots[other].indexOf(bot);
    if (seat >= 0 && index.winner[other] >= 0 && index.winner[other] !== seat && !index.disturbed[other]) return other;
  }
  return null;
}

/** The list of games. */
class GamesList {
  /**
   * @param {HTMLElement} container
   * @param {{bots: string[], reasons: ReasonData[], seats: number, boards: BoardData[]}} data
   * @param {Index} index
   * @param {(filter: Filter) => void} [onFilter]
   */
  constructor(container, data, index, onFilter) {
    this.data = data;
    this.index = index;
    this.onFilter = onFilter;
    this.filter = { ...NO_FILTER };
    this.page = 0;
    this.pending = 0;
    this.rows = [...index.number.keys()];
    this.sortedBots = [...data.bots].sort((one, other) => one.localeCompare(other));
    this.#build(container);
    this.draw();
  }

  /** @param {HTMLElement} container */
  #build(container) {
    const { reasons } = this.data;
    const used = new Set(this.index.reason);
    const text = (/** @type {Node|string} */ label, /** @type {any} */ field) => element('label', {}, element('span', {}, label), field);
    const select = (/** @type {string} */ name, /** @type {[string, string][]} */ options) =>
      element('select', { name }, ...options.map(([value, shown]) => element('option', { value }, shown)));
    const names = (/** @type {string} */ name) =>
      select(name, [['', 'any'], ...this.sortedBots.map((bot) => /** @type {[string, string]} */ ([bot, bot]))]);
    const number = (/** @type {string} */ name) => element('input', { type: 'number', name, min: 0, inputmode: 'numeric' });
    const yesNo = (/** @type {string} */ name) =>
      select(name, [
        ['', 'any'],
        ['1', 'yes'],
        ['0', 'no'],
      ]);
    const has = (/** @type {number[]} */ column) => column.some((one) => one !== column[0]);
    this.form = element(
      'form',
      {
        class: 'filter',
        role: 'search',
        'aria-label': 'filter games',
        input: () => this.#changed(),
        submit: (/** @type {Event} */ event) => event.preventDefault(),
      },
      text('search', element('input', { type: 'search', name: 'q', placeholder: 'name, number, reason', autocomplete: 'off' })),
      text('bot', names('bot')),
      text('opponent', names('opponent')),
      text(
        'how it ended',
        select('reason', [
          ['', 'any'],
          ...reasons.filter((_, number) => used.has(number)).map(({ name }) => /** @type {[string, string]} */ ([name, name])),
        ]),
      ),
      element('label', { class: 'range' }, element('span', {}, 'plies, from'), number('min')),
      element('label', { class: 'range' }, element('span', {}, 'to'), number('max')),
      has(this.index.swapped) && text('swapped', yesNo('swapped')),
      has(this.index.disturbed) && text('disturbed', yesNo('disturbed')),
      element('button', { type: 'button', class: 'clear', click: () => this.setFilter({}) }, 'clear'),
    );
    const two = this.data.seats === 2;
    const [board] = this.data.boards;
    const sides = board?.seats.map((side) => board.sides[side]) ?? ['first', 'second'];
    this.body = element('tbody');
    this.table = element(
      'table',
      { class: 'games' },
      element(
        'thead',
        {},
        element(
          'tr',
          {},
          element('th', { scope: 'col', class: 'num' }, 'game'),
          ...(two ? sides : ['players']).map((head) => element('th', { scope: 'col' }, head)),
          element('th', { scope: 'col', class: 'minor' }, 'winner'),
          element('th', { scope: 'col' }, 'how it ended'),
          element('th', { scope: 'col', class: 'num' }, 'plies'),
        ),
      ),
      this.body,
    );
    this.count = element('span', { role: 'status' });
    this.pager = element('div', { class: 'pager' });
    container.replaceChildren(
      this.form,
      element('div', { class: 'count' }, this.count, this.pager),
      element('div', { class: 'scroll' }, this.table),
    );
  }

  #changed() {
    for (const name of Object.keys(NO_FILTER)) this.filter[name] = this.form.elements.namedItem(name)?.value ?? '';
    this.page = 0;
    cancelAnimationFrame(this.pending);
    this.pending = requestAnimationFrame(() => {
      this.draw();
      this.onFilter?.(this.filter);
    });
  }

  /**
   * Filters anew.
   * @param {Partial<Filter>} filter what is not in it is open
   */
  setFilter(filter) {
    this.filter = { ...NO_FILTER, ...filter };
    for (const [name, value] of Object.entries(this.filter)) {
      const field = this.form.elements.namedItem(name);
      if (field) field.value = value;
    }
    this.page = 0;
    this.draw();
    this.onFilter?.(this.filter);
  }

  draw() {
    this.rows = filterGames(this.index, this.data.bots, this.data.reasons, this.filter);
    const total = this.index.number.length;
    const from = this.page * PAGE_ROWS;
    const shown = this.rows.slice(from, from + PAGE_ROWS);
    this.body.replaceChildren(...shown.map((row) => this.#row(row)));
    if (shown.length === 0)
      this.body.append(
        element('tr', {}, element('td', { colspan: 6, class: 'none' }, total ? 'no game fits this filter' : 'no games yet')),
      );
    const all = counted(total, 'game');
    this.count.textContent = this.rows.length === total ? all : `${this.rows.length.toLocaleString('en')} of ${all}`;
    this.#drawPager();
  }

  #drawPager() {
    const pages = Math.ceil(this.rows.length / PAGE_ROWS);
    const turn = (/** @type {number} */ page) => () => {
      this.page = page;
      this.draw();
      this.pager.querySelector('button:enabled')?.focus({ preventScroll: true });
    };
    const button = (/** @type {string} */ label, /** @type {string} */ sign, /** @type {number} */ page) =>
      element(
        'button',
        { type: 'button', 'aria-label': label, disabled: page < 0 || page >= pages || page === this.page, click: turn(page) },
        sign,
      );
    this.pager.replaceChildren(
      ...(pages < 2
        ? []
        : [
            button('first page', '«', 0),
            button('previous page', '‹', this.page - 1),
            element('span', {}, `page ${this.page + 1} of ${pages}`),
            button('next page', '›', this.page + 1),
            button('last page', '»', pages - 1),
          ]),
    );
  }

  /** @param {number} row */
  #row(row) {
    const { index, data } = this;
    const [number, players, winner, reason] = [index.number[row], index.bots[row], index.winner[row], data.reasons[index.reason[row]]];
    const link = (/** @type {number} */ bot) =>
      element('a', { href: `#bot=${encodeURIComponent(data.bots[bot])}` }, nameElement(data.bots[bot]));
    const names = players.map((bot, seat) => (seat === winner ? element('b', {}, link(bot)) : link(bot)));
    const cells =
      data.seats === 2
        ? names.map((name) => element('td', {}, name))
        : [element('td', { class: 'players' }, ...names.flatMap((name, seat) => (seat ? [' – ', name] : [name])))];
    const notes = [index.swapped[row] ? 'swap' : '', index.disturbed[row] ? 'disturbed' : '']
      .filter(Boolean)
      .map((note) => element('span', { class: 'note' }, note));
    return element(
      'tr',
      {},
      element('td', { class: 'num' }, element('a', { href: `#game=${number}` }, number)),
      ...cells,
      element('td', { class: 'minor' }, winner >= 0 ? element('b', {}, nameElement(data.bots[players[winner]])) : '–'),
      element(
        'td',
        { class: reason?.fault ? 'fault' : null },
        element('a', { href: `#game=${number}`, title: reason?.words }, reason?.name ?? ''),
        ...notes.flatMap((note) => [' ', note]),
      ),
      element('td', { class: 'num' }, index.plies[row]),
    );
  }
}
