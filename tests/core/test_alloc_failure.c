/* Every allocation fails once: work is repeated with 0, 1, 2, ... allocations allowed until it succeeds.  Each failure
 * must be WEFT_ENOMEM with a message and without a leaked block, and the success must give the right answer.  Of work
 * with many allocations it is a sample of them, and all with WEFT_RUN_FAILURES=all (make slow). */
#include "support.h"
#include "weft/degree.h"

/* A piece of work on a context; returns its status and, when that is WEFT_OK, a number that stands for the answer. */
typedef weft_status (*work_fn)(weft_ctx *ctx, const void *input, uint64_t *answer);

static weft_status run_with(work_fn work, const void *input, int threads, uint64_t allowed, bool once, uint64_t *answer,
                            uint64_t *calls, const char *what) {
    counting heap = {.allowed = allowed, .once = once};
    weft_ctx *ctx = new_ctx(threads, NULL);
    weft_ctx_set_allocator(ctx, counting_alloc, counting_free, &heap);
    weft_status st = work(ctx, input, answer);
    if (st != WEFT_OK && st != WEFT_ENOMEM)
        HARNESS_FAIL("%s: allocation %" PRIu64 " fails: status %d: %s", what, allowed, (int)st, weft_ctx_message(ctx));
    if (st == WEFT_ENOMEM && !weft_ctx_message(ctx)[0]) HARNESS_FAIL("%s: no message", what);
    if (heap.live_blocks)
        HARNESS_FAIL("%s: allocation %" PRIu64 " fails: %" PRIu64 " blocks leak", what, allowed,
                     (uint64_t)heap.live_blocks);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
    *calls = heap.calls;
    return st;
}

/* Allows 0, 1, 2, ... allocations; then makes each one fail alone, which a caller that forgets a check survives. */
static void fail_at_most(uint64_t samples, work_fn work, const void *input, int threads, const char *what) {
    uint64_t want = 0, got = 0, calls = 0, total = 0;
    int before = harness_failures;
    weft_status st = run_with(work, input, threads, COUNT_ONLY, false, &want, &total, what);
    if (st) {
        HARNESS_FAIL("%s: fails with all memory there is", what);
        return;
    }
    uint64_t step = asked_for_all("WEFT_RUN_FAILURES") ? 1 : 1 + total / samples;
    uint64_t limit = 4 * total + 16; /* threads may divide the work anew each time */
    for (uint64_t allowed = 0; st || allowed == 0; allowed += step) {
        st = run_with(work, input, threads, allowed, false, &got, &calls, what);
        if (harness_failures > before + 3) return;
        if (st == WEFT_OK && calls > allowed) HARNESS_FAIL("%s: succeeds although memory ran out", what);
        if (allowed > limit) {
            HARNESS_FAIL("%s: never succeeds", what);
            return;
        }
        if (!st) break;
    }
    if (got != want) HARNESS_FAIL("%s: another answer after failures", what);
    for (uint64_t at = 0; at < total; at += step) {
        st = run_with(work, input, threads, at, true, &got, &calls, what);
        if (st == WEFT_OK && got != want)
            HARNESS_FAIL("%s: allocation %" PRIu64 " alone fails: wrong answer", what, at);
        if (harness_failures > before + 3) return;
    }
}

static void fail_everywhere(work_fn work, const void *input, int threads, const char *what) {
    fail_at_most(1000, work, input, threads, what);
}

/* --- reading ------------------------------------------------------------------ */

static weft_status work_read(weft_ctx *ctx, const void *path, uint64_t *answer) {
    weft_graph *g = NULL;
    weft_status st = weft_read(ctx, path, NULL, &g);
    if (!st) st = weft_graph_fingerprint(ctx, g, answer);
    weft_graph_free(g);
    return st;
}

typedef struct tour {
    int files, read;
    void (*visit)(const char *path, struct tour *tour);
} tour;

static void walk(const char *folder, tour *t) {
    struct dirent **entry;
    int count = scandir(folder, &entry, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        char path[4096];
        struct stat st;
        snprintf(path, sizeof path, "%s/%s", folder, entry[i]->d_name);
        if (entry[i]->d_name[0] != '.' && !stat(path, &st)) {
            if (S_ISDIR(st.st_mode))
                walk(path, t);
            else
                t->visit(path, t);
        }
        free(entry[i]);
    }
    if (count >= 0) free(entry);
}

/* Files that need settings to be read (a .v without its .e, say) are no matter of this test. */
static void visit_file(const char *path, tour *t) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = NULL;
    t->files++;
    bool readable = weft_read(ctx, path, NULL, &g) == WEFT_OK;
    weft_graph_free(g);
    weft_ctx_free(ctx);
    if (!readable) return;
    t->read++;
    fail_everywhere(work_read, path, 1 + t->read % 2, path);
}

TEST(reading_every_golden_file) {
    char folder[4096];
    tour t = {.visit = visit_file};
    walk(data_path("golden", folder, sizeof folder), &t);
    CHECK(t.read >= 50);
    CHECK(10 * t.read >= 9 * t.files);
}

static weft_status work_read_text(weft_ctx *ctx, const void *text, uint64_t *answer) {
    weft_graph *g = NULL;
    weft_read_params p = WEFT_READ_DEFAULTS;
    p.direction = WEFT_UNDIRECTED;
    weft_status st = weft_read_memory(ctx, text, strlen(text), "text", &p, &g);
    if (!st) st = weft_graph_fingerprint(ctx, g, answer);
    weft_graph_free(g);
    return st;
}

TEST(reading_several_blocks) {
    static const char *const patterns[] = {"%u %u\n", "%u,%u,1.5\n", "n%u m%u\n"};
    char *text = malloc(4u << 20);
    REQUIRE(text != NULL);
    for (int style = 0; style < 3; style++) {
        size_t used = 0;
        for (uint64_t i = 0; used < (5u << 19); i++) {
            unsigned u = (unsigned)(random_at(1, i) % 3000), v = (unsigned)(random_at(2, i) % 3000);
            if (style == 0) used += (size_t)sprintf(text + used, patterns[0], u, v * 1000003u);
            if (style == 1) used += (size_t)sprintf(text + used, patterns[1], u, v);
            if (style == 2) used += (size_t)sprintf(text + used, patterns[2], u, v);
        }
        fail_at_most(25, work_read_text, text, 3, patterns[style]);
    }
    free(text);
}

/* `input` is a folder with edges.csv and nodes.csv. */
static weft_status work_read_nodes(weft_ctx *ctx, const void *input, uint64_t *answer) {
    char edges[512], nodes[512];
    weft_graph *g = NULL;
    weft_read_params p = WEFT_READ_DEFAULTS;
    snprintf(edges, sizeof edges, "%s/edges.csv", (const char *)input);
    snprintf(nodes, sizeof nodes, "%s/nodes.csv:Id", (const char *)input);
    p.nodes = nodes;
    weft_status st = weft_read(ctx, edges, &p, &g);
    if (!st) st = weft_graph_fingerprint(ctx, g, answer);
    weft_graph_free(g);
    return st;
}

TEST(reading_vertices_beside_edges) {
    static const char *const edges[] = {"1,2\n2,3\n", "a,b\nb,c\n"}, *const nodes[] = {"Id,x\n1,2\n9,3",
                                                                                       "Id,x\n\"a\"\"\",1\nd,2\n"};
    for (int i = 0; i < 2; i++) {
        char folder[256], path[512];
        REQUIRE(make_temp(folder, sizeof folder));
        snprintf(path, sizeof path, "%s/edges.csv", folder);
        REQUIRE(write_file(path, edges[i], strlen(edges[i])));
        snprintf(path, sizeof path, "%s/nodes.csv", folder);
        REQUIRE(write_file(path, nodes[i], strlen(nodes[i])));
        fail_everywhere(work_read_nodes, folder, 2, "vertices beside edges");
        remove_temp(folder);
    }
}

TEST(reading_a_folder_of_parts) {
    char folder[256], path[512];
    REQUIRE(make_temp(folder, sizeof folder));
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/year=%d", folder, 2020 + i / 2);
        mkdir(path, 0777);
        snprintf(path, sizeof path, "%s/year=%d/part-%d.csv", folder, 2020 + i / 2, i);
        REQUIRE(write_file(path, i ? "b,c\nc,a\n" : "a,b\n", i ? 8 : 4));
    }
    fail_everywhere(work_read, folder, 2, "a folder of parts");
    remove_temp(folder);
}

/* --- the graph and what is made from it --------------------------------------- */

enum { VERTICES = 300, EDGES = 3000 };
static weft_vid ends[2][EDGES];
static float weights[EDGES];
static double doubles[EDGES];

static void make_edges(void) {
    for (uint64_t i = 0; i < EDGES; i++) {
        ends[0][i] = (weft_vid)(random_at(11, i) % VERTICES);
        ends[1][i] = (weft_vid)(random_at(12, i) % VERTICES);
        weights[i] = (float)(random_at(13, i) % 100) / 4;
        doubles[i] = (double)(random_at(13, i) % 100) / 3;
    }
}

static weft_status work_build(weft_ctx *ctx, const void *params, uint64_t *answer) {
    weft_graph *g = NULL;
    const weft_build_params *rules = params;
    bool wide = rules->loops == WEFT_LOOPS_DROP;
    weft_status st = weft_graph_from_edges(ctx, VERTICES, EDGES, ends[0], ends[1], wide ? (void *)doubles : weights,
                                           wide ? WEFT_WEIGHT_F64 : WEFT_WEIGHT_F32, params, &g);
    if (st) CHECK(g == NULL);
    if (!st) st = weft_graph_fingerprint(ctx, g, answer);
    weft_graph_free(g);
    return st;
}

TEST(building) {
    make_edges();
    for (int which = 0; which < 12; which++) {
        weft_build_params p = WEFT_BUILD_DEFAULTS;
        p.direction = which % 2 ? WEFT_UNDIRECTED : WEFT_DIRECTED;
        p.duplicates = (weft_duplicates)(which / 2 % 3);
        p.loops = (weft_loops)(which / 6);
        fail_everywhere(work_build, &p, 1 + which % 3, "build");
    }
}

/* From arrays: rows with weights, any ids and more of them, names. */
static weft_status work_arrays(weft_ctx *ctx, const void *which, uint64_t *answer) {
    static const int32_t offsets[] = {0, 2, 3, 3}, targets[] = {0, 2, 1}, ids[] = {-4, 9, 5};
    static const int64_t whole[] = {1, -2, 3};
    static const uint64_t starts[] = {0, 1, 2, 3};
    weft_arrays a = WEFT_ARRAYS_DEFAULTS;
    a.vertices = a.edges = 3;
    a.targets = targets;
    a.id_type = a.offset_type = WEFT_I32;
    a.weights = whole;
    a.weight_type = WEFT_I64;
    if (*(const int *)which == 0) {
        a.offsets = offsets;
    } else if (*(const int *)which == 1) {
        a.any_ids = 1;
        a.sources = a.more_ids = ids;
        a.more_count = 2;
    } else {
        a.sources = targets;
        a.names = "cab";
        a.name_starts = starts;
    }
    weft_graph *g = NULL;
    weft_status st = weft_graph_from_arrays(ctx, &a, NULL, &g);
    if (st) CHECK(g == NULL);
    if (!st) st = weft_graph_fingerprint(ctx, g, answer);
    weft_graph_free(g);
    return st;
}

TEST(building_from_arrays) {
    for (int which = 0; which < 3; which++) fail_everywhere(work_arrays, &which, 2, "from arrays");
}

/* All that is made on first use, on a graph of the same context. */
static weft_status work_use(weft_ctx *ctx, const void *input, uint64_t *answer) {
    (void)input;
    weft_graph *g = NULL, *h = NULL;
    weft_csr in = {.size = sizeof in};
    const weft_vid *order;
    weft_graph_info info = {.size = sizeof info};
    uint64_t *value = NULL, *count = NULL, print = 0;
    size_t length = 0;
    int equal = 0;
    bool counted = false;
    weft_status st = weft_graph_from_edges(ctx, VERTICES, EDGES, ends[0], ends[1], NULL, WEFT_WEIGHT_NONE, NULL, &g);
    if (!st) st = weft_graph_in(ctx, g, &in);
    if (!st) st = weft_graph_describe(ctx, g, &info);
    if (!st) st = weft_graph_degree_distribution(ctx, g, 2, &value, &count, &length);
    counted = !st && value;
    if (!st) st = weft_graph_degree_order(ctx, g, &order);
    if (!st) st = weft_graph_relabel(ctx, g, order, &h);
    if (!st) st = weft_graph_compare(ctx, g, h, &equal);
    if (!st) st = weft_graph_fingerprint(ctx, h, &print);
    if (!st) *answer = print + in.targets[EDGES / 2] + info.isolated + info.max_in_degree + length + (uint64_t)equal;
    weft_free(ctx, counted ? value : NULL);
    weft_free(ctx, counted ? count : NULL);
    weft_graph_free(g);
    weft_graph_free(h);
    return st;
}

TEST(transpose_describe_order_relabel_compare) {
    make_edges();
    fail_everywhere(work_use, NULL, 1, "use");
    fail_everywhere(work_use, NULL, 3, "use with 3 threads");
}

static weft_status work_degree(weft_ctx *ctx, const void *g, uint64_t *answer) {
    weft_result *r = NULL;
    weft_plan *plan = NULL;
    weft_status st = weft_degree(ctx, g, NULL, &r);
    if (!st) *answer = weft_result_u64(r, "total")[7];
    weft_result_free(r);
    r = NULL;
    if (!st) st = weft_plan_new(ctx, "degree", g, NULL, &plan);
    if (!st) st = weft_plan_run(plan, &r);
    if (!st) *answer += weft_result_u64(r, "in")[7];
    weft_result_free(r);
    weft_plan_free(plan);
    return st;
}

TEST(degree) {
    make_edges();
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = NULL;
    REQUIRE(weft_graph_from_edges(ctx, VERTICES, EDGES, ends[0], ends[1], NULL, WEFT_WEIGHT_NONE, NULL, &g) == WEFT_OK);
    weft_csr in = {.size = sizeof in};
    REQUIRE(weft_graph_in(ctx, g, &in) == WEFT_OK); /* kept with the graph: not what is counted here */
    fail_everywhere(work_degree, g, 2, "degree");
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

static weft_status work_generate(weft_ctx *ctx, const void *kind, uint64_t *answer) {
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    p.n = 50, p.m = 200, p.scale = 6, p.degree = 4, p.p = 0.1, p.k = 2, p.seed = 3;
    p.rows = 5, p.columns = 6, p.layers = 1, p.depth = 4, p.max_weight = 9;
    weft_graph *g = NULL;
    weft_status st = weft_generate(ctx, kind, &p, NULL, &g);
    if (st == WEFT_EINVAL) { /* this kind wants other parameters: its defaults, then */
        p = (weft_generate_params)WEFT_GENERATE_DEFAULTS;
        p.n = 40, p.scale = 6;
        st = weft_generate(ctx, kind, &p, NULL, &g);
    }
    if (!st) st = weft_graph_fingerprint(ctx, g, answer);
    weft_graph_free(g);
    return st;
}

TEST(generating_every_kind) {
    CHECK(weft_generator_count() >= 10);
    for (size_t i = 0; i < weft_generator_count(); i++)
        fail_everywhere(work_generate, weft_generator_at(i)->name, 1 + (int)i % 2, weft_generator_at(i)->name);
}

/* --- writing -------------------------------------------------------------------- */

typedef struct writing {
    const weft_graph *g;
    const char *format, *path, *folder;
} writing;

static weft_status work_write(weft_ctx *ctx, const void *input, uint64_t *answer) {
    const writing *w = input;
    weft_write_params p = WEFT_WRITE_DEFAULTS;
    p.format = w->format;
    p.both_directions = 1;
    weft_status st = weft_write(ctx, w->g, w->path, &p);
    int left = count_entries(w->folder);
    if (left != (st == WEFT_OK)) HARNESS_FAIL("%s: %d files left, status %d", w->format, left, (int)st);
    size_t bytes;
    free(read_file(w->path, &bytes));
    *answer = bytes;
    unlink(w->path);
    return st;
}

TEST(writing_every_format) {
    static const char *const extensions[] = {"", ".gz", ".zst"};
    char folder[256], path[400];
    REQUIRE(make_temp(folder, sizeof folder));
    weft_ctx *ctx = new_ctx(1, NULL);
    static const char *const texts[] = {"1 2\n2 3\n3 1\n", "0 1\n1 2\n2 0\n", "1 2 5\n2 3 6\n3 1 7\n",
                                        "ann ben\nben cat\n"};
    for (size_t i = 0; i < weft_format_count(); i++) {
        const weft_format_info *f = weft_format_at(i);
        int written = 0;
        for (int which = 0; f->can_write && which < 4 * 2 * 3; which++) {
            weft_read_params p = WEFT_READ_DEFAULTS;
            p.direction = which / 4 % 2 ? WEFT_UNDIRECTED : WEFT_DIRECTED;
            weft_graph *g = read_text(ctx, texts[which % 4], &p);
            REQUIRE(g != NULL);
            snprintf(path, sizeof path, "%s/graph.%.*s%s", folder, (int)strcspn(f->extensions, " "), f->extensions,
                     extensions[which / 8]);
            weft_write_params out = WEFT_WRITE_DEFAULTS;
            out.format = f->name;
            weft_csr in = {.size = sizeof in};
            REQUIRE(weft_graph_in(ctx, g, &in) == WEFT_OK);  /* kept with the graph: not what is counted here */
            if (weft_write(ctx, g, path, &out) == WEFT_OK) { /* this format can carry this graph */
                unlink(path);
                written++;
                writing w = {g, f->name, path, folder};
                fail_everywhere(work_write, &w, 1, path);
            }
            weft_graph_free(g);
        }
        if (f->can_write && !written) HARNESS_FAIL("%s could write none of the graphs", f->name);
    }
    weft_ctx_free(ctx);
    remove_temp(folder);
}

TEST_MAIN()
