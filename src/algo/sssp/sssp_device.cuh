/* sssp on the GPU: declarations shared by the search and the pass for the parents.
 * A distance D is a uint32_t for integer weights while all distances are below 2^32 - 1, else the bits of a double,
 * which order like the numbers since none is negative.  The largest value of each means that there is no path.
 * The bits of a weight are kept in a D, which an f64 needs, and are added when the arc is used: adding where the weight
 * is read would wait for memory. */
#ifndef WFI_SSSP_DEVICE_CUH
#define WFI_SSSP_DEVICE_CUH

#include "cuda/mirror.cuh"
#include "cuda/warp.cuh"

typedef unsigned long long wfi_sssp_bits;

enum { WFI_SSSP_WARP = 32, WFI_SSSP_PIECE = 256 /* arcs of a row that a warp takes; longer rows are cut */ };

struct wfi_sssp_arcs {
    wfi_view out;
    weft_vid n;
    weft_weight_type weights;
};

/* A chunk of a long row, and the distance of its vertex. */
template <class D> struct wfi_sssp_piece {
    D at;
    weft_vid v;
    uint32_t index;
};

/* The distance that means no path. */
template <class D> __host__ __device__ inline D wfi_sssp_none(void);
template <> __host__ __device__ inline uint32_t wfi_sssp_none<uint32_t>(void) { return UINT32_MAX; }
template <> __host__ __device__ inline wfi_sssp_bits wfi_sssp_none<wfi_sssp_bits>(void) { return 0x7ffull << 52; }

template <class D> __device__ inline D wfi_sssp_weight_at(const wfi_sssp_arcs &g, weft_eid e) {
    if (sizeof(D) == 8 && g.weights == WEFT_WEIGHT_F64) return (D)__ldg((const wfi_sssp_bits *)g.out.weights + e);
    return g.weights == WEFT_WEIGHT_NONE ? 1u : __ldg((const uint32_t *)g.out.weights + e);
}

/* at + weight; "no path" on overflow. */
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

/* Exclusive prefix sum of `mine` over the lanes of a warp; *all: the total. */
__device__ inline unsigned wfi_sssp_before(unsigned mine, unsigned *all) {
    unsigned sum = mine;
    sum = wfi_warp_scan(sum);
    *all = __shfl_sync(~0u, sum, WFI_SSSP_WARP - 1);
    return sum - mine;
}

/* The rows of a warp's lanes, end to end.  Each lane has the vertex, its distance, and the begin of its row in the
 * concatenation. */
template <class D> struct wfi_sssp_rows {
    D from;
    weft_vid u;
    unsigned start, all;
    weft_eid shift; /* from a position in the concatenation to the arc */
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

/* The lane whose row contains position `place`. */
__device__ inline int wfi_sssp_owner(unsigned start, unsigned place) {
    int lane = 0;
#pragma unroll
    for (int step = WFI_SSSP_WARP / 2; step; step /= 2)
        if (__shfl_sync(~0u, start, lane + step) <= place) lane += step;
    return lane;
}

/* K arcs of a lane, in flight. */
template <int K, class D> struct wfi_sssp_step {
    weft_vid v[K];
    D weight[K];
    unsigned there,
        owner[(K + 3) / 4]; /* there, bit k: arc k exists; owner: lane of the row of each arc, 8 bits each */

    __device__ int owner_of(int k) const { return (int)(owner[k / 4] >> 8 * (k % 4)); } /* modulo 32 */
};

/* Reads the positions first, first + 32, ... */
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

/* Calls use(step) for all arcs.  The next step is read before this one is used. */
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
/* The result of a search, and scratch for finding parents. */
template <class D> struct wfi_sssp_found {
    /* light: in an undirected graph, all arcs of weights below `below`; `below` is 0 if there are no such rows. */
    wfi_sssp_arcs g, light;
    D below;
    bool directed, hops; /* hops: an arc may join equal distances */
    weft_vid source;
    const D *distance;         /* final */
    wfi_sssp_piece<D> *pieces; /* scratch: chunks of all rows that are longer than one */
    uint32_t *scratch;         /* 2 n elements */
    char *state;               /* WFI_SSSP_STATE bytes */
    weft_vid *parent;
};
/* Parents by the rule in sssp_parents.c. */
template <class D> weft_status wfi_sssp_parents_cuda(weft_ctx *ctx, const wfi_sssp_found<D> &s);

/* --- light rows (light.cu) -------------------------------------------------------- */

/* Rows of light edges: the arcs of a graph that weigh less than a bound, in their order.  For searches that settle a
 * bucket by light edges before they relax heavy ones. */
struct wfi_light_rows {
    bool there = false;    /* the rows are complete */
    bool too_many = false; /* the rows exceed the capacity and were not made */
    wfi_buffer<weft_eid> offsets;
    wfi_buffer<weft_vid> targets;
    wfi_buffer<uint32_t> weights; /* as in the rows */

    void clear() {
        offsets.give();
        targets.give();
        weights.give();
    }
};

/* Makes light rows from rows with weights in GPU memory.  If more than `most` arcs are light, too_many is set. */
weft_status wfi_pick_light(weft_ctx *ctx, const wfi_view &rows, weft_eid arcs, double below, weft_eid most,
                           wfi_light_rows *light);

/* The light rows kept with the graph's copy on the GPU, made on first use; `below` must be the same for every call with
 * a graph, and the rows must be on the GPU.  *light = NULL: their share of the arcs exceeds the planned share by more
 * than the margin. */
weft_status wfi_light_of(weft_ctx *ctx, const weft_graph *g, double below, double share, const wfi_light_rows **light);
/* Declares the light rows if they are not there yet, without the rows themselves.  share: fraction of light arcs. */
void wfi_light_declare(wfi_workspace *device, const weft_graph *g, double share);

#endif
