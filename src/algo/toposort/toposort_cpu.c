/* toposort on CPU cores: Kahn's algorithm by levels [1].  Needs: a directed graph.
 * Method: shared/peel/kahn.c gives levels; positions by a counting sort over (level, vertex); a cycle of the leftover
 * from shared/peel/witness.c.
 * Encoding: the position column is the queue of the peeling and scratch of the witness before it is filled, and the
 * counters of the peeling become those of the sort, so that three numbers a vertex are all that is held.
 * [1] Kahn, "Topological sorting of large networks", Communications of the ACM 5, 1962. */
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

typedef struct arrays {
    wfi_kahn k;
    uint32_t *position;
    uint64_t *left; /* of the witness; a loop needs none */
} arrays;

static void column_or_array(wfi_workspace *w, const char *name, bool wanted, weft_vid n, uint32_t **place) {
    if (wanted)
        wfi_column(w, name, WEFT_U32, n, place);
    else
        *place = wfi_carve(w, name, n, sizeof **place, false);
}

static void lay_out(wfi_workspace *w, const weft_graph *g, const weft_toposort_params *p, arrays *a) {
    column_or_array(w, "level", wfi_toposort_levels(p), g->n, &a->k.level);
    column_or_array(w, "position", wfi_toposort_order(p), g->n, &a->position);
    wfi_array(w, &a->k.waiting, g->n);
    wfi_array(w, &a->left, g->self_loops ? 0 : wfi_leftover_words(g->n));
    wfi_growth(w, sizeof(weft_vid) * (g->self_loops ? 1 : (uint64_t)g->n)); /* the cycle */
    a->k.order = a->position;
}

void wfi_toposort_space(wfi_workspace *w, const weft_graph *g, const weft_toposort_params *p) {
    arrays a = {0};
    lay_out(w, g, p, &a);
}

weft_status wfi_toposort_cpu(wfi_job *job) {
    const weft_toposort_params *p = job->params;
    const weft_graph *g = job->g;
    weft_ctx *ctx = job->ctx;
    wfi_cycle cycle = {NULL, 0};
    arrays a = {0};
    lay_out(job->space, g, p, &a);
    weft_status st = job->space->status;
    if (!st) st = wfi_kahn_or_cycle(ctx, job->space, g, &a.k, a.left, &cycle);
    if (st) return st;
    if (wfi_toposort_order(p)) number_positions(ctx, g, a.k.level, a.k.levels, a.k.waiting, a.position);
    return wfi_toposort_result(job, &cycle, a.k.peeled == g->n, a.k.levels);
}
