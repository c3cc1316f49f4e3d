/* PageRank on grids of virtual ranks: the bytes of one machine for every grid, cut and option set; ranks hold and send what the plan said; plans choose a grid by
 * the model, and say why; runs go on from checkpoints on other grids. */
#include "graph_matrix.h"
#include "rank_cells.h"

#include "checkpoint_support.h"
#include "weft/pagerank.h"

typedef struct shape {
    int rows, columns;
    uint64_t weights[MOST_RANKS]; /* all 0: equal parts */
} shape;

static const shape shapes[] = {
    {1, 1, {0}},
    {1, 2, {0}},
    {2, 1, {0}},
    {1, 3, {2, 0, 7}},
    {2, 2, {0}},
    {2, 2, {1, 0, 5, 2}},
    {1, 5, {0}},
    {5, 1, {9, 1, 4, 1, 2}},
    {2, 3, {0}},
    {3, 2, {0, 3, 1, 1, 0, 8}},
    {2, 4, {0}},
    {3, 3, {1, 1, 0, 0, 0, 0, 9, 1, 1}}, /* a row without vertices */
    {3, 3, {1, 0, 4, 2, 0, 1, 1, 0, 1}}, /* a column without any */
    {4, 4, {0}},
    {8, 2, {0, 0, 1, 0, 1, 99, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0}},
};

/* A cell of a grid. */
typedef struct place {
    cell c; /* first */
    const shape *s;
} place;

static void run_place(weft_ctx *ctx, wfi_comm *comm, void *user) {
    const place *p = user;
    weft_plan *plan = NULL;
    if (weft_ctx_set_grid(ctx, p->s->rows, p->s->columns)) exit(1);
    CHECK(!weft_plan_new(ctx, "pagerank", p->c.g, p->c.v->params, &plan));
    CHECK(weft_plan_grid_columns(plan) == p->s->columns);
    weft_plan_free(plan);
    run_cell(ctx, comm, user);
}

static void check_place(const variant *v, const weft_graph *g, const weft_result *expected, const shape *s,
                        const char *graph) {
    bool even = true;
    for (int r = 0; r < MOST_RANKS; r++) even = even && !s->weights[r];
    place p = {
        {weft_algorithm_find("pagerank"), v, g, expected, even ? NULL : s->weights, WEFT_DEVICE_CPU, "", false, 0}, s};
    on_ranks(s->rows * s->columns, run_place, &p);
    if (*p.c.trouble)
        HARNESS_FAIL("%s of %s in %d x %d%s: %s", v->name, graph, s->rows, s->columns, even ? "" : ", uneven",
                     p.c.trouble);
}

/* A sixth of all cells: each graph meets each shape with some option sets, and each option set with some graphs.  With WEFT_RANKS_MATRIX=all (make slow) every cell. */
TEST(every_grid_gives_the_bytes_of_one_machine) {
    size_t every = asked_for_all("WEFT_RANKS_MATRIX") ? 1 : 6;
    int done = 0;
    for (size_t i = 0; i < LENGTH(matrix_graphs); i++) {
        weft_ctx *ctx = new_ctx(1, NULL);
        weft_graph *g = make_matrix_graph(ctx, &matrix_graphs[i]);
        REQUIRE(g);
        variants list = variants_of(weft_algorithm_find("pagerank"), g, true);
        for (size_t k = 0; k < list.count; k++) {
            const variant *v = &list.at[k];
            weft_result *expected = NULL;
            if (v->run || !variant_fits(v, g)) continue;
            if (wfi_run(ctx, "pagerank", g, v->params, &expected)) HARNESS_FAIL("%s", weft_ctx_message(ctx));
            for (size_t s = 0; s < LENGTH(shapes) && expected; s++) {
                if ((i + k + s) % every) continue;
                check_place(v, g, expected, &shapes[s], matrix_graphs[i].name);
                done++;
            }
            weft_result_free(expected);
        }
        variants_free(&list);
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
    CHECK(done > 500);
}

/* Parts of 2^16 vertices, each cut by itself, and a grid over each.  The graph has vertices in pairs, which are found along rows and columns. */
TEST(parts_that_are_swept_in_turn_have_a_grid_each) {
    static const int picked[] = {4, 5, 9, 11};
    weft_ctx *ctx = new_ctx(1, NULL);
    for (int directed = 0; directed < 2; directed++) {
        weft_generate_params p = WEFT_GENERATE_DEFAULTS;
        weft_build_params build = WEFT_BUILD_DEFAULTS;
        weft_graph *g = NULL;
        p.n = 200000, p.degree = 1.5, p.max_weight = 9;
        build.direction = directed ? WEFT_DIRECTED : WEFT_UNDIRECTED;
        REQUIRE(weft_generate(ctx, "uniform", &p, &build, &g) == WEFT_OK);
        for (int precision = WEFT_PRECISION_F32; precision <= WEFT_PRECISION_F64; precision++) {
            weft_pagerank_params rank = WEFT_PAGERANK_DEFAULTS;
            variant v = {.name = "to a tolerance"};
            weft_result *expected = NULL;
            rank.max_iterations = 3;
            rank.weights = directed;
            rank.precision = precision;
            memcpy(v.params, &rank, sizeof rank);
            REQUIRE(weft_pagerank(ctx, g, &rank, &expected) == WEFT_OK);
            for (size_t i = 0; i < LENGTH(picked); i++) check_place(&v, g, expected, &shapes[picked[i]], "uniform");
            weft_result_free(expected);
        }
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
}

TEST(a_run_goes_on_from_a_checkpoint_on_another_grid) {
    static const struct {
        int ranks[2], columns[2];
    } turns[] = {{{4, 6}, {2, 3}}, {{3, 4}, {1, 2}}, {{6, 5}, {2, 1}}, {{4, 0}, {4, 0}}, {{0, 9}, {0, 3}}};
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_graph *g = NULL;
    weft_result *expected = NULL;
    weft_pagerank_params rank = WEFT_PAGERANK_DEFAULTS;
    char folder[300], path[512];
    p.n = 200003, p.degree = 3;
    rank.max_iterations = 4;
    rank.tolerance = 0;
    REQUIRE(make_temp(folder, sizeof folder));
    REQUIRE(weft_generate(ctx, "uniform", &p, NULL, &g) == WEFT_OK);
    REQUIRE(weft_pagerank(ctx, g, &rank, &expected) == WEFT_OK);
    attempt a = {"pagerank", &rank, g, folder, .seconds = 1e6, .expected = expected};
    path_of(&a, path);
    for (size_t i = 0; i < LENGTH(turns); i++) {
        a.stop_after = 2;
        a.columns = turns[i].columns[0];
        try_on(&a, turns[i].ranks[0]);
        CHECK(a.st == WEFT_ECANCELLED && a.info.iteration == 2);
        a.stop_after = 0;
        a.columns = turns[i].columns[1];
        try_on(&a, turns[i].ranks[1]);
        CHECK(!a.st);
        CHECK_TEXT(a.trouble, "");
        CHECK_U64(a.info.resumed_from, 2);
        CHECK(!unlink(path));
    }
    weft_result_free(expected);
    weft_graph_free(g);
    weft_ctx_free(ctx);
    remove_temp(folder);
}

/* --- which grid ---------------------------------------------------------------------------- */

typedef struct asked {
    weft_ctx *ctx;
    const weft_graph *g;
    uint64_t iterations;
    int columns; /* of the plan */
    char reason[400];
} asked;

static void *ask(void *given) {
    asked *a = given;
    weft_pagerank_params rank = WEFT_PAGERANK_DEFAULTS;
    weft_plan *plan = NULL;
    rank.iterations = a->iterations;
    if (weft_plan_new(a->ctx, "pagerank", a->g, &rank, &plan)) exit(1);
    a->columns = weft_plan_grid_columns(plan);
    snprintf(a->reason, sizeof a->reason, "%s", weft_plan_reason(plan));
    weft_plan_free(plan);
    return NULL;
}

/* What 16 ranks with such links choose; all of them must choose the same. */
static asked ask_ranks(const weft_graph *g, uint64_t iterations, double delay, double bandwidth) {
    enum { RANKS = 16 };
    asked at[RANKS];
    weft_ctx *contexts[RANKS];
    pthread_t thread[RANKS];
    for (int r = 0; r < RANKS; r++) {
        contexts[r] = new_ctx(1, NULL);
        at[r] = (asked){.ctx = contexts[r], .g = g, .iterations = iterations};
    }
    if (weft_ctx_set_virtual(contexts, RANKS, delay, bandwidth)) exit(1);
    for (int r = 0; r < RANKS; r++)
        if (pthread_create(&thread[r], NULL, ask, &at[r])) exit(1);
    for (int r = 0; r < RANKS; r++) pthread_join(thread[r], NULL);
    for (int r = 0; r < RANKS; r++) {
        CHECK(at[r].columns == at[0].columns);
        CHECK_TEXT(at[r].reason, at[0].reason);
        weft_ctx_free(contexts[r]);
    }
    return at[0];
}

TEST(plans_take_a_grid_where_the_model_says_that_it_pays) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    weft_graph *g = NULL;
    p.scale = 12, p.degree = 8;
    build.direction = WEFT_UNDIRECTED;
    REQUIRE(weft_generate(ctx, "rmat", &p, &build, &g) == WEFT_OK);
    asked slow = ask_ranks(g, 500, 0, 1e7), delayed = ask_ranks(g, 500, 1e-3, 1e9), few = ask_ranks(g, 1, 0, 1e7);
    CHECK(slow.columns > 1); /* bytes count, and there are enough iterations to pay for bringing the arcs */
    CHECK(strstr(slow.reason, "a grid of ") && strstr(slow.reason, " s in 1-D"));
    CHECK(delayed.columns == 1); /* a grid has more messages */
    CHECK(strstr(delayed.reason, "1-D: ") && strstr(delayed.reason, "by the model "));
    CHECK(few.columns == 1);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

static void ask_for_nonsense(weft_ctx *ctx, wfi_comm *comm, void *user) {
    weft_plan *plan = NULL;
    CHECK(weft_ctx_set_grid(ctx, 3, 2) == WEFT_EINVAL);
    CHECK_TEXT(weft_ctx_message(ctx), "a grid of 3 x 2 does not have 4 ranks");
    CHECK(weft_ctx_set_grid(ctx, -2, -2) == WEFT_EINVAL);
    CHECK(weft_ctx_set_grid(ctx, 4, 0) == WEFT_EINVAL);
    CHECK(comm->columns == 0);
    CHECK(weft_ctx_set_grid(ctx, 2, 2) == WEFT_OK);
    CHECK(weft_plan_new(ctx, "bfs", user, NULL, &plan) == WEFT_EUNSUPPORTED && !plan);
    CHECK(strstr(weft_ctx_message(ctx), "in a grid of one column"));
    CHECK(weft_ctx_set_grid(ctx, 4, 1) == WEFT_OK);
    CHECK(weft_plan_new(ctx, "bfs", user, NULL, &plan) == WEFT_OK && weft_plan_grid_columns(plan) == 1);
    weft_plan_free(plan);
}

TEST(grids_that_cannot_be_are_refused) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_graph *g = NULL;
    p.n = 100;
    REQUIRE(weft_generate(ctx, "path", &p, NULL, &g) == WEFT_OK);
    on_ranks(4, ask_for_nonsense, g);
    CHECK(weft_ctx_set_grid(ctx, 1, 1) == WEFT_OK && weft_ctx_set_grid(ctx, 1, 2) == WEFT_EINVAL);
    CHECK(weft_plan_grid_columns(NULL) == 1);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST_MAIN()
