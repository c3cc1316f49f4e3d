/* See trade.h. */
#include "trade.h"

weft_status trade_take(lab_run *r, const cut *c, const block *blocks, bool rows, trade *trades) {
    int ranks = c->grid.rows * c->grid.columns;
    const block_side *side = rows ? &blocks[0].rows : &blocks[0].entries;
    size_t owners = (size_t)side->owners, starts = (size_t)side->parts * owners + 1;
    weft_vid *asked = lab_take(r, (size_t)c->start[ranks * c->parts] * owners * sizeof *asked);
    uint64_t *start = lab_take(r, (size_t)ranks * starts * sizeof *start);
    if (!asked || !start) return WEFT_ENOMEM;
    for (int k = 0; k < ranks; k++) {
        trades[k] = (trade){rows ? &blocks[k].rows : &blocks[k].entries, asked, start};
        asked += cut_count(c, k) * owners;
        start += starts;
    }
    return WEFT_OK;
}

void trade_announce(crew_rank *me, weft_ctx *comm, const trade *t) {
    int owners = t->listed->owners;
    uint64_t come[LAB_MOST_RANKS + 1];
    t->asked_start[0] = 0;
    for (int p = 0; p < t->listed->parts; p++) {
        uint64_t *asked = t->asked_start + p * owners;
        crew_receive_starts(me, comm, trade_listed(t, p), come);
        for (int o = 0; o < owners; o++) asked[o + 1] = asked[0] + come[o + 1];
        crew_alltoall(me, comm, sizeof *t->asked, t->listed->id, trade_listed(t, p), t->asked, asked);
    }
}
