/* Shared by all methods of similarity: rows with each neighbour once, the sizes of N(v), and the weights of vertices.
 * Method: the rows of an undirected simple graph are used directly; otherwise rows are merged into a copy.  Logarithms
 * are those of gen/skip.h, from integers. */
#include "graph/rows.h"
#include "algo/similarity/similarity.h"
#include "core/scan.h"
#include "gen/skip.h"

#include <omp.h>

enum { SHARE = 1 << 14, BLOCK = 1 << 10 };

/* True if no neighbour is repeated and there are no loops. */
static bool rows_are_simple(const weft_ctx *ctx, const weft_graph *g) {
    bool simple = !g->directed && !g->self_loops;
    if (!simple) return false;
#pragma omp parallel for schedule(static) reduction(&& : simple) num_threads(wfi_threads_for(ctx, g->arcs, SHARE))
    for (weft_vid v = 0; v < g->n; v++)
        for (weft_eid e = g->out.offsets[v]; simple && e < g->out.offsets[v + 1]; e++)
            simple = g->out.targets[e] != v && (e == g->out.offsets[v] || g->out.targets[e - 1] != g->out.targets[e]);
    return simple;
}

void wfi_similar_lay_out(wfi_workspace *w, const weft_ctx *ctx, const weft_graph *g, const void *params,
                         wfi_similar *s) {
    const weft_similarity_params *p = params;
    *s = (wfi_similar){.g = g, .p = p, .most = p->most_degree ? p->most_degree : UINT64_MAX};
    s->offsets = g->out.offsets;
    s->targets = g->out.targets;
    s->own = !rows_are_simple(ctx, g);
    if (s->own) {
        wfi_array(w, &s->own_offsets, (uint64_t)g->n + 1);
        wfi_growth(w, sizeof *s->targets * (g->directed ? 2 : 1) * g->arcs);
    }
    wfi_array(w, &s->size, g->n);
    if (wfi_similarity_weighs(p->measure)) wfi_array(w, &s->part, g->n);
}

bool wfi_similar_stops(wfi_similar *s, const char *doing, uint64_t done, uint64_t all) {
    if (__atomic_load_n(&s->stop, __ATOMIC_RELAXED)) return true;
    if (omp_get_thread_num() == 0) wfi_progress(s->ctx, doing, done, all);
    if (!wfi_cancelled(s->ctx)) return false;
    __atomic_store_n(&s->stop, true, __ATOMIC_RELAXED);
    return true;
}

/* 1 / log(degree); 0 below degree 2, since such a vertex is no common neighbour of two. */
static double adamic_adar(const wfi_skipper *logarithms, uint64_t degree) {
    if (degree < 2) return 0;
    uint64_t log2 = ((uint64_t)64 << 57) - wfi_minus_log2(logarithms, degree - 1);
    return 1 / ((double)log2 * 0x1p-57 * 0x1.62e42fefa39efp-1);
}

static wfi_fixed part_of(const wfi_similar *s, const wfi_skipper *logarithms, weft_vid v) {
    uint64_t degree = wfi_similar_degree(s, v);
    bool logarithm = s->p->measure == WEFT_SIMILARITY_ADAMIC_ADAR;
    double part = !degree ? 0 : logarithm ? adamic_adar(logarithms, degree) : 1 / (double)degree;
    return wfi_fixed_times(part * (WFI_FIXED_ONE * 0x1p-32), 1);
}

static uint32_t count_neighbours(const wfi_similar *s, weft_vid v) {
    if (s->most == UINT64_MAX) return (uint32_t)wfi_similar_degree(s, v);
    uint32_t count = 0;
    for (weft_eid e = s->offsets[v]; e < s->offsets[v + 1]; e++) count += wfi_similar_counts(s, s->targets[e]);
    return count;
}

/* Calls `look` for all vertices. */
static weft_status all_vertices(wfi_similar *s, wfi_span_body *look) {
    uint64_t n = s->g->n;
    return wfi_spans(s->ctx, n, BLOCK, wfi_threads_for(s->ctx, s->g->arcs + n, SHARE), look, s);
}

static void count_rows(void *state, uint64_t from, uint64_t end) {
    wfi_similar *s = state;
    for (uint64_t v = from; v < end; v++) {
        s->own_offsets[v] = 0;
        for (wfi_merger m = wfi_neighbours(s->g, (weft_vid)v); wfi_next_neighbour(&m);) s->own_offsets[v]++;
    }
}

static void fill_rows(void *state, uint64_t from, uint64_t end) {
    wfi_similar *s = state;
    weft_vid *to = (weft_vid *)(uintptr_t)s->targets + s->own_offsets[from];
    for (uint64_t v = from; v < end; v++)
        for (wfi_merger m = wfi_neighbours(s->g, (weft_vid)v); wfi_next_neighbour(&m);) *to++ = m.neighbour;
}

static void weigh_rows(void *state, uint64_t from, uint64_t end) {
    wfi_similar *s = state;
    wfi_skipper logarithms;
    uint64_t hubs = 0;
    if (s->part) wfi_skipper_set(&logarithms, 0.5);
    for (uint64_t i = from; i < end; i++) {
        weft_vid v = (weft_vid)i;
        s->size[v] = count_neighbours(s, v);
        hubs += !wfi_similar_counts(s, v);
        if (s->part) s->part[v] = part_of(s, &logarithms, v);
    }
    __atomic_fetch_add(&s->hubs, hubs, __ATOMIC_RELAXED);
}

weft_status wfi_similar_make(wfi_workspace *w, wfi_similar *s) {
    weft_status st = w->status;
    wfi_progress(s->ctx, "listing neighbours", 0, 0);
    if (!st && s->own) {
        st = all_vertices(s, count_rows);
        if (st) return st;
        wfi_exclusive_scan(s->ctx, s->own_offsets, s->g->n);
        s->offsets = s->own_offsets;
        s->targets = wfi_grow(w, s->offsets[s->g->n], sizeof *s->targets);
        st = s->targets ? all_vertices(s, fill_rows) : WEFT_ENOMEM;
    }
    return st ? st : all_vertices(s, weigh_rows);
}
