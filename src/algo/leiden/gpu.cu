/* Communities on the GPU: the steps of community.h, with the same answer as CPU cores.
 * Method: passes over row groups (gpu_moving.cuh, gpu_refine.cuh, gpu_contract.cuh).  Tables of the longest rows use
 * memory without rows: on a level, the memory of the next level. */
#include "algo/leiden/gpu_contract.cuh"
#include "algo/leiden/gpu_graph.cuh"
#include "algo/leiden/gpu_moving.cuh"
#include "algo/leiden/gpu_refine.cuh"

using namespace wfi_community;

namespace {

template <class S> weft_status open_graph(void *machine_, weft_vid *open) {
    machine<S> *m = (machine<S> *)machine_;
    weft_vid *member = m->member[0], *label = m->label, *at = m->vertex_of;
    const masses<S> strength = m->strength;
    m->turn = 0;
    m->level = m->graph;
    m->level.total = m->total;
    m->level.member = member;
    *open = m->open;
    weft_status st = wfi_each(m->ctx, m->graph.n, [=] __device__(uint64_t v) {
        member[v] = label[v];
        at[v] = is_empty(strength.at((weft_vid)v)) ? WEFT_NO_VERTEX : (weft_vid)v;
    });
    if (!st) st = add_up(m);
    return st ? st : wfi_group_tables(m->ctx, m->shape, m->coarse[1].targets, m->coarse[1].weights, &m->lists);
}

template <class S> weft_status keep(void *machine_, unsigned i) {
    machine<S> *m = (machine<S> *)machine_;
    return wfi_device_copy(m->ctx, m->kept[i], m->vertex_of, m->graph.n * sizeof *m->vertex_of);
}

/* --- labels ---------------------------------------------------------------------------------------------- */

template <class S> weft_status close_level(void *machine_) {
    machine<S> *m = (machine<S> *)machine_;
    weft_vid *label = m->label, *at = m->vertex_of, *member = m->level.member;
    return wfi_each(m->ctx, m->graph.n, [=] __device__(uint64_t v) {
        if (at[v] != WEFT_NO_VERTEX) label[v] = member[at[v]];
    });
}

template <class S> weft_status store(void *machine_) {
    machine<S> *m = (machine<S> *)machine_;
    return wfi_device_copy(m->ctx, m->stored, m->label, m->graph.n * sizeof *m->label);
}

template <class S> weft_status restore(void *machine_) {
    machine<S> *m = (machine<S> *)machine_;
    return wfi_device_copy(m->ctx, m->label, m->stored, m->graph.n * sizeof *m->label);
}

__device__ weft_vid root_of(weft_vid *parent, weft_vid v) {
    weft_vid p = *(volatile weft_vid *)&parent[v];
    while (p != v) {
        weft_vid above = *(volatile weft_vid *)&parent[p];
        if (above != p) parent[v] = above; /* path halving */
        v = p;
        p = above;
    }
    return v;
}

struct uniting {
    const weft_vid *label;
    weft_vid *parent;
    __device__ bool wants(weft_vid) const { return true; }
    __device__ void unite(weft_vid u, weft_vid v) const {
        for (;;) {
            u = root_of(parent, u);
            v = root_of(parent, v);
            if (u == v) return;
            weft_vid low = u < v ? u : v, high = u < v ? v : u;
            if (atomicCAS(&parent[high], high, low) == high) return;
        }
    }
};

template <class S> struct uniting_rows : uniting {
    const S *weights;
    struct seen {
        weft_vid label, parent;
    };
    __device__ seen look(weft_vid u, weft_eid) const { return {label[u], *(volatile weft_vid *)&parent[u]}; }
    __device__ void take(weft_vid v, weft_vid u, weft_eid e, const seen &there, wide &) const {
        if (u > v || there.label != label[v] || there.parent == parent[v] || (weights && !weights[e])) return;
        unite(v, u);
    }
    __device__ void end(weft_vid, wide) const {}
};

template <class S> weft_status name(void *machine_, bool split) {
    machine<S> *m = (machine<S> *)machine_;
    weft_ctx *ctx = m->ctx;
    weft_vid *label = m->label, *parent = m->target;
    const masses<S> strength = m->strength;
    weft_vid n = m->graph.n;
    if (!split) {
        WFI_CUDA_OR_RETURN(cudaMemsetAsync(parent, 0xff, n * sizeof *parent, STREAM));
        weft_status st = wfi_each(ctx, n, [=] __device__(uint64_t v) {
            if (!is_empty(strength.at((weft_vid)v))) atomicMin(&parent[label[v]], (weft_vid)v);
        });
        if (st) return st;
        return wfi_each(ctx, n, [=] __device__(uint64_t v) {
            label[v] = is_empty(strength.at((weft_vid)v)) ? (weft_vid)v : parent[label[v]];
        });
    }
    m->level.n = n;
    m->level.rows = m->graph.rows;
    m->level.room = m->graph.room;
    weft_status st = wfi_each(ctx, n, [=] __device__(uint64_t v) {
        parent[v] = (weft_vid)v;
        if (is_empty(strength.at((weft_vid)v))) label[v] = WEFT_NO_VERTEX;
    });
    if (!st) st = wfi_group_prepare(ctx, n, m->graph.rows, m->lists, &m->sums->room, &m->shape);
    if (!st) st = list_all(m);
    if (st) return st;
    uniting_rows<S> unite;
    unite.label = label;
    unite.parent = parent;
    unite.weights = m->graph.rows.weights;
    wfi_group_each_arc<<<blocks_for(m, m->graph.room), THREADS, 0, STREAM>>>(m->graph.rows, m->lists, m->counts, unite);
    WFI_CUDA_OR_RETURN(cudaGetLastError());
    return wfi_each(ctx, n, [=] __device__(uint64_t v) { label[v] = root_of(parent, (weft_vid)v); });
}

template <class S> struct measuring {
    wfi_group_rows<S> rows;
    const weft_vid *label;
    bool directed;
    tallies *sums;
    __device__ bool wants(weft_vid) const { return true; }
    typedef weft_vid seen; /* the label of u */
    __device__ seen look(weft_vid u, weft_eid) const { return label[u]; }
    __device__ void take(weft_vid v, weft_vid u, weft_eid e, seen there, wide &mine) const {
        wide weight = wfi_group_weight(rows, e);
        if (u == v && !directed) weight *= 2;
        if (there == label[v]) mine += weight;
    }
    __device__ void end(weft_vid, wide mine) const {
        unsigned there = __activemask();
        for (int far = 16; far && there == ~0u; far /= 2) mine += __shfl_xor_sync(~0u, mine, far);
        if (mine && (there != ~0u || threadIdx.x % 32 == 0)) atomicAdd(&sums->inside, mine);
    }
};

template <class S>
__global__ void __launch_bounds__(THREADS)
    add_communities(weft_vid n, const weft_vid *members, const S *out, const S *in, tallies *sums) {
    uint64_t limbs[8] = {0, 0, 0, 0, 0, 0, 0, 0}, count = 0, largest = 0;
    for (uint64_t c = wfi_thread(); c < n; c += wfi_all_threads()) {
        if (!members[c]) continue;
        wfi_community_product(limbs, out[c], in[c]);
        wfi_community_product(limbs + 4, members[c], (uint64_t)members[c] - 1);
        count++;
        if (members[c] > largest) largest = members[c];
    }
    for (int i = 0; i < 8; i++) {
        wide sum = wfi_warp_sum((wide)limbs[i]);
        if (threadIdx.x % 32 == 0 && sum) atomicAdd(i < 4 ? &sums->square[i] : &sums->pairs[i - 4], sum);
    }
    count = wfi_warp_sum((wide)count);
    if (threadIdx.x % 32 == 0 && count) atomicAdd(&sums->count, (wide)count);
    if (largest) atomicMax(&sums->largest, (wide)largest);
}

template <class S> weft_status measure(void *machine_, wfi_community_sums *to) {
    machine<S> *m = (machine<S> *)machine_;
    weft_ctx *ctx = m->ctx;
    const bool directed = m->task->g->directed;
    const masses<S> strength = m->strength;
    weft_vid n = m->graph.n, *label = m->label;
    weft_vid *members = m->target;
    tallies *sums = m->sums, here;
    S *by_out = m->mass[0].out, *by_in = m->mass[1].out;
    WFI_CUDA_OR_RETURN(cudaMemsetAsync(sums, 0, sizeof *sums, STREAM));
    WFI_CUDA_OR_RETURN(cudaMemsetAsync(by_out, 0, n * sizeof *by_out, STREAM));
    WFI_CUDA_OR_RETURN(cudaMemsetAsync(by_in, 0, n * sizeof *by_in, STREAM));
    WFI_CUDA_OR_RETURN(cudaMemsetAsync(members, 0, n * sizeof *members, STREAM));
    m->level.n = n;
    m->level.rows = m->graph.rows;
    m->level.room = m->graph.room;
    weft_status st = wfi_group_prepare(ctx, n, m->graph.rows, m->lists, &m->sums->room, &m->shape);
    if (!st) st = list_all(m);
    if (st) return st;
    measuring<S> inside = {m->graph.rows, label, directed, sums};
    wfi_group_each_arc<<<blocks_for(m, m->graph.room), THREADS, 0, STREAM>>>(m->graph.rows, m->lists, m->counts,
                                                                             inside);
    st = wfi_each(ctx, n, [=] __device__(uint64_t v) {
        wfi_pull_mass mine = strength.at((weft_vid)v);
        add_to(&by_out[label[v]], mine.out);
        if (directed) add_to(&by_in[label[v]], mine.in);
        atomicAdd(&members[label[v]], 1u);
    });
    if (st) return st;
    add_communities<<<blocks_for(m, n), THREADS, 0, STREAM>>>(n, members, by_out, directed ? by_in : by_out, sums);
    WFI_CUDA_OR_RETURN(cudaGetLastError());
    st = read_sums(m, &here);
    if (st) return st;
    *to = {};
    to->unit = m->unit;
    to->total = m->weight;
    to->inside = here.inside;
    to->count = here.count;
    to->largest = here.largest;
    for (int i = 0; i < 4; i++) to->square[i] = here.square[i], to->pairs[i] = here.pairs[i];
    return WEFT_OK;
}

template <class S>
weft_status run(weft_ctx *ctx, const wfi_community_task *task, const wfi_view *out, const wfi_view *in,
                wfi_workspace *device, const wfi_community_columns *columns, wfi_community_found *found) {
    static const wfi_community_steps steps = {begin<S>,        open_graph<S>, moving<S>, round_of_moves<S>, refining<S>,
                                              refine_round<S>, contract<S>,   keep<S>,   close_level<S>,    measure<S>,
                                              store<S>,        restore<S>,    name<S>};
    machine<S> m = {};
    m.ctx = ctx;
    m.task = task;
    m.out = out;
    m.in = in;
    lay_out(device, &m);
    if (device->status) return device->status;
    weft_status st;
    {
        wfi_kernel_scope stage(ctx, "iterations");
        st = wfi_community_run(ctx, task, &steps, &m, found);
    }
    if (st) return st;
    size_t bytes = task->g->n * sizeof *m.label;
    for (unsigned i = 0; task->levels && i < found->levels && i < WFI_COMMUNITY_LEVELS - 1 && !st; i++)
        st = wfi_download(ctx, columns->level[i], m.kept[i], bytes);
    return st ? st : wfi_deliver(ctx, columns->label, m.label, bytes);
}

} // namespace

extern "C" void wfi_community_space_cuda(wfi_workspace *device, const wfi_community_task *task) {
    machine<uint32_t> narrow = {};
    machine<uint64_t> broad = {};
    narrow.task = broad.task = task;
    if (wfi_community_is_wide(task))
        lay_out(device, &broad);
    else
        lay_out(device, &narrow);
}

extern "C" weft_status wfi_community_cuda(weft_ctx *ctx, const wfi_community_task *task, const wfi_view *out,
                                          const wfi_view *in, wfi_workspace *device,
                                          const wfi_community_columns *columns, wfi_community_found *found) {
    return wfi_community_is_wide(task) ? run<uint64_t>(ctx, task, out, in, device, columns, found)
                                       : run<uint32_t>(ctx, task, out, in, device, columns, found);
}
