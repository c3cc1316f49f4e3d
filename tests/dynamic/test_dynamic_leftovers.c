/* Writing a file anew, for the first batch and to compact it: a program is killed before every single call that it makes of the system, and the next writer finds all batches and
 * removes what was left; what others have under such a name stays. */
#include "saga.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <sys/wait.h>

/* --- in place of the C library's ------------------------------------------------------- */

static bool names_only;          /* a file system without nameless files */
static int link_error;           /* one that gives them no names */
static unsigned calls, last_one; /* the call before which the program is killed; 0: none */

static void count(void) {
    if (last_one && ++calls == last_one) raise(SIGKILL);
}

int open(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    unsigned mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, unsigned) : 0;
    va_end(more);
    count();
    if (names_only && (flags & O_TMPFILE) == O_TMPFILE) {
        errno = EOPNOTSUPP;
        return -1;
    }
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags) {
    count();
    errno = link_error;
    return link_error ? -1 : (int)syscall(SYS_linkat, from_folder, from, to_folder, to, flags);
}

int rename(const char *from, const char *to) {
    count();
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int fchmod(int fd, mode_t mode) {
    count();
    return (int)syscall(SYS_fchmod, fd, mode);
}

int fsync(int fd) {
    count();
    return (int)syscall(SYS_fsync, fd);
}

int fdatasync(int fd) {
    count();
    return (int)syscall(SYS_fdatasync, fd);
}

int flock(int fd, int how) {
    count();
    return (int)syscall(SYS_flock, fd, how);
}

ssize_t write(int fd, const void *data, size_t bytes) {
    count();
    return syscall(SYS_write, fd, data, bytes);
}

/* --- killed ----------------------------------------------------------------------------- */

static struct scene {
    place p;
    saga s;
    weft_ctx *ctx;
    char beside[600], made[600];
} c;

static void set_up(void) {
    c.ctx = new_ctx(1, NULL);
    saga_write(c.ctx, &c.s, true, WEFT_WEIGHT_U32, SPARSE_IDS, 10);
    if (!place_open(&c.p) || !saga_file(c.ctx, &c.s, c.p.path)) exit(1);
    snprintf(c.beside, sizeof c.beside, "%s.rewritten", c.p.path);
    snprintf(c.made, sizeof c.made, "%s/made.weft", c.p.folder);
}

static void tear_down(void) {
    model_free(&c.s.m);
    weft_ctx_free(c.ctx);
    remove_temp(c.p.folder);
}

/* Two batches, the file anew for the first and after it, in a process of its own.  True: it was killed. */
static bool write_and_die(unsigned at) {
    int how;
    pid_t child = fork();
    if (!child) {
        weft_ctx *ctx = new_ctx(1, NULL);
        weft_dynamic *d = NULL;
        calls = 0, last_one = at;
        bool good = !saga_open(ctx, c.p.path, WEFT_DURABLE_BATCH, &d) && !saga_batch(ctx, &c.s, d, 0) &&
                    !weft_dynamic_compact(ctx, d) && !saga_batch(ctx, &c.s, d, 1);
        last_one = 0;
        if (!good) fprintf(stderr, "%s\n", weft_ctx_message(ctx));
        _exit(good ? 0 : 1);
    }
    if (child < 0 || waitpid(child, &how, 0) != child) exit(1);
    CHECK(WIFSIGNALED(how) || WEXITSTATUS(how) == 0);
    return WIFSIGNALED(how);
}

/* Returns how often something was left. */
static unsigned kill_everywhere(void) {
    unsigned left = 0;
    bool killed = true;
    for (unsigned at = 1; killed && harness_failures < 5; at++) {
        weft_dynamic *d = NULL;
        warnings said = {0};
        weft_ctx *ctx = new_ctx(1, &said);
        unlink(c.p.path);
        if (!saga_file(c.ctx, &c.s, c.p.path)) exit(1);
        killed = write_and_die(at);
        bool any = count_entries(c.p.folder) > 1;
        left += any;
        if (saga_open(ctx, c.p.path, WEFT_DURABLE_BATCH, &d)) exit(1);
        CHECK_U64(count_entries(c.p.folder), 1);
        if (any != (strstr(said.text, "1 file beside it, left by programs") != NULL))
            HARNESS_FAIL("call %u: %s", at, said.text);
        uint64_t version = dynamic_info(ctx, d).version;
        CHECK(version <= 2 && saga_holds(ctx, &c.s, d, version));
        for (unsigned b = (unsigned)version; b < 4; b++) CHECK(!saga_batch(ctx, &c.s, d, b));
        CHECK(!weft_dynamic_compact(ctx, d) && saga_holds(ctx, &c.s, d, 4));
        weft_dynamic_free(d);
        CHECK_U64(count_entries(c.p.folder), 1);
        weft_ctx_free(ctx);
    }
    return left;
}

TEST(what_a_killed_program_left_is_removed_by_the_next_writer) {
    set_up();
    CHECK(kill_everywhere() >= 2); /* between the two names of the file, each time */
    tear_down();
}

TEST(the_same_where_files_have_names_from_the_beginning) {
    set_up();
    names_only = true;
    CHECK(kill_everywhere() >= 8);
    names_only = false;
    link_error = EPERM;
    CHECK(kill_everywhere() >= 8);
    link_error = 0;
    tear_down();
}

/* --- of others --------------------------------------------------------------------------- */

/* A writer comes, writes the file anew, and goes; what has the name is as it was. */
static void check_stays(const char *what) {
    weft_dynamic *d = NULL;
    struct stat before, after;
    size_t bytes = 0, now = 0;
    REQUIRE(!lstat(c.beside, &before));
    char *was = S_ISREG(before.st_mode) ? read_file(c.beside, &bytes) : NULL;
    int entries = count_entries(c.p.folder);
    unlink(c.p.path);
    REQUIRE(saga_file(c.ctx, &c.s, c.p.path) && !saga_open(c.ctx, c.p.path, WEFT_DURABLE_NEVER, &d));
    for (unsigned b = 0; b < 3; b++) CHECK(!saga_batch(c.ctx, &c.s, d, b) && !weft_dynamic_compact(c.ctx, d));
    weft_dynamic_free(d);
    char *is = S_ISREG(before.st_mode) ? read_file(c.beside, &now) : NULL;
    if (lstat(c.beside, &after) || before.st_ino != after.st_ino || before.st_mode != after.st_mode || bytes != now ||
        (was && (!is || memcmp(was, is, bytes))))
        HARNESS_FAIL("%s: it is not what it was", what);
    if (count_entries(c.p.folder) != entries) HARNESS_FAIL("%s: there are others now", what);
    free(was);
    free(is);
    remove(c.beside);
}

/* A file that a writer could have left, if it were not for its last batch. */
static void make_store(bool directed, bool compacted, unsigned batches) {
    static saga other;
    weft_dynamic *d = NULL;
    saga_write(c.ctx, &other, directed, WEFT_WEIGHT_U32, SPARSE_IDS, 10);
    REQUIRE(saga_file(c.ctx, &other, c.made) && !saga_open(c.ctx, c.made, WEFT_DURABLE_NEVER, &d));
    for (unsigned b = 0; b < batches; b++) CHECK(!saga_batch(c.ctx, &other, d, b));
    if (compacted) CHECK(!weft_dynamic_compact(c.ctx, d));
    weft_dynamic_free(d);
    REQUIRE(!rename(c.made, c.beside));
    model_free(&other.m);
}

TEST(what_others_have_under_such_a_name_stays) {
    char elsewhere[600];
    set_up();
    snprintf(elsewhere, sizeof elsewhere, "%s/elsewhere", c.p.folder);
    for (int mode = 0; mode < 2; mode++) {
        names_only = mode;
        REQUIRE(write_file(c.beside, "", 0));
        check_stays("an empty file");
        REQUIRE(write_file(c.beside, "1 2\n", 4) && !chmod(c.beside, 0600));
        check_stays("a list of edges");
        REQUIRE(saga_file(c.ctx, &c.s, c.made) && !rename(c.made, c.beside));
        check_stays("a finished graph");
        make_store(true, false, 1);
        check_stays("a store with a batch in its log");
        make_store(false, true, 0);
        check_stays("a store of another kind");
        make_store(true, true, 1);
        check_stays("a store with more batches than the file");
        REQUIRE(!symlink("elsewhere", c.beside));
        check_stays("a link that leads nowhere");
        CHECK(access(elsewhere, F_OK) != 0);
        make_store(true, true, 0);
        REQUIRE(!rename(c.beside, elsewhere) && !symlink("elsewhere", c.beside));
        check_stays("a link to what could be a leftover");
        CHECK(!unlink(elsewhere));
        make_store(true, true, 0);
        REQUIRE(!link(c.beside, elsewhere));
        check_stays("what has two names");
        CHECK(!unlink(elsewhere));
        REQUIRE(!mkfifo(c.beside, 0600));
        check_stays("a pipe");
        REQUIRE(!mkdir(c.beside, 0700));
        check_stays("a folder");
    }
    names_only = false;
    tear_down();
}

TEST(what_somebody_holds_stays_until_it_is_let_go) {
    weft_dynamic *d = NULL;
    set_up();
    make_store(true, true, 0);
    int fd = open(c.beside, O_RDWR | O_CLOEXEC);
    REQUIRE(fd >= 0 && !flock(fd, LOCK_EX));
    REQUIRE(!saga_open(c.ctx, c.p.path, WEFT_DURABLE_NEVER, &d));
    CHECK_U64(count_entries(c.p.folder), 2);
    weft_dynamic_free(d);
    close(fd);
    CHECK(!saga_read(c.ctx, c.p.path, WEFT_LAST_BATCH, &d)); /* a reader touches nothing */
    weft_dynamic_free(d);
    CHECK_U64(count_entries(c.p.folder), 2);
    REQUIRE(!saga_open(c.ctx, c.p.path, WEFT_DURABLE_NEVER, &d));
    CHECK_U64(count_entries(c.p.folder), 1);
    weft_dynamic_free(d);
    tear_down();
}

TEST_MAIN()
