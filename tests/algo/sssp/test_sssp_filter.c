/* The filter of distances: words are the same with it and without, for any number of threads and any delta; and where it is used. */
#include "sssp_support.h"

#include "algo/sssp/sssp.h"

static void search(weft_ctx *ctx, const weft_graph *g, weft_vid source, double delta, uint64_t *word, uint32_t *near,
                   wfi_sssp_outcome *outcome) {
    wfi_sssp_ends ends = {.sources = &source, .source_count = 1};
    wfi_sssp_search_arrays arrays;
    wfi_workspace w = {0};
    wfi_sssp_search_lay_out(&w, ctx, g, &arrays);
    weft_status st = wfi_workspace_take(ctx, &w);
    wfi_sssp_search_lay_out(&w, ctx, g, &arrays);
    wfi_sssp_task task = {&ends, delta, WFI_SSSP_PACKED, word, near, &arrays};
    if (!st) st = wfi_sssp_search(ctx, g, &task, outcome);
    CHECK_U64(st, WEFT_OK);
    wfi_workspace_give(&w);
}

static void check_filtered(const weft_graph *g, weft_vid source) {
    static const int threads[] = {1, 2, 3, 7};
    static const double deltas[] = {1, 16, 4096};
    weft_vid n = weft_graph_vertices(g);
    uint64_t *want = malloc(n * sizeof *want), *got = malloc(n * sizeof *got);
    uint32_t *near = malloc(n * sizeof *near);
    wfi_sssp_outcome without, with;
    weft_ctx *one = new_ctx(1, NULL);
    search(one, g, source, 64, want, NULL, &without);
    weft_ctx_free(one);
    for (size_t t = 0; t < LENGTH(threads); t++)
        for (size_t d = 0; d < LENGTH(deltas); d++) {
            weft_ctx *ctx = new_ctx(threads[t], NULL);
            memset(near, 0, n * sizeof *near);
            search(ctx, g, source, deltas[d], got, near, &with);
            CHECK(!memcmp(want, got, n * sizeof *want));
            CHECK_U64(with.zero_seen, without.zero_seen);
            CHECK_U64(with.too_far, without.too_far);
            for (weft_vid v = 0; v < n; v++) CHECK_U64(near[v], want[v] >> 32);
            weft_ctx_free(ctx);
        }
    free(want), free(got), free(near);
}

TEST(words_are_the_same_behind_a_filter) {
    weft_ctx *ctx = new_ctx(2, NULL);
    for (size_t i = 0; i < LARGE_GRAPHS; i++) {
        weft_graph *g = large_graph(ctx, i);
        REQUIRE(g);
        if (weft_graph_weight_type(g) == WEFT_WEIGHT_U32) check_filtered(g, (weft_vid)i);
        weft_graph_free(g);
    }
    weft_graph *hubs = graph_of_hubs(ctx);
    check_filtered(hubs, 0);
    weft_graph_free(hubs);
    weft_ctx_free(ctx);
}

TEST(a_filter_is_for_large_graphs_and_small_caches) {
    const wfi_caches small = {.l1_data = 64 << 10, .l2 = 1 << 20, .l3 = 32 << 20, .l3_instances = 1},
                     large = {.l1_data = 48 << 10, .l2 = 2 << 20, .l3 = 300 << 20, .l3_instances = 1}, hidden = {0};
    const weft_graph many = {.n = 1u << 20, .weight_type = WEFT_WEIGHT_U32},
                     few = {.n = 1u << 19, .weight_type = WEFT_WEIGHT_U32},
                     real = {.n = 1u << 20, .weight_type = WEFT_WEIGHT_F64};
    CHECK(wfi_sssp_filters(&small, &many));
    CHECK(!wfi_sssp_filters(&small, &few));
    CHECK(!wfi_sssp_filters(&small, &real));
    CHECK(!wfi_sssp_filters(&large, &many));
    CHECK(!wfi_sssp_filters(&hidden, &many));
}

TEST_MAIN()
