/* Weighted triangle sums of a directed graph, CPU.  Needs: the oriented view with the arcs behind each edge, 1 or 2.
 * Method: the forward algorithm with a marker array [1]: for each rank u its row is marked with its arcs; for each v in
 * the row, each marked w in row v closes a triangle, and the three corners get the terms of the mode.
 * Encoding: a thread has one word per rank: the arcs of u-w in the top two bits (0 = not marked), below them the sum
 * that w has gathered since it was marked.  A row is shorter than 2^26, so a sum of at most 8 a triangle fits.
 * [1] Latapy, "Main-memory Triangle Computations for Very Large (Sparse (Power-Law)) Graphs", TCS 407, 2008. */
#include "algo/clustering/clustering.h"

#include <omp.h>
#include <string.h>

enum { SHARE = 1 << 13, CHUNK = 64, PATIENCE = 1 << 20, MARK_AT = 30 };
#define SUM_MASK (((uint32_t)1 << MARK_AT) - 1)

typedef struct summing {
    weft_ctx *ctx;
    const wfi_oriented *o;
    weft_directed_mode mode;
    uint64_t *sums;
    bool stop;
} summing;

/* The result of one row v: triangles met, and the sums of the corners u and v; w gathers its own in marks. */
typedef struct gain {
    uint64_t triangles, at_u, at_v;
} gain;

static gain row_ldbc(const wfi_oriented *o, uint32_t *marks, weft_vid v, uint32_t arcs_uv) {
    gain got = {0, 0, 0};
    for (uint64_t i = o->offsets[v]; i < o->offsets[v + 1]; i++) {
        uint32_t seen = marks[o->targets[i]], arcs_uw = seen >> MARK_AT;
        if (!arcs_uw) continue;
        got.triangles++;
        got.at_u += o->arcs[i];
        got.at_v += arcs_uw;
        marks[o->targets[i]] = seen + arcs_uv;
    }
    return got;
}

static gain row_fagiolo(const wfi_oriented *o, uint32_t *marks, weft_vid v, uint32_t arcs_uv) {
    gain got = {0, 0, 0};
    for (uint64_t i = o->offsets[v]; i < o->offsets[v + 1]; i++) {
        uint32_t seen = marks[o->targets[i]], product = arcs_uv * (seen >> MARK_AT) * o->arcs[i];
        if (!product) continue;
        got.triangles++;
        got.at_u += product;
        marks[o->targets[i]] = seen + product;
    }
    got.at_v = got.at_u;
    return got;
}

static uint64_t sums_from(const summing *s, uint32_t *marks, weft_vid u, uint64_t *work) {
    const wfi_oriented *o = s->o;
    uint64_t begin = o->offsets[u], end = o->offsets[u + 1], total = 0, at_u = 0;
    for (uint64_t e = begin; e < end; e++) marks[o->targets[e]] = (uint32_t)o->arcs[e] << MARK_AT;
    for (uint64_t e = begin; e < end; e++) {
        weft_vid v = o->targets[e];
        gain got = (s->mode == WEFT_DIRECTED_LDBC ? row_ldbc : row_fagiolo)(o, marks, v, o->arcs[e]);
        *work += o->offsets[v + 1] - o->offsets[v];
        total += got.triangles;
        at_u += got.at_u;
        wfi_add_to(&s->sums[v], got.at_v);
    }
    for (uint64_t e = begin; e < end; e++) {
        wfi_add_to(&s->sums[o->targets[e]], marks[o->targets[e]] & SUM_MASK);
        marks[o->targets[e]] = 0;
    }
    wfi_add_to(&s->sums[u], at_u);
    return total;
}

int wfi_clustering_sums_threads(const weft_ctx *ctx, uint64_t edges) { return wfi_threads_for(ctx, edges, SHARE); }

weft_status wfi_clustering_sums(weft_ctx *ctx, const wfi_oriented *o, weft_directed_mode mode, uint32_t *all_marks,
                                uint64_t *sums, uint64_t *total) {
    summing s = {ctx, o, mode, sums, false};
    uint64_t triangles = 0;
    memset(sums, 0, o->n * sizeof *sums);
#pragma omp parallel num_threads(wfi_clustering_sums_threads(ctx, o->edges)) reduction(+ : triangles)
    {
        uint32_t *marks = all_marks + (size_t)omp_get_thread_num() * o->n;
        uint64_t work = PATIENCE;
        memset(marks, 0, o->n * sizeof *marks);
#pragma omp for schedule(dynamic, CHUNK)
        for (weft_vid u = 0; u < o->n; u++) {
            if (__atomic_load_n(&s.stop, __ATOMIC_RELAXED)) continue;
            if (work >= PATIENCE) {
                work = 0;
                if (wfi_triangles_stop(ctx, u, o->n, &s.stop)) continue;
            }
            if (o->offsets[u + 1] - o->offsets[u] > 1) triangles += sums_from(&s, marks, u, &work);
        }
    }
    *total = triangles;
    return s.stop ? wfi_fail_cancelled(ctx) : WEFT_OK;
}
