/* See device_tell.h. */
#include "ranks/device_tell.h"

#include <string.h>

void wfi_device_telling_lay_out(wfi_workspace *host, wfi_workspace *device, const wfi_spread *s, size_t each,
                                wfi_device_telling *t) {
    uint64_t ranks = (uint64_t)s->comm->link.size, words = each / sizeof(uint32_t), n = s->g->n;
    uint64_t heard = (uint64_t)s->vertices * ranks;
    *t = (wfi_device_telling){.each = each};
    wfi_array(device, &t->say, n);
    wfi_array(device, &t->said, 1);
    wfi_array_within(device, &t->sorted, n * words);
    wfi_array_within(device, &t->heard, heard * words);
    wfi_array(device, &t->cut, ranks + 1);
    wfi_array(device, &t->place, ranks);
    wfi_array_within(host, &t->sorted_here, n * words);
    wfi_array_within(host, &t->heard_here, heard * words);
    wfi_array(host, &t->go, ranks + 1);
    wfi_array(host, &t->come, ranks + 1);
}

weft_status wfi_device_telling_begin(weft_ctx *ctx, const wfi_spread *s, wfi_device_telling *t) {
    size_t ranks = (size_t)s->comm->link.size;
    weft_status st = wfi_upload(ctx, t->cut, s->part[0].cut, (ranks + 1) * sizeof *t->cut);
    return st ? st : wfi_device_fill(ctx, t->said, 0, sizeof *t->said);
}

/* By the rank that has the vertex; go[r]: where those of rank r begin, in items. */
static weft_status sort_by_rank(weft_ctx *ctx, const wfi_spread *s, wfi_device_telling *t, void *of, uint64_t rest,
                                bool keep) {
    int ranks = s->comm->link.size;
    size_t bytes = (size_t)ranks * sizeof *t->place;
    uint64_t said = 0, sum = 0;
    weft_status st = wfi_download(ctx, &said, t->said, sizeof said);
    if (!st) st = wfi_device_fill(ctx, t->said, 0, sizeof said);
    if (st || !said) return st;
    t->told = said;
    st = wfi_device_fill(ctx, t->place, 0, bytes);
    if (!st) st = wfi_said_count(ctx, t->say, said, t->cut, ranks, t->place);
    if (!st) st = wfi_download(ctx, t->go, t->place, bytes);
    if (st) return st;
    for (int r = 0; r < ranks; r++) {
        uint64_t count = t->go[r];
        t->go[r] = sum;
        sum += count;
    }
    t->go[ranks] = sum;
    st = wfi_upload(ctx, t->place, t->go, bytes);
    if (!st)
        st = wfi_said_sort(ctx, t->say, said, t->cut, ranks, t->place, (unsigned)(t->each / sizeof(uint32_t)), of, rest,
                           keep, t->sorted);
    return st;
}

weft_status wfi_device_tell(weft_ctx *ctx, const wfi_spread *s, weft_status mine, wfi_device_telling *t, void *of,
                            uint64_t rest, bool keep) {
    int ranks = s->comm->link.size;
    memset(t->go, 0, ((size_t)ranks + 1) * sizeof *t->go);
    t->told = 0;
    if (!mine) mine = sort_by_rank(ctx, s, t, of, rest, keep);
    if (mine) memset(t->go, 0, ((size_t)ranks + 1) * sizeof *t->go);
    for (int r = 0; r <= ranks; r++) t->go[r] *= t->each;
    t->heard_count = 0;
    weft_status st = wfi_receive_starts(ctx, t->go, t->come);
    if (!st)
        st = wfi_device_alltoall(ctx, mine, (wfi_staged){t->sorted, t->sorted_here}, t->go,
                                 (wfi_staged){t->heard, t->heard_here}, t->come);
    if (!st) t->heard_count = t->come[ranks] / t->each;
    return st;
}
