/**
 * The course of a game: what is known of its seats after each ply.
 */

/** What was true of each seat after each ply: times used, moves made, sides. */
class Course {
  /**
   * @param {GameData} game
   * @param {BoardData} board
   */
  constructor(game, board) {
    const seats = game.bots.length;
    this.seats = seats;
    this.clock = game.clock;
    this.used = new Float64Array((game.plies.length + 1) * seats);
    this.cpu = new Float64Array(this.used.length);
    this.moves = new Uint32Array(this.used.length);
    this.sides = [board.seats];
    game.plies.forEach((ply, index) => {
      for (const column of [this.used, this.cpu, this.moves]) column.copyWithin((index + 1) * seats, index * seats, (index + 1) * seats);
      const at = (index + 1) * seats + ply.seat;
      this.used[at] += game.clock?.kind === 'cpu' ? (ply.cpu_ms ?? ply.ms) : ply.ms;
      this.cpu[at] += ply.cpu_ms ?? 0;
      this.moves[at] += 1;
      const sides = this.sides[index];
      this.sides.push(ply.swap ? [...sides].reverse() : sides);
    });
    // What is measured of the whole game also counts the turn in which it was lost.
    game.seats.forEach(({ used_ms, cpu_ms }, seat) => {
      this.used[game.plies.length * seats + seat] = used_ms;
      if (cpu_ms !== null) this.cpu[game.plies.length * seats + seat] = cpu_ms;
    });
  }

  /**
   * The clock of a seat: the time it has left or, if it has no limit, the time it has used.
   * @param {number} ply
   * @param {number} seat
   */
  clockAt(ply, seat) {
    const at = ply * this.seats + seat;
    if (!this.clock) return this.used[at];
    return this.clock.base_ms + this.clock.increment_ms * this.moves[at] - this.used[at];
  }

  /**
   * @param {number} ply
   * @param {number} seat
   */
  cpuAt(ply, seat) {
    return this.cpu[ply * this.seats + seat];
  }
}
