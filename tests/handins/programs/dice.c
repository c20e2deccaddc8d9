// plays anywhere; the dice are a linear congruential generator
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct { int taken[196]; int left; } Game;
static uint64_t dice = 88172645463325252ull;

static unsigned roll(unsigned sides) {
    dice = dice * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)((dice >> 33) % sides);
}

static void mark(Game *g, int where) {
    if (where >= 0 && where < 196 && !g->taken[where]) {
        g->taken[where] = 1;
        g->left--;
    }
}

static void play(Game *g) {
    if (g->left == 0) exit(EXIT_SUCCESS);
    unsigned which = roll((unsigned)g->left);
    int where = 0;
    while (g->taken[where] || which-- > 0) where++;
    mark(g, where);
    char line[16];
    int length = snprintf(line, sizeof line, "%d %d\n", where / 14, where % 14);
    if (write(1, line, (size_t)length) < 0) exit(EXIT_FAILURE);
}

int main(int argc, char **argv) {
    Game g = {{0}, 196};
    char line[64];
    if (argc > 1 && *argv[1] == 'b') play(&g);
    while (fgets(line, sizeof line, stdin)) {
        char *end;
        long row = strtol(line, &end, 10), col = strtol(end, NULL, 10);
        mark(&g, (int)(row * 14 + col));
        play(&g);
    }
}
