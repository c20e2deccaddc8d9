#!/usr/bin/env python3
"""A Hex player that plays any legal move, each with the same chance.

Build:  nothing to build; chmod +x random.py if need be
Start:  ./random.py b     plays white, which joins the first row to the last and moves first
        ./random.py p     plays black, which joins the first column to the last
        ./random.py b d   the same, and shows the board on stderr after every move

Type the opponent's moves as "row col", both from 0; end with Ctrl-D. ARBITRO_SIZE is the size
of the board (2 to 26, 14 if not set). The same ARBITRO_SEED, any text, gives the same choices.
ARBITRO_OPENING, such as "2 3, 7 7", has the first moves, both sides' in turn; ours are played
where they are legal.
"""
import os
import re
import sys
import time

USAGE = "usage: random-py b|p [d]   (with ARBITRO_SIZE not set, or from 2 to 26)"
OTHER = {"b": "p", "p": "b"}


class Dice:
    """A generator of our own: in a file called random.py, `import random` would find this file."""

    def __init__(self, me):
        # The colour goes into the seed so that two of us in one game do not choose alike.
        self.state = ord(me)
        for byte in os.environb.get(b"ARBITRO_SEED", b"%d" % time.time_ns()):
            self.state = (self.state * 31 + byte) % 2**64

    def roll(self, sides):
        # The low bits repeat too soon to be of use.
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % sides


def connects(board, n, at):
    """Whether the group of stones at a cell touches both edges of its colour."""
    colour, group, lines = board[at], [at], set()
    seen = {at}
    for row, col in group:  # which grows while we walk it
        lines.add(row if colour == "b" else col)
        for near in ((row, col - 1), (row, col + 1), (row - 1, col), (row + 1, col),
                     (row + 1, col - 1), (row - 1, col + 1)):
            if board.get(near) == colour and near not in seen:
                seen.add(near)
                group.append(near)
    return 0 in lines and n - 1 in lines


def choose(board, swap, dice):
    """`swap` is the one stone that may be played on again, which only ply 2 allows, or None."""
    if swap and dice.roll(2):
        return swap
    empty = [at for at in board if board[at] == "-"]
    return empty[dice.roll(len(empty))]


def legal(board, swap, text):
    """The legal move that a text is; None if it is none."""
    match = re.fullmatch(rb"\s*(\d{1,8})\s+(\d{1,8})\s*", text)
    at = match and (int(match[1]), int(match[2]))
    return at if board.get(at) == "-" or at == swap else None


def given(board, swap, ply):
    """The move that ARBITRO_OPENING has for this ply, if it has one and it is legal, or None."""
    moves = os.environb.get(b"ARBITRO_OPENING", b"").split(b",")
    return legal(board, swap, moves[ply - 1]) if ply <= len(moves) else None


def read_move(board, swap):
    """Reads lines until one is a legal move; None when there are no more lines."""
    for line in sys.stdin.buffer:
        at = legal(board, swap, line)
        if at:
            return at
        print("invalid move; send another, as: row col", file=sys.stderr)
    return None


def main():
    size, args = os.environ.get("ARBITRO_SIZE", "14"), sys.argv[1:]
    if args not in (["b"], ["p"], ["b", "d"], ["p", "d"]) or size not in map(str, range(2, 27)):
        print(USAGE, file=sys.stderr)
        return 2
    n, me, turn, swap, ply = int(size), args[0], "b", None, 1
    dice = Dice(me)
    board = {(row, col): "-" for row in range(n) for col in range(n)}
    while True:
        if turn == me:
            at = given(board, swap, ply) or choose(board, swap, dice)
        else:
            at = read_move(board, swap)
        if at is None:
            return 0
        if turn == me:
            # Without the flush the move would wait in a buffer, and the opponent for ever.
            print(*at, flush=True)
        if at == swap:
            # The stone stays white and it is still black's turn: only the players change seats.
            me = OTHER[me]
        else:
            board[at], turn = turn, OTHER[turn]
        swap, ply = at if ply == 1 else None, ply + 1
        if len(args) == 2:
            for row in range(n):
                print(*(board[row, col] for col in range(n)), file=sys.stderr)
        if connects(board, n, at):
            return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (BrokenPipeError, KeyboardInterrupt):
        # The opponent has left. A plain exit would try to flush to it once more, and complain.
        os._exit(0)
