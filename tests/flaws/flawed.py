#!/usr/bin/env python3
"""A Hex bot with one flaw, as students write them: flawed.py FLAW b|p

Without its flaw it is sound: it plays a line of stones towards itself, marks every stone, and knows the swap. Each flaw below
replaces one part of it.
"""
import math
import os
import sys
import threading
import time


class Bot:
    def __init__(self):
        self.size = int(os.environ.get("ARBITRO_SIZE", "14"))
        self.me = sys.argv[2]
        self.board = {}
        self.last = None
        self.plies = 0

    def start(self):
        pass

    def free(self, row, col):
        return (row, col) not in self.board

    def mark(self, row, col, colour):
        self.board[row, col] = colour

    def choose(self):
        """The middle line between our sides, from its end; then any other cell."""
        middle = self.size // 2
        line = [(i, middle) if self.me == "b" else (middle, i) for i in reversed(range(self.size))]
        rest = [(row, col) for row in reversed(range(self.size)) for col in reversed(range(self.size))]
        return next(cell for cell in line + rest if self.free(*cell))

    def say(self, row, col):
        print(row, col, flush=True)

    def read(self):
        row, col = input().split()
        return int(row), int(col)

    def play(self):
        row, col = self.choose()
        self.mark(row, col, self.me)
        self.last = (row, col)
        self.plies += 1
        self.say(row, col)

    def hear(self, row, col):
        self.plies += 1
        if self.plies == 2 and (row, col) == self.last:
            self.swapped()
        else:
            self.mark(row, col, "p" if self.me == "b" else "b")

    def swapped(self):
        self.mark(*self.last, "b")
        self.me = "p"

    def run(self):
        self.start()
        if self.me == "b":
            self.play()
        while True:
            self.hear(*self.read())
            self.play()


FLAWS = {}


def flaw(make):
    FLAWS[make.__name__.replace("_", "-")] = make
    return make


def row_by_row(bot):
    bot.choose = lambda: next((r, c) for r in range(bot.size) for c in range(bot.size) if bot.free(r, c))


@flaw
def sound(bot):
    """No flaw: the opponent of others."""
    row_by_row(bot)


# ------------------------------------------------------------------ moves that are not allowed

@flaw
def counts_from_1(bot):
    bot.say = lambda row, col: print(row + 1, col + 1, flush=True)


@flaw
def rows_from_1(bot):
    bot.say = lambda row, col: print(row + 1, col, flush=True)


@flaw
def prints_column_first(bot):
    row_by_row(bot)
    bot.say = lambda row, col: print(col, row, flush=True)


@flaw
def reads_column_first(bot):
    row_by_row(bot)

    def read():
        col, row = map(int, input().split())
        return row, col
    bot.read = read


@flaw
def echoes_the_opponent(bot):
    """Shows what it has read before it answers."""
    def hear(row, col):
        print(row, col, flush=True)
        Bot.hear(bot, row, col)
    bot.hear = hear


@flaw
def swaps_late(bot):
    """Takes the opponent's latest stone, on any ply that it likes."""
    def choose():
        if bot.plies == 3 and bot.me == "p":
            return bot.theirs
        return Bot.choose(bot)

    def hear(row, col):
        bot.theirs = (row, col)
        Bot.hear(bot, row, col)
    bot.choose, bot.hear = choose, hear


@flaw
def swaps_as_white(bot):
    """Repeats black's first stone, though only black may swap."""
    def hear(row, col):
        Bot.hear(bot, row, col)
        if bot.plies == 2:
            bot.choose = lambda: (row, col)
    bot.hear = hear


@flaw
def size_is_always_14(bot):
    bot.size = 14


@flaw
def turned_tokens_are_free(bot):
    """In RHEX: believes that a token is gone once it has been turned over, and plays there again."""
    def choose():
        if bot.plies >= 2:
            return bot.theirs
        return Bot.choose(bot)

    def hear(row, col):
        bot.theirs = (row, col)
        Bot.hear(bot, row, col)
    bot.choose, bot.hear = choose, hear


@flaw
def swaps_at_once(bot):
    """Repeats white's first move, as in Hex."""
    def hear(row, col):
        bot.choose = lambda: (row, col)
        Bot.hear(bot, row, col)
    bot.hear = hear


# ------------------------------------------------------------------ flaws whose consequence comes much later

@flaw
def two_first_moves_and_a_late_end(bot):
    """Two moves at its first turn; ten moves later it notices that the boards differ, and waits for another move."""
    def say(row, col):
        if bot.plies == 1:
            bot.mark(0, 0, bot.me)
            os.write(1, f"{row} {col}\n0 0\n".encode())
        else:
            if bot.plies > 20:
                input()
            print(row, col, flush=True)
    bot.say = say


@flaw
def prompts_from_its_eleventh_move_on(bot):
    def read():
        row, col = input("Sua vez: " if bot.plies >= 19 else "").split()
        return int(row), int(col)
    bot.read = read


@flaw
def never_reads_but_takes_its_time(bot):
    """It is slower than its opponent, so that its moves come in its turn though it reads nothing."""
    def run():
        while True:
            bot.play()
            time.sleep(0.05)
    bot.run = run


# ------------------------------------------------------------------ lines that are not moves

@flaw
def prints_a_tuple(bot):
    bot.say = lambda row, col: print((row, col), flush=True)


@flaw
def prints_floats(bot):
    bot.say = lambda row, col: print(row / 1, col / 1, flush=True)


@flaw
def prints_swap_as_a_word(bot):
    bot.play = lambda: (print("swap", flush=True), bot.swapped())
    bot.last = (0, 0)


@flaw
def prints_two_lines(bot):
    bot.say = lambda row, col: (print(row), print(col, flush=True))


@flaw
def input_with_a_prompt(bot):
    def read():
        row, col = input("Jogada do adversario: ").split()
        return int(row), int(col)
    bot.read = read


@flaw
def ends_with_a_blank(bot):
    bot.say = lambda row, col: print(row, col, end=" ")


@flaw
def prints_none(bot):
    """Its search forgets to return the move."""
    def search():
        Bot.choose(bot)

    def play():
        move = search()
        row, col = move if move else (None, None)
        print(row, col, flush=True)
    bot.play = play


@flaw
def prints_a_wide_blank(bot):
    bot.say = lambda row, col: print(row, col, sep="\u00a0", flush=True)


@flaw
def prints_wide_digits(bot):
    wide = str.maketrans("0123456789", "０１２３４５６７８９")
    bot.say = lambda row, col: print(f"{row} {col}".translate(wide), flush=True)


@flaw
def prints_the_score_too(bot):
    bot.say = lambda row, col: print(row, col, 0.73, flush=True)


@flaw
def prints_one_number(bot):
    bot.say = lambda row, col: print(row * bot.size + col, flush=True)


@flaw
def prints_bytes(bot):
    bot.say = lambda row, col: print(f"{row} {col}".encode(), flush=True)


@flaw
def leaves_debug_prints_in(bot):
    def choose():
        for depth in range(30):
            print("depth", depth, "best", 0.5 + depth / 100)
        return Bot.choose(bot)
    bot.choose = choose


@flaw
def shouts_invalid(bot):
    """Takes every move for invalid, and says so for ever."""
    def hear(row, col):
        while True:
            print("Jogada invalida!", row, col, flush=True)
    bot.hear = hear


# ------------------------------------------------------------------ reading and taking turns

@flaw
def never_reads(bot):
    """Thinks up all its moves at once."""
    def run():
        cells = [(row, col) for row in range(bot.size) for col in range(bot.size)]
        print("\n".join(f"{row} {col}" for row, col in cells), flush=True)
        time.sleep(60)
    bot.run = run


@flaw
def reads_to_the_end(bot):
    def run():
        moves = sys.stdin.read().split("\n")
        for move in moves:
            bot.hear(*map(int, move.split()))
            bot.play()
    bot.run = run


@flaw
def reads_all_lines(bot):
    def run():
        bot.play()
        for line in sys.stdin.readlines():
            bot.hear(*map(int, line.split()))
            bot.play()
    bot.run = run


@flaw
def forgets_whose_turn_it_is(bot):
    """Does not switch the player after it has read a move, and reads the next one."""
    def run():
        turn = "b"
        while True:
            if turn == bot.me:
                bot.play()
                turn = "p" if turn == "b" else "b"
            else:
                bot.hear(*bot.read())
    bot.run = run


@flaw
def waits_for_a_greeting(bot):
    bot.start = lambda: input()


@flaw
def reads_first_and_goes_on(bot):
    def run():
        while bot.plies < bot.size ** 2:
            move = sys.stdin.readline().split()
            if move:
                bot.hear(*map(int, move))
            bot.play()
    bot.run = run


# ------------------------------------------------------------------ the swap

@flaw
def takes_the_swap_for_invalid(bot):
    def read():
        while True:
            row, col = Bot.read(bot)
            if bot.free(row, col):
                return row, col
            print("invalid move, again please", file=sys.stderr)
    bot.read = read


@flaw
def exits_when_swapped(bot):
    def swapped():
        print("my stone is gone", file=sys.stderr)
        sys.exit(1)
    bot.swapped = swapped


@flaw
def ignores_the_swap(bot):
    bot.choose = lambda: central(bot)
    bot.swapped = lambda: None


@flaw
def swaps_and_keeps_its_colour(bot):
    def choose():
        if bot.plies == 1:
            return next(iter(bot.board))
        return central(bot)
    bot.choose = choose
    bot.mark = lambda row, col, colour: bot.board.setdefault((row, col), colour)


def central(bot):
    middle = bot.size // 2
    cells = [(i, middle) if bot.me == "b" else (middle, i) for i in range(bot.size)]
    cells.sort(key=lambda cell: abs(cell[0] - middle) + abs(cell[1] - middle))
    cells += [(row, col) for row in range(bot.size) for col in range(bot.size)]
    return next(cell for cell in cells if bot.free(*cell))


# ------------------------------------------------------------------ the wrong idea of the board

@flaw
def wrong_neighbours(bot):
    """Thinks that diagonal cells touch, and plays down a diagonal that does not hold together."""
    diagonal = [(i, i) for i in range(bot.size)] if bot.me == "b" else [(i, i) for i in range(bot.size)]
    bot.choose = lambda: next((cell for cell in diagonal if bot.free(*cell)), None) or Bot.choose(bot)


# ------------------------------------------------------------------ time and memory

@flaw
def two_seconds_a_move(bot):
    def choose():
        end = time.process_time() + 2
        while time.process_time() < end:
            math.sqrt(2)
        return Bot.choose(bot)
    bot.choose = choose


@flaw
def sleeps_a_second(bot):
    bot.choose = lambda: (time.sleep(1), Bot.choose(bot))[1]


@flaw
def starts_slowly(bot):
    bot.start = lambda: time.sleep(20)


@flaw
def searches_too_deep(bot):
    """Tries all games: fine on 3x3, endless on 7x7."""
    def search(cells, depth):
        return depth if not cells else max(search(cells - {cell}, depth + 1) for cell in cells)

    def choose():
        search(frozenset((r, c) for r in range(bot.size) for c in range(bot.size) if bot.free(r, c)), 0)
        return Bot.choose(bot)
    bot.choose = choose


@flaw
def deadlock(bot):
    """Two threads, two locks, taken in different orders."""
    first, second, ready = threading.Lock(), threading.Lock(), threading.Barrier(2)

    def both(one, other):
        with one:
            ready.wait()
            with other:
                pass

    def choose():
        helper = threading.Thread(target=both, args=(second, first), daemon=True)
        helper.start()
        both(first, second)
        return Bot.choose(bot)
    bot.choose = choose


@flaw
def keeps_every_board(bot):
    """Grows by tens of megabytes a move."""
    history = []

    def choose():
        history.append(bytearray(os.urandom(1024)) * 40 * 1024)
        return Bot.choose(bot)
    bot.choose = choose


# ------------------------------------------------------------------ crashes and exits

@flaw
def exits_after_each_move(bot):
    bot.run = lambda: bot.play()


@flaw
def index_error(bot):
    cells = [[None] * bot.size for _ in range(bot.size)]

    def hear(row, col):
        Bot.hear(bot, row, col)
        print(cells[row][col + bot.size], file=sys.stderr)
    bot.hear = hear


@flaw
def int_of_the_whole_line(bot):
    def read():
        row = int(input())
        col = int(input())
        return row, col
    bot.read = read


@flaw
def endless_recursion(bot):
    def search(depth):
        return search(depth + 1)
    bot.choose = lambda: search(0)


@flaw
def needs_another_argument(bot):
    bot.start = lambda: setattr(bot, "size", int(sys.argv[3]))


@flaw
def swallows_its_error(bot):
    def run():
        try:
            bot.play()
            row, col = input().split(",")
            bot.hear(int(row), int(col))
        except Exception:
            pass
    bot.run = run


@flaw
def closes_stdout(bot):
    """Ends its first move by closing the file it writes to."""
    def say(row, col):
        with sys.stdout as out:
            print(row, col, file=out)
    bot.say = say


@flaw
def logs_beside_itself(bot):
    log = os.path.join(os.path.dirname(os.path.abspath(__file__)), "game.log")
    bot.start = lambda: open(log, "w")


@flaw
def logs_in_home(bot):
    bot.start = lambda: open("/home/aluno/hex/game.log", "a")


@flaw
def needs_a_book(bot):
    bot.start = lambda: open("book.txt")


@flaw
def asks_the_network(bot):
    import socket
    bot.start = lambda: socket.create_connection(("93.184.216.34", 80), timeout=1)


@flaw
def needs_a_module(bot):
    import numpy_of_mine
    bot.engine = numpy_of_mine


@flaw
def moves_from_a_child(bot):
    """Starts a child that plays, and leaves."""
    def run():
        if os.fork() == 0:
            time.sleep(0.3)
            Bot.run(bot)
        os._exit(0)
    bot.run = run


@flaw
def begins_a_session(bot):
    import subprocess
    bot.start = lambda: subprocess.Popen(["sleep", "60"], stdout=2, start_new_session=True)


def main():
    bot = Bot()
    FLAWS[sys.argv[1]](bot)
    try:
        bot.run()
    except EOFError:
        pass  # The game is over.


main()
