/**
 * A game to look at: board, players with their clocks, buttons, slider, list of moves, verdict.
 */

/** Plies a second when a game plays by itself. */
const SPEEDS = [0.5, 1, 2, 4, 8, 16, 32];

/** The player of a game. */
class Replay {
  /**
   * @param {HTMLElement} container
   * @param {{onPly?: (ply: number) => void, lead?: () => Node[], extras?: (game: GameData) => Node[], seatExtras?: (game: GameData, seat: number) => Node[],
   *          nameLink?: (bot: number) => string}} [options]
   */
  constructor(container, options = {}) {
    this.options = options;
    this.ply = 0;
    this.speed = 1;
    this.timer = 0;
    /** @type {GameData|null} */
    this.game = null;
    /** @type {Board|null} */
    this.board = null;
    this.coordinates = true;
    this.#build(container);
    this.#listenToTouch();
  }

  /** @param {HTMLElement} container */
  #build(container) {
    const button = (/** @type {string} */ label, /** @type {Node|string} */ sign, /** @type {() => void} */ act) =>
      element('button', { type: 'button', 'aria-label': label, title: label, click: act }, sign);
    this.head = element('div', { class: 'head' });
    this.seats = element('ul', { class: 'seats', 'aria-label': 'players' });
    this.stage = element('div', { class: 'stage' });
    this.slider = element('input', {
      type: 'range',
      min: 0,
      max: 0,
      value: 0,
      'aria-label': 'ply',
      input: () => this.go(Number(this.slider.value)),
    });
    this.playButton = button('play (space)', icon('play'), () => this.toggle());
    this.speedButton = button('speed: 1/s (, slower, . faster)', '1/s', () => this.changeSpeed(1, true));
    this.bar = element(
      'div',
      { class: 'bar', role: 'group', 'aria-label': 'go through the game' },
      button('first (Home)', icon('first'), () => this.go(0)),
      button('back (←)', icon('back'), () => this.go(this.ply - 1)),
      this.playButton,
      button('forward (→)', icon('forward'), () => this.go(this.ply + 1)),
      button('last (End)', icon('last'), () => this.go(this.last)),
      this.speedButton,
      this.slider,
    );
    this.caption = element('p', { class: 'say', 'aria-live': 'polite' });
    this.verdict = element('p', { class: 'verdict' });
    this.notes = element('div', { class: 'notes' });
    this.moves = element('ol', { class: 'moves', 'aria-label': 'moves', tabindex: 0 });
    this.extras = element('p', { class: 'extras' });
    this.rest = element('div', { class: 'rest' }, this.verdict, this.extras, this.moves, this.notes);
    container.replaceChildren(this.head, this.seats, this.stage, this.bar, this.caption, this.rest);
  }

  /** The last ply. */
  get last() {
    return this.game?.plies.length ?? 0;
  }

  /**
   * Shows a game, after its last ply.
   * @param {GameData} game
   * @param {string[]} names of all bots
   * @param {BoardData} boardData
   */
  load(game, names, boardData) {
    this.pause();
    this.game = game;
    this.names = game.bots.map((bot) => names[bot] ?? '?');
    this.course = new Course(game, boardData);
    if (this.board?.data !== boardData) {
      this.board?.remove();
      this.board = new Board(boardData, this.stage, { coordinates: this.coordinates, titles: true });
    } else {
      this.board.reset();
    }
    this.#prepare(this.board, game.plies);
    this.ply = 0;
    this.slider.max = String(this.last);
    this.#fillSeats(game, boardData);
    this.#fillMoves(game);
    this.#fillNotes(game, boardData);
    this.head.replaceChildren(...(this.options.lead?.() ?? []));
    this.verdict.replaceChildren(element('strong', {}, game.result), ` (${game.reason}): ${game.sentence}`);
    this.verdict.classList.toggle('fault', game.losses.length > 0);
    this.extras.replaceChildren(...(this.options.extras?.(game) ?? []));
    this.go(this.last);
  }

  /**
   * What each ply takes away from the board, so that going back costs no more than going on, and what becomes of the stones of others.
   * @param {Board} board
   * @param {PlyData[]} plies
   */
  #prepare(board, plies) {
    const stones = board.stones.slice();
    /** @type {number[][]} */
    this.changed = [[]];
    this.counts = [{ turned: 0, taken: 0 }];
    this.undo = plies.map((ply, index) => {
      this.changed?.push(changedCells(stones, ply.set));
      this.counts?.push(countChanges(stones, ply.set, this.course?.sides[index][ply.seat] ?? -1));
      return ply.set.map(([cell, side]) => {
        const before = stones[cell];
        stones[cell] = side ?? -1;
        return [cell, before];
      });
    });
  }

  /**
   * Goes to the position after so many plies.
   * @param {number} ply
   */
  go(ply) {
    const { game, board, undo } = this;
    if (!game || !board || !undo) return;
    const target = Math.max(0, Math.min(this.last, Math.round(ply) || 0));
    const touched = new Set();
    for (; this.ply < target; this.ply++) {
      for (const [cell, side] of game.plies[this.ply].set) {
        board.stones[cell] = side ?? -1;
        touched.add(cell);
      }
    }
    while (this.ply > target) {
      this.ply--;
      for (const [cell, side] of undo[this.ply]) {
        board.stones[cell] = side;
        touched.add(cell);
      }
    }
    for (const cell of touched) board.setCell(cell, board.stones[cell] < 0 ? null : board.stones[cell]);
    board.mark('last', target > 0 ? game.plies[target - 1].last : []);
    board.mark('changed', this.changed?.[target] ?? []);
    board.mark('win', target === this.last ? game.winning : []);
    const refused = game.refused?.cell;
    board.mark('refused', target === this.last && refused != null ? [refused] : []);
    this.#tell(target);
    if (target === this.last) this.pause();
    this.options.onPly?.(target);
  }

  /** @param {number} ply */
  #tell(ply) {
    const text = this.captionAt(ply);
    this.caption.textContent = text;
    this.board?.describe(`board, ${text}`);
    this.slider.value = String(ply);
    this.slider.setAttribute('aria-valuetext', text);
    this.verdict.classList.toggle('now', ply === this.last);
    this.#tellSeats(ply);
    this.moveItems?.[this.current ?? -1]?.removeAttribute('aria-current');
    this.current = ply - 1;
    const item = this.moveItems?.[this.current];
    if (item) {
      item.setAttribute('aria-current', 'step');
      const [top, height] = [item.offsetTop - this.moves.offsetTop, this.moves.clientHeight];
      if (top < this.moves.scrollTop || top + item.offsetHeight > this.moves.scrollTop + height) this.moves.scrollTop = top - height / 2;
    } else {
      this.moves.scrollTop = 0;
    }
  }

  /**
   * What happened with this ply, in a sentence.
   * @param {number} ply
   */
  captionAt(ply) {
    const { game, course, board, names } = this;
    if (!game || !course || !board || !names) return '';
    const warnings = game.warnings
      .filter((warning) => warning.ply === ply)
      .map((warning) => `; warning: ${names[warning.seat]}: ${warning.text}`)
      .join('');
    if (ply === 0) return `${this.last ? `before the first of ${counted(this.last, 'ply', 'plies')}` : 'nothing was played'}${warnings}`;
    const { seat, text, swap, ms, cpu_ms } = game.plies[ply - 1];
    const side = (/** @type {number} */ at, /** @type {number} */ who) => board.data.sides[course.sides[at][who]] ?? '';
    const who = `ply ${ply} of ${this.last}: ${names[seat]}`;
    if (text === null) return `${who} (${side(ply - 1, seat)}) had to leave the game${warnings}`;
    const time = ms > 0 ? ` in ${durationText(ms)}${cpu_ms === null ? '' : ` (CPU ${durationText(cpu_ms)})`}` : '';
    const others = names
      .map((name, other) => (other === seat ? null : `${name} now plays ${side(ply, other)}`))
      .filter(Boolean)
      .join(', ');
    if (swap) return `${who} swapped${time}: it takes over ${side(ply, seat)}, and ${others}${warnings}`;
    const { turned, taken } = this.counts?.[ply] ?? { turned: 0, taken: 0 };
    const changes = [
      turned ? `; ${counted(turned, 'stone')} changed sides` : '',
      taken ? `; ${counted(taken, 'stone')} ${taken === 1 ? 'was' : 'were'} taken` : '',
    ].join('');
    return `${who} (${side(ply - 1, seat)}) played ${text}${time}${changes}${warnings}`;
  }

  /**
   * @param {GameData} game
   * @param {BoardData} board
   */
  #fillSeats(game, board) {
    this.seatItems = game.bots.map((bot, seat) => {
      const name = this.options.nameLink
        ? element('a', { href: this.options.nameLink(bot) }, nameElement(this.names?.[seat] ?? ''))
        : nameElement(this.names?.[seat] ?? '');
      const item = {
        dot: element('span', { class: 'dot', 'aria-hidden': 'true' }),
        side: element('span', { class: 'side' }),
        clock: element('span', { class: 'clock' }),
        cpu: element('span', { class: 'cpu' }),
        row: element('li', {}),
      };
      const won = game.winner === seat ? element('span', { class: 'won' }, 'won') : null;
      item.row.append(
        item.dot,
        element('span', { class: 'who' }, name, ' ', item.side),
        ...[won].filter((one) => one !== null),
        item.clock,
        item.cpu,
        ...(this.options.seatExtras?.(game, seat) ?? []),
      );
      return item;
    });
    this.seats.replaceChildren(...this.seatItems.map((item) => item.row));
    this.seats.classList.toggle('many', game.bots.length > 3);
  }

  /** @param {number} ply */
  #tellSeats(ply) {
    const { game, course, board } = this;
    if (!game || !course || !board) return;
    const turn = game.plies[ply]?.seat ?? game.refused?.seat ?? -1;
    this.seatItems?.forEach((item, seat) => {
      const side = course.sides[ply][seat];
      item.dot.className = `dot s${side}`;
      item.dot.textContent = board.data.letters[side] ?? '';
      item.side.textContent = board.data.sides[side] ?? '';
      item.clock.textContent = clockText(course.clockAt(ply, seat));
      item.clock.title = course.clock ? `${course.clock.kind === 'cpu' ? 'CPU time' : 'time'} left` : 'time used';
      const cpu = course.cpuAt(ply, seat);
      item.cpu.textContent = cpu > 0 ? `CPU ${durationText(cpu)}` : '';
      item.row.classList.toggle('turn', seat === turn);
    });
  }

  /** @param {GameData} game */
  #fillMoves(game) {
    const seats = game.bots.length;
    this.moves.classList.toggle('pairs', seats === 2);
    this.moveItems = game.plies.map((ply, index) => {
      const text = ply.text === null ? 'leaves' : ply.swap ? 'swap' : ply.text;
      const side = this.course?.sides[index + 1][ply.seat] ?? 0;
      return element(
        'li',
        { 'data-ply': index + 1, class: `m${side}` },
        element('span', { class: 'no' }, index + 1),
        ' ',
        element('b', {}, text),
        ' ',
        element('small', {}, ply.ms >= 1 ? durationText(ply.ms) : ''),
      );
    });
    const ends = game.refused
      ? [
          element(
            'li',
            { class: 'bad' },
            element('span', { class: 'no' }, game.refused.ply),
            ' ',
            element('b', {}, `${game.refused.text} ✗`),
          ),
        ]
      : [];
    this.moves.replaceChildren(...this.moveItems, ...ends);
    this.moves.onclick = (/** @type {Event} */ event) => {
      const item = /** @type {Element} */ (event.target).closest('[data-ply]');
      if (item instanceof HTMLElement) this.go(Number(item.dataset.ply));
    };
  }

  /**
   * @param {GameData} game
   * @param {BoardData} board
   */
  #fillNotes(game, board) {
    const name = (/** @type {number} */ seat) => this.names?.[seat] ?? '';
    const parts = [];
    // In a game of two the verdict says it.
    if (game.bots.length > 2)
      parts.push(
        ...game.losses.map(({ seat, ply, text }) =>
          element('p', { class: 'fault' }, nameElement(name(seat)), ` left${ply ? ` on ply ${ply}` : ''}: it ${text}`),
        ),
      );
    parts.push(
      ...game.warnings.map(({ ply, seat, text }) =>
        element('p', { class: 'warning' }, `ply ${ply}: `, nameElement(name(seat)), `: ${text}`),
      ),
    );
    game.seats.forEach((seat, index) => {
      const facts = [
        seat.startup_ms === null ? '' : `started in ${durationText(seat.startup_ms)}`,
        seat.cpu_ms === null ? '' : `CPU ${durationText(seat.cpu_ms)}`,
        // It was not measured of a program that ended at once.
        !seat.peak ? '' : `memory ${(seat.peak / 2 ** 20).toFixed(0)} MiB`,
      ].filter(Boolean);
      if (facts.length) parts.push(element('p', { class: 'facts' }, nameElement(name(index)), `: ${facts.join(', ')}`));
      if (seat.stderr)
        parts.push(
          element(
            'details',
            { class: 'stderr', open: true },
            element('summary', {}, 'stderr of ', nameElement(name(index))),
            element('pre', { tabindex: 0 }, seat.stderr),
          ),
        );
    });
    const told = [
      game.opening ? `opening ${game.opening}` : '',
      game.started ? `began ${game.started.slice(0, 19).replace('T', ' ')} UTC` : '',
      game.disturbed ? 'disturbed: does not count' : '',
    ].filter(Boolean);
    if (told.length) parts.push(element('p', { class: 'facts' }, told.join(' · ')));
    parts.push(element('p', { class: 'facts' }, `${board.name}: ${board.legend}`));
    this.notes.replaceChildren(...parts);
  }

  /** @param {boolean} on */
  setCoordinates(on) {
    this.coordinates = on;
    this.board?.setCoordinates(on);
  }

  get isPlaying() {
    return this.timer !== 0;
  }

  /** Plays by itself, from the beginning if it is at its end. */
  play() {
    if (this.last === 0) return;
    if (this.ply === this.last) this.go(0);
    this.pause();
    this.timer = setInterval(() => this.go(this.ply + 1), 1000 / SPEEDS[this.speed]);
    this.#showPlaying();
  }

  pause() {
    clearInterval(this.timer);
    this.timer = 0;
    this.#showPlaying();
  }

  toggle() {
    if (this.isPlaying) this.pause();
    else this.play();
  }

  #showPlaying() {
    const does = this.isPlaying ? 'pause' : 'play';
    this.playButton.replaceChildren(icon(does));
    this.playButton.setAttribute('aria-label', `${does} (space)`);
    // A reader that is told every move of a game that plays by itself falls behind.
    this.caption.setAttribute('aria-live', this.isPlaying ? 'off' : 'polite');
  }

  /**
   * @param {number} by steps faster
   * @param {boolean} [around] whether the slowest follows the fastest
   */
  changeSpeed(by, around = false) {
    const speed = this.speed + by;
    this.speed = around ? speed % SPEEDS.length : Math.max(0, Math.min(SPEEDS.length - 1, speed));
    this.speedButton.textContent = `${SPEEDS[this.speed]}/s`;
    this.speedButton.setAttribute('aria-label', `speed: ${SPEEDS[this.speed]}/s (, slower, . faster)`);
    if (this.isPlaying) this.play();
  }

  /** A finger that goes to the left leads on, to the right back. */
  #listenToTouch() {
    let from = /** @type {null|{x: number, y: number}} */ (null);
    this.stage.addEventListener(
      'touchstart',
      (/** @type {TouchEvent} */ event) => {
        from = event.touches.length === 1 ? { x: event.touches[0].clientX, y: event.touches[0].clientY } : null;
      },
      { passive: true },
    );
    this.stage.addEventListener('touchend', (/** @type {TouchEvent} */ event) => {
      if (!from) return;
      const { clientX, clientY } = event.changedTouches[0];
      const [dx, dy] = [clientX - from.x, clientY - from.y];
      if (Math.abs(dx) > 40 && Math.abs(dx) > 2 * Math.abs(dy)) this.go(this.ply - Math.sign(dx));
      from = null;
    });
  }

  /**
   * What a key does.
   * @param {string} key
   * @returns {boolean} whether it does anything
   */
  key(key) {
    /** @type {Object<string, () => void>} */
    const acts = {
      ArrowLeft: () => {
        this.pause();
        this.go(this.ply - 1);
      },
      ArrowRight: () => {
        this.pause();
        this.go(this.ply + 1);
      },
      PageUp: () => this.go(this.ply - 10),
      PageDown: () => this.go(this.ply + 10),
      Home: () => this.go(0),
      End: () => this.go(this.last),
      ' ': () => this.toggle(),
      ',': () => this.changeSpeed(-1),
      '.': () => this.changeSpeed(1),
    };
    if (!acts[key]) return false;
    acts[key]();
    return true;
  }
}
