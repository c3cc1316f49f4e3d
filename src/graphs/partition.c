/* Labels to communities. Method: a stable radix sort of the members by label; equal labels become adjacent. */
#include "graphs/partition.h"
#include "core/scan.h"

static weft_status number(weft_ctx *ctx, const uint64_t *label, uint64_t members, wfi_partition *p) {
    uint64_t count = 0;
    for (uint64_t i = 0; i < members; i++) count += !i || label[i] != label[i - 1];
    p->count = count;
    weft_status st = wfi_alloc(ctx, &p->start, (size_t)count + 1);
    if (st) return st;
    count = 0;
    for (uint64_t i = 0; i < members; i++) {
        if (!i || label[i] != label[i - 1]) p->start[count++] = i;
        p->community[p->order[i]] = (uint32_t)(count - 1);
        if (i % WFI_POLL_EVERY == 0 && wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
    }
    p->start[count] = members;
    return WEFT_OK;
}

weft_status wfi_partition_of(weft_ctx *ctx, const uint32_t *labels, uint64_t members, wfi_partition *p) {
    uint64_t *label = NULL;
    weft_status st = wfi_alloc(ctx, &label, (size_t)members);
    if (!st) st = wfi_alloc(ctx, &p->order, (size_t)members);
    for (uint64_t i = 0; i < members && !st; i++) {
        label[i] = labels[i];
        p->order[i] = (uint32_t)i;
    }
    if (!st) st = wfi_sort_pairs(ctx, label, p->order, (size_t)members, 32);
    if (!st) st = wfi_alloc(ctx, &p->community, (size_t)members);
    if (!st) st = number(ctx, label, members, p);
    wfi_free(label);
    return st;
}

void wfi_partition_free(wfi_partition *p) {
    wfi_free(p->community);
    wfi_free(p->order);
    wfi_free(p->start);
    *p = (wfi_partition){0};
}
