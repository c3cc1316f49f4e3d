/* A cycle of a leftover that is too large for one rank: its rows are fetched as the search goes on, and it is the one that one machine shows. */
#include "virtual_ranks.h"

#include "ranks/peel.h"
#include "weft/cycle.h"

typedef struct leftover {
    const weft_graph *g;
    const weft_column *expected;
    bool same[MOST_RANKS];
} leftover;

static void find(weft_ctx *ctx, wfi_comm *comm, void *user) {
    leftover *l = user;
    wfi_spread *s = NULL;
    wfi_rank_peel p = {.level = NULL};
    wfi_workspace w = {0};
    wfi_cycle cycle = {NULL, 0};
    wfi_pool *pool = wfi_pool_new(ctx);
    weft_status st = wfi_spread_new(ctx, l->g, 0, &s);
    for (int pass = 0; pass < 2 && !st; pass++) {
        wfi_array(&w, &p.level, s->vertices);
        wfi_rank_peel_lay_out(&w, s, &p);
        if (!pass) st = wfi_workspace_take(ctx, &w);
        w.pool = pool;
    }
    p.small = 0;
    if (!st) st = wfi_rank_peel_run(ctx, s, &p);
    if (!st) st = wfi_rank_cycle(ctx, &w, s, &p, &cycle);
    l->same[comm->link.rank] = !st && cycle.length == l->expected->length &&
                               !memcmp(cycle.vertex, l->expected->data, cycle.length * sizeof *cycle.vertex);
    wfi_give_grown(&w);
    wfi_workspace_give(&w);
    wfi_pool_close(pool);
    wfi_pool_release(pool);
    wfi_spread_free(s);
}

static void compare(const char *kind, weft_generate_params p) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = NULL;
    weft_result *r = NULL;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    build.direction = WEFT_DIRECTED;
    build.loops = WEFT_LOOPS_DROP;
    REQUIRE(weft_generate(ctx, kind, &p, &build, &g) == WEFT_OK);
    REQUIRE(weft_cycle(ctx, g, NULL, &r) == WEFT_OK);
    leftover l = {.g = g, .expected = weft_result_column(r, "cycle")};
    CHECK(l.expected->length > 1);
    on_ranks(3, find, &l);
    for (int rank = 0; rank < 3; rank++) CHECK(l.same[rank]);
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(a_ring_is_its_only_cycle) {
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    p.n = 300;
    compare("cycle", p);
}

TEST(a_large_component_has_a_short_cycle) {
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    p.scale = 10, p.degree = 8;
    compare("rmat", p);
}

TEST(a_sparse_one_is_searched_from_many_of_its_vertices) {
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    p.n = 5000, p.degree = 1.5;
    compare("uniform", p);
}

TEST_MAIN()
