/*
 * A Hex bot with one flaw, as students write them: flawed FLAW b|p
 *
 * Without its flaw it is sound: it plays a line of stones towards itself, marks every stone, and knows the swap. The flaws are where
 * students make them: look for FLAW.
 */
#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FLAW(name) (strcmp(flaw, name) == 0)

static const char *flaw;
static int n = 14, plies, last_row, last_col;
static char me, board[26][26];

static int is_free(int row, int col) { return board[row][col] == 0; }

/* Where a flaw shows only if both players want the same cells. */
static int row_by_row(void)
{
    return FLAW("hidden-stones") || FLAW("getchar") || FLAW("scanf-comma") || FLAW("moves-twice")
        || FLAW("black-moves-first");
}

static void choose(int *row, int *col)
{
    int middle = n / 2;
    if (row_by_row()) {
        for (*row = 0; *row < n; ++*row)
            for (*col = 0; *col < n; ++*col)
                if (is_free(*row, *col)) return;
    }
    for (int i = n - 1; i >= 0; i--) {
        *row = me == 'b' ? i : middle;
        *col = me == 'b' ? middle : i;
        if (FLAW("sides-exchanged")) { /* white joins top and bottom, but it plays along a row */
            *row = me == 'b' ? middle : i;
            *col = me == 'b' ? i : middle;
        }
        if (is_free(*row, *col)) return;
    }
    for (*row = n - 1; *row >= 0; --*row)
        for (*col = n - 1; *col >= 0; --*col)
            if (is_free(*row, *col)) return;
}

static void show_board(FILE *out)
{
    for (int row = 0; row < n; row++) {
        for (int col = 0; col < n; col++) fprintf(out, "%c ", board[row][col] ? board[row][col] : '-');
        fprintf(out, "\n");
    }
}

static int count_down(int depth)
{
    volatile char frame[4096];
    frame[0] = (char)depth;
    return count_down(depth + 1) + frame[0]; /* no end */
}

static void write_name(void)
{
    char name[8];
    for (int i = 0; i < n * 10; i++) name[i] = 'x';
    last_row = name[n % 8];
}

static void think(void)
{
    if (FLAW("computes-for-ever"))
        for (volatile unsigned i = 0;; i++) {}
    if (FLAW("segfault")) {
        int *volatile best = NULL;
        *best = 3;
    }
    if (FLAW("divides-by-zero")) {
        volatile int visits = plies - plies;
        last_row = 100 / visits;
    }
    if (FLAW("double-free")) {
        char *volatile copy = malloc(100);
        free(copy);
        free(copy);
    }
    if (FLAW("use-after-free")) {
        int *volatile moves = malloc(40);
        free(moves);
        last_row = moves[3];
    }
    if (FLAW("smashes-the-stack")) write_name();
    if (FLAW("index-overflow")) {
        int volatile size = 100000, *cells = calloc(100, sizeof(int));
        cells[size * size] = 1;
    }
    if (FLAW("stack-overflow")) count_down(0);
    if (FLAW("assertion")) assert(is_free(last_row, last_col) && plies < 1);
    if (FLAW("leaks"))
        for (;;) memset(malloc(1 << 20), 1, 1 << 20);
    if (FLAW("waits-for-memory")) { /* tries again until there is memory */
        void *table;
        for (size_t total = 0; total < (size_t)8 << 30; total += 1 << 20) {
            while ((table = malloc(1 << 20)) == NULL) {}
            memset(table, 1, 1 << 20);
        }
    }
    if (FLAW("alarm")) { /* meant as a limit for its search; nobody catches the signal */
        alarm(1);
        for (volatile unsigned i = 0;; i++) {}
    }
}

static void say(int row, int col)
{
    if (FLAW("minus-one")) printf("%d %d\n", -1, -1);
    else if (FLAW("not-initialised")) printf("%d %d\n", row + 32764, col - 1084);
    else if (FLAW("comma")) printf("%d,%d\n", row, col);
    else if (FLAW("hexadecimal")) printf("%x %x\n", row, col);
    else if (FLAW("digits-by-hand")) printf("%c %c\n", '0' + row, '0' + col);
    else if (FLAW("no-newline")) printf("%d %d", row, col);
    else if (FLAW("vitb")) printf("vitB = %d", 0), printf("%d %d\n", row, col);
    else if (FLAW("literal-backslash-n")) printf("%d %d\\n", row, col);
    else printf("%d %d\n", row, col);
    if (FLAW("board-on-stdout")) show_board(stdout);
}

static int flushes(void) { return !FLAW("no-flush") && !FLAW("no-newline") && !FLAW("flush-at-exit"); }

static void play(void)
{
    int row, col;
    if (FLAW("shows-the-board-first")) show_board(stdout);
    think();
    choose(&row, &col);
    board[row][col] = me;
    last_row = row, last_col = col, plies++;
    say(row, col);
    if (FLAW("moves-twice")) {
        choose(&row, &col);
        board[row][col] = me;
        say(row, col);
    }
    if (FLAW("two-first-moves") && plies == 1) { /* a move from its book, and then a move of its search */
        board[0][n / 2 + 1] = me;
        say(0, n / 2 + 1);
    }
    if (flushes()) fflush(stdout);
}

static int read_move(int *row, int *col)
{
    if (FLAW("getchar")) { /* forgets the newline */
        *row = getchar() - '0';
        getchar();
        *col = getchar() - '0';
        return !feof(stdin);
    }
    if (FLAW("scanf-newline")) return scanf("%d %d\n", row, col) == 2;
    if (FLAW("scanf-comma")) { /* there is no comma: the column is never read */
        int read = scanf("%d,%d", row, col), rest = getchar();
        while (rest != '\n' && rest != EOF) rest = getchar();
        return read != EOF;
    }
    if (FLAW("waits-for-ok")) {
        char word[8] = "";
        while (strcmp(word, "ok") != 0)
            if (scanf("%7s", word) != 1) return 0;
    }
    return scanf("%d %d", row, col) == 2;
}

static void hear(int row, int col)
{
    plies++;
    if (FLAW("closes-stdin")) fclose(stdin);
    if (plies == 2 && row == last_row && col == last_col && me == 'b') {
        assert(!FLAW("asserts-when-swapped") && "my stone was played again");
        me = 'p';
        return;
    }
    if (FLAW("hidden-stones")) return;
    if (row < 0 || row >= n || col < 0 || col >= n) return;
    board[row][col] = me == 'b' ? 'p' : 'b';
}

/* A bot that took a cell for its own which it has not got takes the opponent's move there for invalid. */
static int read_valid_move(int *row, int *col)
{
    while (read_move(row, col)) {
        if (!FLAW("moves-twice") && !FLAW("two-first-moves") && !FLAW("black-moves-first")) return 1;
        if (is_free(*row, *col)) return 1;
        fprintf(stderr, "invalid move: %d %d\n", *row, *col);
    }
    return 0;
}

int main(int argc, char **argv)
{
    int row = 0, col = 0;
    flaw = argv[1];
    if (getenv("ARBITRO_SIZE")) n = atoi(getenv("ARBITRO_SIZE"));
    me = argc > 2 ? argv[2][0] : 'p';
    if (FLAW("wrong-argument")) me = argv[0][0] == 'b' ? 'b' : 'p'; /* argv[0] is the program */
    /* Two moves in one turn come together, so that the opponent never answers between them. */
    if (FLAW("flush-at-exit") || FLAW("moves-twice") || FLAW("two-first-moves")) setvbuf(stdout, NULL, _IOFBF, BUFSIZ);
    if (FLAW("daemon")) { /* the parent leaves, the child plays */
        if (fork() != 0) return 0;
        usleep(300 * 1000);
    }
    if (FLAW("exit-code") && me == 'p') {
        fprintf(stderr, "usage: flawed b\n");
        return 2;
    }
    while (FLAW("reads-first-and-goes-on")) { /* it answers also when there was nothing to read */
        if (scanf("%d %d", &row, &col) != 2) row = col = -1;
        hear(row, col);
        play();
        if (plies >= n * n) return 0;
    }
    if (me == 'b' || FLAW("black-moves-first")) play();
    while (read_valid_move(&row, &col)) {
        hear(row, col);
        play();
    }
    return 0;
}
