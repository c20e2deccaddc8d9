# plays beside the opponent's last stone
import random
import sys

SIZE = 14
AROUND = [(-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)]
random.seed(7)


class Board:
    def __init__(self):
        self.empty = {(r, c) for r in range(SIZE) for c in range(SIZE)}
        self.last = (SIZE // 2, SIZE // 2)

    def opponent(self, text):
        self.last = tuple(int(part) for part in text.split())
        self.empty.discard(self.last)

    def reply(self):
        near = [(self.last[0] + dr, self.last[1] + dc) for dr, dc in AROUND]
        options = [cell for cell in near if cell in self.empty] or sorted(self.empty)
        cell = random.choice(options)
        self.empty.remove(cell)
        return "%d %d" % cell


def main():
    board = Board()
    if sys.argv[1] == "b":
        print(board.reply(), flush=True)
    for line in sys.stdin:
        board.opponent(line)
        if not board.empty:
            break
        print(board.reply(), flush=True)


if __name__ == "__main__":
    main()
