/* clustering, GPU.  The sums over triangles are exact integers (cuda/triangles.cu where every edge counts once, here for directed
 * graphs); one division makes the coefficient, as on the CPU.
 * Directed: a warp for each u; for each v in its row the shorter of both rows is gone through, and each entry looked for in the
 * other by bisection.  What the corners u and v get is gathered in registers, what w gets is added where it is met. */
#include "algo/clustering/clustering_cuda.h"
#include "cuda/triangles.cuh"
#include "graph/oriented.h"

#include <stddef.h>

namespace {

enum { THREADS = 256, MOST_BLOCKS = 1024, WARP = 32, ROWS_AT_ONCE = 1 << 16 };

typedef unsigned long long count;

/* The same as wfi_clustering_totals. */
struct totals {
    count triangles, wedges, upper, lower;
};
static_assert(sizeof(totals) == sizeof(wfi_clustering_totals) && offsetof(totals, lower) == offsetof(wfi_clustering_totals, lower),
              "totals are brought to the host as they are");

struct view {
    const weft_eid *offsets;
    const weft_vid *targets;
    const uint8_t *arcs;
};

__device__ count sum_of_warp(count x) {
    for (int far = WARP / 2; far; far /= 2) x += __shfl_xor_sync(~0u, x, far);
    return x;
}

/* The place of w among begin ... end-1, or end. */
__device__ weft_eid place_in(const weft_vid *targets, weft_eid begin, weft_eid end, weft_vid w) {
    weft_eid low = begin, high = end;
    while (low < high) {
        weft_eid mid = low + (high - low) / 2;
        if (targets[mid] < w)
            low = mid + 1;
        else
            high = mid;
    }
    return low < end && targets[low] == w ? low : end;
}

/* What a triangle gives to its corners, by the arcs on its sides. */
struct gain {
    unsigned u, v, w;
};

__device__ gain gain_of(bool fagiolo, unsigned uv, unsigned uw, unsigned vw) {
    unsigned product = uv * uw * vw;
    return fagiolo ? gain{product, product, product} : gain{vw, uw, uv};
}

__global__ void __launch_bounds__(THREADS)
    add_rows(view o, const weft_vid *rows, unsigned end, bool fagiolo, count *sums, totals *all) {
    unsigned lane = threadIdx.x % WARP;
    count triangles = 0;
    for (unsigned at = (blockIdx.x * THREADS + threadIdx.x) / WARP; at < end; at += gridDim.x * THREADS / WARP) {
        weft_vid u = rows[at];
        weft_eid begin = o.offsets[u], length = o.offsets[u + 1] - begin;
        count at_u = 0;
        for (weft_eid i = 1; i < length; i++) {
            weft_vid v = o.targets[begin + i];
            unsigned uv = o.arcs[begin + i];
            weft_eid other = o.offsets[v], other_length = o.offsets[v + 1] - other;
            bool mine = i <= other_length; /* only entries before v can be in its row */
            weft_eid walk = mine ? begin : other, steps = mine ? i : other_length;
            weft_eid look = mine ? other : begin, look_end = mine ? other + other_length : begin + i;
            count at_v = 0;
            for (weft_eid k = lane; k < steps; k += WARP) {
                weft_vid w = o.targets[walk + k];
                weft_eid place = place_in(o.targets, look, look_end, w);
                if (place == look_end) continue;
                unsigned here = o.arcs[walk + k], there = o.arcs[place];
                gain g = gain_of(fagiolo, uv, mine ? here : there, mine ? there : here);
                at_u += g.u;
                at_v += g.v;
                atomicAdd(&sums[w], (count)g.w);
                triangles++;
            }
            at_v = sum_of_warp(at_v);
            if (lane == 0 && at_v) atomicAdd(&sums[v], at_v);
        }
        at_u = sum_of_warp(at_u);
        if (lane == 0 && at_u) atomicAdd(&sums[u], at_u);
    }
    triangles = sum_of_warp(triangles);
    if (lane == 0 && triangles) atomicAdd(&all->triangles, triangles);
}

struct finishing {
    const weft_vid *vertex;
    const uint32_t *degree, *mutual;
    weft_vid n;
    bool directed, fagiolo;
};

__device__ double coefficient(const finishing &f, weft_vid r, count sum) {
    count d = f.degree[r], numerator = f.directed ? sum : 2 * sum, denominator = d * (d - 1);
    if (!sum) return 0;
    if (f.directed && f.fagiolo) {
        count both = f.mutual[r], ends = d + both;
        denominator = ends * (ends - 1) - 2 * both;
    }
    return __ddiv_rn(__ull2double_rn(numerator), __ull2double_rn(denominator));
}

__global__ void __launch_bounds__(THREADS) divide(finishing f, const count *sums, double *column, totals *all) {
    totals mine = {0, 0, 0, 0};
    for (uint64_t r = blockIdx.x * (uint64_t)THREADS + threadIdx.x; r < f.n; r += (uint64_t)gridDim.x * THREADS) {
        double c = coefficient(f, (weft_vid)r, sums[r]);
        count fixed = __double2ull_rz(c * 4611686018427387904.0 /* 2^62 */), d = f.degree[r];
        column[f.vertex[r]] = c;
        mine.triangles += f.directed ? 0 : sums[r];
        mine.wedges += d ? d * (d - 1) / 2 : 0;
        mine.upper += fixed >> WFI_HALF;
        mine.lower += fixed & ((1ull << WFI_HALF) - 1);
    }
    mine = {sum_of_warp(mine.triangles), sum_of_warp(mine.wedges), sum_of_warp(mine.upper), sum_of_warp(mine.lower)};
    if (threadIdx.x % WARP) return;
    if (mine.triangles) atomicAdd(&all->triangles, mine.triangles);
    if (mine.wedges) atomicAdd(&all->wedges, mine.wedges);
    if (mine.upper) atomicAdd(&all->upper, mine.upper);
    if (mine.lower) atomicAdd(&all->lower, mine.lower);
}

weft_status add_directed(weft_ctx *ctx, const wfi_oriented_rows *o, bool fagiolo, count *sums, totals *all) {
    view v = {o->offsets.data, o->targets.data, o->arcs.data};
    unsigned rows = o->tiny + o->few + o->many;
    wfi_kernel_scope stage(ctx, "iterations");
    for (unsigned done = 0, some; done < rows; done += some) {
        some = (unsigned)wfi_min_u64(rows - done, ROWS_AT_ONCE);
        wfi_progress(ctx, "counting triangles", done, rows);
        if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        add_rows<<<wfi_grid((uint64_t)some * WARP, THREADS, 1 << 16), THREADS, 0, wfi_cuda_stream()>>>(
            v, o->rows.data + done, some, fagiolo, sums, all);
        weft_status st = wfi_cuda_sync(ctx);
        if (st) return st;
    }
    return WEFT_OK;
}

} // namespace

extern "C" weft_status wfi_clustering_cuda(weft_ctx *ctx, const weft_graph *g, weft_directed_mode mode,
                                           double *coefficients, wfi_clustering_totals *result) {
    const wfi_oriented_rows *o = NULL;
    bool fagiolo = mode == WEFT_DIRECTED_FAGIOLO;
    wfi_buffer<count> sums;
    wfi_buffer<double> column;
    wfi_buffer<totals> all;
    weft_status st = wfi_mirror_oriented(ctx, g, g->directed, &o);
    if (!st) st = sums.take_zeroed(ctx, g->n);
    if (!st) st = column.take(ctx, g->n);
    if (!st) st = all.take_zeroed(ctx, 1);
    if (!st && g->directed) st = add_directed(ctx, o, fagiolo, sums.data, all.data);
    if (!st && !g->directed) st = wfi_count_triangles_cuda(ctx, o, sums.data);
    if (st) return st;
    {
        finishing f = {o->vertex.data, o->degree.data, o->mutual.data, g->n, g->directed, fagiolo};
        wfi_kernel_scope stage(ctx, "iterations");
        divide<<<wfi_grid(g->n, THREADS, MOST_BLOCKS), THREADS, 0, wfi_cuda_stream()>>>(f, sums.data, column.data,
                                                                                        all.data);
        st = wfi_download(ctx, result, all.data, sizeof *result);
    }
    if (!g->directed) result->triangles /= 3;
    return st ? st : wfi_download(ctx, coefficients, column.data, (size_t)g->n * sizeof *coefficients);
}

extern "C" uint64_t wfi_clustering_cuda_bytes(const weft_graph *g) {
    wfi_mirror_cost view = wfi_mirror_oriented_cost(g, g->directed);
    uint64_t edges = wfi_oriented_estimate(g), scratch = g->directed ? 0 : wfi_count_triangles_cuda_bytes(g->n, edges);
    return wfi_max_u64(view.peak, view.kept + 16ull * g->n + scratch);
}
