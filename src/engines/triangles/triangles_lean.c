/* Triangles without the orientation's copy of the graph, for when memory is short.  Needs: rows that ascend; a directed
 * graph gets its transpose.
 * Method: for each edge u < v the shorter of the two rows is read from behind v on, and each w in it is searched in the
 * longer one by galloping (exponential) search, which only moves forward: rows of equal length cost no more than
 * merging them, and a hub no more than the rows it is met with.  The shorter ends of all edges sum up to at most the
 * arboricity of the graph times its edges [1], whatever the ids are.  The support of an edge is the number of entries
 * that its two rows share.
 * [1] Chiba, Nishizeki, "Arboricity and Subgraph Listing Algorithms", SIAM J. Comput. 14, 1985. */
#include "core/search.h"
#include "engines/triangles/triangles.h"
#include "graph/rows.h"

#include <omp.h>
#include <string.h>

enum { SHARE = 1 << 13, CHUNK = 16, PATIENCE = 1 << 18 };

typedef struct lean {
    weft_ctx *ctx;
    const weft_graph *g;
    uint64_t *triangles_at; /* NULL: not counted */
    bool stop;
} lean;

/* Moves the merger to the neighbours from `from` on. */
static inline void skip_to(wfi_merger *m, weft_vid from) {
    m->out = wfi_seek_u32(m->out, m->out_end, from);
    m->in = wfi_seek_u32(m->in, m->in_end, from);
}

static inline bool stands_there(wfi_merger *m, weft_vid t) {
    skip_to(m, t);
    return (m->out < m->out_end && *m->out == t) || (m->in < m->in_end && *m->in == t);
}

static inline uint64_t entries(const wfi_merger *m) { return (uint64_t)(m->out_end - m->out + (m->in_end - m->in)); }

/* The number of common neighbours of u and v from `from` on; each is counted as a corner, if corners are counted. */
static uint64_t common_neighbours(const lean *l, weft_vid u, weft_vid v, weft_vid from, uint64_t *work) {
    wfi_merger a = wfi_neighbours(l->g, u), b = wfi_neighbours(l->g, v);
    skip_to(&a, from);
    skip_to(&b, from);
    wfi_merger *shorter = entries(&a) < entries(&b) ? &a : &b, *longer = shorter == &a ? &b : &a;
    uint64_t met = 0, longest = entries(longer);
    *work += 8 + entries(shorter) * wfi_bits(longest / (entries(shorter) + 1) + 1);
    while (wfi_next_neighbour(shorter)) {
        weft_vid w = shorter->neighbour;
        if (w == longer->self || !stands_there(longer, w)) continue; /* the longer row's vertex has a loop */
        if (l->triangles_at) wfi_add_to(&l->triangles_at[w], 1);
        met++;
    }
    return met;
}

static bool should_stop(lean *l, weft_vid done) {
    if (omp_get_thread_num() == 0) wfi_progress(l->ctx, "counting triangles", done, l->g->n);
    if (wfi_cancelled(l->ctx)) __atomic_store_n(&l->stop, true, __ATOMIC_RELAXED);
    return __atomic_load_n(&l->stop, __ATOMIC_RELAXED);
}

static uint64_t triangles_from(lean *l, weft_vid u, uint64_t *work) {
    wfi_merger m = wfi_neighbours(l->g, u);
    uint64_t total = 0;
    skip_to(&m, u + 1);
    while (wfi_next_neighbour(&m)) {
        weft_vid v = m.neighbour;
        uint64_t met = common_neighbours(l, u, v, v + 1, work);
        wfi_add_to(&l->triangles_at[v], met);
        total += met;
        if (*work < PATIENCE) continue;
        *work = 0;
        if (should_stop(l, u)) break;
    }
    wfi_add_to(&l->triangles_at[u], total);
    return total;
}

weft_status wfi_count_triangles_lean(weft_ctx *ctx, const weft_graph *g, uint64_t *triangles_at, uint64_t *total) {
    lean l = {ctx, g, triangles_at, wfi_cancelled(ctx)};
    uint64_t sum = 0;
    weft_status st = wfi_graph_need_in(ctx, g);
    if (st) return st;
    memset(triangles_at, 0, g->n * sizeof *triangles_at);
#pragma omp parallel num_threads(wfi_threads_for(ctx, g->arcs, SHARE)) reduction(+ : sum)
    {
        uint64_t work = 0;
#pragma omp for schedule(dynamic, CHUNK)
        for (weft_vid u = 0; u < g->n; u++)
            if (!__atomic_load_n(&l.stop, __ATOMIC_RELAXED)) sum += triangles_from(&l, u, &work);
    }
    *total = sum;
    return l.stop ? wfi_fail_cancelled(ctx) : WEFT_OK;
}

weft_status wfi_support_lean(weft_ctx *ctx, const weft_graph *g, const weft_vid *source, const weft_vid *target,
                             uint64_t edges, uint64_t *support) {
    lean l = {ctx, g, NULL, wfi_cancelled(ctx)};
#pragma omp parallel num_threads(wfi_threads_for(ctx, g->arcs, SHARE))
    {
        uint64_t work = 0;
#pragma omp for schedule(dynamic, CHUNK)
        for (uint64_t i = 0; i < edges; i++) {
            weft_vid u = source[i], v = target[i];
            if (__atomic_load_n(&l.stop, __ATOMIC_RELAXED)) continue;
            support[i] = u == v ? 0 : common_neighbours(&l, u, v, 0, &work);
            if (work < PATIENCE) continue;
            work = 0;
            should_stop(&l, u);
        }
    }
    return l.stop ? wfi_fail_cancelled(ctx) : WEFT_OK;
}
