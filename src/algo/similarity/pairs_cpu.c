/* The similarity of given pairs and of all edges, CPU.
 * Method: of a pair, the neighbours of the end with the shorter row are looked up in the row of the other by galloping
 * search.  For all edges, the neighbours of each vertex are marked in turn, and the rows of its neighbours that are
 * shorter, or as long with a smaller number, are read: the sum of the shorter rows over all edges is at most the
 * arboricity of the graph times its edges [1].  So each edge of the simple graph is visited once, and its value is
 * written for all its occurrences.
 * [1] Chiba, Nishizeki, "Arboricity and Subgraph Listing Algorithms", SIAM J. Comput. 14, 1985. */
#include "algo/similarity/similarity.h"
#include "core/search.h"

#include <omp.h>
#include <string.h>

enum { SHARE = 1 << 14, CHUNK = 64, PATIENCE = 1 << 20 };

static void add(const wfi_similar *s, wfi_fixed *common, weft_vid w) {
    common->whole += s->part ? s->part[w].whole : 1;
    common->rest += s->part ? s->part[w].rest : 0;
}

/* --- pairs ----------------------------------------------------------------------------------- */

static double value_of_pair(const wfi_similar *s, weft_vid u, weft_vid v, uint64_t *work) {
    if (wfi_similar_degree(s, u) > wfi_similar_degree(s, v)) {
        weft_vid longer = u;
        u = v;
        v = longer;
    }
    const weft_vid *at = s->targets + s->offsets[v], *end = s->targets + s->offsets[v + 1];
    wfi_fixed common = {0, 0};
    for (weft_eid e = s->offsets[u]; e < s->offsets[u + 1] && at < end; e++) {
        at = wfi_seek_u32(at, end, s->targets[e]);
        if (at < end && *at == s->targets[e] && wfi_similar_counts(s, *at)) add(s, &common, *at);
    }
    *work += 8 + 8 * wfi_similar_degree(s, u);
    return wfi_similarity_of(s->p->measure, common, s->size[u], s->size[v]);
}

weft_status wfi_similar_pairs(wfi_similar *s, double *value) {
    const weft_vid *pair = s->p->pairs;
    uint64_t count = s->p->pair_count;
#pragma omp parallel num_threads(wfi_threads_for(s->ctx, 8 * count, SHARE))
    {
        uint64_t work = PATIENCE;
#pragma omp for schedule(dynamic, CHUNK)
        for (uint64_t i = 0; i < count; i++) {
            if (work >= PATIENCE && wfi_similar_stops(s, "comparing pairs", i, count)) continue;
            work = work < PATIENCE ? work : 0;
            value[i] = value_of_pair(s, pair[2 * i], pair[2 * i + 1], &work);
        }
    }
    return s->stop ? wfi_fail_cancelled(s->ctx) : WEFT_OK;
}

/* --- edges ----------------------------------------------------------------------------------- */

static uint64_t words_of(const weft_graph *g) { return ((uint64_t)g->n + 63) / 64; }

static int threads_for(const weft_ctx *ctx, const weft_graph *g) { return wfi_threads_for(ctx, g->arcs, SHARE); }

void wfi_similar_edges_lay_out(wfi_workspace *w, const weft_ctx *ctx, const weft_graph *g, bool on_gpu,
                               wfi_similar_edges *e) {
    wfi_similar_columns(w, g->edges, e);
    if (!g->directed) wfi_array(w, &e->rows.first, (uint64_t)g->n + 1);
    if (!on_gpu) wfi_array(w, &e->marks, (uint64_t)threads_for(ctx, g) * words_of(g));
}

/* Writes the value of all edges from u to v. */
static void put(const weft_graph *g, const wfi_similar_edges *edges, weft_vid u, weft_vid v, double x) {
    const uint64_t *from = wfi_edge_rows_from(g, &edges->rows);
    weft_eid end = g->out.offsets[u + 1], e = wfi_lower_bound_u32(g->out.targets, g->out.offsets[u], end, v);
    for (; e < end && g->out.targets[e] == v; e++) edges->value[from[u + 1] - (end - e)] = x;
}

static void set_marks(const wfi_similar *s, uint64_t *marks, weft_vid u, bool set) {
    for (weft_eid e = s->offsets[u]; e < s->offsets[u + 1]; e++) {
        weft_vid w = s->targets[e];
        if (!set)
            marks[w / 64] = 0;
        else if (wfi_similar_counts(s, w))
            marks[w / 64] |= (uint64_t)1 << (w % 64);
    }
}

static double value_of_marked(const wfi_similar *s, const uint64_t *marks, weft_vid u, weft_vid v) {
    wfi_fixed common = {0, 0};
    for (weft_eid e = s->offsets[v]; e < s->offsets[v + 1]; e++) {
        weft_vid w = s->targets[e];
        uint64_t marked = marks[w / 64] >> (w % 64) & 1;
        if (!s->part)
            common.whole += marked;
        else if (marked)
            add(s, &common, w);
    }
    return wfi_similarity_of(s->p->measure, common, s->size[u], s->size[v]);
}

/* The edges from u to neighbours with shorter rows. */
static void value_edges(wfi_similar *s, const wfi_similar_edges *e, uint64_t *marks, weft_vid u, uint64_t *work) {
    uint64_t degree = wfi_similar_degree(s, u);
    set_marks(s, marks, u, true);
    for (weft_eid a = s->offsets[u]; a < s->offsets[u + 1]; a++) {
        weft_vid v = s->targets[a];
        uint64_t other = wfi_similar_degree(s, v);
        if (other > degree || (other == degree && v > u)) continue;
        double x = value_of_marked(s, marks, u, v);
        if (s->g->directed || u < v) put(s->g, e, u, v, x);
        if (s->g->directed || v < u) put(s->g, e, v, u, x);
        *work += 8 + other;
        if (*work < PATIENCE) continue;
        *work = 0;
        if (wfi_similar_stops(s, "comparing edges", u, s->g->n)) break;
    }
    set_marks(s, marks, u, false);
}

weft_status wfi_similar_edges_value(wfi_similar *s, const wfi_similar_edges *e) {
    const weft_graph *g = s->g;
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(s->ctx, g->edges, SHARE))
    for (uint64_t i = 0; i < g->edges; i++) e->value[i] = 0; /* loops keep 0 */
#pragma omp parallel num_threads(threads_for(s->ctx, g))
    {
        uint64_t work = 0, *marks = e->marks + (size_t)omp_get_thread_num() * words_of(g);
        memset(marks, 0, words_of(g) * sizeof *marks);
#pragma omp for schedule(dynamic, CHUNK)
        for (weft_vid u = 0; u < g->n; u++)
            if (!__atomic_load_n(&s->stop, __ATOMIC_RELAXED)) value_edges(s, e, marks, u, &work);
    }
    return s->stop ? wfi_fail_cancelled(s->ctx) : WEFT_OK;
}
