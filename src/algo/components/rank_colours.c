/* See rank_colours.h. */
#include "algo/components/rank_colours.h"

/* Until no rank has anything to pass on. */
static weft_status spread(wfi_rank_colours *c, weft_status (*step)(wfi_rank_colours *c, uint64_t *queued)) {
    for (;;) {
        uint64_t queued = 0;
        weft_status st = step(c, &queued);
        uint64_t all[] = {queued, c->stop};
        if (!st) st = wfi_allreduce(c->ctx, all, 2, WFI_SUM);
        if (!st && all[1]) st = wfi_fail_cancelled(c->ctx);
        if (st || !all[0]) return st;
    }
}

static weft_status round_of(wfi_rank_colours *c, uint64_t *left) {
    weft_status st = c->steps->name(c);
    if (!st) st = spread(c, c->steps->spread_names);
    if (!st) st = c->steps->mark(c);
    if (!st) st = spread(c, c->steps->spread_marks);
    return st ? st : c->steps->end_round(c, left);
}

weft_status wfi_rank_colours_run(wfi_rank_colours *c, uint64_t *count, uint64_t *largest) {
    weft_vid n = c->s->g->n;
    *count = *largest = 0;
    weft_status st = c->steps->begin(c);
    for (uint64_t left = n; left && !st;) {
        st = round_of(c, &left);
        wfi_progress(c->ctx, "components", n - left, n);
    }
    if (!st) st = c->steps->end(c, count, largest);
    if (!st) st = wfi_allreduce(c->ctx, count, 1, WFI_SUM);
    return st ? st : wfi_allreduce(c->ctx, largest, 1, WFI_MAX);
}
