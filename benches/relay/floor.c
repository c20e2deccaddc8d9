/* The floor: the least that a referee must do to play games between two bots.  It judges nothing and keeps no clock, so
 * what a real referee takes beyond it is the referee's own.
 *
 *     gcc -std=gnu99 -O2 -Wall -Wextra -o floor floor.c
 *     FLOOR_CORE=1 ./floor pipes|pty GAMES BOT [d]
 *
 * Each game starts `BOT b` and `BOT p`, with `d` behind it if that is given.  Their stdin is a pipe; their stdout is a pipe or a pseudo-terminal in raw
 * mode; their stderr is ours, so that the time which the white bot took of its game is seen.  All three processes share
 * one core, because over pipes a hand-over on a warm core is several times cheaper than one across cores.  With
 * pseudo-terminals that gain is lost whenever the other cores are idle: the kernel passes each line through a worker
 * thread of its own, which it may run on any core.  So compare a referee only with a floor of the same mode, measured
 * in the same run.
 *
 * Bots are started by vfork and exec, the fastest of the three ways tried: it does not copy our page tables as fork
 * does, and it is spared the system calls for every signal number that glibc's posix_spawn makes in the child. */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { FULL_BOARD = 196 };

enum channel { PIPES, PTY };

struct bot {
    pid_t pid;
    int input;  /* Our end of its stdin. */
    int output; /* Our end of its stdout. */
};

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static void refuse(const char *message)
{
    fprintf(stderr, "floor: %s\n", message);
    exit(1);
}

static long whole_number(const char *text, long least, long most, const char *what)
{
    char *end;
    errno = 0;
    long number = strtol(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || number < least || number > most) {
        fprintf(stderr, "floor: %s must be a number from %ld to %ld, not `%s`\n", what, least, most, text);
        exit(2);
    }
    return number;
}

/* The bots inherit the core, since they are started after this. */
static void pin_to_one_core(void)
{
    const char *text = getenv("FLOOR_CORE");
    int core = text ? (int)whole_number(text, 0, CPU_SETSIZE - 1, "FLOOR_CORE") : sched_getcpu();
    if (core < 0)
        fail("floor: sched_getcpu");
    cpu_set_t cores;
    CPU_ZERO(&cores);
    CPU_SET(core, &cores);
    if (sched_setaffinity(0, sizeof cores, &cores) != 0)
        fail("floor: sched_setaffinity (does the core in FLOOR_CORE exist?)");
}

/* Every descriptor is close-on-exec, so that no bot holds an end of its opponent's pipes and hides an end of file. */
static void open_pipe(int *reading, int *writing)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        fail("floor: pipe2");
    *reading = ends[0];
    *writing = ends[1];
}

/* Raw mode, because a terminal would otherwise turn each newline into two characters and echo.  Neither end may become
 * our controlling terminal, for closing it would then send us a hang-up. */
static void open_pty(int *master, int *slave)
{
    *master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (*master < 0)
        fail("floor: posix_openpt");
    if (unlockpt(*master) != 0)
        fail("floor: unlockpt");
    /* The kernel opens the slave by its master, which saves looking up a path; devpts needs no grantpt. */
    *slave = ioctl(*master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (*slave < 0)
        fail("floor: TIOCGPTPEER");
    struct termios mode;
    if (tcgetattr(*slave, &mode) != 0)
        fail("floor: tcgetattr");
    cfmakeraw(&mode);
    if (tcsetattr(*slave, TCSANOW, &mode) != 0)
        fail("floor: tcsetattr");
}

/* A function of its own that is never inlined: after vfork the child runs on our stack, and must not disturb the
 * variables of a caller that goes on.  The child has our memory too, so it can leave its error where we see it. */
static __attribute__((noinline)) pid_t start(char *const arguments[], int its_input, int its_output)
{
    static volatile int child_error;
    child_error = 0;
    pid_t pid = vfork();
    if (pid < 0)
        fail("floor: vfork");
    if (pid == 0) {
        /* We ignore SIGPIPE, and exec would hand that on, while a bot expects the default. */
        if (signal(SIGPIPE, SIG_DFL) != SIG_ERR && dup2(its_input, STDIN_FILENO) >= 0 &&
            dup2(its_output, STDOUT_FILENO) >= 0)
            execv(arguments[0], arguments);
        child_error = errno;
        _exit(127);
    }
    if (child_error != 0) {
        errno = child_error;
        fail(arguments[0]);
    }
    return pid;
}

static struct bot start_bot(char *command, char *colour, char *debug, enum channel channel)
{
    struct bot bot;
    int its_input, its_output;
    open_pipe(&its_input, &bot.input);
    if (channel == PTY)
        open_pty(&bot.output, &its_output);
    else
        open_pipe(&bot.output, &its_output);
    char *arguments[] = {command, colour, debug, NULL};
    bot.pid = start(arguments, its_input, its_output);
    if (close(its_input) != 0 || close(its_output) != 0)
        fail("floor: close");
    return bot;
}

static void send_all(int to, const char *bytes, size_t count)
{
    while (count > 0) {
        ssize_t sent = write(to, bytes, count);
        if (sent < 0)
            fail("floor: write to a bot");
        bytes += sent;
        count -= (size_t)sent;
    }
}

/* Three system calls a ply: poll, read, write.  The poll is not needed here, where the read could wait by itself, but
 * a referee that keeps clocks cannot do without it.  A piece of a line is passed on as it is, and the turn passes with
 * the newline. */
static void relay(const struct bot bots[2])
{
    char buffer[4096];
    for (int ply = 0; ply < FULL_BOARD;) {
        const struct bot *mover = &bots[ply % 2], *other = &bots[(ply + 1) % 2];
        struct pollfd wait = {.fd = mover->output, .events = POLLIN};
        if (poll(&wait, 1, -1) < 0)
            fail("floor: poll");
        ssize_t count = read(mover->output, buffer, sizeof buffer);
        if (count < 0)
            fail("floor: read from a bot");
        if (count == 0)
            refuse("a bot closed its stdout before the game was over");
        int newlines = 0;
        for (ssize_t i = 0; i < count; i++)
            newlines += buffer[i] == '\n';
        if (newlines > 1)
            refuse("a bot wrote more than one line in its turn");
        send_all(other->input, buffer, (size_t)count);
        ply += newlines;
    }
}

static void play(char *command, char *debug, enum channel channel)
{
    struct bot bots[2] = {start_bot(command, "b", debug, channel), start_bot(command, "p", debug, channel)};
    relay(bots);
    /* Both inputs are closed before either bot is awaited, so that neither end is delayed by the other. */
    for (int i = 0; i < 2; i++)
        if (close(bots[i].input) != 0)
            fail("floor: close");
    for (int i = 0; i < 2; i++) {
        int status;
        if (waitpid(bots[i].pid, &status, 0) < 0)
            fail("floor: waitpid");
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
            refuse("a bot did not exit with 0");
        if (close(bots[i].output) != 0)
            fail("floor: close");
    }
}

int main(int argc, char **argv)
{
    if (argc < 4 || argc > 5 || (strcmp(argv[1], "pipes") != 0 && strcmp(argv[1], "pty") != 0)) {
        fprintf(stderr, "usage: floor pipes|pty GAMES BOT [d]\n");
        return 2;
    }
    enum channel channel = strcmp(argv[1], "pty") == 0 ? PTY : PIPES;
    long games = whole_number(argv[2], 1, 1000000000, "GAMES");
    pin_to_one_core();
    /* A bot that has gone must show as an error of write, with its message, and not end us without a word. */
    if (signal(SIGPIPE, SIG_IGN) == SIG_ERR)
        fail("floor: signal");

    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (long game = 0; game < games; game++)
        play(argv[3], argv[4], channel);
    clock_gettime(CLOCK_MONOTONIC, &end);

    double seconds = (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) / 1e9;
    printf("games %ld seconds %.6f games_per_second %.1f\n", games, seconds, (double)games / seconds);
    return 0;
}
