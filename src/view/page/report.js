/**
 * The report: which part of it is in sight follows the address, so that every game, ply and bot has a link.
 */

/**
 * The parts of the address after #: `game=17&ply=23`, `bot=ana`, `games&reason=timeout`.
 * @param {string} hash
 * @returns {Map<string, string>}
 */
function parseHash(hash) {
  const parts = hash
    .replace(/^#/, '')
    .split('&')
    .filter(Boolean)
    .map((part) => {
      const [name, ...value] = part.split('=');
      try {
        return /** @type {[string, string]} */ ([name, decodeURIComponent(value.join('='))]);
      } catch {
        return /** @type {[string, string]} */ ([name, '']);
      }
    });
  return new Map(parts);
}

/**
 * The address of a part of the report.
 * @param {Object<string, string|number>} parts
 */
function hashOf(parts) {
  const pairs = Object.entries(parts).filter(([, value], at) => at === 0 || value !== '');
  return `#${pairs.map(([name, value]) => (value === '' ? name : `${name}=${encodeURIComponent(value)}`)).join('&')}`;
}

/** The keys, for the dialog that lists them. */
const KEYS = [
  ['← →', 'one ply back, one ply on'],
  ['PgUp PgDn', 'ten plies back, ten on'],
  ['Home End', 'first and last ply'],
  ['space', 'play and pause'],
  [', .', 'slower, faster'],
  ['n p', 'next and previous game of the list'],
  ['l', 'next game that the loser lost'],
  ['c', 'coordinates on and off'],
  ['f', 'search games'],
  ['Esc', 'back to the tables'],
  ['?', 'these keys'],
];

/** The dialog that lists the keys. */
function helpDialog() {
  const rows = KEYS.map(([keys, does]) =>
    element('div', {}, element('dt', {}, ...keys.split(' ').flatMap((key) => [element('kbd', {}, key), ' '])), element('dd', {}, does)),
  );
  const dialog = element(
    'dialog',
    { class: 'help', 'aria-labelledby': 'keys' },
    element('h2', { id: 'keys' }, 'Keys'),
    element('dl', {}, ...rows),
    element('button', { type: 'button', click: () => dialog.close() }, 'close'),
  );
  document.body.append(dialog);
  return dialog;
}

/**
 * A game for other programs: links to their pages, and files.
 * @param {GameData} game
 */
function exportLinks(game) {
  return (DATA.exports?.[game.board] ?? []).map((/** @type {any} */ format) => {
    const { label, kind } = format;
    if (kind === 'link')
      return element('a', { href: exportGame(game, format, DATA.bots), rel: 'noreferrer noopener', target: '_blank' }, label);
    return element(
      'button',
      {
        type: 'button',
        class: 'link',
        click: () => download(format.file.replace('{number}', game.number), exportGame(game, format, DATA.bots)),
      },
      label,
    );
  });
}

/**
 * Saves a text as a file.
 * @param {string} name
 * @param {string} text
 */
function download(name, text) {
  const href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  element('a', { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 1000);
}

/** The report page. */
class Report {
  /**
   * @param {any} data
   * @param {Index} index
   */
  constructor(data, index) {
    this.data = data;
    this.index = index;
    this.rowOf = new Map(index.number.map((number, row) => [number, row]));
    this.row = -1;
    this.asked = 0;
    this.scrolls = new Map();
    this.help = helpDialog();
    this.view = '';
    this.viewKey = '';
    this.urlTimer = 0;
    this.routed = '';
    this.#build();
    addEventListener('hashchange', () => this.route());
    document.addEventListener('keydown', (event) => this.#key(event));
    this.#tips();
    this.route();
  }

  #build() {
    const games = document.getElementById('games');
    if (games && this.index.number.length > 0) {
      const list = element('div', { class: 'list' });
      games.querySelectorAll(':scope > :not(h2)').forEach((part) => part.remove());
      games.append(list);
      this.list = new GamesList(list, this.data, this.index, (filter) => this.#followFilter(filter));
    }
    document.querySelector('header')?.append(
      element(
        'nav',
        { 'aria-label': 'parts of the report' },
        element('a', { href: '#' }, 'tables'),
        element('a', { href: '#games' }, 'games'),
        element(
          'a',
          {
            href: '#',
            click: (/** @type {Event} */ event) => {
              event.preventDefault();
              this.help.showModal();
            },
          },
          'keys',
        ),
      ),
    );
    this.stage = element('section', { id: 'replay', class: 'replay', 'aria-label': 'game' });
    document.querySelector('main')?.before(this.stage);
    this.replay = new Replay(this.stage, {
      onPly: () => this.#followPly(),
      lead: () => this.#lead(),
      extras: (game) => this.#extras(game),
      seatExtras: (game, seat) => this.#seatExtras(game, seat),
      nameLink: (bot) => hashOf({ bot: this.data.bots[bot] }),
    });
  }

  /** Shows what the address asks for. */
  async route() {
    clearTimeout(this.urlTimer);
    this.routed = location.hash;
    this.asked++;
    const parts = parseHash(location.hash);
    if (parts.has('game')) {
      const row = this.rowOf.get(Number(parts.get('game')));
      if (row !== undefined) return this.#showGame(row, parts.has('ply') ? Number(parts.get('ply')) : null);
    }
    this.replay.pause();
    this.row = -1;
    const bot = parts.get('bot');
    if (bot !== undefined && !parts.has('games') && this.data.bots.includes(bot)) {
      this.#setView('bot', location.hash);
      for (const part of document.querySelectorAll('.bot'))
        part.classList.toggle('chosen', part instanceof HTMLElement && this.data.bots[Number(part.dataset.bot)] === bot);
      this.#filterQuietly({ ...Object.fromEntries(parts), bot });
      document.title = `${bot} – ${this.data.title}`;
    } else {
      this.#setView('tables', 'tables');
      document.title = this.data.title;
      const { games, ...filter } = Object.fromEntries(parts);
      this.#filterQuietly(games === undefined ? {} : filter);
      if (games !== undefined) document.getElementById('games')?.scrollIntoView();
      else if (location.hash.length > 1) document.getElementById(location.hash.slice(1))?.scrollIntoView();
    }
  }

  /** @param {Object<string, string>} parts */
  #filterQuietly(parts) {
    const filter = Object.fromEntries(Object.entries(parts).filter(([name]) => name in NO_FILTER));
    this.quiet = true;
    this.list?.setFilter(filter);
    this.quiet = false;
  }

  /**
   * Each part is found again where it was left.
   * @param {string} view
   * @param {string} key
   */
  #setView(view, key) {
    if (this.viewKey === key) return;
    if (this.viewKey) {
      // The part that was left last is the last of them.
      this.scrolls.delete(this.viewKey);
      this.scrolls.set(this.viewKey, scrollY);
    }
    [this.view, this.viewKey] = [view, key];
    document.body.dataset.view = view;
    scrollTo(0, this.scrolls.get(key) ?? 0);
  }

  /**
   * @param {number} row
   * @param {number|null} ply the last if it is not given
   */
  async #showGame(row, ply) {
    this.#setView('game', 'game');
    const asked = this.asked;
    if (this.row !== row) {
      const game = await openGame(row);
      if (asked !== this.asked) return;
      this.row = row;
      this.replay.load(game, this.data.bots, this.data.boards[game.board]);
      document.title = `game ${game.number}: ${game.result} – ${this.data.title}`;
    }
    if (ply !== null) this.replay.go(ply);
  }

  /** The address follows the ply, a moment later: browsers count how often it changes. */
  #followPly() {
    clearTimeout(this.urlTimer);
    this.urlTimer = setTimeout(() => {
      if (this.view === 'game' && this.replay.game) this.#replaceHash(hashOf({ game: this.replay.game.number, ply: this.replay.ply }));
    }, 120);
  }

  /** @param {Filter} filter */
  #followFilter(filter) {
    if (this.quiet) return;
    clearTimeout(this.urlTimer);
    this.urlTimer = setTimeout(() => {
      const { bot, ...others } = filter;
      const isOpen = Object.values(filter).every((value) => value === '');
      if (this.view === 'bot') this.#replaceHash(hashOf({ bot, ...others }));
      if (this.view === 'tables') this.#replaceHash(isOpen ? '#' : hashOf({ games: '', ...filter }));
    }, 200);
  }

  /**
   * An address that was not routed yet was just asked for, and its event is on its way: it must not be lost.
   * @param {string} hash
   */
  #replaceHash(hash) {
    if (location.hash !== this.routed || parseHash(location.hash).has('game') !== hash.startsWith('#game=')) return;
    history.replaceState(null, '', hash);
    this.routed = location.hash;
  }

  #lead() {
    const game = this.replay.game;
    if (!game) return [];
    const step = (/** @type {string} */ label, /** @type {'previous'|'next'} */ sign, /** @type {number} */ by) =>
      element(
        'button',
        { type: 'button', 'aria-label': label, title: label, disabled: this.#neighbour(by) === null, click: () => this.#goTo(by) },
        icon(sign),
      );
    return [
      element(
        'a',
        {
          class: 'back',
          href: '#',
          title: 'back to the tables (Esc)',
          'aria-label': 'back to the tables',
          click: (/** @type {Event} */ event) => {
            event.preventDefault();
            this.#leave();
          },
        },
        icon('close'),
      ),
      element('h2', {}, `Game ${game.number}`),
      element('span', { class: 'round' }, `round ${game.round}`),
      step('previous game (p)', 'previous', -1),
      step('next game (n)', 'next', 1),
      element('button', { type: 'button', 'aria-label': 'keys', title: 'keys (?)', click: () => this.help.showModal() }, '?'),
    ];
  }

  /** @param {GameData} game */
  #extras(game) {
    const coordinates = element(
      'label',
      {},
      element('input', {
        type: 'checkbox',
        checked: this.replay.coordinates,
        change: (/** @type {any} */ event) => this.replay.setCoordinates(event.target.checked),
      }),
      ' coordinates',
    );
    this.coordinatesBox = coordinates.firstChild;
    return [coordinates, ...exportLinks(game)];
  }

  /**
   * @param {GameData} game
   * @param {number} seat
   */
  #seatExtras(game, seat) {
    const next = nextLoss(this.index, this.row, game.bots[seat]);
    if (next === null || game.winner === seat) return [];
    return [
      element('a', { class: 'next', href: `#game=${this.index.number[next]}`, title: 'the next game that this bot lost' }, 'next loss'),
    ];
  }

  /** @param {number} by */
  #neighbour(by) {
    const rows = this.list?.rows.includes(this.row) ? this.list.rows : [...this.index.number.keys()];
    return rows[rows.indexOf(this.row) + by] ?? null;
  }

  /** @param {number} by */
  #goTo(by) {
    const row = this.#neighbour(by);
    if (row !== null) location.hash = hashOf({ game: this.index.number[row] });
  }

  #leave() {
    const before = [...this.scrolls.keys()].pop();
    location.hash = before && before !== 'game' && before !== 'tables' ? before : '';
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.altKey || event.metaKey || this.help.open) return;
    const isField = target.matches('input:not([type=range]):not([type=checkbox]), select, textarea');
    if (isField) return;
    if (event.key === '?') this.help.showModal();
    else if (event.key === 'f') this.#search();
    else if (this.view !== 'game' || (event.key === ' ' && target.matches('button, a, summary, input'))) return;
    else if (event.key === 'n') this.#goTo(1);
    else if (event.key === 'p') this.#goTo(-1);
    else if (event.key === 'c') this.coordinatesBox?.click();
    else if (event.key === 'l') this.stage.querySelector('.next')?.click();
    else if (event.key === 'Escape') this.#leave();
    else if (!this.replay.key(event.key)) return;
    event.preventDefault();
  }

  #search() {
    if (this.view === 'game') location.hash = '#games';
    setTimeout(() => this.list?.form.elements.namedItem('q').focus(), 0);
  }

  /** Links to games say how they ended when they are pointed at or reached by keyboard. */
  #tips() {
    const tip = element('div', { class: 'tip', id: 'tip', role: 'tooltip', hidden: true });
    document.body.append(tip);
    const show = (/** @type {Element|null|undefined} */ link) => {
      const text = link && this.#tipText(link.getAttribute('href') ?? '');
      tip.hidden = !text;
      if (!text) return;
      // The browser's own would cover it.
      link.removeAttribute('title');
      link.setAttribute('aria-describedby', 'tip');
      tip.textContent = text;
      const box = link.getBoundingClientRect();
      const width = tip.offsetWidth;
      tip.style.left = `${Math.max(8, Math.min(innerWidth - width - 8, box.left + box.width / 2 - width / 2))}px`;
      tip.style.top = `${box.bottom + tip.offsetHeight + 8 < innerHeight ? box.bottom + 6 : box.top - tip.offsetHeight - 6}px`;
    };
    for (const kind of ['mouseover', 'focusin'])
      document.addEventListener(kind, (event) => show(/** @type {Element} */ (event.target).closest?.('.cross a')));
    document.addEventListener('focusout', () => show(null));
    // A browser scrolls to what is reached by keyboard: its tip follows, that of the mouse goes.
    document.addEventListener('scroll', () => show(document.activeElement?.closest('.cross a:focus-visible')), {
      capture: true,
      passive: true,
    });
  }

  /** @param {string} href */
  #tipText(href) {
    const { index, data } = this;
    const parts = parseHash(href);
    const row = this.rowOf.get(Number(parts.get('game')));
    if (row !== undefined) {
      const [names, winner, reason] = [index.bots[row].map((bot) => data.bots[bot]), index.winner[row], data.reasons[index.reason[row]]];
      const who = winner < 0 ? 'nobody wins' : `${names[winner]} wins`;
      return `game ${index.number[row]}: ${names.join(' – ')}\n${who} (${reason?.name}) after ${counted(index.plies[row], 'ply', 'plies')}${index.swapped[row] ? ', swapped' : ''}`;
    }
    if (!parts.has('games')) return '';
    const rows = filterGames(index, data.bots, data.reasons, {
      ...NO_FILTER,
      ...Object.fromEntries([...parts].filter(([name]) => name in NO_FILTER)),
    });
    const counts = new Map();
    for (const one of rows) counts.set(index.reason[one], (counts.get(index.reason[one]) ?? 0) + 1);
    const reasons = [...counts].sort((one, other) => other[1] - one[1]).map(([reason, count]) => `${data.reasons[reason]?.name} ${count}`);
    return `${parts.get('bot')} – ${parts.get('opponent')}: ${counted(rows.length, 'game')}\n${reasons.join(', ')}`;
  }
}

new Report(DATA, await openIndex());
