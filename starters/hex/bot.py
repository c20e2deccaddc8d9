#!/usr/bin/env python3
"""A Hex player to start from. It knows the rules and the protocol; how to think is up to you: see choose() and wants_swap().

Start:  ./bot.py b     plays white, which joins row 0 to the last row and moves first
        ./bot.py p     plays black, which joins column 0 to the last column
        ./bot.py b d   the same, and shows the board on stderr after every move
"""
import os
import random
import sys

OTHER = {"b": "p", "p": "b"}


def choose(board, me):
    """The move of the player `me`; None if the board is full. `board` has "-" (empty), "b" (white) or "p" (black) for each
    (row, col). The six neighbours of (row, col) are (row, col-1), (row, col+1), (row-1, col), (row+1, col), (row-1, col+1) and
    (row+1, col-1)."""
    empty = [at for at in board if board[at] == "-"]
    # your idea goes here: this is any empty cell
    return random.choice(empty) if empty else None


def wants_swap(first, n):
    """Whether to take the opponent's first stone: then you are white from now on, and the opponent moves next as black."""
    row, col = first
    # your idea goes here: this takes stones that are not near an edge
    return 1 < row < n - 2 and 1 < col < n - 2


def read_move(board, swap):
    """Reads lines until one is a move that is possible; None when there are no more lines. `swap` is the stone that may be played
    on again."""
    for line in sys.stdin:
        try:
            row, col = map(int, line.split())
        except ValueError:
            row, col = -1, -1
        if board.get((row, col)) == "-" or (row, col) == swap:
            return row, col
        print("invalid move; send another, as: row col", file=sys.stderr)
    return None


def show(board, n):
    for row in range(n):
        print(*(board[row, col] for col in range(n)), file=sys.stderr)


def main():
    n, args = int(os.environ.get("ARBITRO_SIZE", "14")), sys.argv[1:]
    if not args or args[0] not in OTHER:
        print("usage: bot.py b|p [d]", file=sys.stderr)
        return 2
    random.seed(os.environ.get("ARBITRO_SEED"))  # the same seed gives the same game
    sys.stdin.reconfigure(errors="replace")
    board = {(row, col): "-" for row in range(n) for col in range(n)}
    me, turn, first, ply = args[0], "b", None, 1
    while True:
        swap = first if ply == 2 else None
        if turn != me:
            move = read_move(board, swap)
        else:
            move = swap if swap and wants_swap(swap, n) else choose(board, me)
        if move is None:
            return 0  # the game is over
        if turn == me:
            print(*move, flush=True)  # or the move would wait in a buffer, and the opponent for ever
        if move == swap:
            me = OTHER[me]  # a swap: the stone stays white, and it is still black's turn
        else:
            board[move], turn = turn, OTHER[turn]
        if ply == 1:
            first = move
        ply += 1
        if args[1:] == ["d"]:
            show(board, n)


if __name__ == "__main__":
    sys.exit(main())
