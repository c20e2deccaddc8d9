"""Closes the way of the other one: counts stones in each line and stands where most of them are."""
import sys
from collections import Counter

LINES = 14
marks = {}


def busiest(axis):
    theirs = Counter(place[axis] for place, who in marks.items() if who == "them")
    return [line for line, _ in theirs.most_common()] + list(range(LINES))


def decide(axis):
    for line in busiest(axis):
        for away in range(LINES):
            place = (line, away) if axis == 0 else (away, line)
            if place not in marks:
                return place
    sys.exit(0)


side = sys.argv[1]
axis = {"b": 1, "p": 0}[side]
turn = side == "b"
while True:
    if turn:
        place = decide(axis)
        marks[place] = "us"
        print("{} {}".format(*place))
        sys.stdout.flush()
        turn = False
        continue
    words = sys.stdin.readline().split()
    if len(words) < 2:
        sys.exit(0)
    marks[int(words[0]), int(words[1])] = "them"
    turn = True
