/*
 * adversary: plays honest moves, and tries whatever its seed says to take time from its opponent.
 *
 * Usage: adversary SEED b|p
 *        adversary SEED --describe
 *
 * A seed draws habits of the whole program (how it comes up; what it does about signals, timers, priorities and output) and some
 * parts.  A part is a number of agents in one guise (threads, children, orphans, ...) that start at one moment and repeat one act,
 * for a while or to the end.  Every attempt may be refused; what becomes of it is not looked at.
 *
 * The program answers each of its moves at once, and leaves when stdin ends.  So do its agents, unless the seed says otherwise; and
 * none of them lasts longer than half a minute.  But it sends signals to its parent and to everybody: run it contained only.
 */
#include "play.h"

#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>

#define MIB (1024L * 1024)
#define LENGTH(array) (sizeof(array) / sizeof *(array))
#define MOST_PARTS 4
#define LONGEST_MS 30000
/* What all agents of a part may touch together, in bursts. */
#define MOST_MEMORY (200 * MIB)

static uint64_t dice;

/* SplitMix64. */
static uint64_t roll(void)
{
    uint64_t mixed = dice += 0x9e3779b97f4a7c15;

    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
    return mixed ^ mixed >> 31;
}

static int draw(int least, int most)
{
    return least + (int)(roll() % (uint64_t)(most - least + 1));
}

static bool one_in(int chances)
{
    return draw(1, chances) == 1;
}

static long now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000L + now.tv_nsec / 1000;
}

static void compute_for(long us)
{
    for (long end = now_us() + us; now_us() < end;)
        ;
}

/* Whatever interrupts it: timers may. */
static void sleep_for(long us)
{
    for (long end = now_us() + us, left; (left = end - now_us()) > 0;)
        usleep(left);
}

/* ---- Acts: each takes a fraction of a millisecond, but for some, and is repeated by an agent. ---- */

struct part;

static void compute(const struct part *part)
{
    (void)part;
    compute_for(200);
}

static void nap(const struct part *part)
{
    (void)part;
    sleep_for(500);
}

static void storm_of_calls(const struct part *part)
{
    (void)part;
    for (int count = 0; count < 500; count++)
        syscall(SYS_getppid);
}

static void storm_of_wakes(const struct part *part)
{
    static int word;

    (void)part;
    for (int count = 0; count < 500; count++)
        syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static void continue_everybody(const struct part *part)
{
    (void)part;
    kill(-1, SIGCONT);
    sleep_for(100);
}

static void continue_its_group(const struct part *part)
{
    (void)part;
    kill(0, SIGCONT);
    compute_for(100);
}

static void continue_its_parent(const struct part *part)
{
    (void)part;
    if (getppid() > 1)
        kill(getppid(), SIGCONT);
    compute_for(100);
}

static void stop_itself(const struct part *part)
{
    (void)part;
    raise(SIGSTOP);
    compute_for(200);
}

static void stop_as_a_terminal_does(const struct part *part)
{
    (void)part;
    raise(SIGTTIN);
    raise(SIGTTOU);
    raise(SIGTSTP);
    compute_for(200);
}

static long share_of_memory(const struct part *part);
static bool makes_way(const struct part *part);

static void breathe_memory(const struct part *part)
{
    long size = share_of_memory(part);
    char *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (block == MAP_FAILED)
        return;
    for (long at = 0; at < size && (at % MIB != 0 || !makes_way(part)); at += 4096)
        block[at] = 1;
    munmap(block, size);
}

static void map_many_pages(const struct part *part)
{
    char *pages[64];

    (void)part;
    for (size_t page = 0; page < LENGTH(pages); page++) {
        /* Of different kinds, so that the kernel cannot join them. */
        int kind = page % 2 ? PROT_READ : PROT_READ | PROT_WRITE;

        pages[page] = mmap(NULL, 4096, kind, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    }
    for (size_t page = 0; page < LENGTH(pages); page++)
        if (pages[page] != MAP_FAILED)
            munmap(pages[page], 4096);
}

static void litter_files(const struct part *part)
{
    (void)part;
    for (int number = 0; number < 4; number++) {
        char name[64];
        int fd;

        snprintf(name, sizeof name, "litter-%ld-%d", (long)syscall(SYS_gettid), number);
        fd = open(name, O_WRONLY | O_CREAT, 0600);
        if (fd == -1)
            return;
        if (write(fd, name, sizeof name) > 0 && number == 0)
            fsync(fd);
        close(fd);
        unlink(name);
    }
}

static void write_large_files(const struct part *part)
{
    static const char block[64 * 1024];
    char name[64];
    int fd;

    (void)part;
    snprintf(name, sizeof name, "large-%ld", (long)syscall(SYS_gettid));
    fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd == -1)
        return;
    for (int count = 0; count < 4 && write(fd, block, sizeof block) > 0; count++)
        ;
    close(fd);
    unlink(name);
}

static void breed(const struct part *part)
{
    pid_t child = fork();

    (void)part;
    if (child == 0)
        _exit(0);
    if (child > 0)
        waitpid(child, NULL, 0);
}

/* Each of them sends SIGCONT when it ends: the kernel does, and no filter sees it. */
static void breed_with_an_exit_signal(const struct part *part)
{
    long child = syscall(SYS_clone, SIGCONT, NULL, NULL, NULL, NULL);

    (void)part;
    if (child == 0)
        _exit(0);
    if (child > 0)
        waitpid(child, NULL, __WALL);
}

/* While the child has its memory the parent stands still, but the child does not. */
static void borrow_memory(const struct part *part)
{
    pid_t child = vfork();

    (void)part;
    if (child == 0) {
        compute_for(200);
        _exit(0);
    }
    if (child > 0)
        waitpid(child, NULL, 0);
}

static void change_priority(const struct part *part)
{
    struct sched_param first = { .sched_priority = 1 }, none = { 0 };

    (void)part;
    setpriority(PRIO_PROCESS, 0, 10);
    setpriority(PRIO_PROCESS, 0, -20);
    sched_setscheduler(0, SCHED_FIFO, &first);
    sched_setscheduler(0, SCHED_BATCH, &none);
    sched_setscheduler(0, SCHED_OTHER, &none);
    syscall(SYS_ioprio_set, 1, 0, 1 << 13);
    compute_for(200);
}

static void visit_every_core(const struct part *part)
{
    (void)part;
    for (int core = 0; core < 4; core++) {
        cpu_set_t cores;

        CPU_ZERO(&cores);
        CPU_SET(core, &cores);
        sched_setaffinity(0, sizeof cores, &cores);
        compute_for(50);
    }
}

static void tick(const struct part *part)
{
    struct itimerspec soon = { .it_value.tv_nsec = 1000000 };
    uint64_t expirations;
    int fd = timerfd_create(CLOCK_MONOTONIC, 0);

    (void)part;
    timerfd_settime(fd, 0, &soon, NULL);
    if (fd != -1 && read(fd, &expirations, sizeof expirations) > 0)
        compute_for(200);
    close(fd);
}

static void flood_stderr(const struct part *part)
{
    static const char words[] = "I am still here, and I have very much to say to whoever reads this.\n";

    (void)part;
    for (int count = 0; count < 100; count++)
        if (write(STDERR_FILENO, words, sizeof words - 1) < 0)
            break;
    sleep_for(200);
}

static const struct act {
    const char *says;
    void (*once)(const struct part *part);
    /* How often it is drawn, against others. */
    int weight;
    /* It would stop the whole program if a thread did it. */
    bool stops;
} acts[] = {
    { "compute", compute, 20, false },
    { "nap", nap, 2, false },
    { "call getppid all the time", storm_of_calls, 2, false },
    { "wake nobody all the time", storm_of_wakes, 2, false },
    { "continue everybody", continue_everybody, 3, false },
    { "continue their group", continue_its_group, 3, false },
    { "continue their parent", continue_its_parent, 3, false },
    { "stop themselves", stop_itself, 1, true },
    { "stop as a terminal does", stop_as_a_terminal_does, 1, true },
    { "take and give back memory", breathe_memory, 2, false },
    { "map many pages", map_many_pages, 2, false },
    { "litter files", litter_files, 2, false },
    { "write large files", write_large_files, 2, false },
    { "breed", breed, 3, false },
    { "breed children whose end sends SIGCONT", breed_with_an_exit_signal, 3, false },
    { "lend their memory to children", borrow_memory, 2, false },
    { "change priorities", change_priority, 2, false },
    { "visit every core", visit_every_core, 2, false },
    { "wait for timers", tick, 2, false },
    { "flood stderr", flood_stderr, 2, false },
};

/* ---- Parts: how many agents of which guise repeat which act, and when. ---- */

enum guise { THREADS, CHILDREN, SESSIONS, GROUPS, ORPHANS, ORPHANED_GROUPS, CLONES, BORROWERS };

static const char *const guises[] = {
    [THREADS] = "threads",
    [CHILDREN] = "children",
    [SESSIONS] = "children in sessions of their own",
    [GROUPS] = "children in process groups of their own",
    [ORPHANS] = "orphans",
    [ORPHANED_GROUPS] = "orphaned process groups",
    [CLONES] = "children whose end sends SIGCONT",
    [BORROWERS] = "vfork children that never exec",
};

enum moment { COMING_UP, FIRST_MOVE, EVERY_MOVE };

static const char *const moments[] = {
    [COMING_UP] = "before it is up",
    [FIRST_MOVE] = "from its first move on",
    [EVERY_MOVE] = "with every move",
};

struct part {
    int count;
    enum guise guise;
    const struct act *act;
    enum moment moment;
    /* They begin a little later, when they may have been stopped already. */
    int delay_ms;
    int lasts_ms;
    /* They work even while the program itself is to move. */
    bool heedless;
};

static struct part parts[MOST_PARTS];
static int part_count;

/* What all processes of the program know. */
static volatile struct {
    /* Stdin has ended. */
    bool is_over;
    /* Until when the program wants the processor for a move of its own, in microseconds. */
    long busy_until;
} *known;

static long share_of_memory(const struct part *part)
{
    return MOST_MEMORY / part->count;
}

static const struct act *draw_act(void)
{
    int all = 0, at;

    for (size_t act = 0; act < LENGTH(acts); act++)
        all += acts[act].weight;
    at = draw(1, all);
    for (const struct act *act = acts;; act++)
        if ((at -= act->weight) <= 0)
            return act;
}

static void draw_parts(void)
{
    part_count = draw(1, MOST_PARTS);
    for (struct part *part = parts; part < parts + part_count; part++) {
        part->act = draw_act();
        part->guise = draw(THREADS, BORROWERS);
        if (part->act->stops && (part->guise == THREADS || part->guise == BORROWERS))
            part->guise = CHILDREN;
        part->moment = draw(COMING_UP, EVERY_MOVE);
        /* Few as often as many; very many if they need not be made again for every move. */
        part->count = draw(1, one_in(2) ? 4 : part->guise == THREADS ? 50 : 30);
        if (part->moment == EVERY_MOVE && part->count > 5)
            part->count = 5;
        part->delay_ms = one_in(2) ? 0 : draw(1, 10);
        part->heedless = one_in(4);
        if (part->heedless && part->count > 4)
            part->count = 4;
        part->lasts_ms = part->moment == EVERY_MOVE || one_in(3) ? draw(1, 50) : LONGEST_MS;
    }
}

/* ---- Habits of the whole program, or of every process in it. ---- */

static void on_signal(int number)
{
    int error = errno;

    if (number == SIGTSTP)
        kill(0, SIGCONT);
    compute_for(50);
    errno = error;
}

/* With what was interrupted going on, so that no move is lost. */
static void handle(int number)
{
    struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };

    sigaction(number, &action, NULL);
}

static void reap_by_itself(void)
{
    signal(SIGCHLD, SIG_IGN);
}

static void block_signals(void)
{
    sigset_t all;

    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
}

static void handle_stops(void)
{
    handle(SIGCONT);
    handle(SIGTSTP);
    handle(SIGTTIN);
    handle(SIGTTOU);
}

static void new_session(void)
{
    setsid();
}

static void new_group(void)
{
    setpgid(0, 0);
}

static timer_t timers[4];

/* Each goes off once: a stop takes one away that repeats by itself, if its signal is on its way. */
static void set_timers_again(void)
{
    for (size_t number = 0; number < LENGTH(timers); number++) {
        struct itimerspec soon = { .it_value.tv_nsec = 1000000 * (2 * number + 1) };

        timer_settime(timers[number], 0, &soon, NULL);
    }
}

static void continue_by_timers(void)
{
    struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGCONT };

    for (size_t number = 0; number < LENGTH(timers); number++)
        timer_create(CLOCK_MONOTONIC, &event, &timers[number]);
    set_timers_again();
}

static void kill_by_timer(void)
{
    struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL };
    struct itimerspec soon = { .it_value.tv_nsec = 20000000 };
    timer_t timer;

    if (timer_create(CLOCK_MONOTONIC, &event, &timer) == 0)
        timer_settime(timer, 0, &soon, NULL);
}

static void interval_timers(void)
{
    struct itimerval often = { .it_value.tv_usec = 1000, .it_interval.tv_usec = 1000 };

    handle(SIGALRM);
    handle(SIGVTALRM);
    handle(SIGPROF);
    setitimer(ITIMER_REAL, &often, NULL);
    setitimer(ITIMER_VIRTUAL, &often, NULL);
    setitimer(ITIMER_PROF, &often, NULL);
}

static void signal_on_input(void)
{
    /* What is sent where SIGCONT cannot be had; it would end the program. */
    handle(SIGIO);
    fcntl(STDIN_FILENO, F_SETOWN, getpid());
    fcntl(STDIN_FILENO, F_SETSIG, SIGCONT);
    fcntl(STDIN_FILENO, F_SETFL, fcntl(STDIN_FILENO, F_GETFL) | O_ASYNC);
}

static void signal_on_death_of_parent(void)
{
    prctl(PR_SET_PDEATHSIG, SIGCONT);
}

static void change_priority_once(void)
{
    change_priority(NULL);
}

static void be_nice(void)
{
    setpriority(PRIO_PROCESS, 0, 5);
}

static void all_cores(void)
{
    cpu_set_t cores;

    memset(&cores, 0xff, sizeof cores);
    sched_setaffinity(0, sizeof cores, &cores);
}

/* What is done by flag, in its place. */
static void nothing(void)
{
}

enum habit_number {
    REAPS, BLOCKS, HANDLES, SESSION, GROUP, TIMERS, KILLER, INTERVALS, INPUT, DEATH, PRIORITIES, NICE, CORES,
    GREETS, CHATS, CHATS_LATE, PARTIAL, STOPS_PARENT, STOPS_ITSELF, LEAVES_AGENTS, STAYS, HABITS
};

static const struct habit {
    const char *says;
    int one_in;
    void (*take_up)(void);
    bool by_program, by_agents;
} habits[HABITS] = {
    [REAPS] = { "ignores SIGCHLD", 4, reap_by_itself, true, true },
    [BLOCKS] = { "blocks all signals", 6, block_signals, true, true },
    [HANDLES] = { "works when it is stopped and continued", 5, handle_stops, true, true },
    [SESSION] = { "tries for a session of its own", 5, new_session, true, false },
    [GROUP] = { "tries for a process group of its own", 5, new_group, true, false },
    [TIMERS] = { "POSIX timers continue each process", 4, continue_by_timers, true, true },
    [KILLER] = { "POSIX timers kill its agents", 12, kill_by_timer, false, true },
    [INTERVALS] = { "interval timers make each process work", 5, interval_timers, true, true },
    [INPUT] = { "input sends SIGCONT", 5, signal_on_input, true, true },
    [DEATH] = { "the death of a parent sends SIGCONT", 5, signal_on_death_of_parent, true, true },
    [PRIORITIES] = { "asks for priority", 6, change_priority_once, true, true },
    [NICE] = { "its agents are nice", 8, be_nice, false, true },
    [CORES] = { "asks for all cores", 6, all_cores, true, true },
    [GREETS] = { "greets on stderr", 2, nothing, false, false },
    [CHATS] = { "chats before its moves", 5, nothing, false, false },
    [CHATS_LATE] = { "an agent of its chats out of turn", 6, nothing, false, false },
    [PARTIAL] = { "writes its moves in pieces", 5, nothing, false, false },
    [STOPS_PARENT] = { "stops its parent", 8, nothing, false, false },
    [STOPS_ITSELF] = { "stops itself once, and is to be continued by a child", 150, nothing, false, false },
    [LEAVES_AGENTS] = { "leaves its agents behind", 16, nothing, false, false },
    [STAYS] = { "stays when the game is over", 50, nothing, false, false },
};

static bool has[HABITS];
static bool busy_start;
static int start_ms;

static void draw_habits(void)
{
    for (int habit = 0; habit < HABITS; habit++)
        has[habit] = one_in(habits[habit].one_in);
    busy_start = one_in(2);
    start_ms = one_in(2) ? 0 : draw(1, one_in(8) ? 150 : 30);
}

static void take_up_habits(bool by_agent)
{
    for (int habit = 0; habit < HABITS; habit++)
        if (has[habit] && (by_agent ? habits[habit].by_agents : habits[habit].by_program))
            habits[habit].take_up();
}

/* ---- Agents ---- */

/* Whether agents let the program itself go first, since it is to move: they would take the time from its own clock. */
static bool makes_way(const struct part *part)
{
    struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };

    return !part->heedless && (now_us() < known->busy_until || poll(&input, 1, 0) > 0);
}

static void repeat(const struct part *part)
{
    long end = now_us() + part->lasts_ms * 1000L;

    if (part->delay_ms > 0)
        sleep_for(part->delay_ms * 1000L);
    while (!known->is_over && now_us() < end) {
        if (has[TIMERS])
            set_timers_again();
        if (makes_way(part))
            sleep_for(300);
        else
            part->act->once(part);
    }
}

static _Noreturn void be_agent(const struct part *part)
{
    take_up_habits(true);
    repeat(part);
    _exit(0);
}

static void *be_thread(void *part)
{
    repeat(part);
    return NULL;
}

static void *be_borrower(void *part)
{
    pid_t child = vfork();

    if (child == 0) {
        repeat(part);
        _exit(0);
    }
    return NULL;
}

static void start_thread(void *(*run)(void *), const struct part *part)
{
    pthread_attr_t small;
    pthread_t thread;

    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 64 * 1024);
    pthread_attr_setdetachstate(&small, PTHREAD_CREATE_DETACHED);
    pthread_create(&thread, &small, run, (void *)part);
}

static void start_process(const struct part *part)
{
    long child = part->guise == CLONES ? syscall(SYS_clone, SIGCONT, NULL, NULL, NULL, NULL) : fork();

    if (child != 0)
        return;
    if (part->guise == SESSIONS)
        setsid();
    if (part->guise == GROUPS || part->guise == ORPHANED_GROUPS)
        setpgid(0, 0);
    if (part->guise == ORPHANS && fork() != 0)
        _exit(0);
    /* When its leader ends, the kernel itself continues those of its group that are stopped, and hangs up on them. */
    if (part->guise == ORPHANED_GROUPS) {
        signal(SIGHUP, SIG_IGN);
        if (fork() != 0) {
            sleep_for(5000);
            _exit(0);
        }
    }
    be_agent(part);
}

static void start_parts(enum moment moment)
{
    for (const struct part *part = parts; part < parts + part_count; part++)
        for (int count = 0; part->moment == moment && count < part->count; count++)
            if (part->guise == THREADS)
                start_thread(be_thread, part);
            else if (part->guise == BORROWERS)
                start_thread(be_borrower, part);
            else
                start_process(part);
}

/* ---- The game ---- */

static void print_now(const char *text)
{
    if (write(STDOUT_FILENO, text, strlen(text)) < 0)
        exit(0);
}

/* Stops and is continued by a child, if that may. */
static void stop_for_a_while(void)
{
    pid_t self = getpid();

    if (fork() == 0) {
        sleep_for(2000);
        kill(self, SIGCONT);
        _exit(0);
    }
    raise(SIGSTOP);
}

static void before_each_move(void)
{
    static int move;

    known->busy_until = now_us() + 50000;
    while (waitpid(-1, NULL, WNOHANG | __WALL) > 0)
        ;
    if (move == 0)
        start_parts(FIRST_MOVE);
    start_parts(EVERY_MOVE);
    if (has[STOPS_PARENT])
        kill(getppid(), SIGSTOP);
    if (has[STOPS_ITSELF] && move == 2)
        stop_for_a_while();
    if (has[CHATS])
        print_now("let me see\nhere it is\n");
    if (has[CHATS_LATE] && fork() == 0) {
        sleep_for(1500);
        print_now("is it my turn?\n");
        _exit(0);
    }
    if (has[PARTIAL]) {
        print_now("  ");
        sleep_for(300);
        print_now(" ");
    }
    move++;
    /* Until the move is written. */
    known->busy_until = now_us() + 200;
}

static void come_up(void)
{
    take_up_habits(false);
    start_parts(COMING_UP);
    if (has[GREETS] && one_in(2))
        fprintf(stderr, "good morning\n");
    if (busy_start)
        compute_for(start_ms * 1000L);
    else
        sleep_for(start_ms * 1000L);
    if (has[GREETS])
        fprintf(stderr, "here I am\n");
}

static void describe(const char *seed)
{
    const char *between = "";

    printf("adversary %s: comes up after %d ms of %s; ", seed, start_ms, busy_start ? "work" : "sleep");
    for (int habit = 0; habit < HABITS; habit++)
        if (has[habit])
            printf("%s; ", habits[habit].says);
    for (const struct part *part = parts; part < parts + part_count; part++) {
        printf("%s%d %s %s %s", between, part->count, guises[part->guise], part->act->says, moments[part->moment]);
        if (part->delay_ms > 0)
            printf(", %d ms later", part->delay_ms);
        if (part->heedless)
            printf(", in its own turns too");
        if (part->lasts_ms < LONGEST_MS)
            printf(", for %d ms", part->lasts_ms);
        between = "; ";
    }
    printf("\n");
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: adversary SEED b|p, or adversary SEED --describe\n");
        return 2;
    }
    dice = strtoull(argv[1], NULL, 10);
    draw_habits();
    draw_parts();
    if (strcmp(argv[2], "--describe") == 0) {
        describe(argv[1]);
        return 0;
    }
    known = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    come_up();
    play(argv[2][0], before_each_move);
    known->is_over = !has[LEAVES_AGENTS];
    if (has[STAYS])
        sleep_for(LONGEST_MS * 1000L);
    _exit(0);
}
