/**
 * A game that people play in the browser. What can be played is told by the server: here one only points at it.
 *
 * @typedef {{text: string, spots: number[], word: string|null}} Choice
 * @typedef {{board: BoardData, plies: PlyData[], turn: number, seat_names: string[], you: number[], choices: Choice[], clock: ClockTerms|null,
 *            used_ms: number[], turn_ms: number, hint: Choice|null, message: string|null, can_undo: boolean, can_hint: boolean,
 *            over: null|{result: string, sentence: string, winning: number[]}}} PlayState
 */

/** How long a second click confirms the first. */
const CONFIRM_MS = 4000;

/**
 * The choices that begin with these cells.
 * @param {Choice[]} choices
 * @param {number[]} picked
 */
const choicesFrom = (choices, picked) => choices.filter(({ spots }) => spots.length > 0 && picked.every((cell, at) => spots[at] === cell));

/**
 * The cell next to this one in a direction; the cell itself if there is none.
 * @param {number[][]} places
 * @param {number} from
 * @param {number[]} direction
 */
function nextCell(places, from, [right, down]) {
  const [x, y] = places[from];
  let [best, least] = [from, Infinity];
  places.forEach(([toX, toY], cell) => {
    const [along, across] = [(toX - x) * right + (toY - y) * down, Math.abs((toX - x) * down - (toY - y) * right)];
    const cost = along + 2 * across;
    if (along > 0.1 && across <= 1.8 * along && cost < least) [best, least] = [cell, cost];
  });
  return best;
}

/** The page on which people play. */
class Play {
  /**
   * @param {string} token what shows that this page may move
   */
  constructor(token) {
    this.token = token;
    this.stage = element('div', { class: 'stage' });
    this.seats = element('ul', { class: 'seats', 'aria-label': 'players' });
    this.say = element('p', { class: 'say', 'aria-live': 'polite' });
    this.verdict = element('p', { class: 'verdict', role: 'status', hidden: true });
    this.words = element('div', { class: 'words' });
    const act = (/** @type {string} */ label, /** @type {string} */ path, /** @type {string} */ title) =>
      element('button', { type: 'button', title, click: () => this.post(path) }, label);
    this.undo = act('undo', '/undo', 'take your last move back');
    this.hint = act('hint', '/hint', 'what the reference player would do');
    this.resign = element('button', { type: 'button', click: () => this.#confirmResign() }, 'resign');
    this.anew = act('new game', '/new', 'a new game, with sides exchanged');
    this.coordinates = element(
      'label',
      {},
      element('input', {
        type: 'checkbox',
        checked: true,
        change: (/** @type {any} */ event) => this.board?.setCoordinates(event.target.checked),
      }),
      ' coordinates',
    );
    this.legend = element('p', { class: 'legend' });
    this.moves = element('ol', { class: 'moves pairs', tabindex: 0, 'aria-label': 'moves' });
    const buttons = element('div', { class: 'bar', role: 'group', 'aria-label': 'game' }, this.undo, this.hint, this.resign, this.anew);
    const place = /** @type {HTMLElement} */ (document.querySelector('main'));
    place.classList.add('replay', 'play');
    this.head = element('div', { class: 'head' }, element('h1', {}, document.title));
    place.replaceChildren(
      this.head,
      this.seats,
      this.stage,
      buttons,
      this.say,
      element('div', { class: 'rest' }, this.verdict, this.words, this.moves, this.legend, this.coordinates),
    );
    /** @type {Board|null} */
    this.board = null;
    /** @type {PlayState|null} */
    this.state = null;
    /** @type {number[]} */
    this.picked = [];
    this.focused = 0;
    this.stage.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => this.#key(event));
    setInterval(() => this.#tick(), 100);
    this.#listen();
  }

  #listen() {
    const events = new EventSource(`/events?token=${encodeURIComponent(this.token)}`);
    events.addEventListener('state', (event) => this.show(JSON.parse(event.data)));
    events.addEventListener('error', () => {
      const isRefused = events.readyState === EventSource.CLOSED;
      this.say.textContent = isRefused
        ? 'This link is not complete, or not that of the game that runs now: open the one that arbitro play printed.'
        : 'The connection is lost. Trying again…';
    });
  }

  /**
   * Asks the server to do something.
   * @param {string} path
   * @param {object} [body]
   */
  async post(path, body = {}) {
    try {
      const answer = await fetch(path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Arbitro-Token': this.token },
        body: JSON.stringify(body),
      });
      if (!answer.ok) this.say.textContent = (await answer.json()).error;
    } catch {
      this.say.textContent = 'The server does not answer: has arbitro play ended?';
    }
  }

  #confirmResign() {
    if (this.resign.dataset.sure) {
      this.#unsure();
      this.post('/resign');
      return;
    }
    this.resign.dataset.sure = 'yes';
    this.resign.textContent = 'really?';
    this.unsureTimer = setTimeout(() => this.#unsure(), CONFIRM_MS);
  }

  #unsure() {
    clearTimeout(this.unsureTimer);
    delete this.resign.dataset.sure;
    this.resign.textContent = 'resign';
  }

  /** @param {PlayState} state */
  show(state) {
    const before = this.state;
    this.state = state;
    this.picked = [];
    if (!this.board || this.board.data.svg !== state.board.svg) this.#newBoard(state.board);
    const board = /** @type {Board} */ (this.board);
    board.data = state.board;
    const stones = new Int8Array(board.stones.length).fill(-1);
    /** @type {number[]} */
    let changed = [];
    for (const { set } of [state.board, ...state.plies]) {
      changed = changedCells(stones, set);
      for (const [cell, side] of set) stones[cell] = side ?? -1;
    }
    board.show(
      [...stones].map((side) => (side < 0 ? null : side)),
      state.plies.at(-1)?.last ?? [],
      state.over?.winning ?? [],
    );
    board.mark('changed', changed);
    this.sides = state.plies.reduce((sides, ply) => (ply.swap ? [...sides].reverse() : sides), state.board.seats);
    this.turnBegan = performance.now() - state.turn_ms;
    this.#drawMarks();
    this.#drawPanel(state, before);
  }

  /** @param {BoardData} data */
  #newBoard(data) {
    this.board?.remove();
    this.board = new Board(data, this.stage, { label: `board, ${data.name}`, titles: true });
    this.board.svg.setAttribute('role', 'group');
    this.board.spots.forEach((spot) => {
      if (!spot.classList.contains('wall')) spot.setAttribute('role', 'button');
    });
    this.board.onCell((cell) => this.point(cell));
    this.focused = Math.min(this.focused, this.board.spots.length - 1);
    this.legend.textContent = data.legend;
  }

  get isYourTurn() {
    return this.state !== null && !this.state.over && this.state.you.includes(this.state.turn);
  }

  /** Shows what can be pointed at now. */
  #drawMarks() {
    const { board, state, picked } = this;
    if (!board || !state) return;
    const open = this.isYourTurn ? choicesFrom(state.choices, picked) : [];
    const next = new Set(open.map(({ spots }) => spots[picked.length]).filter((cell) => cell !== undefined));
    board.mark('can', picked.length ? [] : [...next]);
    board.mark('to', picked.length ? [...next] : []);
    board.mark('from', picked);
    board.mark('hint', state.hint?.spots ?? []);
    board.spots.forEach((spot, cell) => {
      if (!spot.hasAttribute('role')) return;
      const side = board.stones[cell];
      const can = next.has(cell) || picked.includes(cell);
      spot.setAttribute('aria-label', `${board.data.names[cell]}, ${side < 0 ? 'empty' : board.data.sides[side]}`);
      spot.setAttribute('aria-disabled', String(!can));
      spot.setAttribute('tabindex', cell === this.focused ? '0' : '-1');
    });
  }

  /**
   * Somebody points at a cell.
   * @param {number} cell
   */
  point(cell) {
    if (!this.state || !this.isYourTurn) return;
    this.#focus(cell, false);
    const picked = [...this.picked, cell];
    const open = choicesFrom(this.state.choices, picked);
    const whole = open.find(({ spots }) => spots.length === picked.length);
    // A cell that ends one move and goes on in others is played when it is pointed at again.
    const again = choicesFrom(this.state.choices, this.picked).find(
      ({ spots }) => this.picked.at(-1) === cell && spots.length === this.picked.length,
    );
    if (again) this.#play(again);
    else if (whole && open.length === 1) this.#play(whole);
    else if (open.length > 0) this.#pick(picked);
    else if (this.picked.length > 0) {
      const [first] = this.picked;
      this.#pick([]);
      if (choicesFrom(this.state.choices, [cell]).length > 0 && first !== cell) this.point(cell);
    } else if (this.board) this.say.textContent = `${this.board.data.names[cell]} cannot be played`;
  }

  /** @param {number[]} picked */
  #pick(picked) {
    this.picked = picked;
    this.#drawMarks();
    if (!this.board || !this.state) return;
    this.say.textContent = picked.length
      ? `from ${picked.map((cell) => this.board?.data.names[cell]).join(', ')}: choose where to (Esc: another)`
      : this.#caption(this.state);
  }

  /** @param {Choice} choice */
  #play(choice) {
    this.picked = [];
    this.post('/move', { text: choice.text });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    /** @type {Object<string, number[]>} */
    const directions = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
    const { board } = this;
    if (!board) return;
    const angle = board.svg.classList.contains('turned') ? -TURN : 0;
    if (directions[event.key]) {
      const [x, y] = directions[event.key];
      this.#focus(
        nextCell(board.places, this.focused, [x * Math.cos(angle) - y * Math.sin(angle), x * Math.sin(angle) + y * Math.cos(angle)]),
        true,
      );
    } else if (event.key === 'Enter' || event.key === ' ') this.point(this.focused);
    else if (event.key === 'Escape') this.#pick([]);
    else return;
    event.preventDefault();
  }

  /**
   * @param {number} cell
   * @param {boolean} visibly
   */
  #focus(cell, visibly) {
    const { board } = this;
    if (!board) return;
    board.spots[this.focused].setAttribute('tabindex', '-1');
    this.focused = cell;
    board.spots[cell].setAttribute('tabindex', '0');
    if (visibly) board.spots[cell].focus();
  }

  /**
   * @param {PlayState} state
   * @param {PlayState|null} before
   */
  #drawPanel(state, before) {
    const { board } = this;
    if (!board) return;
    this.items = state.seat_names.map((name, seat) => {
      const side = this.sides?.[seat] ?? 0;
      const clock = element('span');
      const row = element(
        'li',
        { class: seat === state.turn && !state.over ? 'turn' : null },
        element('span', { class: `dot s${side}`, 'aria-hidden': 'true' }, board.data.letters[side] ?? ''),
        element(
          'span',
          { class: 'who' },
          nameElement(name),
          ' ',
          element('span', { class: 'side' }, board.data.sides[side] ?? '', state.you.includes(seat) ? ' (you)' : ''),
        ),
        element('span', { class: 'clock' }, clock, ' ', element('small', {}, this.#hasLimit(state, seat) ? 'left' : 'used')),
      );
      return { row, clock };
    });
    this.seats.replaceChildren(...this.items.map((item) => item.row));
    this.seats.classList.toggle('many', state.seat_names.length > 3);
    const words = this.isYourTurn ? state.choices.filter(({ word }) => word !== null) : [];
    this.words.replaceChildren(
      ...words.map((choice) => element('button', { type: 'button', class: 'word', click: () => this.#play(choice) }, choice.word)),
    );
    this.undo.disabled = !state.can_undo;
    this.hint.disabled = !state.can_hint;
    this.resign.disabled = state.over !== null || state.you.length === 0;
    this.#unsure();
    this.verdict.hidden = state.over === null;
    if (state.over) this.verdict.replaceChildren(element('strong', {}, state.over.result), `: ${state.over.sentence}`);
    const isNew = state.plies.length !== before?.plies.length || (state.over === null) !== (before?.over === null);
    if (isNew || state.message) this.say.textContent = state.message ?? this.#caption(state);
    this.#drawMoves(state);
    this.#tick();
  }

  /** @param {PlayState} state */
  #caption(state) {
    const last = state.plies.at(-1);
    const told = last
      ? `${state.seat_names[last.seat]} ${last.swap ? 'swapped' : last.text === null ? 'left the game' : `played ${last.text}`}. `
      : '';
    if (state.over) return told;
    return `${told}${this.isYourTurn ? (state.you.length > 1 ? `${state.seat_names[state.turn]} to move.` : 'It is your turn.') : `${state.seat_names[state.turn]} is thinking…`}`;
  }

  /** @param {PlayState} state */
  #drawMoves(state) {
    const shown = this.moves.children.length;
    if (shown > state.plies.length) this.moves.replaceChildren();
    this.moves.classList.toggle('pairs', state.seat_names.length === 2);
    for (const [index, ply] of state.plies.entries()) {
      if (index < this.moves.children.length) continue;
      this.moves.append(
        element(
          'li',
          {},
          element('span', { class: 'no' }, index + 1),
          ' ',
          element('b', {}, ply.text === null ? 'leaves' : ply.swap ? 'swap' : ply.text),
          ' ',
          element('small', {}, ply.ms >= 1 ? durationText(ply.ms) : ''),
        ),
      );
    }
    this.moves.scrollTop = this.moves.scrollHeight;
  }

  /**
   * People have no limit: their clock tells what they have used, that of a bot what it has left.
   * @param {PlayState} state
   * @param {number} seat
   */
  #hasLimit(state, seat) {
    return state.clock !== null && !state.you.includes(seat);
  }

  #tick() {
    const { state, items } = this;
    if (!state || !items) return;
    items.forEach(({ clock }, seat) => {
      const goesOn = seat === state.turn && !state.over;
      const used = (state.used_ms[seat] ?? 0) + (goesOn ? performance.now() - (this.turnBegan ?? 0) : 0);
      const moves = state.plies.filter((ply) => ply.seat === seat).length;
      const text = clockText(
        this.#hasLimit(state, seat) ? Math.max(0, state.clock.base_ms + state.clock.increment_ms * moves - used) : used,
      );
      if (clock.textContent !== text) clock.textContent = text;
    });
  }
}
