/* Triangles by marking.  Needs: the oriented view (graph/oriented.h).
 * Method: for each rank u its row is marked; for each v in the row, each w in row v that is marked closes a triangle.
 * Encoding: a thread has one word per rank, the mark in the top bit and the triangles met at w since it was marked
 * below it: testing, counting and storing take no branch.  When u is done, the counts of its row are added to the
 * shared ones, one addition an edge instead of one a triangle. */
#include "graph/triangles.h"

#include <omp.h>
#include <string.h>

/* SHARE: edges worth a thread.  CHUNK: ranks handed out at a time.  PATIENCE: tests between two polls. */
enum { SHARE = 1 << 13, CHUNK = 64, PATIENCE = 1 << 20 };
#define MARK 0x80000000u

typedef struct counter {
    weft_ctx *ctx;
    const wfi_oriented *o;
    uint64_t *corners;
    bool stop;
} counter;

static inline void add(uint64_t *place, uint64_t value) {
    if (value) __atomic_fetch_add(place, value, __ATOMIC_RELAXED);
}

/* Triangles whose lowest corner is u.  *work grows by the number of tests. */
static uint64_t triangles_from(const counter *c, uint32_t *marks, weft_vid u, uint64_t *work) {
    const uint64_t *offsets = c->o->offsets;
    const weft_vid *targets = c->o->targets;
    uint64_t begin = offsets[u], end = offsets[u + 1], total = 0;
    for (uint64_t e = begin; e < end; e++) marks[targets[e]] = MARK;
    for (uint64_t e = begin; e < end; e++) {
        weft_vid v = targets[e];
        uint32_t met = 0;
        for (uint64_t i = offsets[v]; i < offsets[v + 1]; i++) {
            uint32_t seen = marks[targets[i]], hit = seen >> 31;
            marks[targets[i]] = seen + hit;
            met += hit;
        }
        *work += offsets[v + 1] - offsets[v];
        total += met;
        add(&c->corners[v], met);
    }
    for (uint64_t e = begin; e < end; e++) {
        add(&c->corners[targets[e]], marks[targets[e]] & ~MARK);
        marks[targets[e]] = 0;
    }
    add(&c->corners[u], total);
    return total;
}

static bool should_stop(counter *c, uint64_t done) {
    if (__atomic_load_n(&c->stop, __ATOMIC_RELAXED)) return true;
    if (omp_get_thread_num() == 0) wfi_progress(c->ctx, "counting triangles", done, c->o->n);
    if (!wfi_cancelled(c->ctx)) return false;
    __atomic_store_n(&c->stop, true, __ATOMIC_RELAXED);
    return true;
}

weft_status wfi_count_triangles(weft_ctx *ctx, const wfi_oriented *o, uint64_t *corners, uint64_t *total) {
    counter c = {ctx, o, corners, false};
    _Atomic int status = WEFT_OK;
    uint64_t sum = 0;
    memset(corners, 0, o->n * sizeof *corners);
#pragma omp parallel num_threads(wfi_threads_for(ctx, o->edges, SHARE)) reduction(+ : sum)
    {
        uint32_t *marks = NULL;
        weft_status mine = wfi_alloc_zeroed(ctx, &marks, o->n);
        uint64_t work = PATIENCE;
        wfi_keep_status(&status, mine);
#pragma omp for schedule(dynamic, CHUNK)
        for (weft_vid u = 0; u < o->n; u++) {
            if (mine || __atomic_load_n(&c.stop, __ATOMIC_RELAXED)) continue;
            if (work >= PATIENCE) {
                work = 0;
                if (should_stop(&c, u)) continue;
            }
            if (o->offsets[u + 1] - o->offsets[u] > 1) sum += triangles_from(&c, marks, u, &work);
        }
        wfi_free(marks);
    }
    *total = sum;
    if (atomic_load(&status)) return (weft_status)atomic_load(&status);
    return c.stop ? wfi_fail_cancelled(ctx) : WEFT_OK;
}

uint64_t wfi_count_triangles_bytes(const weft_ctx *ctx, const weft_graph *g) {
    int threads = wfi_threads_for(ctx, wfi_oriented_estimate(g), SHARE);
    return (uint64_t)g->n * 4 * (uint64_t)threads;
}
