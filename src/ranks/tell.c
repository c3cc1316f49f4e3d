/* See tell.h. */
#include "ranks/tell.h"

#include <string.h>

void wfi_telling_lay_out(wfi_workspace *w, const wfi_spread *s, size_t each, wfi_telling *t) {
    size_t ranks = (size_t)s->comm->link.size;
    t->each = each;
    t->say = wfi_carve(w, "say", s->g->n, each, true);
    t->sorted = wfi_carve(w, "sorted", s->g->n, each, true);
    t->heard = wfi_carve(w, "heard", (uint64_t)s->vertices * ranks, each, true);
    wfi_array(w, &t->mentioned, (size_t)s->g->n / 8 + 1);
    wfi_array(w, &t->go, ranks + 1);
    wfi_array(w, &t->come, ranks + 1);
}

void wfi_telling_begin(const wfi_spread *s, wfi_telling *t) {
    memset(t->mentioned, 0, (size_t)s->g->n / 8 + 1);
    t->said = 0;
}

static weft_vid vertex_of(const wfi_telling *t, uint64_t i) { return *(const weft_vid *)wfi_said(t, i); }

/* By the rank that has the vertex; the order stays within each. */
static void sort_by_rank(const wfi_spread *s, wfi_telling *t) {
    const wfi_part *p = &s->part[0];
    int ranks = s->comm->link.size;
    memset(t->go, 0, ((size_t)ranks + 1) * sizeof *t->go);
    for (uint64_t i = 0; i < t->said; i++) t->go[wfi_part_owner(p, ranks, vertex_of(t, i)) + 1]++;
    for (int r = 0; r < ranks; r++) t->go[r + 1] += t->go[r];
    for (uint64_t i = 0; i < t->said; i++) {
        uint64_t to = t->go[wfi_part_owner(p, ranks, vertex_of(t, i))]++;
        memcpy((char *)t->sorted + to * t->each, wfi_said(t, i), t->each);
    }
    memmove(t->go + 1, t->go, (size_t)ranks * sizeof *t->go); /* each moved to where the next began */
    t->go[0] = 0;
    for (int r = 0; r <= ranks; r++) t->go[r] *= t->each;
}

weft_status wfi_tell(weft_ctx *ctx, const wfi_spread *s, wfi_telling *t) {
    sort_by_rank(s, t);
    weft_status st = wfi_receive_starts(ctx, t->go, t->come);
    if (!st) st = wfi_alltoall(ctx, t->sorted, t->go, t->heard, t->come);
    t->heard_count = st ? 0 : t->come[s->comm->link.size] / t->each;
    for (uint64_t i = 0; i < t->said; i++) t->mentioned[vertex_of(t, i) >> 3] = 0;
    t->said = 0;
    return st;
}
