/*
 * An Okupació player to start from. It knows the rules and the protocol; how to think is up to you: see choose().
 *
 * Start:  ./bot A 3 board.txt     plays A, the first of three players, on the board in a file
 *         ./bot A 3 board.txt d   the same, and shows the board on stderr after every move
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 25, MOST_PLAYERS = 10 };

typedef struct {
    int row, col;
} Cell;

static int rows, cols;
static char board[MOST][MOST]; /* '#' wall, '-' free, or the letter of who holds the cell */
static const int STEPS[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};

static char holder(Cell at)
{
    return at.row >= 0 && at.row < rows && at.col >= 0 && at.col < cols ? board[at.row][at.col] : '#';
}

static int read_board(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file || fscanf(file, "%d %d", &rows, &cols) != 2) return 0;
    memset(board, '-', sizeof board);
    int cell = 0, length;
    for (int is_wall = 0; fscanf(file, "%d", &length) == 1; is_wall = !is_wall)
        for (; length > 0 && cell < rows * cols; length--, cell++)
            if (is_wall) board[cell / cols][cell % cols] = '#';
    fclose(file);
    return 1;
}

/* How many cells there are with this on them. */
static int count(char what)
{
    int found = 0;
    for (int row = 0; row < rows; row++)
        for (int col = 0; col < cols; col++) found += board[row][col] == what;
    return found;
}

/* The move of the player `me`. */
static Cell choose(char me)
{
    static Cell free_cells[MOST * MOST];
    int found = 0;
    for (int row = 0; row < rows; row++)
        for (int col = 0; col < cols; col++)
            if (board[row][col] == '-') free_cells[found++] = (Cell){row, col};
    /* your idea goes here: this is any free cell */
    (void)me;
    return free_cells[rand() % found];
}

/* Whether a cell, beside one that the player `who` has just occupied, becomes the player's too. */
static int is_taken(Cell at, char who)
{
    int around = 0, own = 0;
    char last = '#'; /* who holds the one that is not the player's, if there is one */
    for (int step = 0; step < 4; step++) {
        char near = holder((Cell){at.row + STEPS[step][0], at.col + STEPS[step][1]});
        around += near != '#';
        own += near == who;
        if (near != '#' && near != who) last = near;
    }
    if (own == around) return 1;
    if (around < 3 || own < around - 1) return 0;
    return holder(at) == '-' || (around == 4 && last != holder(at));
}

/* A player occupies a cell, and takes the cells beside it that it closes in. */
static void occupy(Cell at, char who)
{
    int takes[4];
    board[at.row][at.col] = who;
    for (int step = 0; step < 4; step++) {
        Cell near = {at.row + STEPS[step][0], at.col + STEPS[step][1]};
        takes[step] = holder(near) != '#' && holder(near) != who && is_taken(near, who);
    }
    for (int step = 0; step < 4; step++)
        if (takes[step]) board[at.row + STEPS[step][0]][at.col + STEPS[step][1]] = who;
}

/* The cells of one who leaves are free again. */
static void leave(char who)
{
    for (int row = 0; row < rows; row++)
        for (int col = 0; col < cols; col++)
            if (board[row][col] == who) board[row][col] = '-';
}

/* Reads lines until one can be what the player `who` has done, and writes it to `what`; 0 when there are no more lines. */
static int read_news(char who, char what[3])
{
    char line[64], letter, rest;
    while (fgets(line, sizeof line, stdin)) {
        int is_whole = strchr(line, '\n') != NULL;
        for (int c = is_whole ? '\n' : getchar(); c != '\n' && c != EOF;) c = getchar();
        if (is_whole && sscanf(line, " %c %2s %c", &letter, what, &rest) == 2 && letter == who) {
            if (!strcmp(what, "00") || !strcmp(what, "--")) return 1;
            if (strlen(what) == 2 && holder((Cell){what[0] - 'a', what[1] - 'a'}) == '-') return 1;
        }
        fprintf(stderr, "invalid; send another, as: %c ab\n", who);
    }
    return 0;
}

static void show(void)
{
    for (int row = 0; row < rows; row++)
        for (int col = 0; col < cols; col++) fprintf(stderr, "%c%c", board[row][col], col < cols - 1 ? ' ' : '\n');
}

int main(int argc, char **argv)
{
    int players = argc > 3 ? atoi(argv[2]) : 0;
    if (players < 2 || players > MOST_PLAYERS || strlen(argv[1]) != 1 || !read_board(argv[3])) {
        fputs("usage: bot LETTER PLAYERS BOARDFILE [d]\n", stderr);
        return 2;
    }
    /* The same seed gives the same game. */
    const char *seed = getenv("ARBITRO_SEED");
    srand(seed ? (unsigned)strtoull(seed, NULL, 10) : (unsigned)time(NULL));
    int shows = argc > 4 && strcmp(argv[4], "d") == 0;
    char me = argv[1][0], in_game[MOST_PLAYERS + 1] = "ABCDEFGHIJ", what[3];
    in_game[players] = '\0';
    for (int turn = 0; players > 1 && count('-') > 0; turn %= players) {
        char who = in_game[turn];
        if (who == me) {
            Cell move = choose(me);
            sprintf(what, "%c%c", 'a' + move.row % MOST, 'a' + move.col % MOST);
            printf("%s\n", what);
            fflush(stdout); /* or the move would wait in a buffer, and the others for ever */
        } else if (!read_news(who, what)) {
            return 0; /* the game is over */
        }
        if (what[0] >= 'a') {
            occupy((Cell){what[0] - 'a', what[1] - 'a'}, who);
            turn++;
        } else { /* it has left: the next one moves up */
            leave(who);
            memmove(in_game + turn, in_game + turn + 1, (size_t)(players-- - turn));
        }
        if (shows) show();
    }
    return 0;
}
