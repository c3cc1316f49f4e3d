/* k-cores, GPU.  The answer is that of kcore_cpu.c: core numbers are unique.
 * Method: neighbours are counted as row lengths less loops and repetitions; then peeling in rounds of rising k [1],
 * every round in waves (kcore_peel.cuh), all of it in one cooperative kernel, which returns now and then so that a run
 * can be stopped.
 * [1] Kabir, Madduri, "Parallel k-core decomposition on multicore platforms", IPDPSW 2017. */
#include "algo/kcore/kcore.h"
#include "algo/kcore/kcore_peel.cuh"
#include "cuda/buffers.cuh"
#include "cuda/walk.cuh"
#include "weft/kcore.h"

#include <cub/device/device_select.cuh>
#include <stdio.h>
#include <thrust/iterator/counting_iterator.h>

using namespace kcore;

enum {
    FLAT_THREADS = 256,
    MOST_BLOCKS = 4096,
    /* Arcs a vertex: a graph with fewer has long chains and short rows, which a single warp may as well follow. */
    FEW_ARCS = 6,
    PATIENCE = 40000 /* cycles, about 20 us */
};

namespace {

struct at_least {
    const uint32_t *core;
    uint64_t k;
    __device__ bool operator()(weft_vid v) const { return core[v] >= k; }
};

/* The arrays besides those of peeling. */
struct arrays {
    unsigned long long *repeated;
    unsigned *found; /* members */
    char *scratch;
};

/* Subtracts loops and repetitions from the row lengths. */
struct find_passed {
    kcore_rows rows, out;
    bool incoming;
    uint32_t *core;
    unsigned long long *repeated; /* number of arcs that repeat another */

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

static weft_status count_neighbours(weft_ctx *ctx, const weft_graph *g, kcore_peel *p, unsigned long long *repeated) {
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

static weft_status peel_all(weft_ctx *ctx, const weft_graph *g, kcore_peel *p, const arrays *a, uint64_t *degeneracy) {
    const void *kernel = g->directed ? (const void *)peel_kernel<true> : (const void *)peel_kernel<false>;
    kcore_state s = {};
    kcore_counters none[TURNS] = {{0, 0, 0, ~0u}, {0, 0, 0, ~0u}, {0, 0, 0, ~0u}};
    int sms = wfi_gpu_of(ctx)->sms, fit = 0;
    void *args[] = {p};
    wfi_kernel_scope stage(ctx, "iterations");
    WFI_CUDA_OR_RETURN(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, kernel, THREADS, 0));
    weft_status st = count_neighbours(ctx, g, p, a->repeated);
    s.left = g->n;
    if (!st) st = wfi_upload(ctx, p->turns, none, sizeof none);
    if (!st) st = wfi_upload(ctx, p->at, &s, sizeof s);
    while (!st && !s.done) {
        wfi_progress(ctx, "peel", g->n - s.left, g->n);
        if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        WFI_CUDA_OR_RETURN(cudaLaunchCooperativeKernel(kernel, dim3(wfi_grid(g->n, THREADS, (unsigned)(sms * fit))),
                                                       dim3(THREADS), args, 0, wfi_cuda_stream(ctx)));
        st = wfi_download(ctx, &s, p->at, sizeof s);
    }
    *degeneracy = s.degeneracy;
    return st;
}

/* The queue is finished: its memory is reused for the list of members. */
static weft_status add_members(wfi_job *job, const kcore_peel *p, const arrays *a, uint64_t k) {
    weft_ctx *ctx = job->ctx;
    unsigned count = 0;
    size_t bytes = wfi_cub_scan_bytes(p->n);
    if (k && p->n) {
        wfi_kernel_scope stage(ctx, "iterations");
        thrust::counting_iterator<weft_vid> all(0);
        at_least wanted = {p->core, k};
        WFI_CUDA_OR_RETURN(cub::DeviceSelect::If(a->scratch, bytes, all, p->queue, a->found, (int64_t)p->n, wanted,
                                                 wfi_cuda_stream(ctx)));
        weft_status st = wfi_download(ctx, &count, a->found, sizeof count);
        if (st) return st;
    }
    weft_vid *members = (weft_vid *)wfi_grow(job->space, count, sizeof *members);
    if (!members) return WEFT_ENOMEM;
    weft_status st = wfi_column_of_grown(job->space, "members", WEFT_VERTEX, count, members);
    return st || !count ? st : wfi_deliver(ctx, members, p->queue, count * sizeof *members);
}

static void lay_out(wfi_workspace *device, weft_vid n, uint64_t k, kcore_peel *p, arrays *a) {
    p->n = n;
    wfi_array(device, &p->core, n);
    wfi_array_within(device, &p->queue, n);
    wfi_array(device, &p->turns, TURNS);
    wfi_array(device, &p->at, 1);
    wfi_array(device, &a->repeated, 1);
    uint64_t peeling = wfi_mark(device);
    for (size_t i = 0; i < 2; i++) wfi_array_within(device, &p->left[i], n);
    wfi_rewind(device, peeling);
    wfi_array(device, &a->found, k ? 1 : 0);
    wfi_array_within(device, &a->scratch, k ? wfi_cub_scan_bytes(n) : 0);
}

extern "C" weft_status wfi_kcore_cuda(wfi_job *job) {
    weft_ctx *ctx = job->ctx;
    const weft_graph *g = job->g;
    uint64_t k = ((const weft_kcore_params *)job->params)->k, degeneracy = 0;
    arrays a = {};
    kcore_peel p = {};
    uint32_t *core;
    wfi_kcore_columns(job->space, g->n, k, &core);
    weft_status st = job->space->status;
    wfi_view out = {}, in = {};
    if (!st && g->n) st = wfi_mirror_out(ctx, g, &out);
    if (!st && g->n && g->directed) st = wfi_mirror_in(ctx, g, &in);
    p.out = {out.offsets, out.targets};
    p.in = {in.offsets, in.targets};
    if (!st) st = wfi_open_device(job);
    if (!st) lay_out(job->device, g->n, k, &p, &a);
    if (!st) st = job->device->status;
    p.patience = g->arcs < FEW_ARCS * (weft_eid)g->n ? PATIENCE : 0;
    if (!st && g->n) st = wfi_zero(ctx, a.repeated, 1);
    if (!st && g->n) st = peel_all(ctx, g, &p, &a, &degeneracy);
    if (!st && g->n) st = wfi_deliver(ctx, core, p.core, g->n * sizeof *core);
    if (!st) st = add_members(job, &p, &a, k);
    return st ? st : wfi_result_scalar_u64(ctx, job->result, "degeneracy", degeneracy);
}

extern "C" void wfi_kcore_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    uint64_t k = ((const weft_kcore_params *)params)->k;
    arrays a;
    kcore_peel p;
    uint32_t *core;
    (void)ctx;
    choice->method = WFI_KCORE_WAVES;
    snprintf(choice->reason, sizeof choice->reason, "%s",
             !g->directed ? "rows list all neighbours"
                          : "directed: incoming arcs count where there is no outgoing one");
    wfi_kcore_columns(&choice->space, g->n, k, &core);
    wfi_mirror_declare(&choice->device, g, g->directed ? WFI_OUT_ROWS | WFI_IN_ROWS : WFI_OUT_ROWS);
    lay_out(&choice->device, g->n, k, &p, &a);
}
