/*
 * worker: an honest program that needs the same time for every move, to see what its opponent costs it.
 *
 * Usage: worker b|p
 */
#include "play.h"

#include <time.h>

static void work(void)
{
    struct timespec spent;
    long begun;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent);
    begun = spent.tv_sec * 1000 + spent.tv_nsec / 1000000;
    do
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent);
    while (spent.tv_sec * 1000 + spent.tv_nsec / 1000000 < begun + 60);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: worker b|p\n");
        return 2;
    }
    play(argv[1][0], work);
    return 0;
}
