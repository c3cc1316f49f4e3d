/* Communities on the GPU: contraction.  The rows of a part's members are copied one after another, and then summed in
 * place by target, as a row group (ops/group.cuh; engines/sparse_accumulator/quotient.h explains the gaps between
 * rows). */
#ifndef WFI_LEIDEN_GPU_CONTRACT_CUH
#define WFI_LEIDEN_GPU_CONTRACT_CUH

#include "algo/leiden/gpu.cuh"

namespace wfi_community {

/* Contraction: writes each key of a part's row where the concatenated row was. */
template <class S> struct merging_body {
    typedef S sum;
    community_rows<S> to;
    unsigned hash; /* different from the hash of the level before */
    struct row {
        weft_vid p;
    };
    struct seen {};
    __device__ bool wants(weft_vid) const { return true; }
    __device__ row enter(weft_vid p) const { return {p}; }
    __device__ weft_vid key(const row &r, weft_vid q) const { return q == r.p ? WEFT_NO_VERTEX : q; }
    __device__ seen look(const row &, weft_vid) const { return {}; }
    __device__ void weigh(const row &r, weft_vid q, S weight, seen, wfi_group_best &) const {
        uint64_t at = to.begin[r.p] + wfi_claim(&to.end[r.p]);
        to.targets[at] = q;
        to.weights[at] = weight;
    }
    __device__ void join(const row &, wfi_group_best &, const wfi_group_best &) const {}
    __device__ void close(const row &, const wfi_group_best &) const {}
};

template <class S> struct copying {
    wfi_group_rows<S> from;
    const weft_vid *part;
    const weft_eid *place; /* the destination of each row of `from` */
    community_rows<S> to;
    __device__ bool wants(weft_vid v) const { return part[v] != WEFT_NO_VERTEX; }
    struct seen {
        weft_vid part;
        S weight;
    };
    __device__ seen look(weft_vid u, weft_eid e) const { return {part[u], wfi_group_weight(from, e)}; }
    __device__ void take(weft_vid v, weft_vid, weft_eid e, const seen &there, wide &) const {
        weft_eid at = place[v] + (e - from.begin[v]);
        to.targets[at] = there.part;
        to.weights[at] = there.weight;
    }
    __device__ void end(weft_vid, wide) const {}
};

/* Masses and number of communities. */
template <class S> weft_status add_up(machine<S> *m) {
    weft_ctx *ctx = m->ctx;
    community_level<S> l = m->level;
    WFI_CUDA_OR_RETURN(cudaMemsetAsync(l.total.out, 0, l.n * sizeof *l.total.out, STREAM));
    if (l.total.in) WFI_CUDA_OR_RETURN(cudaMemsetAsync(l.total.in, 0, l.n * sizeof *l.total.in, STREAM));
    weft_status st = wfi_each(ctx, l.n, [=] __device__(uint64_t v) {
        wfi_pull_mass mine = l.mass.at((weft_vid)v);
        if (!is_empty(mine)) l.total.add(l.member[v], mine);
    });
    return st ? st : wfi_group_prepare(ctx, l.n, l.rows, m->lists, &m->sums->room, &m->shape);
}

template <class T> weft_status scan(weft_ctx *ctx, char *scratch, T *values, uint64_t count) {
    size_t bytes = wfi_cub_scan_bytes(count);
    WFI_CUDA_OR_RETURN(cub::DeviceScan::ExclusiveSum(scratch, bytes, values, values, (int64_t)count, STREAM));
    return WEFT_OK;
}

/* part[v], as number_parts of cpu.c; *parts: number of parts. */
template <class S> weft_status number_parts(machine<S> *m, const weft_vid *name, weft_vid *parts) {
    weft_ctx *ctx = m->ctx;
    community_level<S> l = m->level;
    uint32_t *number = m->number;
    weft_vid *part = m->part;
    WFI_CUDA_OR_RETURN(cudaMemsetAsync(number, 0, (l.n + 1) * sizeof *number, STREAM));
    weft_status st = wfi_each(ctx, l.n, [=] __device__(uint64_t v) {
        if (!is_empty(l.mass.at((weft_vid)v)) && !number[name[v]]) number[name[v]] = 1;
    });
    if (!st) st = scan(ctx, m->scratch, number, l.n + (uint64_t)1);
    if (!st)
        st = wfi_each(ctx, l.n, [=] __device__(uint64_t v) {
            part[v] = is_empty(l.mass.at((weft_vid)v)) ? WEFT_NO_VERTEX : number[name[v]];
        });
    return st ? st : wfi_download(ctx, parts, number + l.n, sizeof *parts);
}

template <class S> weft_status carry(machine<S> *m, weft_vid parts, weft_vid *member, const masses<S> &mass) {
    weft_ctx *ctx = m->ctx;
    community_level<S> l = m->level;
    weft_vid *least = m->target, *part = m->part, *at = m->vertex_of;
    WFI_CUDA_OR_RETURN(cudaMemsetAsync(least, 0xff, l.n * sizeof *least, STREAM));
    WFI_CUDA_OR_RETURN(cudaMemsetAsync(mass.out, 0, parts * sizeof *mass.out, STREAM));
    if (mass.in) WFI_CUDA_OR_RETURN(cudaMemsetAsync(mass.in, 0, parts * sizeof *mass.in, STREAM));
    weft_status st = wfi_each(ctx, l.n, [=] __device__(uint64_t v) {
        weft_vid p = part[v];
        if (p == WEFT_NO_VERTEX) return;
        if (p < least[l.member[v]]) atomicMin(&least[l.member[v]], p);
        mass.add(p, l.mass.at((weft_vid)v));
    });
    if (!st)
        st = wfi_each(ctx, l.n, [=] __device__(uint64_t v) {
            if (part[v] != WEFT_NO_VERTEX) member[part[v]] = least[l.member[v]];
        });
    if (st) return st;
    return wfi_each(ctx, m->graph.n, [=] __device__(uint64_t v) {
        if (at[v] != WEFT_NO_VERTEX) at[v] = part[at[v]];
    });
}

/* Rows of parts: the rows of members, one after another, then summed in place. */
template <class S> weft_status contract_rows(machine<S> *m, weft_vid parts, const community_rows<S> &to) {
    weft_ctx *ctx = m->ctx;
    community_level<S> l = m->level;
    weft_vid *part = m->part;
    weft_eid *place = m->place;
    weft_eid room = 0;
    WFI_CUDA_OR_RETURN(cudaMemsetAsync(to.begin, 0, (parts + (size_t)1) * sizeof *to.begin, STREAM));
    weft_status st = wfi_each(ctx, l.n, [=] __device__(uint64_t v) {
        if (part[v] == WEFT_NO_VERTEX) return;
        place[v] = atomicAdd((wide *)&to.begin[part[v]], (wide)(l.rows.end[v] - l.rows.begin[v]));
    });
    if (!st) st = scan(ctx, m->scratch, to.begin, parts + (uint64_t)1);
    if (!st)
        st = wfi_each(ctx, l.n, [=] __device__(uint64_t v) {
            if (part[v] != WEFT_NO_VERTEX) place[v] += to.begin[part[v]];
        });
    if (!st) st = list_all(m);
    if (st) return st;
    copying<S> copy = {l.rows, part, place, to};
    wfi_group_each_arc<<<blocks_for(m, l.room), THREADS, 0, STREAM>>>(l.rows, m->lists, m->counts, copy);
    WFI_CUDA_OR_RETURN(cudaGetLastError());
    st = wfi_download(ctx, &room, to.begin + parts, sizeof room);
    if (st) return st;

    /* The end of a concatenated row is the begin of the next; `end` counts while rows are summed. */
    wfi_group_rows<S> lying = {to.begin, to.begin + 1, to.targets, to.weights};
    merging_body<S> merge = {to, m->turn ? WFI_GROUP_HASH_ODD : WFI_GROUP_HASH_EVEN};
    unsigned keys = parts;
    wfi_group_shape shape;
    WFI_CUDA_OR_RETURN(cudaMemsetAsync(to.end, 0, parts * sizeof *to.end, STREAM));
    WFI_CUDA_OR_RETURN(cudaMemsetAsync(m->counts, 0, sizeof *m->counts, STREAM));
    st = wfi_upload(ctx, m->keys + 1, &keys, sizeof keys);
    if (!st) st = wfi_group_prepare(ctx, parts, lying, m->lists, &m->sums->room, &shape);
    if (!st) st = wfi_group_tables(ctx, shape, m->coarse[m->turn].targets, m->coarse[m->turn].weights, &m->lists);
    if (!st) st = wfi_group_step(ctx, merge, shape, lying, m->lists, m->counts, m->keys + 1);
    if (st) return st;
    tallies *sums = m->sums;
    WFI_CUDA_OR_RETURN(cudaMemsetAsync(&sums->open, 0, sizeof sums->open, STREAM));
    m->level.room = room;
    return add_all(ctx, parts, &sums->open, [=] __device__(uint64_t p) {
        wide has_arcs = to.end[p] > 0;
        to.end[p] += to.begin[p];
        return has_arcs;
    });
}

template <class S> weft_status contract(void *machine_, weft_vid *n, weft_vid *open) {
    machine<S> *m = (machine<S> *)machine_;
    int next = m->turn ^ 1;
    weft_vid parts = 0;
    tallies here;
    weft_status st = number_parts(m, m->task->refine ? m->s.set : m->level.member, &parts);
    if (st) return st;
    if (parts == m->level.n || !parts) return *n = m->level.n, WEFT_OK;
    community_rows<S> to = m->coarse[next];
    st = carry(m, parts, m->member[next], m->mass[next]);
    if (!st) st = contract_rows(m, parts, to);
    if (st) return st;
    m->turn = next;
    m->level.n = parts;
    m->level.rows = {to.begin, to.end, to.targets, to.weights};
    m->level.mass = m->mass[next];
    m->level.member = m->member[next];
    st = add_up(m);
    if (!st) st = read_sums(m, &here);
    *n = parts;
    *open = (weft_vid)here.open;
    return st;
}

} // namespace wfi_community

#endif
