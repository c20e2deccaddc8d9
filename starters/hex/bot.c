/*
 * A Hex player to start from. It knows the rules and the protocol; how to think is up to you: see choose() and wants_swap().
 *
 * Start:  ./bot b     plays white, which joins row 0 to the last row and moves first
 *         ./bot p     plays black, which joins column 0 to the last column
 *         ./bot b d   the same, and shows the board on stderr after every move
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 26 };

typedef struct {
    int row, col;
} Cell;

static int n = 14;             /* the size of the board */
static char board[MOST][MOST]; /* '-' empty, 'b' white, 'p' black */

static char other(char side) { return side == 'b' ? 'p' : 'b'; }

static int is_empty(Cell at)
{
    return at.row >= 0 && at.row < n && at.col >= 0 && at.col < n && board[at.row][at.col] == '-';
}

static int is_same(Cell one, Cell two) { return one.row == two.row && one.col == two.col; }

/* The move of the player `me`; 0 if the board is full. The six neighbours of (row, col) are (row, col-1), (row, col+1),
 * (row-1, col), (row+1, col), (row-1, col+1) and (row+1, col-1). */
static int choose(char me, Cell *move)
{
    static Cell empty[MOST * MOST];
    int count = 0;
    for (int row = 0; row < n; row++)
        for (int col = 0; col < n; col++)
            if (board[row][col] == '-') empty[count++] = (Cell){row, col};
    if (count == 0) return 0;
    /* your idea goes here: this is any empty cell */
    (void)me;
    *move = empty[rand() % count];
    return 1;
}

/* Whether to take the opponent's first stone: then you are white from now on, and the opponent moves next as black. */
static int wants_swap(Cell first)
{
    /* your idea goes here: this takes stones that are not near an edge */
    return first.row > 1 && first.row < n - 2 && first.col > 1 && first.col < n - 2;
}

/* Reads lines until one is a move that is possible; 0 when there are no more lines. `swap` is the stone that may be played on again. */
static int read_move(const Cell *swap, Cell *move)
{
    char line[64], rest;
    while (fgets(line, sizeof line, stdin)) {
        int is_whole = strchr(line, '\n') != NULL;
        for (int c = is_whole ? '\n' : getchar(); c != '\n' && c != EOF;) c = getchar();
        if (is_whole && sscanf(line, "%9d %9d %c", &move->row, &move->col, &rest) == 2 &&
            (is_empty(*move) || (swap && is_same(*move, *swap))))
            return 1;
        fputs("invalid move; send another, as: row col\n", stderr);
    }
    return 0;
}

static void show(void)
{
    for (int row = 0; row < n; row++)
        for (int col = 0; col < n; col++) fprintf(stderr, "%c%c", board[row][col], col < n - 1 ? ' ' : '\n');
}

int main(int argc, char **argv)
{
    const char *size = getenv("ARBITRO_SIZE"), *seed = getenv("ARBITRO_SEED");
    if (size) n = atoi(size);
    if (argc < 2 || (strcmp(argv[1], "b") && strcmp(argv[1], "p")) || n < 2 || n > MOST) {
        fputs("usage: bot b|p [d]\n", stderr);
        return 2;
    }
    /* The same seed gives the same game. */
    srand(seed ? (unsigned)strtoull(seed, NULL, 10) : (unsigned)time(NULL));
    memset(board, '-', sizeof board);
    char me = argv[1][0], turn = 'b';
    int shows = argc > 2 && strcmp(argv[2], "d") == 0;
    Cell first = {-1, -1}, move;
    for (int ply = 1;; ply++) {
        int can_swap = ply == 2;
        if (turn != me) {
            if (!read_move(can_swap ? &first : NULL, &move)) return 0; /* the game is over */
        } else {
            if (can_swap && wants_swap(first))
                move = first;
            else if (!choose(me, &move))
                return 0;
            printf("%d %d\n", move.row, move.col);
            fflush(stdout); /* or the move would wait in a buffer, and the opponent for ever */
        }
        if (can_swap && is_same(move, first)) {
            me = other(me); /* a swap: the stone stays white, and it is still black's turn */
        } else {
            board[move.row][move.col] = turn;
            turn = other(turn);
        }
        if (ply == 1) first = move;
        if (shows) show();
    }
}
