import os, random, sys

# Monte Carlo with flood fill

SIZE = int(os.environ.get("ARBITRO_SIZE", 14))
AROUND = [(-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)]


def rows_connected(board):
    stack = [(0, c) for c in range(SIZE) if board[0][c] == 1]
    seen = set(stack)
    while stack:
        r, c = stack.pop()
        if r == SIZE - 1:
            return True
        for dr, dc in AROUND:
            p = (r + dr, c + dc)
            if 0 <= p[0] < SIZE and 0 <= p[1] < SIZE and p not in seen and board[p[0]][p[1]] == 1:
                seen.add(p)
                stack.append(p)
    return False


def playout(board, me):
    copy = [row[:] for row in board]
    free = [(r, c) for r in range(SIZE) for c in range(SIZE) if board[r][c] == 0]
    random.shuffle(free)
    half = (len(free) + 1) // 2
    for r, c in free[:half]:
        copy[r][c] = me
    for r, c in free[half:]:
        copy[r][c] = 3 - me
    return rows_connected(copy) == (me == 1), free[:half]


def pick(board, me):
    score = {}
    for _ in range(60):
        won, mine = playout(board, me)
        for cell in mine:
            total, wins = score.get(cell, (0, 0))
            score[cell] = total + 1, wins + won
    return max(score, key=lambda cell: score[cell][1] / score[cell][0])


random.seed(os.environ.get("ARBITRO_SEED"))
board = [[0] * SIZE for _ in range(SIZE)]
me = 1 if sys.argv[1] == "b" else 2
turn, last, ply = 1, None, 0
while True:
    if turn == me:
        move = pick(board, me)
        print(move[0], move[1], flush=True)
    else:
        line = sys.stdin.readline()
        if not line:
            break
        move = tuple(int(word) for word in line.split())
    ply += 1
    if ply == 2 and move == last:
        me = 3 - me
        continue
    board[move[0]][move[1]] = turn
    last = move
    turn = 3 - turn
