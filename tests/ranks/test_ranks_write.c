/* Graphs that ranks generate together, or have read, and write together: the files of one process, to the byte, and what is counted in them, on 1 to 16 virtual
 * ranks; and no file if a rank fails, or is killed. */
#include "virtual_ranks.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

/* In place of the C library's: others than the first rank may be on a machine where the way to its file leads nowhere. */
static atomic_int sighted = INT32_MAX; /* calls until then */
int stat(const char *restrict path, struct stat *restrict facts) {
    if (!strncmp(path, "/proc/", 6) && strncmp(path, "/proc/self", 10) != 0 && atomic_fetch_sub(&sighted, 1) <= 0) {
        errno = ENOENT;
        return -1;
    }
    return fstatat(AT_FDCWD, path, facts, 0);
}

static const int rank_counts[] = {1, 2, 3, 5, 8, 16};

typedef struct made {
    const char *kind; /* of a generator; NULL: `in` is read */
    const char *in, *out;
    const weft_generate_params *params;
    const weft_build_params *build;
    uint64_t fingerprint;
    weft_graph_info info;
    uint64_t memory_limit; /* of the last rank, to write with; 0: none */
    weft_status status;
    char trouble[256];
} made;

#define TROUBLE(m, ...) snprintf((m)->trouble, sizeof(m)->trouble, __VA_ARGS__)

static weft_status make(weft_ctx *ctx, const made *m, weft_graph **g) {
    return m->kind ? weft_generate(ctx, m->kind, m->params, m->build, g) : weft_read(ctx, m->in, NULL, g);
}

/* All fields but those that tell of time and memory. */
static const char *other_fact(const weft_graph_info *a, const weft_graph_info *b) {
#define SAME(field)                              \
    do {                                         \
        if (a->field != b->field) return #field; \
    } while (0)
    SAME(vertices);
    SAME(records);
    SAME(edges);
    SAME(arcs);
    SAME(self_loops);
    SAME(self_loops_dropped);
    SAME(duplicates_dropped);
    SAME(isolated);
    SAME(max_degree);
    SAME(max_in_degree);
    SAME(median_degree);
    SAME(mean_degree);
    SAME(density);
    SAME(skew);
    SAME(directed);
    SAME(weight_type);
    SAME(min_weight);
    SAME(max_weight);
    SAME(id_kind);
    SAME(id_base);
    SAME(label);
#undef SAME
    return NULL;
}

static void make_on_rank(weft_ctx *ctx, wfi_comm *comm, void *user) {
    made *m = user;
    weft_graph *g = NULL;
    weft_graph_info info = {.size = sizeof info};
    uint64_t fingerprint = 0;
    weft_status st = make(ctx, m, &g);
    if (!st) st = weft_graph_describe(ctx, g, &info);
    if (!st) st = weft_graph_fingerprint(ctx, g, &fingerprint);
    if (!st && fingerprint != m->fingerprint) TROUBLE(m, "rank %d has another fingerprint", comm->link.rank);
    if (!st && other_fact(&info, &m->info))
        TROUBLE(m, "rank %d counts otherwise: %s", comm->link.rank, other_fact(&info, &m->info));
    if (m->memory_limit && comm->link.rank == comm->link.size - 1)
        weft_ctx_set_memory_limit(ctx, weft_ctx_memory_in_use(ctx) + m->memory_limit);
    if (!st) st = weft_write(ctx, g, m->out, NULL);
    if (st != m->status) TROUBLE(m, "status %d: %s", st, weft_ctx_message(ctx));
    weft_graph_free(g);
    if (weft_ctx_memory_in_use(ctx)) TROUBLE(m, "a rank leaks memory");
}

static bool same_files(const char *a, const char *b) {
    FILE *x = fopen(a, "rb"), *y = fopen(b, "rb");
    bool same = x && y;
    for (int c = 0; same && c != EOF;) {
        c = getc(x);
        same = c == getc(y);
    }
    if (x) fclose(x);
    if (y) fclose(y);
    return same;
}

static char folder[64], one_path[128], many_path[128];

/* On every other number of ranks, from the first or the second on; on every one with WEFT_RANKS_MATRIX=all (make
 * slow). */
static void check_made(const char *title, made m, size_t from) {
    bool all = asked_for_all("WEFT_RANKS_MATRIX");
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = NULL;
    m.info = (weft_graph_info){.size = sizeof m.info};
    weft_status st = make(ctx, &m, &g);
    if (!st) st = weft_graph_describe(ctx, g, &m.info);
    if (!st) st = weft_graph_fingerprint(ctx, g, &m.fingerprint);
    if (!st) st = weft_write(ctx, g, one_path, NULL);
    if (st) HARNESS_FAIL("%s: %s", title, weft_ctx_message(ctx));
    for (size_t i = all ? 0 : from; !st && i < LENGTH(rank_counts); i += all ? 1 : 2) {
        m.out = many_path;
        on_ranks(rank_counts[i], make_on_rank, &m);
        if (!*m.trouble && !same_files(one_path, many_path)) TROUBLE(&m, "the files differ");
        if (*m.trouble) HARNESS_FAIL("%s, %d ranks: %s", title, rank_counts[i], m.trouble);
        if (i % 4 < 2) unlink(many_path); /* else it is replaced */
    }
    CHECK_U64(count_entries(folder), access(many_path, F_OK) ? 1 : 2);
    unlink(many_path);
    unlink(one_path);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

static bool begin(void) {
    if (!make_temp(folder, sizeof folder)) return false;
    snprintf(one_path, sizeof one_path, "%s/one.weft", folder);
    snprintf(many_path, sizeof many_path, "%s/many.weft", folder);
    return true;
}

TEST(generators_make_the_file_of_one_process) {
    REQUIRE(begin());
    for (size_t i = 0; i < weft_generator_count(); i++) {
        weft_generate_params p = WEFT_GENERATE_DEFAULTS;
        weft_build_params build = WEFT_BUILD_DEFAULTS;
        if (!strcmp(weft_generator_at(i)->name, "rmat")) p.scale = 12;
        check_made(weft_generator_at(i)->name,
                   (made){.kind = weft_generator_at(i)->name, .params = &p, .build = &build}, 0);
        p.max_weight = 20;
        build.direction = i % 2 ? WEFT_DIRECTED : WEFT_UNDIRECTED;
        build.duplicates = WEFT_DUPLICATES_KEEP;
        build.loops = WEFT_LOOPS_DROP;
        check_made(weft_generator_at(i)->name,
                   (made){.kind = weft_generator_at(i)->name, .params = &p, .build = &build}, 1);
    }
    remove_temp(folder);
}

/* Sections of several blocks of the digest, which begin and end anywhere in the slices. */
TEST(large_files_have_the_digests_of_one_process) {
    REQUIRE(begin());
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    p.scale = 15;
    p.max_weight = 1000;
    check_made("rmat", (made){.kind = "rmat", .params = &p, .build = &build}, 1);
    p = (weft_generate_params)WEFT_GENERATE_DEFAULTS;
    p.n = under_a_microscope() ? 30000 : 150000;
    check_made("star", (made){.kind = "star", .params = &p, .build = &build}, 1);
    p.m = p.n * 3;
    check_made("er", (made){.kind = "er", .params = &p, .build = &build}, 1);
    remove_temp(folder);
}

TEST(text_becomes_the_file_of_one_process) {
    static const char *const texts[] = {
        "",
        "# nothing\n",
        "0 1\n1 2\n2 0\n",
        "7 7\n",
        "1000000 5 0.5\n5 70000 -1e30\n70000 1000000 3\n123 5 -0.0\n",
        "anna bert\nbert carl\ndora emil\nanna dora\n",
        "# weft edge list, directed, 3 vertices\n0 1\n1 2\n#v 7\n#v 9\n",
    };
    char path[128];
    REQUIRE(begin());
    for (size_t i = 0; i < LENGTH(texts); i++) {
        snprintf(path, sizeof path, "%s/text.txt", folder);
        REQUIRE(write_file(path, texts[i], strlen(texts[i])));
        char moved[128];
        snprintf(moved, sizeof moved, "%s-text.txt", folder); /* beside the folder, in which files are counted */
        REQUIRE(!rename(path, moved));
        check_made(texts[i], (made){.in = moved}, 0);
        check_made(texts[i], (made){.in = moved}, 1);
        unlink(moved);
    }
    remove_temp(folder);
}

/* A rank without memory, or a folder that is not there: all fail, and nothing is left, or the old file. */
TEST(nothing_is_left_of_a_file_that_fails) {
    REQUIRE(begin());
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    made m = {
        .kind = "rmat", .params = &p, .build = &build, .out = many_path, .memory_limit = 1, .status = WEFT_ENOMEM};
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = NULL;
    m.info = (weft_graph_info){.size = sizeof m.info};
    REQUIRE(!make(ctx, &m, &g) && !weft_graph_describe(ctx, g, &m.info) &&
            !weft_graph_fingerprint(ctx, g, &m.fingerprint));
    static const uint64_t limits[] = {1, 5000, 500000};
    for (size_t i = 0; i < LENGTH(limits); i++) {
        m.memory_limit = limits[i];
        on_ranks(3, make_on_rank, &m);
        CHECK_TEXT(m.trouble, "");
        CHECK_U64(count_entries(folder), 0);
    }
    REQUIRE(write_file(many_path, "old", 3));
    on_ranks(3, make_on_rank, &m);
    CHECK_TEXT(m.trouble, "");
    CHECK_U64(count_entries(folder), 1);
    char nowhere[160];
    snprintf(nowhere, sizeof nowhere, "%s/none/many.weft", folder);
    m.memory_limit = 0;
    m.out = nowhere;
    m.status = WEFT_EIO;
    on_ranks(3, make_on_rank, &m);
    CHECK_TEXT(m.trouble, "");
    m.status = WEFT_EINVAL;
    snprintf(nowhere, sizeof nowhere, "%s/many.txt", folder);
    on_ranks(3, make_on_rank, &m);
    CHECK_TEXT(m.trouble, "");
    snprintf(nowhere, sizeof nowhere, "%s/many.weft.gz", folder);
    on_ranks(3, make_on_rank, &m);
    CHECK_TEXT(m.trouble, "");
    CHECK_U64(count_entries(folder), 1);
    weft_graph_free(g);
    weft_ctx_free(ctx);
    remove_temp(folder);
}

TEST(ranks_of_other_machines_find_the_file_by_its_name) {
    REQUIRE(begin());
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    made m = {.kind = "rmat", .params = &p, .build = &build, .out = many_path, .info.size = sizeof m.info};
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = NULL;
    REQUIRE(!make(ctx, &m, &g) && !weft_graph_describe(ctx, g, &m.info) &&
            !weft_graph_fingerprint(ctx, g, &m.fingerprint) && !weft_write(ctx, g, one_path, NULL));
    sighted = 2; /* the first rank's, and one of those that look for it */
    on_ranks(3, make_on_rank, &m);
    sighted = INT32_MAX;
    CHECK_TEXT(m.trouble, "");
    CHECK(same_files(one_path, many_path));
    CHECK_U64(count_entries(folder), 2);
    weft_graph_free(g);
    weft_ctx_free(ctx);
    remove_temp(folder);
}

static void die_while_writing(void *user, const char *stage, uint64_t done, uint64_t total) {
    (void)user, (void)done, (void)total;
    if (!strcmp(stage, "writing")) raise(SIGKILL);
}

static void write_and_die(weft_ctx *ctx, wfi_comm *comm, void *user) {
    weft_graph *g = NULL;
    weft_status st = make(ctx, user, &g);
    if (comm->link.rank == 2) weft_ctx_set_progress(ctx, die_while_writing, NULL);
    if (!st) (void)weft_write(ctx, g, many_path, NULL);
}

TEST(nothing_is_left_by_ranks_that_are_killed) {
    REQUIRE(begin());
    int nameless = open(folder, O_TMPFILE | O_WRONLY, 0600), how = 0;
    if (nameless < 0) {
        remove_temp(folder);
        SKIP("the file system has no files without a name");
    }
    close(nameless);
    pid_t child = fork();
    if (!child) {
        weft_generate_params p = WEFT_GENERATE_DEFAULTS;
        weft_build_params build = WEFT_BUILD_DEFAULTS;
        made m = {.kind = "rmat", .params = &p, .build = &build};
        on_ranks(3, write_and_die, &m);
        _exit(0);
    }
    CHECK(child > 0 && waitpid(child, &how, 0) == child && WIFSIGNALED(how) && WTERMSIG(how) == SIGKILL);
    CHECK_U64(count_entries(folder), 0);
    remove_temp(folder);
}

TEST_MAIN()
