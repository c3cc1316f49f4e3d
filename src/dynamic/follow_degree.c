/* degree, followed: the lengths of the adjacency rows. */
#include "dynamic/follow.h"
#include "weft/degree.h"

static const char *declines(const weft_tracker *t) {
    const weft_degree_params *p = t->params;
    return p->mode == WEFT_SIDE_OUT || p->mode == WEFT_SIDE_IN || p->strength
               ? "only plain degrees, in and out, are followed"
               : NULL;
}

static weft_status table(weft_ctx *ctx, const uint64_t *total, weft_vid n, weft_result *r) {
    uint64_t most = 0, *count = NULL, *degree = NULL, *times = NULL;
    size_t distinct = 0;
    for (weft_vid v = 0; v < n; v++) most = wfi_max_u64(most, total[v]);
    weft_status st = wfi_alloc_zeroed(ctx, &count, most + 1);
    for (weft_vid v = 0; v < n && !st; v++) distinct += !count[total[v]]++;
    if (!st) st = wfi_alloc(ctx, &degree, distinct);
    if (!st) st = wfi_alloc(ctx, &times, distinct);
    for (uint64_t d = 0, at = 0; d <= most && !st; d++)
        if (count[d]) degree[at] = d, times[at++] = count[d];
    if (!st) st = wfi_add_table(ctx, r, "degree", WEFT_U64, distinct, degree);
    if (!st) st = wfi_add_table(ctx, r, "count", WEFT_U64, distinct, times);
    if (!st) st = wfi_add_u64(ctx, r, "max_degree", most);
    WFI_FREE(count, degree, times);
    return st;
}

static weft_status answer(weft_ctx *ctx, weft_tracker *t, const wfi_slot_map *map, weft_result *r) {
    const wfi_adjacency *l = wfi_adjacency_of(t);
    weft_vid n = t->d->store->newest->live;
    uint64_t *in = NULL, *out = NULL, *total = NULL;
    weft_status st = wfi_alloc(ctx, &in, n);
    if (!st) st = wfi_alloc(ctx, &out, n);
    if (!st) st = wfi_alloc(ctx, &total, n);
    for (weft_vid v = 0; v < n && !st; v++) {
        weft_vid slot = wfi_slot_of(map, v);
        in[v] = l->in[slot].count;
        out[v] = l->out[slot].count;
        total[v] = l->directed ? in[v] + out[v] : out[v];
    }
    if (!st) st = wfi_add_column(ctx, r, "in", WEFT_U64, n, in);
    if (!st) st = wfi_add_column(ctx, r, "out", WEFT_U64, n, out);
    if (!st) st = wfi_add_column(ctx, r, "total", WEFT_U64, n, total);
    if (!st) st = table(ctx, total, n, r);
    WFI_FREE(in, out, total);
    return st;
}

const wfi_follower wfi_follow_degree = {.change_cost = 20, .declines = declines, .answer = answer};
