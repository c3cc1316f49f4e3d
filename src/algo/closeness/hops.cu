/* Sums of hops on the GPU (near_cuda.h), by many searches at once.
 * Method: as hops.c.  Searches from all sources: a vertex adds up how many reach it at each distance, a sum for each
 * group of searches.  Searches that go back from the vertices that are asked for: each lane of a group counts what it
 * reaches.  A warp counts 32 lanes in each of its own, in planes of bits, a block in shared memory, the grid once a
 * level; bits that are few are counted one by one.
 * Encoding: lane i of a group is bit i % 32 of the word of lane i / 32; its count stands at i % 32 * 32 + i / 32, so
 * that a warp counts in 32 banks. */
#include "algo/closeness/near_cuda.h"
#include "engines/msbfs/msbfs_order.h"
#include "engines/msbfs/search.cuh"

namespace {

using msbfs::lane_of;
using msbfs::LANES;
using msbfs::WARP;

enum { PLANES = 8, MOST_ROWS = (1 << PLANES) - 1, FEW_BITS = 2 };

/* --- what comes to vertices ------------------------------------------------------------------ */

struct at_vertices {
    wfi_closeness_sum *at; /* of items */
    bool harmonic;
    wfi_closeness_wide each;

    __device__ void start() {}
    __device__ void begin(const msbfs::state &, uint64_t) {}
    __device__ void level(unsigned distance) { each = wfi_closeness_worth(harmonic, distance); }
    __device__ void fresh(uint64_t item, uint32_t bits) {
        uint32_t count = wfi_warp_sum((uint32_t)__popc(bits));
        if (lane_of() == 0) wfi_closeness_add(&at[item], each, count);
    }
    __device__ void over(unsigned) {}
    __device__ void after(unsigned) {}
    __device__ void end(const msbfs::state &, uint64_t) {}
};

/* --- what comes to lanes --------------------------------------------------------------------- */

__device__ unsigned *block_counts() {
    __shared__ unsigned held[LANES];
    return held;
}

struct at_lanes {
    wfi_closeness_sum *at;  /* of lanes */
    unsigned *count[2];     /* of a level, in turn; 0 otherwise */
    const uint8_t *counted; /* vertices that count; NULL: all */
    double *value;
    wfi_closeness_scale scale;
    wfi_closeness_wide each;
    uint32_t plane[PLANES];
    unsigned rows; /* in the planes */

    __device__ void start() {
        for (unsigned i = threadIdx.x; i < LANES; i += blockDim.x) block_counts()[i] = 0;
        clear();
        __syncthreads();
    }
    __device__ void begin(const msbfs::state &, uint64_t) {
        for (uint64_t i = wfi_thread(); i < LANES; i += wfi_all_threads()) at[i] = {0, 0};
    }
    __device__ void level(unsigned distance) { each = wfi_closeness_worth(scale.harmonic, distance); }

    __device__ void fresh(uint64_t item, uint32_t bits) {
        if (counted && !counted[item]) return;
        if (wfi_warp_max((uint32_t)__popc(bits)) <= FEW_BITS) {
            for (; bits; bits &= bits - 1) atomicAdd(&block_counts()[(__ffs((int)bits) - 1) * WARP + lane_of()], 1u);
            __syncwarp();
            return;
        }
#pragma unroll
        for (int p = 0; p < PLANES; p++) {
            uint32_t both = plane[p] & bits;
            plane[p] ^= bits;
            bits = both;
        }
        if (++rows == MOST_ROWS) flush();
    }
    __device__ void over(unsigned round) {
        if (rows) flush();
        __syncthreads();
        for (unsigned i = threadIdx.x; i < LANES; i += blockDim.x) {
            unsigned here = block_counts()[i];
            if (!here) continue;
            atomicAdd(&(round & 1 ? count[1] : count[0])[i], here);
            block_counts()[i] = 0;
        }
        __syncthreads();
    }
    __device__ void after(unsigned round) {
        unsigned *all = round & 1 ? count[1] : count[0];
        for (uint64_t i = wfi_thread(); i < LANES; i += wfi_all_threads()) {
            unsigned here = __ldcg(&all[i]);
            if (!here) continue;
            wfi_closeness_add(&at[i], each, here);
            all[i] = 0;
        }
    }
    __device__ void end(const msbfs::state &s, uint64_t first) {
        for (uint64_t i = wfi_thread(); i < LANES; i += wfi_all_threads()) {
            uint64_t lane = i % WARP * 32 + i / WARP;
            if (lane < msbfs::lanes_of(s, first)) value[s.order[first + lane]] = wfi_closeness_value_of(scale, at[i]);
        }
    }

  private:
    __device__ void clear() {
        rows = 0;
#pragma unroll
        for (int p = 0; p < PLANES; p++) plane[p] = 0;
    }
    __device__ void flush() {
        for (unsigned b = 0; b < 32; b++) {
            unsigned has = 0;
#pragma unroll
            for (int p = 0; p < PLANES; p++) has |= (plane[p] >> b & 1) << p;
            if (has) atomicAdd(&block_counts()[b * WARP + lane_of()], has);
        }
        clear();
    }
};

/* --- the run ------------------------------------------------------------------------------------- */

struct arrays {
    uint8_t *wanted; /* on the host: scratch, and where searches begin */
    weft_vid *order;
    double *value; /* on the GPU */
    uint8_t *valued, *counted;
    wfi_closeness_sum *at;
    unsigned *count[2];
    msbfs::state s;
};

} // namespace

/* The values at the beginning, and of vertices by the sums of all groups. */
__global__ static void begin_values(weft_vid n, const uint8_t *valued, double none, double *value) {
    for (uint64_t v = wfi_thread(); v < n; v += wfi_all_threads()) value[v] = !valued || valued[v] ? 0 : none;
}

__global__ static void tell_vertices(weft_vid n, unsigned groups, wfi_closeness_scale scale,
                                     const wfi_closeness_sum *at, const uint8_t *valued, double *value) {
    for (uint64_t v = wfi_thread(); v < n; v += wfi_all_threads()) {
        if (valued && !valued[v]) continue;
        wfi_closeness_sum all = {0, 0};
        for (unsigned k = 0; k < groups; k++) {
            all.sum += at[(uint64_t)k * n + v].sum;
            all.reached += at[(uint64_t)k * n + v].reached;
        }
        value[v] = wfi_closeness_value_of(scale, all);
    }
}

static void lay_out(wfi_workspace *space, wfi_workspace *device, const wfi_closeness *t, arrays *a) {
    bool back = wfi_closeness_goes_back(t);
    weft_vid n = t->g->n;
    uint64_t most = wfi_closeness_hops_most(t);
    unsigned groups = back ? 1 : msbfs::groups_for(n, most);
    wfi_array(space, &a->wanted, n);
    wfi_array_within(space, &a->order, most);
    wfi_array(device, &a->value, n);
    wfi_array(device, &a->valued, t->of ? n : 0);
    wfi_array(device, &a->counted, t->sources ? n : 0);
    wfi_array(device, &a->at, back ? (uint64_t)LANES : (uint64_t)n * groups);
    for (size_t i = 0; i < 2; i++) wfi_array(device, &a->count[i], back ? (uint64_t)LANES : 0);
    msbfs::lay_out(device, n, t->g->arcs, most, groups, &a->s);
}

extern "C" void wfi_closeness_hops_space_cuda(wfi_workspace *space, wfi_workspace *device, const wfi_closeness *t) {
    arrays a;
    lay_out(space, device, t, &a);
}

/* Where searches begin.  Rows that the host may not have are not asked: then some find nothing. */
static uint64_t begin(weft_ctx *ctx, const wfi_closeness *t, bool back, const arrays *a) {
    wfi_stage_scope stage(ctx, "relabel");
    const weft_graph *g = t->g;
    const weft_vid *list = back ? t->of : t->sources;
    uint64_t count = back ? t->of_count : t->source_count;
    bool along_out = (back ? t->back : t->along) == &g->out;
    memset(a->wanted, !list, g->n);
    for (uint64_t i = 0; list && i < count; i++) a->wanted[list[i]] = 1;
    for (weft_vid v = 0; along_out && v < g->n; v++) a->wanted[v] &= g->out.offsets[v] < g->out.offsets[v + 1];
    return wfi_msbfs_order(ctx, &g->out, LANES, a->wanted, a->order);
}

static weft_status search(weft_ctx *ctx, const wfi_closeness *t, const wfi_view *along, const wfi_view *back,
                          const arrays *a, uint64_t count) {
    wfi_closeness_scale scale = wfi_closeness_scale_of(t);
    const uint8_t *valued = t->of ? a->valued : NULL;
    weft_vid n = t->g->n;
    msbfs::state s = a->s;
    unsigned flat = wfi_grid(n, 256, 4096);
    wfi_kernel_scope stage(ctx, "iterations");
    begin_values<<<flat, 256, 0, wfi_cuda_stream(ctx)>>>(n, valued, NAN, a->value);
    if (wfi_closeness_goes_back(t)) {
        at_lanes lanes = {a->at, {a->count[0], a->count[1]}, t->sources ? a->counted : NULL, a->value, scale, 0, {0},
                          0};
        weft_status st = wfi_zero(ctx, a->count[0], LANES);
        if (!st) st = wfi_zero(ctx, a->count[1], LANES);
        return st ? st : msbfs::run(ctx, &s, back, along, a->order, count, t->name, lanes);
    }
    weft_status st = wfi_zero(ctx, a->at, (size_t)n * s.groups);
    if (!st) st = msbfs::run(ctx, &s, along, back, a->order, count, t->name, at_vertices{a->at, t->harmonic, 0});
    if (st) return st;
    tell_vertices<<<flat, 256, 0, wfi_cuda_stream(ctx)>>>(n, s.groups, scale, a->at, valued, a->value);
    WFI_CUDA_OR_RETURN(cudaGetLastError());
    return WEFT_OK;
}

extern "C" weft_status wfi_closeness_by_hops_cuda(weft_ctx *ctx, const wfi_closeness *t, const wfi_view *along,
                                                  const wfi_view *back, wfi_workspace *space, wfi_workspace *device) {
    arrays a = {};
    weft_vid n = t->g->n;
    lay_out(space, device, t, &a);
    weft_status st = space->status ? space->status : device->status;
    if (st || !n) return st;
    if (t->of) st = wfi_upload(ctx, a.valued, t->valued, n);
    if (!st && t->sources) st = wfi_upload(ctx, a.counted, t->counted, n);
    if (st) return st;
    uint64_t count = begin(ctx, t, wfi_closeness_goes_back(t), &a);
    st = search(ctx, t, along, back, &a, count);
    return st ? st : wfi_closeness_deliver(ctx, t, a.value);
}
