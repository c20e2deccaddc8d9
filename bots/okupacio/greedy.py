#!/usr/bin/env python3
"""An Okupació player that makes the move which brings it most cells at once; a die decides among equals.

Build:  nothing to build; chmod +x greedy.py if need be
Start:  ./greedy.py A 3 board.txt     plays A, the first of three players, on the board in a file
        ./greedy.py A 3 board.txt d   the same, and shows the board on stderr after every move

Type what the others do: "B ab" if B occupies row a, column b; "B 00" if it leaves; "B --" if it is
excluded. End with Ctrl-D. The same ARBITRO_SEED, any text, gives the same choices.
"""
import os
import random
import re
import string
import sys

USAGE = "usage: greedy.py LETTER PLAYERS BOARDFILE [d]   (such as: greedy.py A 3 board.txt)"
FREE = "-"


def read_board(path):
    """The cells that are no walls, each by (row, column), all free."""
    with open(path, encoding="ascii") as file:
        rows, columns, *stretches = map(int, file.read().split())
    cells, wall = [], False
    for length in stretches:
        cells += [wall] * length
        wall = not wall
    cells += [False] * (rows * columns - len(cells))
    return {divmod(number, columns): FREE for number, wall in enumerate(cells) if not wall}


def around(board, at):
    """The cells beside a cell; walls and what is off the board are not among them."""
    row, col = at
    near = ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1))
    return [cell for cell in near if cell in board]


def haul(board, me, at):
    """The cells that are mine if I move there: the cell itself, and those that it closes in."""
    mine = [at]
    for cell in around(board, at):
        holder = board[cell]
        if holder == me:
            continue
        others = [near for near in around(board, cell) if near != at and board[near] != me]
        all_but_one = len(others) == 1 and len(around(board, cell)) >= 3
        if not others or all_but_one and holder == FREE:
            mine.append(cell)
        elif all_but_one and len(around(board, cell)) == 4 and board[others[0]] != holder:
            mine.append(cell)
    return mine


def choose(board, me):
    """The most cells; among those, the most that others lose; among those, any."""
    def value(at):
        mine = haul(board, me, at)
        return len(mine), sum(board[cell] != FREE for cell in mine)

    values = {at: value(at) for at in board if board[at] == FREE}
    best = max(values.values())
    return random.choice([at for at in values if values[at] == best])


def play(board, who, what):
    """What a player has done: it has occupied a cell, or has left and its cells are free."""
    if what in ("00", "--"):
        board.update({at: FREE for at in board if board[at] == who})
    else:
        board.update(dict.fromkeys(haul(board, who, cell_of(what)), who))


def cell_of(word):
    return tuple(map(string.ascii_lowercase.index, word))


def read_news(board, who):
    """Reads lines until one can be what the player to move has done; None when there are no more lines."""
    for line in sys.stdin:
        match = re.fullmatch(who + r"\s+(00|--|[a-y]{2})\s*", line.lstrip())
        what = match and match[1]
        if what in ("00", "--") or what and board.get(cell_of(what)) == FREE:
            return what
        print(f"invalid; send another, as: {who} ab", file=sys.stderr)
    return None


def main():
    args = sys.argv[1:]
    if len(args) not in (3, 4) or args[1] not in map(str, range(2, 11)) or args[0] not in list("ABCDEFGHIJ"):
        print(USAGE, file=sys.stderr)
        return 2
    me, board, debug = args[0], read_board(args[2]), args[3:] == ["d"]
    # My letter goes into the seed so that two of us in one game do not choose alike.
    random.seed(me + os.environ["ARBITRO_SEED"] if "ARBITRO_SEED" in os.environ else None)
    players, turn = list("ABCDEFGHIJ"[: int(args[1])]), 0
    while len(players) > 1 and FREE in board.values():
        who = players[turn]
        if who == me:
            what = "".join(string.ascii_lowercase[number] for number in choose(board, me))
            # Without the flush the move would wait in a buffer, and the others for ever.
            print(what, flush=True)
        else:
            what = read_news(board, who)
            if what is None:
                return 0
        play(board, who, what)
        # Those who leave have no turn any more: the next one moves up.
        if what in ("00", "--"):
            players.remove(who)
            turn %= len(players)
        else:
            turn = (turn + 1) % len(players)
        if debug:
            rows, cols = (1 + max(numbers) for numbers in zip(*board))
            for row in range(rows):
                print(*(board.get((row, col), "#") for col in range(cols)), file=sys.stderr)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (BrokenPipeError, KeyboardInterrupt):
        # The referee has left. A plain exit would try to flush to it once more, and complain.
        os._exit(0)
