/* Synchronous label propagation, GPU.  The answer is labelprop_cpu.c's, byte for byte, and so is what ends a run early.
 * Method: a step is labelprop_count.cu's; the host reads what it changed and decides.  Once few vertices change, only
 * their neighbours are counted again. */
#include "algo/labelprop/labelprop_count.h"
#include "algo/labelprop/labelprop.h"
#include "cuda/mirror.cuh"
#include "cuda/walk.cuh"
#include "cuda/warp.cuh"

#include <stdio.h>

enum { THREADS = 256, MOST_BLOCKS = 4096 };

namespace {

struct run {
    const weft_graph *g;
    wfi_view out, in;
    wfi_label_counter c;
    uint8_t *active;
    unsigned long long *found; /* communities */
    weft_vid *now, *next;      /* labels: after `done` steps, and one before */
    uint64_t done;
    bool repeats;
};

} // namespace

static uint64_t all_arcs(const weft_graph *g) { return g->directed ? 2 * g->arcs : g->arcs; }

/* --- who is counted again ------------------------------------------------------------------- */

__global__ static void __launch_bounds__(THREADS)
    mark_neighbours(wfi_view rows, weft_vid n, const weft_vid *before, const weft_vid *now, uint8_t *active) {
    for (uint64_t base = (uint64_t)blockIdx.x * THREADS; base < n; base += (uint64_t)gridDim.x * THREADS) {
        uint64_t v = base + threadIdx.x;
        bool changed = v < n && before[v] != now[v];
        weft_eid e = changed ? rows.offsets[v] : 0, end = changed ? rows.offsets[v + 1] : 0;
        wfi_expand_rows<THREADS>(rows.targets, (weft_vid)v, e, end, [=](weft_vid, weft_vid u) { active[u] = 1; });
    }
}

static weft_status mark_active(weft_ctx *ctx, const run *r, const weft_vid *before, const weft_vid *now) {
    weft_vid n = r->g->n;
    unsigned blocks = wfi_grid(n, THREADS, MOST_BLOCKS);
    WFI_CUDA(cudaMemsetAsync(r->active, 0, n, wfi_cuda_stream(ctx)));
    mark_neighbours<<<blocks, THREADS, 0, wfi_cuda_stream(ctx)>>>(r->out, n, before, now, r->active);
    if (r->g->directed) mark_neighbours<<<blocks, THREADS, 0, wfi_cuda_stream(ctx)>>>(r->in, n, before, now, r->active);
    return WEFT_OK;
}

/* --- the run ---------------------------------------------------------------------------------- */

__global__ static void begin_labels(weft_vid *now, weft_vid *next, weft_vid n) {
    for (uint64_t v = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; v < n; v += (uint64_t)gridDim.x * blockDim.x)
        now[v] = next[v] = (weft_vid)v;
}

__global__ static void mark_labels(const weft_vid *label, weft_vid n, weft_vid *mark) {
    for (uint64_t v = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; v < n; v += (uint64_t)gridDim.x * blockDim.x)
        mark[label[v]] = 1;
}

__global__ static void __launch_bounds__(THREADS)
    count_marks(const weft_vid *mark, weft_vid n, unsigned long long *to) {
    unsigned mine = 0;
    for (uint64_t v = blockIdx.x * (uint64_t)THREADS + threadIdx.x; v < n; v += (uint64_t)gridDim.x * THREADS)
        mine += mark[v];
    mine = wfi_warp_sum(mine);
    if (threadIdx.x % 32 == 0 && mine) atomicAdd(to, (unsigned long long)mine);
}

static weft_status count_communities(weft_ctx *ctx, const run *r, const weft_vid *label, weft_vid *mark,
                                     uint64_t *count) {
    weft_vid n = r->g->n;
    unsigned blocks = wfi_grid(n, THREADS, MOST_BLOCKS);
    weft_status st = wfi_zero(ctx, r->found, 1);
    if (st) return st;
    wfi_kernel_scope stage(ctx, "iterations");
    WFI_CUDA(cudaMemsetAsync(mark, 0, n * sizeof *mark, wfi_cuda_stream(ctx)));
    mark_labels<<<blocks, THREADS, 0, wfi_cuda_stream(ctx)>>>(label, n, mark);
    count_marks<<<blocks, THREADS, 0, wfi_cuda_stream(ctx)>>>(mark, n, r->found);
    return wfi_download(ctx, count, r->found, sizeof *count);
}

static void lay_out(wfi_workspace *device, const weft_graph *g, bool giants, run *r) {
    r->c.n = r->c.vertices = g->n;
    r->c.directed = g->directed;
    wfi_label_counter_lay_out(device, all_arcs(g), giants, &r->c);
    wfi_array(device, &r->found, 1);
    wfi_array_within(device, &r->active, g->n);
}

static weft_status open_run(wfi_job *job, run *r) {
    weft_ctx *ctx = job->ctx;
    const weft_graph *g = r->g;
    weft_status st = wfi_mirror_out(ctx, g, &r->out);
    if (!st && g->directed) st = wfi_mirror_in(ctx, g, &r->in);
    if (!st) st = wfi_open_device(job);
    if (!st) lay_out(job->device, g, job->choice->variant, r);
    if (!st) st = job->device->status;
    if (st) return st;
    r->c.out = r->out;
    r->c.in = r->in;
    r->c.out_arcs = g->arcs;
    return wfi_label_counter_begin(ctx, &r->c);
}

static weft_status spread(weft_ctx *ctx, run *r, uint64_t steps) {
    weft_vid n = r->g->n;
    const uint8_t *active = NULL;
    wfi_kernel_scope stage(ctx, "iterations");
    begin_labels<<<wfi_grid(n, THREADS, MOST_BLOCKS), THREADS, 0, wfi_cuda_stream(ctx)>>>(r->now, r->next, n);
    while (r->done < steps && !r->repeats) {
        wfi_label_tally t = {};
        const wfi_label_step step = {r->now, r->next, active, !r->done};
        wfi_progress(ctx, "spreading labels", r->done, steps);
        if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        weft_status st = wfi_label_counter_step(ctx, &r->c, &step, &t);
        if (st) return st;
        weft_vid *before = r->now;
        r->now = r->next;
        r->next = before;
        r->done++;
        r->repeats = !t.changed || (r->done > 1 && !t.differs);
        bool few = t.volume < all_arcs(r->g) / 4;
        if (r->done < steps && !r->repeats && few) st = mark_active(ctx, r, before, r->now);
        active = few ? r->active : NULL;
        if (st) return st;
    }
    return WEFT_OK;
}

static weft_status finish(wfi_job *job, uint64_t done, uint64_t communities) {
    weft_status st = wfi_result_scalar_u64(job->ctx, job->result, "communities", communities);
    return st ? st : wfi_result_scalar_u64(job->ctx, job->result, "iterations", done);
}

extern "C" weft_status wfi_labelprop_cuda(wfi_job *job) {
    weft_ctx *ctx = job->ctx;
    weft_vid n = job->g->n, *label;
    uint64_t steps = ((const weft_labelprop_params *)job->params)->max_iterations, communities = 0;
    run r = {};
    r.g = job->g;
    wfi_column(job->space, "label", WEFT_VERTEX, n, &label);
    weft_status st = job->space->status;
    if (st) return st;
    if (!n) return finish(job, steps ? 1 : 0, 0); /* of an empty graph the first step changes nothing */
    st = open_run(job, &r);
    r.now = r.c.label[0];
    r.next = r.c.label[1];
    if (!st) st = spread(ctx, &r, steps);
    if (st) return st;
    /* now holds step `done`, next the one before; from here on they would alternate. */
    weft_vid *last = r.repeats && (steps - r.done) % 2 ? r.next : r.now;
    st = wfi_deliver(ctx, label, last, n * sizeof *label);
    if (!st) st = count_communities(ctx, &r, last, last == r.now ? r.next : r.now, &communities);
    return st ? st : finish(job, r.done, communities);
}

/* Of a directed graph without a transpose it is not known who is pointed at. */
static bool may_have_giants(const weft_ctx *ctx, const weft_graph *g) {
    const wfi_view *back = g->directed ? wfi_in_at_hand(g) : NULL;
    bool giants = g->directed && !back;
    if (all_arcs(g) <= wfi_label_giant()) return false;
#pragma omp parallel for schedule(static) reduction(|| : giants) num_threads(wfi_threads_for(ctx, g->n, 1 << 20))
    for (weft_vid v = 0; v < g->n; v++)
        giants = giants || wfi_degree(&g->out, v) + (back ? wfi_degree(back, v) : 0) > wfi_label_giant();
    return giants;
}

extern "C" void wfi_labelprop_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params,
                                        wfi_choice *choice) {
    run r = {};
    weft_vid *label;
    (void)params;
    choice->variant = may_have_giants(ctx, g);
    choice->method = "synchronous counting";
    snprintf(choice->reason, sizeof choice->reason, "%s; labels are compared by lanes or counted in tables, by degree",
             !g->directed ? "undirected: one row a vertex" : "directed: both directions count");
    wfi_column(&choice->space, "label", WEFT_VERTEX, g->n, &label);
    wfi_mirror_declare(&choice->device, g, g->directed ? WFI_OUT_ROWS | WFI_IN_ROWS : WFI_OUT_ROWS);
    lay_out(&choice->device, g, choice->variant, &r);
}
