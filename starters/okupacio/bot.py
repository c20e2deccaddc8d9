#!/usr/bin/env python3
"""An Okupació player to start from. It knows the rules and the protocol; how to think is up to you: see choose().

Start:  ./bot.py A 3 board.txt     plays A, the first of three players, on the board in a file
        ./bot.py A 3 board.txt d   the same, and shows the board on stderr after every move
"""
import os
import random
import string
import sys

FREE = "-"
LEAVES = ("00", "--")


def choose(board, me):
    """The move of the player `me`. `board` has "-" or the letter of who holds it for each (row, col) that is no wall."""
    free = [at for at in board if board[at] == FREE]
    # your idea goes here: this is any free cell
    return random.choice(free)


def read_board(path):
    """The cells that are no walls, all free."""
    with open(path, encoding="ascii") as file:
        rows, columns, *stretches = map(int, file.read().split())
    cells, wall = [], False
    for length in stretches:
        cells += [wall] * length
        wall = not wall
    cells += [False] * (rows * columns - len(cells))
    return {divmod(number, columns): FREE for number, wall in enumerate(cells) if not wall}


def around(board, at):
    """The cells beside a cell; walls are not among them."""
    row, col = at
    return [near for near in ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)) if near in board]


def is_taken(board, at, who):
    """Whether a cell, beside one that the player `who` has just occupied, becomes the player's too."""
    near = around(board, at)
    others = [cell for cell in near if board[cell] != who]
    if not others:
        return True
    if len(near) < 3 or len(others) > 1:
        return False
    return board[at] == FREE or len(near) == 4 and board[others[0]] != board[at]


def occupy(board, at, who):
    """A player occupies a cell, and takes the cells beside it that it closes in."""
    board[at] = who
    taken = [near for near in around(board, at) if board[near] != who and is_taken(board, near, who)]
    board.update(dict.fromkeys(taken, who))


def leave(board, who):
    """The cells of one who leaves are free again."""
    board.update({at: FREE for at in board if board[at] == who})


def cell_of(word):
    return tuple(map(string.ascii_lowercase.find, word))


def read_news(board, who):
    """Reads lines until one can be what the player `who` has done; None when there are no more lines."""
    for line in sys.stdin:
        words = line.split()
        if len(words) == 2 and words[0] == who:
            if words[1] in LEAVES or board.get(cell_of(words[1])) == FREE:
                return words[1]
        print(f"invalid; send another, as: {who} ab", file=sys.stderr)
    return None


def show(board):
    rows, cols = (1 + max(numbers) for numbers in zip(*board))
    for row in range(rows):
        print(*(board.get((row, col), "#") for col in range(cols)), file=sys.stderr)


def main():
    args = sys.argv[1:]
    if len(args) < 3 or not args[1].isdecimal():
        print("usage: bot.py LETTER PLAYERS BOARDFILE [d]", file=sys.stderr)
        return 2
    random.seed(os.environ.get("ARBITRO_SEED"))  # the same seed gives the same game
    sys.stdin.reconfigure(errors="replace")
    me, board = args[0], read_board(args[2])
    in_game, turn = list("ABCDEFGHIJ"[: int(args[1])]), 0
    while len(in_game) > 1 and FREE in board.values():
        who = in_game[turn]
        if who == me:
            what = "".join(string.ascii_lowercase[number] for number in choose(board, me))
            print(what, flush=True)  # or the move would wait in a buffer, and the others for ever
        else:
            what = read_news(board, who)
            if what is None:
                return 0  # the game is over
        if what in LEAVES:
            leave(board, who)
            in_game.remove(who)  # the next one moves up
        else:
            occupy(board, cell_of(what), who)
            turn += 1
        turn %= len(in_game)
        if args[3:] == ["d"]:
            show(board)
    return 0


if __name__ == "__main__":
    sys.exit(main())
