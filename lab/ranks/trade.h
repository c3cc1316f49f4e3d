/* Who needs what of whom, told once: a rank's block lists vertices of others, and each owner learns what is listed of its own.  Then values travel without ids:
 * from the owners to those who list them (shares), or back (sums). */
#ifndef WEFT_LAB_TRADE_H
#define WEFT_LAB_TRADE_H

#include "cut.h"

typedef struct trade {
    const block_side *listed;
    weft_vid *asked;       /* of this rank's own, by part, then by who asks */
    uint64_t *asked_start; /* parts x owners + 1 */
} trade;

/* One for each rank, with room for what may be asked; side: of each rank's block. */
weft_status trade_take(lab_run *r, const cut *c, const block *blocks, bool rows, trade *trades);
/* By all ranks of the comm. */
void trade_announce(crew_rank *me, weft_ctx *comm, const trade *t);

static inline const uint64_t *trade_listed(const trade *t, int part) {
    return t->listed->start + part * t->listed->owners;
}
static inline const uint64_t *trade_asked(const trade *t, int part) {
    return t->asked_start + part * t->listed->owners;
}

#endif
