/* weft_path: shortest by brute force over random graphs, directed or not, with and without weights and incoming rows;
 * several paths against all paths there are; vertices to avoid; what is refused; memory that is not there. */
#include "support.h"
#include "weft/path.h"

typedef struct sample {
    weft_vid n;
    uint64_t m;
    weft_vid from[64], to[64];
    uint32_t weight[64];
} sample;

static sample draw(uint64_t seed) {
    sample s = {.n = (weft_vid)(2 + random_at(seed, 0) % 8)};
    s.m = random_at(seed, 1) % (2 * s.n + 1);
    for (uint64_t i = 0; i < s.m; i++) {
        s.from[i] = (weft_vid)(random_at(seed, 3 * i + 2) % s.n);
        s.to[i] = (weft_vid)(random_at(seed, 3 * i + 3) % s.n);
        s.weight[i] = (uint32_t)(random_at(seed, 3 * i + 4) % 5);
    }
    return s;
}

static weft_graph *graph_of(weft_ctx *ctx, const sample *s, weft_weight_type type, weft_direction direction) {
    weft_build_params p = WEFT_BUILD_DEFAULTS;
    weft_graph *g = NULL;
    double real[64];
    for (uint64_t i = 0; i < s->m; i++) real[i] = s->weight[i] / 4.0;
    const void *weights = type == WEFT_WEIGHT_NONE ? NULL : type == WEFT_WEIGHT_F64 ? (const void *)real : s->weight;
    p.direction = direction;
    p.duplicates = s->n % 2 ? WEFT_DUPLICATES_KEEP : WEFT_DUPLICATES_DROP;
    weft_status st = weft_graph_from_edges(ctx, s->n, s->m, s->from, s->to, weights, type, &p, &g);
    return st ? NULL : g;
}

/* --- all paths there are, by depth-first search ---------------------------------- */

enum { MOST_WAYS = 1 << 14 };
typedef struct ways {
    const weft_graph *g;
    weft_csr rows;
    weft_vid to, at[16];
    bool weights, used[16];
    size_t depth, count;
    double length[MOST_WAYS];
} ways;

static double step(const ways *w, weft_eid e) { return w->weights ? weight_at(w->g, &w->rows, e) : 1; }

static void walk(ways *w, weft_vid u, double length) {
    if (u == w->to) {
        if (w->count < MOST_WAYS) w->length[w->count++] = length;
        return;
    }
    w->used[u] = true;
    for (weft_eid e = w->rows.offsets[u], end = w->rows.offsets[u + 1]; e < end;) {
        weft_vid v = w->rows.targets[e];
        double least = step(w, e); /* parallel arcs make no other path */
        for (; e < end && w->rows.targets[e] == v; e++) least = fmin(least, step(w, e));
        if (!w->used[v]) walk(w, v, length + least);
    }
    w->used[u] = false;
}

static int by_length(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static ways all_ways(const weft_graph *g, weft_vid from, weft_vid to, bool weights, const weft_path_params *p) {
    ways w = {.g = g, .rows = out_rows(g), .to = to, .weights = weights};
    for (size_t i = 0; i < p->avoid_count; i++) w.used[p->avoid[i]] = true;
    walk(&w, from, 0);
    qsort(w.length, w.count, sizeof *w.length, by_length);
    return w;
}

/* Is row `at` ... `end` of the table a path of the graph, from end to end, without a vertex twice, of this length? */
static bool is_path(const ways *w, weft_vid from, const weft_vid *vertex, const double *distance, size_t at,
                    size_t end) {
    bool used[16] = {false};
    if (vertex[at] != from || vertex[end - 1] != w->to || distance[at] != 0) return false;
    for (size_t i = at; i < end; i++) {
        if (used[vertex[i]]) return false;
        used[vertex[i]] = true;
        double least = INFINITY;
        for (weft_eid e = i > at ? w->rows.offsets[vertex[i - 1]] : 0; i > at && e < w->rows.offsets[vertex[i - 1] + 1];
             e++)
            if (w->rows.targets[e] == vertex[i]) least = fmin(least, step(w, e));
        if (i > at && distance[i] != distance[i - 1] + least) return false;
    }
    return true;
}

static void compare(const ways *w, weft_vid from, uint64_t asked, const weft_result *r) {
    const weft_vid *vertex = weft_result_u32(r, "vertex");
    const uint32_t *path = weft_result_u32(r, "path");
    const double *distance = weft_result_f64(r, "distance");
    size_t rows = weft_result_column(r, "vertex")->length, found = 0;
    uint64_t want = w->count < asked ? w->count : asked;
    CHECK_U64(weft_result_scalar(r, "found")->value.u64, want);
    CHECK(weft_result_scalar(r, "length")->value.f64 == (want ? w->length[0] : (double)INFINITY));
    for (size_t at = 0, end; at < rows; at = end, found++) {
        for (end = at + 1; end < rows && path[end] == path[at]; end++) {}
        CHECK_U64(path[at], found);
        REQUIRE(found < want);
        CHECK(is_path(w, from, vertex, distance, at, end));
        CHECK(distance[end - 1] == w->length[found]);
        for (size_t other = 0, stop; other < at; other = stop) { /* none twice */
            for (stop = other + 1; path[stop] == path[other]; stop++) {}
            CHECK(stop - other != end - at || memcmp(vertex + other, vertex + at, (end - at) * sizeof *vertex) != 0);
        }
    }
    CHECK_U64(found, want);
}

static void try(weft_ctx *ctx, const weft_graph *g, weft_vid from, weft_vid to, const weft_path_params *p) {
    weft_result *r = NULL;
    ways w = all_ways(g, from, to, p->weights, p);
    REQUIRE(weft_path(ctx, g, from, to, p, &r) == WEFT_OK);
    compare(&w, from, p->count, r);
    weft_result_free(r);
}

TEST(paths_are_the_shortest_there_are) {
    weft_ctx *ctx = new_ctx(2, NULL);
    for (uint64_t seed = 0; seed < 400; seed++) {
        static const weft_weight_type types[] = {WEFT_WEIGHT_NONE, WEFT_WEIGHT_U32, WEFT_WEIGHT_F64};
        sample s = draw(seed);
        weft_weight_type type = types[seed % 3];
        weft_graph *g = graph_of(ctx, &s, type, seed % 2 ? WEFT_DIRECTED : WEFT_UNDIRECTED);
        REQUIRE(g);
        weft_csr in = {.size = sizeof in};
        if (seed % 4 < 2) CHECK(weft_graph_in(ctx, g, &in) == WEFT_OK);
        for (weft_vid to = 1; to < s.n; to++) {
            weft_path_params p = WEFT_PATH_DEFAULTS;
            weft_vid avoid[2] = {(weft_vid)(random_at(seed, 900) % s.n), (weft_vid)(random_at(seed, 901) % s.n)};
            p.weights = type != WEFT_WEIGHT_NONE && seed % 5;
            try(ctx, g, 0, to, &p);
            p.count = 1 + random_at(seed, 902 + to) % 9;
            try(ctx, g, 0, to, &p);
            p.avoid = avoid;
            p.avoid_count = avoid[0] && avoid[1] && avoid[0] != to && avoid[1] != to ? 2 : 0;
            try(ctx, g, 0, to, &p);
        }
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
}

TEST(far_ends_of_a_grid_are_found_from_both_sides) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_graph *g = NULL;
    weft_result *r = NULL;
    p.rows = p.columns = 300;
    REQUIRE(weft_generate(ctx, "grid", &p, NULL, &g) == WEFT_OK);
    REQUIRE(weft_path(ctx, g, 0, weft_graph_vertices(g) - 1, NULL, &r) == WEFT_OK);
    CHECK_U64(weft_result_scalar(r, "hops")->value.u64, 598);
    weft_result_free(r);
    REQUIRE(weft_path(ctx, g, 7, 7, NULL, &r) == WEFT_OK);
    CHECK_U64(weft_result_scalar(r, "hops")->value.u64, 0);
    CHECK_U64(weft_result_column(r, "vertex")->length, 1);
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(what_cannot_be_is_refused) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = read_text(ctx, "0 1 2\n1 2 -1.5\n", NULL);
    weft_result *r;
    weft_path_params p = WEFT_PATH_DEFAULTS;
    weft_vid avoid[] = {2, 9};
    REQUIRE(g);
    CHECK(weft_path(ctx, g, 0, 3, NULL, &r) == WEFT_EINVAL && !r);
    CHECK(strstr(weft_ctx_message(ctx), "no vertex 3"));
    p.weights = 1;
    CHECK(weft_path(ctx, g, 0, 2, &p, &r) == WEFT_EINPUT && !r);
    CHECK(strstr(weft_ctx_message(ctx), "-1.5"));
    CHECK(weft_path(ctx, g, 0, 1, &p, &r) == WEFT_EINPUT && !r); /* also if no search meets it */
    p = (weft_path_params)WEFT_PATH_DEFAULTS;
    p.count = 0;
    CHECK(weft_path(ctx, g, 0, 2, &p, &r) == WEFT_EINVAL && !r);
    p.count = 1;
    p.avoid = avoid;
    p.avoid_count = 1;
    CHECK(weft_path(ctx, g, 0, 2, &p, &r) == WEFT_EINVAL && !r);
    CHECK(strstr(weft_ctx_message(ctx), "an end of the path"));
    p.avoid_count = 2;
    CHECK(weft_path(ctx, g, 0, 1, &p, &r) == WEFT_EINVAL && !r);
    weft_graph_free(g);
    g = read_text(ctx, "0 1\n", NULL);
    p = (weft_path_params)WEFT_PATH_DEFAULTS;
    p.weights = 1;
    CHECK(weft_path(ctx, g, 0, 1, &p, &r) == WEFT_EINVAL && !r);
    CHECK(strstr(weft_ctx_message(ctx), "has none"));
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(memory_that_is_not_there_is_said) {
    weft_ctx *ctx = new_ctx(1, NULL);
    counting heap = {.allowed = COUNT_ONLY};
    weft_ctx_set_allocator(ctx, counting_alloc, counting_free, &heap);
    weft_graph *g = read_text(ctx, "0 1 1\n1 2 1\n0 3 1\n3 2 2\n1 3 1\n", NULL);
    weft_path_params p = WEFT_PATH_DEFAULTS;
    uint64_t failed = 0;
    REQUIRE(g);
    p.weights = 1;
    p.count = 5;
    for (weft_status st = WEFT_ENOMEM; st == WEFT_ENOMEM; failed++) {
        weft_result *r;
        uint64_t blocks = heap.live_blocks;
        heap.allowed = atomic_load(&heap.calls) + failed;
        st = weft_path(ctx, g, 0, 2, &p, &r);
        heap.allowed = COUNT_ONLY;
        CHECK(st == WEFT_ENOMEM ? !r && heap.live_blocks == blocks : st == WEFT_OK);
        weft_result_free(r);
    }
    CHECK(failed > 10);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST_MAIN()
