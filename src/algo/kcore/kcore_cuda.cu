/* k-cores, GPU.  The answer is kcore_cpu.c's: core numbers are unique.
 * Method: neighbours are counted, row lengths less loops and repetitions; then peeling in rounds of rising k [1], every round in waves
 * (kcore_peel.cuh), all of it in one cooperative kernel, which is left now and then so that a run can be stopped.
 * [1] Kabir, Madduri, "Parallel k-core decomposition on multicore platforms", IPDPSW 2017. */
#include "algo/kcore/kcore_cuda.h"
#include "algo/kcore/kcore_peel.cuh"
#include "cuda/walk.cuh"

#include <cub/device/device_select.cuh>
#include <stdio.h>
#include <thrust/iterator/counting_iterator.h>

using namespace kcore;

enum {
    FLAT_THREADS = 256,
    MOST_BLOCKS = 4096,
    FEW_ARCS =
        6, /* a vertex: with fewer, a graph has long chains and short rows, which a warp may as well follow by itself */
    PATIENCE = 40000 /* cycles, some 20 us */
};

namespace {

struct at_least {
    const uint32_t *core;
    uint64_t k;
    __device__ bool operator()(weft_vid v) const { return core[v] >= k; }
};

struct arrays {
    wfi_buffer<uint32_t> core;
    wfi_buffer<weft_vid> queue, left[2];
    wfi_buffer<counters> turns;
    wfi_buffer<state> at;
    wfi_buffer<unsigned long long> repeated;
};

/* Takes loops and repetitions off the row lengths. */
struct find_passed {
    wfi_device_rows rows, out;
    bool incoming;
    uint32_t *core;
    unsigned long long *repeated; /* how many arcs repeat another */

    __device__ bool wants(weft_vid) const { return true; }
    __device__ void take(weft_vid v, const weft_vid *arc) const {
        bool again = repeats(incoming, out, v, rows.targets + rows.offsets[v], arc);
        if (again) atomicAdd(repeated, 1ull);
        if (again || *arc == v) atomicSub(&core[v], 1u);
    }
    __device__ void alone(weft_vid v, const weft_vid *arc, unsigned count) const {
        for (unsigned i = 0; i < count; i++) take(v, arc + i);
    }
    __device__ void together(weft_vid v, const weft_vid *arc, unsigned count) const {
        for (unsigned i = threadIdx.x % WFI_WALK_WARP; i < count; i += WFI_WALK_WARP) take(v, arc + i);
    }
};

} // namespace

__global__ static void measure_rows(const weft_eid *out, const weft_eid *in, weft_vid n, uint32_t *core) {
    for (uint64_t v = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; v < n; v += (uint64_t)gridDim.x * blockDim.x)
        core[v] = (uint32_t)(out[v + 1] - out[v] + (in ? in[v + 1] - in[v] : 0));
}

static weft_status count_neighbours(weft_ctx *ctx, const weft_graph *g, peel *p, unsigned long long *repeated) {
    cudaStream_t stream = wfi_cuda_stream(ctx);
    unsigned long long found = 0;
    unsigned blocks = wfi_walk_blocks(g->arcs);
    find_passed forth = {p->out, p->out, false, p->core, repeated}, back = {p->in, p->out, true, p->core, repeated};
    measure_rows<<<wfi_grid(g->n, FLAT_THREADS, MOST_BLOCKS), FLAT_THREADS, 0, stream>>>(
        p->out.offsets, g->directed ? p->in.offsets : NULL, g->n, p->core);
    if (g->arcs)
        wfi_walk<weft_eid>
            <<<blocks, WFI_WALK_THREADS, 0, stream>>>(p->out.offsets, NULL, g->n, p->out.targets, 0, 0, g->arcs, forth);
    if (g->arcs && g->directed)
        wfi_walk<weft_eid>
            <<<blocks, WFI_WALK_THREADS, 0, stream>>>(p->in.offsets, NULL, g->n, p->in.targets, 0, 0, g->arcs, back);
    weft_status st = wfi_download(ctx, &found, repeated, sizeof found);
    p->simple = !found;
    return st;
}

static weft_status peel_all(weft_ctx *ctx, const weft_graph *g, peel *p, const arrays *a, uint64_t *degeneracy) {
    const void *kernel = g->directed ? (const void *)peel_kernel<true> : (const void *)peel_kernel<false>;
    state s = {};
    counters none[TURNS] = {{0, 0, 0, ~0u}, {0, 0, 0, ~0u}, {0, 0, 0, ~0u}};
    int sms = 0, fit = 0;
    void *args[] = {p};
    wfi_kernel_scope stage(ctx, "iterations");
    WFI_CUDA(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, wfi_cuda_index(ctx)));
    WFI_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, kernel, THREADS, 0));
    weft_status st = count_neighbours(ctx, g, p, a->repeated.data);
    s.left = g->n;
    if (!st) st = wfi_upload(ctx, p->turns, none, sizeof none);
    if (!st) st = wfi_upload(ctx, p->at, &s, sizeof s);
    while (!st && !s.done) {
        wfi_progress(ctx, "peel", g->n - s.left, g->n);
        if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        WFI_CUDA(cudaLaunchCooperativeKernel(kernel, dim3(wfi_grid(g->n, THREADS, (unsigned)(sms * fit))),
                                             dim3(THREADS), args, 0, wfi_cuda_stream(ctx)));
        st = wfi_download(ctx, &s, p->at, sizeof s);
    }
    *degeneracy = s.degeneracy;
    return st;
}

static weft_status add_members(weft_ctx *ctx, const peel *p, uint64_t k, weft_result *result) {
    wfi_buffer<char> scratch;
    wfi_buffer<unsigned> found;
    unsigned count = 0;
    size_t bytes = 0;
    weft_vid *members;
    weft_status st = WEFT_OK;
    if (k && p->n) {
        wfi_kernel_scope stage(ctx, "iterations");
        thrust::counting_iterator<weft_vid> all(0);
        at_least wanted = {p->core, k};
        WFI_CUDA(
            cub::DeviceSelect::If(NULL, bytes, all, p->queue, found.data, (int64_t)p->n, wanted, wfi_cuda_stream(ctx)));
        st = scratch.take(ctx, bytes);
        if (!st) st = found.take(ctx, 1);
        if (st) return st;
        WFI_CUDA(cub::DeviceSelect::If(scratch.data, bytes, all, p->queue, found.data, (int64_t)p->n, wanted,
                                       wfi_cuda_stream(ctx)));
        st = wfi_download(ctx, &count, found.data, sizeof count);
    }
    if (!st) st = wfi_result_column(ctx, result, "members", WEFT_VERTEX, count, 2, &members);
    return st || !count ? st : wfi_deliver(ctx, members, p->queue, count * sizeof *members);
}

extern "C" weft_status wfi_kcore_cuda(weft_ctx *ctx, const weft_graph *g, uint64_t k, weft_result *result) {
    arrays a;
    peel p = {};
    uint32_t *core;
    uint64_t degeneracy = 0;
    weft_status st = wfi_result_column(ctx, result, "core", WEFT_U32, g->n, 1, &core);
    if (!st && g->n) st = wfi_mirror_out(ctx, g, &p.out);
    if (!st && g->n && g->directed) st = wfi_mirror_in(ctx, g, &p.in);
    if (!st) st = a.core.take(ctx, g->n);
    if (!st) st = a.queue.take(ctx, g->n);
    if (!st) st = a.left[0].take(ctx, g->n);
    if (!st) st = a.left[1].take(ctx, g->n);
    if (!st) st = a.turns.take(ctx, TURNS);
    if (!st) st = a.at.take(ctx, 1);
    if (!st) st = a.repeated.take_zeroed(ctx, 1);
    p.n = g->n;
    p.core = a.core.data;
    p.queue = a.queue.data;
    p.left[0] = a.left[0].data;
    p.left[1] = a.left[1].data;
    p.turns = a.turns.data;
    p.at = a.at.data;
    p.patience = g->arcs < FEW_ARCS * (weft_eid)g->n ? PATIENCE : 0;
    if (!st && g->n) st = peel_all(ctx, g, &p, &a, &degeneracy);
    if (!st && g->n) st = wfi_deliver(ctx, core, p.core, g->n * sizeof *core);
    if (!st) st = add_members(ctx, &p, k, result);
    return st ? st : wfi_result_scalar_u64(ctx, result, "degeneracy", degeneracy);
}

extern "C" void wfi_kcore_plan_cuda(const weft_graph *g, uint64_t k, wfi_choice *choice) {
    wfi_mirror_cost out = wfi_mirror_out_cost(g), in = g->directed ? wfi_mirror_in_cost(g) : wfi_mirror_cost{0, 0};
    uint64_t kept = !g->directed || wfi_in_at_hand(g) || !in.kept ? out.kept + in.kept : in.kept;
    choice->method = "peel in waves of rising k";
    snprintf(choice->reason, sizeof choice->reason, "%s",
             !g->directed ? "rows list all neighbours"
                          : "directed: incoming arcs count where there is no outgoing one");
    choice->host_bytes = (k ? 8ull : 4ull) * g->n;
    choice->device_bytes = wfi_max_u64(wfi_max_u64(out.peak, in.peak), kept + 16ull * g->n);
}
