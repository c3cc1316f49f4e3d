/* bfs: known answers, a plain queue as reference on generated graphs with any number of threads, and the verifier on
 * results that are wrong. */
#include "bfs_support.h"

#define FAR WEFT_UNREACHED

/* --- known answers ----------------------------------------------------------- */

static const struct {
    const char *name, *edges;
    weft_vid n, source;
    weft_direction direction;
    uint64_t max_depth;
    uint32_t level[8], parent[8];
    uint64_t reached, depth;
} known[] = {
    {"one vertex", "", 1, NONE, WEFT_DIRECTED, 0, {0}, {0}, 1, 0},
    {"a loop", "0>0", 1, 0, WEFT_DIRECTED, 0, {0}, {0}, 1, 0},
    {"no arcs", "", 3, NONE, WEFT_UNDIRECTED, 0, {0, FAR, FAR}, {0, NONE, NONE}, 1, 0},
    {"a path", "0>1 1>2 2>3", 4, 0, WEFT_DIRECTED, 0, {0, 1, 2, 3}, {0, 0, 1, 2}, 4, 3},
    {"against the arcs", "0>1 1>2 2>3", 4, 3, WEFT_DIRECTED, 0, {FAR, FAR, FAR, 0}, {NONE, NONE, NONE, 3}, 1, 0},
    {"a path both ways", "0>1 1>2 2>3", 4, 2, WEFT_UNDIRECTED, 0, {2, 1, 0, 1}, {1, 2, 2, 2}, 4, 2},
    {"a path, two levels", "0>1 1>2 2>3", 4, 0, WEFT_DIRECTED, 2, {0, 1, 2, FAR}, {0, 0, 1, NONE}, 3, 2},
    {"a star", "3>0 3>1 3>2 3>4", 5, NONE, WEFT_UNDIRECTED, 0, {1, 1, 1, 0, 1}, {3, 3, 3, 3, 3}, 5, 1},
    {"a star from a leaf", "3>0 3>1 3>2 3>4", 5, 4, WEFT_UNDIRECTED, 0, {2, 2, 2, 1, 0}, {3, 3, 3, 4, 4}, 5, 2},
    {"complete", "0>1 0>2 0>3 1>2 1>3 2>3", 4, 2, WEFT_UNDIRECTED, 0, {1, 1, 0, 1}, {2, 2, 2, 2}, 4, 1},
    {"two parts", "0>1 2>3 3>4", 5, 2, WEFT_DIRECTED, 0, {FAR, FAR, 0, 1, 2}, {NONE, NONE, 2, 2, 3}, 3, 2},
    {"the smallest of three parents",
     "0>3 0>2 0>1 3>4 2>4 1>4",
     5,
     0,
     WEFT_DIRECTED,
     0,
     {0, 1, 1, 1, 2},
     {0, 0, 0, 0, 1},
     5,
     2},
    {"a smaller vertex on the same level is no parent",
     "2>1 2>3 1>3 3>0",
     4,
     2,
     WEFT_DIRECTED,
     0,
     {2, 1, 0, 1},
     {3, 2, 2, 2},
     4,
     2},
    {"of two busiest the smaller",
     "1>0 1>2 3>4 3>0",
     5,
     NONE,
     WEFT_DIRECTED,
     0,
     {1, 0, 1, FAR, FAR},
     {1, 1, 1, NONE, NONE},
     3,
     1},
};

TEST(small_graphs_have_known_levels_and_parents) {
    for (size_t i = 0; i < LENGTH(known); i++)
        for (int transposed = 0; transposed < 2; transposed++) {
            weft_ctx *ctx = new_ctx(2, NULL);
            weft_graph *g = graph_of(ctx, known[i].n, known[i].edges, known[i].direction);
            weft_bfs_params p = WEFT_BFS_DEFAULTS;
            p.source = known[i].source;
            p.max_depth = known[i].max_depth;
            weft_result *r = NULL;
            weft_csr in = {.size = sizeof in};
            REQUIRE(g && (!transposed || weft_graph_in(ctx, g, &in) == WEFT_OK));
            REQUIRE(weft_bfs(ctx, g, &p, &r) == WEFT_OK);
            if (memcmp(weft_result_u32(r, "level"), known[i].level, known[i].n * 4) ||
                memcmp(weft_result_u32(r, "parent"), known[i].parent, known[i].n * 4))
                HARNESS_FAIL("%s: wrong columns", known[i].name);
            CHECK_U64(weft_result_scalar(r, "reached")->value.u64, known[i].reached);
            CHECK_U64(weft_result_scalar(r, "depth")->value.u64, known[i].depth);
            CHECK(verified(ctx, g, &p, r));
            weft_result_free(r);
            weft_graph_free(g);
            CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
            weft_ctx_free(ctx);
        }
}

TEST(an_empty_graph_has_nothing_to_reach) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_graph *g = graph_of(ctx, 0, "", WEFT_DIRECTED);
    weft_bfs_params p = WEFT_BFS_DEFAULTS;
    weft_result *r = NULL;
    REQUIRE(g && weft_bfs(ctx, g, NULL, &r) == WEFT_OK);
    CHECK_U64(weft_result_scalar(r, "reached")->value.u64, 0);
    CHECK_U64(weft_result_column(r, "level")->length, 0);
    CHECK(verified(ctx, g, NULL, r));
    weft_result_free(r);
    weft_vid none = 0;
    CHECK(weft_random_sources(ctx, g, 1, 1, &none) == WEFT_EINVAL);
    CHECK(weft_random_sources(ctx, g, 0, 1, &none) == WEFT_OK);
    p.source = 0;
    CHECK(weft_bfs(ctx, g, &p, &r) == WEFT_EINVAL);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* --- against a plain queue ---------------------------------------------------- */

static void plain_bfs(const weft_graph *g, weft_vid source, uint64_t max_depth, uint32_t *level, weft_vid *parent) {
    weft_csr out = out_rows(g);
    weft_vid *queue = malloc(((size_t)out.vertices + 1) * sizeof *queue);
    size_t head = 0, tail = 0;
    for (weft_vid v = 0; v < out.vertices; v++) level[v] = FAR, parent[v] = NONE;
    level[source] = 0;
    parent[source] = source;
    queue[tail++] = source;
    while (head < tail) {
        weft_vid u = queue[head++];
        if (max_depth && level[u] == max_depth) continue;
        for (weft_eid e = out.offsets[u]; e < out.offsets[u + 1]; e++) {
            weft_vid v = out.targets[e];
            if (level[v] == FAR) {
                level[v] = level[u] + 1;
                queue[tail++] = v;
            }
            if (level[v] == level[u] + 1 && u < parent[v]) parent[v] = u;
        }
    }
    free(queue);
}

static const struct {
    const char *kind;
    uint64_t n, scale, rows;
    double degree;
    int undirected;
} shapes[] = {
    {"rmat", 0, 13, 0, 16, 1},     {"rmat", 0, 13, 0, 8, 0},        {"uniform", 9000, 0, 0, 12, 1},
    {"uniform", 9000, 0, 0, 2, 0}, {"grid", 0, 0, 90, NAN, 0},      {"path", 3000, 0, 0, NAN, 0},
    {"star", 70001, 0, 0, NAN, 0}, {"complete", 300, 0, 0, NAN, 0}, {"tree", 5000, 0, 0, NAN, 0},
};

static weft_graph *shape(weft_ctx *ctx, size_t i) {
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    p.n = shapes[i].n;
    p.scale = shapes[i].scale;
    p.rows = p.columns = shapes[i].rows;
    p.degree = shapes[i].degree;
    p.undirected = shapes[i].undirected;
    return made(ctx, shapes[i].kind, &p);
}

/* Sources and depths; the first without and then with the transpose. */
static void compare_with_plain(weft_ctx *ctx, const weft_graph *g, const char *name) {
    weft_vid n = weft_graph_vertices(g);
    uint32_t *level = malloc(n * sizeof *level);
    weft_vid *parent = malloc(n * sizeof *parent);
    static const int thread_counts[] = {1, 2, 3, 7};
    for (int pass = 0; pass < 4; pass++) {
        weft_bfs_params p = WEFT_BFS_DEFAULTS;
        p.source = (weft_vid)(random_at(5, (uint64_t)pass) % n);
        p.max_depth = pass == 3 ? 2 : 0;
        plain_bfs(g, p.source, p.max_depth, level, parent);
        weft_csr in = {.size = sizeof in};
        if (pass == 1) CHECK(weft_graph_in(ctx, g, &in) == WEFT_OK);
        for (size_t t = 0; t < LENGTH(thread_counts); t++) {
            weft_result *r = NULL;
            weft_ctx_set_threads(ctx, thread_counts[t]);
            REQUIRE(weft_bfs(ctx, g, &p, &r) == WEFT_OK);
            if (memcmp(weft_result_u32(r, "level"), level, n * sizeof *level) ||
                memcmp(weft_result_u32(r, "parent"), parent, n * sizeof *parent))
                HARNESS_FAIL("%s, source %u, %d threads: other columns than the plain queue", name, p.source,
                             thread_counts[t]);
            if (!verified(ctx, g, &p, r)) HARNESS_FAIL("%s: the verifier refuses", name);
            weft_result_free(r);
        }
    }
    free(level);
    free(parent);
}

TEST(any_number_of_threads_gives_the_bytes_of_a_plain_queue) {
    for (size_t i = 0; i < LENGTH(shapes); i++) {
        weft_ctx *ctx = new_ctx(0, NULL);
        weft_graph *g = shape(ctx, i);
        REQUIRE(g);
        compare_with_plain(ctx, g, shapes[i].kind);
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

/* Hubs with more than 32768 arcs on one level, which share all their targets. */
TEST(rows_of_hubs_are_shared_out) {
    enum { HUBS = 5, LEAVES = 40000, N = 1 + HUBS + LEAVES, M = HUBS + HUBS * LEAVES };
    weft_vid *u = malloc(M * sizeof *u), *v = malloc(M * sizeof *v);
    size_t m = 0;
    for (weft_vid h = 0; h < HUBS; h++) {
        u[m] = N - 1, v[m++] = h;
        for (weft_vid leaf = 0; leaf < LEAVES; leaf++) u[m] = h, v[m++] = HUBS + leaf;
    }
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_graph *g = NULL;
    REQUIRE(weft_graph_from_edges(ctx, N, m, u, v, NULL, WEFT_WEIGHT_NONE, NULL, &g) == WEFT_OK);
    compare_with_plain(ctx, g, "hubs");
    for (int threads = 1; threads < 8; threads += 3) {
        weft_bfs_params p = WEFT_BFS_DEFAULTS;
        p.source = N - 1;
        weft_result *r = NULL;
        weft_ctx_set_threads(ctx, threads);
        REQUIRE(weft_bfs(ctx, g, &p, &r) == WEFT_OK);
        for (weft_vid leaf = HUBS; leaf < N - 1; leaf++)
            if (weft_result_u32(r, "parent")[leaf] != 0) HARNESS_FAIL("leaf %u has another parent", leaf);
        weft_result_free(r);
    }
    weft_graph_free(g);
    weft_ctx_free(ctx);
    free(u);
    free(v);
}

/* --- the verifier ------------------------------------------------------------- */

TEST(the_verifier_refuses_what_was_tampered_with) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_graph *g = graph_of(ctx, 7, "0>3 0>2 0>1 3>4 2>4 1>4 4>5", WEFT_DIRECTED);
    weft_result *r = NULL;
    REQUIRE(g && weft_bfs(ctx, g, NULL, &r) == WEFT_OK);
    uint32_t *level = (uint32_t *)(uintptr_t)weft_result_u32(r, "level");
    weft_vid *parent = (weft_vid *)(uintptr_t)weft_result_u32(r, "parent");
    CHECK(verified(ctx, g, NULL, r));
    static const struct {
        weft_vid v;
        uint32_t level;
        weft_vid parent;
    } lies[] = {
        {4, 2, 2},      /* legal, but not the smallest */
        {4, 2, 0},      /* no such arc on that level */
        {4, 3, 1},      /* a level too deep */
        {5, FAR, NONE}, /* an arc leads to it */
        {5, FAR, 4},    {5, 3, NONE}, {6, 1, 0}, {6, 4, 5}, {0, 0, 1}, {1, 0, 1}, {5, 3, 99},
    };
    for (size_t i = 0; i < LENGTH(lies); i++) {
        uint32_t l = level[lies[i].v], p = parent[lies[i].v];
        level[lies[i].v] = lies[i].level;
        parent[lies[i].v] = lies[i].parent;
        if (verified(ctx, g, NULL, r)) HARNESS_FAIL("lie %zu passes", i);
        level[lies[i].v] = l;
        parent[lies[i].v] = p;
    }
    weft_bfs_params other = WEFT_BFS_DEFAULTS;
    other.source = 2;
    CHECK(!verified(ctx, g, &other, r));
    other.source = NONE;
    other.max_depth = 2;
    CHECK(!verified(ctx, g, &other, r));
    ((weft_scalar *)(uintptr_t)weft_result_scalar(r, "reached"))->value.u64++;
    CHECK(!verified(ctx, g, NULL, r));
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

static void *full_of_ones(void *user, size_t bytes) {
    void *block = malloc(bytes);
    (void)user;
    return block ? memset(block, 0xff, bytes) : NULL;
}

static void give_back(void *user, void *block, size_t bytes) {
    (void)user, (void)bytes;
    free(block);
}

/* A level that was not looked at has no vertices, whatever its memory held before. */
TEST(a_search_that_is_stopped_before_a_level_lists_nothing_of_it) {
    weft_ctx *ctx = new_ctx(1, NULL);
    REQUIRE(!weft_ctx_set_allocator(ctx, full_of_ones, give_back, NULL));
    weft_read_params undirected = reading("edgelist");
    undirected.direction = WEFT_UNDIRECTED;
    weft_graph *g = read_text(ctx, "1 1\n", &undirected);
    REQUIRE(g);
    for (int patience = 0; patience < 12; patience++) {
        _Atomic int left = patience;
        weft_result *r = NULL;
        weft_ctx_set_cancel(ctx, stop_after, (void *)&left);
        weft_status st = weft_bfs(ctx, g, NULL, &r);
        CHECK(st == WEFT_OK || st == WEFT_ECANCELLED);
        weft_result_free(r);
    }
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST_MAIN()
