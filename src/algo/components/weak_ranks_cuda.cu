/* See weak_ranks_cuda.h. */
#include "algo/components/forest.cuh"
#include "algo/components/weak_ranks_cuda.h"
#include "cuda/launch.cuh"

weft_status wfi_forest_hang(weft_ctx *ctx, wfi_view rows, weft_vid first, weft_vid *parent) {
    return wfi_each(ctx, rows.count, [=] __device__(uint64_t k) {
        weft_eid e = rows.offsets[k] - rows.base, end = rows.offsets[k + 1] - rows.base;
        weft_vid v = first + (weft_vid)k, under = e < end ? rows.targets[e] : v;
        parent[v] = under < v ? under : v;
    });
}

weft_status wfi_forest_note_roots(weft_ctx *ctx, weft_vid n, const weft_vid *parent, uint32_t *root) {
    return wfi_each(ctx, n, [=] __device__(uint64_t v) { root[v] = parent[v] == v; });
}

weft_status wfi_forest_join_first(weft_ctx *ctx, wfi_view rows, weft_vid first, unsigned arcs, weft_vid *parent) {
    return wfi_each(ctx, rows.count, [=] __device__(uint64_t k) {
        weft_eid e = rows.offsets[k] - rows.base, end = rows.offsets[k + 1] - rows.base;
        for (unsigned i = 0; i < arcs && e < end; i++, e++) wfi_join(parent, first + (weft_vid)k, rows.targets[e]);
    });
}

weft_status wfi_forest_join_rows(weft_ctx *ctx, wfi_view rows, weft_vid first, weft_vid *parent) {
    return wfi_each_warp(ctx, rows.count, [=] __device__(uint64_t k, unsigned lane, unsigned lanes) {
        weft_eid e = rows.offsets[k] - rows.base + lane, end = rows.offsets[k + 1] - rows.base;
        for (; e < end; e += lanes) wfi_join(parent, first + (weft_vid)k, rows.targets[e]);
    });
}

weft_status wfi_forest_flatten(weft_ctx *ctx, weft_vid n, weft_vid *parent) {
    return wfi_each(ctx, n, [=] __device__(uint64_t v) { wfi_hang_below_root(parent, (weft_vid)v); });
}

weft_status wfi_forest_list(weft_ctx *ctx, weft_vid n, weft_vid *parent, const uint32_t *root, weft_vid *pairs,
                            uint64_t *listed) {
    return wfi_each(ctx, n, [=] __device__(uint64_t v) {
        if (!root[v] || parent[v] == v) return;
        uint64_t at = wfi_claim(listed);
        if (!pairs) return;
        pairs[2 * at] = (weft_vid)v;
        pairs[2 * at + 1] = wfi_hang_below_root(parent, (weft_vid)v);
    });
}

weft_status wfi_forest_join_pairs(weft_ctx *ctx, const weft_vid *pairs, uint64_t count, weft_vid *parent) {
    return wfi_each(ctx, count, [=] __device__(uint64_t i) { wfi_join(parent, pairs[2 * i], pairs[2 * i + 1]); });
}

weft_status wfi_forest_join_all(weft_ctx *ctx, weft_vid n, const weft_vid *other, weft_vid *parent) {
    return wfi_each(ctx, n, [=] __device__(uint64_t v) { wfi_join(parent, (weft_vid)v, other[v]); });
}

weft_status wfi_forest_measure(weft_ctx *ctx, weft_vid n, const weft_vid *parent, uint32_t *size, uint64_t *found) {
    weft_status st = wfi_each(ctx, n, [=] __device__(uint64_t v) {
        if (parent[v] == v) wfi_claim(found);
        atomicAdd(size + parent[v], 1u);
    });
    if (st) return st;
    unsigned long long *most = (unsigned long long *)found + 1;
    return wfi_each(ctx, n, [=] __device__(uint64_t v) {
        if (size[v] > 1 || v == 0) atomicMax(most, (unsigned long long)(size[v] ? size[v] : 1u));
    });
}
