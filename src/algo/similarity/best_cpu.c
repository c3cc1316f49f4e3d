/* The most similar vertices of each vertex, CPU.
 * Method: counting wedges: from u over its neighbours to theirs.  The number of visits of a vertex is its number of
 * common neighbours with u, and the sum of their weights is the weighted measure.  Visited vertices are offered to a
 * heap of the best so far (core/best.h), which lies in the rows of the result.  Threads divide the source vertices, and
 * count in arrays of their own.
 * The capacity of a vertex's rows is bounded by the lengths of its neighbours' rows. */
#include "algo/similarity/similarity.h"
#include "core/best.h"
#include "core/poll.h"
#include "core/scan.h"

#include <omp.h>
#include <string.h>

enum { SHARE = 1 << 14, CHUNK = 16, PATIENCE = 1 << 20 };
#define INLINE static inline __attribute__((always_inline))

static uint64_t sources_of(const weft_graph *g, const weft_similarity_params *p) { return p->of ? p->of_count : g->n; }

static weft_vid source_at(const weft_similarity_params *p, uint64_t i) { return p->of ? p->of[i] : (weft_vid)i; }

/* Maximum number of rows for one vertex. */
static uint64_t most_of_one(const weft_graph *g, const weft_similarity_params *p) {
    return g->n ? wfi_min_u64(p->per_vertex, g->n - 1) : 0;
}

static int threads_for(const weft_ctx *ctx, const weft_graph *g, const weft_similarity_params *p) {
    return wfi_threads_for(ctx, wfi_min_u64(g->n + g->arcs, sources_of(g, p) * (uint64_t)SHARE), SHARE);
}

/* --- plan ------------------------------------------------------------------------------------ */

static uint64_t both_rows(const weft_graph *g, const wfi_view *in, weft_vid v) {
    return wfi_degree(&g->out, v) + (g->directed ? wfi_degree(in, v) : 0);
}

/* Wedges over a neighbour with a row of `entries` entries.  If rows may repeat neighbours (own), a longer row may still
 * count, with `most` neighbours at most. */
static uint64_t wedges_over(const wfi_similar *s, uint64_t entries) {
    if (entries > s->most) entries = s->own ? s->most : 0;
    return entries ? entries - 1 : 0;
}

static uint64_t wedges_along(const wfi_similar *s, const wfi_view *in, const wfi_view *rows, weft_vid u) {
    uint64_t wedges = 0;
    for (weft_eid e = rows->offsets[u]; e < rows->offsets[u + 1]; e++)
        wedges += wedges_over(s, both_rows(s->g, in, rows->targets[e]));
    return wedges;
}

uint64_t wfi_similar_wedges(const wfi_similar *s) {
    const weft_graph *g = s->g;
    const weft_similarity_params *p = s->p;
    const wfi_view *in = wfi_in_at_hand(g);
    uint64_t wedges = 0;
    if (!in) return UINT64_MAX;
    for (weft_vid w = 0; !p->of && w < g->n; w++) wedges += both_rows(g, in, w) * wedges_over(s, both_rows(g, in, w));
    for (size_t i = 0; p->of && i < p->of_count; i++) {
        wedges += wedges_along(s, in, &g->out, p->of[i]);
        if (g->directed) wedges += wedges_along(s, in, in, p->of[i]);
    }
    return wedges;
}

void wfi_similar_best_lay_out(wfi_workspace *w, const weft_ctx *ctx, const wfi_similar *s, bool on_gpu,
                              wfi_similar_best *b) {
    const weft_graph *g = s->g;
    const weft_similarity_params *p = s->p;
    uint64_t threads = (uint64_t)threads_for(ctx, g, p), rows;
    *b = (wfi_similar_best){.count = sources_of(g, p)};
    if (__builtin_mul_overflow(b->count, most_of_one(g, p), &rows)) rows = UINT64_MAX;
    b->most_rows = rows = wfi_min_u64(wfi_min_u64(rows, wfi_similar_wedges(s)), UINT64_MAX / 64);
    wfi_growth(w, sizeof *b->source * rows);
    wfi_growth(w, sizeof *b->target * rows);
    wfi_growth(w, sizeof *b->value * rows);
    wfi_array(w, &b->at, b->count + 1);
    wfi_array(w, &b->found, b->count);
    if (on_gpu) return;
    if (wfi_similarity_weighs(p->measure))
        wfi_array(w, &b->sum, threads * g->n);
    else
        wfi_array(w, &b->common, threads * g->n);
    wfi_array_within(w, &b->visited, threads * ((uint64_t)g->n + 1));
}

/* --- capacity ------------------------------------------------------------------------------------ */

/* Counts the wedges, and the maximum number of rows of each vertex. */
static weft_status count_wedges(wfi_similar *s, wfi_similar_best *b) {
    uint64_t wedges = 0, left_out = 0, most = most_of_one(s->g, s->p);
    int threads = wfi_threads_for(s->ctx, s->g->n + s->g->arcs, SHARE);
#pragma omp parallel for schedule(dynamic, CHUNK * 64) reduction(+ : wedges, left_out) num_threads(threads)
    for (uint64_t i = 0; i < b->count; i++) {
        weft_vid u = source_at(s->p, i);
        uint64_t mine = 0;
        if (i % CHUNK == 0 && wfi_similar_stops(s, "counting wedges", i, b->count)) continue;
        for (weft_eid e = s->offsets[u]; e < s->offsets[u + 1]; e++) {
            uint64_t others = wfi_similar_degree(s, s->targets[e]) - 1;
            *(wfi_similar_counts(s, s->targets[e]) ? &mine : &left_out) += others;
        }
        b->at[i] = wfi_min_u64(mine, most);
        b->found[i] = mine;
        wedges += mine;
    }
    b->wedges = wedges;
    b->left_out = left_out;
    if (s->stop) return wfi_fail_cancelled(s->ctx);
    wfi_exclusive_scan(s->ctx, b->at, (size_t)b->count);
    return WEFT_OK;
}

static weft_status take_rows(wfi_workspace *w, wfi_similar_best *b) {
    uint64_t rows = b->at[b->count];
    if (!(b->source = wfi_grow(w, rows, sizeof *b->source))) return WEFT_ENOMEM;
    if (!(b->target = wfi_grow(w, rows, sizeof *b->target))) return WEFT_ENOMEM;
    return (b->value = wfi_grow(w, rows, sizeof *b->value)) ? WEFT_OK : WEFT_ENOMEM;
}

/* --- search ---------------------------------------------------------------------------------- */

/* A thread's counters; all zero between two sources. */
typedef struct search {
    uint32_t *common; /* by vertex */
    wfi_fixed *sum;
    weft_vid *visited; /* visited vertices, in the order of the first visit */
    size_t count, work;
} search;

INLINE void visit(search *t, weft_vid v, const wfi_fixed *part) {
    t->visited[t->count] = v; /* written on every visit, which saves a branch; counted on the first only */
    if (part) {
        t->count += !(t->sum[v].whole | t->sum[v].rest);
        t->sum[v].whole += part->whole;
        t->sum[v].rest += part->rest;
    } else {
        t->count += !t->common[v]++;
    }
}

INLINE bool collect(wfi_similar *s, search *t, weft_vid u, uint64_t done, uint64_t all, bool weighs) {
    for (weft_eid e = s->offsets[u]; e < s->offsets[u + 1]; e++) {
        weft_vid w = s->targets[e];
        if (!wfi_similar_counts(s, w)) continue;
        wfi_fixed part = weighs ? s->part[w] : (wfi_fixed){1, 0};
        for (weft_eid f = s->offsets[w]; f < s->offsets[w + 1]; f++) visit(t, s->targets[f], weighs ? &part : NULL);
        t->work += wfi_similar_degree(s, w);
        if (t->work < PATIENCE) continue;
        t->work = 0;
        if (wfi_similar_stops(s, "finding similar vertices", done, all)) return false;
    }
    return true;
}

INLINE void forget(search *t, weft_vid v, bool weighs) {
    if (weighs)
        t->sum[v] = (wfi_fixed){0, 0};
    else
        t->common[v] = 0;
}

/* Offers the visited vertices to the heap, and resets their counters. */
INLINE void choose(const wfi_similar *s, search *t, weft_vid u, wfi_best *best, bool weighs) {
    forget(t, u, weighs);
    for (weft_eid e = s->offsets[u]; s->p->unjoined && e < s->offsets[u + 1]; e++) forget(t, s->targets[e], weighs);
    for (size_t i = 0; i < t->count; i++) {
        weft_vid v = t->visited[i];
        wfi_fixed common = weighs ? t->sum[v] : (wfi_fixed){t->common[v], 0};
        if (!(common.whole | common.rest)) continue;
        wfi_best_offer(best, wfi_similarity_of(s->p->measure, common, s->size[u], s->size[v]), v);
        forget(t, v, weighs);
    }
    t->count = 0;
    wfi_best_sort(best);
}

static search search_of(const wfi_similar *s, const wfi_similar_best *b) {
    size_t n = s->g->n, thread = (size_t)omp_get_thread_num();
    search t = {.visited = b->visited + thread * (n + 1)};
    if (s->part) memset(t.sum = b->sum + thread * n, 0, n * sizeof *t.sum);
    if (!s->part) memset(t.common = b->common + thread * n, 0, n * sizeof *t.common);
    return t;
}

weft_status wfi_similar_best_search(wfi_similar *s, const wfi_similar_best *b) {
#pragma omp parallel num_threads(threads_for(s->ctx, s->g, s->p))
    {
        search t = search_of(s, b);
#pragma omp for schedule(dynamic, CHUNK)
        for (uint64_t i = 0; i < b->count; i++) {
            weft_vid u = source_at(s->p, i);
            wfi_best best = {b->target + b->at[i], b->value + b->at[i], b->at[i + 1] - b->at[i], 0};
            bool asked = best.most && !__atomic_load_n(&s->stop, __ATOMIC_RELAXED);
            if (asked && s->part && collect(s, &t, u, i, b->count, true)) choose(s, &t, u, &best, true);
            if (asked && !s->part && collect(s, &t, u, i, b->count, false)) choose(s, &t, u, &best, false);
            b->found[i] = best.count;
        }
    }
    return s->stop ? wfi_fail_cancelled(s->ctx) : WEFT_OK;
}

/* Compacts the rows. */
static weft_status compact_rows(weft_ctx *ctx, const weft_similarity_params *p, wfi_similar_best *b) {
    uint64_t rows = 0;
    wfi_polling poll = {.ctx = ctx};
    for (uint64_t i = 0; i < b->count; i++) {
        if (wfi_poll(&poll, b->found[i] + 1)) return wfi_fail_cancelled(ctx);
        memmove(b->target + rows, b->target + b->at[i], b->found[i] * sizeof *b->target);
        memmove(b->value + rows, b->value + b->at[i], b->found[i] * sizeof *b->value);
        for (uint64_t end = rows + b->found[i]; rows < end; rows++) b->source[rows] = source_at(p, i);
    }
    b->rows = rows;
    return WEFT_OK;
}

weft_status wfi_similar_best_begin(wfi_workspace *w, wfi_similar *s, wfi_similar_best *b) {
    weft_status st = count_wedges(s, b);
    return st ? st : take_rows(w, b);
}

weft_status wfi_similar_best_end(wfi_workspace *w, const wfi_similar *s, wfi_similar_best *b) {
    weft_status st = compact_rows(s->ctx, s->p, b);
    size_t rows = (size_t)b->rows;
    if (!st) st = wfi_column_of_grown(w, "source", WEFT_VERTEX, rows, b->source);
    if (!st) st = wfi_column_of_grown(w, "target", WEFT_VERTEX, rows, b->target);
    return st ? st : wfi_column_of_grown(w, "similarity", WEFT_F64, rows, b->value);
}
