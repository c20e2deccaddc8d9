#!/usr/bin/env python3
"""A Hex player that counts how many stones each side still needs to connect, and plays where that
matters most to both. The same moves from the opponent always get the same answers.

Build:  nothing to build; chmod +x path.py if need be
Start:  ./path.py b     plays white, which joins the first row to the last and moves first
        ./path.py p     plays black, which joins the first column to the last
        ./path.py b d   the same, and shows the board on stderr after every move

Type the opponent's moves as "row col", both from 0; end with Ctrl-D.
ARBITRO_SIZE is the size of the board (2 to 26, 14 if not set). ARBITRO_OPENING, such as
"2 3, 7 7", has the first moves, both sides' in turn; ours are played where they are legal.
"""
import os
import re
import sys
from collections import deque

USAGE = "usage: path-py b|p [d]   (with ARBITRO_SIZE not set, or from 2 to 26)"
OTHER = {"b": "p", "p": "b"}
FAR = 1000  # more stones than any path needs


def edge(n, colour, line):
    """The cells of an edge of this colour: its first one (line 0) or its last one (line n - 1)."""
    return [(line, i) if colour == "b" else (i, line) for i in range(n)]


def distances(board, colour, start):
    """For every cell, how many stones a colour must add to join it, itself included, to the edge
    `start`: a shortest path where own stones cost 0, empty cells 1, and nobody passes the enemy's.

    Stones go to the front of the queue and empty cells to its back, so that cells leave it in
    order of distance: the first distance found is the right one, and every cell enters once.
    """
    dist, queue = {}, deque()

    def visit(at, before):
        stone = board.get(at)
        if stone == colour:
            dist[at] = before
            queue.appendleft(at)
        elif stone == "-":
            dist[at] = before + 1
            queue.append(at)

    for at in start:
        visit(at, 0)
    while queue:
        row, col = at = queue.popleft()
        for near in ((row, col - 1), (row, col + 1), (row - 1, col), (row + 1, col),
                     (row + 1, col - 1), (row - 1, col + 1)):
            if near not in dist:
                visit(near, dist[at])
    return dist


def won(board, n, colour):
    dist = distances(board, colour, edge(n, colour, 0))
    return any(dist.get(at) == 0 for at in edge(n, colour, n - 1))


def off_centre(n, at):
    """Twice the number of steps to the centre, which on an even board lies between the cells."""
    down, right = 2 * at[0] - n + 1, 2 * at[1] - n + 1
    return max(abs(down), abs(right), abs(down + right))


def choose(board, n, ply, swap):
    """`swap` is the one stone that may be played on again, which only ply 2 allows, or None."""
    # A first stone near the centre would be taken from us, and we take one from the opponent.
    if ply == 1:
        return min(3, n - 1), 1
    if swap and 3 * off_centre(n, swap) <= 2 * n:
        return swap
    tables = [distances(board, colour, edge(n, colour, line))
              for colour in "bp" for line in (0, n - 1)]
    # The sum is the length of our best path through the cell plus that of the enemy's. Any two
    # such paths cross, so the least sum is a cell on a shortest path of both. Among equals, the
    # nearest to the centre, then the first: a row comes before the next.
    return min((at for at in board if board[at] == "-"),
               key=lambda at: (sum(dist.get(at, FAR) for dist in tables), off_centre(n, at), at))


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
    board = {(row, col): "-" for row in range(n) for col in range(n)}
    while True:
        if turn == me:
            at = given(board, swap, ply) or choose(board, n, ply, swap)
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
        if won(board, n, board[at]):
            return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (BrokenPipeError, KeyboardInterrupt):
        # The opponent has left. A plain exit would try to flush to it once more, and complain.
        os._exit(0)
