/* A run on virtual ranks beside one of one machine: the same bytes, and what ranks hold and send is what the plan said, or no more. */
#ifndef WEFT_TESTS_RANK_CELLS_H
#define WEFT_TESTS_RANK_CELLS_H

#include "variants.h"
#include "virtual_ranks.h"

#include "ranks/spread.h"

#include <inttypes.h>

typedef struct cell {
    const weft_algorithm_info *algorithm;
    const variant *v;
    const weft_graph *g;
    const weft_result *expected; /* NULL: it is refused */
    const uint64_t *weights;
    weft_device device;
    char trouble[256];
    bool bound;   /* the plan had a bound on what is sent, and no rank sent more */
    double loose; /* the most that a plan said, in bytes for each vertex, each arc and each rank */
} cell;

static inline void check_sent(cell *c, int ranks, const uint64_t *sent, const uint64_t *planned) {
    bool exact = descriptor_of(c->algorithm)->sends_exactly;
    for (int i = 0; i < ranks; i++)
        if (sent[i] > planned[i] || (exact && sent[i] != planned[i]))
            snprintf(c->trouble, sizeof c->trouble, "rank %d sent %" PRIu64 " bytes, by the plan %" PRIu64, i, sent[i],
                     planned[i]);
    c->bound = !exact && planned[0] != UINT64_MAX;
    for (int i = 0; i < ranks && c->bound; i++)
        c->loose = fmax(c->loose, (double)planned[i] / ((double)(c->g->n + c->g->arcs + 1) * ranks));
}

static inline void run_cell(weft_ctx *ctx, wfi_comm *comm, void *user) {
    cell *c = user;
    weft_plan *plan = NULL;
    weft_result *r = NULL, *whole = NULL;
    comm->weights = c->weights;
    weft_ctx_set_device(ctx, c->device);
    weft_status st = weft_plan_new(ctx, c->algorithm->name, c->g, c->v->params, &plan);
    uint64_t before = weft_ctx_memory_in_use(ctx);
    weft_ctx_restart_memory_peak(ctx);
    if (!st) st = weft_plan_run(plan, &r);
    if (!st && weft_ctx_memory_peak(ctx) - before > weft_plan_host_bytes(plan))
        snprintf(c->trouble, sizeof c->trouble, "rank %d held %" PRIu64 " bytes, by the plan %" PRIu64, comm->link.rank,
                 weft_ctx_memory_peak(ctx) - before, weft_plan_host_bytes(plan));
    uint64_t sent[MOST_RANKS], planned[MOST_RANKS];
    if (!st) st = weft_plan_ranks(plan, WEFT_RANK_SENT, sent);
    if (!st) st = weft_plan_ranks(plan, WEFT_RANK_SENDS, planned);
    if (!st && comm->link.rank == 0) check_sent(c, comm->link.size, sent, planned);
    if (!st) st = weft_plan_gather(plan, r, &whole);
    bool unserved = st == WEFT_EUNSUPPORTED;
    if (comm->link.rank == 0 && !unserved) {
        const char *where = st != WEFT_OK && c->expected ? weft_ctx_message(ctx)
                            : !c->expected               ? (st ? NULL : "it is not refused")
                                                         : difference(c->expected, whole);
        if (where && !*c->trouble) snprintf(c->trouble, sizeof c->trouble, "%s", where);
    }
    if (comm->link.rank && whole) snprintf(c->trouble, sizeof c->trouble, "another rank has a result");
    weft_result_free(whole);
    weft_result_free(r);
    weft_plan_free(plan);
    if (weft_ctx_memory_in_use(ctx) || weft_ctx_device_memory_in_use(ctx))
        snprintf(c->trouble, sizeof c->trouble, "a rank leaks memory");
}

#endif
