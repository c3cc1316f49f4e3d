/* See tell.h. */
#include "ranks/tell.h"

#include <string.h>

void wfi_telling_lay_out(wfi_workspace *w, const wfi_spread *s, wfi_telling *t) {
    size_t ranks = (size_t)s->comm->link.size;
    wfi_array_within(w, &t->say, s->g->n);
    wfi_array_within(w, &t->sorted, s->g->n);
    wfi_array_within(w, &t->heard, (uint64_t)s->vertices * ranks);
    wfi_array(w, &t->go, ranks + 1);
    wfi_array(w, &t->come, ranks + 1);
}

/* By the rank that has the vertex; the order stays within each. */
static void sort_by_rank(const wfi_spread *s, wfi_telling *t, uint64_t count) {
    const wfi_part *p = &s->part[0];
    int ranks = s->comm->link.size;
    memset(t->go, 0, ((size_t)ranks + 1) * sizeof *t->go);
    for (uint64_t i = 0; i < count; i++) t->go[wfi_part_owner(p, ranks, t->say[i].vertex) + 1]++;
    for (int r = 0; r < ranks; r++) t->go[r + 1] += t->go[r];
    for (uint64_t i = 0; i < count; i++) t->sorted[t->go[wfi_part_owner(p, ranks, t->say[i].vertex)]++] = t->say[i];
    memmove(t->go + 1, t->go, (size_t)ranks * sizeof *t->go); /* each moved to where the next began */
    t->go[0] = 0;
    for (int r = 0; r <= ranks; r++) t->go[r] *= sizeof *t->sorted;
}

weft_status wfi_tell(weft_ctx *ctx, const wfi_spread *s, wfi_telling *t, uint64_t count) {
    sort_by_rank(s, t, count);
    weft_status st = wfi_receive_starts(ctx, s->comm, t->go, t->come);
    if (!st) st = wfi_alltoall(ctx, s->comm, t->sorted, t->go, t->heard, t->come);
    t->heard_count = st ? 0 : t->come[s->comm->link.size] / sizeof *t->heard;
    return st;
}
