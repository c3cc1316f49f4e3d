/* Shortest paths, GPU: the run.  The answer is that of sssp.c.  Integer weights are tried with 32-bit distances; if one
 * overflows, and for fractional weights, distances are the bits of doubles.  The search runs in launches
 * (search_cuda.cu), between which the host shows progress, polls for a request to stop, and restarts queues that
 * overflowed; then come parents (parents_cuda.cu), and distances as doubles.  Rows of light edges (light.cu) are made
 * on first use and kept with the graph.
 * Capacity: an entry a vertex in each queue and pile, and a chunk for every 128 arcs in each list: all vertices that
 * can be unsettled at once always fit. */
#include "algo/sssp/sssp.h"
#include "algo/sssp/sssp_queues.cuh"
#include "cuda/warp.cuh"

#include <string.h>

using namespace wfi_sssp;

/* Every vertex but the source is unreached. */
template <class D> __global__ static void begin_kernel(sssp_search<D> s, weft_vid source, D delta) {
    for (uint64_t v = wfi_thread(); v < s.g.n; v += wfi_all_threads())
        s.distance[v] = v == source ? 0 : wfi_sssp_none<D>();
    if (blockIdx.x || threadIdx.x) return;
    *s.p = {};
    for (int i = 0; i < SETS; i++) s.p->far[i].least = wfi_sssp_none<D>();
    s.near[0][0] = {0, source};
    s.p->at.near = 1;
    s.p->at.delta = delta;
    s.p->at.limit = raised((D)0, delta);
}

/* After an overflow: empties the queues, and puts every vertex that may be unsettled on the pile. */
template <class D> __global__ static void clear_kernel(sssp_search<D> s) {
    sssp_state<D> *at = &s.p->at;
    for (int i = 0; i < SETS; i++) {
        s.p->set[i] = {};
        s.p->far[i] = {0, wfi_sssp_none<D>()};
    }
    at->near = at->pieces = at->trouble = 0;
    at->brief = at->cut_brief = at->weighed = false;
    s.p->far[at->raises % SETS].least = at->low;
}

template <class D> __global__ static void refill_kernel(sssp_search<D> s) {
    pile<D> *p = &s.p->far[s.p->at.raises % SETS];
    entry<D> *far = turn(s.far, s.p->at.raises);
    unsigned lane = wfi_sssp_lane();
    for (uint64_t v = wfi_thread(); v < (uint64_t)s.g.n + lane; v += wfi_all_threads()) {
        D at = v < s.g.n ? s.distance[v] : wfi_sssp_none<D>();
        unsigned open = __ballot_sync(~0u, at != wfi_sssp_none<D>() && at >= s.p->at.low);
        unsigned long long base = 0;
        if (lane == 0 && open) base = atomicAdd(&p->count, (unsigned)__popc(open));
        base = __shfl_sync(~0u, base, 0);
        if (open >> lane & 1) far[base + (unsigned)__popc(open & ((1u << lane) - 1))] = {at, (D)v};
    }
}

/* --- the run ---------------------------------------------------------------------------------- */

namespace {

struct summary {
    unsigned long long reached, farthest, beyond;
};

} // namespace

__device__ static double number_of(uint32_t at) { return at == UINT32_MAX ? __longlong_as_double(0x7ffll << 52) : at; }
__device__ static double number_of(wfi_sssp_bits at) { return __longlong_as_double((long long)at); }

/* Converts distances to doubles; in place if they were doubles. */
template <class D> __global__ static void finish_kernel(const D *distance, weft_vid n, double *to, summary *sum) {
    unsigned reached = 0;
    D farthest = 0;
    for (uint64_t v = wfi_thread(); v < n; v += wfi_all_threads()) {
        D at = distance[v];
        to[v] = number_of(at);
        if (at == wfi_sssp_none<D>()) continue;
        reached++;
        farthest = max(farthest, at);
    }
    reached = wfi_warp_sum(reached);
    farthest = wfi_warp_max(farthest);
    if (wfi_sssp_lane()) return;
    atomicAdd(&sum->reached, reached);
    atomicMax(&sum->farthest, (unsigned long long)__double_as_longlong(number_of(farthest)));
}

/* Does an arc lead from a reached vertex to one whose distance overflows a double?  A warp for each row; the target is
 * read only if the weight is large enough for that. */
__global__ static void find_beyond(wfi_sssp_arcs g, const double *distance, summary *sum) {
    if (sum->reached == g.n) return;
    uint64_t warp = wfi_thread() / WFI_SSSP_WARP;
    for (uint64_t u = warp; u < g.n; u += wfi_all_threads() / WFI_SSSP_WARP) {
        double at = distance[u];
        if (isinf(at)) continue;
        for (weft_eid e = g.out.offsets[u] + wfi_sssp_lane(); e < g.out.offsets[u + 1]; e += WFI_SSSP_WARP)
            if (isinf(at + __ldcs((const double *)g.out.weights + e)) && isinf(distance[g.out.targets[e]]))
                sum->beyond = 1;
    }
}

static unsigned long long piece_capacity(const weft_graph *g) { return 2 * (g->arcs / PIECE) + 1; }

namespace {

template <class D> struct arrays {
    sssp_search<D> s;
    weft_vid *parent;
    summary *sum;
    char *state; /* state of the pass for parents */
};

} // namespace

/* If distances of integer weights overflow 32 bits, the run starts again with doubles, in the same memory. */
static bool in_doubles(const weft_graph *g) { return wfi_weights_real(g->weight_type); }
static bool may_be_doubles(const weft_graph *g) { return g->weight_type != WEFT_WEIGHT_NONE; }

/* `near` and `far` have an entry a vertex, since a vertex is in few of the queues at once; lists of chunks may be
 * empty. */
template <class D>
static void lay_out(wfi_workspace *device, const weft_graph *g, const wfi_sssp_how *how, arrays<D> *a) {
    bool spare = sizeof(D) == sizeof(double) && !in_doubles(g);
    wfi_array_at(device, &a->s.distance, "distance", g->n, spare);
    wfi_array_at(device, &a->parent, "parent", how->parents ? g->n : 0, spare);
    for (int i = 0; i < 2; i++) {
        wfi_array_within(device, &a->s.near[i], g->n);
        wfi_array_within(device, &a->s.far[i], g->n);
        wfi_array_within(device, &a->s.pieces[i], piece_capacity(g));
    }
    wfi_array_at(device, &a->s.p, "progress", 1, spare);
    wfi_array_at(device, &a->sum, "sum", 1, spare);
    wfi_array_within(device, &a->state, how->parents ? WFI_SSSP_STATE : 0);
    a->s.piece_capacity = piece_capacity(g);
}

static void set_delta(uint32_t *to, double delta) {
    *to = delta < 1 ? 1 : delta < (double)UINT32_MAX ? (uint32_t)delta : UINT32_MAX;
}
static void set_delta(wfi_sssp_bits *to, double delta) { memcpy(to, &delta, sizeof *to); }

template <class D>
static weft_status search_from(weft_ctx *ctx, const sssp_search<D> &s, weft_vid source, D delta,
                               sssp_progress<D> *seen) {
    cudaStream_t stream = wfi_cuda_stream(ctx);
    unsigned blocks = wfi_grid(s.g.n, 256, 4096);
    begin_kernel<<<blocks, 256, 0, stream>>>(s, source, delta);
    do {
        if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        weft_status st = search_on(ctx, s);
        if (!st) st = wfi_download(ctx, seen, s.p, sizeof *seen);
        if (st || seen->at.trouble & TOO_FAR) return st;
        wfi_progress(ctx, "shortest paths", seen->at.raises, 0);
        if (seen->at.trouble & RAN_DRY) {
            clear_kernel<<<1, 1, 0, stream>>>(s);
            refill_kernel<<<blocks, 256, 0, stream>>>(s);
        }
    } while (!seen->at.done);
    return WEFT_OK;
}

namespace {

struct task {
    wfi_sssp_how how;
    weft_vid source;
    wfi_view out;
    const wfi_light_rows *light; /* NULL: none */
    const wfi_sssp_columns *c;
};

} // namespace

/* *too_far: a distance overflowed, and nothing else is valid. */
template <class D> static weft_status run(wfi_job *job, const task &t, summary *sum, bool *too_far) {
    const wfi_sssp_how *how = &t.how;
    weft_ctx *ctx = job->ctx;
    const weft_graph *g = job->g;
    cudaStream_t stream = wfi_cuda_stream(ctx);
    arrays<D> a = {};
    sssp_progress<D> seen = {};
    D step, below = 0;
    uint64_t mark = wfi_mark(job->device);
    lay_out(job->device, g, how, &a);
    wfi_rewind(job->device, mark);
    sssp_search<D> &s = a.s;
    s.g.n = g->n;
    s.g.weights = g->weight_type;
    s.g.out = t.out;
    set_delta(&step, how->delta);
    weft_status st = job->device->status;
    if (!st) st = wfi_zero(ctx, s.p, 1); /* including padding, since structs are read as words */
    if (!st) st = wfi_zero(ctx, a.sum, 1);
    if (st) return st;
    if (t.light) {
        s.light = s.g;
        s.light.out.offsets = t.light->offsets.data;
        s.light.out.targets = t.light->targets.data;
        s.light.out.weights = t.light->weights.data;
        set_delta(&below, how->below);
    }
    double *doubles = sizeof(D) == 8 ? (double *)s.distance : (double *)s.far[0];
    {
        wfi_kernel_scope stage(ctx, "iterations");
        st = search_from(ctx, s, t.source, step, &seen);
        *too_far = (seen.at.trouble & TOO_FAR) != 0;
        if (st || *too_far) return st;
        if (how->parents)
            st = wfi_sssp_parents_cuda<D>(ctx, {s.g, s.light, below, g->directed, seen.flat != 0, t.source, s.distance,
                                                s.pieces[0], (uint32_t *)s.far[0], a.state, a.parent});
        if (st) return st;
        finish_kernel<<<wfi_grid(g->n, 256, 1024), 256, 0, stream>>>(s.distance, s.g.n, doubles, a.sum);
        if (g->weight_type == WEFT_WEIGHT_F64)
            find_beyond<<<wfi_grid((uint64_t)g->n * WFI_SSSP_WARP, 256, 4096), 256, 0, stream>>>(s.g, doubles, a.sum);
    }
    wfi_copy column[] = {{t.c->distance, doubles, g->n * sizeof *doubles},
                         {t.c->parent, a.parent, g->n * sizeof *a.parent}};
    st = wfi_deliver_all(ctx, column, t.c->parent ? 2 : 1);
    return st ? st : wfi_download(ctx, sum, a.sum, sizeof *sum);
}

static weft_status search_all(wfi_job *job, weft_vid source, const wfi_sssp_columns *c) {
    task t = {};
    t.how = wfi_sssp_choose_cuda(job->g, (const weft_sssp_params *)job->params, job->choice->method == WFI_SSSP_LIGHT);
    t.source = source;
    t.c = c;
    summary sum = {};
    bool too_far = in_doubles(job->g);
    weft_status st = wfi_mirror_out(job->ctx, job->g, &t.out);
    if (!st && t.how.below > 0) st = wfi_light_of(job->ctx, job->g, t.how.below, t.how.share, &t.light);
    if (!st) st = wfi_open_device(job);
    if (!st && !too_far) st = run<uint32_t>(job, t, &sum, &too_far);
    if (!st && too_far) st = run<wfi_sssp_bits>(job, t, &sum, &too_far);
    double farthest;
    memcpy(&farthest, &sum.farthest, sizeof farthest);
    return st ? st : wfi_sssp_scalars(job->ctx, sum.reached, farthest, sum.beyond != 0, job->result);
}

extern "C" weft_status wfi_sssp_cuda(wfi_job *job) {
    const weft_sssp_params *p = (const weft_sssp_params *)job->params;
    wfi_sssp_columns c;
    wfi_sssp_columns_lay_out(job->space, job->g->n, p, &c);
    if (job->space->status) return job->space->status;
    if (!job->g->n) return wfi_sssp_scalars(job->ctx, 0, 0, false, job->result);
    return job->choice->method == WFI_SSSP_UNIT ? wfi_sssp_unit_cuda(job, p->source, &c)
                                                : search_all(job, p->source, &c);
}

extern "C" void wfi_sssp_declare_cuda(const weft_graph *g, const wfi_sssp_how *how, wfi_workspace *device) {
    arrays<uint32_t> whole;
    arrays<wfi_sssp_bits> doubles;
    wfi_mirror_declare(device, g, WFI_OUT_ROWS);
    if (how->below > 0) wfi_light_declare(device, g, how->share);
    uint64_t mark = wfi_mark(device);
    if (!in_doubles(g)) lay_out(device, g, how, &whole);
    wfi_rewind(device, mark);
    if (may_be_doubles(g)) lay_out(device, g, how, &doubles);
}
