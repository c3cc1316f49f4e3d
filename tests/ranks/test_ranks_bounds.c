/* What ranks send at most, on graphs that make them send as much as they can: the bytes of one machine, and no more than the plan said. */
#include "rank_cells.h"
#include "weft/bfs.h"
#include "weft/sssp.h"

static void run_on_ranks(weft_ctx *ctx, const char *algorithm, const void *params, size_t size, weft_graph *g) {
    const weft_algorithm_info *a = weft_algorithm_find(algorithm);
    variant v = {.name = "against it"};
    weft_plan *plan = NULL;
    weft_result *expected = NULL;
    memcpy(v.params, params, size);
    REQUIRE(!weft_plan_new(ctx, algorithm, g, params, &plan) && !weft_plan_run(plan, &expected));
    for (int ranks = 2; ranks < 4; ranks++) {
        cell c = {a, &v, g, expected, NULL, WEFT_DEVICE_CPU, "", false, 0};
        on_ranks(ranks, run_cell, &c);
        CHECK_TEXT(c.trouble, "");
        CHECK(c.bound);
    }
    weft_result_free(expected);
    weft_plan_free(plan);
}

/* a[0] -> b[0] -> a[1] -> b[1] -> ..., each arc of length 1, and from every a[i] an arc to a hub, each way shorter than the one before; the hub leads to many.  a and the hub are on one
 * rank, b and what the hub leads to on the other: each step along the path makes the hub tell of all of them again. */
TEST(sssp_that_finds_shorter_and_shorter_ways) {
    enum {
        STEPS = 200,
        MANY = 2000,
        HUB = STEPS,
        B = STEPS + 1,
        LEAVES = B + STEPS,
        N = LEAVES + MANY,
        ROOM = 4 * STEPS + MANY
    };
    static weft_vid from[ROOM], to[ROOM];
    static uint32_t weight[ROOM];
    size_t count = 0;
    for (weft_vid i = 0; i < STEPS; i++) {
        from[count] = i, to[count] = B + i, weight[count++] = 1;
        from[count] = i, to[count] = HUB, weight[count++] = 100000 - 10 * i;
        if (i + 1 < STEPS) from[count] = B + i, to[count] = i + 1, weight[count++] = 1;
    }
    for (weft_vid i = 0; i < MANY; i++) from[count] = HUB, to[count] = LEAVES + i, weight[count++] = 1 + i % 7;
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = NULL;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    build.direction = WEFT_DIRECTED;
    REQUIRE(!weft_graph_from_edges(ctx, N, count, from, to, weight, WEFT_WEIGHT_U32, &build, &g));
    weft_sssp_params p = WEFT_SSSP_DEFAULTS;
    p.source = 0;
    p.delta = 1e9; /* all in one bucket */
    run_on_ranks(ctx, "sssp", &p, sizeof p, g);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* Leaves that are sources, then one vertex that has arcs to all of them, then a long path: the search goes bottom-up, and as long as levels do not shrink it would to the
 * end of the path, with a bit for each vertex at each step. */
TEST(bfs_that_goes_bottom_up_along_a_path) {
    enum { LEAVES = 200, START = LEAVES, WIDE, PATH, LENGTH_OF = 1000, N = PATH + LENGTH_OF };
    static weft_vid from[LEAVES + N], to[LEAVES + N], sources[LEAVES + 1];
    size_t count = 0;
    for (weft_vid i = 0; i < LEAVES; i++) from[count] = WIDE, to[count++] = i;
    for (weft_vid v = START; v + 1 < N; v++) from[count] = v, to[count++] = v + 1;
    for (weft_vid i = 0; i <= LEAVES; i++) sources[i] = i;
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = NULL;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    build.direction = WEFT_DIRECTED;
    REQUIRE(!weft_graph_from_edges(ctx, N, count, from, to, NULL, WEFT_WEIGHT_NONE, &build, &g));
    weft_csr in = {.size = sizeof in};
    REQUIRE(!weft_graph_in(ctx, g, &in)); /* or it would go top-down only */
    weft_bfs_params p = WEFT_BFS_DEFAULTS;
    p.sources = sources, p.source_count = LEAVES + 1;
    run_on_ranks(ctx, "bfs", &p, sizeof p, g);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST_MAIN()
