/* Statistics of a distributed graph, by collective reductions and a gathered histogram: see share.h. */
#include "core/comm.h"
#include "core/scan.h"
#include "graph/ranks/share.h"

#include <stdlib.h>
#include <string.h>

/* Vertices whose in-degrees are counted in one turn, and the maximum number of turns: each turn scans all arcs. */
enum { AT_ONCE = 1 << 22, MOST_TURNS = 16 };

typedef struct count {
    uint64_t degree, rows;
} count;

static int by_degree(const void *a, const void *b) {
    const count *x = a, *y = b;
    return (x->degree > y->degree) - (x->degree < y->degree);
}

/* Merges equal degrees; returns the number of remaining entries. */
static size_t merge(count *list, size_t length) {
    size_t kept = 0;
    for (size_t i = 0; i < length; i++) {
        if (kept && list[kept - 1].degree == list[i].degree)
            list[kept - 1].rows += list[i].rows;
        else
            list[kept++] = list[i];
    }
    return kept;
}

static weft_status count_here(weft_ctx *ctx, const weft_graph *g, count **list, size_t *length) {
    wfi_range mine = g->share->owned;
    size_t rows = mine.end - mine.first;
    uint64_t *degree = NULL;
    weft_status st = wfi_alloc(ctx, &degree, rows);
    if (!st) st = wfi_alloc(ctx, list, rows);
    for (size_t k = 0; !st && k < rows; k++) degree[k] = wfi_degree(&g->out, mine.first + (weft_vid)k);
    if (!st) st = wfi_sort_u64(ctx, degree, rows);
    for (size_t k = 0; !st && k < rows; k++) (*list)[k] = (count){degree[k], 1};
    if (!st) *length = merge(*list, rows);
    wfi_free(degree);
    return st;
}

weft_status wfi_share_distribution(weft_ctx *ctx, const weft_graph *g, uint64_t **degree, uint64_t **rows,
                                   size_t *length) {
    size_t ranks = (size_t)wfi_ranks(ctx), here = 0;
    count *list = NULL, *all = NULL;
    uint64_t *start = NULL;
    *degree = *rows = NULL;
    weft_status st = count_here(ctx, g, &list, &here);
    if (!st) st = wfi_alloc(ctx, &start, 2 * ranks + 1);
    st = wfi_agree(ctx, st);
    if (!st) st = wfi_allgather_u64(ctx, here, start + ranks + 1);
    if (st) goto done;
    start[0] = 0;
    for (size_t r = 0; r < ranks; r++) start[r + 1] = start[r] + start[ranks + 1 + r] * sizeof *list;
    size_t total = (size_t)(start[ranks] / sizeof *list);
    st = wfi_agree(ctx, wfi_alloc(ctx, &all, total));
    if (st) goto done;
    if (here) memcpy((char *)all + start[wfi_rank(ctx)], list, here * sizeof *list);
    st = wfi_allgather(ctx, all, start);
    if (st) goto done;
    qsort(all, total, sizeof *all, by_degree);
    *length = merge(all, total);
    st = wfi_alloc(ctx, degree, *length);
    if (!st) st = wfi_alloc(ctx, rows, *length);
    for (size_t i = 0; !st && i < *length; i++) {
        (*degree)[i] = all[i].degree;
        (*rows)[i] = all[i].rows;
    }
    st = wfi_agree(ctx, st);
done:
    WFI_FREE(list, all, start);
    return st;
}

weft_status wfi_share_incoming(weft_ctx *ctx, const weft_graph *g, uint64_t *isolated, uint64_t *most) {
    wfi_range mine = g->share->owned;
    wfi_slice targets = wfi_share_targets(g);
    const weft_vid *target = (const weft_vid *)(const void *)targets.at;
    uint64_t arcs = targets.bytes / sizeof *target, *in = NULL, alone = 0, largest = 0;
    uint64_t window = wfi_max_u64(AT_ONCE, (uint64_t)g->n / MOST_TURNS + 1);
    weft_status st = wfi_agree(ctx, wfi_alloc(ctx, &in, (size_t)wfi_min_u64(window, g->n)));
    for (uint64_t low = 0; !st && low < g->n; low += window) {
        uint64_t high = wfi_min_u64(low + window, g->n);
        memset(in, 0, (size_t)(high - low) * sizeof *in);
        for (uint64_t e = 0; e < arcs; e++)
            if (target[e] - low < high - low) in[target[e] - low]++;
        if (wfi_cancelled(ctx)) st = wfi_fail_cancelled(ctx);
        st = wfi_agree(ctx, st);
        if (!st) st = wfi_allreduce(ctx, in, (size_t)(high - low), WFI_SUM);
        for (uint64_t v = low; !st && v < high; v++) {
            largest = wfi_max_u64(largest, in[v - low]);
            alone += v >= mine.first && v < mine.end && !in[v - low] && !wfi_degree(&g->out, (weft_vid)v);
        }
    }
    if (!st) st = wfi_allreduce(ctx, &alone, 1, WFI_SUM);
    *isolated = alone;
    *most = largest;
    wfi_free(in);
    return st;
}

/* Order-preserving bijection between doubles and whole numbers. */
static uint64_t ordered(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

static double back(uint64_t bits) {
    double x;
    bits = bits >> 63 ? bits & ~((uint64_t)1 << 63) : ~bits;
    memcpy(&x, &bits, sizeof x);
    return x;
}

weft_status wfi_share_weight_range(weft_ctx *ctx, const weft_graph *g, double *min, double *max) {
    wfi_slice weights = wfi_share_weights(g);
    uint64_t arcs = weights.bytes / wfi_weight_bytes(g->weight_type), low = UINT64_MAX, high = 0;
    for (uint64_t e = 0; e < arcs; e++) {
        uint64_t w = ordered(wfi_weight_at(g->weight_type, weights.at, e));
        low = wfi_min_u64(low, w);
        high = wfi_max_u64(high, w);
    }
    weft_status st = wfi_allreduce(ctx, &low, 1, WFI_MIN);
    if (!st) st = wfi_allreduce(ctx, &high, 1, WFI_MAX);
    *min = back(low);
    *max = back(high);
    return st;
}
