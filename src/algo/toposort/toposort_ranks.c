/* toposort on ranks.  Needs: a directed graph.
 * Method: Kahn's peeling (ranks/peel.c) gives levels, or a cycle of the leftover.  Positions are a counting sort by
 * (level, vertex): vertices ascend with ranks, so each rank adds up the counts of all ranks for its share of the
 * levels, and sends each rank where its own vertices begin.
 * Memory: 8 bytes for each vertex of the graph, 24 for messages; 4 for each level. */
#include "algo/toposort/toposort.h"
#include "ranks/peel.h"

#include <string.h>

typedef struct arrays {
    wfi_rank_peel p;
    uint32_t *position;
    uint32_t *count;  /* of each level: this rank's vertices, then where they begin */
    uint32_t *counts; /* of this rank's share of levels: of each rank */
    uint64_t *go, *come;
} arrays;

static void lay_out(wfi_workspace *w, const wfi_spread *s, const weft_toposort_params *p, arrays *a) {
    size_t ranks = (size_t)s->comm->link.size;
    bool order = wfi_toposort_order(p);
    if (wfi_toposort_levels(p))
        wfi_column(w, "level", WEFT_U32, s->vertices, &a->p.level);
    else
        wfi_array(w, &a->p.level, s->vertices);
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
    arrays a = {.position = NULL};
    lay_out(&choice->space, spread, params, &a);
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

static weft_status number_positions(weft_ctx *ctx, const wfi_spread *s, arrays *a) {
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
    arrays a = {.p = {.gpu = gpu}};
    lay_out(job->space, s, p, &a);
    weft_status st = wfi_agree(ctx, mine ? mine : job->space->status);
    if (!st) st = wfi_rank_peel_run(ctx, s, &a.p);
    bool acyclic = a.p.peeled == s->g->n;
    if (!st && wfi_toposort_order(p)) st = number_positions(ctx, s, &a);
    if (!st && !acyclic) st = wfi_rank_loop(ctx, job->space, s, &cycle);
    if (!st && !acyclic && !cycle.length) st = wfi_rank_cycle(ctx, job->space, s, &a.p, &cycle);
    return st ? st : wfi_toposort_result(job, &cycle, acyclic, a.p.levels);
}
