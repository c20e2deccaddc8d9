/*
 * snoop: reaches for what is not its own.
 *
 * Usage: snoop look|killparent|killgroup|killall|word|oldcalls b|p
 *
 * What there is to reach for stands in the file `targets` beside the program, as lines of NAME=VALUE; the tests have
 * put it there, and nothing else is touched.  What came of each attempt is said on stderr; then the game is played.
 */
#include "play.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <linux/fs.h>
#include <linux/keyctl.h>
#include <stdint.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>

static char targets[8192];

/* The value of a target. */
static const char *target(const char *name)
{
    static char value[1024];
    char start[64];
    const char *found;

    snprintf(start, sizeof start, "\n%s=", name);
    found = strstr(targets, start);
    if (found == NULL) {
        fprintf(stderr, "no target %s\n", name);
        exit(2);
    }
    found += strlen(start);
    snprintf(value, sizeof value, "%.*s", (int)strcspn(found, "\n"), found);
    return value;
}

static void read_targets(void)
{
    int fd = open("targets", O_RDONLY);
    ssize_t length = fd == -1 ? 0 : read(fd, targets + 1, sizeof targets - 2);

    targets[0] = '\n';
    if (length <= 0) {
        fprintf(stderr, "the file 'targets' is not in the working directory\n");
        exit(2);
    }
    close(fd);
}

/* Closes a descriptor, if it is one, and leaves the word of what went wrong before. */
static bool was_opened(int fd)
{
    if (fd == -1)
        return false;
    close(fd);
    return true;
}

static bool can_read(const char *path)
{
    return was_opened(open(path, O_RDONLY));
}

static bool can_write(const char *path)
{
    return was_opened(open(path, O_WRONLY | O_CREAT | O_APPEND, 0600));
}

static bool holds(const char *path, const char *text)
{
    static char content[65536];
    int fd = open(path, O_RDONLY);
    ssize_t length = fd == -1 ? 0 : read(fd, content, sizeof content - 1);

    was_opened(fd);
    return length > 0 && memmem(content, length, text, strlen(text)) != NULL;
}

/* ---------------------------------------------------------------- inheritance */

static void inheritance(void)
{
    char path[64];
    bool more = false;

    for (int fd = 3; fd < 1024; fd++)
        more = more || fcntl(fd, F_GETFD) != -1;
    attempt("descriptor above 2", more);
    attempt("environment", getenv("ZOO_SECRET") != NULL);
    snprintf(path, sizeof path, "/proc/%d/environ", getppid());
    attempt("environment of the parent", can_read(path));
    attempt("privileges by programs", prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1);
    attempt("capabilities", !holds("/proc/self/status", "CapEff:\t0000000000000000"));
    call("filters of its own", syscall(SYS_seccomp, 2, 0, &(uint32_t){ 0x7fff0000 }));
    call("the size of a table of the kernel's", prctl(78, 1, 16, 0, 0));
}

/* ---------------------------------------------------------------------- files */

/* From folder to folder, which needs a permission of its own. */
static bool moves_files(void)
{
    return mkdir("from", 0700) == 0 && mkdir("to", 0700) == 0 && can_write("from/file") && rename("from/file", "to/file") == 0
        && can_read("to/file");
}

static void files(void)
{
    char own[1024];
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    DIR *home = opendir(target("home"));
    int fd;

    own[length > 0 ? length : 0] = '\0';
    attempt("read own folder", can_read(own));
    attempt("read the system", can_read("/usr/bin/env"));
    attempt("write own scratch", can_write("scratch-file") && can_write("/dev/null"));
    attempt("move files in own scratch", moves_files());
    attempt("read the opponent", can_read(target("opponent")));
    attempt("read the opponent's source", can_read(target("source")));
    attempt("read the journal", can_read(target("journal")));
    attempt("read the home directory", can_read(target("secret")) || (home != NULL && readdir(home) != NULL && errno == 0));
    attempt("learn about users", holds("/etc/passwd", "root:"));
    attempt("read /etc/shadow", can_read("/etc/shadow"));
    attempt("write into the results", can_write(target("results")));
    attempt("write into its folder", can_write(strcat(own, "-new")));
    own[length] = '\0';
    call("change modes", chmod(own, 0755));
    call("change modes of devices", chmod("/dev/null", 0666));
    call("change times", utimes(own, NULL));
    if (*target("tier") != 'C')
        call("remove itself", unlink(own));
    call("write to /proc", open("/proc/sys/kernel/core_pattern", O_WRONLY));
    fd = open(own, O_RDONLY);
    call("lease", fcntl(fd, F_SETLEASE, F_RDLCK));
    close(fd);
}

/* ------------------------------------------------------------------ processes */

/* Where there is no such process. */
#define NOBODY 0x3ffffff

/* The process that was started from a path with this text in it. */
static pid_t process_from(const char *text)
{
    DIR *proc = opendir("/proc");
    struct dirent *entry;
    pid_t found = NOBODY;

    while (proc != NULL && (entry = readdir(proc)) != NULL) {
        char path[300], command[1024] = "";
        int fd;

        snprintf(path, sizeof path, "/proc/%s/cmdline", entry->d_name);
        fd = open(path, O_RDONLY);
        /* Only the first word: the referee's further ones name the program, too. */
        if (fd != -1 && read(fd, command, sizeof command - 1) > 0 && strstr(command, text) != NULL)
            found = atoi(entry->d_name);
        close(fd);
    }
    return found;
}

static pid_t parent_of(pid_t pid)
{
    char path[64], status[4096] = "", *line;
    int fd;

    snprintf(path, sizeof path, "/proc/%d/status", pid);
    fd = open(path, O_RDONLY);
    line = fd != -1 && read(fd, status, sizeof status - 1) > 0 ? strstr(status, "PPid:") : NULL;
    close(fd);
    return line != NULL && atoi(line + 5) > 0 ? atoi(line + 5) : NOBODY;
}

static void reach(const char *whom, pid_t pid)
{
    char what[128], path[64], byte;
    struct iovec here = { &byte, 1 }, there = { (void *)0x400000, 1 };
    struct rlimit none = { 0, 0 };
    cpu_set_t cores;
    int pidfd;

#define DO(verb) (snprintf(what, sizeof what, "%s %s", verb, whom), what)
    call(DO("signal"), kill(pid, 0));
    call(DO("signal a thread of"), syscall(SYS_tgkill, pid, pid, 0));
    pidfd = syscall(SYS_pidfd_open, pid, 0);
    call(DO("signal by descriptor"), pidfd == -1 ? -1 : syscall(SYS_pidfd_send_signal, pidfd, 0, NULL, 0));
    call(DO("take descriptors of"), pidfd == -1 ? -1 : syscall(SYS_pidfd_getfd, pidfd, 0, 0));
    close(pidfd);
    call(DO("trace"), ptrace(PTRACE_SEIZE, pid, 0, 0));
    /* The first page of the program may be elsewhere: that is no refusal. */
    attempt(DO("read memory of"), process_vm_readv(pid, &here, 1, &there, 1, 0) != -1 || errno == EFAULT);
    snprintf(path, sizeof path, "/proc/%d/mem", pid);
    call(DO("open memory of"), open(path, O_RDWR));
    snprintf(path, sizeof path, "/proc/%d/root/etc", pid);
    call(DO("enter the root of"), open(path, O_RDONLY));
    call(DO("limit"), prlimit(pid, RLIMIT_CORE, &none, NULL));
    call(DO("renice"), setpriority(PRIO_PROCESS, pid, 19));
    sched_getaffinity(0, sizeof cores, &cores);
    call(DO("move"), sched_setaffinity(pid, sizeof cores, &cores));
}

static void processes(void)
{
    reach("the victim", atoi(target("victim")));
    /* Where that is not refused, it would break the game or reach the whole machine. */
    if (*target("tier") != 'C') {
        reach("the opponent", process_from(target("token")));
        reach("its keeper", getppid());
        reach("the referee", parent_of(getppid()));
        call("renice everybody", setpriority(PRIO_USER, 0, 19));
    }
    call("end the victim", kill(atoi(target("victim")), SIGTERM));
}

/* -------------------------------------------------------------------- network */

static void network(void)
{
    struct sockaddr_in inet = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    struct sockaddr_un local = { .sun_family = AF_UNIX };
    socklen_t length;
    int pair[2] = { -1, -1 };

    inet.sin_port = htons(atoi(target("tcp")));
    call("tcp", connect(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr *)&inet, sizeof inet));
    inet.sin_port = htons(atoi(target("udp")));
    call("udp", sendto(socket(AF_INET, SOCK_DGRAM, 0), "x", 1, 0, (struct sockaddr *)&inet, sizeof inet));
    snprintf(local.sun_path + 1, sizeof local.sun_path - 1, "%s", target("token"));
    length = offsetof(struct sockaddr_un, sun_path) + 1 + strlen(local.sun_path + 1);
    call("abstract socket", connect(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&local, length));
    snprintf(local.sun_path, sizeof local.sun_path, "%s", target("socket"));
    call("socket in a file", connect(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&local, sizeof local));
    socketpair(AF_UNIX, SOCK_DGRAM, 0, pair);
    call("a pair's end to a socket in a file", sendto(pair[0], "x", 1, 0, (struct sockaddr *)&local, sizeof local));
    call("packets", socket(AF_PACKET, SOCK_RAW, 0));
    call("sockets to the host of a virtual machine", socket(AF_VSOCK, SOCK_STREAM, 0));
}

/* -------------------------------------------------------- the account's share */

/* A descriptor on its way is counted for the whole account until somebody takes it. */
static int pass_descriptor(void)
{
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(int))];
    } control = { 0 };
    char byte = 'x';
    struct iovec data = { &byte, 1 };
    struct msghdr message = { .msg_iov = &data, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control };
    int pair[2];

    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == -1)
        return -1;
    control.header = (struct cmsghdr){ .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof(int)) };
    memcpy(CMSG_DATA(&control.header), &pair[0], sizeof(int));
    return sendmsg(pair[1], &message, 0);
}

static int lock_record(const char *path, int command)
{
    struct flock lock = { .l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = 7, .l_len = 1 };

    return fcntl(open(path, O_RDONLY), command, &lock);
}

static void account(void)
{
    union sigval nothing = { 0 };
    struct iovec page = { targets, 4096 };
    sigset_t queued;
    unsigned long contexts = 0;
    int count = 0, flags = 0, pair[2], file = open("own-file", O_RDWR | O_CREAT, 0600);

    call("pass descriptors", pass_descriptor());
    call("inotify", inotify_init1(0));
    call("fanotify", syscall(SYS_fanotify_init, 0x200, 0));
    call("asynchronous reading and writing", syscall(SYS_io_setup, 1, &contexts));
    call("lock a file of the system", flock(open("/usr/bin/env", O_RDONLY), LOCK_SH));
    call("lock a device", flock(open("/dev/null", O_RDONLY), LOCK_SH));
    call("lock a part of a file of the system", lock_record("/usr/bin/env", F_SETLK));
    call("lock a part of a device", lock_record("/dev/null", F_OFD_SETLK));
    signal(SIGIO, SIG_IGN);
    call("hear of changes in a folder", fcntl(open("/usr/bin", O_RDONLY), F_NOTIFY, 1));
    call("set hints", fcntl(file, 1024 + 12, &(uint64_t){ 2 }));
    attempt("set flags of files", ioctl(file, FS_IOC_SETFLAGS, &flags) == 0 || errno == EOPNOTSUPP);
    pipe(pair);
    call("enlarge pipes", fcntl(pair[0], F_SETPIPE_SZ, 1 << 20));
    call("leave pages in a pipe", vmsplice(pair[1], &page, 1, 0));
    call("rules of its own", syscall(SYS_landlock_create_ruleset, NULL, 0, 1));
    sigemptyset(&queued);
    sigaddset(&queued, SIGRTMIN);
    sigprocmask(SIG_BLOCK, &queued, NULL);
    while (count < 2000 && sigqueue(getpid(), SIGRTMIN, nothing) == 0)
        count++;
    attempt("queue very many signals", count == 2000);
}

/* -------------------------------------------------------------------- machine */

static void machine(void)
{
    struct timespec now;
    cpu_set_t all;
    char letter = '\n';
    int child;

    clock_gettime(CLOCK_REALTIME, &now);
    call("set the clock", clock_settime(CLOCK_REALTIME, &now));
    call("raise its priority", setpriority(PRIO_PROCESS, 0, -5));
    CPU_ZERO(&all);
    for (int core = 0; core < sysconf(_SC_NPROCESSORS_CONF); core++)
        CPU_SET(core, &all);
    call("leave its core", sched_setaffinity(0, sizeof all, &all));
    call("open the terminal", open("/dev/tty", O_RDWR));
    call("grab the terminal", ioctl(STDOUT_FILENO, TIOCSCTTY, 0));
    call("type for others", ioctl(STDOUT_FILENO, TIOCSTI, &letter));
    call("open another terminal", open(target("terminal"), O_RDWR));
    call("mount", mount("none", "/tmp", "tmpfs", 0, NULL));
    call("io_uring", syscall(SYS_io_uring_setup, 1, NULL) == -1 && errno == EFAULT ? 0 : -1);
    call("bpf", syscall(SYS_bpf, 0, NULL, 0) == -1 && errno == EFAULT ? 0 : -1);
    call("userfaultfd", syscall(SYS_userfaultfd, O_CLOEXEC | 1));
    call("keys", syscall(SYS_add_key, "user", "zoo", "x", 1, KEY_SPEC_PROCESS_KEYRING));
    call("memory of nobody", syscall(SYS_memfd_create, "zoo", 0));
#ifdef __x86_64__
    call("second numbers", syscall(0x40000000 + SYS_getpid));
#endif
    child = fork();
    if (child == 0)
        _exit(unshare(CLONE_NEWUSER) == -1);
    waitpid(child, &child, 0);
    attempt("namespaces of its own", child == 0);
    child = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
    if (child == 0)
        _exit(0);
    call("namespaces of a child's own", child);
}

/* -------------------------------------------------------- word for an accomplice */

/* A file that every program sees. */
#define SYSTEM_FILE "/usr/bin/env"

static char key_name[64];

static void path_for_word(char *path, size_t size, int way)
{
    static const char *const folders[] = { "/tmp", "/var/tmp", "/dev/shm" };

    snprintf(path, size, "%s/%s", folders[way], target("token"));
}

static struct sockaddr_un meeting_point(socklen_t *length)
{
    struct sockaddr_un place = { .sun_family = AF_UNIX };

    *length = offsetof(struct sockaddr_un, sun_path) + 1 + sprintf(place.sun_path + 1, "%s-word", target("token"));
    return place;
}

/* White leaves word, in every way there is. */
static void leave_word(void)
{
    char path[256];
    socklen_t length;
    struct sockaddr_un place = meeting_point(&length);
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);

    for (int way = 0; way < 3; way++) {
        path_for_word(path, sizeof path, way);
        can_write(path);
    }
    shmget(atoi(target("key")) + 1, 4096, IPC_CREAT | 0600);
    bind(listener, (struct sockaddr *)&place, length);
    listen(listener, 1);
    syscall(SYS_add_key, "user", key_name, "x", 1, KEY_SPEC_USER_KEYRING);
    prctl(PR_SET_NAME, "zoo-word");
    flock(open(SYSTEM_FILE, O_RDONLY), LOCK_EX);
    lock_record(SYSTEM_FILE, F_SETLK);
}

/* Again and again: who listens may have come late. */
static void leave_traces(void)
{
    can_read(SYSTEM_FILE);
}

static int listener = -1;

/* Black listens from the beginning. */
static void listen_for_word(void)
{
    listener = inotify_init1(IN_NONBLOCK);
    inotify_add_watch(listener, SYSTEM_FILE, IN_OPEN);
}

static void find_locks(void)
{
    struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 7, .l_len = 1 };
    int fd = open(SYSTEM_FILE, O_RDONLY);

    attempt("word by a lock", flock(fd, LOCK_EX | LOCK_NB) == -1 && errno == EWOULDBLOCK);
    attempt("word by a lock on a part", fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK);
    close(fd);
}

/* Black looks for it, and takes it away. */
static void find_word(void)
{
    static int turns = 0;
    static const char *const names[] = { "word in /tmp", "word in /var/tmp", "word in /dev/shm" };
    char path[256];
    socklen_t length;
    struct sockaddr_un place = meeting_point(&length);
    int memory, socket_fd = socket(AF_UNIX, SOCK_STREAM, 0);

    if (++turns == 3) {
        char event[4096];

        attempt("word by opening a file", read(listener, event, sizeof event) > 0);
    }
    if (turns > 1)
        return;
    find_locks();
    for (int way = 0; way < 3; way++) {
        path_for_word(path, sizeof path, way);
        call(names[way], open(path, O_RDONLY));
        unlink(path);
    }
    memory = shmget(atoi(target("key")) + 1, 4096, 0600);
    call("word in System V memory", memory);
    shmctl(memory, IPC_RMID, NULL);
    call("word at a socket", connect(socket_fd, (struct sockaddr *)&place, length));
    call("word on a key ring", syscall(SYS_keyctl, KEYCTL_SEARCH, KEY_SPEC_USER_KEYRING, "user", key_name, 0));
}

/* -------------------------------------------------------------------- killing */

/* Where it is not known that others are out of reach, they are left alone. */
static void kill_all(void)
{
    if (kill(atoi(target("victim")), 0) == 0) {
        attempt("kill everybody", true);
        return;
    }
    kill(-1, SIGKILL);
    attempt("kill everybody", kill(atoi(target("victim")), 0) == 0);
}

int main(int argc, char **argv)
{
    const char *kind = argc == 3 ? argv[1] : "";
    void (*before)(void) = NULL;

    setvbuf(stderr, NULL, _IOLBF, 0);
    if (strcmp(kind, "look") == 0) {
        inheritance();
        read_targets();
        files();
        network();
        account();
        machine();
        attempt("System V memory of others", shmget(atoi(target("key")), 1, 0) != -1);
        attempt("files in /tmp", can_read(target("tmp")));
        attempt("files in /dev/shm", can_read(target("shm")));
        processes();
    } else if (strcmp(kind, "killparent") == 0) {
        kill(getppid(), SIGKILL);
        kill(getppid(), SIGSTOP);
    } else if (strcmp(kind, "killgroup") == 0) {
        kill(0, SIGKILL);
    } else if (strcmp(kind, "killall") == 0) {
        read_targets();
        kill_all();
    } else if (strcmp(kind, "word") == 0) {
        read_targets();
        snprintf(key_name, sizeof key_name, "%s", target("token"));
        if (argv[2][0] == 'b') {
            leave_word();
            before = leave_traces;
        } else {
            listen_for_word();
            before = find_word;
        }
#ifdef __x86_64__
    } else if (strcmp(kind, "oldcalls") == 0) {
        long number = 20; /* getpid, for programs of 32 bits */

        __asm__ volatile("int $0x80" : "+a"(number));
        call("calls of 32 bits", number > 0 ? 0 : -1);
#endif
    } else {
        fprintf(stderr, "usage: snoop KIND b|p\n");
        return 2;
    }
    play(argv[2][0], before);
    return 0;
}
