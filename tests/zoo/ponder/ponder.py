#!/usr/bin/env python3
"""Goes on thinking in two threads while it waits. Usage: ponder.py b|p"""
import os
import sys
import threading


def think():
    thought = 0
    while True:
        thought += 1


def main(side):
    size = int(os.environ.get("ARBITRO_SIZE", "14"))
    free = [(row, column) for row in range(size) for column in range(size)]
    for _ in range(2):
        threading.Thread(target=think, daemon=True).start()
    ours = side == "b"
    while True:
        if ours:
            print(*free.pop(0), flush=True)
        line = sys.stdin.readline()
        if not line:
            # Threads that think leave the interpreter no time to take itself down in order.
            os._exit(0)
        free.remove(tuple(map(int, line.split())))
        ours = True


main(sys.argv[1])
