/*
 * A Hex player that counts how many stones each side still needs to connect, and plays where that
 * matters most to both. The same moves from the opponent always get the same answers.
 *
 * Build:  gcc -std=c99 -O2 -Wall -Wextra -o path-c path.c
 * Start:  ./path-c b     plays white, which joins the first row to the last and moves first
 *         ./path-c p     plays black, which joins the first column to the last
 *         ./path-c b d   the same, and shows the board on stderr after every move
 *
 * Type the opponent's moves as "row col", both from 0; end with Ctrl-D.
 * ARBITRO_SIZE is the size of the board (2 to 26, 14 if not set). ARBITRO_OPENING, such as
 * "2 3, 7 7", has the first moves, both sides' in turn; ours are played where they are legal.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The largest board is 26 wide; a wall all around it means that no neighbour leaves the array. */
#define W 28
#define FAR 1000 /* more stones than any path needs */

static const int STEPS[6] = {-1, 1, -W, W, W - 1, 1 - W};
static int n = 14;
static char board[W * W]; /* '#' wall, '-' empty, 'b' white, 'p' black; 0 is never a real cell */

static char other(char colour) { return colour == 'b' ? 'p' : 'b'; }

static int cell(int row, int col) { return (row + 1) * W + col + 1; }

/* Cell i of an edge of this colour: of its first one (line 0) or of its last one (line n - 1). */
static int edge(char colour, int line, int i)
{
    return colour == 'b' ? cell(line, i) : cell(i, line);
}

static int queue[2 * W * W], head, tail;

/* Queues a cell that lies next to one at distance `before`, unless it is known or the enemy's.
 * Stones go to the front and empty cells to the back, so that cells leave in order of distance:
 * the first distance found is the right one, and every cell enters once. */
static void visit(int at, int before, char colour, int *dist)
{
    if (dist[at] != FAR) return;
    if (board[at] == colour) {
        dist[at] = before;
        queue[--head] = at;
    } else if (board[at] == '-') {
        dist[at] = before + 1;
        queue[tail++] = at;
    }
}

/* For every cell, how many stones a colour must add to join it, itself included, to one of its two
 * edges: a shortest path where own stones cost 0, empty cells 1, and nobody passes the enemy's. */
static void distances(char colour, int line, int *dist)
{
    head = tail = W * W;
    for (int at = 0; at < W * W; at++) dist[at] = FAR;
    for (int i = 0; i < n; i++) visit(edge(colour, line, i), 0, colour, dist);
    while (head < tail) {
        int at = queue[head++];
        for (int i = 0; i < 6; i++) visit(at + STEPS[i], dist[at], colour, dist);
    }
}

static int won(char colour)
{
    int dist[W * W];
    distances(colour, 0, dist);
    for (int i = 0; i < n; i++)
        if (dist[edge(colour, n - 1, i)] == 0) return 1;
    return 0;
}

/* Twice the number of steps to the centre, which on an even board lies between the cells. */
static int off_centre(int at)
{
    int down = abs(2 * (at / W) - n - 1), right = abs(2 * (at % W) - n - 1);
    int slant = abs(2 * (at / W + at % W) - 2 * n - 2);
    int most = down > right ? down : right;
    return slant > most ? slant : most;
}

/* `swap` is the one stone that may be played on again, which only ply 2 allows, and otherwise 0. */
static int choose(int ply, int swap)
{
    int dist[4][W * W], best = 0, least = 0;
    /* A first stone near the centre would be taken from us, and we take one from the opponent. */
    if (ply == 1) return cell(n > 3 ? 3 : n - 1, 1);
    if (swap && 3 * off_centre(swap) <= 2 * n) return swap;
    distances('b', 0, dist[0]);
    distances('b', n - 1, dist[1]);
    distances('p', 0, dist[2]);
    distances('p', n - 1, dist[3]);
    /* The sum is the length of our best path through the cell plus that of the enemy's. Any two
     * such paths cross, so the least sum is a cell on a shortest path of both. Among equals, the
     * nearest to the centre, then the first: a row comes before the next. */
    for (int at = 0; at < W * W; at++) {
        int sum = dist[0][at] + dist[1][at] + dist[2][at] + dist[3][at];
        sum = sum * 100 + off_centre(at);
        if (board[at] == '-' && (best == 0 || sum < least)) {
            best = at;
            least = sum;
        }
    }
    return best;
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
    const char *size = getenv("ARBITRO_SIZE");
    char junk;
    if ((argc != 2 && argc != 3) || (strcmp(argv[1], "b") && strcmp(argv[1], "p")) ||
        (argc == 3 && strcmp(argv[2], "d")) ||
        (size && sscanf(size, "%2d%c", &n, &junk) != 1) || n < 2 || n > 26) {
        fputs("usage: path-c b|p [d]   (with ARBITRO_SIZE not set, or from 2 to 26)\n", stderr);
        return 2;
    }
    char me = argv[1][0], turn = 'b';
    int debug = argc == 3, swap = 0;
    memset(board, '#', sizeof board);
    for (int row = 0; row < n; row++) memset(board + cell(row, 0), '-', (size_t)n);
    /* With this, writing to an opponent that has left is an error that we see, not our death. */
    signal(SIGPIPE, SIG_IGN);

    for (int ply = 1;; ply++) {
        int at = turn == me ? given(ply, swap) : read_move(swap);
        if (at == 0 && turn == me) at = choose(ply, swap);
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
        if (won(board[at])) return 0; /* the colour of the last stone is the only one that can */
    }
}
