/* A Hex bot that answers at once, so that what a game costs is what the referee costs.
 *
 *     gcc -std=gnu99 -O2 -Wall -Wextra -o instant instant.c
 *     ./instant b|p [d]
 *
 * Both sides play one fixed game on the 14x14 board that fills every cell.  Row 7 becomes black and column 5 white, but
 * for the cell X = (7,5) where they cross.  Whoever owns X has a whole line, and at most one side can ever be joined,
 * so nobody can be joined while X is empty, however the other 169 cells are filled.  X is black's, on ply 196: the
 * longest game that a referee can be asked to relay.
 *
 * With `d`, white reports on stderr `relay <ns> <plies>`: the time from its first read, when both bots are up, to its last, and
 * the plies played in it.  The bot takes this time itself so that every referee is measured by the same clock in the
 * same place. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SIZE = 14, PLIES = SIZE * SIZE, BLACK_ROW = 7, WHITE_COLUMN = 5 };

struct line {
    char text[8]; /* The longest line is "13 13\n". */
    size_t length;
};

/* The lines are formatted by hand, because printf would lengthen the start-up, which counts in games per second. */
static void append_number(struct line *line, int number)
{
    if (number >= 10)
        line->text[line->length++] = (char)('0' + number / 10);
    line->text[line->length++] = (char)('0' + number % 10);
}

static void set_move(struct line *line, int row, int column)
{
    line->length = 0;
    append_number(line, row);
    line->text[line->length++] = ' ';
    append_number(line, column);
    line->text[line->length++] = '\n';
}

/* The cells off the two lines come first, in reading order and by turns, which gives white the odd one of the 169.  The
 * lines themselves follow, also by turns, so that X is what remains for the last ply. */
static void make_game(struct line game[PLIES])
{
    int ply = 0;
    for (int row = 0; row < SIZE; row++)
        for (int column = 0; column < SIZE; column++)
            if (row != BLACK_ROW && column != WHITE_COLUMN)
                set_move(&game[ply++], row, column);

    int row = 0, column = 0;
    while (ply < PLIES - 1) {
        if (column == WHITE_COLUMN)
            column++;
        set_move(&game[ply++], BLACK_ROW, column++);
        if (row == BLACK_ROW)
            row++;
        set_move(&game[ply++], row++, WHITE_COLUMN);
    }
    set_move(&game[ply], BLACK_ROW, WHITE_COLUMN);
}

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static void send_line(const struct line *line)
{
    size_t sent = 0;
    while (sent < line->length) {
        ssize_t count = write(STDOUT_FILENO, line->text + sent, line->length - sent);
        if (count >= 0)
            sent += (size_t)count;
        else if (errno != EINTR)
            fail("instant: write");
    }
}

/* What the opponent played is known beforehand, so only the end of its line matters.  Newlines that arrive together are
 * kept for the turns to come.  The end of input means that the referee has ended the game, which is no fault. */
static void receive_line(void)
{
    static int waiting = 0;
    char buffer[256];
    while (waiting == 0) {
        ssize_t count = read(STDIN_FILENO, buffer, sizeof buffer);
        if (count == 0)
            exit(0);
        if (count < 0 && errno != EINTR)
            fail("instant: read");
        for (ssize_t i = 0; i < count; i++)
            waiting += buffer[i] == '\n';
    }
    waiting--;
}

int main(int argc, char **argv)
{
    if (argc < 2 || (strcmp(argv[1], "b") != 0 && strcmp(argv[1], "p") != 0)) {
        fprintf(stderr, "usage: instant b|p [d]\n");
        return 2;
    }
    int white = argv[1][0] == 'b';
    static struct line game[PLIES];
    make_game(game);

    struct timespec start, end;
    for (int ply = 0; ply < PLIES; ply++) {
        int whites_turn = ply % 2 == 0;
        if (whites_turn == white)
            send_line(&game[ply]);
        else
            receive_line();
        if (ply == 1)
            clock_gettime(CLOCK_MONOTONIC, &start);
    }
    clock_gettime(CLOCK_MONOTONIC, &end);

    if (white && argc > 2) {
        long long ns = (end.tv_sec - start.tv_sec) * 1000000000LL + (end.tv_nsec - start.tv_nsec);
        fprintf(stderr, "relay %lld %d\n", ns, PLIES - 2);
    }
    return 0;
}
