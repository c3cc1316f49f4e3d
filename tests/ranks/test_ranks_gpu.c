/* Ranks that compute on a GPU: every algorithm that has a version for it, with each of its option sets, gives the bytes of one machine on 1, 2 and 4 virtual
 * ranks that share a GPU, with equal parts, unequal ones and ranks that have none; a plan runs again; and a GPU that fails on one rank ends the run on all.  The
 * first also as one rank of those that a launcher started (test_ranks_gpu_mpi.sh), on small graphs.  Graphs and algorithms are dealt out to the
 * parts of the test. */
#include "cuda/device.h"
#include "graph_matrix.h"
#include "launched_ranks.h"
#include "rank_cells.h"
#include "weft/pagerank.h"

static bool no_gpu(void) {
    char none[256];
    return !wfi_cuda_devices(none, sizeof none);
}

typedef struct shape {
    const char *name;
    int ranks;
    uint64_t weights[MOST_RANKS]; /* all 0: equal parts */
    bool transpose;
} shape;

static const shape shapes[] = {
    {"1 rank", 1, {0}, false},
    {"2 ranks", 2, {0}, false},
    {"2 ranks, uneven", 2, {1, 9}, true},
    {"2 ranks, the first without any", 2, {0, 1}, true},
    {"4 ranks", 4, {0}, true},
    {"4 ranks, uneven, one without any", 4, {9, 0, 1, 4}, false},
};

/* A search in it has thousands of levels, each of which is a few calls to CUDA or a meeting of all ranks. */
static bool is_deep(const weft_algorithm_info *a, const char *graph, size_t set) {
    static const char *const searches[] = {"bfs", "kcore", "sssp", "toposort", "cycle"};
    if (strncmp(graph, "path", 4) != 0 && strcmp(graph, "ring") != 0) return false;
    for (size_t i = 0; i < LENGTH(searches); i++)
        if (!strcmp(a->name, searches[i])) return true;
    return !strcmp(a->name, "components") && set > 0; /* strong ones */
}

/* Every option set with every shape would take minutes: later sets have some shapes each, and a deep search is made once. */
static bool is_left_out(const weft_algorithm_info *a, const char *graph, size_t set, size_t shape_at) {
    if (is_deep(a, graph, set)) return strcmp(a->name, "toposort") != 0 || set > 0 || shape_at != 1;
    return set > 0 && (set + shape_at) % 3;
}

/* This process as a rank; NULL: ranks are virtual. */
typedef struct rank_context {
    weft_ctx *ctx;
    wfi_comm *comm;
} rank_context;

static void run_shape(const weft_algorithm_info *a, const variant *v, weft_graph *g, const char *graph,
                      const weft_result *expected, const shape *s, weft_ctx *ctx, const rank_context *at) {
    weft_csr in = {.size = sizeof in};
    bool even = true;
    for (int r = 0; r < s->ranks; r++) even = even && !s->weights[r];
    cell c = {a, v, g, expected, even ? NULL : s->weights, WEFT_DEVICE_CUDA, "", false, 0};
    if (s->transpose && weft_graph_directed(g)) CHECK(weft_graph_in(ctx, g, &in) == WEFT_OK);
    if (!s->transpose) forget_transpose(g);
    if (at)
        run_cell(at->ctx, at->comm, &c);
    else
        on_ranks(s->ranks, run_cell, &c);
    if (*c.trouble) HARNESS_FAIL("%s, %s, of %s, %s: %s", a->name, v->name, graph, s->name, c.trouble);
}

static int cells(weft_ctx *ctx, const weft_algorithm_info *a, weft_graph *g, const char *graph, const shape *list_of,
                 size_t count, bool all, const rank_context *at) {
    int done = 0;
    variants list = variants_of(a, g, true);
    for (size_t i = 0; i < list.count; i++) {
        const variant *v = &list.at[i];
        weft_result *expected = NULL;
        if (v->run || !variant_fits(v, g)) continue;
        if (weft_ranks_refuse(a->name, v->params) || weft_ranks_refuse_gpu(a->name, v->params)) continue;
        weft_status st = run_variant(ctx, a, v, g, &expected);
        if (refused_as_undirected(a, g, st)) continue;
        for (size_t k = 0; k < count; k++)
            if (all || !is_left_out(a, graph, i, k)) run_shape(a, v, g, graph, expected, &list_of[k], ctx, at);
        weft_result_free(expected);
        done++;
    }
    variants_free(&list);
    return done;
}

/* Few vertices: each option set of all algorithms in each shape. */
static void small_cells(const shape *list, size_t count, const rank_context *at, int done[64]) {
    static const matrix_graph small[] = {
        {"loops and repeats", "random", .n = 300, .m = 2000, .direction = WEFT_DIRECTED, .weights = WHOLE},
        {"undirected", "random", .n = 200, .m = 500, .direction = WEFT_UNDIRECTED, .weights = REAL},
        {"dag", "dag", .n = 300, .depth = 20, .degree = 3, .p = (double)NAN, .direction = WEFT_DIRECTED},
    };
    for (size_t i = 0; i < LENGTH(small); i++) {
        weft_ctx *ctx = new_ctx(1, NULL);
        weft_graph *g = make_matrix_graph(ctx, &small[i]);
        for (size_t a = 0; g && a < weft_algorithm_count(); a++)
            if (weft_algorithm_at(a)->on_ranks)
                done[a] += cells(ctx, weft_algorithm_at(a), g, small[i].name, list, count, true, at);
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

static void check_done(const int *done, int least) {
    for (size_t a = 0; a < weft_algorithm_count(); a++) {
        const char *name = weft_algorithm_at(a)->name;
        if (weft_algorithm_at(a)->on_ranks && !weft_ranks_refuse_gpu(name, NULL) && done[a] < least)
            HARNESS_FAIL("%s ran on %d cells only", name, done[a]);
    }
}

/* This one goes under compute-sanitizer. */
TEST(small_graphs) {
    if (no_gpu()) SKIP("no GPU");
    if (part_of_test().at) SKIP("the first part does this");
    int done[64] = {0};
    small_cells(shapes, LENGTH(shapes), NULL, done);
    check_done(done, 2);
}

TEST(launched_ranks_on_gpus_give_the_bytes_of_one_machine) {
    shape three[] = {{"as launched", 0, {0}, false},
                     {"as launched, uneven", 0, {0}, true},
                     {"as launched, one without any", 0, {0}, false}};
    wfi_link link;
    int done[64] = {0};
    if (!open_launched(&link)) SKIP("not under a launcher");
    REQUIRE(link.size <= MOST_RANKS && !no_gpu());
    for (size_t i = 0; i < LENGTH(three); i++) three[i].ranks = link.size;
    for (int r = 0; r < link.size; r++) {
        three[1].weights[r] = (uint64_t)(1 + r * r % 7);
        three[2].weights[r] = r != link.size / 2;
    }
    rank_context at = {new_ctx(1, NULL), wfi_comm_new(&link)};
    REQUIRE(at.comm != NULL);
    wfi_ctx_set_comm(at.ctx, at.comm);
    small_cells(three, link.size == 1 ? 1 : LENGTH(three), &at, done);
    check_done(done, 2);
    const char *way = getenv("WEFT_DEVICE_TRANSPORT");
    if (way) CHECK(!strncmp(at.comm->device_way, !strcmp(way, "nccl") ? "NCCL" : "staged", 4));
    weft_ctx_free(at.ctx);
}

TEST(ranks_on_gpus_give_the_bytes_of_one_machine) {
    if (no_gpu()) SKIP("no GPU");
    int done[64] = {0};
    for (size_t i = part_of_test().at; i < LENGTH(matrix_graphs); i += part_of_test().of) {
        weft_ctx *ctx = new_ctx(1, NULL);
        weft_graph *g = make_matrix_graph(ctx, &matrix_graphs[i]);
        for (size_t a = 0; g && a < weft_algorithm_count(); a++)
            if (weft_algorithm_at(a)->on_ranks)
                done[a] +=
                    cells(ctx, weft_algorithm_at(a), g, matrix_graphs[i].name, shapes, LENGTH(shapes), false, NULL);
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
    check_done(done, 10 / (int)part_of_test().of);
}

/* Iterating to a tolerance sweeps parts of 2^16 vertices in turn, of which each rank has a part. */
TEST(parts_that_are_swept_in_turn_are_cut_one_by_one) {
    if (no_gpu()) SKIP("no GPU");
    if (part_of_test().at) SKIP("the first part does this");
    weft_ctx *ctx = new_ctx(1, NULL);
    for (int directed = 0; directed < 2; directed++) {
        weft_generate_params p = WEFT_GENERATE_DEFAULTS;
        weft_build_params build = WEFT_BUILD_DEFAULTS;
        weft_graph *g = NULL;
        p.n = 200000, p.degree = 3, p.max_weight = 9;
        build.direction = directed ? WEFT_DIRECTED : WEFT_UNDIRECTED;
        REQUIRE(weft_generate(ctx, "uniform", &p, &build, &g) == WEFT_OK);
        weft_pagerank_params rank = WEFT_PAGERANK_DEFAULTS;
        variant v = {.name = "to a tolerance"};
        rank.max_iterations = 3;
        rank.weights = directed;
        memcpy(v.params, &rank, sizeof rank);
        weft_result *expected = NULL;
        REQUIRE(weft_pagerank(ctx, g, &rank, &expected) == WEFT_OK);
        for (size_t k = 0; k < LENGTH(shapes); k++)
            run_shape(weft_algorithm_find("pagerank"), &v, g, "uniform", expected, &shapes[k], ctx, NULL);
        weft_result_free(expected);
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
}

/* A rank's part of what a plan gives, twice. */
typedef struct repeat {
    const weft_algorithm_info *algorithm;
    const variant *v;
    const weft_graph *g;
    char trouble[256];
} repeat;

static void run_twice(weft_ctx *ctx, wfi_comm *comm, void *user) {
    repeat *t = user;
    weft_plan *plan = NULL;
    weft_result *r[2] = {NULL, NULL};
    weft_ctx_set_device(ctx, WEFT_DEVICE_CUDA);
    weft_status st = weft_plan_new(ctx, t->algorithm->name, t->g, t->v->params, &plan);
    for (int i = 0; i < 2 && !st; i++) st = weft_plan_run(plan, &r[i]);
    const char *where = st ? weft_ctx_message(ctx) : difference(r[0], r[1]);
    if (where && comm->link.rank == 0) snprintf(t->trouble, sizeof t->trouble, "%s", where);
    for (int i = 0; i < 2; i++) weft_result_free(r[i]);
    weft_plan_free(plan);
}

/* The rows that the first run has sent serve the second. */
TEST(a_plan_runs_again_with_the_rows_that_are_there) {
    if (no_gpu()) SKIP("no GPU");
    const matrix_graph small = {"rmat", "rmat", .scale = 8, .degree = 4, .p = (double)NAN, .direction = WEFT_DIRECTED};
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = make_matrix_graph(ctx, &small);
    REQUIRE(g != NULL);
    for (size_t a = part_of_test().at; a < weft_algorithm_count(); a += part_of_test().of) {
        const weft_algorithm_info *info = weft_algorithm_at(a);
        variants list = variants_of(info, g, true);
        for (size_t i = 0; info->on_ranks && i < list.count; i++) {
            const variant *v = &list.at[i];
            repeat t = {info, v, g, ""};
            if (v->run || !variant_fits(v, g)) continue;
            if (weft_ranks_refuse(info->name, v->params) || weft_ranks_refuse_gpu(info->name, v->params)) continue;
            on_ranks(3, run_twice, &t);
            if (*t.trouble) HARNESS_FAIL("%s, %s: %s", info->name, v->name, t.trouble);
        }
        variants_free(&list);
    }
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

typedef struct attempt {
    const weft_graph *g;
    const char *algorithm;
    const void *params;
    weft_status status[MOST_RANKS];
    bool leaks, silent;
} attempt;

static void try_run(weft_ctx *ctx, wfi_comm *comm, void *user) {
    attempt *t = user;
    weft_result *r = NULL;
    weft_plan *plan = NULL;
    weft_ctx_set_device(ctx, WEFT_DEVICE_CUDA);
    weft_status st = weft_plan_new(ctx, t->algorithm, t->g, t->params, &plan);
    if (!st) st = weft_plan_run(plan, &r);
    t->status[comm->link.rank] = st;
    if (st && !*weft_ctx_message(ctx)) t->silent = true;
    weft_result_free(r);
    weft_plan_free(plan);
    if (weft_ctx_memory_in_use(ctx) || weft_ctx_device_memory_in_use(ctx)) t->leaks = true;
}

/* A call to CUDA fails, on whichever rank makes it: all ranks end with the same status, and none waits for another. */
TEST(a_gpu_that_fails_on_one_rank_ends_the_run_on_all) {
    if (no_gpu()) SKIP("no GPU");
    enum { RANKS = 3, OUT_OF_MEMORY = 2, ILLEGAL_ADDRESS = 700 };
    weft_ctx *ctx = new_ctx(1, NULL);
    matrix_graph small = {"rmat", "rmat", .scale = 8, .degree = 4, .p = (double)NAN, .direction = WEFT_DIRECTED};
    weft_graph *g = make_matrix_graph(ctx, &small);
    REQUIRE(g != NULL);
    for (size_t a = part_of_test().at; a < weft_algorithm_count(); a += part_of_test().of) {
        const weft_algorithm_info *info = weft_algorithm_at(a);
        if (!info->on_ranks || weft_ranks_refuse_gpu(info->name, NULL)) continue;
        variants list = variants_of(info, g, true);
        int failures = 0;
        for (long after = 0; after < 4000; after = after < 24 ? after + 1 : after + after / 3) {
            attempt t = {.g = g, .algorithm = info->name, .params = list.at[0].params};
            wfi_cuda_inject_failure(after, after % 2 ? OUT_OF_MEMORY : ILLEGAL_ADDRESS, false);
            on_ranks(RANKS, try_run, &t);
            wfi_cuda_inject_failure(0, 0, false);
            for (int r = 1; r < RANKS; r++) CHECK(t.status[r] == t.status[0]);
            CHECK(!t.leaks && !t.silent);
            failures += t.status[0] != WEFT_OK;
            if (!t.status[0]) break;
        }
        variants_free(&list);
        if (failures < 10) HARNESS_FAIL("%s failed %d times only", info->name, failures);
    }
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST_MAIN()
