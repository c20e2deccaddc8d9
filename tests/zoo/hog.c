/*
 * hog: takes more than its share.
 *
 * Usage: hog KIND b|p
 *
 * Kinds that can go on playing afterwards say on stderr how far they came.
 */
#include "play.h"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#define MIB (1024L * 1024)

static void forkbomb(void)
{
    for (;;)
        fork();
}

/* Always a new process, and never for long: whoever lists processes to kill them comes too late. */
static void rabbit(void)
{
    if (fork() != 0)
        return;
    for (;;) {
        setsid();
        if (fork() > 0)
            _exit(0);
    }
}

static void *idle(void *nothing)
{
    (void)nothing;
    sleep_for_ever();
}

static void threads(void)
{
    pthread_attr_t small;
    pthread_t thread;
    int count = 0;

    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 16 * 1024);
    while (count < 10000 && pthread_create(&thread, &small, idle, NULL) == 0)
        count++;
    fprintf(stderr, "threads: %d\n", count);
}

static void processes(void)
{
    int count = 0;

    while (count < 10000) {
        pid_t child = fork();

        if (child == 0)
            sleep_for_ever();
        if (child == -1)
            break;
        count++;
    }
    fprintf(stderr, "processes: %d\n", count);
}

static void open_files(void)
{
    int count = 0;

    while (count < 100000 && open("/dev/null", O_RDONLY) != -1)
        count++;
    fprintf(stderr, "open files: %d\n", count);
    for (int fd = 3; fd < count + 3; fd++)
        close(fd);
}

static void fill(char *block, long size)
{
    for (long at = 0; at < size; at += 4096)
        block[at] = 1;
}

static void memory(void)
{
    for (;;) {
        char *block = malloc(4 * MIB);

        if (block == NULL)
            exit(1);
        fill(block, 4 * MIB);
    }
}

/* Shared memory is no data of the process, for which the kernel has a limit. */
static void shared(void)
{
    for (;;) {
        char *block = mmap(NULL, 4 * MIB, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

        if (block == MAP_FAILED)
            exit(1);
        fill(block, 4 * MIB);
    }
}

/* Each of them stays below the limit, and none can be looked into. */
static void family(void)
{
    for (int child = 0; child < 16; child++)
        if (fork() == 0) {
            char *block = malloc(40 * MIB);

            prctl(PR_SET_DUMPABLE, 0);
            if (block != NULL)
                fill(block, 40 * MIB);
            sleep_for_ever();
        }
    sleep_for_ever();
}

static void disk(void)
{
    static char block[64 * 1024];
    long total = 0;

    for (int file = 0; file < 1000; file++) {
        char name[32];
        int fd;
        long before = total;

        snprintf(name, sizeof name, "fill-%d", file);
        fd = open(name, O_WRONLY | O_CREAT, 0600);
        for (int part = 0; fd != -1 && part < 16; part++) {
            long written = write(fd, block, sizeof block);

            total += written > 0 ? written : 0;
        }
        close(fd);
        if (total == before)
            break;
    }
    fprintf(stderr, "disk: %ld\n", total);
}

static void bigfile(void)
{
    static char block[64 * 1024];
    int fd = open("big", O_WRONLY | O_CREAT, 0600);

    while (write(fd, block, sizeof block) > 0)
        ;
    sleep_for_ever();
}

/* Folders that nobody may enter, as deep as they go. */
static void burrow(void)
{
    for (int depth = 0; depth < 2000 && mkdir("deep", 0700) == 0 && chdir("deep") == 0; depth++)
        ;
    mkdir("closed", 0);
}

static void *think(void *thought)
{
    for (;;)
        thought = &thought;
}

/* Thinks all the time, whoever's turn it is: in a thread, and in a process of another session. */
static void ponder(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, think, NULL);
    if (fork() == 0) {
        setsid();
        think(NULL);
    }
}

static const struct {
    const char *name;
    void (*act)(void);
} kinds[] = {
    { "forkbomb", forkbomb }, { "rabbit", rabbit },   { "threads", threads }, { "processes", processes },
    { "files", open_files },  { "memory", memory },   { "shared", shared },   { "family", family },
    { "disk", disk },         { "bigfile", bigfile }, { "burrow", burrow },   { "ponder", ponder },
};

int main(int argc, char **argv)
{
    for (size_t kind = 0; argc == 3 && kind < sizeof kinds / sizeof *kinds; kind++)
        if (strcmp(argv[1], kinds[kind].name) == 0) {
            kinds[kind].act();
            play(argv[2][0], NULL);
            return 0;
        }
    fprintf(stderr, "usage: hog KIND b|p\n");
    return 2;
}
