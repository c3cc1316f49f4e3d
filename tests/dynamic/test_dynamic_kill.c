/* kill -9 at random times: a program of its own applies batches to a file, compacts it now and then, and says which batch is done; then the
 * next goes on where it was killed.  After each, the file holds the last batch that was acknowledged, or the one after; and a writer that is not killed leaves nothing beside it.
 *
 *   WEFT_KILLS=500 test_dynamic_kill      more of them than 30 */
#include "saga.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <sys/wait.h>

enum { CHANGES = 40, IDS = 400 };

/* In place of the C library's: files without a name are refused, as by file systems that have none. */
static bool names_only;
int open(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    unsigned mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, unsigned) : 0;
    va_end(more);
    if (!names_only || (flags & O_TMPFILE) != O_TMPFILE) return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    errno = EOPNOTSUPP;
    return -1;
}

/* Batch number k, the same whoever asks; sources and targets are whole numbers. */
static weft_status nth_batch(weft_ctx *ctx, weft_dynamic *d, uint64_t k) {
    uint8_t what[CHANGES];
    int64_t u[CHANGES], v[CHANGES];
    uint32_t w[CHANGES];
    dice from = {k, 0};
    weft_batch b = WEFT_BATCH_DEFAULTS;
    b.count = 1 + roll(&from, CHANGES);
    for (uint64_t i = 0; i < b.count; i++) {
        uint64_t kind = roll(&from, 100);
        what[i] = (uint8_t)(kind < 60   ? WEFT_CHANGE_INSERT
                            : kind < 95 ? WEFT_CHANGE_DELETE
                                        : WEFT_CHANGE_REMOVE_VERTEX);
        u[i] = (int64_t)roll(&from, IDS);
        v[i] = (int64_t)roll(&from, IDS);
        w[i] = (uint32_t)k;
    }
    b.changes = what;
    b.sources = u;
    b.targets = v;
    b.weights = w;
    return weft_dynamic_apply(ctx, d, &b, NULL);
}

static weft_dynamic_params kind_of_graph(void) {
    weft_dynamic_params p = WEFT_DYNAMIC_DEFAULTS;
    p.direction = WEFT_UNDIRECTED;
    p.weight_type = WEFT_WEIGHT_U32;
    return p;
}

/* The program that is killed: a line of 8 bytes for each batch that is done. */
static int write_for_ever(const char *path, const char *durable, const char *names) {
    names_only = *names == 'o';
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_dynamic *d = NULL;
    weft_dynamic_params p = kind_of_graph();
    p.durable = *durable == 'b' ? WEFT_DURABLE_BATCH : WEFT_DURABLE_NEVER;
    if (weft_dynamic_open(ctx, path, &p, &d)) {
        fprintf(stderr, "%s\n", weft_ctx_message(ctx));
        return 1;
    }
    for (uint64_t k = dynamic_info(ctx, d).version + 1;; k++) {
        if (nth_batch(ctx, d, k) || (k % 37 == 0 && weft_dynamic_compact(ctx, d))) {
            fprintf(stderr, "%s\n", weft_ctx_message(ctx));
            return 1;
        }
        if (write(STDOUT_FILENO, &k, sizeof k) != sizeof k) return 1;
    }
}

/* Starts it, kills it, returns the last batch that it acknowledged, 0 if none. */
static uint64_t start_and_kill(const char *path, dice *from) {
    int pipes[2], how;
    const char *durable = roll(from, 2) ? "batch" : "never", *names = roll(from, 2) ? "only" : "late";
    uint64_t last = 0, k;
    if (pipe(pipes)) exit(1);
    pid_t child = fork();
    if (child < 0) exit(1);
    if (!child) {
        dup2(pipes[1], STDOUT_FILENO);
        close(pipes[0]);
        close(pipes[1]);
        execl("/proc/self/exe", "test_dynamic_kill", "--write", path, durable, names, (char *)NULL);
        _exit(127);
    }
    close(pipes[1]);
    /* half of them soon after the start, where the log is recovered, half after a first sign of life */
    if (roll(from, 2) && read(pipes[0], &k, sizeof k) == sizeof k) last = k;
    usleep((useconds_t)roll(from, 12000));
    kill(child, SIGKILL);
    while (read(pipes[0], &k, sizeof k) == sizeof k) last = k;
    close(pipes[0]);
    if (waitpid(child, &how, 0) != child || !WIFSIGNALED(how)) HARNESS_FAIL("the writer ended by itself");
    return last;
}

/* After a writer that was not killed: what the others left is gone. */
static void check_no_leftover(weft_ctx *ctx, const char *path, const char *folder, unsigned kill) {
    weft_dynamic *d = NULL;
    REQUIRE(!saga_open(ctx, path, WEFT_DURABLE_NEVER, &d));
    if (count_entries(folder) != 1) HARNESS_FAIL("kill %u: %d files", kill, count_entries(folder));
    weft_dynamic_free(d);
}

TEST(a_killed_writer_loses_nothing_that_it_acknowledged) {
    const char *given = getenv("WEFT_KILLS");
    unsigned kills = given ? (unsigned)atoi(given) : 30;
    place p;
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_dynamic *want = NULL, *d = NULL;
    weft_graph *g = NULL;
    weft_dynamic_params kind = kind_of_graph();
    uint64_t at = 0, acknowledged = 0;
    unsigned leftovers = 0;
    dice from = {2026, 0};
    REQUIRE(place_open(&p));
    REQUIRE(!weft_dynamic_new(ctx, NULL, &kind, &want) && !weft_dynamic_snapshot(ctx, want, &g));
    REQUIRE(!weft_write(ctx, g, p.path, NULL));
    weft_graph_free(g);
    for (unsigned i = 0; i < kills && harness_failures < 5; i++) {
        uint64_t last = start_and_kill(p.path, &from);
        leftovers += count_entries(p.folder) > 1;
        if (last) acknowledged = last;
        REQUIRE(!saga_read(ctx, p.path, WEFT_LAST_BATCH, &d));
        uint64_t version = dynamic_info(ctx, d).version;
        if (version < acknowledged || version < at || version > (last ? last : at) + 1)
            HARNESS_FAIL("kill %u: batch %" PRIu64 ", %" PRIu64 " was acknowledged", i, version, acknowledged);
        while (at < version && !nth_batch(ctx, want, at + 1)) at++;
        CHECK_U64(at, version);
        if (dynamic_print(ctx, d) != dynamic_print(ctx, want)) HARNESS_FAIL("kill %u: another graph", i);
        weft_dynamic_free(d);
        if (i % 4 == 3 || i + 1 == kills) check_no_leftover(ctx, p.path, p.folder, i);
    }
    printf("%u kills, %" PRIu64 " batches, %u times a file was left behind\n", kills, at, leftovers);
    CHECK(at > kills); /* it was not killed too early every time */
    weft_dynamic_free(want);
    remove_temp(p.folder);
    weft_ctx_free(ctx);
}

int main(int argc, char **argv) {
    if (argc == 5 && !strcmp(argv[1], "--write")) return write_for_ever(argv[2], argv[3], argv[4]);
    return harness_main(argc, argv);
}
