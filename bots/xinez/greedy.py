#!/usr/bin/env python3
"""A player of Xadrez Xinez (Chinese checkers): the move that brings one piece farthest ahead. Of
several such moves it makes the one with the smallest origin, then with the smallest destination.

Build:  nothing to build; chmod +x greedy.py if need be
Start:  ./greedy.py 4 14 4     plays player 4 of the players 1 and 4, on the board with N = 4
        ./greedy.py 4 14 4 d   the same, and shows the board on stderr after every move

Type the other players' moves as "player origin destination" or "player pass", such as "1 3 2";
end with Ctrl-D.
"""
import os
import sys

USAGE = "usage: greedy.py PLAYER PLAYERS N [d]   such as: greedy.py 4 14 4   (N from 1 to 6)"
STEPS = ((1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1), (0, -1))


class Board:
    """A cell is (u, v), and the third coordinate is w = v - u. Moves are told by the index of cells."""

    def __init__(self, n, players):
        self.n, self.index, self.cell = n, {}, {}
        for u in range(-2 * n, 2 * n + 1):
            for v in range(-2 * n, 2 * n + 1):
                if sum(abs(x) <= n for x in (u, v, v - u)) >= 2:
                    self.index[u, v] = number = self.number(u, v)
                    self.cell[number] = u, v
        homes = ((at, player) for at in self.cell.values() for player in players
                 if self.w(player, at) < -n)
        self.piece = dict(homes)  # whose piece is on a cell

    def number(self, u, v):
        """Row by row where |u| and |v| are at most n, then the four points of the star beyond."""
        n, side = self.n, 2 * self.n + 1
        if abs(u) <= n and abs(v) <= n:
            return (u + n) + side * (v + n)
        point, line, along = ((0, u - n, v) if u > n else (1, -u - n, -v) if u < -n else
                              (2, v - n, u) if v > n else (3, -v - n, -u))
        before = (line - 1) * (n + 1) - line * (line - 1) // 2
        return side * side + point * n * (n + 1) // 2 + before + along - line

    def seen_by(self, player, at):
        """A cell as the player sees it: turned until the player's home is where player 1's is."""
        u, v = at
        for _ in range((1 - player) % 6):
            u, v = u - v, u
        return u, v

    def w(self, player, at):
        """How far ahead a cell is for a player: below -n is its home, above n its goal."""
        u, v = self.seen_by(player, at)
        return v - u

    def free_for(self, player, at):
        """Whether a player may stop on a cell: not in the points of others, nor on a piece."""
        return (at in self.index and at not in self.piece
                and all(abs(x) <= self.n for x in self.seen_by(player, at)))

    def reach(self, player, start):
        """All cells that a piece can go to: by one step, or by any number of jumps."""
        del self.piece[start]  # on its way it finds its own cell empty
        landings = [start]
        for u, v in landings:  # which grows while we walk it
            for du, dv in STEPS:
                landing = u + 2 * du, v + 2 * dv
                if ((u + du, v + dv) in self.piece and self.free_for(player, landing)
                        and landing not in landings):
                    landings.append(landing)
        steps = [(start[0] + du, start[1] + dv) for du, dv in STEPS]
        found = {at for at in landings + steps if self.free_for(player, at)} - {start}
        self.piece[start] = player
        return found

    def moves(self, player):
        """All moves of a player, as pairs of indices, the smallest first."""
        pieces = [at for at, owner in self.piece.items() if owner == player]
        return sorted((self.index[start], self.index[end])
                      for start in pieces for end in self.reach(player, start))

    def make(self, move):
        start, end = (self.cell[number] for number in move)
        self.piece[end] = self.piece.pop(start)

    def is_home(self, player):
        return all(self.w(player, at) > self.n for at, owner in self.piece.items() if owner == player)

    def show(self):
        for w in range(2 * self.n, -2 * self.n - 1, -1):
            row = {u + v + 3 * self.n: self.piece.get((u, v), ".") for u, v in self.index if v - u == w}
            text = "".join(str(row.get(x, " ")) for x in range(6 * self.n + 1))
            print(text.rstrip(), file=sys.stderr)


def choose(board, me):
    """The best of our moves; None if we have none."""
    def gain(move):
        start, end = (board.w(me, board.cell[number]) for number in move)
        return end - start
    return max(board.moves(me), key=gain, default=None)  # of equal ones, max takes the first


def read_move(board, player):
    """Reads lines until one is this player's: its move, None for a pass, or EOFError at the end."""
    for line in sys.stdin.buffer:
        words = line.split()
        if words == [b"%d" % player, b"pass"]:
            return None
        if len(words) == 3 and words[0] == b"%d" % player and all(word.isdigit() for word in words):
            move = tuple(int(word) for word in words[1:])
            if move in board.moves(player):
                return move
        print(f"player {player} is to move; send: {player} origin destination, or {player} pass",
              file=sys.stderr)
    raise EOFError


def main():
    args = sys.argv[1:]
    debug = args[3:] == ["d"]
    if len(args) != 3 + debug or len(args[0]) != 1 or args[0] not in args[1] \
            or not set(args[1]) <= set("123456") or args[2] not in "123456" or len(args[2]) != 1:
        print(USAGE, file=sys.stderr)
        return 2
    me, players, n = int(args[0]), sorted(map(int, set(args[1]))), int(args[2])
    board = Board(n, players)
    while True:
        # Every turn of another player is a line that we read; our own is a line that we print,
        # unless we cannot move: then the referee knows, and the game goes on without a word.
        for player in players:
            if player == me:
                move = choose(board, me)
                if move:
                    # Without the flush the move would wait in a buffer, and the others for ever.
                    print(*move, flush=True)
            else:
                move = read_move(board, player)
            if move:
                board.make(move)
            if debug:
                board.show()
            if board.is_home(player):
                return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (EOFError, BrokenPipeError, KeyboardInterrupt):
        # The game is over. A plain exit would try to flush once more, and complain.
        os._exit(0)
