#!/usr/bin/env python3
"""A player of RHEX: the move after which most tokens show its colour. Of several such moves it makes
the one that leaves the opponent's best answer least, then the first in reading order.

Build:  nothing to build; chmod +x greedy.py if need be
Start:  ./greedy.py b     plays white, which moves first
        ./greedy.py p     plays black
        ./greedy.py b d   the same, and shows the board on stderr after every move

Type the opponent's moves as "row col", both from 0; end with Ctrl-D. ARBITRO_SIZE is the size n of
the board (2 to 26, 14 if not set); there are 2n tokens in all.
"""
import os
import sys

USAGE = "usage: greedy.py b|p [d]   (with ARBITRO_SIZE not set, or from 2 to 26)"
OTHER = {"b": "p", "p": "b"}


def zone_of(board, at):
    """All tokens that hang together with the one at a cell, whatever their colours."""
    zone = [at]
    for row, col in zone:  # which grows while we walk it
        for near in ((row, col - 1), (row, col + 1), (row - 1, col), (row + 1, col),
                     (row + 1, col - 1), (row - 1, col + 1)):
            if board.get(near, "-") != "-" and near not in zone:
                zone.append(near)
    return zone


def placed(board, at, colour):
    """The board after a token was placed, with its zone turned over if the mover is in the minority."""
    after = {**board, at: colour}
    zone = zone_of(after, at)
    if 2 * sum(after[cell] == colour for cell in zone) < len(zone):
        after.update({cell: OTHER[after[cell]] for cell in zone})
    return after


def total(board, colour):
    return sum(token == colour for token in board.values())


def empty(board):
    return [at for at in board if board[at] == "-"]


def choose(board, me):
    """The cells worth a second look are those where most tokens show our colour at once."""
    at_once = {at: total(placed(board, at, me), me) for at in empty(board)}
    best = [at for at in at_once if at_once[at] == max(at_once.values())]
    if len(best) == len(at_once):
        return best[len(best) // 2]  # nothing to choose from yet: the middle of the board

    def worst(at):
        after = placed(board, at, me)
        return max((total(placed(after, answer, OTHER[me]), OTHER[me]) for answer in near(after)), default=0)

    return min(best[:8], key=worst)


def near(board):
    """Empty cells next to a token: an answer anywhere else turns nothing over."""
    taken = [at for at in board if board[at] != "-"]
    beside = {(row + r, col + c) for row, col in taken
              for r, c in ((0, -1), (0, 1), (-1, 0), (1, 0), (1, -1), (-1, 1))}
    return [at for at in beside if board.get(at) == "-"]


def read_move(board):
    """Reads lines until one is a legal move; None when there are no more lines."""
    for line in sys.stdin:
        words = line.split()
        if len(words) == 2 and all(word.isdecimal() and len(word) < 9 for word in words):
            at = int(words[0]), int(words[1])
            if board.get(at) == "-":
                return at
        print("invalid move; send another, as: row col", file=sys.stderr)
    return None


def main():
    size, args = os.environ.get("ARBITRO_SIZE", "14"), sys.argv[1:]
    if args not in (["b"], ["p"], ["b", "d"], ["p", "d"]) or size not in map(str, range(2, 27)):
        print(USAGE, file=sys.stderr)
        return 2
    n, me, turn = int(size), args[0], "b"
    board = {(row, col): "-" for row in range(n) for col in range(n)}
    for _ in range(2 * n):
        at = choose(board, me) if turn == me else read_move(board)
        if at is None:
            return 0
        if turn == me:
            # Without the flush the move would wait in a buffer, and the opponent for ever.
            print(*at, flush=True)
        board = placed(board, at, turn)
        if len(args) == 2:
            for row in range(n):
                print(*(board[row, col] for col in range(n)), file=sys.stderr)
        if total(board, turn) > n:
            return 0
        turn = OTHER[turn]
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (BrokenPipeError, KeyboardInterrupt):
        # The opponent has left. A plain exit would try to flush to it once more, and complain.
        os._exit(0)
