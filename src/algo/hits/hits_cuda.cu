/* HITS, GPU.  The method and the bits are those of hits_cpu.c; here is only what differs.
 * Work: half an iteration is three kernels: shares from the values of one side; shares pulled along the arcs
 * (shared/pull/pull.cuh); the values of the other side settled from the sums, which are left cleared.  The host looks
 * at the change after each iteration.  Encoding: everything is by vertex. */
#include "algo/hits/hits.h"
#include "shared/pull/pull.cuh"

#include <cub/block/block_reduce.cuh>
#include <math.h>
#include <stdio.h>

enum { THREADS = 256, MOST_BLOCKS = 1 << 12, WARP = 32 };

namespace {

typedef unsigned long long word;

/* Sums over all vertices, in two limbs each. */
struct totals {
    word change[2], given[2];
};

/* Hubs or authorities, as in hits_cpu.c. */
struct side {
    wfi_view rows;
    double *value;
    double *sums; /* NULL = row lengths */
    totals *all;
    double up, unit; /* 2^scale, and 2^62 / 2^scale */

    __device__ double row_sum(weft_vid v) const {
        return sums ? sums[v] : (double)(rows.offsets[(uint64_t)v + 1] - rows.offsets[v]);
    }
};

struct run {
    weft_ctx *ctx;
    const weft_graph *g;
    const weft_hits_params *p;
    side hubs, authorities;
    double *share;
    word *sum;               /* two limbs a vertex */
    word *most, *bad;        /* the largest sum of a row, as bits; the first arc whose weight cannot be used */
    double *hub, *authority; /* the columns */
};

} // namespace

__device__ static uint64_t this_thread(void) { return blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; }
__device__ static uint64_t all_threads(void) { return (uint64_t)gridDim.x * blockDim.x; }

/* --- kernels ------------------------------------------------------------------------- */

__global__ static void add_weights(side s, weft_weight_type type, weft_vid n, word *bad) {
    for (uint64_t v = this_thread() / WARP; v < n; v += all_threads() / WARP) {
        double sum = wfi_warp_row_sum(s.rows, type, (weft_vid)v, bad);
        if (threadIdx.x % WARP == 0) s.sums[v] = sum;
    }
}

/* Doubles of 0 or more are in the order of their bits. */
__global__ static void find_most(side s, weft_vid n, word *most) {
    typedef cub::BlockReduce<double, THREADS> reduce;
    __shared__ typename reduce::TempStorage room;
    double mine = 0;
    for (uint64_t v = this_thread(); v < n; v += all_threads()) mine = fmax(mine, s.row_sum((weft_vid)v));
    double of_block = reduce(room).Reduce(mine, [](double a, double b) { return a < b ? b : a; });
    if (threadIdx.x == 0) atomicMax(most, (word)__double_as_longlong(of_block));
}

/* Over the block, then to `place`.  All threads of the block. */
__device__ static void hand_in(const wfi_sum<double> &mine, word *place) {
    typedef cub::BlockReduce<word, THREADS> reduce;
    __shared__ typename reduce::TempStorage room[2];
    word whole = reduce(room[0]).Sum(mine.whole), rest = reduce(room[1]).Sum(mine.rest);
    if (threadIdx.x == 0 && (whole || rest)) {
        atomicAdd(place, whole);
        atomicAdd(place + 1, rest);
    }
    __syncthreads();
}

__global__ static void begin_values(side hubs, side authorities, weft_vid n, double value) {
    wfi_sum<double> given;
    for (uint64_t v = this_thread(); v < n; v += all_threads()) {
        hubs.value[v] = authorities.value[v] = value;
        given.add(value * (hubs.row_sum((weft_vid)v) * hubs.unit));
    }
    hand_in(given, hubs.all->given);
}

/* Nobody reads the totals of `to` before they are added up again. */
__global__ static void make_shares(side from, side to, weft_vid n, double *share) {
    double factor = WFI_DEVICE_ONE / (wfi_sum<double>::from(from.all->given).value() * from.up);
    if (this_thread() == 0) *to.all = totals();
    for (uint64_t v = this_thread(); v < n; v += all_threads()) share[v] = from.value[v] * factor;
}

__global__ static void settle_values(side to, weft_vid n, word *sum) {
    wfi_sum<double> change, given;
    for (uint64_t v = this_thread(); v < n; v += all_threads()) {
        double came = wfi_sum<double>::from(sum + 2 * v).value(), old = to.value[v];
        sum[2 * v] = sum[2 * v + 1] = 0;
        to.value[v] = came;
        change.add_part(fabs(came - old));
        given.add(came * (to.row_sum((weft_vid)v) * to.unit));
    }
    hand_in(change, to.all->change);
    hand_in(given, to.all->given);
}

/* --- the run -------------------------------------------------------------------------- */

static void lay_out(wfi_workspace *space, wfi_workspace *device, const weft_graph *g, const weft_hits_params *p,
                    run *r) {
    uint64_t n = g->n;
    wfi_column(space, "hub", WEFT_F64, n, &r->hub);
    wfi_column(space, "authority", WEFT_F64, n, &r->authority);
    wfi_array(device, &r->hubs.value, n);
    wfi_array(device, &r->authorities.value, n);
    wfi_array(device, &r->share, n);
    wfi_array(device, &r->sum, 2 * n);
    wfi_array(device, &r->hubs.all, 1);
    wfi_array(device, &r->authorities.all, 1);
    wfi_array(device, &r->most, 1);
    wfi_array(device, &r->bad, 1);
    if (!p->weights) return;
    wfi_array(device, &r->hubs.sums, n);
    r->authorities.sums = r->hubs.sums;
    if (g->directed) wfi_array(device, &r->authorities.sums, n);
}

/* The sum of the weights in each row, and the scale. */
static weft_status measure_rows(run *r, side *s, bool weights) {
    weft_ctx *ctx = r->ctx;
    cudaStream_t stream = wfi_cuda_stream(ctx);
    wfi_kernel_scope stage(ctx, "weights");
    weft_vid n = r->g->n;
    word most, bad;
    double largest;
    int scale;
    WFI_CUDA(cudaMemsetAsync(r->most, 0, sizeof most, stream));
    WFI_CUDA(cudaMemsetAsync(r->bad, 0xff, sizeof bad, stream));
    if (weights)
        add_weights<<<wfi_grid((uint64_t)n * WARP, THREADS, 1 << 16), THREADS, 0, stream>>>(*s, r->g->weight_type, n,
                                                                                            r->bad);
    find_most<<<wfi_grid(n, THREADS, MOST_BLOCKS), THREADS, 0, stream>>>(*s, n, r->most);
    weft_status st = wfi_download(ctx, &most, r->most, sizeof most);
    if (!st) st = wfi_download(ctx, &bad, r->bad, sizeof bad);
    if (st) return st;
    if (bad != ~0ull) return wfi_refuse_share(ctx, "hits", r->g, bad);
    memcpy(&largest, &most, sizeof largest);
    (void)frexp(largest, &scale);
    s->up = ldexp(1, scale);
    s->unit = ldexp(WFI_DEVICE_ONE, -scale);
    return WEFT_OK;
}

static weft_status begin(run *r, double value) {
    weft_ctx *ctx = r->ctx;
    weft_vid n = r->g->n;
    cudaStream_t stream = wfi_cuda_stream(ctx);
    WFI_CUDA(cudaMemsetAsync(r->hubs.all, 0, sizeof *r->hubs.all, stream));
    WFI_CUDA(cudaMemsetAsync(r->sum, 0, 2 * sizeof *r->sum * n, stream));
    begin_values<<<wfi_grid(n, THREADS, MOST_BLOCKS), THREADS, 0, stream>>>(r->hubs, r->authorities, n, value);
    return WEFT_OK;
}

template <class Arcs> static void pull_along(run *r, const side &to, Arcs arcs) {
    weft_vid n = r->g->n;
    wfi_pull_visitor<double, Arcs> visit = {r->share, r->sum, 0, arcs};
    wfi_walk<weft_eid><<<wfi_walk_blocks(r->g->arcs), WFI_WALK_THREADS, 0, wfi_cuda_stream(r->ctx)>>>(
        to.rows.offsets, (const weft_vid *)NULL, (uint64_t)n, to.rows.targets, (weft_eid)0, (weft_eid)0, r->g->arcs,
        visit);
}

/* New values of `to` from those of `from`. */
static void pull_all(run *r, const side &from, const side &to) {
    weft_vid n = r->g->n;
    cudaStream_t stream = wfi_cuda_stream(r->ctx);
    unsigned blocks = wfi_grid(n, THREADS, MOST_BLOCKS);
    make_shares<<<blocks, THREADS, 0, stream>>>(from, to, n, r->share);
    if (r->p->weights)
        pull_along(r, to, wfi_arcs_weighted{to.rows.targets, to.rows.weights, r->g->weight_type});
    else
        pull_along(r, to, wfi_arcs_alike{});
    settle_values<<<blocks, THREADS, 0, stream>>>(to, n, r->sum);
}

/* A settled pair, as a number. */
static double value_of(const word sum[2]) {
    word rest = sum[1] & ((1ull << 30) - 1), whole = sum[0] + (sum[1] >> 30);
    return (double)whole * 0x1p-62 + (double)rest * 0x1p-92;
}

static weft_status iterate(run *r, uint64_t *done, double *residual) {
    weft_ctx *ctx = r->ctx;
    const weft_hits_params *p = r->p;
    wfi_kernel_scope stage(ctx, "iterations");
    uint64_t most = p->iterations ? p->iterations : p->max_iterations;
    totals hubs, authorities;
    weft_status st = begin(r, 1 / (double)r->g->n);
    if (!st) st = wfi_download(ctx, &hubs, r->hubs.all, sizeof hubs);
    if (st) return st;
    bool settled = !(value_of(hubs.given) > 0);
    if (settled) st = begin(r, 0);
    while (!st && *done < most && !settled) {
        if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        wfi_progress(ctx, "hubs and authorities", *done, most);
        pull_all(r, r->hubs, r->authorities);
        pull_all(r, r->authorities, r->hubs);
        st = wfi_download(ctx, &authorities, r->authorities.all, sizeof authorities);
        if (!st) st = wfi_download(ctx, &hubs, r->hubs.all, sizeof hubs);
        if (st) return st;
        *residual = fmax(value_of(authorities.change), value_of(hubs.change));
        settled = !p->iterations && *residual <= p->tolerance;
        ++*done;
    }
    return st ? st : wfi_cuda_sync(ctx);
}

extern "C" weft_status wfi_hits_run_cuda(wfi_job *job) {
    weft_ctx *ctx = job->ctx;
    const weft_graph *g = job->g;
    const weft_hits_params *p = (const weft_hits_params *)job->params;
    run r = {};
    uint64_t iterations = 0;
    double residual = 0;
    r.ctx = ctx;
    r.g = g;
    r.p = p;
    weft_status st = wfi_mirror_out(ctx, g, &r.hubs.rows);
    if (!st) st = wfi_mirror_in(ctx, g, &r.authorities.rows);
    if (!st) st = wfi_open_device(job);
    if (st) return st;
    lay_out(job->space, job->device, g, p, &r);
    st = job->space->status ? job->space->status : job->device->status;
    if (!st && g->n) st = measure_rows(&r, &r.hubs, p->weights);
    if (!st && g->n) st = measure_rows(&r, &r.authorities, p->weights && g->directed);
    if (!st && g->n) st = iterate(&r, &iterations, &residual);
    wfi_copy column[] = {{r.hub, r.hubs.value, g->n * sizeof *r.hub},
                         {r.authority, r.authorities.value, g->n * sizeof *r.authority}};
    if (!st) st = wfi_deliver_all(ctx, column, 2);
    return st ? st : wfi_hits_scalars(ctx, p, iterations, residual, job->result);
}

extern "C" void wfi_hits_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    run r = {};
    (void)ctx;
    choice->method = "pull";
    snprintf(choice->reason, sizeof choice->reason, "%s",
             g->directed ? "the incoming rows are made on the GPU if they are not at hand"
                         : "undirected: the rows serve both directions");
    wfi_mirror_declare(&choice->device, g, WFI_OUT_ROWS | WFI_IN_ROWS);
    lay_out(&choice->space, &choice->device, g, (const weft_hits_params *)params, &r);
}
