/* The library in a process whose standard streams are closed: no file of its own gets their numbers. */
#include "graph/graph.h"
#include "stream/descriptors.h"
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>

enum { STREAMS = 3 };

static bool all_closed(void) {
    for (int fd = 0; fd < STREAMS; fd++)
        if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF) return false;
    return true;
}

static int keep[STREAMS];

static void close_streams(void) {
    fflush(NULL);
    for (int fd = 0; fd < STREAMS; fd++) keep[fd] = fcntl(fd, F_DUPFD_CLOEXEC, 10);
    for (int fd = 0; fd < STREAMS; fd++) close(fd);
}

static void open_streams(void) {
    for (int fd = 0; fd < STREAMS; fd++) {
        if (keep[fd] < 0) continue;
        dup2(keep[fd], fd);
        close(keep[fd]);
    }
}

TEST(what_is_opened_is_above_two) {
    close_streams();
    int file = wfi_open("/", O_RDONLY, 0), same = wfi_duplicate(file), raised = wfi_move_above_stderr(dup(file));
    FILE *stream = wfi_open_stream("/proc/self/stat");
    bool above = file >= STREAMS && same >= STREAMS && raised >= STREAMS && stream && fileno(stream) >= STREAMS;
    bool closed = all_closed();
    open_streams();
    CHECK(above);
    CHECK(closed);
    CHECK(fcntl(file, F_GETFD) == FD_CLOEXEC && fcntl(raised, F_GETFD) == FD_CLOEXEC);
    close(file);
    close(same);
    close(raised);
    if (stream) fclose(stream);
    CHECK(wfi_move_above_stderr(-1) == -1);
    CHECK(wfi_open("/nowhere/at/all", O_RDONLY, 0) == -1 && errno == ENOENT);
}

/* A store stays open while others may write to 1 and 2; so does a mapped graph. */
TEST(open_graphs_and_stores_are_out_of_reach) {
    char folder[256], path[300];
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = NULL, *mapped = NULL;
    weft_dynamic *d = NULL;
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    int64_t target;
    weft_batch add = WEFT_BATCH_DEFAULTS;
    add.count = 1;
    add.sources = (int64_t[]){0};
    add.targets = &target;
    p.n = 10;
    REQUIRE(make_temp(folder, sizeof folder));
    snprintf(path, sizeof path, "%s/g.weft", folder);
    REQUIRE(!weft_generate(ctx, "path", &p, NULL, &g));
    close_streams();
    weft_status st = weft_write(ctx, g, path, NULL);
    if (!st) st = weft_read(ctx, path, NULL, &mapped);
    bool closed = all_closed();
    if (!st) st = weft_dynamic_open(ctx, path, NULL, &d);
    for (int i = 0; i < 3 && !st; i++) {
        target = 5 + i;
        st = weft_dynamic_apply(ctx, d, &add, NULL);
        closed = closed && all_closed();
        for (int fd = 0; fd < STREAMS; fd++) closed = closed && write(fd, "lost", 4) < 0;
    }
    if (!st) st = weft_dynamic_compact(ctx, d);
    closed = closed && all_closed();
    open_streams();
    CHECK_U64(st, WEFT_OK);
    CHECK(closed);
    weft_dynamic_free(d);
    weft_graph_free(mapped);
    mapped = NULL;
    weft_read_params whole = WEFT_READ_DEFAULTS;
    whole.verify_checksums = 1;
    CHECK_U64(weft_read(ctx, path, &whole, &mapped), WEFT_OK);
    CHECK_U64(mapped->edges, 12);
    weft_graph_free(mapped);
    weft_graph_free(g);
    weft_ctx_free(ctx);
    remove_temp(folder);
}

/* What a program does first: the numbers are taken, and using them fails as it did. */
TEST(programs_keep_them_taken) {
    for (unsigned which = 0; which < 1u << STREAMS; which++) {
        pid_t child = fork();
        if (!child) {
            bool good = true;
            char byte;
            for (int fd = 0; fd < STREAMS; fd++)
                if (which >> fd & 1) close(fd);
            good = wfi_occupy_standard();
            for (int fd = 0; fd < STREAMS; fd++) {
                if (!(which >> fd & 1)) continue;
                good = good && fcntl(fd, F_GETFD) == 0; /* also in what it becomes */
                good = good && read(fd, &byte, 1) < 0 && errno == EBADF && write(fd, "", 1) < 0 && errno == EBADF;
                char own[32];
                snprintf(own, sizeof own, "/proc/self/fd/%d", fd);
                good = good && open(own, O_WRONLY) < 0 && wfi_names_descriptor(own);
            }
            good = good && open("/", O_PATH | O_CLOEXEC) >= STREAMS;
            _exit(good ? 0 : 1);
        }
        int how = 0;
        CHECK(child > 0 && waitpid(child, &how, 0) == child);
        if (how) HARNESS_FAIL("with %u closed", which);
    }
}

TEST_MAIN()
