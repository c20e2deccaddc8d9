/*
 * thief: known ways to take time from the opponent's clock, or to have time for nothing.
 *
 * Usage: thief KIND AMOUNT b|p
 *
 * It plays honest moves meanwhile.  `thief load 0` is no player: it computes until the process that has started it ends.
 */
#include "play.h"

#include <pthread.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>

static int amount;

static _Noreturn void compute_for_ever(void)
{
    for (;;)
        getppid();
}

/* Processor time of this process: what its children use is not in it. */
static long own_ms(void)
{
    struct timespec spent;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent);
    return spent.tv_sec * 1000 + spent.tv_nsec / 1000000;
}

static void burn(long ms)
{
    for (long end = own_ms() + ms; own_ms() < end;)
        ;
}

static void idle(void)
{
}

static void start_children(void (*before)(void))
{
    for (int child = 0; child < amount; child++)
        if (fork() == 0) {
            if (before != NULL)
                before();
            compute_for_ever();
        }
}

/* As many children as it is told compute all the time. */
static void busy(void)
{
    start_children(NULL);
}

static void own_session(void)
{
    setsid();
}

/* Each in a session of its own: where the kernel groups tasks by sessions, each has as much of the core as the opponent. */
static void sessions(void)
{
    start_children(own_session);
}

/* Sets timers again and again, each of which is to continue it if it is stopped by then.  One that repeats by itself would not do:
   a stop takes it away if its signal is on its way. */
static void own_session_and_timers(void)
{
    struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGCONT };
    timer_t timers[4];

    setsid();
    for (int number = 0; number < 4; number++)
        if (timer_create(CLOCK_MONOTONIC, &event, &timers[number]) != 0)
            return;
    for (long count = 0;; count++) {
        struct itimerspec soon = { .it_value.tv_nsec = 1000000 * (count % 4 + 1) };

        timer_settime(timers[count % 4], 0, &soon, NULL);
        for (int calls = 0; calls < 1000; calls++)
            getppid();
    }
}

/* The kernel itself continues each of them a millisecond after it was stopped. */
static void timers(void)
{
    start_children(own_session_and_timers);
}

/* So many milliseconds of processor time before anything is written. */
static void startup(void)
{
    burn(amount);
}

/* As many children as it is told take the core while it comes up, and are gone when it is up. */
static void rush(void)
{
    for (int child = 0; child < amount; child++)
        if (fork() == 0) {
            setsid();
            alarm(1);
            compute_for_ever();
        }
    sleep(1);
}

static void doze(void)
{
    usleep(amount * 1000);
}

static void *think(void *nothing)
{
    (void)nothing;
    compute_for_ever();
}

/* Fifty threads of its own leave little of the core to the one that is to move. */
static void starve(void)
{
    pthread_attr_t small;
    pthread_t thread;

    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 16 * 1024);
    for (int count = 0; count < 50; count++)
        pthread_create(&thread, &small, think, NULL);
}

/* In its own thread: the others' time would count as the program's. */
static void burn_in_this_thread(void)
{
    struct timespec spent;
    long begun;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
    begun = spent.tv_sec * 1000 + spent.tv_nsec / 1000000;
    do
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
    while (spent.tv_sec * 1000 + spent.tv_nsec / 1000000 < begun + amount);
}

static void ignore_children(void)
{
    signal(SIGCHLD, SIG_IGN);
}

/* One short-lived child after the other thinks for it, and nobody waits for any: a pipe tells of its end. */
static void let_children_think(void)
{
    for (int done = 0; done < amount; done += 20) {
        char nothing;
        int ends[2];

        if (pipe(ends) != 0)
            exit(1);
        if (fork() == 0) {
            burn(20);
            _exit(0);
        }
        close(ends[1]);
        if (read(ends[0], &nothing, 1) != 0)
            exit(1);
        close(ends[0]);
    }
}

/* Much memory, so that its end takes a while, and the stop comes meanwhile. */
static void take_memory(void)
{
    long size = (long)amount << 20;
    char *memory = malloc(size);

    for (long at = 0; memory != NULL && at < size; at += 4096)
        memory[at] = 1;
}

/* A family that shares its memory, and sleeps. */
static void share_memory(void)
{
    take_memory();
    for (int child = 0; child < 4; child++)
        if (fork() == 0)
            for (;;)
                pause();
}

static void *end_soon(void *unused)
{
    usleep(1000);
    _exit(0);
    return unused;
}

static void leave_after_second_move(void)
{
    static int moves = 0;
    pthread_t thread;

    if (++moves == 2)
        pthread_create(&thread, NULL, end_soon, NULL);
}

static void come_up_slowly(void)
{
    burn(amount);
}

/* Whoever reads all of this has the core meanwhile: is that an excuse for being late? */
static void flood_stderr(void)
{
    static int moves = 0;
    struct timespec now;
    long end;

    if (++moves != 3)
        return;
    clock_gettime(CLOCK_MONOTONIC, &now);
    end = now.tv_sec * 1000 + now.tv_nsec / 1000000 + amount;
    do {
        if (write(STDERR_FILENO, "x", 1) != 1)
            return;
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while (now.tv_sec * 1000 + now.tv_nsec / 1000000 < end);
}

static void tell_if_allowed(const char *what, long result)
{
    if (result != -1)
        fprintf(stderr, "allowed: %s\n", what);
}

/* All that could let a stopped program go on, wake many at once, or give it a share of its own. */
static void try_calls(void)
{
    sigset_t all;
    timer_t timer;
    long child;

    sigfillset(&all);
    tell_if_allowed("a timer that signals", timer_create(CLOCK_MONOTONIC, NULL, &timer));
    tell_if_allowed("a timer that is read", timerfd_create(CLOCK_MONOTONIC, 0));
    tell_if_allowed("signals that are read", signalfd(-1, &all, 0));
    if (fork() == 0) {
        tell_if_allowed("a session", setsid());
        _exit(0);
    }
    tell_if_allowed("kill", kill(getpid(), SIGCONT));
    tell_if_allowed("tgkill", syscall(SYS_tgkill, getpid(), getpid(), SIGCONT));
    tell_if_allowed("sigqueue", sigqueue(getpid(), SIGCONT, (union sigval){ 0 }));
    tell_if_allowed("input", fcntl(STDIN_FILENO, F_SETSIG, SIGCONT));
    tell_if_allowed("the death of a parent", prctl(PR_SET_PDEATHSIG, SIGCONT));
    child = syscall(SYS_clone, SIGCONT | CLONE_VFORK, 0, 0, 0, 0);
    if (child == 0)
        _exit(0);
    tell_if_allowed("the end of a child", child);
}

static void load(void)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    compute_for_ever();
}

static const struct {
    const char *name;
    void (*at_start)(void), (*before_each_move)(void);
} kinds[] = {
    { "idle", idle, NULL },
    { "busy", busy, NULL },
    { "sessions", sessions, NULL },
    { "timers", timers, NULL },
    { "startup", startup, NULL },
    { "rush", rush, NULL },
    { "sleep", idle, doze },
    { "starve", starve, burn_in_this_thread },
    { "children", ignore_children, let_children_think },
    { "leave", take_memory, leave_after_second_move },
    { "family", share_memory, NULL },
    { "loader", come_up_slowly, NULL },
    { "flood", idle, flood_stderr },
    { "calls", try_calls, NULL },
    { "load", load, NULL },
};

int main(int argc, char **argv)
{
    for (size_t kind = 0; argc >= 3 && kind < sizeof kinds / sizeof *kinds; kind++)
        if (strcmp(argv[1], kinds[kind].name) == 0) {
            amount = atoi(argv[2]);
            kinds[kind].at_start();
            play(argc > 3 ? argv[3][0] : 'p', kinds[kind].before_each_move);
            return 0;
        }
    fprintf(stderr, "usage: thief KIND AMOUNT b|p\n");
    return 2;
}
