/* Communities on the GPU: declarations shared by the steps.
 * Encoding: weights and masses have 32 bits if the sum of all of them fits, else 64. */
#ifndef WFI_LEIDEN_GPU_CUH
#define WFI_LEIDEN_GPU_CUH

#include "algo/leiden/bodies.h"
#include "cuda/cub.cuh"
#include "cuda/stages.cuh"
#include "cuda/warp.cuh"
#include "ops/group.cuh"

namespace wfi_community {

typedef unsigned long long wide;

enum { THREADS = 256, MOST_BLOCKS = 4096 };

/* Returns the value before the addition. */
__device__ inline uint32_t add_to(uint32_t *at, uint64_t more) { return atomicAdd(at, (uint32_t)more); }
__device__ inline uint64_t add_to(uint64_t *at, uint64_t more) { return atomicAdd((wide *)at, (wide)more); }

/* A mass of the width of the sums. */
template <class S> struct one_mass {
    S out, in;
    __device__ operator wfi_pull_mass() const { return {out, in}; }
};

/* in: NULL if there is one mass only. */
template <class S> struct masses {
    S *out, *in;
    __device__ one_mass<S> here(weft_vid v) const { return {out[v], in ? in[v] : (S)0}; }
    __device__ wfi_pull_mass at(weft_vid v) const { return {out[v], in ? in[v] : (S)0}; }
    __device__ void add(weft_vid v, wfi_pull_mass more) const {
        add_to(&out[v], more.out);
        if (in) add_to(&in[v], more.in);
    }
};

__device__ inline wfi_pull_mass without(wfi_pull_mass all, wfi_pull_mass part) {
    return {all.out - part.out, all.in - part.in};
}
__device__ inline bool is_empty(wfi_pull_mass m) { return !(m.out | m.in); }

/* Rows under construction. */
template <class S> struct community_rows {
    weft_eid *begin, *end;
    weft_vid *targets;
    S *weights;
};

/* The kernels' view of a level. */
template <class S> struct community_level {
    weft_vid n;
    uint64_t room; /* capacity in arcs, gaps included */
    wfi_group_rows<S> rows;
    masses<S> mass, total;
    weft_vid *member;
    double rate;
};

/* CPM: gains of vertices, and masses of the vertices that would join each community (wfi_community_moves). */
template <class S> struct lots {
    double *gain; /* NULL: no lots are drawn */
    masses<S> incoming;
};

/* The sets of refinement. */
template <class S> struct sets {
    weft_vid *set;
    masses<S> mass;
    S *bound;
    uint8_t *grown;
};

/* Sums that the host reads. */
struct tallies {
    wide most, bad, sum, underflowed, open, inside, total, count, largest, room;
    wide square[4], pairs[4];
};

template <class S> struct machine {
    weft_ctx *ctx;
    const wfi_community_task *task;
    const wfi_view *out, *in;
    wfi_community_columns columns;
    double unit;
    bool two;
    wfi_group_shape shape;
    weft_vid open; /* number of the graph's vertices with arcs of positive weight */
    wide weight;   /* of all rows */

    community_level<S> graph, level;
    community_rows<S> joined;    /* both rows of a directed graph's vertices; integer weights of any graph */
    community_rows<S> coarse[2]; /* of levels, used in turn */
    masses<S> strength, size, mass[2], total;
    weft_vid *member[2], *label, *kept[WFI_COMMUNITY_LEVELS];
    int turn;
    uint8_t *active;
    S *slack;
    lots<S> drawn;
    weft_vid *target, *part, *vertex_of, *stored;
    uint32_t *number;
    weft_eid *place;
    sets<S> s;
    wfi_group_lists<S> lists;
    wfi_group_counts *counts;
    unsigned *keys; /* upper bounds of the numbers of communities and of parts */
    tallies *sums;
    char *scratch;
};

template <class S> void lay_out_masses(wfi_workspace *w, uint64_t n, bool two, masses<S> *m) {
    wfi_array(w, &m->out, n);
    m->in = NULL;
    if (two) wfi_array(w, &m->in, n);
}

template <class S> void lay_out(wfi_workspace *w, machine<S> *m) {
    const weft_graph *g = m->task->g;
    const uint64_t n = g->n, arcs = wfi_community_arcs(g);
    wfi_group_lists_lay_out(w, g->n, arcs, &m->lists);
    const uint64_t places = wfi_max_u64(arcs, m->lists.slots);
    m->two = g->directed && !m->task->cpm;
    lay_out_masses(w, n, g->directed, &m->strength);
    if (m->task->cpm) lay_out_masses(w, n, false, &m->size);
    for (int i = 0; i < 2; i++) {
        lay_out_masses(w, n, m->two, &m->mass[i]);
        wfi_array(w, &m->member[i], n);
        wfi_array_within(w, &m->coarse[i].begin, n + 1);
        wfi_array_within(w, &m->coarse[i].end, n);
        wfi_array_within(w, &m->coarse[i].targets, places);
        wfi_array_within(w, &m->coarse[i].weights, places);
    }
    lay_out_masses(w, n, m->two, &m->total);
    wfi_array(w, &m->label, n);
    wfi_array(w, &m->active, n);
    wfi_array(w, &m->slack, n);
    if (m->task->cpm) {
        wfi_array(w, &m->drawn.gain, n);
        lay_out_masses(w, n, false, &m->drawn.incoming);
    }
    wfi_array(w, &m->target, n);
    wfi_array(w, &m->part, n);
    wfi_array(w, &m->vertex_of, n);
    wfi_array(w, &m->number, n + 1);
    wfi_array(w, &m->place, n + 1);
    wfi_array(w, &m->stored, m->task->iterations ? 0 : n);
    if (m->task->refine) {
        wfi_array(w, &m->s.set, n);
        lay_out_masses(w, n, m->two, &m->s.mass);
        wfi_array(w, &m->s.bound, n);
        wfi_array(w, &m->s.grown, n);
    }
    for (int i = 0; m->task->levels && i < WFI_COMMUNITY_LEVELS; i++) wfi_array_within(w, &m->kept[i], n);
    wfi_array(w, &m->counts, WFI_COMMUNITY_CLASSES);
    wfi_array(w, &m->keys, 2);
    wfi_array(w, &m->sums, 1);
    wfi_array(w, &m->joined.weights, m->task->weights ? arcs : 0);
    wfi_array(w, &m->joined.targets, g->directed ? arcs : 0);
    wfi_array(w, &m->joined.begin, g->directed ? n + 1 : 0);
    wfi_array_within(w, &m->scratch, wfi_cub_scan_bytes(n + 1));
}

#define STREAM wfi_cuda_stream(ctx)

/* *to += the sum of f(i) over all i. */
template <class F> __global__ void __launch_bounds__(THREADS) add_all_kernel(uint64_t count, F f, wide *to) {
    wide mine = 0;
    for (uint64_t i = wfi_thread(); i < count; i += wfi_all_threads()) mine += f(i);
    mine = wfi_warp_sum(mine);
    if (threadIdx.x % 32 == 0 && mine) atomicAdd(to, mine);
}

template <class F> weft_status add_all(weft_ctx *ctx, uint64_t count, wide *to, F f) {
    unsigned most = (unsigned)wfi_gpu_of(ctx)->sms * 8;
    if (!count) return WEFT_OK;
    add_all_kernel<<<wfi_grid(count, THREADS, most), THREADS, 0, STREAM>>>(count, f, to);
    WFI_CUDA_OR_RETURN(cudaGetLastError());
    return WEFT_OK;
}

template <class S> weft_status read_sums(machine<S> *m, tallies *to) {
    return wfi_download(m->ctx, to, m->sums, sizeof *to);
}

template <class S> unsigned blocks_for(const machine<S> *m, uint64_t work) {
    unsigned most = (unsigned)wfi_gpu_of(m->ctx)->sms * 8;
    return wfi_grid(work, THREADS, most);
}

/* Selects all rows for the lists. */
template <class S> struct all_rows {
    typedef S sum;
    __device__ bool wants(weft_vid) const { return true; }
};

/* Lists all rows, for passes over all arcs. */
template <class S> weft_status list_all(machine<S> *m) {
    weft_ctx *ctx = m->ctx;
    community_level<S> l = m->level;
    WFI_CUDA_OR_RETURN(cudaMemsetAsync(m->counts, 0, sizeof *m->counts, STREAM));
    wfi_group_select<<<blocks_for(m, l.n / 4 + 1), 256, 0, STREAM>>>(all_rows<S>(), l.n, l.rows, m->lists, m->counts,
                                                                     m->keys, true);
    WFI_CUDA_OR_RETURN(cudaGetLastError());
    return WEFT_OK;
}

/* Shared by both choices: the best gain; a hash orders equal gains. */
template <class S> struct choosing {
    typedef S sum;
    static const unsigned hash = WFI_GROUP_HASH;
    community_level<S> l;
    wfi_community_keys keys;
    weft_vid *target;
    bool own_ties = false; /* ties per vertex: wfi_community_tie */
    struct row {
        weft_vid v, own;
        one_mass<S> mine;
    };
    __device__ row enter(weft_vid v) const { return {v, l.member[v], l.mass.here(v)}; }
    __device__ void join(const row &r, wfi_group_best &best, const wfi_group_best &other) const {
        wfi_community_best b = {best.gain, 0, best.to};
        wfi_community_consider(&b, other.gain, other.to, wfi_community_tie(keys.tie, own_ties, r.v));
        best.gain = b.gain;
        best.to = b.to;
        best.own += other.own;
    }
    __device__ void consider(const row &r, wfi_group_best &best, double gain, weft_vid to) const {
        join(r, best, {gain, 0, to});
    }
};

} // namespace wfi_community

#endif
