/*
 * honest: burns a known amount of processor time for every move, and nothing while it waits, to see what it is charged.
 *
 * Usage: honest MS [THREADS] [greet] [times] b|p
 *
 * MS milliseconds of its own processor time a move; with THREADS, so many threads work in turn, each its part of a move.  With
 * `greet` it says good morning on stderr, by which a program is up; with `times` it tells there when it has thought about a move, by
 * the time of day in nanoseconds: `at NS`.  At the end it tells on stderr, in nanoseconds, what its moves
 * have needed: `need NS in MOVES moves`.
 */
#include "play.h"

#include <pthread.h>
#include <sys/resource.h>
#include <time.h>

static long per_move;
static int moves, threads = 1;
static bool greets, tells_times;

/* Whose turn it is to work: threads are numbered from 0, and the program itself comes last. */
static int turn;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t passed = PTHREAD_COND_INITIALIZER;

/* Of the thread: where its processor time is limited, a process is told its own to a few milliseconds only. */
static long own_ns(void)
{
    struct timespec spent;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
    return spent.tv_sec * 1000000000L + spent.tv_nsec;
}

static void burn(long ns)
{
    long begun = own_ns(), now;

    do
        now = own_ns();
    while (now - begun < ns);
}

/* All that the process has used, with what it takes to pass the work from thread to thread. */
static long used_ns(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000000L
        + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000L;
}

static void *work_in_turn(void *argument)
{
    int number = (int)(long)argument;

    pthread_mutex_lock(&lock);
    for (;;) {
        while (turn != number)
            pthread_cond_wait(&passed, &lock);
        burn(per_move / threads);
        turn++;
        pthread_cond_broadcast(&passed);
    }
    return NULL;
}

static void think(void)
{
    if (threads == 1) {
        burn(per_move);
    } else {
        pthread_mutex_lock(&lock);
        turn = 0;
        pthread_cond_broadcast(&passed);
        while (turn != threads)
            pthread_cond_wait(&passed, &lock);
        pthread_mutex_unlock(&lock);
    }
    moves++;
    if (tells_times) {
        struct timespec now;

        clock_gettime(CLOCK_REALTIME, &now);
        fprintf(stderr, "at %ld\n", now.tv_sec * 1000000000L + now.tv_nsec);
    }
}

int main(int argc, char **argv)
{
    long before;

    for (int word = 2; word < argc - 1; word++)
        if (strcmp(argv[word], "greet") == 0)
            greets = true;
        else if (strcmp(argv[word], "times") == 0)
            tells_times = true;
        else
            threads = atoi(argv[word]);
    if (argc < 3 || threads < 1) {
        fprintf(stderr, "usage: honest MS [THREADS] [greet] [times] b|p\n");
        return 2;
    }
    per_move = atof(argv[1]) * 1e6;
    turn = threads;
    for (long number = 0; threads > 1 && number < threads; number++) {
        pthread_t thread;

        if (pthread_create(&thread, NULL, work_in_turn, (void *)number) != 0)
            return 1;
    }
    if (greets)
        fprintf(stderr, "good morning\n");
    before = used_ns();
    play(argv[argc - 1][0], think);
    fprintf(stderr, "need %ld in %d moves\n", used_ns() - before, moves);
    return 0;
}
