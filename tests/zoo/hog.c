/*
 * hog: takes more than its share.
 *
 * Usage: hog KIND b|p
 *
 * Kinds that can go on playing afterwards say on stderr how far they came.
 */
#include "play.h"

#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
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

static void some_processes(int most)
{
    int count = 0;

    while (count < most) {
        pid_t child = fork();

        if (child == 0)
            sleep_for_ever();
        if (child == -1)
            break;
        count++;
    }
    fprintf(stderr, "processes: %d\n", count);
}

static void processes(void)
{
    some_processes(10000);
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

/* The first thread ends, and with it what the kernel tells of the process under its own number. */
static void *shared_by_a_thread(void *nothing)
{
    (void)nothing;
    shared();
    return NULL;
}

static void headless(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, shared_by_a_thread, NULL);
    pthread_exit(NULL);
}

/* Under a name that is no text. */
static void nameless(void)
{
    prctl(PR_SET_NAME, "\xff) \xfe");
    shared();
}

/* So many at once that nobody else gets a turn on their core; each of them stays below the limit. */
static void burst(void)
{
    for (int child = 0; child < 200; child++)
        if (fork() == 0) {
            char *block = malloc(40 * MIB);

            if (block != NULL)
                fill(block, 40 * MIB);
            for (;;)
                ;
        }
    sleep_for_ever();
}

/* Many who share what one has, and do nothing: it takes long to count what they have. */
static void share(long size)
{
    char *block = malloc(size);

    if (block != NULL)
        fill(block, size);
    for (int child = 0; child < 200; child++)
        if (fork() == 0)
            sleep_for_ever();
}

static void sleepers(void)
{
    share(150 * MIB);
}

/* So much that it would take too long to count. */
static void crowd(void)
{
    share(400 * MIB);
    sleep_for_ever();
}

/* What waits in sockets belongs to no process. */
static void sockets(void)
{
    static char data[64 * 1024];
    int pair[2];

    for (int child = 0; child < 40; child++)
        if (fork() == 0) {
            while (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0)
                for (int end = 0; end < 2; end++)
                    while (send(pair[end], data, sizeof data, MSG_DONTWAIT) > 0)
                        ;
            sleep_for_ever();
        }
    sleep_for_ever();
}

/* Whatever the kernel has room for in sets of what is waited for, which it counts for the whole account. */
static void watches(void)
{
    for (int child = 0; child < 16; child++)
        if (fork() == 0) {
            int files[100];

            for (int at = 0; at < 100; at++)
                files[at] = eventfd(0, 0);
            for (int set; (set = epoll_create1(0)) != -1;)
                for (int at = 0; at < 100; at++) {
                    struct epoll_event event = { .events = EPOLLIN };

                    epoll_ctl(set, EPOLL_CTL_ADD, files[at], &event);
                }
            sleep_for_ever();
        }
}

static void signals(void)
{
    union sigval nothing = { 0 };
    sigset_t all;
    int count = 0;

    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    while (count < 100000 && sigqueue(getpid(), SIGRTMIN, nothing) == 0)
        count++;
    fprintf(stderr, "signals: %d\n", count);
}

/* As much to clear away as there can be without filling the disk. */
static void folders(void)
{
    for (int number = 0; number < 20000; number++) {
        char name[32];

        snprintf(name, sizeof name, "%d", number);
        if (mkdir(name, 0700) == -1)
            break;
    }
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

/* Descriptors that are on their way in sockets, and never arrive. */
static void in_flight(void)
{
    int pair[2];

    while (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0) {
        char byte = 0, space[CMSG_SPACE(100 * sizeof(int))] = { 0 };
        struct iovec data = { &byte, 1 };
        struct msghdr message = { .msg_iov = &data, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space };
        struct cmsghdr *head = CMSG_FIRSTHDR(&message);
        int *files = (int *)CMSG_DATA(head);

        head->cmsg_level = SOL_SOCKET;
        head->cmsg_type = SCM_RIGHTS;
        head->cmsg_len = CMSG_LEN(100 * sizeof(int));
        for (int at = 0; at < 100; at++)
            files[at] = 0;
        for (int count = 0; count < 100 && sendmsg(pair[0], &message, MSG_DONTWAIT) > 0; count++)
            ;
    }
    for (int fd = 3; fd < 256; fd++)
        close(fd);
}

static void notifications(void)
{
    for (int set; (set = inotify_init1(0)) != -1;)
        for (const char *path = "/usr/bin"; path != NULL; path = NULL)
            inotify_add_watch(set, path, IN_ALL_EVENTS);
}

/* Everything that is counted for a whole account, all at once, and while the game goes on. */
static void glutton(void)
{
    for (int child = 0; child < 4; child++)
        if (fork() == 0) {
            in_flight();
            notifications();
            signals();
            sleep_for_ever();
        }
    watches();
    /* More than it may have, and not so many that root, who is exempt outside of namespaces, takes long to clear up. */
    some_processes(300);
}

static char *area;
static const long area_size = 8192 * MIB;

static void *protect(void *number)
{
    for (long turn = (long)number;; turn++)
        mprotect(area, area_size, turn % 2 ? PROT_READ : PROT_READ | PROT_EXEC);
    return NULL;
}

/* Processes whose shared memory has to be counted closely, and one that keeps whoever counts waiting: very many threads change the same
   very large part of its memory, and every one of them, and whoever counts, waits for all others. */
static void stall(void)
{
    pthread_attr_t small;
    pthread_t thread;
    char *block = malloc(300 * MIB);

    fill(block, 300 * MIB);
    for (int child = 0; child < 4; child++)
        if (fork() == 0)
            sleep_for_ever();
    area = mmap(NULL, area_size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    madvise(area, area_size, MADV_NOHUGEPAGE);
    madvise(area, area_size, 22 /* MADV_POPULATE_READ */);
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 16 * 1024);
    for (long number = 0; number < 200; number++)
        pthread_create(&thread, &small, protect, (void *)number);
    sleep_for_ever();
}

static const struct {
    const char *name;
    void (*act)(void);
} kinds[] = {
    { "forkbomb", forkbomb }, { "rabbit", rabbit },   { "threads", threads }, { "processes", processes },
    { "files", open_files },  { "memory", memory },   { "shared", shared },   { "family", family },
    { "disk", disk },         { "bigfile", bigfile }, { "burrow", burrow },   { "ponder", ponder },
    { "headless", headless }, { "nameless", nameless }, { "burst", burst },   { "sleepers", sleepers },
    { "crowd", crowd },       { "sockets", sockets }, { "watches", watches }, { "signals", signals },
    { "folders", folders },   { "glutton", glutton },   { "stall", stall },
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
