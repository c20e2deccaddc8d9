#!/usr/bin/env python3
"""Reaches for what is not its own, by Python's own means; then plays on.

What there is to reach for stands in the file `targets` beside this one. What came of each attempt is said on stderr.
"""
import os
import resource
import socket
import sys
import time
from multiprocessing import shared_memory

TARGETS = dict(line.split("=", 1) for line in open("targets").read().splitlines())
VICTIM = int(TARGETS["victim"])


def connect(family, kind, address):
    with socket.socket(family, kind) as one:
        one.connect(address)
        one.send(b"x")


ATTEMPTS = {
    "read the opponent": lambda: open(TARGETS["opponent"], "rb").read(),
    "read the journal": lambda: open(TARGETS["journal"]).read(),
    "read the home directory": lambda: open(TARGETS["secret"]).read(),
    "list the home directory": lambda: os.listdir(TARGETS["home"])[0],
    "write into the results": lambda: open(TARGETS["results"], "a"),
    "signal the victim": lambda: os.kill(VICTIM, 0),
    "renice the victim": lambda: os.setpriority(os.PRIO_PROCESS, VICTIM, 19),
    "limit the victim": lambda: resource.prlimit(VICTIM, resource.RLIMIT_CORE, (0, 0)),
    "leave its core": lambda: os.sched_setaffinity(0, range(os.cpu_count())),
    "tcp": lambda: connect(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", int(TARGETS["tcp"]))),
    "udp": lambda: connect(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", int(TARGETS["udp"]))),
    "abstract socket": lambda: connect(socket.AF_UNIX, socket.SOCK_STREAM, "\0" + TARGETS["token"]),
    "files in /tmp": lambda: open(TARGETS["tmp"]).read(),
    "files in /dev/shm": lambda: shared_memory.SharedMemory(os.path.basename(TARGETS["shm"])),
    "set the clock": lambda: time.clock_settime(time.CLOCK_REALTIME, time.time()),
    "environment": lambda: os.environ["ZOO_SECRET"],
}


def main():
    for name, act in ATTEMPTS.items():
        try:
            act()
            print("succeeded:", name, file=sys.stderr)
        except Exception as error:
            print(f"refused: {name} ({type(error).__name__}: {error})", file=sys.stderr)
    size, taken = int(os.environ["ARBITRO_SIZE"]), set()
    ours = sys.argv[1] == "b"
    cells = [(row, col) for row in range(size) for col in range(size)]
    while True:
        if ours:
            move = next(cell for cell in cells if cell not in taken)
            taken.add(move)
            print(*move, flush=True)
        line = sys.stdin.readline()
        if not line:
            return
        taken.add(tuple(map(int, line.split())))
        ours = True


main()
