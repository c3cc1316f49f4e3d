/* weft_subgraph: small graphs by eye, each condition alone and together; ids, weights and parallel edges follow; the
 * same on any number of threads; what is refused; memory that is not there.  tests/subgraph/reference.py compares with
 * NetworkX. */
#include "stops.h"
#include "weft/subgraph.h"

static weft_graph *part_of(weft_ctx *ctx, const weft_graph *g, const weft_subgraph_params *p,
                           weft_subgraph_info *info) {
    weft_graph *part = NULL;
    *info = (weft_subgraph_info){.size = sizeof *info};
    weft_status st = weft_subgraph(ctx, g, p, &part, info);
    return st ? NULL : part;
}

/* Two triangles on one edge, a triangle that has a corner of theirs, and a loop; parallel edges and both directions go
 * or stay with their pair. */
TEST(a_truss_is_edges_and_their_ends) {
    weft_read_params rp = WEFT_READ_DEFAULTS;
    weft_subgraph_params p = WEFT_SUBGRAPH_DEFAULTS;
    weft_subgraph_info info;
    p.truss = 3;
    rp.duplicates = WEFT_DUPLICATES_KEEP;
    for (int directed = 0; directed < 2; directed++) {
        rp.direction = directed ? WEFT_DIRECTED : WEFT_UNDIRECTED;
        weft_ctx *ctx = new_ctx(2, NULL);
        weft_graph *g = read_text(ctx, "1 2\n3 2\n2 3\n1 3\n2 4\n3 4\n4 5\n5 5\n5 6\n7 8\n", &rp), *part;
        REQUIRE(g && (part = part_of(ctx, g, &p, &info)));
        CHECK_U64(weft_graph_vertices(part), 4);
        CHECK_U64(weft_graph_edges(part), 6);
        CHECK_U64(info.edges_by_truss, 4);
        CHECK_U64(info.vertices_by_truss, 4);
        CHECK_U64(info.edges, 4);
        weft_graph_free(part);
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

TEST(conditions_are_applied_one_after_the_other) {
    /* A triangle 1 2 3 with a tail 4 5, and a pair 8 9. */
    weft_read_params rp = WEFT_READ_DEFAULTS;
    rp.direction = WEFT_UNDIRECTED;
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = read_text(ctx, "1 2 1\n2 3 1\n1 3 5\n3 4 2\n4 5 2\n8 9 3\n", &rp), *part;
    weft_subgraph_info info;
    weft_subgraph_params p = WEFT_SUBGRAPH_DEFAULTS;
    REQUIRE(g);
    p.largest_component = WEFT_COMPONENT_WEAK;
    REQUIRE(part = part_of(ctx, g, &p, &info));
    CHECK_U64(weft_graph_vertices(part), 5);
    CHECK_U64(info.vertices_by_component, 2);
    CHECK_U64(info.edges, 1);
    CHECK(weft_graph_id_kind(part) == WEFT_IDS_SPARSE && weft_graph_id(part, 4) == 5);
    weft_graph_free(part);
    p.max_weight = 2; /* without 1-3 and 8-9 a path is left, whose 2-core is empty */
    p.core = 2;
    REQUIRE(part = part_of(ctx, g, &p, &info));
    CHECK_U64(weft_graph_vertices(part), 0);
    CHECK_U64(info.edges_by_weight, 2);
    CHECK_U64(info.vertices_by_core, 7);
    CHECK_U64(info.edges, 6);
    weft_graph_free(part);
    weft_vid tail = 3, list[] = {2, 3, 4, 4};
    p = (weft_subgraph_params)WEFT_SUBGRAPH_DEFAULTS;
    p.ego = &tail;
    p.ego_count = 1;
    REQUIRE(part = part_of(ctx, g, &p, &info));
    CHECK_U64(weft_graph_vertices(part), 3); /* 3 4 5 */
    CHECK(weft_graph_id(part, 0) == 3 && weft_graph_id(part, 2) == 5);
    CHECK_U64(weft_graph_edges(part), 2);
    weft_graph_free(part);
    p.radius = 0;
    p.vertices = list;
    p.vertex_count = 4;
    REQUIRE(part = part_of(ctx, g, &p, &info));
    CHECK_U64(weft_graph_vertices(part), 1);
    CHECK_U64(info.vertices_by_list, 4);
    CHECK_U64(info.vertices_by_ego, 2);
    weft_graph_free(part);
    p.vertex_count = 0; /* an empty list leaves nothing, not even the centre */
    REQUIRE(part = part_of(ctx, g, &p, &info));
    CHECK_U64(weft_graph_vertices(part), 0);
    weft_graph_free(part);
    p = (weft_subgraph_params)WEFT_SUBGRAPH_DEFAULTS;
    p.min_degree = 2;
    p.max_degree = 2;
    REQUIRE(part = part_of(ctx, g, &p, &info));
    CHECK_U64(weft_graph_vertices(part), 3); /* 1 2 4 */
    CHECK_U64(weft_graph_edges(part), 1);
    weft_graph_free(part);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(names_weights_loops_and_parallel_edges_stay) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_read_params rp = WEFT_READ_DEFAULTS;
    rp.duplicates = WEFT_DUPLICATES_KEEP;
    rp.weight_type = WEFT_WEIGHT_F32;
    weft_graph *g = read_text(ctx, "a b 0.7\na b 0.5\nb b 0.9\nc a 1\n", &rp), *part;
    weft_vid list[] = {1, 0};
    weft_subgraph_info info;
    weft_subgraph_params p = WEFT_SUBGRAPH_DEFAULTS;
    char name[8];
    REQUIRE(g);
    p.vertices = list;
    p.vertex_count = 2;
    p.min_weight = 0.7; /* which no f32 is */
    REQUIRE(part = part_of(ctx, g, &p, &info));
    weft_csr rows = out_rows(part);
    CHECK_U64(rows.arcs, 2);
    CHECK(((const float *)rows.weights)[0] == 0.7f && ((const float *)rows.weights)[1] == 0.9f);
    CHECK(weft_graph_id_text(part, 1, name, sizeof name) == 1 && name[0] == 'b');
    weft_vid v;
    CHECK(weft_graph_find(ctx, part, "b", &v) == WEFT_OK && v == 1);
    CHECK(weft_graph_find(ctx, part, "c", &v) == WEFT_ENOTFOUND);
    CHECK_U64(info.edges_by_weight, 1);
    CHECK_U64(info.edges, 2);
    weft_graph_free(part);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(samples_are_the_same_on_any_number_of_threads_and_as_large_as_asked) {
    uint64_t first[2] = {0, 0};
    for (int threads = 1; threads <= 7; threads += 3) {
        weft_ctx *ctx = new_ctx(threads, NULL);
        weft_generate_params gp = WEFT_GENERATE_DEFAULTS;
        weft_graph *g = NULL;
        gp.n = 20000;
        gp.degree = 8;
        gp.undirected = 1;
        REQUIRE(weft_generate(ctx, "uniform", &gp, NULL, &g) == WEFT_OK);
        for (int which = 0; which < 2; which++) {
            weft_subgraph_params p = WEFT_SUBGRAPH_DEFAULTS;
            weft_subgraph_info info;
            uint64_t print;
            *(which ? &p.sample_vertices : &p.sample_edges) = 0.25;
            weft_graph *part = part_of(ctx, g, &p, &info);
            REQUIRE(part && !weft_graph_fingerprint(ctx, part, &print));
            if (threads == 1) first[which] = print;
            CHECK(print == first[which]);
            double share = which ? weft_graph_vertices(part) / 20000.0
                                 : (double)weft_graph_edges(part) / (double)weft_graph_edges(g);
            CHECK(share > 0.23 && share < 0.27);
            weft_csr rows = out_rows(part);
            for (weft_vid u = 0; u < rows.vertices; u++) /* both arcs of an edge, or none */
                for (weft_eid e = rows.offsets[u]; e < rows.offsets[u + 1]; e++)
                    if (!weft_graph_has_arc(part, rows.targets[e], u, NULL)) CHECK(false);
            weft_graph_free(part);
        }
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

TEST(what_cannot_be_is_refused) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = read_text(ctx, "0 1\n1 2\n", NULL), *part;
    weft_vid none = 3;
    weft_subgraph_params p = WEFT_SUBGRAPH_DEFAULTS;
    REQUIRE(g);
    p.ego = &none;
    p.ego_count = 1;
    CHECK(weft_subgraph(ctx, g, &p, &part, NULL) == WEFT_EINVAL && !part &&
          strstr(weft_ctx_message(ctx), "no vertex 3"));
    p = (weft_subgraph_params)WEFT_SUBGRAPH_DEFAULTS;
    p.vertex_count = 1;
    CHECK(weft_subgraph(ctx, g, &p, &part, NULL) == WEFT_EINVAL && !part);
    p = (weft_subgraph_params)WEFT_SUBGRAPH_DEFAULTS;
    p.min_weight = 1;
    CHECK(weft_subgraph(ctx, g, &p, &part, NULL) == WEFT_EINVAL && strstr(weft_ctx_message(ctx), "has none"));
    p = (weft_subgraph_params)WEFT_SUBGRAPH_DEFAULTS;
    p.sample_edges = (double)NAN;
    CHECK(weft_subgraph(ctx, g, &p, &part, NULL) == WEFT_EINVAL && !part);
    p = (weft_subgraph_params)WEFT_SUBGRAPH_DEFAULTS;
    p.min_degree = 5;
    p.max_degree = 4;
    CHECK(weft_subgraph(ctx, g, &p, &part, NULL) == WEFT_EINVAL && !part);
    p = (weft_subgraph_params)WEFT_SUBGRAPH_DEFAULTS;
    p.truss = 1;
    CHECK(weft_subgraph(ctx, g, &p, &part, NULL) == WEFT_EINVAL && !part &&
          strstr(weft_ctx_message(ctx), "subgraph: `truss` is 2 or more"));
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* A poll may be a call into Python: there is one for a chunk of rows, and not one for each vertex. */
TEST(chunks_of_rows_are_polled_and_not_each_vertex) {
    enum { N = 60000 };
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_generate_params gp = WEFT_GENERATE_DEFAULTS;
    weft_subgraph_params p = WEFT_SUBGRAPH_DEFAULTS;
    weft_graph *g = NULL, *part = NULL;
    gp.n = N;
    gp.degree = 4;
    p.core = 2;
    p.sample_edges = 0.8;
    REQUIRE(weft_generate(ctx, "uniform", &gp, NULL, &g) == WEFT_OK);
    stop_at s = {.at = NEVER};
    weft_ctx_set_cancel(ctx, asked_at, &s);
    REQUIRE(weft_subgraph(ctx, g, &p, &part, NULL) == WEFT_OK);
    forget_stop(ctx);
    CHECK(s.polls > N / 1024);
    CHECK(s.polls < N / 64);
    weft_graph_free(part);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(memory_that_is_not_there_is_said) {
    weft_ctx *ctx = new_ctx(1, NULL);
    counting heap = {.allowed = COUNT_ONLY};
    weft_ctx_set_allocator(ctx, counting_alloc, counting_free, &heap);
    weft_graph *g = read_text(ctx, "0 10 1\n10 2 1\n2 0 1\n2 30 4\n", NULL);
    weft_vid centre = 0;
    weft_subgraph_params p = WEFT_SUBGRAPH_DEFAULTS;
    uint64_t failed = 0;
    REQUIRE(g);
    p.ego = &centre;
    p.ego_count = 1;
    p.core = p.min_degree = 1;
    p.largest_component = WEFT_COMPONENT_WEAK;
    for (weft_status st = WEFT_ENOMEM; st == WEFT_ENOMEM; failed++) {
        weft_graph *part;
        uint64_t blocks = heap.live_blocks;
        heap.allowed = atomic_load(&heap.calls) + failed;
        st = weft_subgraph(ctx, g, &p, &part, NULL);
        heap.allowed = COUNT_ONLY;
        CHECK(st == WEFT_ENOMEM ? !part && heap.live_blocks == blocks : st == WEFT_OK);
        weft_graph_free(part);
    }
    CHECK(failed > 20);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST_MAIN()
