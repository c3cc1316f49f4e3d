/* Files on their way out: their mode, whether they are on the disk, what packing them takes, being stopped while nobody reads, and what is left of them when the
 * process is killed. */
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>

/* In place of the C library's, to count who calls it. */
static int mask_changes;
mode_t umask(mode_t mask) {
    mask_changes++;
    return (mode_t)syscall(SYS_umask, mask);
}

/* The same, and it can be told to fail, or to be the last that the process does. */
static int settled, fsync_error;
static bool fsync_kills;
int fsync(int fd) {
    (void)fd;
    settled++;
    if (fsync_kills) raise(SIGKILL);
    errno = fsync_error;
    return fsync_error ? -1 : 0;
}

/* As on file systems that have no files without a name, or where none can be made any more. */
static bool names_only;
static int create_error;
int open(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    unsigned mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, unsigned) : 0;
    va_end(more);
    if (names_only && (flags & O_TMPFILE) == O_TMPFILE) {
        errno = EOPNOTSUPP;
        return -1;
    }
    if (create_error && flags & O_EXCL) {
        errno = create_error;
        return -1;
    }
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

static int link_error;
int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags) {
    errno = link_error;
    return link_error ? -1 : (int)syscall(SYS_linkat, from_folder, from, to_folder, to, flags);
}

typedef struct bench {
    char folder[256], path[300];
    weft_ctx *ctx;
    weft_graph *graph;
} bench;

static void set_up(bench *b, const char *name, uint64_t edges) {
    *b = (bench){.ctx = new_ctx(1, NULL)};
    if (!make_temp(b->folder, sizeof b->folder)) exit(1);
    snprintf(b->path, sizeof b->path, "%s/%s", b->folder, name);
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    p.n = edges + 1;
    if (weft_generate(b->ctx, "path", &p, NULL, &b->graph)) exit(1);
}

static void tear_down(bench *b) {
    weft_graph_free(b->graph);
    CHECK_U64(weft_ctx_memory_in_use(b->ctx), 0);
    weft_ctx_free(b->ctx);
    remove_temp(b->folder);
}

static mode_t mode_of(const char *path) {
    struct stat facts;
    return stat(path, &facts) ? 0 : facts.st_mode & 07777;
}

TEST(a_new_file_has_the_mode_of_any_new_file) {
    bench b;
    set_up(&b, "new.txt", 3);
    mode_t old = umask(027);
    CHECK_U64(weft_write(b.ctx, b.graph, b.path, NULL), WEFT_OK);
    CHECK_U64(mode_of(b.path), 0640);
    CHECK(!chmod(b.path, 0604));
    CHECK_U64(weft_write(b.ctx, b.graph, b.path, NULL), WEFT_OK);
    CHECK_U64(mode_of(b.path), 0604);
    umask(old);
    tear_down(&b);
}

/* The mask belongs to all threads of the program: to change it, even for a moment, is to change what they create. */
TEST(the_mask_of_the_process_is_left_alone) {
    bench b;
    set_up(&b, "new.txt", 3);
    int before = mask_changes;
    CHECK_U64(weft_write(b.ctx, b.graph, b.path, NULL), WEFT_OK);
    CHECK_U64(mask_changes, before);
    tear_down(&b);
}

TEST(what_replaces_a_file_is_on_the_disk_first) {
    bench b;
    set_up(&b, "g.txt", 10);
    settled = 0;
    CHECK(weft_write(b.ctx, b.graph, b.path, NULL) == WEFT_OK);
    CHECK_U64((uint64_t)settled, 0); /* nothing was there to be lost */
    CHECK(weft_write(b.ctx, b.graph, b.path, NULL) == WEFT_OK);
    CHECK_U64((uint64_t)settled, 2); /* the file, then its name in the folder */
    fsync_error = EIO;
    CHECK(weft_write(b.ctx, b.graph, b.path, NULL) == WEFT_EIO);
    CHECK_HAS(weft_ctx_message(b.ctx), "cannot write");
    CHECK_U64(count_entries(b.folder), 1); /* what was there, and no temporary */
    fsync_error = EINVAL;
    CHECK(weft_write(b.ctx, b.graph, b.path, NULL) == WEFT_OK);
    fsync_error = 0;
    tear_down(&b);
}

/* Killed before it has the name of the file that it replaces. */
static void write_and_die(bench *b) {
    pid_t child = fork();
    if (!child) {
        fsync_kills = true;
        _exit(weft_write(b->ctx, b->graph, b->path, NULL) ? 1 : 0);
    }
    int how = 0;
    CHECK(child > 0 && waitpid(child, &how, 0) == child && WIFSIGNALED(how) && WTERMSIG(how) == SIGKILL);
}

TEST(nothing_is_left_by_a_process_that_is_killed) {
    bench b;
    set_up(&b, "g.txt", 10);
    int nameless = open(b.folder, O_TMPFILE | O_WRONLY, 0600);
    if (nameless >= 0) close(nameless);
    REQUIRE(write_file(b.path, "old", 3));
    write_and_die(&b);
    CHECK_U64(count_entries(b.folder), nameless >= 0 ? 1 : 2);
    names_only = true;
    write_and_die(&b);
    names_only = false;
    CHECK_U64(count_entries(b.folder), nameless >= 0 ? 2 : 3);
    struct stat facts;
    CHECK(!stat(b.path, &facts) && facts.st_size == 3);
    tear_down(&b);
}

TEST(files_have_names_all_the_time_where_they_must) {
    bench b;
    set_up(&b, "new.txt", 3);
    names_only = true;
    mode_t old = umask(027);
    CHECK_U64(weft_write(b.ctx, b.graph, b.path, NULL), WEFT_OK);
    umask(old);
    names_only = false;
    CHECK_U64(mode_of(b.path), 0640);
    CHECK_U64(count_entries(b.folder), 1);
    tear_down(&b);
}

TEST(a_file_that_gets_no_name_in_the_end_is_copied) {
    bench b;
    set_up(&b, "new.txt", 100000);
    int nameless = open(b.folder, O_TMPFILE | O_WRONLY, 0600);
    if (nameless < 0) {
        tear_down(&b);
        SKIP("the file system has no files without a name");
    }
    close(nameless);
    struct stat usual, copied;
    CHECK_U64(weft_write(b.ctx, b.graph, b.path, NULL), WEFT_OK);
    CHECK(!stat(b.path, &usual) && usual.st_size > 1 << 19);
    size_t length = 0, again = 0;
    char *text = read_file(b.path, &length), *copy;
    unlink(b.path);
    link_error = EPERM;
    CHECK_U64(weft_write(b.ctx, b.graph, b.path, NULL), WEFT_OK);
    CHECK(!stat(b.path, &copied) && copied.st_mode == usual.st_mode);
    copy = read_file(b.path, &again);
    CHECK(text && copy && length == again && !memcmp(text, copy, length));
    free(text);
    free(copy);
    unlink(b.path);
    create_error = ENOSPC;
    CHECK_U64(weft_write(b.ctx, b.graph, b.path, NULL), WEFT_EIO);
    create_error = link_error = 0;
    CHECK_HAS(weft_ctx_message(b.ctx), "new.txt: cannot write: No space left on device");
    CHECK_U64(count_entries(b.folder), 0);
    tear_down(&b);
}

TEST(packing_counts_as_memory) {
    static const char *const names[] = {"a.txt.gz", "a.txt.zst"};
    for (int i = 0; i < 2; i++) {
        bench b;
        set_up(&b, names[i], 50000);
        weft_write_params p = WEFT_WRITE_DEFAULTS;
        p.level = i ? 19 : 9;
        uint64_t more = i ? 8 << 20 : 700 << 10; /* than the graph: enough for the buffers, too little for packing */
        CHECK_U64(weft_ctx_set_memory_limit(b.ctx, weft_ctx_memory_in_use(b.ctx) + more), WEFT_OK);
        CHECK_U64(weft_write(b.ctx, b.graph, b.path, &p), WEFT_ENOMEM);
        CHECK_U64(count_entries(b.folder), 0);
        CHECK_U64(weft_ctx_set_memory_limit(b.ctx, 0), WEFT_OK);
        CHECK_U64(weft_write(b.ctx, b.graph, b.path, &p), WEFT_OK);
        CHECK(weft_ctx_memory_peak(b.ctx) > weft_ctx_memory_in_use(b.ctx) + more);
        tear_down(&b);
    }
}

TEST(unpacking_counts_as_memory) {
    bench b;
    set_up(&b, "a.txt.zst", 200000);
    weft_write_params p = WEFT_WRITE_DEFAULTS;
    p.level = 19; /* a window of 8 MiB */
    CHECK_U64(weft_write(b.ctx, b.graph, b.path, &p), WEFT_OK);
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = NULL;
    CHECK_U64(weft_ctx_set_memory_limit(ctx, 4 << 20), WEFT_OK);
    CHECK_U64(weft_read(ctx, b.path, NULL, &g), WEFT_ENOMEM);
    CHECK_HAS(weft_ctx_message(ctx), "memory limit");
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    CHECK_U64(weft_ctx_set_memory_limit(ctx, 0), WEFT_OK);
    CHECK_U64(weft_read(ctx, b.path, NULL, &g), WEFT_OK);
    CHECK(weft_ctx_memory_peak(ctx) > 8 << 20);
    weft_graph_free(g);
    weft_ctx_free(ctx);
    tear_down(&b);
}

static volatile sig_atomic_t told_to_stop;
static void stop(int signal) {
    (void)signal;
    told_to_stop++;
}
static int wants_to_stop(void *user) {
    (void)user;
    return told_to_stop > 0;
}

TEST(a_pipe_that_nobody_reads_can_be_left) {
    bench b;
    set_up(&b, "unused", 100000);
    int ends[2];
    REQUIRE(!pipe(ends));
    snprintf(b.path, sizeof b.path, "/dev/fd/%d", ends[1]);
    struct sigaction action = {.sa_handler = stop}, old;
    sigaction(SIGALRM, &action, &old);
    struct itimerval soon = {.it_value = {.tv_usec = 50000}, .it_interval = {.tv_sec = 2}}, never = {0};
    told_to_stop = 0;
    weft_ctx_set_cancel(b.ctx, wants_to_stop, NULL);
    weft_write_params p = WEFT_WRITE_DEFAULTS;
    p.format = "edgelist";
    setitimer(ITIMER_REAL, &soon, NULL);
    CHECK_U64(weft_write(b.ctx, b.graph, b.path, &p), WEFT_ECANCELLED);
    setitimer(ITIMER_REAL, &never, NULL);
    CHECK_U64((uint64_t)told_to_stop, 1); /* one signal is enough */
    CHECK_TEXT(weft_ctx_message(b.ctx), "stopped on request");
    sigaction(SIGALRM, &old, NULL);
    close(ends[0]);
    close(ends[1]);
    tear_down(&b);
}

TEST(a_descriptor_of_a_file_without_a_name_is_written_to) {
    bench b;
    set_up(&b, "gone.txt", 3);
    int fd = open(b.path, O_RDWR | O_CREAT, 0600);
    REQUIRE(fd >= 0);
    REQUIRE(!unlink(b.path));
    snprintf(b.path, sizeof b.path, "/dev/fd/%d", fd);
    REQUIRE(write(fd, "before\n", 7) == 7);
    weft_write_params p = WEFT_WRITE_DEFAULTS;
    p.format = "csv";
    CHECK_U64(weft_write(b.ctx, b.graph, b.path, &p), WEFT_OK);
    CHECK_U64(count_entries(b.folder), 0);
    char text[256];
    ssize_t length = pread(fd, text, sizeof text - 1, 0);
    REQUIRE(length > 0);
    text[length] = 0;
    CHECK_TEXT(text, "before\nsource,target\n0,1\n1,2\n2,3\n");
    close(fd);
    tear_down(&b);
}

TEST_MAIN()
