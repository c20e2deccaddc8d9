/*
 * What the animals of the zoo have in common: honest play, so that a game goes on
 * while they misbehave, and a way to say what came of an attempt.
 *
 * Honest play: take the first empty cell in row-major order, until stdin ends.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Says on stderr what came of an attempt.  The tests know which must be refused. */
static inline void attempt(const char *what, bool succeeded)
{
    fprintf(stderr, "%s: %s (%s)\n", succeeded ? "succeeded" : "refused", what, succeeded ? "" : strerror(errno));
}

/* As most system calls tell it: -1 is a refusal. */
static inline void call(const char *what, long result)
{
    attempt(what, result != -1);
}

static inline _Noreturn void sleep_for_ever(void)
{
    for (;;)
        pause();
}

static inline int board_size(void)
{
    const char *text = getenv("ARBITRO_SIZE");

    return text != NULL ? atoi(text) : 14;
}

/* Plays to the end of stdin.  The hook, if there is one, is called before each of our moves. */
static inline void play(char side, void (*before)(void))
{
    int size = board_size(), row, col, next = 0;
    bool *taken = calloc(size * size, sizeof *taken);
    char line[64];

    for (bool ours = side == 'b';; ours = true) {
        if (ours) {
            if (before != NULL)
                before();
            while (next < size * size && taken[next])
                next++;
            if (next == size * size)
                break;
            taken[next] = true;
            printf("%d %d\n", next / size, next % size);
            fflush(stdout);
        }
        if (fgets(line, sizeof line, stdin) == NULL || sscanf(line, "%d %d", &row, &col) != 2)
            break;
        taken[row * size + col] = true;
    }
    free(taken);
}
