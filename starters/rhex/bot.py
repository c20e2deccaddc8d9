#!/usr/bin/env python3
"""A RHEX player to start from. It knows the rules and the protocol; how to think is up to you: see choose().

Start:  ./bot.py b     plays white, which moves first
        ./bot.py p     plays black
        ./bot.py b d   the same, and shows the board on stderr after every move
"""
import os
import random
import sys

OTHER = {"b": "p", "p": "b"}
STEPS = ((0, -1), (0, 1), (-1, 0), (1, 0), (-1, 1), (1, -1))


def choose(board, me):
    """The move of the player `me`. `board` has "-" (empty), "b" (white) or "p" (black) for each (row, col)."""
    empty = [at for at in board if board[at] == "-"]
    # your idea goes here: this is any empty cell
    return random.choice(empty)


def zone_of(board, at):
    """All tokens that hang together with the one at a cell, whatever their colours."""
    zone = [at]
    for row, col in zone:  # which grows while we walk it
        for down, right in STEPS:
            near = row + down, col + right
            if board.get(near, "-") != "-" and near not in zone:
                zone.append(near)
    return zone


def place(board, at, side):
    """Places a token. If most tokens of its zone show the other colour, all of them are turned over."""
    board[at] = side
    zone = zone_of(board, at)
    if 2 * sum(board[cell] == side for cell in zone) < len(zone):
        board.update({cell: OTHER[board[cell]] for cell in zone})


def read_move(board):
    """Reads lines until one is a move that is possible; None when there are no more lines."""
    for line in sys.stdin:
        try:
            row, col = map(int, line.split())
        except ValueError:
            row, col = -1, -1
        if board.get((row, col)) == "-":
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
    me, turn = args[0], "b"
    for _ in range(2 * n):  # there are 2n tokens in all
        move = choose(board, me) if turn == me else read_move(board)
        if move is None:
            return 0  # the game is over
        if turn == me:
            print(*move, flush=True)  # or the move would wait in a buffer, and the opponent for ever
        place(board, move, turn)
        turn = OTHER[turn]
        if args[1:] == ["d"]:
            show(board, n)
    return 0


if __name__ == "__main__":
    sys.exit(main())
