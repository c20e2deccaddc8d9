/*
 * ponder: goes on thinking in two threads while it waits for its opponent.  Its moves depend on nothing that they find.
 *
 * Usage: ponder b|p
 */
#include "../play.h"

#include <pthread.h>

static volatile unsigned long thoughts[2];

static void *think(void *thought)
{
    for (;;)
        ++*(volatile unsigned long *)thought;
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread;

    if (argc < 2) {
        fprintf(stderr, "usage: ponder b|p\n");
        return 2;
    }
    for (int count = 0; count < 2; count++)
        pthread_create(&thread, NULL, think, (void *)&thoughts[count]);
    play(argv[1][0], NULL);
    return 0;
}
