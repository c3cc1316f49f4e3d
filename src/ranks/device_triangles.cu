/* See device_kernels.h.  Wedge check by binary search: a warp has an edge u -> v, and each lane looks a target of row u
 * up in row v, which ascends. */
#include "core/search.h"
#include "cuda/launch.cuh"
#include "cuda/walk.cuh"
#include "ranks/device_kernels.h"

typedef unsigned long long word;

enum { ONE = 0, OPPOSITE, PRODUCT }; /* wfi_triangle_rule */

struct side {
    const weft_vid *at;
    const uint8_t *arcs;
    uint64_t length;
};

/* Row v; without length, if it is not among these. */
__device__ static inline side row_of(const wfi_wedges &c, weft_vid v, bool fetched) {
    if (!fetched) {
        if (v < c.first || v >= c.end) return {NULL, NULL, 0};
        weft_eid from = c.offsets[v - c.first], to = c.offsets[v - c.first + (uint64_t)1];
        return {c.target + from, c.arcs ? c.arcs + from : NULL, to - from};
    }
    uint64_t i = wfi_place_of(c.want, (uint64_t)0, c.fetched, v);
    if (i == c.fetched) return {NULL, NULL, 0};
    return {c.rows + c.at[i], c.arcs ? c.rows_arcs + c.at[i] : NULL, c.length[i]};
}

__device__ static inline void add(uint64_t *place, uint64_t value) {
    if (value) atomicAdd((word *)place, (word)value);
}

weft_status wfi_close_wedges(weft_ctx *ctx, const wfi_wedges *given, wfi_wedge_range range) {
    wfi_wedges c = *given;
    return wfi_each_warp(ctx, range.count, [=] __device__(uint64_t edge, unsigned lane, unsigned lanes) {
        uint64_t i = range.low + edge;
        weft_vid v = (weft_vid)wfi_row_among(c.group, range.from, range.to - 1, i), k = c.from[i];
        side row = row_of(c, v, range.fetched);
        uint64_t uv = c.arcs ? c.from_arcs[i] : 1, at_u = 0, at_v = 0, triangles = 0;
        if (!row.length) return;
        for (weft_eid e = c.offsets[k] + lane; e < c.offsets[k + (uint64_t)1]; e += lanes) {
            weft_vid w = c.target[e];
            uint64_t place = wfi_place_of(row.at, (uint64_t)0, row.length, w);
            if (place == row.length) continue;
            uint64_t vw = row.arcs ? row.arcs[place] : 1, uw = c.arcs ? c.arcs[e] : 1, all = uv * vw * uw;
            add(&c.sums[w], c.rule == ONE ? 1 : c.rule == OPPOSITE ? uv : all);
            at_u += c.rule == ONE ? 1 : c.rule == OPPOSITE ? vw : all;
            at_v += c.rule == ONE ? 1 : c.rule == OPPOSITE ? uw : all;
            triangles++;
        }
        add(&c.sums[c.first + k], at_u);
        add(&c.sums[v], at_v);
        add(c.found, triangles);
    });
}
