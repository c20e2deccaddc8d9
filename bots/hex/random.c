/*
 * A Hex player that plays any legal move, each with the same chance.
 *
 * Build:  gcc -std=c99 -O2 -Wall -Wextra -o random-c random.c
 * Start:  ./random-c b     plays white, which joins the first row to the last and moves first
 *         ./random-c p     plays black, which joins the first column to the last
 *         ./random-c b d   the same, and shows the board on stderr after every move
 *
 * Type the opponent's moves as "row col", both from 0; end with Ctrl-D. ARBITRO_SIZE is the size
 * of the board (2 to 26, 14 if not set). The same ARBITRO_SEED, any text, gives the same choices.
 * ARBITRO_OPENING, such as "2 3, 7 7", has the first moves, both sides' in turn; ours are played
 * where they are legal.
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The largest board is 26 wide; a wall all around it means that no neighbour leaves the array. */
#define W 28

static const int STEPS[6] = {-1, 1, -W, W, W - 1, 1 - W};
static int n = 14;
static char board[W * W]; /* '#' wall, '-' empty, 'b' white, 'p' black; 0 is never a real cell */
static uint64_t dice;

static char other(char colour) { return colour == 'b' ? 'p' : 'b'; }

static int cell(int row, int col) { return (row + 1) * W + col + 1; }

/* The high bits of a linear congruential generator: the low ones repeat too soon to be of use. */
static int roll(int sides)
{
    dice = dice * 6364136223846793005u + 1442695040888963407u;
    return (int)((dice >> 33) % (uint64_t)sides);
}

/* Which edges of its colour the group at a cell touches: 1 the first, 2 the last, 3 both. */
static int touches(int at, char colour, char *seen)
{
    if (board[at] != colour || seen[at]) return 0;
    seen[at] = 1;
    int line = colour == 'b' ? at / W : at % W;
    int edges = (line == 1 ? 1 : 0) | (line == n ? 2 : 0);
    for (int i = 0; i < 6; i++) edges |= touches(at + STEPS[i], colour, seen);
    return edges;
}

/* `swap` is the one stone that may be played on again, which only ply 2 allows, and otherwise 0. */
static int choose(int swap)
{
    int empty[W * W], count = 0;
    if (swap && roll(2)) return swap;
    for (int at = 0; at < W * W; at++)
        if (board[at] == '-') empty[count++] = at;
    return empty[roll(count)];
}

/* The legal move that a text is, up to its end or to the character `end`; 0 if it is none. */
static int legal(const char *text, char end, int swap)
{
    char row[9], col[9], next = end;
    int words = sscanf(text, " %8[0-9]%*[ \t\n\f\r]%8[0-9] %c", row, col, &next);
    if (words < 2 || next != end || atoi(row) >= n || atoi(col) >= n) return 0;
    int at = cell(atoi(row), atoi(col));
    return board[at] == '-' || at == swap ? at : 0;
}

/* The move that ARBITRO_OPENING has for this ply, if it has one and it is legal; otherwise 0. */
static int given(int ply, int swap)
{
    const char *text = getenv("ARBITRO_OPENING");
    for (; text && ply > 1; ply--)
        if ((text = strchr(text, ','))) text++;
    return text ? legal(text, ',', swap) : 0;
}

/* Reads lines until one is a legal move; 0 when there are no more lines. */
static int read_move(int swap)
{
    char line[64];
    for (;;) {
        int c, len = 0;
        while ((c = getchar()) != EOF && c != '\n')
            if (len < 63) line[len++] = c ? (char)c : '?';
        if (c == EOF && len == 0) return 0;
        line[len] = '\0';
        /* A line that did not fit is no move, even if its beginning looks like one. */
        int at = len < 63 ? legal(line, '\0', swap) : 0;
        if (at) return at;
        fputs("invalid move; send another, as: row col\n", stderr);
    }
}

static void show(void)
{
    for (int row = 0; row < n; row++) {
        char line[2 * W] = "";
        for (int col = 0; col < n; col++) {
            line[2 * col] = board[cell(row, col)];
            line[2 * col + 1] = col < n - 1 ? ' ' : '\n';
        }
        fputs(line, stderr); /* a line at a time, because stderr does not gather characters */
    }
}

int main(int argc, char **argv)
{
    const char *size = getenv("ARBITRO_SIZE"), *seed = getenv("ARBITRO_SEED");
    char junk;
    if ((argc != 2 && argc != 3) || (strcmp(argv[1], "b") && strcmp(argv[1], "p")) ||
        (argc == 3 && strcmp(argv[2], "d")) ||
        (size && sscanf(size, "%2d%c", &n, &junk) != 1) || n < 2 || n > 26) {
        fputs("usage: random-c b|p [d]   (with ARBITRO_SIZE not set, or from 2 to 26)\n", stderr);
        return 2;
    }
    char me = argv[1][0], turn = 'b';
    int debug = argc == 3, swap = 0;

    /* The colour goes into the seed so that two of us in one game do not choose alike, and the
     * process number because many games may start within the same second. */
    dice = (uint64_t)me;
    if (!seed) dice += ((uint64_t)time(NULL) << 32) + ((uint64_t)getpid() << 8);
    for (; seed && *seed; seed++) dice = dice * 31 + (unsigned char)*seed;

    memset(board, '#', sizeof board);
    for (int row = 0; row < n; row++) memset(board + cell(row, 0), '-', (size_t)n);
    /* With this, writing to an opponent that has left is an error that we see, not our death. */
    signal(SIGPIPE, SIG_IGN);

    for (int ply = 1;; ply++) {
        int at = turn == me ? given(ply, swap) : read_move(swap);
        if (at == 0 && turn == me) at = choose(swap);
        if (at == 0) return 0;
        if (turn == me) {
            printf("%d %d\n", at / W - 1, at % W - 1);
            /* Without the flush the move would wait in a buffer, and the opponent for ever. */
            if (fflush(stdout) != 0) return 0;
        }
        /* A swap leaves the stone white and the turn black's: only the players change seats. */
        if (at == swap) {
            me = other(me);
        } else {
            board[at] = turn;
            turn = other(turn);
        }
        swap = ply == 1 ? at : 0;
        if (debug) show();
        char seen[W * W] = {0};
        if (touches(at, board[at], seen) == 3) return 0; /* somebody has won */
    }
}
