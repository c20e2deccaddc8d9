/*
 * A RHEX player to start from. It knows the rules and the protocol; how to think is up to you: see choose().
 *
 * Start:  ./bot b     plays white, which moves first
 *         ./bot p     plays black
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

static int n = 14;             /* the size of the board; there are 2n tokens in all */
static char board[MOST][MOST]; /* '-' empty, 'b' white, 'p' black */
static const int STEPS[6][2] = {{0, -1}, {0, 1}, {-1, 0}, {1, 0}, {-1, 1}, {1, -1}};

static char other(char side) { return side == 'b' ? 'p' : 'b'; }

static int is_on_board(Cell at) { return at.row >= 0 && at.row < n && at.col >= 0 && at.col < n; }

static int is_empty(Cell at) { return is_on_board(at) && board[at.row][at.col] == '-'; }

/* The move of the player `me`. */
static Cell choose(char me)
{
    static Cell empty[MOST * MOST];
    int count = 0;
    for (int row = 0; row < n; row++)
        for (int col = 0; col < n; col++)
            if (board[row][col] == '-') empty[count++] = (Cell){row, col};
    /* your idea goes here: this is any empty cell */
    (void)me;
    return empty[rand() % count];
}

/* Finds all tokens that hang together with the one at a cell, whatever their colours. Returns how many they are. */
static int find_zone(Cell at, Cell *zone)
{
    char seen[MOST][MOST] = {{0}};
    int count = 0;
    zone[count++] = at;
    seen[at.row][at.col] = 1;
    for (int next = 0; next < count; next++)
        for (int step = 0; step < 6; step++) {
            Cell near = {zone[next].row + STEPS[step][0], zone[next].col + STEPS[step][1]};
            if (!is_on_board(near) || is_empty(near) || seen[near.row][near.col]) continue;
            seen[near.row][near.col] = 1;
            zone[count++] = near;
        }
    return count;
}

/* Places a token. If most tokens of its zone show the other colour, all of them are turned over. */
static void place(Cell at, char side)
{
    static Cell zone[MOST * MOST];
    board[at.row][at.col] = side;
    int count = find_zone(at, zone), own = 0;
    for (int i = 0; i < count; i++) own += board[zone[i].row][zone[i].col] == side;
    if (2 * own >= count) return;
    for (int i = 0; i < count; i++) board[zone[i].row][zone[i].col] = other(board[zone[i].row][zone[i].col]);
}

/* Reads lines until one is a move that is possible; 0 when there are no more lines. */
static int read_move(Cell *move)
{
    char line[64], rest;
    while (fgets(line, sizeof line, stdin)) {
        int is_whole = strchr(line, '\n') != NULL;
        for (int c = is_whole ? '\n' : getchar(); c != '\n' && c != EOF;) c = getchar();
        if (is_whole && sscanf(line, "%9d %9d %c", &move->row, &move->col, &rest) == 2 && is_empty(*move)) return 1;
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
    for (int token = 1; token <= 2 * n; token++) {
        Cell move;
        if (turn == me) {
            move = choose(me);
            printf("%d %d\n", move.row, move.col);
            fflush(stdout); /* or the move would wait in a buffer, and the opponent for ever */
        } else if (!read_move(&move)) {
            return 0; /* the game is over */
        }
        place(move, turn);
        turn = other(turn);
        if (shows) show();
    }
    return 0;
}
