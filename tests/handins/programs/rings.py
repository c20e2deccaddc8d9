import sys

def rings(n):
    lo, hi = 0, n - 1
    while lo <= hi:
        for k in range(lo, hi + 1):
            yield lo, k
        for k in range(lo + 1, hi + 1):
            yield k, hi
        if lo < hi:
            for k in range(hi - 1, lo - 1, -1):
                yield hi, k
            for k in range(hi - 1, lo, -1):
                yield k, lo
        lo, hi = lo + 1, hi - 1

# from the outermost ring to the middle: not good, but it never repeats itself
order = iter(rings(14))
gone = set()

def say():
    for cell in order:
        if cell not in gone:
            print(cell[0], cell[1], flush=True)
            return True
    return False

alive = say() if "b" in sys.argv[1:2] else True
while alive:
    try:
        a, b = input().split()
    except EOFError:
        break
    gone.add((int(a), int(b)))
    alive = say()
