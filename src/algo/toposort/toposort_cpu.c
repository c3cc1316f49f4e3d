/* toposort, CPU.  Needs: a directed graph.
 * Method: src/graph/kahn.c gives levels; positions by a counting sort over (level, vertex); a cycle of the leftover
 * from src/graph/witness.c.
 * Encoding: the position column is the queue of the peeling and scratch of the witness before it is filled, and the
 * counters of the peeling become those of the sort, so that three numbers a vertex are all that is held. */
#include "algo/toposort/toposort.h"

#include <omp.h>
#include <string.h>

enum { SHARE = 1 << 16 };

/* Vertices are cut into `parts` runs; count[part * levels + level] becomes the first position of that level's vertices
 * of that run.  parts * levels is at most n, the room there is. */
static void number_positions(weft_ctx *ctx, const weft_graph *g, const uint32_t *level, uint32_t levels,
                             uint32_t *count, uint32_t *position) {
    weft_vid n = g->n;
    if (!levels) {
        memset(position, 0xff, (size_t)n * sizeof *position);
        return;
    }
    uint64_t most = n / levels;
    int threads = wfi_threads_for(ctx, n, SHARE);
    size_t parts = (uint64_t)threads < most ? (size_t)threads : (size_t)most;
    memset(count, 0, parts * levels * sizeof *count);
#pragma omp parallel for schedule(static, 1) num_threads((int)parts)
    for (size_t part = 0; part < parts; part++) {
        uint32_t *mine = count + part * levels;
        for (size_t v = n * part / parts; v < n * (part + 1) / parts; v++)
            if (level[v] != WEFT_UNREACHED) mine[level[v]]++;
    }
    uint32_t next = 0;
    for (uint32_t l = 0; l < levels; l++)
        for (size_t part = 0; part < parts; part++) {
            uint32_t here = count[part * levels + l];
            count[part * levels + l] = next;
            next += here;
        }
#pragma omp parallel for schedule(static, 1) num_threads((int)parts)
    for (size_t part = 0; part < parts; part++) {
        uint32_t *mine = count + part * levels;
        for (size_t v = n * part / parts; v < n * (part + 1) / parts; v++)
            position[v] = level[v] == WEFT_UNREACHED ? WEFT_UNREACHED : mine[level[v]]++;
    }
}

/* A column of the result if it is wanted, else a block of the caller's. */
static weft_status column_or_scratch(weft_ctx *ctx, weft_result *result, const char *name, bool wanted, weft_vid n,
                                     uint32_t **data, uint32_t **scratch) {
    if (wanted) return wfi_result_column(ctx, result, name, WEFT_U32, n, 1, data);
    weft_status st = wfi_alloc(ctx, scratch, n);
    *data = *scratch;
    return st;
}

weft_status wfi_toposort_cpu(weft_ctx *ctx, const weft_graph *g, const void *params, weft_result *result) {
    const weft_toposort_params *p = params;
    uint32_t *position = NULL, *scratch = NULL; /* one of the columns at most is not wanted */
    wfi_kahn k = {0};
    wfi_cycle cycle = {NULL, 0};
    weft_status st = column_or_scratch(ctx, result, "level", wfi_toposort_levels(p), g->n, &k.level, &scratch);
    if (!st) st = column_or_scratch(ctx, result, "position", wfi_toposort_order(p), g->n, &position, &scratch);
    if (!st) st = wfi_alloc(ctx, &k.waiting, g->n);
    if (st) goto done;
    k.order = position;
    st = wfi_kahn_peel(ctx, g, &k);
    bool acyclic = k.peeled == g->n;
    if (!st && !acyclic) st = wfi_cycle_of_loop(ctx, g, &cycle);
    if (!st && !acyclic && !cycle.length) st = wfi_cycle_in_leftover(ctx, g, &k, &cycle);
    if (st) goto done;
    if (wfi_toposort_order(p)) number_positions(ctx, g, k.level, k.levels, k.waiting, position);
    st = wfi_toposort_result(ctx, g, &cycle, acyclic, k.levels, result);
done:
    wfi_free(cycle.vertex);
    wfi_free(k.waiting);
    wfi_free(scratch);
    return st;
}
