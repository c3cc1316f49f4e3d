/* Shortest paths, GPU: the run.  The answer is sssp.c's.  Whole weights are tried with distances of 32 bits; where one does not fit, and for
 * fractional weights, they are the bits of doubles.  The search goes in launches (search_cuda.cu), between which progress and cancelling are asked
 * for and queues that ran out of room are started again; then parents (parents_cuda.cu), and distances as doubles.
 * Rows of light edges (light.cuh) are made on first use and kept with the graph.
 * Room: an entry a vertex in each queue and pile, and a piece for every 128 arcs in each list: what can be unsettled at once always fits. */
#include "algo/sssp/light.cuh"
#include "algo/sssp/sssp_cuda.h"
#include "algo/sssp/sssp_queues.cuh"

#include <string.h>

using namespace wfi_sssp;

/* Every vertex unreached, but the source. */
template <class D> __global__ static void begin_kernel(search<D> s, weft_vid source, D delta) {
    for (uint64_t v = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; v < s.g.n; v += (uint64_t)gridDim.x * blockDim.x)
        s.distance[v] = v == source ? 0 : wfi_sssp_none<D>();
    if (blockIdx.x || threadIdx.x) return;
    *s.p = {};
    for (int i = 0; i < SETS; i++) s.p->far[i].least = wfi_sssp_none<D>();
    s.near[0][0] = {0, source};
    s.p->at.near = 1;
    s.p->at.delta = delta;
    s.p->at.limit = raised((D)0, delta);
}

/* Room has run out: no entry is left, and every vertex that may be unsettled goes to the pile. */
template <class D> __global__ static void clear_kernel(search<D> s) {
    stand<D> *at = &s.p->at;
    for (int i = 0; i < SETS; i++) {
        s.p->set[i] = {};
        s.p->far[i] = {0, wfi_sssp_none<D>()};
    }
    at->near = at->pieces = at->trouble = 0;
    at->brief = at->cut_brief = at->weighed = false;
    s.p->far[at->raises % SETS].least = at->low;
}

template <class D> __global__ static void refill_kernel(search<D> s) {
    pile<D> *p = &s.p->far[s.p->at.raises % SETS];
    entry<D> *far = turn(s.far, s.p->at.raises);
    unsigned lane = wfi_sssp_lane();
    for (uint64_t v = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; v < (uint64_t)s.g.n + lane;
         v += (uint64_t)gridDim.x * blockDim.x) {
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
    unsigned long long reached, farthest;
};

} // namespace

__device__ static double number_of(uint32_t at) { return at == UINT32_MAX ? __longlong_as_double(0x7ffll << 52) : at; }
__device__ static double number_of(wfi_sssp_bits at) { return __longlong_as_double((long long)at); }

/* Distances as doubles, which may lie where they were if those were doubles. */
template <class D> __global__ static void finish_kernel(const D *distance, weft_vid n, double *to, summary *sum) {
    unsigned reached = 0;
    D farthest = 0;
    for (uint64_t v = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; v < n; v += (uint64_t)gridDim.x * blockDim.x) {
        D at = distance[v];
        to[v] = number_of(at);
        if (at == wfi_sssp_none<D>()) continue;
        reached++;
        farthest = max(farthest, at);
    }
    for (int far = WARP / 2; far; far /= 2) {
        reached += __shfl_xor_sync(~0u, reached, far);
        farthest = max(farthest, __shfl_xor_sync(~0u, farthest, far));
    }
    if (wfi_sssp_lane()) return;
    atomicAdd(&sum->reached, reached);
    atomicMax(&sum->farthest, (unsigned long long)__double_as_longlong(number_of(farthest)));
}

static unsigned long long piece_room(const weft_graph *g) { return 2 * (g->arcs / PIECE) + 1; }

template <class D> static uint64_t bytes_of(const weft_graph *g) {
    return g->n * (sizeof(D) + 4 * sizeof(entry<D>) + sizeof(weft_vid)) + 2 * piece_room(g) * sizeof(wfi_sssp_piece<D>);
}

namespace {

template <class D> struct arrays {
    wfi_buffer<D> distance;
    wfi_buffer<weft_vid> parent;
    wfi_buffer<entry<D>> near[2], far[2];
    wfi_buffer<wfi_sssp_piece<D>> pieces[2];
    wfi_buffer<progress<D>> p;
    wfi_buffer<summary> sum;
};

} // namespace

template <class D> static weft_status take_arrays(weft_ctx *ctx, const weft_graph *g, arrays<D> *a, search<D> *s) {
    weft_status st = a->distance.take(ctx, g->n);
    if (!st) st = a->parent.take(ctx, g->n);
    for (int i = 0; i < 2; i++) {
        if (!st) st = a->near[i].take(ctx, g->n);
        if (!st) st = a->far[i].take(ctx, g->n);
        if (!st) st = a->pieces[i].take(ctx, piece_room(g));
        s->near[i] = a->near[i].data;
        s->far[i] = a->far[i].data;
        s->pieces[i] = a->pieces[i].data;
    }
    if (!st) st = a->p.take_zeroed(ctx, 1); /* the ends of its structs too, which are read as words */
    if (!st) st = a->sum.take_zeroed(ctx, 1);
    s->distance = a->distance.data;
    s->piece_room = piece_room(g);
    s->p = a->p.data;
    return st;
}

static void set_delta(uint32_t *to, double delta) {
    *to = delta < 1 ? 1 : delta < (double)UINT32_MAX ? (uint32_t)delta : UINT32_MAX;
}
static void set_delta(wfi_sssp_bits *to, double delta) { memcpy(to, &delta, sizeof *to); }

template <class D>
static weft_status search_from(weft_ctx *ctx, const search<D> &s, weft_vid source, D delta, progress<D> *seen) {
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

/* *too_far: a distance did not fit, nothing else is told. */
template <class D>
static weft_status run(weft_ctx *ctx, const weft_graph *g, const wfi_sssp_how *how, double *distance, weft_vid *parent,
                       uint64_t *reached, double *farthest, bool *too_far) {
    cudaStream_t stream = wfi_cuda_stream(ctx);
    const wfi_light_rows *light = NULL;
    search<D> s = {};
    arrays<D> a;
    progress<D> seen = {};
    summary sum = {};
    s.g.n = g->n;
    s.g.weights = g->weight_type;
    D step, below = 0;
    set_delta(&step, how->delta);
    weft_status st = wfi_mirror_out(ctx, g, &s.g.out);
    if (!st && how->below > 0) st = wfi_light_of(ctx, g, how->below, how->share, &light);
    if (!st) st = take_arrays(ctx, g, &a, &s);
    if (st) return st;
    if (light) {
        s.light = s.g;
        s.light.out = {light->offsets.data, light->targets.data, light->weights.data};
        set_delta(&below, how->below);
    }
    double *doubles = sizeof(D) == 8 ? (double *)s.distance : (double *)s.far[0];
    {
        wfi_kernel_scope stage(ctx, "iterations");
        st = search_from(ctx, s, how->source, step, &seen);
        *too_far = (seen.at.trouble & TOO_FAR) != 0;
        if (st || *too_far) return st;
        st = wfi_sssp_parents_cuda(ctx, s.g, s.light, below, g->directed, seen.flat != 0, how->source, s.distance,
                                   s.pieces[0], (uint32_t *)s.far[0], a.parent.data);
        if (st) return st;
        finish_kernel<<<wfi_grid(g->n, 256, 1024), 256, 0, stream>>>(s.distance, s.g.n, doubles, a.sum.data);
    }
    st = wfi_deliver(ctx, distance, doubles, g->n * sizeof *distance);
    if (!st) st = wfi_deliver(ctx, parent, a.parent.data, g->n * sizeof *parent);
    if (!st) st = wfi_download(ctx, &sum, a.sum.data, sizeof sum);
    *reached = sum.reached;
    memcpy(farthest, &sum.farthest, sizeof *farthest);
    return st;
}

extern "C" weft_status wfi_sssp_cuda(weft_ctx *ctx, const weft_graph *g, const wfi_sssp_how *how, double *distance,
                                     weft_vid *parent, uint64_t *reached, double *farthest) {
    bool too_far = g->weight_type == WEFT_WEIGHT_F32;
    weft_status st = WEFT_OK;
    if (!too_far) st = run<uint32_t>(ctx, g, how, distance, parent, reached, farthest, &too_far);
    if (!st && too_far) st = run<wfi_sssp_bits>(ctx, g, how, distance, parent, reached, farthest, &too_far);
    return st;
}

extern "C" uint64_t wfi_sssp_cuda_bytes(const weft_graph *g, const wfi_sssp_how *how, bool doubles) {
    wfi_mirror_cost light = how->below > 0 ? wfi_light_cost(g, how->share) : wfi_mirror_cost{0, 0};
    uint64_t arrays = doubles ? bytes_of<wfi_sssp_bits>(g) : bytes_of<uint32_t>(g);
    return wfi_mirror_out_cost(g).kept + wfi_max_u64(light.peak, light.kept + arrays);
}
