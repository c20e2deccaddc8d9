/**
 * A board in the page: one drawing, made in Rust, whose cells are given classes here. Nothing in these files knows the rules of a game.
 *
 * @typedef {{svg: string, names: string[], letters: string[], sides: string[], seats: number[], set: [number, number|null][],
 *            name: string, legend: string}} BoardData
 * @typedef {{seat: number, text: string|null, set: [number, number|null][], last: number[], swap: boolean, ms: number,
 *            cpu_ms: number|null}} PlyData
 * @typedef {{base_ms: number, increment_ms: number, kind: string}} ClockTerms
 */

/**
 * An element with attributes and children; texts become text and never markup.
 * @param {string} tag
 * @param {Object<string, any>} [attributes] functions are listeners; false, null and undefined are left out
 * @param {...(Node|string|number|null|undefined|false)} children
 * @returns {any}
 */
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(name, value);
    else if (value === true) made.setAttribute(name, '');
    else if (value !== false && value != null) made.setAttribute(name, String(value));
  }
  made.append(
    ...children
      .filter((child) => child !== null && child !== undefined && child !== false)
      .map((child) => (child instanceof Node ? child : String(child))),
  );
  return made;
}

/**
 * A name that somebody else chose: its letters cannot reorder those around it.
 * @param {string} name
 */
const nameElement = (name) => element('bdi', { title: name.length > 18 ? name : null }, name);

/** Signs on buttons, as drawings: not every font has them. */
const ICONS = {
  first: 'M3 3h2v10H3zM13 3v10L6 8z',
  back: 'M11.5 3v10l-7-5z',
  play: 'M4.5 2.5v11l9-5.5z',
  pause: 'M4 3h3v10H4zM9 3h3v10H9z',
  forward: 'M4.5 3v10l7-5z',
  last: 'M11 3h2v10h-2zM3 3v10l7-5z',
  close: 'M3.2 4.6 4.6 3.2 8 6.6l3.4-3.4 1.4 1.4L9.4 8l3.4 3.4-1.4 1.4L8 9.4l-3.4 3.4-1.4-1.4L6.6 8z',
  previous: 'M10 2.5 11.4 4l-4 4 4 4L10 13.5 4.5 8z',
  next: 'M6 2.5 4.6 4l4 4-4 4L6 13.5 11.5 8z',
};

/** @param {keyof typeof ICONS} name */
function icon(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const path = document.createElementNS(svg.namespaceURI, 'path');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  path.setAttribute('d', ICONS[name]);
  svg.append(path);
  return svg;
}

/**
 * The JSON in an element of the page.
 * @param {string} id
 * @returns {any}
 */
function pageData(id) {
  const holder = document.getElementById(id);
  return holder ? JSON.parse(holder.textContent || 'null') : null;
}

/**
 * A time on a clock, as 1:05.3 or, below ten seconds, 9.27.
 * @param {number} ms
 */
function clockText(ms) {
  const sign = ms < 0 ? '−' : '';
  const tenths = Math.floor(Math.abs(ms) / 100);
  if (tenths < 100) return `${sign}${(Math.floor(Math.abs(ms) / 10) / 100).toFixed(2)}`;
  const [minutes, seconds, tenth] = [Math.floor(tenths / 600), Math.floor(tenths / 10) % 60, tenths % 10];
  if (minutes >= 60)
    return `${sign}${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${String(seconds).padStart(2, '0')}`;
  return minutes ? `${sign}${minutes}:${String(seconds).padStart(2, '0')}.${tenth}` : `${sign}${seconds}.${tenth}`;
}

/**
 * A duration in words.
 * @param {number} ms
 */
function durationText(ms) {
  if (ms < 1) return 'under 1\u00a0ms';
  if (ms < 1000) return `${Math.round(ms)}\u00a0ms`;
  if (ms < 100_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)}\u00a0s`;
  const seconds = Math.round(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours ? `${hours} h ${minutes} min` : `${minutes} min ${seconds % 60} s`;
}

/**
 * A number of things.
 * @param {number} count
 * @param {string} one
 * @param {string} [many]
 */
const counted = (count, one, many = `${one}s`) => `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/**
 * The cells on which a stone changes sides: one that is turned over, or taken.
 * @param {Int8Array} stones what stands there before
 * @param {[number, number|null][]} set
 */
const changedCells = (stones, set) =>
  set.filter(([cell, side]) => side !== null && stones[cell] >= 0 && stones[cell] !== side).map(([cell]) => cell);

/**
 * How many stones a ply turned over, and how many it took off the board. A stone that comes from elsewhere and lands on another takes it.
 * @param {Int8Array} stones what stands there before
 * @param {[number, number|null][]} set
 * @param {number} mover the side that played it
 */
function countChanges(stones, set, mover) {
  const emptied = set.filter(([cell, side]) => side === null && stones[cell] >= 0);
  const moved = emptied.filter(([cell]) => stones[cell] === mover).length;
  const filled = set.filter(([cell, side]) => side !== null && stones[cell] < 0).length;
  const changed = changedCells(stones, set).length;
  const hit = Math.min(changed, Math.max(0, moved - filled));
  return { turned: changed - hit, taken: emptied.length - moved + hit };
}

/** The room that a drawing leaves for coordinates, on each side: what is cut off when they are hidden. */
const AXES_MARGIN = 1.4;
/** By how much the drawing is turned where that makes it larger: a hexagonal grid fits itself again, and its top stays on top. */
const TURN = Math.PI / 6;
/** How much larger it has to become for that. */
const TURN_GAIN = 1.12;

/** A board: what stands on it, and the drawing that shows it. */
class Board {
  /**
   * @param {BoardData} data
   * @param {HTMLElement} container what it fills
   * @param {{coordinates?: boolean, label?: string, titles?: boolean}} [options]
   */
  constructor(data, container, { coordinates = true, label = 'board', titles = false } = {}) {
    this.data = data;
    this.container = container;
    // The template is ours: the names in it were escaped in Rust.
    const template = document.createElement('template');
    template.innerHTML = data.svg;
    this.svg = /** @type {SVGSVGElement} */ (template.content.firstElementChild);
    this.svg.setAttribute('role', 'img');
    this.svg.setAttribute('preserveAspectRatio', 'xMidYMid meet');
    this.turner = document.createElementNS(this.svg.namespaceURI, 'g');
    this.turner.append(...this.svg.childNodes);
    this.svg.append(this.turner);
    this.spots = /** @type {SVGGElement[]} */ ([...this.svg.querySelectorAll('.spot')]);
    this.letters = this.spots.map((spot) => spot.querySelector('.letter'));
    this.places = this.spots.map((spot) => (spot.getAttribute('transform')?.match(/-?[\d.]+/g) ?? ['0', '0']).map(Number));
    this.spots.forEach((spot, index) => {
      spot.dataset.cell = String(index);
      if (titles) {
        const title = document.createElementNS(this.svg.namespaceURI, 'title');
        title.textContent = data.names[index];
        spot.append(title);
      }
    });
    const [x, y, width, height] = (this.svg.getAttribute('viewBox') ?? '0 0 1 1').split(' ').map(Number);
    this.upright = { x, y, width, height };
    this.turned = this.#turnedBox();
    // Where the page can choose how high the board is, this is the shape in which its cells become largest.
    const tall = this.upright.width / this.turned.width > TURN_GAIN ? this.turned : this.upright;
    container.style.setProperty('--tall', (tall.height / tall.width).toFixed(3));
    this.hasAxes = this.svg.querySelector('.axes') !== null;
    this.coordinates = coordinates;
    /** What stands on each cell: a side, or -1. */
    this.stones = new Int8Array(this.spots.length).fill(-1);
    /** What the drawing shows. */
    this.shown = new Int8Array(this.spots.length).fill(-1);
    /** @type {Map<string, number[]>} cells with a mark, by mark */
    this.marks = new Map();
    this.describe(label);
    container.replaceChildren(this.svg);
    this.resizes = new ResizeObserver(() => this.fit());
    this.resizes.observe(container);
    this.fit();
    this.reset();
  }

  /** Takes the board off the page. */
  remove() {
    this.resizes.disconnect();
    this.svg.remove();
  }

  /** @param {string} text what the drawing shows, for those who cannot see it */
  describe(text) {
    this.svg.setAttribute('aria-label', text);
  }

  /** The position in which a game begins. */
  reset() {
    this.stones.fill(-1);
    for (const [cell, side] of this.data.set) this.stones[cell] = side ?? -1;
    this.clearMarks();
    this.draw();
  }

  /**
   * Puts a stone on a cell or takes it away.
   * @param {number} cell
   * @param {number|null} side
   */
  setCell(cell, side) {
    this.stones[cell] = side ?? -1;
    this.#drawCell(cell);
  }

  /** Draws every cell whose stone is not the one that is shown. */
  draw() {
    for (let cell = 0; cell < this.stones.length; cell++) this.#drawCell(cell);
  }

  /** @param {number} cell */
  #drawCell(cell) {
    const [is, was] = [this.stones[cell], this.shown[cell]];
    if (is === was) return;
    this.shown[cell] = is;
    const classes = this.spots[cell].classList;
    if (was >= 0) classes.remove('on', `s${was}`);
    if (is >= 0) classes.add('on', `s${is}`);
    const letter = this.letters[cell];
    if (letter) letter.textContent = is >= 0 ? (this.data.letters[is] ?? '?') : '';
  }

  /**
   * Marks these cells and no others: `last`, `changed`, `win`, `refused`, `can`, `from`, `hint`.
   * @param {string} kind
   * @param {number[]} cells
   */
  mark(kind, cells) {
    const before = this.marks.get(kind);
    if (before) for (const cell of before) this.spots[cell]?.classList.remove(kind);
    for (const cell of cells) this.spots[cell]?.classList.add(kind);
    this.marks.set(kind, cells);
  }

  /** Takes all marks away. */
  clearMarks() {
    for (const kind of this.marks.keys()) this.mark(kind, []);
  }

  /**
   * Shows a position.
   * @param {Iterable<number|null>} stones
   * @param {number[]} last
   * @param {number[]} winning
   */
  show(stones, last = [], winning = []) {
    this.stones.fill(-1);
    let cell = 0;
    for (const side of stones) this.stones[cell++] = side ?? -1;
    this.draw();
    this.mark('last', last);
    this.mark('win', winning);
  }

  /**
   * Calls back with the cell that is clicked on or touched.
   * @param {(cell: number) => void} callback
   */
  onCell(callback) {
    this.svg.addEventListener('click', (event) => {
      const spot = /** @type {Element} */ (event.target).closest('.spot');
      if (spot instanceof SVGElement && spot.dataset.cell) callback(Number(spot.dataset.cell));
    });
  }

  /** @param {boolean} on */
  setCoordinates(on) {
    this.coordinates = on;
    this.fit();
  }

  /** Turns and crops the drawing so that its cells are as large as the container lets them be. */
  fit() {
    const { clientWidth, clientHeight } = this.container;
    const cut = this.hasAxes && !this.coordinates ? AXES_MARGIN : 0;
    const crop = (/** @type {typeof this.upright} */ box) => ({
      x: box.x + cut,
      y: box.y + cut,
      width: box.width - 2 * cut,
      height: box.height - 2 * cut,
    });
    const [upright, turned] = [crop(this.upright), crop(this.turned)];
    const scale = (/** @type {typeof upright} */ box) => Math.min(clientWidth / box.width, clientHeight / box.height);
    const isTurned = clientHeight > clientWidth && scale(turned) > TURN_GAIN * scale(upright);
    const box = isTurned ? turned : upright;
    this.svg.classList.toggle('turned', isTurned);
    this.svg.classList.toggle('bare', !this.coordinates);
    if (isTurned) this.turner.setAttribute('transform', 'rotate(30)');
    else this.turner.removeAttribute('transform');
    this.svg.setAttribute('viewBox', [box.x, box.y, box.width, box.height].map((part) => part.toFixed(2)).join(' '));
  }

  #turnedBox() {
    const [cos, sin] = [Math.cos(TURN), Math.sin(TURN)];
    const turned = this.places.map(([x, y]) => [x * cos - y * sin, x * sin + y * cos]);
    const xs = turned.map(([x]) => x),
      ys = turned.map(([, y]) => y);
    const margin = Math.min(...this.places.map(([x]) => x)) - this.upright.x;
    const [left, top] = [Math.min(...xs) - margin, Math.min(...ys) - margin];
    return { x: left, y: top, width: Math.max(...xs) + margin - left, height: Math.max(...ys) + margin - top };
  }
}
