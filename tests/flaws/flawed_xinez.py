#!/usr/bin/env python3
"""A bot for Xadrez Xinez with one flaw, as students write them: flawed_xinez.py FLAW PLAYER PLAYERS N

For N = 2 only, where player 1 has its pieces on 3, 4 and 9 and player 4 on 15, 20 and 21. Its first move is the flaw.
"""
import sys

FLAW, ME = sys.argv[1:3]

FIRST = {
    "coordinates": "-1 -2 -1 -1",     # (u, v) of both cells in place of their numbers
    "own-number-first": f"{ME} 3 2",
    "pass": "pass",
    "arrow": "3->2",
    "goes-too-far": "3 12",           # from its home to the centre
    "onto-a-piece": "4 3",
    "moves-the-opponent": "15 16",
    "from-an-empty-cell": "12 13",
    "off-the-board": "3 99",
    "does-not-move": "3 3",
    "one-cell": "2",
}
# Sees the board as player 1 does, whoever it is: it moves a piece that is player 1's.
FIRST["does-not-turn-the-board"] = "3 2"


def main():
    if ME != "1":
        sys.stdin.readline()
    print(FIRST[FLAW], flush=True)
    sys.stdin.read()


main()
