/* Graph building against a slow reference on random multigraphs: every combination of rules and weight types, and the
 * same graph from any number of threads.
 *
 * The reference keeps a list of (source, target, weight) triples, mirrors it when undirected, sorts it and merges
 * neighbours: nothing is shared with the library but the definition. */
#include "support.h"

typedef struct triple {
    weft_vid u, v;
    double w;
} triple;

typedef struct expected {
    triple *arc; /* sorted by source, target, weight */
    size_t arcs;
    uint64_t edges, self_loops, loops_dropped, duplicates_dropped, isolated;
} expected;

static int by_place(const void *a, const void *b) {
    const triple *x = a, *y = b;
    if (x->u != y->u) return x->u < y->u ? -1 : 1;
    if (x->v != y->v) return x->v < y->v ? -1 : 1;
    return (x->w > y->w) - (x->w < y->w);
}

/* Edges after the rules, an undirected edge once with u <= v. */
static size_t apply_rules(triple *edge, size_t count, const weft_build_params *p, expected *want) {
    size_t kept = 0;
    bool undirected = p->direction == WEFT_UNDIRECTED;
    for (size_t i = 0; i < count; i++) {
        triple e = edge[i];
        if (e.u == e.v && p->loops == WEFT_LOOPS_DROP) {
            want->loops_dropped++;
            continue;
        }
        if (undirected && e.u > e.v) e = (triple){edge[i].v, edge[i].u, edge[i].w};
        edge[kept++] = e;
    }
    qsort(edge, kept, sizeof *edge, by_place);
    if (p->duplicates == WEFT_DUPLICATES_KEEP) return kept;
    size_t merged = 0;
    for (size_t i = 0; i < kept; i++) {
        if (merged && edge[merged - 1].u == edge[i].u && edge[merged - 1].v == edge[i].v) {
            if (p->duplicates == WEFT_DUPLICATES_SUM) edge[merged - 1].w += edge[i].w;
            want->duplicates_dropped++;
        } else {
            edge[merged++] = edge[i];
        }
    }
    return merged;
}

static expected reference(weft_vid n, const triple *edges, size_t count, const weft_build_params *p) {
    expected want = {0};
    triple *edge = malloc((2 * count + 1) * sizeof *edge);
    bool *touched = calloc((size_t)n + 1, 1);
    if (!edge || !touched) exit(1);
    if (count) memcpy(edge, edges, count * sizeof *edge);
    size_t kept = apply_rules(edge, count, p, &want);
    want.arcs = want.edges = kept;
    for (size_t i = 0; i < kept; i++) {
        want.self_loops += edge[i].u == edge[i].v;
        touched[edge[i].u] = touched[edge[i].v] = true;
        if (p->direction == WEFT_UNDIRECTED && edge[i].u != edge[i].v)
            edge[want.arcs++] = (triple){edge[i].v, edge[i].u, edge[i].w};
    }
    for (weft_vid v = 0; v < n; v++) want.isolated += !touched[v];
    qsort(edge, want.arcs, sizeof *edge, by_place);
    free(touched);
    want.arc = edge;
    return want;
}

/* The library's rows as triples in the reference's order: weights of parallel arcs may stand in any order. */
static triple *arcs_of(const weft_graph *g, const weft_csr *rows, bool transposed) {
    triple *arc = malloc((rows->arcs + 1) * sizeof *arc);
    if (!arc) exit(1);
    for (weft_vid v = 0; v < rows->vertices; v++)
        for (weft_eid e = rows->offsets[v]; e < rows->offsets[v + 1]; e++) {
            weft_vid t = rows->targets[e];
            arc[e] = (triple){transposed ? t : v, transposed ? v : t, weight_at(g, rows, e)};
        }
    qsort(arc, rows->arcs, sizeof *arc, by_place);
    return arc;
}

static bool same_arcs(const weft_graph *g, const weft_csr *rows, bool transposed, const expected *want) {
    if (rows->arcs != want->arcs) return false;
    triple *arc = arcs_of(g, rows, transposed);
    bool same = true;
    for (size_t i = 0; i < want->arcs && same; i++) same = by_place(&arc[i], &want->arc[i]) == 0;
    free(arc);
    return same;
}

static void check_against(weft_ctx *ctx, const weft_graph *g, const expected *want, size_t records, int seed) {
    weft_csr out = out_rows(g), in = {.size = sizeof in};
    weft_graph_info info = info_of(ctx, g);
    if (csr_fault(&out)) HARNESS_FAIL("seed %d: %s", seed, csr_fault(&out));
    if (!same_arcs(g, &out, false, want)) HARNESS_FAIL("seed %d: the out-rows differ from the reference", seed);
    CHECK_U64(weft_graph_in(ctx, g, &in), WEFT_OK);
    if (csr_fault(&in)) HARNESS_FAIL("seed %d: transposed: %s", seed, csr_fault(&in));
    if (!same_arcs(g, &in, true, want)) HARNESS_FAIL("seed %d: the in-rows differ from the reference", seed);
    CHECK_U64(info.records, records);
    CHECK_U64(info.edges, want->edges);
    CHECK_U64(info.arcs, want->arcs);
    CHECK_U64(info.self_loops, want->self_loops);
    CHECK_U64(info.self_loops_dropped, want->loops_dropped);
    CHECK_U64(info.duplicates_dropped, want->duplicates_dropped);
    CHECK_U64(info.isolated, want->isolated);
    CHECK_U64(info.edges + info.self_loops_dropped + info.duplicates_dropped, info.records);
}

/* Weights are multiples of 1/4 below 2^10, so that sums are exact in any order. */
static double random_weight(dice *d, weft_weight_type type) {
    if (type == WEFT_WEIGHT_U32) return (double)roll(d, 1000);
    return type == WEFT_WEIGHT_NONE ? 0 : ((double)roll(d, 4096) - 2048) / 4;
}

typedef struct list {
    weft_vid n;
    size_t count;
    weft_vid *u, *v;
    uint32_t *bits; /* weights as the library takes them ... */
    double *wide;   /* ... and as doubles */
    triple *edges;
} list;

static list random_list(dice *d, weft_vid n, size_t count, weft_weight_type type) {
    list l = {n,
              count,
              malloc((count + 1) * 4),
              malloc((count + 1) * 4),
              malloc((count + 1) * 4),
              malloc((count + 1) * 8),
              malloc((count + 1) * sizeof(triple))};
    if (!l.u || !l.v || !l.bits || !l.wide || !l.edges) exit(1);
    for (size_t i = 0; i < count; i++) {
        triple e = {(weft_vid)roll(d, n), (weft_vid)roll(d, n), random_weight(d, type)};
        if (roll(d, 4) == 0) e.u = (weft_vid)roll(d, 1 + n / 8); /* some hubs */
        float f = (float)e.w;
        l.wide[i] = e.w;
        l.u[i] = e.u;
        l.v[i] = e.v;
        if (type == WEFT_WEIGHT_F32)
            memcpy(&l.bits[i], &f, 4);
        else
            l.bits[i] = (uint32_t)e.w;
        l.edges[i] = e;
    }
    return l;
}

static void free_list(list *l) {
    free(l->u);
    free(l->v);
    free(l->bits);
    free(l->wide);
    free(l->edges);
}

static weft_graph *build_list(weft_ctx *ctx, const list *l, weft_weight_type type, const weft_build_params *p) {
    const void *weights = type == WEFT_WEIGHT_F64 ? (void *)l->wide : type ? l->bits : NULL;
    weft_graph *g = NULL;
    if (weft_graph_from_edges(ctx, l->n, l->count, l->u, l->v, weights, type, p, &g))
        HARNESS_FAIL("from_edges: %s", weft_ctx_message(ctx));
    return g;
}

static weft_build_params combination(int which) {
    weft_build_params p = WEFT_BUILD_DEFAULTS;
    p.direction = which % 2 ? WEFT_UNDIRECTED : WEFT_DIRECTED;
    p.duplicates = (weft_duplicates)(which / 2 % 3);
    p.loops = (weft_loops)(which / 6 % 2);
    return p;
}

TEST(small_random_graphs_equal_the_reference) {
    weft_ctx *ctx[] = {new_ctx(1, NULL), new_ctx(3, NULL)};
    for (int seed = 0; seed < 200; seed++) {
        dice d = {1000 + (uint64_t)seed, 0};
        weft_weight_type type = (weft_weight_type)(seed % 4);
        weft_vid n = (weft_vid)(1 + roll(&d, 1 + (uint64_t)seed));
        list l = random_list(&d, n, (size_t)roll(&d, 8 * (uint64_t)n), type);
        for (int which = 0; which < 12; which++) {
            weft_build_params p = combination(which);
            expected want = reference(n, l.edges, l.count, &p);
            weft_graph *g = build_list(ctx[which & 1], &l, type, &p);
            if (g) check_against(ctx[which & 1], g, &want, l.count, seed);
            weft_graph_free(g);
            free(want.arc);
        }
        free_list(&l);
        if (harness_failures) break; /* one seed's reports are enough */
    }
    for (int i = 0; i < 2; i++) {
        CHECK_U64(weft_ctx_memory_in_use(ctx[i]), 0);
        weft_ctx_free(ctx[i]);
    }
}

static void check_large_multigraph(weft_weight_type type) {
    weft_ctx *ctx = new_ctx(3, NULL);
    dice d = {5, 0};
    list l = random_list(&d, 20000, 300000, type);
    for (int which = 0; which < 6; which++) {
        weft_build_params p = combination(which);
        expected want = reference(l.n, l.edges, l.count, &p);
        weft_graph *g = build_list(ctx, &l, type, &p);
        if (g) check_against(ctx, g, &want, l.count, which);
        weft_graph_free(g);
        free(want.arc);
    }
    free_list(&l);
    weft_ctx_free(ctx);
}

TEST(a_large_multigraph_equals_the_reference) { check_large_multigraph(WEFT_WEIGHT_F32); }
TEST(a_large_multigraph_of_doubles_equals_the_reference) { check_large_multigraph(WEFT_WEIGHT_F64); }

static void check_threads(weft_weight_type type) {
    static const int threads[] = {1, 2, 3, 7};
    dice d = {77, 0};
    list l = random_list(&d, 5000, 100000, type);
    for (int which = 0; which < 12; which++) {
        weft_build_params p = combination(which);
        uint64_t first = 0;
        for (size_t t = 0; t < 4; t++) {
            weft_ctx *ctx = new_ctx(threads[t], NULL);
            weft_graph *g = build_list(ctx, &l, type, &p), *h = NULL;
            const weft_vid *order;
            REQUIRE(g && weft_graph_degree_order(ctx, g, &order) == WEFT_OK);
            REQUIRE(weft_graph_relabel(ctx, g, order, &h) == WEFT_OK);
            uint64_t print = fingerprint_of(ctx, g) * 31 + fingerprint_of(ctx, h);
            if (t == 0) first = print;
            if (print != first) HARNESS_FAIL("rules %d: %d threads make another graph than 1", which, threads[t]);
            weft_graph_free(g);
            weft_graph_free(h);
            weft_ctx_free(ctx);
        }
    }
    free_list(&l);
}

TEST(any_number_of_threads_makes_the_same_graph) { check_threads(WEFT_WEIGHT_F32); }
TEST(any_number_of_threads_makes_the_same_graph_of_doubles) { check_threads(WEFT_WEIGHT_F64); }

/* The order of the edges in the list must not show in the graph, except that parallel edges may be told apart. */
TEST(shuffled_edges_make_the_same_graph) {
    weft_ctx *ctx = new_ctx(2, NULL);
    dice d = {31, 0};
    list l = random_list(&d, 400, 6000, WEFT_WEIGHT_U32);
    uint64_t first[12];
    for (int round = 0; round < 3; round++) {
        for (int which = 0; which < 12; which++) {
            weft_build_params p = combination(which);
            if (p.duplicates == WEFT_DUPLICATES_KEEP) continue;
            weft_graph *g = build_list(ctx, &l, WEFT_WEIGHT_U32, &p);
            REQUIRE(g != NULL);
            if (round == 0) first[which] = fingerprint_of(ctx, g);
            CHECK_U64(fingerprint_of(ctx, g), first[which]);
            weft_graph_free(g);
        }
        for (size_t i = l.count - 1; i > 0; i--) {
            size_t j = (size_t)roll(&d, i + 1);
            weft_vid u = l.u[i], v = l.v[i];
            uint32_t w = l.bits[i];
            l.u[i] = l.u[j], l.v[i] = l.v[j], l.bits[i] = l.bits[j];
            l.u[j] = u, l.v[j] = v, l.bits[j] = w;
        }
    }
    free_list(&l);
    weft_ctx_free(ctx);
}

TEST(relabelled_graphs_are_the_same_graph_under_other_names) {
    weft_ctx *ctx = new_ctx(2, NULL);
    for (uint64_t seed = 0; seed < 20; seed++) {
        dice d = {900 + seed, 0};
        list l = random_list(&d, 50, 300, WEFT_WEIGHT_U32);
        weft_build_params p = combination((int)seed % 2);
        weft_graph *g = build_list(ctx, &l, WEFT_WEIGHT_U32, &p), *h = NULL, *back = NULL;
        weft_vid order[50], inverse[50];
        for (weft_vid i = 0; i < 50; i++) order[i] = i;
        for (weft_vid i = 49; i > 0; i--) {
            weft_vid j = (weft_vid)roll(&d, i + 1), x = order[i];
            order[i] = order[j], order[j] = x;
        }
        for (weft_vid i = 0; i < 50; i++) inverse[order[i]] = i;
        REQUIRE(g && weft_graph_relabel(ctx, g, order, &h) == WEFT_OK);
        weft_csr a = out_rows(h), b = out_rows(g);
        CHECK(csr_fault(&a) == NULL);
        for (weft_vid k = 0; k < 50; k++) {
            CHECK_I64(weft_graph_id(h, k), order[k]);
            for (weft_eid e = a.offsets[k]; e < a.offsets[k + 1]; e++) {
                weft_eid at = 0;
                CHECK(weft_graph_has_arc(g, order[k], order[a.targets[e]], &at));
                CHECK_NEAR(weight_at(h, &a, e), weight_at(g, &b, at), 0);
            }
        }
        REQUIRE(weft_graph_relabel(ctx, h, inverse, &back) == WEFT_OK);
        int equal = 0;
        CHECK_U64(weft_graph_compare(ctx, g, back, &equal), WEFT_OK);
        CHECK(equal);
        weft_graph_free(g);
        weft_graph_free(h);
        weft_graph_free(back);
        free_list(&l);
    }
    weft_ctx_free(ctx);
}

TEST_MAIN()
