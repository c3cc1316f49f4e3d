/* Communities on the GPU: moving.  The decisions of a class are a row group (ops/group.cuh); then the vertices move and
 * subtract from the slack of their neighbours. */
#ifndef WFI_LEIDEN_GPU_MOVING_CUH
#define WFI_LEIDEN_GPU_MOVING_CUH

#include "algo/leiden/gpu.cuh"

namespace wfi_community {

template <class S> struct moving_body : choosing<S> {
    uint8_t *active;
    S *slack;
    unsigned turn;
    lots<S> drawn;
    typedef typename choosing<S>::row row;
    typedef one_mass<S> seen;
    __device__ bool wants(weft_vid v) const {
        if (!active[v] || wfi_community_class(this->keys, v) != turn) return false;
        active[v] = 0;
        return true;
    }
    __device__ weft_vid key(const row &r, weft_vid u) const { return u == r.v ? WEFT_NO_VERTEX : this->l.member[u]; }
    __device__ seen look(const row &, weft_vid to) const { return this->l.total.here(to); }
    __device__ void weigh(const row &r, weft_vid to, S weight, seen there, wfi_group_best &best) const {
        if (to == r.own)
            best.own = weight;
        else
            this->consider(
                r, best, (double)weight - wfi_community_penalty(this->l.rate, this->l.total.in != NULL, r.mine, there),
                to);
    }
    __device__ void close(const row &r, const wfi_group_best &b) const {
        wfi_pull_mass company = without(this->l.total.at(r.own), r.mine);
        double stay = (double)b.own - wfi_community_penalty(this->l.rate, this->l.total.in != NULL, r.mine, company);
        wfi_community_best best = {b.gain, b.own, b.to};
        double advantage;
        weft_vid to =
            wfi_community_decide(&best, stay, r.v, !is_empty(company), is_empty(this->l.total.at(r.v)), &advantage);
        this->target[r.v] = to;
        slack[r.v] = to == WEFT_NO_VERTEX ? (S)wfi_community_slack(&best, stay) : 0;
        if (!drawn.gain || to == WEFT_NO_VERTEX) return;
        drawn.gain[r.v] = advantage;
        drawn.incoming.add(to, r.mine);
    }
};

/* A moved vertex subtracts from its neighbours' slack (wfi_community_slack). */
template <class S> struct marking {
    const S *weights;
    const weft_vid *target, *member;
    uint8_t *active;
    S *slack;
    __device__ bool wants(weft_vid v) const { return target[v] != WEFT_NO_VERTEX; }
    struct seen {
        weft_vid member;
        S weight;
        uint8_t active;
    };
    __device__ seen look(weft_vid u, weft_eid e) const { return {member[u], weights ? weights[e] : 1, active[u]}; }
    __device__ void take(weft_vid v, weft_vid u, weft_eid, const seen &there, wide &) const {
        if (there.active || there.member == member[v]) return;
        S more = there.weight << (there.member == target[v]);
        if (add_to(&slack[u], 0 - (uint64_t)more) < more) active[u] = 1;
    }
    __device__ void end(weft_vid, wide) const {}
};

template <class S> weft_status moving(void *machine_) {
    machine<S> *m = (machine<S> *)machine_;
    community_level<S> l = m->level;
    uint8_t *active = m->active;
    return wfi_each(m->ctx, l.n, [=] __device__(uint64_t v) {
        active[v] = l.rows.end[v] > l.rows.begin[v] && !is_empty(l.mass.at((weft_vid)v));
    });
}

/* Counts the non-empty communities: the bound for the size of tables. */
template <class S> __global__ void count_communities(community_level<S> l, unsigned *count) {
    unsigned mine = 0;
    for (uint64_t c = wfi_thread(); c < l.n; c += wfi_all_threads()) mine += !is_empty(l.total.at((weft_vid)c));
    mine = wfi_warp_sum(mine);
    if (threadIdx.x % 32 == 0 && mine) atomicAdd(count, mine);
}

template <class S> struct moving_apply {
    community_level<S> l;
    weft_vid *target;
    uint8_t *active;
    wfi_community_keys by;
    lots<S> drawn;
    wfi_group_counts *counts;
    unsigned *keys;
    __device__ void operator()(weft_vid v) const {
        weft_vid to = target[v];
        if (to == WEFT_NO_VERTEX) return;
        wfi_pull_mass mine = l.mass.at(v), none = {0, 0};
        if (drawn.gain) {
            wfi_pull_mass others = without(drawn.incoming.at(to), mine);
            double crowd = wfi_community_penalty(l.rate, l.total.in != NULL, mine, others);
            if (!wfi_community_moves(drawn.gain[v], crowd, by.tie, v)) {
                target[v] = WEFT_NO_VERTEX;
                active[v] = 1;
                return;
            }
        }
        l.total.add(to, mine);
        l.total.add(l.member[v], without(none, mine));
        target[v] = l.member[v]; /* the community that v left */
        l.member[v] = to;
        if (to == v) atomicAdd(keys, 1u);
        atomicAdd(&counts->changed, 1u);
    }
};

template <class S> weft_status round_of_moves(void *machine_, wfi_community_keys keys, uint64_t *moved) {
    machine<S> *m = (machine<S> *)machine_;
    weft_ctx *ctx = m->ctx;
    community_level<S> l = m->level;
    wfi_group_counts here[WFI_COMMUNITY_CLASSES];
    weft_status st = WEFT_OK;
    WFI_CUDA_OR_RETURN(cudaMemsetAsync(m->counts, 0, sizeof here, STREAM));
    WFI_CUDA_OR_RETURN(cudaMemsetAsync(m->keys, 0, sizeof *m->keys, STREAM));
    count_communities<<<blocks_for(m, l.n), THREADS, 0, STREAM>>>(l, m->keys);
    for (unsigned c = 0; c < keys.classes && !st; c++) {
        moving_body<S> body;
        body.l = l;
        body.keys = keys;
        body.target = m->target;
        body.active = m->active;
        body.slack = m->slack;
        body.turn = c;
        body.drawn = m->drawn;
        body.own_ties = m->task->cpm;
        if (m->drawn.gain)
            WFI_CUDA_OR_RETURN(cudaMemsetAsync(m->drawn.incoming.out, 0, l.n * sizeof *m->drawn.incoming.out, STREAM));
        st = wfi_group_step(ctx, body, m->shape, l.rows, m->lists, m->counts + c, m->keys);
        if (st) return st;
        moving_apply<S> apply = {l, m->target, m->active, keys, m->drawn, m->counts + c, m->keys};
        marking<S> mark = {l.rows.weights, m->target, l.member, m->active, m->slack};
        wfi_group_each_row<<<blocks_for(m, l.n), THREADS, 0, STREAM>>>(m->lists, m->counts + c, apply);
        wfi_group_each_arc<<<blocks_for(m, l.room), THREADS, 0, STREAM>>>(l.rows, m->lists, m->counts + c, mark);
    }
    WFI_CUDA_OR_RETURN(cudaGetLastError());
    st = wfi_download(ctx, here, m->counts, sizeof here);
    *moved = 0;
    for (unsigned c = 0; c < keys.classes; c++) *moved += here[c].changed;
    return st;
}

} // namespace wfi_community

#endif
