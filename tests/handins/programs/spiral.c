/* Begins in the middle of the board and goes round it in growing squares. */
#include <stdio.h>
#include <stdlib.h>

#define SIDE 14

static char used[SIDE][SIDE];

static int inside(int r, int c) { return r >= 0 && c >= 0 && r < SIDE && c < SIDE; }

static void answer(void) {
    int r = SIDE / 2, c = SIDE / 2, step = 1, turn = 0;
    const int dr[] = {0, 1, 0, -1}, dc[] = {1, 0, -1, 0};
    for (;;) {
        for (int half = 0; half < 2; half++, turn = (turn + 1) % 4)
            for (int k = 0; k < step; k++, r += dr[turn], c += dc[turn])
                if (inside(r, c) && !used[r][c]) {
                    used[r][c] = 1;
                    printf("%d %d\n", r, c);
                    fflush(stdout);
                    return;
                }
        if (++step > 2 * SIDE)
            exit(0);
    }
}

int main(int argc, char **argv) {
    int r, c;
    if (argc < 2)
        return 2;
    if (argv[1][0] == 'b')
        answer();
    while (scanf("%d %d", &r, &c) == 2) {
        if (inside(r, c))
            used[r][c] = 1;
        answer();
    }
    return 0;
}
