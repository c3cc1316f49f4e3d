/* A batch of vertices in a sweep of PageRank: from what came along their arcs to their ranks, from those to their
 * shares.  Encoding as in pagerank_cpu.c. */
#include "algo/pagerank/sweep.h"

#include <math.h>

/* In f32 one limb is enough for the totals too: what it cuts off is below 2^-62 a vertex. */
static inline void add_total(wfi_fixed *sum, bool single, double x) {
    if (single)
        sum->whole += (uint64_t)(int64_t)(x * WFI_FIXED_ONE);
    else
        wfi_fixed_add(sum, x * WFI_FIXED_ONE);
}

/* The new ranks, rounded as they are stored. */
static inline __attribute__((always_inline)) void settle_ranks(wfi_ranking *r, bool single, weft_vid first,
                                                               weft_vid count, const double *came, double teleport,
                                                               wfi_totals *t) {
    const double *restart = r->restart ? r->restart + first : NULL;
    const double *dangling_to = r->dangling_to ? r->dangling_to + first : NULL;
    double everywhere = r->uniform * teleport, damping = r->damping;
    for (weft_vid k = 0; k < count; k++) {
        double jumped = restart ? restart[k] * teleport : everywhere, rank, old;
        if (dangling_to) jumped += dangling_to[k] * r->dangling;
        rank = jumped + damping * came[k];
        if (single) {
            float *place = (float *)r->rank + first + k;
            old = (double)*place;
            *place = (float)rank;
            rank = (double)*place;
        } else {
            double *place = (double *)r->rank + first + k;
            old = *place;
            *place = rank;
        }
        add_total(&t->change, single, fabs(rank - old));
        add_total(&t->sum, single, rank);
    }
}

static inline __attribute__((always_inline)) void settle_shares(wfi_ranking *r, bool single, bool narrow, void *to,
                                                                weft_vid first, weft_vid count, wfi_totals *t) {
    for (weft_vid v = first; v < first + count; v++) {
        double rank = single ? (double)((const float *)r->rank)[v] : ((const double *)r->rank)[v], give = r->give[v];
        add_total(&t->dangling, single, rank * (double)(give == 0)); /* no branch: which vertices dangle is random */
        if (narrow)
            ((float *)to)[v] = (float)(rank * give);
        else
            ((double *)to)[v] = rank * give;
    }
}

void wfi_make_ranks(wfi_ranking *r, weft_vid first, weft_vid count, const double *came, double teleport,
                    wfi_totals *t) {
    if (r->single)
        settle_ranks(r, true, first, count, came, teleport, t);
    else
        settle_ranks(r, false, first, count, came, teleport, t);
}

void wfi_make_shares(wfi_ranking *r, weft_vid first, weft_vid count, wfi_totals *t) {
    if (r->pull.travels == WFI_SHARE_32)
        settle_shares(r, true, true, r->next, first, count, t);
    else if (r->single)
        settle_shares(r, true, false, r->next, first, count, t);
    else
        settle_shares(r, false, false, r->next, first, count, t);
}
