/* toposort, CPU.  Needs: a directed graph.
 * Method: src/graph/kahn.c gives levels; positions by a counting sort over (level, vertex); a cycle of the leftover
 * from src/graph/witness.c.
 * Encoding: the queue of the peeling becomes the counters of the sort, and the position column is scratch of the
 * witness before it is filled, so that nothing is held beyond four numbers a vertex. */
#include "algo/toposort/toposort.h"
#include "graph/kahn.h"

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

static weft_status add_cycle(weft_ctx *ctx, weft_result *result, wfi_cycle *cycle) {
    weft_vid *column;
    weft_status st = wfi_result_column(ctx, result, "cycle", WEFT_VERTEX, cycle->length, 2, &column);
    if (!st && cycle->length) memcpy(column, cycle->vertex, cycle->length * sizeof *column);
    return st;
}

weft_status wfi_toposort_cpu(weft_ctx *ctx, const weft_graph *g, const void *params, weft_result *result) {
    (void)params;
    uint32_t *level, *position;
    wfi_kahn k = {0};
    wfi_cycle cycle = {NULL, 0};
    weft_status st = wfi_result_column(ctx, result, "level", WEFT_U32, g->n, 1, &level);
    if (!st) st = wfi_result_column(ctx, result, "position", WEFT_U32, g->n, 1, &position);
    if (!st) st = wfi_alloc(ctx, &k.waiting, g->n);
    if (!st) st = wfi_alloc(ctx, &k.order, g->n);
    if (st) goto done;
    k.level = level;
    st = wfi_kahn_peel(ctx, g, &k);
    bool acyclic = k.peeled == g->n;
    if (!st && !acyclic) st = wfi_cycle_of_loop(ctx, g, &cycle);
    if (!st && !acyclic && !cycle.length) st = wfi_cycle_in_leftover(ctx, g, k.waiting, k.order, position, &cycle);
    if (st) goto done;
    number_positions(ctx, g, level, k.levels, k.order, position);
    wfi_cycle_compare_label(ctx, g, acyclic);
    st = add_cycle(ctx, result, &cycle);
    if (!st) st = wfi_result_scalar_u64(ctx, result, "acyclic", acyclic);
    if (!st) st = wfi_result_scalar_u64(ctx, result, "levels", k.levels);
done:
    wfi_free(cycle.vertex);
    wfi_free(k.waiting);
    wfi_free(k.order);
    return st;
}
