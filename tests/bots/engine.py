#!/usr/bin/env python3
"""A Hex engine that speaks HTP in its own way: each word on its command line is a quirk.

  swaps            swaps whenever it can, with swap-pieces (swaps-sides: with swap-sides)
  refuses          answers an error to every move of the opponent
  spaced           blanks and tabs wherever they do no harm, and more empty lines than need be
  chatty           comments on stdout before its answers and behind its moves
  late-errors      an error, with the number of a command that it has answered well before
  no-numbers       does not know numbers before commands
  bare             knows nothing but what a game takes: no list_commands, no time_left
  short-time       time_left with two arguments only, as MoHex has it
  needs-setup      does not play unless 'tune 7' was sent
  resigns N, errs N, dies N, hangs N, half N, twice N, nonsense N, taken N, off N, passes N
                   does that when it is asked for its N-th move
"""
import random
import sys


def cell_name(row, column):
    return f"{chr(ord('a') + column)}{row + 1}"


class Engine:
    def __init__(self, quirks):
        self.quirks = quirks
        self.size = 11
        self.stones = {}
        self.plies = 0
        self.asked = 0
        self.tuned = False
        self.rng = random.Random(7)

    def due(self, quirk):
        return quirk in self.quirks and self.asked == int(self.quirks[self.quirks.index(quirk) + 1])

    def run(self):
        for line in sys.stdin:
            words = line.split("#")[0].split()
            if not words:
                continue
            number = ""
            if words[0].isdigit() and "no-numbers" not in self.quirks:
                number = words.pop(0)
            command, arguments = words[0], words[1:]
            try:
                good, text = True, self.answer(command, arguments)
            except (LookupError, ValueError) as error:
                good, text = False, str(error)
            self.write(("=" if good else "?") + number, text)
            if command == "quit":
                return

    def write(self, sign, text):
        if "chatty" in self.quirks:
            print(f"# thinking about {sign}")
        if "spaced" in self.quirks:
            print(f"  {sign}\t  {text}   \r\n\r\n\n", flush=True)
        elif self.due("half") and text:
            print(f"{sign} {text}", flush=True)
        else:
            print(f"{sign} {text}\n", flush=True)
        if self.due("twice") and text:
            print(f"{sign} {text}\n", flush=True)
        if "late-errors" in self.quirks and sign[1:].isdigit():
            print(f"?{sign[1:]} on second thoughts, no\n", flush=True)

    def answer(self, command, arguments):
        handler = getattr(self, "do_" + command, None)
        if handler is None or ("bare" in self.quirks and command in ("list_commands", "time_left")):
            raise ValueError("unknown command")
        return handler(*arguments) or ""

    def do_list_commands(self):
        return "\n".join(name[3:] for name in dir(self) if name.startswith("do_"))

    def do_tune(self, value):
        self.tuned = value == "7"

    def do_name(self):
        return "stand-in"

    def do_boardsize(self, size):
        if "needs-setup" in self.quirks and not self.tuned:
            raise ValueError("tune me first")
        self.size = int(size)

    def do_clear_board(self):
        self.stones = {}
        self.plies = 0

    def do_time_left(self, colour, seconds, *stones):
        if "short-time" in self.quirks and stones:
            raise ValueError("wrong number of arguments")
        print(f"time_left {colour} {seconds}", file=sys.stderr)

    def do_play(self, colour, vertex):
        cell = (int(vertex[1:]) - 1, ord(vertex[0]) - ord("a"))
        if "refuses" in self.quirks or cell in self.stones or max(cell) >= self.size:
            raise ValueError("illegal move")
        self.stones[cell] = colour
        self.plies += 1

    def do_genmove(self, colour):
        self.asked += 1
        if self.due("errs"):
            raise ValueError("I do not feel like it")
        if self.due("dies"):
            print("out of ideas", file=sys.stderr)
            sys.exit(3)
        if self.due("hangs"):
            sys.stdin.read()
        for quirk, said in [
            ("resigns", "resign"),
            ("nonsense", "e4 e5"),
            ("off", "z26"),
            ("passes", "PASS"),
        ]:
            if self.due(quirk):
                return said
        if self.due("taken"):
            return cell_name(*next(iter(self.stones)))
        if self.plies == 1 and colour == "white" and list(self.stones.values()) == ["black"]:
            if "swaps" in self.quirks:
                return "Swap-Pieces"
            if "swaps-sides" in self.quirks:
                return "swap-sides"
        free = [(r, c) for r in range(self.size) for c in range(self.size) if (r, c) not in self.stones]
        row, column = self.rng.choice(free)
        self.stones[row, column] = colour
        self.plies += 1
        name = cell_name(row, column)
        return f"{name.upper()}  # not bad" if "chatty" in self.quirks else name

    def do_quit(self):
        pass


Engine(sys.argv[1:]).run()
