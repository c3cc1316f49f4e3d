/* toposort on CPU cores, of one machine or of ranks: Kahn's algorithm by levels [1].  Needs: a directed graph.
 * Method: shared/peel/kahn.c gives levels; positions by a counting sort over (level, vertex); a cycle of the leftover
 * from shared/peel/witness.c.
 * Ranks peel by messages (ranks/peel.c).  Vertices ascend with ranks, so each rank adds up the counts of all ranks for
 * its share of the levels, and sends each rank where its own vertices begin.  Memory: 8 bytes for each vertex of the
 * graph, 24 for messages; 4 for each level.
 * Encoding: the position column is the queue of the peeling and scratch of the witness before it is filled, and the
 * counters of the peeling become those of the sort, so that three numbers a vertex are all that is held.
 * [1] Kahn, "Topological sorting of large networks", Communications of the ACM 5, 1962. */
#include "algo/toposort/toposort.h"
#include "ranks/peel.h"

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

/* --- ranks ---------------------------------------------------------------------------- */

typedef struct rank_arrays {
    wfi_rank_peel p;
    uint32_t *position;
    uint32_t *count;  /* of each level: this rank's vertices, then where they begin */
    uint32_t *counts; /* of this rank's share of levels: of each rank */
    uint64_t *go, *come;
} rank_arrays;

static void lay_out_ranks(wfi_workspace *w, const wfi_spread *s, const weft_toposort_params *p, rank_arrays *a) {
    size_t ranks = (size_t)s->comm->link.size;
    bool order = wfi_toposort_order(p);
    column_or_array(w, "level", wfi_toposort_levels(p), s->vertices, &a->p.level);
    if (order) wfi_column(w, "position", WEFT_U32, s->vertices, &a->position);
    wfi_rank_peel_lay_out(w, s, &a->p);
    wfi_array_within(w, &a->count, order ? s->g->n : 0);
    wfi_array_within(w, &a->counts, order ? (uint64_t)s->g->n + ranks : 0);
    wfi_array(w, &a->go, ranks + 1);
    wfi_array(w, &a->come, ranks + 1);
}

void wfi_toposort_plan_ranks(const weft_ctx *ctx, const wfi_spread *spread, const void *params, wfi_choice *choice) {
    (void)ctx;
    choice->method = "peel sources, by messages";
    choice->counts_in = true;
    rank_arrays a = {.position = NULL};
    lay_out_ranks(&choice->space, spread, params, &a);
    choice->sends = wfi_rank_peel_sends(spread, &a.p);
    /* Counts of levels go to the ranks that have them, and come back as places. */
    if (wfi_toposort_order(params) && spread->comm->link.size > 1)
        choice->sends += 2 * sizeof *a.count * ((uint64_t)spread->g->n + (uint64_t)spread->comm->link.size);
}

/* The first level of rank r's share. */
static uint64_t share(uint64_t levels, int ranks, int r) { return levels * (uint64_t)r / (uint64_t)ranks; }

/* Counts of this rank's share of levels, rank by rank, become positions. */
static weft_status add_up(weft_ctx *ctx, const wfi_spread *s, uint32_t *counts, uint64_t levels) {
    int ranks = s->comm->link.size;
    uint64_t sum = 0, before = 0;
    for (uint64_t i = 0; i < levels * (uint64_t)ranks; i++) sum += counts[i];
    weft_status st = wfi_allgather_u64(ctx, sum, s->start);
    for (int r = 0; r < s->comm->link.rank && !st; r++) before += s->start[r];
    for (uint64_t level = 0; level < levels && !st; level++)
        for (int r = 0; r < ranks; r++) {
            uint32_t *place = &counts[(uint64_t)r * levels + level], here = *place;
            *place = (uint32_t)before;
            before += here;
        }
    return st;
}

static weft_status number_on_ranks(weft_ctx *ctx, const wfi_spread *s, rank_arrays *a) {
    int ranks = s->comm->link.size, me = s->comm->link.rank;
    uint64_t levels = a->p.levels, mine = share(levels, ranks, me + 1) - share(levels, ranks, me);
    const uint32_t *level = a->p.level;
    if (levels) memset(a->count, 0, (size_t)levels * sizeof *a->count);
    for (weft_vid k = 0; k < s->vertices; k++)
        if (level[k] != WEFT_UNREACHED) a->count[level[k]]++;
    for (int r = 0; r <= ranks; r++) {
        a->go[r] = share(levels, ranks, r) * sizeof *a->count;
        a->come[r] = mine * (uint64_t)r * sizeof *a->count;
    }
    weft_status st = wfi_alltoall(ctx, a->count, a->go, a->counts, a->come);
    if (!st) st = add_up(ctx, s, a->counts, mine);
    if (!st) st = wfi_alltoall(ctx, a->counts, a->come, a->count, a->go);
    for (weft_vid k = 0; k < s->vertices && !st; k++)
        a->position[k] = level[k] == WEFT_UNREACHED ? WEFT_UNREACHED : a->count[level[k]]++;
    return st;
}

weft_status wfi_toposort_ranks(wfi_job *job, struct wfi_rank_peel_gpu *gpu, weft_status mine) {
    const weft_toposort_params *p = job->params;
    const wfi_spread *s = job->spread;
    weft_ctx *ctx = job->ctx;
    wfi_cycle cycle = {NULL, 0};
    rank_arrays a = {.p = {.gpu = gpu}};
    lay_out_ranks(job->space, s, p, &a);
    weft_status st = wfi_agree(ctx, mine ? mine : job->space->status);
    if (!st) st = wfi_rank_peel_run(ctx, s, &a.p);
    bool acyclic = a.p.peeled == s->g->n;
    if (!st && wfi_toposort_order(p)) st = number_on_ranks(ctx, s, &a);
    if (!st && !acyclic) st = wfi_rank_loop(ctx, job->space, s, &cycle);
    if (!st && !acyclic && !cycle.length) st = wfi_rank_cycle(ctx, job->space, s, &a.p, &cycle);
    return st ? st : wfi_toposort_result(job, &cycle, acyclic, a.p.levels);
}
