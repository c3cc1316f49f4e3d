/* Row group on the GPU (group_tables.cuh): its arrays, and what a run begins with.
 * Method: rows are listed by their kind, within a kind about ascending, so that rows that stand together are read
 * together. */
#include "engines/fixed_sums/fixed_sums.cuh"
#include "ops/gpu.h"
#include "ops/group_tables.cuh"

using namespace wfi_group_tables;

enum { LIST_THREADS = 1024, THREADS = 256, MOST_BLOCKS = 1 << 14 };
static const weft_eid LEAST_HUB = 1024; /* where tables are small, longer rows are hubs */

extern "C" void wfi_group_lay_out_gpu(wfi_workspace *device, const weft_graph *g, weft_vid mine, wfi_row_group *group) {
    uint64_t arcs = g->directed ? 2 * g->arcs : g->arcs, hubs = wfi_min_u64(mine, arcs / LEAST_HUB);
    uint64_t parts = 2 * hubs + 4 * arcs / WFI_GROUP_TABLE_LEAST_SLOTS; /* of a hub 2, or 4 degrees / slots */
    wfi_array(device, &group->rows, mine);
    wfi_array(device, &group->tallies, WFI_GROUP_TABLE_TALLIES);
    wfi_array(device, &group->cursor, wfi_max_u64(WFI_GROUP_KINDS, 1 + hubs));
    wfi_array_within(device, &group->part, parts);
    wfi_array_within(device, &group->best, 2 * parts);
}

__device__ static int kind_of(weft_eid degree) {
    if (degree <= 4) return degree == 0 ? -1 : UP_TO_4;
    if (degree <= 2048) return UP_TO_4 + 30 - __clz((int)degree - 1); /* the next power of two decides */
    return degree <= 4096 ? UP_TO_4096 : HUBS;
}

/* How many rows there are of each kind, or, where cursors say where each begins, which. */
__global__ static void __launch_bounds__(LIST_THREADS)
    list_rows(wfi_view out, wfi_view in, unsigned long long *cursor, weft_vid *list) {
    __shared__ unsigned here[WFI_GROUP_KINDS];
    __shared__ unsigned long long base[WFI_GROUP_KINDS];
    for (uint64_t from = blockIdx.x * (uint64_t)LIST_THREADS; from < out.count;
         from += (uint64_t)gridDim.x * LIST_THREADS) {
        uint64_t k = from + threadIdx.x;
        int kind = k < out.count ? kind_of(wfi_group_degree(&out, in.offsets ? &in : NULL, (weft_vid)k)) : -1;
        if (threadIdx.x < WFI_GROUP_KINDS) here[threadIdx.x] = 0;
        __syncthreads();
        unsigned peers = __match_any_sync(~0u, kind), lane = threadIdx.x % 32, at = 0;
        int leader = __ffs((int)peers) - 1;
        if (kind >= 0 && (int)lane == leader) at = atomicAdd(&here[kind], (unsigned)__popc(peers));
        at = __shfl_sync(~0u, at, leader) + (unsigned)__popc(peers & ((1u << lane) - 1));
        __syncthreads();
        if (threadIdx.x < WFI_GROUP_KINDS && here[threadIdx.x])
            base[threadIdx.x] = atomicAdd(&cursor[threadIdx.x], (unsigned long long)here[threadIdx.x]);
        __syncthreads();
        if (list && kind >= 0) list[base[kind] + at] = (weft_vid)k;
        __syncthreads();
    }
}

static weft_status list_by_kind(wfi_ops *o, const wfi_view &in, wfi_row_group *group) {
    weft_ctx *ctx = o->ctx;
    cudaStream_t stream = wfi_cuda_stream(ctx);
    unsigned long long *cursor = (unsigned long long *)group->cursor, count[WFI_GROUP_KINDS], begin[WFI_GROUP_KINDS];
    unsigned blocks = wfi_grid(o->mine, LIST_THREADS, MOST_BLOCKS);
    WFI_CUDA_OR_RETURN(cudaMemsetAsync(cursor, 0, sizeof count, stream));
    list_rows<<<blocks, LIST_THREADS, 0, stream>>>(*o->out, in, cursor, NULL);
    weft_status st = wfi_download(ctx, count, cursor, sizeof count);
    for (unsigned long long k = 0, at = 0; k < WFI_GROUP_KINDS && !st; at += count[k++]) {
        begin[k] = at;
        group->begin[k] = (uint32_t)at;
        group->count[k] = (uint32_t)count[k];
    }
    if (!st) st = wfi_upload(ctx, cursor, begin, sizeof begin);
    if (st) return st;
    list_rows<<<blocks, LIST_THREADS, 0, stream>>>(*o->out, in, cursor, group->rows);
    WFI_CUDA_OR_RETURN(cudaGetLastError());
    return WEFT_OK;
}

/* How large tables can be.  What a kind of rows has no room for is left to the next one. */
static void choose_tables(wfi_ops *o, wfi_row_group *group) {
    int room = wfi_gpu_of(o->ctx)->shared_memory;
    group->table_slots = WFI_GROUP_TABLE_SLOTS;
    group->allowed = false;
    while ((int)group->table_slots * slot_bytes(group->wide) + 2048 > room) group->table_slots /= 2;
    if (group->table_slots >= 2 * MANY_THREADS * MANY_CELLS) return;
    group->begin[HUBS] = group->begin[UP_TO_4096];
    group->count[HUBS] += group->count[UP_TO_4096];
    group->count[UP_TO_4096] = 0;
}

/* to: bits of the largest sum of a row's weights, and the first arc whose weight cannot be used; a warp a row. */
__global__ static void widest_row(wfi_view out, wfi_view in, unsigned long long *to) {
    uint64_t warps = (uint64_t)gridDim.x * THREADS / WARP;
    for (uint64_t k = (blockIdx.x * (uint64_t)THREADS + threadIdx.x) / WARP; k < out.count; k += warps) {
        double sum = wfi_warp_row_sum(out, out.type, (weft_vid)k, &to[1]);
        if (in.offsets) sum += wfi_warp_row_sum(in, in.type, (weft_vid)k, &to[2]);
        if (this_lane() == 0 && wfi_op_bits(sum) > *(volatile unsigned long long *)to) atomicMax(to, wfi_op_bits(sum));
    }
}

static weft_status find_widest(wfi_ops *o, const char *algorithm, const weft_graph *g, const wfi_view &in,
                               wfi_row_group *group, double *widest) {
    weft_ctx *ctx = o->ctx;
    unsigned long long here[3] = {0, ~0ull, ~0ull}, *there = (unsigned long long *)group->cursor;
    weft_status st = wfi_upload(ctx, there, here, sizeof here);
    if (st) return st;
    widest_row<<<wfi_grid((uint64_t)o->mine * WARP, THREADS, MOST_BLOCKS), THREADS, 0, wfi_cuda_stream(ctx)>>>(
        *o->out, in, there);
    st = wfi_download(ctx, here, there, sizeof here);
    *widest = wfi_op_real(here[0]);
    return st || here[1] == ~0ull ? st : wfi_refuse_share(ctx, algorithm, g, here[1]);
}

weft_status wfi_group_begin_gpu(wfi_ops *o, const char *algorithm, const weft_graph *g, wfi_row_group *group,
                                double *widest) {
    weft_ctx *ctx = o->ctx;
    const wfi_view none = {}, in = o->in == o->out ? none : *o->in;
    weft_status st = WEFT_OK;
    WFI_CUDA_OR_RETURN(
        cudaMemsetAsync(group->tallies, 0, WFI_GROUP_TABLE_TALLIES * sizeof *group->tallies, wfi_cuda_stream(ctx)));
    if (o->mine && group->wide) st = find_widest(o, algorithm, g, in, group, widest);
    if (o->mine && !st) st = list_by_kind(o, in, group);
    if (!st) choose_tables(o, group);
    return st;
}
