/* Communities on the GPU: refinement.  The joins of tails are a row group (ops/group.cuh). */
#ifndef WFI_LEIDEN_GPU_REFINE_CUH
#define WFI_LEIDEN_GPU_REFINE_CUH

#include "algo/leiden/gpu.cuh"

namespace wfi_community {

template <class S>
__device__ inline bool is_well_connected(const community_level<S> &l, wfi_pull_mass mine, S bound, weft_vid own) {
    wfi_pull_mass rest = without(l.total.at(own), mine);
    return (double)bound >= wfi_community_penalty(l.rate, l.total.in != NULL, mine, rest);
}

template <class S> struct joining_body : choosing<S> {
    sets<S> s;
    wfi_group_counts *counts;
    typedef typename choosing<S>::row row;
    struct seen {
        one_mass<S> mass;
        S bound;
    };
    __device__ bool wants(weft_vid v) const {
        if (s.set[v] != v || s.grown[v] || !s.bound[v]) return false;
        if (!is_well_connected(this->l, this->l.mass.at(v), s.bound[v], this->l.member[v])) return false;
        if (!counts->left) counts->left = 1; /* a vertex that could still join is left */
        return !wfi_community_head(this->keys.seed, v);
    }
    __device__ weft_vid key(const row &r, weft_vid u) const {
        if (u == r.v || this->l.member[u] != r.own) return WEFT_NO_VERTEX;
        weft_vid x = s.set[u];
        return s.grown[x] || wfi_community_head(this->keys.seed, x) ? x : WEFT_NO_VERTEX;
    }
    __device__ seen look(const row &, weft_vid x) const { return {s.mass.here(x), s.bound[x]}; }
    __device__ void weigh(const row &r, weft_vid x, S weight, seen there, wfi_group_best &best) const {
        double gain =
            (double)weight - wfi_community_penalty(this->l.rate, this->l.total.in != NULL, r.mine, there.mass);
        if (gain >= 0 && weight && is_well_connected(this->l, there.mass, there.bound, r.own))
            this->consider(r, best, gain, x);
    }
    __device__ void close(const row &r, const wfi_group_best &best) const { this->target[r.v] = best.to; }
};

/* Updates bound; see join in cpu_refine.c. */
template <class S> struct binding {
    const S *weights;
    const weft_vid *target, *set;
    S *bound;
    __device__ bool wants(weft_vid v) const { return target[v] != WEFT_NO_VERTEX; }
    struct seen {
        weft_vid set, target;
        S weight;
    };
    __device__ seen look(weft_vid u, weft_eid e) const { return {set[u], target[u], weights ? weights[e] : 1}; }
    __device__ void take(weft_vid v, weft_vid u, weft_eid, const seen &there, wide &mine) const {
        weft_vid x = target[v];
        if (u == v || there.set != x) return;
        mine += there.target == x ? (wide)there.weight : 2 * (wide)there.weight;
    }
    __device__ void end(weft_vid v, wide mine) const {
        if (mine) add_to(&bound[target[v]], 0 - mine);
    }
};

template <class S> struct within {
    community_level<S> l;
    S *bound;
    __device__ bool wants(weft_vid) const { return true; }
    typedef weft_vid seen; /* its community */
    __device__ seen look(weft_vid u, weft_eid) const { return l.member[u]; }
    __device__ void take(weft_vid v, weft_vid u, weft_eid e, seen there, wide &mine) const {
        if (u != v && there == l.member[v]) mine += wfi_group_weight(l.rows, e);
    }
    __device__ void end(weft_vid v, wide mine) const {
        if (mine) add_to(&bound[v], mine);
    }
};

template <class S> weft_status refining(void *machine_) {
    machine<S> *m = (machine<S> *)machine_;
    weft_ctx *ctx = m->ctx;
    community_level<S> l = m->level;
    sets<S> s = m->s;
    weft_vid *target = m->target;
    weft_status st = wfi_each(ctx, l.n, [=] __device__(uint64_t v) {
        wfi_pull_mass mine = l.mass.at((weft_vid)v);
        s.set[v] = (weft_vid)v;
        s.mass.out[v] = (S)mine.out;
        if (s.mass.in) s.mass.in[v] = (S)mine.in;
        s.bound[v] = 0;
        s.grown[v] = 0;
        target[v] = WEFT_NO_VERTEX;
    });
    if (!st) st = list_all(m);
    if (st) return st;
    within<S> sum = {l, s.bound};
    wfi_group_each_arc<<<blocks_for(m, l.room), THREADS, 0, STREAM>>>(l.rows, m->lists, m->counts, sum);
    unsigned most = l.n;
    return wfi_upload(ctx, m->keys + 1, &most, sizeof most);
}

template <class S> struct joining_apply {
    community_level<S> l;
    sets<S> s;
    const weft_vid *target;
    __device__ void operator()(weft_vid v) const {
        weft_vid x = target[v];
        if (x == WEFT_NO_VERTEX) return;
        s.set[v] = x;
        s.mass.add(x, l.mass.at(v));
        s.grown[x] = 1;
        add_to(&s.bound[x], s.bound[v]);
    }
};

struct forgetting {
    weft_vid *target;
    __device__ void operator()(weft_vid v) const { target[v] = WEFT_NO_VERTEX; }
};

template <class S> weft_status refine_round(void *machine_, wfi_community_keys keys, uint64_t *candidates) {
    machine<S> *m = (machine<S> *)machine_;
    weft_ctx *ctx = m->ctx;
    community_level<S> l = m->level;
    wfi_group_counts here;
    joining_body<S> body;
    body.l = l;
    body.keys = keys;
    body.target = m->target;
    body.s = m->s;
    body.counts = m->counts;
    WFI_CUDA_OR_RETURN(cudaMemsetAsync(m->counts, 0, sizeof *m->counts, STREAM));
    weft_status st = wfi_group_step(ctx, body, m->shape, l.rows, m->lists, m->counts, m->keys + 1);
    if (st) return st;
    joining_apply<S> apply = {l, m->s, m->target};
    binding<S> bind = {l.rows.weights, m->target, m->s.set, m->s.bound};
    wfi_group_each_row<<<blocks_for(m, l.n), THREADS, 0, STREAM>>>(m->lists, m->counts, apply);
    wfi_group_each_arc<<<blocks_for(m, l.room), THREADS, 0, STREAM>>>(l.rows, m->lists, m->counts, bind);
    wfi_group_each_row<<<blocks_for(m, l.n), THREADS, 0, STREAM>>>(m->lists, m->counts, forgetting{m->target});
    WFI_CUDA_OR_RETURN(cudaGetLastError());
    st = wfi_download(ctx, &here, m->counts, sizeof here);
    *candidates = here.left;
    return st;
}

} // namespace wfi_community

#endif
