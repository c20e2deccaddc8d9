#!/usr/bin/env python3
"""A player of Xadrez Xinez (Chinese checkers) to start from. It knows the rules and the protocol; how to think is up to you: see
choose().

Start:  ./bot.py 4 14 4     plays player 4 of the players 1 and 4, on the board with N = 4
        ./bot.py 4 14 4 d   the same, and shows the board on stderr after every move
"""
import os
import random
import sys

STEPS = ((1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1), (0, -1))


def choose(board, me):
    """The move of the player `me`, a pair of indices; None if there is none."""
    moves = board.moves(me)
    # your idea goes here: this is any move that does not go back, if there is one
    ahead = [move for move in moves if board.gain(me, move) >= 0]
    return random.choice(ahead or moves) if moves else None


class Board:
    """A cell is (u, v), and its third coordinate is w = v - u. Moves name cells by their index."""

    def __init__(self, n, players):
        self.n, self.index, self.cell = n, {}, {}
        for u in range(-2 * n, 2 * n + 1):
            for v in range(-2 * n, 2 * n + 1):
                if sum(abs(x) <= n for x in (u, v, v - u)) >= 2:
                    self.index[u, v] = number = self.number(u, v)
                    self.cell[number] = u, v
        self.piece = {at: player for player in players for at in self.index if self.w(player, at) < -n}

    def number(self, u, v):
        """Row by row where |u| and |v| are at most n, then four points of the star."""
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

    def gain(self, player, move):
        """How far ahead a move brings a piece."""
        start, end = (self.w(player, self.cell[number]) for number in move)
        return end - start

    def is_free_for(self, player, at):
        """Whether a player may stop on a cell: not on a piece, nor in the points of others."""
        is_free = at in self.index and at not in self.piece
        return is_free and all(abs(x) <= self.n for x in self.seen_by(player, at))

    def reach(self, player, start):
        """All cells that a piece can go to: by one step, or by any number of jumps."""
        del self.piece[start]  # on its way it finds its own cell empty
        landings = [start]
        for u, v in landings:  # which grows while we walk it
            for du, dv in STEPS:
                landing = u + 2 * du, v + 2 * dv
                jumps = (u + du, v + dv) in self.piece and self.is_free_for(player, landing)
                if jumps and landing not in landings:
                    landings.append(landing)
        steps = [(start[0] + du, start[1] + dv) for du, dv in STEPS]
        found = {at for at in landings + steps if self.is_free_for(player, at)} - {start}
        self.piece[start] = player
        return found

    def moves(self, player):
        """All moves of a player."""
        pieces = [at for at, owner in self.piece.items() if owner == player]
        return sorted((self.index[at], self.index[end]) for at in pieces for end in self.reach(player, at))

    def make(self, move):
        start, end = (self.cell[number] for number in move)
        self.piece[end] = self.piece.pop(start)

    def show(self):
        for w in range(2 * self.n, -2 * self.n - 1, -1):
            row = {u + v + 3 * self.n: self.piece.get((u, v), ".") for u, v in self.index if v - u == w}
            print("".join(str(row.get(x, " ")) for x in range(6 * self.n + 1)).rstrip(), file=sys.stderr)


def read_move(board, player):
    """Reads lines until one can be what this player does: its move, None for a pass. At the end of the lines, leaves."""
    for line in sys.stdin:
        words = line.split()
        if words == [str(player), "pass"]:
            return None
        if len(words) == 3 and words[0] == str(player) and all(word.isdecimal() for word in words):
            move = int(words[1]), int(words[2])
            if move in board.moves(player):
                return move
        print(f"invalid; send another, as: {player} origin destination, or {player} pass", file=sys.stderr)
    sys.exit(0)


def main():
    args = sys.argv[1:]
    if len(args) < 3 or not all(word.isdecimal() for word in args[:3]):
        print("usage: bot.py PLAYER PLAYERS N [d]", file=sys.stderr)
        return 2
    random.seed(os.environ.get("ARBITRO_SEED"))  # the same seed gives the same game
    sys.stdin.reconfigure(errors="replace")
    me, players, n = int(args[0]), sorted(map(int, args[1])), int(args[2])
    board = Board(n, players)
    while True:
        for player in players:
            if player != me:
                move = read_move(board, player)
            else:
                move = choose(board, me)
                if move:  # if we cannot move, the referee knows, and the game goes on without a word
                    print(*move, flush=True)  # or the move would wait in a buffer, and the others for ever
            if move:
                board.make(move)
            if args[3:] == ["d"]:
                board.show()


if __name__ == "__main__":
    sys.exit(main())
