/*
 * crash: ends in the way that its argument says, when it has to make its first move.
 *
 * Usage: crash WAY b|p
 */
#include "play.h"

static volatile int zero = 0;
static const char *way;

/* Until the stack is full: no loop can be made of this, and the compiler need not know that it never ends. */
__attribute__((noinline)) static int deeper(volatile int *above)
{
    volatile int here[256] = { *above };

    return zero != 0 ? 0 : deeper(here) + here[zero];
}

static void end(void)
{
    if (strcmp(way, "segv") == 0)
        *(volatile int *)(long)zero = 1;
    if (strcmp(way, "fpe") == 0)
        zero = 42 / zero;
    if (strcmp(way, "stack") == 0)
        exit(deeper(&zero));
    if (strcmp(way, "abort") == 0)
        abort();
    if (strcmp(way, "exit") == 0)
        _exit(42);
    if (strcmp(way, "closing") == 0) {
        for (int fd = 0; fd < 256; fd++)
            close(fd);
        sleep_for_ever();
    }
    if (strcmp(way, "exec") == 0)
        execl("/bin/true", "true", NULL);
    /* A number is a signal. */
    signal(atoi(way), SIG_DFL);
    kill(getpid(), atoi(way));
    sleep_for_ever();
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: crash WAY b|p\n");
        return 2;
    }
    way = argv[1];
    play(argv[2][0], end);
    return 0;
}
