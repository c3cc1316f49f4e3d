/* Every algorithm that ranks can share, with each of its option sets, on every graph of the matrix: the bytes of one machine on 1, 2, 3, 5, 8 and 16
 * virtual ranks, with equal parts, unequal ones, and ranks that have none, whether or not incoming rows are at hand. */
#include "graph_matrix.h"
#include "variants.h"
#include "virtual_ranks.h"

#include "ranks/spread.h"

typedef struct cell {
    const weft_algorithm_info *algorithm;
    const variant *v;
    const weft_graph *g;
    const weft_result *expected; /* NULL: it is refused */
    const uint64_t *weights;
    char trouble[256];
} cell;

static void run_cell(weft_ctx *ctx, wfi_comm *comm, void *user) {
    cell *c = user;
    weft_plan *plan = NULL;
    weft_result *r = NULL, *whole = NULL;
    comm->weights = c->weights;
    weft_status st = weft_plan_new(ctx, c->algorithm->name, c->g, c->v->params, &plan);
    if (!st) st = weft_plan_run(plan, &r);
    if (!st) st = weft_plan_gather(plan, r, &whole);
    bool unserved = st == WEFT_EUNSUPPORTED;
    if (comm->link.rank == 0 && !unserved) {
        const char *where = st != WEFT_OK && c->expected ? weft_ctx_message(ctx)
                            : !c->expected               ? (st ? NULL : "it is not refused")
                                                         : difference(c->expected, whole);
        if (where) snprintf(c->trouble, sizeof c->trouble, "%s", where);
    }
    if (comm->link.rank && whole) snprintf(c->trouble, sizeof c->trouble, "another rank has a result");
    weft_result_free(whole);
    weft_result_free(r);
    weft_plan_free(plan);
    if (weft_ctx_memory_in_use(ctx)) snprintf(c->trouble, sizeof c->trouble, "a rank leaks memory");
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
    {"3 ranks", 3, {0}, false},
    {"3 ranks, the second without any", 3, {1, 0, 1}, false},
    {"3 ranks, the first without any", 3, {0, 3, 1}, true},
    {"5 ranks, uneven", 5, {9, 1, 4, 1, 2}, false},
    {"8 ranks", 8, {0}, true},
    {"16 ranks", 16, {0}, false},
    {"16 ranks, one has nearly all", 16, {0, 0, 1, 0, 1, 99, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0}, false},
};

/* A search in it has thousands of levels, at each of which all ranks meet: a few of the shapes must do. */
static bool is_deep(const weft_algorithm_info *a, const char *graph) {
    return (!strcmp(a->name, "bfs") || !strcmp(a->name, "kcore")) && (!strncmp(graph, "path", 4) || !strcmp(graph, "ring"));
}

static int cells(weft_ctx *ctx, const weft_algorithm_info *a, weft_graph *g, const char *graph) {
    int done = 0;
    variants list = variants_of(a, g, true);
    for (size_t i = 0; i < list.count; i++) {
        const variant *v = &list.at[i];
        weft_result *expected = NULL;
        if (v->run || !variant_fits(v, g)) continue;
        weft_status st = run_variant(ctx, a, v, g, &expected);
        if (refused_as_undirected(ctx, g, st)) continue;
        for (size_t k = 0; k < LENGTH(shapes); k++) {
            const shape *s = &shapes[k];
            weft_csr in = {.size = sizeof in};
            bool even = true;
            if (is_deep(a, graph) && (s->ranks != 3 || i > 1)) continue;
            if (s->ranks == MOST_RANKS && i > 2) continue; /* many more than cores: each meeting takes its time */
            for (int r = 0; r < s->ranks; r++) even = even && !s->weights[r];
            cell c = {a, v, g, expected, even ? NULL : s->weights, ""};
            if (s->transpose && weft_graph_directed(g)) CHECK(weft_graph_in(ctx, g, &in) == WEFT_OK);
            if (!s->transpose) forget_transpose(g);
            on_ranks(s->ranks, run_cell, &c);
            if (*c.trouble) HARNESS_FAIL("%s, %s, of %s, %s: %s", a->name, v->name, graph, s->name, c.trouble);
        }
        weft_result_free(expected);
        done++;
    }
    variants_free(&list);
    return done;
}

TEST(ranks_give_the_bytes_of_one_machine) {
    int done[64] = {0};
    for (size_t i = 0; i < LENGTH(matrix_graphs); i++) {
        weft_ctx *ctx = new_ctx(1, NULL);
        weft_graph *g = make_matrix_graph(ctx, &matrix_graphs[i]);
        for (size_t a = 0; g && a < weft_algorithm_count(); a++)
            if (weft_algorithm_at(a)->on_ranks)
                done[a] += cells(ctx, weft_algorithm_at(a), g, matrix_graphs[i].name);
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
    for (size_t a = 0; a < weft_algorithm_count(); a++)
        if (weft_algorithm_at(a)->on_ranks && done[a] < 10)
            HARNESS_FAIL("%s ran on %d cells only", weft_algorithm_at(a)->name, done[a]);
}

/* Iterating to a tolerance sweeps parts of 2^16 vertices in turn, of which each rank has a part. */
TEST(parts_that_are_swept_in_turn_are_cut_one_by_one) {
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
        static const uint64_t uneven[] = {2, 0, 7};
        forget_transpose(g);
        for (int way = 0; way < 2; way++) {
            cell c = {weft_algorithm_find("pagerank"), &v, g, expected, way ? uneven : NULL, ""};
            on_ranks(3, run_cell, &c);
            CHECK_TEXT(c.trouble, "");
        }
        weft_result_free(expected);
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
}

TEST_MAIN()
