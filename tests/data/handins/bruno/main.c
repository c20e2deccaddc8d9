// Monte Carlo. Fill the board at random many times, count how often I win with each cell.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct { int parent[26 * 26 + 4]; } Sets;

static int N, cells;
static signed char board[26 * 26];

static int find(Sets *s, int x) {
    while (s->parent[x] != x) {
        s->parent[x] = s->parent[s->parent[x]];
        x = s->parent[x];
    }
    return x;
}

static void join(Sets *s, int a, int b) { s->parent[find(s, a)] = find(s, b); }

// is the full board won by white (rows)?
static bool white_wins(const signed char *b) {
    static Sets s;
    for (int i = 0; i < cells + 2; i++) s.parent[i] = i;
    for (int at = 0; at < cells; at++) {
        if (b[at] != 0) continue;
        int r = at / N, c = at % N;
        if (r == 0) join(&s, at, cells);
        if (r == N - 1) join(&s, at, cells + 1);
        if (c + 1 < N && b[at + 1] == 0) join(&s, at, at + 1);
        if (r + 1 < N && b[at + N] == 0) join(&s, at, at + N);
        if (r + 1 < N && c > 0 && b[at + N - 1] == 0) join(&s, at, at + N - 1);
    }
    return find(&s, cells) == find(&s, cells + 1);
}

static int think(int me) {
    static int wins[26 * 26], tries[26 * 26], empty[26 * 26];
    int count = 0;
    for (int at = 0; at < cells; at++) {
        wins[at] = tries[at] = 0;
        if (board[at] < 0) empty[count++] = at;
    }
    for (int game = 0; game < 300; game++) {
        signed char b[26 * 26];
        for (int i = count - 1; i > 0; i--) {
            int j = rand() % (i + 1), t = empty[i];
            empty[i] = empty[j], empty[j] = t;
        }
        for (int at = 0; at < cells; at++) b[at] = board[at];
        for (int i = 0; i < count; i++) b[empty[i]] = i % 2 ? !me : me;
        bool won = white_wins(b) == (me == 0);
        for (int i = 0; i < count; i += 2) tries[empty[i]]++, wins[empty[i]] += won;
    }
    int best = empty[0];
    for (int i = 1; i < count; i++)
        if (wins[empty[i]] * (long)tries[best] > wins[best] * (long)tries[empty[i]]) best = empty[i];
    return best;
}

int main(int argc, char **argv) {
    N = getenv("ARBITRO_SIZE") ? atoi(getenv("ARBITRO_SIZE")) : 14;
    cells = N * N;
    if (getenv("ARBITRO_SEED")) srand(atoi(getenv("ARBITRO_SEED")));
    for (int i = 0; i < cells; i++) board[i] = -1;
    int me = argc > 1 && argv[1][0] == 'p', turn = 0, first = -1;
    for (int ply = 1;; ply++) {
        int r, c, at;
        if (turn == me) {
            at = think(me);
            printf("%d %d\n", at / N, at % N);
            fflush(stdout);
        } else {
            char line[100];
            if (!fgets(line, sizeof line, stdin) || sscanf(line, "%d%d", &r, &c) < 2) break;
            at = r * N + c;
        }
        if (ply == 2 && at == first) me = !me;
        else board[at] = turn, turn = !turn;
        if (ply == 1) first = at;
    }
    return 0;
}
