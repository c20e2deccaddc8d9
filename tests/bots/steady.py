#!/usr/bin/env python3
"""A bot of Hex that always plays the same: it takes free cells in an order of its own.

Usage: steady.py ORDER SECRET [b|p], where ORDER is one of the words below. It tells its secret, its path and its user on stderr; with
the order 'crash' it breaks on its fourth move, with 'dead' at once.
"""

import os
import sys

order, secret, side = sys.argv[1], sys.argv[2], sys.argv[3]
size = int(os.environ["ARBITRO_SIZE"])
middle = size // 2
cells = [(row, column) for row in range(size) for column in range(size)]
keys = {
    "columns": lambda cell: (abs(cell[1] - middle), cell[0]),
    "rows": lambda cell: (abs(cell[0] - middle), cell[1]),
    "diagonal": lambda cell: (cell[0] + cell[1], cell[0]),
    "knights": lambda cell: ((cell[0] * 7 + cell[1] * 3) % 11, cell),
    "last": lambda cell: (-cell[0], -cell[1]),
    "crash": lambda cell: (abs(cell[1] - middle), cell[0]),
}
print("secret", secret, "file", os.path.abspath(__file__), "user", os.path.expanduser("~"), file=sys.stderr, flush=True)
if order == "dead":
    raise KeyError(secret)
cells.sort(key=keys[order])
taken, moves = set(), 0


def move():
    global moves
    moves += 1
    if order == "crash" and moves > 3:
        raise RuntimeError(secret + " in " + os.path.abspath(__file__))
    cell = next(cell for cell in cells if cell not in taken)
    taken.add(cell)
    print(*cell, flush=True)


if side == "b":
    move()
for line in sys.stdin:
    taken.add(tuple(map(int, line.split())))
    move()
