#!/usr/bin/env python3
"""An Okupació bot with one flaw, as students write them: flawed_okupacio.py FLAW LETTER PLAYERS BOARDFILE

Without its flaw it occupies the first free cell. It does not know which cells are taken by closing them in: that is one of the flaws.
"""
import sys

FLAW, ME = sys.argv[1:3]


def read_board(path):
    with open(path, encoding="ascii") as file:
        rows, columns, *stretches = map(int, file.read().split())
    cells, wall = [], False
    for length in stretches:
        cells += [wall] * length
        wall = not wall
    cells += [False] * (rows * columns - len(cells))
    free = [divmod(number, columns) for number, wall in enumerate(cells) if not wall]
    if FLAW == "ignores-walls":
        free = [(row, col) for row in range(rows) for col in range(columns)]
    return free


def letters(row, col):
    return chr(ord("a") + row) + chr(ord("a") + col)


def say(row, col):
    if FLAW == "numbers":
        print(row, col, flush=True)
    elif FLAW == "capitals":
        print(letters(row, col).upper(), flush=True)
    elif FLAW == "blank-between":
        print(*letters(row, col), flush=True)
    elif FLAW == "own-letter-first":
        print(ME, letters(row, col), flush=True)
    elif FLAW == "column-first":
        print(letters(col, row), flush=True)
    else:
        print(letters(row, col), flush=True)


def play(free):
    if FLAW == "leaves":
        print("00", flush=True)
        return
    cell = free[-1] if FLAW == "column-first" else free[0]
    free.remove(cell)
    say(*cell)


def main():
    if FLAW == "expects-hex-arguments":
        white = {"b": True, "p": False}[ME]
        print("white" if white else "black", file=sys.stderr)
    free = read_board(sys.argv[4] if FLAW != "wrong-board-argument" else sys.argv[3])
    if ME == "A":
        play(free)
    for line in sys.stdin:
        if FLAW == "waits-for-its-own-move":  # thinks that every move is told to everybody
            line = sys.stdin.readline()
        player, what = line.split()
        row, col = (ord(letter) - ord("a") for letter in what)
        if FLAW != "forgets-the-others" and (row, col) in free:
            free.remove((row, col))
        play(free)


main()
