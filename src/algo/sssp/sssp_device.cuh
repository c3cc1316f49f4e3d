/* sssp on the GPU: what the search and the pass for the parents share.
 * A distance D is a uint32_t for whole weights while all are below 2^32 - 1, else the bits of a double: they order like
 * the numbers, as none is negative.  The largest value of each means that there is no path.
 * The bits of a weight travel in a D, for those of an f64 need it, and are added up when the arc is used: a sum where
 * it is asked for would wait for memory. */
#ifndef WFI_SSSP_DEVICE_CUH
#define WFI_SSSP_DEVICE_CUH

#include "cuda/mirror.cuh"
#include "cuda/warp.cuh"

typedef unsigned long long wfi_sssp_bits;

enum { WFI_SSSP_WARP = 32, WFI_SSSP_PIECE = 256 /* arcs of a row that a warp takes; longer ones are cut */ };

struct wfi_sssp_arcs {
    wfi_view out;
    weft_vid n;
    weft_weight_type weights;
};

/* A piece of a long row, and the distance its vertex had. */
template <class D> struct wfi_sssp_piece {
    D at;
    weft_vid v;
    uint32_t index;
};

/* No path. */
template <class D> __host__ __device__ inline D wfi_sssp_none(void);
template <> __host__ __device__ inline uint32_t wfi_sssp_none<uint32_t>(void) { return UINT32_MAX; }
template <> __host__ __device__ inline wfi_sssp_bits wfi_sssp_none<wfi_sssp_bits>(void) { return 0x7ffull << 52; }

template <class D> __device__ inline D wfi_sssp_weight_at(const wfi_sssp_arcs &g, weft_eid e) {
    if (sizeof(D) == 8 && g.weights == WEFT_WEIGHT_F64) return (D)__ldg((const wfi_sssp_bits *)g.out.weights + e);
    return g.weights == WEFT_WEIGHT_NONE ? 1u : __ldg((const uint32_t *)g.out.weights + e);
}

/* at + weight; none when that is too far. */
__device__ inline uint32_t wfi_sssp_add(uint32_t at, uint32_t weight, weft_weight_type) {
    uint32_t sum = at + weight;
    return sum < at ? UINT32_MAX : sum;
}
__device__ inline wfi_sssp_bits wfi_sssp_add(wfi_sssp_bits at, wfi_sssp_bits weight, weft_weight_type type) {
    double more = type == WEFT_WEIGHT_F64   ? __longlong_as_double((long long)weight)
                  : type == WEFT_WEIGHT_F32 ? (double)__uint_as_float((uint32_t)weight)
                                            : (double)(uint32_t)weight;
    return (wfi_sssp_bits)__double_as_longlong(__longlong_as_double((long long)at) + more);
}

__device__ inline unsigned wfi_sssp_lane(void) { return threadIdx.x % WFI_SSSP_WARP; }

/* Of `mine` over the lanes of a warp: the sum of those before this lane, and of all. */
__device__ inline unsigned wfi_sssp_before(unsigned mine, unsigned *all) {
    unsigned sum = mine;
    sum = wfi_warp_scan(sum);
    *all = __shfl_sync(~0u, sum, WFI_SSSP_WARP - 1);
    return sum - mine;
}

/* The rows of a warp's lanes, end to end.  Each lane has the vertex, its distance, and where its row begins among
 * all. */
template <class D> struct wfi_sssp_rows {
    D from;
    weft_vid u;
    unsigned start, all;
    weft_eid shift; /* of a place among all to its arc */
};

template <class D>
__device__ inline wfi_sssp_rows<D> wfi_sssp_join(weft_vid u, D from, weft_eid begin, unsigned length) {
    wfi_sssp_rows<D> r;
    r.from = from;
    r.u = u;
    r.start = wfi_sssp_before(length, &r.all);
    r.shift = begin - r.start;
    return r;
}

/* Whose row `place` lies in. */
__device__ inline int wfi_sssp_owner(unsigned start, unsigned place) {
    int lane = 0;
#pragma unroll
    for (int step = WFI_SSSP_WARP / 2; step; step /= 2)
        if (__shfl_sync(~0u, start, lane + step) <= place) lane += step;
    return lane;
}

/* K arcs of a lane, on their way. */
template <int K, class D> struct wfi_sssp_step {
    weft_vid v[K];
    D weight[K];
    unsigned there, owner[(K + 3) / 4]; /* bit k: there is a k-th; the lane in whose row it lies, 8 bits each */

    __device__ int owner_of(int k) const { return (int)(owner[k / 4] >> 8 * (k % 4)); } /* modulo 32 */
};

/* Asks for places first, first + 32, ... */
template <int K, class D>
__device__ inline void wfi_sssp_ask(const wfi_sssp_arcs &g, const wfi_sssp_rows<D> &r, unsigned first,
                                    wfi_sssp_step<K, D> *step) {
    step->there = 0;
#pragma unroll
    for (int k = 0; k < (K + 3) / 4; k++) step->owner[k] = 0;
#pragma unroll
    for (int k = 0; k < K; k++) {
        unsigned place = first + k * WFI_SSSP_WARP;
        int owner = wfi_sssp_owner(r.start, place);
        weft_eid e = __shfl_sync(~0u, r.shift, owner) + place;
        bool there = place < r.all;
        step->owner[k / 4] |= (unsigned)owner << 8 * (k % 4);
        step->there |= (there ? 1u : 0u) << k;
        step->v[k] = there ? __ldg(&g.out.targets[e]) : 0;
        step->weight[k] = there ? wfi_sssp_weight_at<D>(g, e) : 0;
    }
}

/* Calls use(step) for all arcs.  Those of the next step are asked for before this one is used. */
template <int K, class D, class F>
__device__ inline void wfi_sssp_walk(const wfi_sssp_arcs &g, const wfi_sssp_rows<D> &r, F use) {
    if (!r.all) return;
    wfi_sssp_step<K, D> now, next;
    wfi_sssp_ask<K>(g, r, wfi_sssp_lane(), &now);
    for (unsigned first = K * WFI_SSSP_WARP; first < r.all; first += K * WFI_SSSP_WARP) {
        wfi_sssp_ask<K>(g, r, first + wfi_sssp_lane(), &next);
        use(now);
        now = next;
    }
    use(now);
}

enum { WFI_SSSP_STATE = 256 };
/* What a search has found, and room to find parents in. */
template <class D> struct wfi_sssp_found {
    wfi_sssp_arcs g, light; /* light: of an undirected graph, all arcs of weights below `below`; else that is 0 */
    D below;
    bool directed, hops; /* hops: an arc may lead to the same distance */
    weft_vid source;
    const D *distance;         /* final */
    wfi_sssp_piece<D> *pieces; /* scratch for those of all rows that are longer than one */
    uint32_t *scratch;         /* 2 n numbers */
    char *state;               /* WFI_SSSP_STATE bytes */
    weft_vid *parent;
};
/* Parents by the rule in sssp_parents.c. */
template <class D> weft_status wfi_sssp_parents_cuda(weft_ctx *ctx, const wfi_sssp_found<D> &s);

/* --- light rows (light.cu) -------------------------------------------------------- */

/* The light edges of delta-stepping as rows of their own: those arcs of a graph that weigh less than a bound, in their
 * order.  For searches that settle a bucket by light edges before they relax heavy ones. */
struct wfi_light_rows {
    bool there = false;    /* all of it */
    bool too_many = false; /* it was asked for, and is not made */
    wfi_buffer<weft_eid> offsets;
    wfi_buffer<weft_vid> targets;
    wfi_buffer<uint32_t> weights; /* as in the rows */

    void clear() {
        offsets.give();
        targets.give();
        weights.give();
    }
};

/* From rows with weights, which lie on the GPU.  If more than `most` arcs are light, they are too_many. */
weft_status wfi_pick_light(weft_ctx *ctx, const wfi_view &rows, weft_eid arcs, double below, weft_eid most,
                           wfi_light_rows *light);

/* Those of the graph's mirror, made on first use; `below` has to be the same for every call with a graph.  The rows are
 * there then.  *light = NULL: they are a larger share of the arcs than was planned with, by more than a plan may
 * miss. */
weft_status wfi_light_of(weft_ctx *ctx, const weft_graph *g, double below, double share, const wfi_light_rows **light);
/* Declared, without the rows, if they are not there yet.  share: of the arcs that are light. */
void wfi_light_declare(wfi_workspace *device, const weft_graph *g, double share);

#endif
