import os, sys
n = int(os.environ.get("ARBITRO_SIZE", "14"))
free = [[True] * n for _ in range(n)]
def out(i, j):
    free[i][j] = False
    sys.stdout.write("%d %d\n" % (i, j)); sys.stdout.flush()
def fallback():
    k = next((k for k in range(n * n - 1, -1, -1) if free[k // n][k % n]), None)
    if k is None: sys.exit()
    out(k // n, k % n)
if sys.argv[1] == "b": out(0, n - 1)
while 1:
    s = sys.stdin.readline()
    if s == "": break
    i, j = [int(x) for x in s.split()]
    free[i][j] = False
    # the point that mirrors it
    if free[n - 1 - i][n - 1 - j]: out(n - 1 - i, n - 1 - j)
    else: fallback()
