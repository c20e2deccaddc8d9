/*
 * misfit: one program that imitates many faulty Hex programs.
 *
 * Usage: misfit KIND b|p [d]
 *
 * The integration tests start it as a player to see how the referee copes with
 * the faults that students' programs really have.  Every kind plays like
 * `honest` except for one deviation; the table near the end of this file lists
 * them all, and `misfit` without arguments prints that list.
 *
 * Honest play: take the first empty cell in row-major order, write it as
 * "row col\n", read the opponent's line, mark it, and so on until the end of
 * stdin, then exit with code 0.  The board size comes from ARBITRO_SIZE.
 *
 * All output goes through write(2), so that what reaches the referee, and when,
 * depends on nothing but the kind.  The one exception is `noflush`, whose fault
 * is precisely its use of stdio.
 *
 * Build: gcc -O1 -Wall -Wextra -std=gnu99 -o misfit misfit.c
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

#define DEFAULT_SIZE 14
#define MAX_SIZE 1000

struct cell {
    int row, col;
};

struct game {
    int n;                  /* The board has n rows and n columns. */
    char side;              /* 'b' moves first, 'p' second. */
    bool *taken;            /* n*n cells in row-major order. */
    int made;               /* How many turns of ours are over. */
    int heard;              /* How many moves the opponent has sent. */
    struct cell my_first;   /* Valid once the first cell was claimed. */
    struct cell opp_first;  /* Valid when heard > 0. */
    struct cell opp_latest; /* Valid when heard > 0. */
};

/*
 * A null hook means honest behaviour.  `first` and `second` replace our first
 * and second move; `turn` replaces every move that neither of them replaces.
 */
struct kind {
    const char *name;
    const char *about;
    void (*start)(struct game *); /* Before anything is read or written. */
    void (*first)(struct game *);
    void (*second)(struct game *);
    void (*turn)(struct game *);
    void (*swapped)(struct game *); /* The opponent has just swapped. */
    void (*eof)(struct game *);     /* Stdin has ended. */
};

/* Set by `noterm`, which must outlive even a broken pipe. */
static bool immortal = false;

/* ---------------------------------------------------------------- tools -- */

static void sleep_forever(void)
{
    for (;;)
        pause();
}

static void sleep_ms(long ms)
{
    struct timespec left = { ms / 1000, (ms % 1000) * 1000000L };

    while (nanosleep(&left, &left) == -1 && errno == EINTR)
        ;
}

static void write_all(int fd, const char *data, size_t len)
{
    while (len > 0) {
        ssize_t done = write(fd, data, len);

        if (done > 0) {
            data += done;
            len -= (size_t)done;
        } else if (done == -1 && errno != EINTR) {
            /* Nobody will ever read us again.  Leaving here also keeps the
             * flooding kinds from spinning when SIGPIPE happens to be
             * ignored. */
            if (immortal)
                sleep_forever();
            _exit(1);
        }
    }
}

/* Each call makes a single write(2), because some kinds are about what arrives
 * together. */
__attribute__((format(printf, 1, 2)))
static void say(const char *format, ...)
{
    char text[256];
    va_list args;
    int len;

    va_start(args, format);
    len = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (len > 0 && (size_t)len < sizeof text)
        write_all(STDOUT_FILENO, text, (size_t)len);
}

static void complain(const char *text)
{
    write_all(STDERR_FILENO, text, strlen(text));
}

/* The big buffer makes the flood as fast as the reader allows. */
static void flood_forever(const char *unit)
{
    static char block[65536];
    size_t len = strlen(unit), used = 0;

    while (used + len <= sizeof block) {
        memcpy(block + used, unit, len);
        used += len;
    }
    for (;;)
        write_all(STDOUT_FILENO, block, used);
}

static void drip_forever(const char *unit, long ms)
{
    for (;;) {
        write_all(STDOUT_FILENO, unit, strlen(unit));
        sleep_ms(ms);
    }
}

/* Both pointers are volatile so that the compiler keeps the write and does not
 * turn it into a trap, which would be another signal. */
static void crash(void)
{
    volatile int *volatile nowhere = NULL;

    *nowhere = 1;
}

/* ---------------------------------------------------------------- board -- */

static bool on_board(const struct game *g, struct cell c)
{
    return c.row >= 0 && c.row < g->n && c.col >= 0 && c.col < g->n;
}

static bool same_cell(struct cell a, struct cell b)
{
    return a.row == b.row && a.col == b.col;
}

static void mark(struct game *g, struct cell c)
{
    if (on_board(g, c))
        g->taken[c.row * g->n + c.col] = true;
}

static bool find_free(const struct game *g, struct cell *found)
{
    for (int i = 0; i < g->n * g->n; i++) {
        if (!g->taken[i]) {
            found->row = i / g->n;
            found->col = i % g->n;
            return true;
        }
    }
    return false;
}

/* Chooses the next honest move and marks it as ours. */
static struct cell claim(struct game *g)
{
    struct cell c;

    if (!find_free(g, &c)) {
        /* A game of Hex is over before the board is full, so only a broken
         * test gets here, and it should notice. */
        complain("misfit: no free cell left\n");
        _exit(4);
    }
    mark(g, c);
    if (g->made == 0)
        g->my_first = c;
    return c;
}

static void play(struct game *g)
{
    struct cell c = claim(g);

    say("%d %d\n", c.row, c.col);
}

/* ------------------------------------------- kinds that talk or keep quiet */

static void noflush_turn(struct game *g)
{
    struct cell c = claim(g);

    printf("%d %d\n", c.row, c.col);
}

static void chatty_turn(struct game *g)
{
    say("Jogada invalida\n");
    say("pensando...\n");
    play(g);
}

static void flood_first(struct game *g)
{
    (void)g;
    flood_forever("x");
}

static void floodlines_first(struct game *g)
{
    (void)g;
    flood_forever("pensando\n");
}

static void drip_first(struct game *g)
{
    (void)g;
    drip_forever("x", 50);
}

static void driplines_first(struct game *g)
{
    (void)g;
    drip_forever("pensando\n", 200);
}

static void stderrflood_turn(struct game *g)
{
    if (g->made < 3) {
        char line[100];

        memset(line, 'e', sizeof line);
        line[sizeof line - 1] = '\n';
        for (int i = 0; i < 10 * 1000 * 1000 / (int)sizeof line; i++)
            write_all(STDERR_FILENO, line, sizeof line);
    }
    play(g);
}

static void bigstderr_first(struct game *g)
{
    size_t total = 0;

    for (int i = 1; total < 1024 * 1024; i++) {
        char line[32];
        int len = snprintf(line, sizeof line, "line %d\n", i);

        write_all(STDERR_FILENO, line, (size_t)len);
        total += (size_t)len;
    }
    play(g);
}

static int compare_strings(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void env_first(struct game *g)
{
    size_t count = 0, kept = 0;
    char **list;

    while (environ[count] != NULL)
        count++;
    list = calloc(count + 1, sizeof *list);
    if (list == NULL)
        _exit(1);
    for (size_t i = 0; i < count; i++)
        if (strncmp(environ[i], "ARBITRO_", 8) == 0)
            list[kept++] = environ[i];
    qsort(list, kept, sizeof *list, compare_strings);
    for (size_t i = 0; i < kept; i++) {
        complain(list[i]);
        complain("\n");
    }
    free(list);
    play(g);
}

static void silent_start(struct game *g)
{
    (void)g;
    sleep_forever();
}

static void deaf_start(struct game *g)
{
    if (g->side == 'b')
        play(g);
    sleep_forever();
}

/* The whole list is one write, so that all of it may be waiting before the
 * referee asks for the first move. */
static void fastdeaf_start(struct game *g)
{
    size_t cells = (size_t)g->n * (size_t)g->n, used = 0, room = cells * 10 + 1;
    char *list = malloc(room);

    if (list == NULL)
        _exit(1);
    for (int row = 0; row < g->n; row++)
        for (int col = 0; col < g->n; col++)
            used += (size_t)snprintf(list + used, room - used, "%d %d\n", row, col);
    write_all(STDOUT_FILENO, list, used);
    sleep_forever();
}

/* It returns to reading without a move, and so still leaves at end of stdin. */
static void halfway_turn(struct game *g)
{
    if (g->made < 3)
        play(g);
}

static void early_start(struct game *g)
{
    /* The cell is not marked: an honest program would not count a move made
     * out of turn. */
    if (g->side == 'p')
        say("5 5\n");
}

static void slow_turn(struct game *g)
{
    sleep_ms(100);
    play(g);
}

/* --------------------------------------------- kinds that end or get stuck */

static void exit0_second(struct game *g)
{
    (void)g;
    _exit(0);
}

static void exit3_second(struct game *g)
{
    (void)g;
    _exit(3);
}

/* It acts at the start and not on its turn, so that as p it is gone before the
 * opponent's first move arrives, as a program that lacks a file would be. */
static void exit3_first_start(struct game *g)
{
    (void)g;
    complain("boom: cannot open data file\n");
    _exit(3);
}

static void segv_second(struct game *g)
{
    (void)g;
    crash();
}

static void abort_second(struct game *g)
{
    (void)g;
    abort();
}

static void moveexit_second(struct game *g)
{
    play(g);
    _exit(0);
}

/* It skips no cell, since a gap would break the chain.  The test must give it
 * an opponent that stays out of the way and does not swap. */
static void winexit_turn(struct game *g)
{
    struct cell c = { 0, 0 };

    if (g->side == 'b')
        c.row = g->made;
    else
        c.col = g->made;
    mark(g, c);
    if (g->made == 0)
        g->my_first = c;
    say("%d %d\n", c.row, c.col);
    if (g->made == g->n - 1)
        _exit(0);
}

static void closeout_second(struct game *g)
{
    (void)g;
    close(STDOUT_FILENO);
    sleep_forever();
}

static void partial_second(struct game *g)
{
    struct cell c = claim(g);

    say("%d %d", c.row, c.col);
    _exit(0);
}

static void partial_close_second(struct game *g)
{
    struct cell c = claim(g);

    say("%d %d", c.row, c.col);
    close(STDOUT_FILENO);
    sleep_forever();
}

/* Never a whole line, and never in its turn. */
static void halfline_start(struct game *g)
{
    (void)g;
    say("3 3");
    _exit(0);
}

/* The parent is the process that the referee keeps programs with. */
static void killparent_second(struct game *g)
{
    (void)g;
    kill(getppid(), SIGKILL);
    sleep_forever();
}

static void stopparent_second(struct game *g)
{
    (void)g;
    kill(getppid(), SIGSTOP);
    sleep_forever();
}

static void verbose_second(struct game *g)
{
    (void)g;
    for (int i = 0; i < 5000; i++)
        complain("thinking about this and that\n");
    complain("the real cause\n");
    _exit(1);
}

static void illegals_second(struct game *g)
{
    (void)g;
    for (int i = 0; i < 150; i++)
        say("99 99\n");
}

/* Whoever continues it gets a program that reads on and owes a move. */
static void stopself_second(struct game *g)
{
    (void)g;
    raise(SIGSTOP);
}

static void crash_swapped(struct game *g)
{
    (void)g;
    crash();
}

static void eofflood_eof(struct game *g)
{
    (void)g;
    flood_forever("x");
}

/* SIGPIPE is ignored too: a referee that closes the pipes must not be enough to
 * get rid of a program that is meant to stay. */
static void noterm_start(struct game *g)
{
    (void)g;
    immortal = true;
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
}

static void noterm_eof(struct game *g)
{
    (void)g;
    sleep_forever();
}

/* ------------------------------------------ kinds that write strange moves */

static void occupied_second(struct game *g)
{
    struct cell c = g->heard > 0 ? g->opp_latest : g->my_first;

    say("%d %d\n", c.row, c.col);
}

static void offboard_second(struct game *g)
{
    say("%d 0\n", g->n);
}

static void negative_second(struct game *g)
{
    (void)g;
    say("-1 3\n");
}

static void huge_second(struct game *g)
{
    (void)g;
    say("1000000000000000000000000000000 0\n");
}

/* These bytes are not valid UTF-8, neither alone nor together. */
#define NOT_UTF8 "\xff\xfe\x80 \xc3\x28\n"

static void binary_turn(struct game *g)
{
    say("%s", NOT_UTF8);
    play(g);
}

static void binary_only_second(struct game *g)
{
    (void)g;
    say("%s", NOT_UTF8);
    sleep_forever();
}

/* The extra move is not marked: a referee that discards it leaves the cell
 * free, and then our next honest move must still be legal. */
static void twomoves_turn(struct game *g)
{
    struct cell c = claim(g), extra;

    if (find_free(g, &extra))
        say("%d %d\n%d %d\n", c.row, c.col, extra.row, extra.col);
    else
        say("%d %d\n", c.row, c.col);
}

static void crlf_turn(struct game *g)
{
    struct cell c = claim(g);

    say("%d %d\r\n", c.row, c.col);
}

static void blanks_turn(struct game *g)
{
    struct cell c = claim(g);

    say("   %d \t %d  \n", c.row, c.col);
}

static void zeros_turn(struct game *g)
{
    struct cell c = claim(g);

    say("%03d %03d\n", c.row, c.col);
}

/* The first two numbers are a legal move, so that a referee that stops reading
 * after two of them is caught. */
static void threenumbers_second(struct game *g)
{
    struct cell c = claim(g);

    say("%d %d 5\n", c.row, c.col);
    sleep_forever();
}

static void retry_second(struct game *g)
{
    struct cell c = claim(g);

    say("99 99\n%d %d\n", c.row, c.col);
}

/* The cell is already marked as the opponent's, and after the swap it is ours,
 * so nothing else changes for a program that only looks for empty cells. */
static void swapper_first(struct game *g)
{
    if (g->side != 'p') {
        play(g);
        return;
    }
    g->my_first = g->opp_first;
    say("%d %d\n", g->opp_first.row, g->opp_first.col);
}

static void lateswap_second(struct game *g)
{
    if (g->side == 'p')
        say("%d %d\n", g->opp_first.row, g->opp_first.col);
    else
        play(g);
}

/* --------------------------------------- kinds that start other processes */

/* Appending lets both players, and all processes of one, share a file. */
static void record_pid(void)
{
    const char *path = getenv("MISFIT_PIDFILE");
    char line[32];
    int fd, len;

    if (path == NULL || *path == '\0')
        return;
    fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0644);
    if (fd == -1)
        return;
    len = snprintf(line, sizeof line, "%ld\n", (long)getpid());
    write_all(fd, line, (size_t)len);
    close(fd);
}

/*
 * The new processes hold the writing end of this pipe until they are set up, so
 * that the pids are in the file before our first move and the tests need not
 * wait for them.
 */
static void open_ready_pipe(int ready[2])
{
    if (pipe(ready) == -1) {
        complain("misfit: cannot make a pipe\n");
        _exit(1);
    }
}

static void await_ready(int ready[2])
{
    char byte;
    ssize_t got;

    close(ready[1]);
    do
        got = read(ready[0], &byte, 1);
    while (got > 0 || (got == -1 && errno == EINTR));
    close(ready[0]);
}

/* A referee may limit processes.  The game then goes on without the new ones,
 * and stderr says so. */
static pid_t fork_or_complain(void)
{
    pid_t pid = fork();

    if (pid == -1)
        complain("misfit: cannot fork\n");
    return pid;
}

static void start_daemon(bool hold)
{
    int ready[2];
    pid_t child;

    open_ready_pipe(ready);
    child = fork_or_complain();
    if (child == 0) {
        setsid();
        if (fork_or_complain() != 0)
            _exit(0);
        prctl(PR_SET_NAME, "misfitdaemon");
        record_pid();
        if (hold) {
            close(ready[0]);
            close(ready[1]);
        } else {
            /* The pipe is among these.  The limit of open files can be
             * enormous, so only the plausible descriptors are closed. */
            for (int fd = 0; fd < 256; fd++)
                close(fd);
        }
        sleep_ms(1000 * 1000L);
        _exit(0);
    }
    await_ready(ready);
    if (child > 0)
        while (waitpid(child, NULL, 0) == -1 && errno == EINTR)
            ;
}

static void daemon_start(struct game *g)
{
    (void)g;
    start_daemon(false);
}

static void daemon_hold_start(struct game *g)
{
    (void)g;
    start_daemon(true);
}

static void children_start(struct game *g)
{
    int ready[2];

    (void)g;
    open_ready_pipe(ready);
    for (int i = 0; i < 5; i++) {
        if (fork_or_complain() == 0) {
            /* From here on the child and its own child do the same. */
            fork_or_complain();
            record_pid();
            close(ready[0]);
            close(ready[1]);
            sleep_forever();
        }
    }
    await_ready(ready);
}

/* ---------------------------------------------------------------- table -- */

static const struct kind kinds[] = {
    { .name = "honest",
      .about = "plays the first empty cell and exits at end of stdin" },
    { .name = "noflush", .turn = noflush_turn,
      .about = "writes moves with printf and never flushes" },
    { .name = "chatty", .turn = chatty_turn,
      .about = "writes chatter lines before each move" },
    { .name = "flood", .first = flood_first,
      .about = "writes 'x' for ever, without newline, instead of its 1st move" },
    { .name = "floodlines", .first = floodlines_first,
      .about = "writes lines for ever instead of its 1st move" },
    { .name = "drip", .first = drip_first,
      .about = "writes one 'x' every 50 ms for ever instead of its 1st move" },
    { .name = "driplines", .first = driplines_first,
      .about = "writes a line every 200 ms for ever instead of its 1st move" },
    { .name = "stderrflood", .turn = stderrflood_turn,
      .about = "writes 10 MB to stderr before each of its first 3 moves" },
    { .name = "deaf", .start = deaf_start,
      .about = "never reads: plays its 1st move if b, then sleeps for ever" },
    { .name = "fastdeaf", .start = fastdeaf_start,
      .about = "never reads: writes every cell at once, then sleeps for ever" },
    { .name = "exit0", .second = exit0_second,
      .about = "exits with code 0 instead of its 2nd move" },
    { .name = "exit3", .second = exit3_second,
      .about = "exits with code 3 instead of its 2nd move" },
    { .name = "exit3-first", .start = exit3_first_start,
      .about = "exits with code 3 at the start, with a line on stderr" },
    { .name = "segv", .second = segv_second,
      .about = "dies by SIGSEGV instead of its 2nd move" },
    { .name = "abort", .second = abort_second,
      .about = "dies by SIGABRT instead of its 2nd move" },
    { .name = "moveexit", .second = moveexit_second,
      .about = "exits with code 0 right after writing its 2nd move" },
    { .name = "winexit", .turn = winexit_turn,
      .about = "plays column 0 (b) or row 0 (p), exits right after the last cell" },
    { .name = "closeout", .second = closeout_second,
      .about = "closes stdout instead of its 2nd move and sleeps for ever" },
    { .name = "occupied", .second = occupied_second,
      .about = "plays the opponent's latest cell as its 2nd move" },
    { .name = "offboard", .second = offboard_second,
      .about = "plays \"n 0\" as its 2nd move" },
    { .name = "negative", .second = negative_second,
      .about = "plays \"-1 3\" as its 2nd move" },
    { .name = "huge", .second = huge_second,
      .about = "plays a row of 31 digits as its 2nd move" },
    { .name = "binary", .turn = binary_turn,
      .about = "writes a line of non-UTF-8 bytes before each move" },
    { .name = "binary-only", .second = binary_only_second,
      .about = "writes non-UTF-8 bytes as its 2nd move, then sleeps for ever" },
    { .name = "twomoves", .turn = twomoves_turn,
      .about = "writes two moves in one write each turn" },
    { .name = "crlf", .turn = crlf_turn,
      .about = "ends its moves in \"\\r\\n\"" },
    { .name = "blanks", .turn = blanks_turn,
      .about = "writes its moves with extra blanks and tabs" },
    { .name = "zeros", .turn = zeros_turn,
      .about = "writes its moves with leading zeros" },
    { .name = "threenumbers", .second = threenumbers_second,
      .about = "writes three numbers as its 2nd move, then sleeps for ever" },
    { .name = "noterm", .start = noterm_start, .eof = noterm_eof,
      .about = "ignores SIGTERM, SIGHUP, SIGINT and SIGPIPE; never exits" },
    { .name = "daemon", .start = daemon_start,
      .about = "leaves a daemon in its own session, with no open files" },
    { .name = "daemon-hold", .start = daemon_hold_start, .second = exit0_second,
      .about = "as daemon, but it holds stdin, stdout and stderr; then as exit0" },
    { .name = "children", .start = children_start,
      .about = "starts 5 children with a child each, all asleep for ever" },
    { .name = "swapper", .first = swapper_first,
      .about = "as p, swaps" },
    { .name = "lateswap", .second = lateswap_second,
      .about = "as p, repeats the first move of the game as its 2nd move" },
    { .name = "silent", .start = silent_start,
      .about = "never reads or writes, sleeps for ever" },
    { .name = "halfway", .turn = halfway_turn,
      .about = "plays 3 moves and then only reads" },
    { .name = "crash-after-swap", .swapped = crash_swapped,
      .about = "dies by SIGSEGV if the opponent swaps" },
    { .name = "eofflood", .eof = eofflood_eof,
      .about = "floods stdout for ever at end of stdin" },
    { .name = "early", .start = early_start,
      .about = "as p, writes \"5 5\" before the opponent has moved" },
    { .name = "slow", .turn = slow_turn,
      .about = "sleeps 100 ms before each move" },
    { .name = "stopself", .second = stopself_second,
      .about = "stops itself with SIGSTOP instead of its 2nd move" },
    { .name = "retry", .second = retry_second,
      .about = "writes \"99 99\" and a legal move in one write as its 2nd move" },
    { .name = "partial", .second = partial_second,
      .about = "writes its 2nd move without newline and exits with code 0" },
    { .name = "partial-close", .second = partial_close_second,
      .about = "writes its 2nd move without newline, closes stdout, lives on" },
    { .name = "halfline", .start = halfline_start,
      .about = "writes \"3 3\" without newline at the start and exits" },
    { .name = "killparent", .start = children_start, .second = killparent_second,
      .about = "as children, and kills its parent instead of its 2nd move" },
    { .name = "stopparent", .start = children_start, .second = stopparent_second,
      .about = "as children, and stops its parent instead of its 2nd move" },
    { .name = "verbose", .second = verbose_second,
      .about = "writes much to stderr instead of its 2nd move, and exits with 1" },
    { .name = "illegals", .second = illegals_second,
      .about = "writes 150 moves off the board instead of its 2nd move" },
    { .name = "env", .first = env_first,
      .about = "lists the ARBITRO_ variables on stderr before its 1st move" },
    { .name = "bigstderr", .first = bigstderr_first,
      .about = "writes 1 MiB of lines to stderr before its 1st move" },
};

#define KINDS (sizeof kinds / sizeof kinds[0])

/* ----------------------------------------------------------------- game -- */

/* Returns false at the end of stdin.  A terminal that was hung up gives an
 * error in place of an end, so every error but an interruption counts as one. */
static bool read_byte(char *byte)
{
    static char buffer[4096];
    static ssize_t size = 0, next = 0;

    if (next == size) {
        do
            size = read(STDIN_FILENO, buffer, sizeof buffer);
        while (size == -1 && errno == EINTR);
        next = 0;
        if (size <= 0) {
            size = 0;
            return false;
        }
    }
    *byte = buffer[next++];
    return true;
}

/* Reads lines until one holds a move.  Lines that hold none are passed over,
 * since the faults under test are ours and not the referee's. */
static bool hear_move(struct cell *c)
{
    char line[128], byte;
    size_t len = 0;

    while (read_byte(&byte)) {
        if (byte != '\n') {
            if (len < sizeof line - 1)
                line[len++] = byte;
            continue;
        }
        line[len] = '\0';
        len = 0;
        if (sscanf(line, "%9d %9d", &c->row, &c->col) == 2)
            return true;
    }
    return false;
}

static void take_turn(const struct kind *k, struct game *g)
{
    if (g->made == 0 && k->first != NULL)
        k->first(g);
    else if (g->made == 1 && k->second != NULL)
        k->second(g);
    else if (k->turn != NULL)
        k->turn(g);
    else
        play(g);
    g->made++;
}

static void run(const struct kind *k, struct game *g)
{
    struct cell c;

    if (k->start != NULL)
        k->start(g);
    if (g->side == 'b')
        take_turn(k, g);
    while (hear_move(&c)) {
        bool swap = g->side == 'b' && g->heard == 0 && same_cell(c, g->my_first);

        if (g->heard == 0)
            g->opp_first = c;
        g->opp_latest = c;
        g->heard++;
        mark(g, c); /* After a swap the cell is marked already. */
        if (swap && k->swapped != NULL)
            k->swapped(g);
        take_turn(k, g);
    }
    if (k->eof != NULL)
        k->eof(g);
}

static int board_size(void)
{
    const char *text = getenv("ARBITRO_SIZE");
    char *end;
    long n;

    if (text == NULL)
        return DEFAULT_SIZE;
    n = strtol(text, &end, 10);
    if (end == text || *end != '\0' || n < 1 || n > MAX_SIZE)
        return DEFAULT_SIZE;
    return (int)n;
}

int main(int argc, char **argv)
{
    const struct kind *chosen = NULL;
    struct game g = { .n = board_size() };

    if (argc < 2) {
        for (size_t i = 0; i < KINDS; i++)
            say("%-17s %s\n", kinds[i].name, kinds[i].about);
        return 0;
    }
    for (size_t i = 0; i < KINDS; i++)
        if (strcmp(argv[1], kinds[i].name) == 0)
            chosen = &kinds[i];
    if (chosen == NULL) {
        complain("misfit: unknown kind\n");
        return 2;
    }
    if (argc < 3 || (strcmp(argv[2], "b") != 0 && strcmp(argv[2], "p") != 0)) {
        complain("usage: misfit KIND b|p [d]\n");
        return 2;
    }
    g.side = argv[2][0];
    g.taken = calloc((size_t)g.n * (size_t)g.n, sizeof *g.taken);
    if (g.taken == NULL)
        return 1;
    run(chosen, &g);
    return 0;
}
