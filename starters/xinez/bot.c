/*
 * A player of Xadrez Xinez (Chinese checkers) to start from. It knows the rules and the protocol; how to think is up to you: see
 * choose().
 *
 * Start:  ./bot 4 14 4     plays player 4 of the players 1 and 4, on the board with N = 4
 *         ./bot 4 14 4 d   the same, and shows the board on stderr after every move
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 6, MOST_CELLS = 6 * MOST * MOST + 6 * MOST + 1, MOST_MOVES = 4000 };

/* A cell; its third coordinate is w = v - u. */
typedef struct {
    int u, v;
} Cell;

/* The indices of two cells. */
typedef struct {
    int from, to;
} Move;

static int n, cells;
static Cell cell[MOST_CELLS]; /* by index */
static int piece[MOST_CELLS]; /* whose piece is on a cell, 0 if none is */
static const Cell STEPS[6] = {{1, 0}, {1, 1}, {0, 1}, {-1, 0}, {-1, -1}, {0, -1}};

static int is_on_board(Cell at)
{
    return (abs(at.u) <= n) + (abs(at.v) <= n) + (abs(at.v - at.u) <= n) >= 2;
}

/* The index of a cell: row by row where |u| and |v| are at most n, then four points of the star. */
static int number(Cell at)
{
    int side = 2 * n + 1, u = at.u, v = at.v;
    if (abs(u) <= n && abs(v) <= n) return (u + n) + side * (v + n);
    int point = u > n ? 0 : u < -n ? 1 : v > n ? 2 : 3;
    int line = point == 0 ? u - n : point == 1 ? -u - n : point == 2 ? v - n : -v - n;
    int along = point == 0 ? v : point == 1 ? -v : point == 2 ? u : -u;
    int before = (line - 1) * (n + 1) - line * (line - 1) / 2;
    return side * side + point * n * (n + 1) / 2 + before + along - line;
}

/* A cell as a player sees it: turned until the player's home is where player 1's is. */
static Cell seen_by(int player, Cell at)
{
    for (int turns = (7 - player) % 6; turns > 0; turns--) at = (Cell){at.u - at.v, at.u};
    return at;
}

/* How far ahead a cell is for a player: below -n is its home, above n its goal. */
static int ahead(int player, int at)
{
    Cell seen = seen_by(player, cell[at]);
    return seen.v - seen.u;
}

/* Whether a player may stop on a cell: not on a piece, nor in the points of others. */
static int is_free_for(int player, Cell at)
{
    Cell seen = seen_by(player, at);
    return is_on_board(at) && !piece[number(at)] && abs(seen.u) <= n && abs(seen.v) <= n;
}

static Cell beyond(Cell at, int step, int times)
{
    return (Cell){at.u + times * STEPS[step].u, at.v + times * STEPS[step].v};
}

/* Adds the moves of a piece: by one step, or by any number of jumps. Returns how many moves there are then. */
static int add_moves(int from, Move *moves, int count)
{
    int player = piece[from], found[MOST_CELLS] = {from}, many = 1;
    char seen[MOST_CELLS] = {0};
    seen[from] = 1;
    piece[from] = 0; /* on its way it finds its own cell empty */
    for (int next = 0; next < many; next++)
        for (int step = 0; step < 6; step++) {
            Cell over = beyond(cell[found[next]], step, 1), to = beyond(cell[found[next]], step, 2);
            if (!is_on_board(over) || !piece[number(over)] || !is_free_for(player, to) || seen[number(to)]) continue;
            seen[number(to)] = 1;
            found[many++] = number(to);
        }
    for (int step = 0; step < 6; step++) {
        Cell to = beyond(cell[from], step, 1);
        if (is_free_for(player, to) && !seen[number(to)]) found[many++] = number(to);
    }
    piece[from] = player;
    for (int i = 1; i < many; i++) moves[count++] = (Move){from, found[i]};
    return count;
}

/* Finds all moves of a player. Returns how many there are. */
static int find_moves(int player, Move *moves)
{
    int count = 0;
    for (int at = 0; at < cells; at++)
        if (piece[at] == player) count = add_moves(at, moves, count);
    return count;
}

/* The move of the player `me`; 0 if there is none. */
static int choose(int me, Move *move)
{
    static Move moves[MOST_MOVES];
    int count = find_moves(me, moves), good = 0;
    if (count == 0) return 0;
    /* your idea goes here: this is any move that does not go back, if there is one */
    for (int i = 0; i < count; i++)
        if (ahead(me, moves[i].to) >= ahead(me, moves[i].from)) moves[good++] = moves[i];
    *move = moves[rand() % (good ? good : count)];
    return 1;
}

static void make(Move move)
{
    piece[move.to] = piece[move.from];
    piece[move.from] = 0;
}

static int is_possible(int player, Move move)
{
    static Move moves[MOST_MOVES];
    for (int count = find_moves(player, moves); count > 0; count--)
        if (moves[count - 1].from == move.from && moves[count - 1].to == move.to) return 1;
    return 0;
}

/* What has been read of a player. */
enum News { OVER, PASSED, MOVED };

/* Reads lines until one can be what this player does. */
static enum News read_news(int player, Move *move)
{
    char line[64], word[6], rest;
    int who;
    while (fgets(line, sizeof line, stdin)) {
        int is_whole = strchr(line, '\n') != NULL;
        for (int c = is_whole ? '\n' : getchar(); c != '\n' && c != EOF;) c = getchar();
        if (is_whole && sscanf(line, "%9d %5s %c", &who, word, &rest) == 2 && who == player && !strcmp(word, "pass"))
            return PASSED;
        if (is_whole && sscanf(line, "%9d %9d %9d %c", &who, &move->from, &move->to, &rest) == 3 && who == player &&
            is_possible(player, *move))
            return MOVED;
        fprintf(stderr, "invalid; send another, as: %d origin destination, or %d pass\n", player, player);
    }
    return OVER;
}

static void show(void)
{
    for (int w = 2 * n; w >= -2 * n; w--) {
        char row[6 * MOST + 2];
        int end = 0;
        memset(row, ' ', sizeof row);
        for (int at = 0; at < cells; at++)
            if (cell[at].v - cell[at].u == w) {
                int place = cell[at].u + cell[at].v + 3 * n;
                row[place] = piece[at] ? (char)('0' + piece[at]) : '.';
                if (place >= end) end = place + 1;
            }
        fprintf(stderr, "%.*s\n", end, row);
    }
}

static void set_up(const char *players)
{
    cells = 6 * n * n + 6 * n + 1;
    for (int u = -2 * n; u <= 2 * n; u++)
        for (int v = -2 * n; v <= 2 * n; v++)
            if (is_on_board((Cell){u, v})) cell[number((Cell){u, v})] = (Cell){u, v};
    for (int at = 0; at < cells; at++)
        for (const char *player = players; *player; player++)
            if (ahead(*player - '0', at) < -n) piece[at] = *player - '0';
}

int main(int argc, char **argv)
{
    n = argc > 3 ? atoi(argv[3]) : 0;
    if (n < 1 || n > MOST || strspn(argv[2], "123456") != strlen(argv[2]) || !strstr(argv[2], argv[1])) {
        fputs("usage: bot PLAYER PLAYERS N [d]\n", stderr);
        return 2;
    }
    /* The same seed gives the same game. */
    const char *seed = getenv("ARBITRO_SEED");
    srand(seed ? (unsigned)strtoull(seed, NULL, 10) : (unsigned)time(NULL));
    int me = atoi(argv[1]), shows = argc > 4 && strcmp(argv[4], "d") == 0;
    set_up(argv[2]);
    for (const char *turn = argv[2];; turn = turn[1] ? turn + 1 : argv[2]) {
        Move move;
        enum News news;
        if (*turn - '0' != me) {
            news = read_news(*turn - '0', &move);
        } else if (choose(me, &move)) {
            news = MOVED;
            printf("%d %d\n", move.from, move.to);
            fflush(stdout); /* or the move would wait in a buffer, and the others for ever */
        } else {
            news = PASSED; /* the referee knows, and the game goes on without a word */
        }
        if (news == OVER) return 0;
        if (news == MOVED) make(move);
        if (shows) show();
    }
}
