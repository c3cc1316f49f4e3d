/* All that put files in place (graphs, results, figures, checkpoints, stores) on systems that refuse: each call fails
 * in turn (linked with --wrap), on a system with nameless files, without them, and where they get no name.  Then the
 * old file is there as it was, or the new one whole; nothing else; and who was told that it went well has the new
 * one. */
#include "support.h"

#include "ranks/spread.h"
#include "result/rows.h"
#include "run/checkpoint_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/resource.h>

typedef enum call { NO_CALL, OPEN, WRITE, FSYNC, FSYNC_FOLDER, LINK, RENAME, CLOSE, CALLS } call;

static struct {
    bool on, names_only, no_links; /* the system has no nameless files; links none */
    uint64_t seen, fails_at;
    call failed;                       /* the kind of the one that did */
    uint64_t failures[CALLS];          /* of each kind */
    bool done_but_refused;             /* as on NFS: a link or rename is done, and its answer lost */
    void (*before_link)(const char *); /* what another process does meanwhile */
} calls;

static bool fails(call kind, int error) {
    if (!calls.on || ++calls.seen != calls.fails_at) return false;
    calls.failed = kind;
    calls.failures[kind]++;
    errno = error;
    return true;
}

int __real_open(const char *path, int flags, ...);
ssize_t __real_write(int fd, const void *data, size_t bytes);
ssize_t __real_pwrite(int fd, const void *data, size_t bytes, off_t offset);
int __real_fsync(int fd);
int __real_linkat(int from_folder, const char *from, int to_folder, const char *to, int flags);
int __real_rename(const char *from, const char *to);
int __real_close(int fd);
int __wrap_open(const char *path, int flags, ...);
ssize_t __wrap_write(int fd, const void *data, size_t bytes);
ssize_t __wrap_pwrite(int fd, const void *data, size_t bytes, off_t offset);
int __wrap_fsync(int fd);
int __wrap_linkat(int from_folder, const char *from, int to_folder, const char *to, int flags);
int __wrap_rename(const char *from, const char *to);
int __wrap_close(int fd);

int __wrap_open(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    unsigned mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, unsigned) : 0;
    va_end(more);
    if (calls.names_only && (flags & O_TMPFILE) == O_TMPFILE) {
        errno = EOPNOTSUPP;
        return -1;
    }
    if (fails(flags == (O_RDONLY | O_DIRECTORY | O_CLOEXEC) ? FSYNC_FOLDER : OPEN, EMFILE)) return -1;
    return __real_open(path, flags, mode);
}

/* A full disk takes a part first. */
ssize_t __wrap_write(int fd, const void *data, size_t bytes) {
    bool full = fails(WRITE, ENOSPC);
    if (full) (void)!__real_write(fd, data, bytes / 2);
    errno = ENOSPC;
    return full ? -1 : __real_write(fd, data, bytes);
}

ssize_t __wrap_pwrite(int fd, const void *data, size_t bytes, off_t offset) {
    return fails(WRITE, ENOSPC) ? -1 : __real_pwrite(fd, data, bytes, offset);
}

int __wrap_fsync(int fd) {
    struct stat facts;
    bool folder = !fstat(fd, &facts) && S_ISDIR(facts.st_mode);
    return fails(folder ? FSYNC_FOLDER : FSYNC, EIO) ? -1 : 0; /* nobody pulls the plug here */
}

int __wrap_linkat(int from_folder, const char *from, int to_folder, const char *to, int flags) {
    if (calls.on && calls.before_link) calls.before_link(to);
    errno = EPERM;
    if (calls.on && calls.no_links) return -1;
    if (fails(LINK, EXDEV)) return -1;
    int done = __real_linkat(from_folder, from, to_folder, to, flags);
    if (!done && calls.on && calls.done_but_refused) errno = EEXIST, done = -1;
    return done;
}

int __wrap_rename(const char *from, const char *to) {
    if (fails(RENAME, EIO)) return -1;
    int done = __real_rename(from, to);
    if (!done && calls.on && calls.done_but_refused) errno = ENOENT, done = -1;
    return done;
}

/* What is written may be refused as late as here; the descriptor is closed all the same. */
int __wrap_close(int fd) {
    int flags = fcntl(fd, F_GETFL);
    bool refused = flags >= 0 && (flags & O_ACCMODE) != O_RDONLY && fails(CLOSE, EDQUOT);
    int done = __real_close(fd);
    if (refused) errno = EDQUOT;
    return refused ? -1 : done;
}

/* --- who writes ------------------------------------------------------------------------ */

typedef struct bench {
    char folder[256], path[300], partial[320];
    weft_ctx *ctx;
} bench;

/* Each puts a file at b->path, one of two; the exit code of the program. */
typedef int (*writer)(bench *b, unsigned version);

static int put_graph(bench *b, unsigned version) {
    weft_graph *g = NULL;
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    p.n = 10 + version;
    if (weft_generate(b->ctx, "path", &p, NULL, &g)) exit(1);
    weft_write_params as = WEFT_WRITE_DEFAULTS;
    as.format = "edgelist";
    calls.on = true;
    weft_status st = weft_write(b->ctx, g, b->path, &as);
    calls.on = false;
    weft_graph_free(g);
    return cli_exit_of(st);
}

static int put_result(bench *b, unsigned version) {
    out_file out;
    char said[512];
    cli_fail_into(said, sizeof said);
    calls.on = true;
    int code = out_open(&out, b->path);
    if (!code) fprintf(out.to, "id\tvalue\n1\t%u\n", version);
    code = out_close(&out, code);
    calls.on = false;
    cli_fail_into(NULL, 0);
    CHECK(!code || strstr(said, "cannot write"));
    return code;
}

static int put_checkpoint(bench *b, unsigned version) {
    weft_graph *g = NULL;
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    p.n = 20;
    if (weft_generate(b->ctx, "path", &p, NULL, &g)) exit(1);
    double values[20] = {version};
    snprintf(b->partial, sizeof b->partial, "%s.partial", b->path);
    wfi_spread *whole = NULL;
    if (wfi_spread_new(b->ctx, g, 0, &whole)) exit(1);
    wfi_checkpoint_place at = {b->ctx, g, whole, b->folder, b->path, b->partial, -1};
    wfi_checkpoint_head head = {.vertices = 20};
    wfi_state state = {.column[0] = {.values = values, .each = sizeof *values}};
    if (wfi_checkpoint_enter(&at)) exit(1);
    calls.on = true;
    weft_status st = wfi_checkpoint_store(&at, &head, &state);
    calls.on = false;
    wfi_checkpoint_leave(&at);
    wfi_spread_free(whole);
    weft_graph_free(g);
    return cli_exit_of(st);
}

/* Version 1 is a store with a batch in its log, 2 the same written anew. */
static int put_store(bench *b, unsigned version) {
    weft_dynamic *d = NULL;
    weft_graph *g = NULL;
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_batch add = WEFT_BATCH_DEFAULTS;
    add.count = 1;
    add.sources = (int64_t[]){0};
    add.targets = (int64_t[]){5};
    p.n = 10;
    weft_status st = WEFT_OK;
    if (version == 1) {
        weft_write_params as = WEFT_WRITE_DEFAULTS;
        as.format = "weft";
        st = weft_generate(b->ctx, "path", &p, NULL, &g);
        if (!st) st = weft_write(b->ctx, g, b->path, &as);
        weft_graph_free(g);
    }
    if (!st) st = weft_dynamic_open(b->ctx, b->path, NULL, &d);
    if (!st && version == 1) st = weft_dynamic_apply(b->ctx, d, &add, NULL);
    if (st) exit(1);
    calls.on = version == 2;
    if (version == 2) st = weft_dynamic_compact(b->ctx, d);
    calls.on = false;
    weft_dynamic_free(d);
    return cli_exit_of(st);
}

static const struct {
    const char *name;
    writer put;
    bool only_replaces;
} writers[] = {{"graph", put_graph, false},
               {"result", put_result, false},
               {"checkpoint", put_checkpoint, false},
               {"store", put_store, true}};

/* --- what must hold --------------------------------------------------------------------- */

static void set_up(bench *b, const char *name) {
    memset(&calls, 0, sizeof calls);
    b->ctx = new_ctx(1, NULL);
    snprintf(b->folder, sizeof b->folder, "/dev/shm/weft-test-XXXXXX");
    if (!mkdtemp(b->folder) && !make_temp(b->folder, sizeof b->folder)) exit(1);
    snprintf(b->path, sizeof b->path, "%s/%s", b->folder, name);
}

static void tear_down(bench *b) {
    CHECK_U64(weft_ctx_memory_in_use(b->ctx), 0);
    weft_ctx_free(b->ctx);
    remove_temp(b->folder);
}

typedef struct content {
    char *data;
    size_t bytes;
} content;

static content content_of(const char *path) {
    content c = {NULL, 0};
    if (!access(path, F_OK)) c.data = read_file(path, &c.bytes);
    return c;
}

static bool is_same(content a, content b) {
    return !a.data == !b.data && a.bytes == b.bytes && (!a.bytes || !memcmp(a.data, b.data, a.bytes));
}

static void fail_each_call(bench *b, size_t w, bool replaces) {
    content old = {NULL, 0}, new;
    if (replaces) {
        CHECK_U64((uint64_t)writers[w].put(b, 1), 0);
        old = content_of(b->path);
    }
    CHECK_U64((uint64_t)writers[w].put(b, 2), 0);
    new = content_of(b->path);
    REQUIRE(new.data && !is_same(old, new));
    for (uint64_t at = 1; at < 100; at++) {
        unlink(b->path);
        REQUIRE(!replaces || write_file(b->path, old.data, old.bytes));
        calls.seen = 0;
        calls.fails_at = at;
        calls.failed = NO_CALL;
        int code = writers[w].put(b, 2);
        calls.fails_at = 0;
        content now = content_of(b->path);
        bool late = calls.failed == FSYNC_FOLDER; /* it has its name by then */
        if (code && code != EXIT_INPUT) HARNESS_FAIL("%s, call %" PRIu64 ": exit code %d", writers[w].name, at, code);
        if (!is_same(now, code && !late ? old : new))
            HARNESS_FAIL("%s, call %" PRIu64 " (%d), code %d: the file is another", writers[w].name, at, calls.failed,
                         code);
        if (!code && (calls.failed == WRITE || calls.failed == FSYNC))
            HARNESS_FAIL("%s, call %" PRIu64 " (%d): a failure went by", writers[w].name, at, calls.failed);
        if (count_entries(b->folder) != (now.data != NULL))
            HARNESS_FAIL("%s, call %" PRIu64 " (%d): %d files", writers[w].name, at, calls.failed,
                         count_entries(b->folder));
        free(now.data);
        if (!calls.failed) break; /* there are no more */
    }
    if (replaces) CHECK(calls.failures[FSYNC] && calls.failures[FSYNC_FOLDER]);
    free(old.data);
    free(new.data);
}

TEST(every_call_may_fail) {
    uint64_t failures[CALLS] = {0};
    for (size_t w = 0; w < sizeof writers / sizeof *writers; w++)
        for (unsigned system = 0; system < 3; system++)
            for (unsigned replaces = writers[w].only_replaces; replaces < 2 && harness_failures < 5; replaces++) {
                bench b;
                set_up(&b, "put.out");
                calls.names_only = system == 1;
                calls.no_links = system == 2;
                fail_each_call(&b, w, replaces);
                for (int k = 0; k < CALLS; k++) failures[k] += calls.failures[k];
                tear_down(&b);
            }
    for (int k = OPEN; k < CALLS; k++) CHECK(failures[k] > 3);
}

TEST(a_file_that_grows_too_large_leaves_the_old_one) {
    struct rlimit usual, small;
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    REQUIRE(!getrlimit(RLIMIT_FSIZE, &usual));
    sigaction(SIGXFSZ, &ignore, &before);
    for (size_t w = 0; w < sizeof writers / sizeof *writers; w++) {
        bench b;
        set_up(&b, "put.out");
        CHECK_U64((uint64_t)writers[w].put(&b, 1), 0);
        content old = content_of(b.path);
        small = usual;
        small.rlim_cur = 8;
        REQUIRE(!setrlimit(RLIMIT_FSIZE, &small));
        int code = writers[w].put(&b, 2);
        REQUIRE(!setrlimit(RLIMIT_FSIZE, &usual));
        content now = content_of(b.path);
        if (code != EXIT_INPUT || !is_same(now, old)) HARNESS_FAIL("%s: exit code %d", writers[w].name, code);
        CHECK_U64(count_entries(b.folder), 1);
        free(old.data);
        free(now.data);
        tear_down(&b);
    }
    sigaction(SIGXFSZ, &before, NULL);
}

/* On NFS "failed" may mean "done, and the answer was lost". */
TEST(a_link_or_rename_that_was_done_all_the_same_counts) {
    for (size_t w = 0; w < sizeof writers / sizeof *writers; w++)
        for (unsigned replaces = 0; replaces < 2; replaces++) {
            if (writers[w].put == put_store) continue; /* a store's last rename is its own: a failure is a failure */
            bench b;
            set_up(&b, "put.out");
            if (replaces) CHECK_U64((uint64_t)writers[w].put(&b, 1), 0);
            calls.done_but_refused = true;
            CHECK_U64((uint64_t)writers[w].put(&b, 2), 0);
            CHECK_U64(count_entries(b.folder), 1);
            tear_down(&b);
        }
}

static void somebody_else(const char *path) {
    if (access(path, F_OK)) (void)!write_file(path, "theirs", 6);
    calls.before_link = NULL;
}

TEST(what_appears_under_the_name_meanwhile_is_replaced) {
    bench b;
    set_up(&b, "put.out");
    calls.before_link = somebody_else;
    CHECK_U64((uint64_t)put_result(&b, 2), 0);
    content now = content_of(b.path);
    CHECK(now.bytes == strlen("id\tvalue\n1\t2\n"));
    CHECK_U64(count_entries(b.folder), 1);
    free(now.data);
    tear_down(&b);
}

/* What another has put in the way of a temporary with a known name. */
TEST(links_in_the_way_are_not_followed) {
    bench b;
    char victim[320];
    set_up(&b, "put.out");
    snprintf(victim, sizeof victim, "%s/victim", b.folder);
    snprintf(b.partial, sizeof b.partial, "%s.partial", b.path);
    REQUIRE(write_file(victim, "dear", 4) && !symlink("victim", b.partial));
    CHECK_U64((uint64_t)put_checkpoint(&b, 1), 0);
    content now = content_of(victim);
    CHECK(now.bytes == 4);
    free(now.data);
    CHECK_U64(count_entries(b.folder), 2);
    tear_down(&b);
}

static int told_names;
static void guard(const char *name) { told_names += name ? 1 : 0; }

TEST(whoever_must_remove_a_temporary_is_told_its_name) {
    for (unsigned names_only = 0; names_only < 2; names_only++) {
        bench b;
        wfi_place p;
        set_up(&b, "put.out");
        calls.names_only = names_only;
        told_names = 0;
        CHECK_U64((uint64_t)wfi_place_open(&p, b.path, guard), 0);
        CHECK_U64((uint64_t)told_names, names_only || !p.nameless);
        CHECK_U64((uint64_t)wfi_place_name(&p), 0);
        CHECK_U64((uint64_t)told_names, 1);
        CHECK(!access(p.temporary, F_OK));
        wfi_place_drop(&p);
        CHECK_U64(count_entries(b.folder), 0);
        tear_down(&b);
    }
}

TEST_MAIN()
