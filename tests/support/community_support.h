/* What the tests of leiden and louvain share: small graphs with answers that can be seen by eye, larger ones whose labels are
 * recorded, and results that the verifier must refuse.  Both have the same parameters and results; `algorithm` says which. */
#ifndef WEFT_TESTS_COMMUNITY_SUPPORT_H
#define WEFT_TESTS_COMMUNITY_SUPPORT_H

#include "support.h"

#include "weft/check.h"
#include "weft/leiden.h"
#include "weft/louvain.h"

typedef struct on {
    const char *algorithm;
    weft_ctx *ctx;
    const weft_graph *g;
    weft_leiden_params params;
} on;

static inline weft_status run_it(const on *o, weft_result **r) {
    return !strcmp(o->algorithm, "leiden") ? weft_leiden(o->ctx, o->g, &o->params, r)
                                           : weft_louvain(o->ctx, o->g, &o->params, r);
}

static inline bool is_verified(const on *o, const weft_result *r, weft_check_report *report) {
    *report = (weft_check_report)WEFT_CHECK_REPORT_DEFAULTS;
    return weft_check(o->ctx, o->algorithm, o->g, &o->params, r, report) == WEFT_OK && report->passed;
}

/* A result that the verifier accepts, or NULL. */
static inline weft_result *verified_run(const on *o, const char *what) {
    weft_result *r = NULL;
    weft_check_report report;
    if (run_it(o, &r)) HARNESS_FAIL("%s of %s: %s", o->algorithm, what, weft_ctx_message(o->ctx));
    if (r && !is_verified(o, r, &report)) HARNESS_FAIL("%s of %s: %s", o->algorithm, what, report.message);
    return r;
}

static inline double scalar_of(const weft_result *r, const char *name) {
    const weft_scalar *s = weft_result_scalar(r, name);
    return !s ? (double)NAN : s->type == WEFT_F64 ? s->value.f64 : (double)s->value.u64;
}

/* --- graphs ------------------------------------------------------------------ */

typedef enum manner { PLAIN = 0, DIRECTED = 1, WEIGHTS = 2, CPM = 4 } manner;

/* "0 1 2.5": edges in lines; all of them are kept, repeated ones too. */
static inline weft_graph *graph_of_lines(weft_ctx *ctx, const char *lines, manner how) {
    weft_read_params p = reading("edgelist");
    p.direction = how & DIRECTED ? WEFT_DIRECTED : WEFT_UNDIRECTED;
    p.duplicates = WEFT_DUPLICATES_KEEP;
    p.weight_type = how & WEIGHTS ? WEFT_WEIGHT_F64 : WEFT_WEIGHT_NONE;
    weft_graph *g = read_text(ctx, lines, &p);
    if (!g) HARNESS_FAIL("%s: %s", lines, weft_ctx_message(ctx));
    return g;
}

typedef struct edges {
    weft_vid n, *u, *v;
    uint64_t m, room;
} edges;

static inline void add_edge(edges *e, weft_vid u, weft_vid v) {
    if (e->m == e->room) {
        e->room = 2 * e->room + 64;
        e->u = realloc(e->u, e->room * sizeof *e->u);
        e->v = realloc(e->v, e->room * sizeof *e->v);
        if (!e->u || !e->v) exit(1);
    }
    e->u[e->m] = u;
    e->v[e->m++] = v;
    e->n = (u > v ? u : v) >= e->n ? (u > v ? u : v) + 1 : e->n;
}

/* The graph, with a weight from 0 to 6 for each edge if asked for; the list is freed. */
static inline weft_graph *graph_of_edges(weft_ctx *ctx, edges *e, manner how) {
    weft_build_params b = WEFT_BUILD_DEFAULTS;
    weft_graph *g = NULL;
    float *w = malloc((e->m + 1) * sizeof *w);
    if (!w) exit(1);
    for (uint64_t i = 0; i < e->m; i++) w[i] = (float)(random_at(3, i) % 49) / 8;
    b.direction = how & DIRECTED ? WEFT_DIRECTED : WEFT_UNDIRECTED;
    if (weft_graph_from_edges(ctx, e->n, e->m, e->u, e->v, how & WEIGHTS ? w : NULL,
                              how & WEIGHTS ? WEFT_WEIGHT_F32 : WEFT_WEIGHT_NONE, &b, &g))
        HARNESS_FAIL("no graph: %s", weft_ctx_message(ctx));
    free(w);
    free(e->u);
    free(e->v);
    return g;
}

/* `count` cliques of `size` vertices; each is joined to the next by `bonds` edges between different members. */
static inline edges cliques(weft_vid count, weft_vid size, weft_vid bonds, bool ring) {
    edges e = {0};
    for (weft_vid c = 0; c < count; c++) {
        for (weft_vid i = 0; i < size; i++)
            for (weft_vid k = i + 1; k < size; k++) add_edge(&e, c * size + i, c * size + k);
        for (weft_vid b = 0; b < bonds && (ring || c + 1 < count); b++)
            add_edge(&e, c * size + b, (c + 1) % count * size + b);
    }
    return e;
}

/* --- answers that can be seen by eye -------------------------------------------- */

static const struct {
    const char *name, *lines;
    manner how;
    double resolution;
    const char *labels;
    double quality;
} by_eye[] = {
    {"one edge", "0 1\n", PLAIN, 1, "0 0", 0},
    {"two parts", "0 1\n2 3\n", PLAIN, 1, "0 0 2 2", 0.5},
    {"a star", "9 1\n9 2\n9 3\n9 4\n9 5\n", PLAIN, 1, "1 1 1 1 1 1", 0},
    {"two triangles with a bridge", "0 1\n1 2\n2 0\n3 4\n4 5\n5 3\n2 3\n", PLAIN, 1, "0 0 0 3 3 3", 12 / 14.0 - 0.5},
    {"a loop", "7 7\n", PLAIN, 1, "7", 0},
    {"a loop, directed", "7 7\n", DIRECTED, 1, "7", 0},
    {"loops count twice", "0 1\n0 0\n1 1\n", PLAIN, 1, "0 1", 4 / 6.0 - 0.5},
    {"parallel edges", "0 1\n0 1\n0 1\n1 2\n2 3\n2 3\n2 3\n", PLAIN, 1, "0 0 2 2", 12 / 14.0 - 0.5},
    {"two directions", "0 1\n1 0\n2 3\n3 2\n1 2\n", DIRECTED, 1, "0 0 2 2", 0.8 - 12 / 25.0},
    {"weights", "0 1 9\n1 2 1\n2 3 9\n", WEIGHTS, 1, "0 0 2 2", 36 / 38.0 - 0.5},
    {"weights, directed", "0 1 9\n1 2 1\n2 3 9\n", WEIGHTS | DIRECTED, 1, "0 0 2 2",
     18 / 19.0 - (10 * 9 + 9 * 10) / 361.0},
    {"great weights", "0 1 9e30\n1 2 1e30\n2 3 9e30\n", WEIGHTS, 1, "0 0 2 2", 36 / 38.0 - 0.5},
    {"small weights", "0 1 9e-30\n1 2 1e-30\n2 3 9e-30\n", WEIGHTS, 1, "0 0 2 2", 36 / 38.0 - 0.5},
    {"a fine resolution", "0 1\n1 2\n2 0\n3 4\n4 5\n5 3\n2 3\n", PLAIN, 9, "0 1 2 3 4 5", -9 * (4 * 4 + 2 * 9) / 196.0},
    {"cpm", "0 1\n1 2\n2 0\n3 4\n4 5\n5 3\n2 3\n", CPM, 0.5, "0 0 0 3 3 3", 6 - 0.5 * (3 + 3)},
    {"cpm, above the density", "0 1\n1 2\n2 0\n", CPM, 1.5, "0 1 2", 0},
    {"cpm, directed", "0 1\n1 0\n2 3\n3 2\n1 2\n", CPM | DIRECTED, 0.5, "0 0 2 2", 4 - 0.5 * (2 + 2)},
    {"cpm, great weights", "0 1 9e30\n1 2 1e30\n2 3 9e30\n", CPM | WEIGHTS, 2e9, "0 0 0 0", 19e30},
    {"weights of 0", "0 1 0\n1 2 0\n", WEIGHTS, 1, "0 1 2", 0},
};

static inline void check_by_eye(const char *algorithm) {
    for (size_t i = 0; i < LENGTH(by_eye); i++) {
        on o = {algorithm, new_ctx(2, NULL), NULL, WEFT_LEIDEN_DEFAULTS};
        weft_graph *g = graph_of_lines(o.ctx, by_eye[i].lines, by_eye[i].how);
        char text[256] = "";
        o.g = g;
        o.params.resolution = fmin(by_eye[i].resolution, 1e9);
        o.params.weights = (by_eye[i].how & WEIGHTS) != 0;
        o.params.objective = by_eye[i].how & CPM ? WEFT_OBJECTIVE_CPM : WEFT_OBJECTIVE_MODULARITY;
        weft_result *r = verified_run(&o, by_eye[i].name);
        for (weft_vid v = 0; r && v < weft_graph_vertices(g); v++) {
            char id[64];
            weft_graph_id_text(g, weft_result_u32(r, "community")[v], id, sizeof id);
            append(text, sizeof text, "%s%s", v ? " " : "", id);
        }
        if (strcmp(text, by_eye[i].labels)) HARNESS_FAIL("%s: %s, not %s", by_eye[i].name, text, by_eye[i].labels);
        if (r) CHECK_NEAR(scalar_of(r, "quality"), by_eye[i].quality, 1e-12 * fmax(1, fabs(by_eye[i].quality)));
        weft_result_free(r);
        weft_graph_free(g);
        CHECK_U64(weft_ctx_memory_in_use(o.ctx), 0);
        weft_ctx_free(o.ctx);
    }
}

/* Vertices without arcs, from none on: each alone, and a quality of 0. */
static inline void check_without_arcs(const char *algorithm) {
    for (weft_vid n = 0; n < 4; n++)
        for (int kind = 0; kind < 8; kind++) {
            edges none = {.n = n};
            on o = {algorithm, new_ctx(2, NULL), NULL, WEFT_LEIDEN_DEFAULTS};
            weft_graph *g = graph_of_edges(o.ctx, &none, (manner)(kind & DIRECTED));
            o.g = g;
            o.params.levels = kind >> 1 & 1;
            o.params.iterations = kind >> 2 & 1;
            weft_result *r = verified_run(&o, "vertices without arcs");
            REQUIRE(r);
            for (weft_vid v = 0; v < n; v++) CHECK_U64(weft_result_u32(r, "community")[v], v);
            CHECK_NEAR(scalar_of(r, "count"), n, 0);
            CHECK_NEAR(scalar_of(r, "modularity"), 0, 0);
            weft_result_free(r);
            weft_graph_free(g);
            weft_ctx_free(o.ctx);
        }
}

static inline double count_in(const char *algorithm, edges e, double resolution, weft_objective objective) {
    on o = {algorithm, new_ctx(2, NULL), NULL, WEFT_LEIDEN_DEFAULTS};
    weft_graph *g = graph_of_edges(o.ctx, &e, PLAIN);
    o.g = g;
    o.params.resolution = resolution;
    o.params.objective = objective;
    weft_result *r = verified_run(&o, "cliques");
    double count = r ? scalar_of(r, "count") : -1;
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(o.ctx);
    return count;
}

/* The resolution limit: in a ring of many cliques modularity is better when neighbouring ones are one community.  It is not with a
 * higher resolution, or by the constant Potts model. */
static inline void check_cliques(const char *algorithm) {
    CHECK_NEAR(count_in(algorithm, cliques(1, 40, 0, false), 1, WEFT_OBJECTIVE_MODULARITY), 1, 0);
    CHECK_NEAR(count_in(algorithm, cliques(8, 6, 0, false), 1, WEFT_OBJECTIVE_MODULARITY), 8, 0);
    CHECK_NEAR(count_in(algorithm, cliques(2, 6, 1, false), 1, WEFT_OBJECTIVE_MODULARITY), 2, 0);
    CHECK(count_in(algorithm, cliques(30, 5, 1, true), 1, WEFT_OBJECTIVE_MODULARITY) <= 20);
    CHECK_NEAR(count_in(algorithm, cliques(30, 5, 1, true), 4, WEFT_OBJECTIVE_MODULARITY), 30, 0);
    CHECK_NEAR(count_in(algorithm, cliques(30, 5, 1, true), 0.5, WEFT_OBJECTIVE_CPM), 30, 0);
}

/* --- what is refused, and what is said -------------------------------------------- */

static inline void check_refusals(const char *algorithm) {
    static const char lines[] = "10 11 1\n11 12 -2\n12 10 3\n";
    static const weft_vid beyond[] = {0, 3, 1};
    warnings w;
    on o = {algorithm, new_ctx(2, &w), NULL, WEFT_LEIDEN_DEFAULTS};
    weft_graph *g = graph_of_lines(o.ctx, lines, WEIGHTS);
    weft_result *r = NULL;
    o.g = g;
    o.params.weights = 1;
    CHECK(run_it(&o, &r) == WEFT_EINPUT && !r);
    CHECK_HAS(weft_ctx_message(o.ctx), "-2");
    CHECK_HAS(weft_ctx_message(o.ctx), "11");
    CHECK_HAS(weft_ctx_message(o.ctx), "12");
    o.params.weights = 0;
    static const double resolutions[] = {0, -1, (double)NAN};
    for (size_t i = 0; i < LENGTH(resolutions); i++) {
        o.params.resolution = resolutions[i];
        CHECK(run_it(&o, &r) == WEFT_EINVAL && !r);
        CHECK_HAS(weft_ctx_message(o.ctx), "resolution");
    }
    o.params.resolution = 1;
    o.params.initial = beyond;
    CHECK(run_it(&o, &r) == WEFT_EINVAL && !r);
    CHECK_HAS(weft_ctx_message(o.ctx), "initial");
    o.params.initial = NULL;
    o.params.objective = 2;
    CHECK(run_it(&o, &r) == WEFT_EINVAL && !r);
    weft_graph_free(g);
    o.g = g = graph_of_lines(o.ctx, "0 1\n1 2\n", 0);
    o.params = (weft_leiden_params)WEFT_LEIDEN_DEFAULTS;
    o.params.weights = 1;
    CHECK(run_it(&o, &r) == WEFT_EINVAL && !r);
    CHECK_HAS(weft_ctx_message(o.ctx), "weights are asked for, but the graph has none");
    weft_graph_free(g);
    weft_ctx_free(o.ctx);
}

/* What is too small beside the rest counts as nothing, and is said. */
static inline void check_vanishing(const char *algorithm) {
    warnings w;
    on o = {algorithm, new_ctx(2, &w), NULL, WEFT_LEIDEN_DEFAULTS};
    weft_graph *g = graph_of_lines(o.ctx, "0 1 1e30\n2 3 1e30\n1 2 1e-30\n3 4 1e-30\n", WEIGHTS);
    o.g = g;
    o.params.weights = 1;
    weft_result *r = verified_run(&o, "weights that vanish");
    REQUIRE(r);
    static const weft_vid want[] = {0, 0, 2, 2, 4};
    for (weft_vid v = 0; v < LENGTH(want); v++) CHECK_U64(weft_result_u32(r, "community")[v], want[v]);
    CHECK_HAS(w.text, "2 weights are so small");
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(o.ctx);
}

/* --- the same everywhere --------------------------------------------------------- */

static inline uint64_t print_of(const weft_result *r) {
    const weft_column *c = weft_result_column(r, "community");
    uint64_t print = 0xcbf29ce484222325u;
    for (size_t v = 0; v < c->length; v++) print = (print ^ ((const weft_vid *)c->data)[v]) * 0x100000001b3u;
    return print;
}

typedef enum sample { KARATE, RMAT, GRID, BLOCKS, STAR, RING, LOOPS, PLAIN_PAIRS } sample;

static inline weft_graph *recorded_graph(weft_ctx *ctx, sample kind, manner how) {
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_build_params b = WEFT_BUILD_DEFAULTS;
    weft_graph *g = NULL;
    edges e = {0};
    dice d = {5, 0};
    b.direction = how & DIRECTED ? WEFT_DIRECTED : WEFT_UNDIRECTED;
    p.max_weight = how & WEIGHTS ? 63 : 0;
    p.scale = 12, p.degree = 8;
    switch (kind) {
    case KARATE: return weft_generate(ctx, "karate", &p, &b, &g) ? NULL : g;
    case RMAT: return weft_generate(ctx, "rmat", &p, &b, &g) ? NULL : g;
    case GRID: p.rows = p.columns = 60; return weft_generate(ctx, "grid", &p, &b, &g) ? NULL : g;
    case BLOCKS: /* of 25, dense, and an edge in six leads elsewhere; some vertices have none */
        for (int i = 0; i < 20000; i++) {
            weft_vid u = (weft_vid)roll(&d, 5000), near = u / 25 * 25 + (weft_vid)roll(&d, 25);
            add_edge(&e, u, roll(&d, 6) ? near : (weft_vid)roll(&d, 5100));
        }
        break;
    case STAR: /* one row that no thread's table holds */
        for (weft_vid v = 1; v <= 200000; v++) add_edge(&e, 0, v);
        break;
    case RING: e = cliques(40, 7, 2, true); break;
    case LOOPS:
        for (weft_vid v = 0; v < 300; v++) add_edge(&e, v, v), add_edge(&e, v, (weft_vid)roll(&d, 300));
        break;
    case PLAIN_PAIRS:
        for (weft_vid v = 0; v < 6000; v += 2) add_edge(&e, v, v + 1);
        break;
    }
    return graph_of_edges(ctx, &e, how);
}

typedef struct record {
    sample kind;
    manner how;
    double resolution;
    uint64_t iterations, seed, print;
} record;

/* Labels as they were recorded, on any number of threads; under sanitizers on one, and on another number in turn. */
static inline void check_recorded(const char *algorithm, const record *records, size_t count) {
    static const int threads[] = {1, 2, 3, 7};
    for (size_t i = 0; i < count; i++) {
        const record *x = &records[i];
        weft_ctx *maker = new_ctx(2, NULL);
        weft_graph *g = recorded_graph(maker, x->kind, x->how);
        REQUIRE(g);
        for (size_t t = 0; t < LENGTH(threads); t++) {
            if (under_a_microscope() && t && t != 1 + i % 3) continue;
            on o = {algorithm, new_ctx(threads[t], NULL), g, WEFT_LEIDEN_DEFAULTS};
            weft_result *r = NULL;
            o.params.resolution = x->resolution;
            o.params.iterations = x->iterations;
            o.params.seed = x->seed;
            o.params.weights = (x->how & WEIGHTS) != 0;
            o.params.objective = x->how & CPM ? WEFT_OBJECTIVE_CPM : WEFT_OBJECTIVE_MODULARITY;
            if (t == 0)
                r = verified_run(&o, "a recorded graph");
            else
                CHECK(run_it(&o, &r) == WEFT_OK);
            REQUIRE(r);
            if (print_of(r) != x->print)
                HARNESS_FAIL("%s, record %zu, %d threads: 0x%016" PRIx64, algorithm, i, threads[t], print_of(r));
            weft_result_free(r);
            weft_ctx_free(o.ctx);
        }
        weft_graph_free(g);
        weft_ctx_free(maker);
    }
}

/* --- levels and labels to begin with ------------------------------------------------ */

/* One iteration has the levels of a whole search.  That they nest is up to the verifier. */
static inline void check_levels(const char *algorithm) {
    on o = {algorithm, new_ctx(2, NULL), NULL, WEFT_LEIDEN_DEFAULTS};
    weft_graph *g = recorded_graph(o.ctx, GRID, PLAIN);
    o.g = g;
    o.params.levels = 1;
    o.params.iterations = 1;
    weft_result *r = verified_run(&o, "a grid, levels");
    REQUIRE(r);
    size_t levels = weft_result_column_count(r) - 1, before = SIZE_MAX;
    CHECK(levels >= 3);
    for (size_t i = 1; i <= levels; i++) {
        char name[32];
        size_t groups = 0;
        snprintf(name, sizeof name, "level_%zu", i);
        const weft_vid *level = weft_result_u32(r, name);
        REQUIRE(level);
        for (weft_vid v = 0; v < weft_graph_vertices(g); v++) groups += level[v] == v;
        CHECK(groups < before);
        before = groups;
    }
    CHECK_NEAR(scalar_of(r, "count"), (double)before, 0);
    weft_result *without = NULL;
    o.params.levels = 0;
    CHECK(run_it(&o, &without) == WEFT_OK);
    REQUIRE(without);
    CHECK_U64(weft_result_column_count(without), 1);
    CHECK_U64(print_of(without), print_of(r));
    weft_result_free(without);
    /* A finer level that is not within the next. */
    weft_vid *finer = (weft_vid *)(uintptr_t)weft_result_u32(r, "level_1"), kept = finer[3599];
    weft_check_report report;
    finer[3599] = 0;
    o.params.levels = 1;
    CHECK(!is_verified(&o, r, &report));
    finer[3599] = kept;
    CHECK(is_verified(&o, r, &report));
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(o.ctx);
}

/* What is good to begin with stays; odd labels do no harm. */
static inline void check_initial(const char *algorithm) {
    enum { CLIQUES = 30, SIZE = 5, N = CLIQUES * SIZE };
    weft_vid given[N];
    edges e = cliques(CLIQUES, SIZE, 1, true);
    on o = {algorithm, new_ctx(2, NULL), NULL, WEFT_LEIDEN_DEFAULTS};
    weft_graph *g = graph_of_edges(o.ctx, &e, PLAIN);
    o.g = g;
    o.params.initial = given;
    for (int kind = 0; kind < 4; kind++) {
        for (weft_vid v = 0; v < N; v++)
            given[v] = kind == 0   ? N - 1 - v / SIZE
                       : kind == 1 ? 0
                       : kind == 2 ? N - 1
                                   : (weft_vid)(random_at(1, v) % N);
        o.params.objective = WEFT_OBJECTIVE_CPM;
        o.params.resolution = 0.5;
        weft_result *r = verified_run(&o, "cliques, given labels");
        REQUIRE(r);
        if (kind == 0) CHECK_NEAR(scalar_of(r, "count"), CLIQUES, 0);
        weft_result_free(r);
        o.params.objective = WEFT_OBJECTIVE_MODULARITY;
        o.params.resolution = 1;
        o.params.iterations = (uint64_t)kind;
        weft_result_free(verified_run(&o, "cliques, given labels, modularity"));
    }
    weft_graph_free(g);
    weft_ctx_free(o.ctx);
}

/* --- what the verifier refuses ------------------------------------------------------- */

static inline void set_scalar(weft_result *r, const char *name, double value) {
    weft_scalar *s = (weft_scalar *)(uintptr_t)weft_result_scalar(r, name);
    if (s->type == WEFT_F64)
        s->value.f64 = value;
    else
        s->value.u64 = (uint64_t)value;
}

/* Another partition in the place of the result's, with the scalars that it would have. */
static inline void put_partition(weft_result *r, const char *labels, double quality, double count, double largest) {
    weft_vid *label = (weft_vid *)(uintptr_t)weft_result_u32(r, "community");
    int used = 0;
    for (; sscanf(labels, " %u%n", label, &used) == 1; labels += used) label++;
    set_scalar(r, "quality", quality);
    set_scalar(r, "modularity", quality);
    set_scalar(r, "count", count);
    set_scalar(r, "largest", largest);
}

static inline void check_tampering(const char *algorithm) {
    static const char *const scalars[] = {"modularity", "quality", "count", "largest"};
    on o = {algorithm, new_ctx(2, NULL), NULL, WEFT_LEIDEN_DEFAULTS};
    weft_graph *g = recorded_graph(o.ctx, KARATE, PLAIN);
    weft_check_report report;
    o.g = g;
    weft_result *r = verified_run(&o, "karate");
    REQUIRE(r);
    for (size_t i = 0; i < LENGTH(scalars); i++) {
        double right = scalar_of(r, scalars[i]);
        set_scalar(r, scalars[i], right + (i < 2 ? 1e-11 : 1));
        CHECK(!is_verified(&o, r, &report));
        set_scalar(r, scalars[i], right);
    }
    weft_vid *label = (weft_vid *)(uintptr_t)weft_result_u32(r, "community"), right = label[33];
    static const weft_vid others[] = {0, 33, 34, WEFT_NO_VERTEX};
    for (size_t i = 0; i < LENGTH(others); i++) {
        label[33] = others[i];
        CHECK(!is_verified(&o, r, &report));
    }
    label[33] = right;
    CHECK(is_verified(&o, r, &report));
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(o.ctx);
}

/* Right in every figure, and not good: each vertex alone; two cliques that are better together. */
static inline void check_poor_partitions(const char *algorithm) {
    on o = {algorithm, new_ctx(2, NULL), NULL, WEFT_LEIDEN_DEFAULTS};
    weft_graph *g = graph_of_lines(o.ctx, "0 1\n2 3\n4 5\n", PLAIN);
    weft_check_report report;
    o.g = g;
    weft_result *r = verified_run(&o, "three edges");
    REQUIRE(r);
    put_partition(r, "0 1 2 3 4 5", -6 / 36.0, 6, 1);
    CHECK(!is_verified(&o, r, &report));
    CHECK_HAS(report.message, "single vertices");
    weft_result_free(r);
    weft_graph_free(g);
    edges e = cliques(2, 6, 6, false);
    g = graph_of_edges(o.ctx, &e, PLAIN);
    o.g = g;
    o.params.objective = WEFT_OBJECTIVE_CPM;
    o.params.resolution = 0.05;
    r = verified_run(&o, "two cliques");
    REQUIRE(r);
    CHECK_NEAR(scalar_of(r, "count"), 1, 0);
    put_partition(r, "0 0 0 0 0 0 6 6 6 6 6 6", 30 - 0.05 * 30, 2, 6);
    set_scalar(r, "modularity", 60 / 72.0 - 0.5);
    CHECK(!is_verified(&o, r, &report));
    CHECK_HAS(report.message, "merged");
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(o.ctx);
}

/* Two edges as one community: what the verifier says of it. */
static inline bool accepts_parted(const char *algorithm, weft_check_report *report) {
    on o = {algorithm, new_ctx(2, NULL), NULL, WEFT_LEIDEN_DEFAULTS};
    weft_graph *g = graph_of_lines(o.ctx, "0 1\n2 3\n", PLAIN);
    o.g = g;
    weft_result *r = verified_run(&o, "two edges");
    if (!r) exit(1);
    put_partition(r, "0 0 0 0", 0, 1, 4);
    bool accepted = is_verified(&o, r, report);
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(o.ctx);
    return accepted;
}

static inline void check_stopping(const char *algorithm) {
    on o = {algorithm, new_ctx(3, NULL), NULL, WEFT_LEIDEN_DEFAULTS};
    weft_graph *g = recorded_graph(o.ctx, RMAT, DIRECTED);
    weft_csr in = {.size = sizeof in};
    REQUIRE(g && weft_graph_in(o.ctx, g, &in) == WEFT_OK);
    uint64_t before = weft_ctx_memory_in_use(o.ctx);
    o.g = g;
    o.params.levels = 1;
    for (int allowed = 0; allowed < 200; allowed += 20) {
        _Atomic int left = allowed;
        weft_result *r = NULL;
        weft_ctx_set_cancel(o.ctx, stop_after, &left);
        CHECK(run_it(&o, &r) == WEFT_ECANCELLED && !r);
        CHECK_U64(weft_ctx_memory_in_use(o.ctx), before);
    }
    weft_ctx_set_cancel(o.ctx, NULL, NULL);
    weft_graph_free(g);
    weft_ctx_free(o.ctx);
}

#endif
