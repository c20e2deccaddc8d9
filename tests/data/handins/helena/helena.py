#!/usr/bin/env python3
from os import environ
from sys import argv, stdin
import itertools

size = int(environ.get('ARBITRO_SIZE', 14))
white, black, free = 'b', 'p', '.'
grid = dict.fromkeys(itertools.product(range(size), repeat=2), free)


def conductance(colour, sweeps=12):
    """Voltage on the cells when the first edge has 1 and the last 0, by relaxation."""
    weight = {cell: {colour: 8.0, free: 1.0}.get(stone, 0.0) for cell, stone in grid.items()}
    volt = {}
    for cell in grid:
        depth = cell[0] if colour == white else cell[1]
        volt[cell] = 1 - (depth + 1) / (size + 1)
    for _ in range(sweeps):
        fresh = {}
        for (i, j), own in weight.items():
            top = bottom = 0.0
            for near in (i - 1, j), (i - 1, j + 1), (i, j - 1), (i, j + 1), (i + 1, j - 1), (i + 1, j):
                if near in weight:
                    w = own * weight[near]
                    level = volt[near]
                else:
                    axis = near[0] if colour == white else near[1]
                    if 0 <= axis < size:
                        continue
                    w, level = own, 1.0 if axis < 0 else 0.0
                top += w * level
                bottom += w
            fresh[i, j] = top / bottom if bottom else volt[i, j]
        volt = fresh
    flow = {}
    for (i, j), own in weight.items():
        around = [(i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)]
        flow[i, j] = sum(abs(volt[i, j] - volt[c]) * own * weight[c] for c in around if c in weight)
    return flow


def decide():
    ours, theirs = conductance(white), conductance(black)
    return max((c for c in grid if grid[c] == free), key=lambda c: (ours[c] * theirs[c], ours[c] + theirs[c]))


def game(side):
    history = []
    to_move = white
    while True:
        if to_move == side:
            cell = decide()
            print(*cell, flush=True)
        else:
            words = stdin.readline().split()
            if not words:
                return
            cell = int(words[0]), int(words[1])
        if len(history) == 1 and history[0] == cell:
            side = white if side == black else black
        else:
            grid[cell] = to_move
            to_move = white if to_move == black else black
        history.append(cell)


game(argv[1])
