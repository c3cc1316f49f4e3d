/* Communities on the GPU: the graph's weights as integers, its rows and strengths, and the initial labels. */
#ifndef WFI_LEIDEN_GPU_GRAPH_CUH
#define WFI_LEIDEN_GPU_GRAPH_CUH

#include "algo/leiden/gpu.cuh"
#include "engines/fixed_sums/takes.h"

#include <math.h>

namespace wfi_community {

template <class S> weft_status find_unit(machine<S> *m) {
    weft_ctx *ctx = m->ctx;
    const weft_graph *g = m->task->g;
    const wfi_view out = *m->out;
    tallies *sums = m->sums, here;
    int scale;
    m->unit = 1;
    if (!m->task->weights || !g->arcs) return WEFT_OK;
    WFI_CUDA_OR_RETURN(cudaMemsetAsync(&sums->bad, 0xff, sizeof sums->bad, STREAM));
    weft_status st = wfi_each(ctx, g->arcs, [=] __device__(uint64_t e) {
        double w = wfi_weight_at(out.type, out.weights, e);
        if (!WFI_SHARES_TAKE(w))
            atomicMin(&sums->bad, (wide)e);
        else if ((wide)__double_as_longlong(w) > *(volatile wide *)&sums->most)
            atomicMax(&sums->most, (wide)__double_as_longlong(w));
    });
    if (!st) st = read_sums(m, &here);
    if (st) return st;
    if (here.bad != ~0ull) return wfi_refuse_share(ctx, m->task->algorithm, g, here.bad);
    double most;
    static_assert(sizeof most == sizeof here.most, "bits of a double");
    memcpy(&most, &here.most, sizeof most);
    uint64_t slots = 2 * wfi_community_arcs(g);
    (void)frexp(most, &scale);
    double unit = ldexp(1, 61 - scale - (int)wfi_bits(slots));
    st = add_all(ctx, g->arcs, &sums->sum, [=] __device__(uint64_t e) {
        return (wide)wfi_community_whole(wfi_weight_at(out.type, out.weights, e), unit);
    });
    if (!st) st = read_sums(m, &here);
    m->unit = most > 0 ? ldexp(unit, 60 - (int)wfi_bits(here.sum + slots)) : unit;
    return st;
}

template <class S> weft_status count_vanished(machine<S> *m, uint64_t *underflowed) {
    const wfi_view out = *m->out;
    const bool directed = m->task->g->directed;
    const double unit = m->unit;
    tallies *sums = m->sums, here;
    *underflowed = 0;
    if (!m->task->weights) return WEFT_OK;
    weft_status st = wfi_each_warp(m->ctx, out.count, [=] __device__(uint64_t v, unsigned lane, unsigned lanes) {
        for (weft_eid e = out.offsets[v] + lane; e < out.offsets[v + 1]; e += lanes) {
            double w = wfi_weight_at(out.type, out.weights, e);
            if (w > 0 && !wfi_community_whole(w, unit) && (directed || v <= out.targets[e]))
                atomicAdd(&sums->underflowed, 1ull);
        }
    });
    if (!st) st = read_sums(m, &here);
    *underflowed = here.underflowed;
    return st;
}

/* Rows of the first level, the input graph. */
template <class S> weft_status make_rows(machine<S> *m) {
    weft_ctx *ctx = m->ctx;
    const weft_graph *g = m->task->g;
    const wfi_view out = *m->out, in = *m->in;
    const community_rows<S> to = m->joined;
    const double unit = m->unit;
    const bool weighted = m->task->weights;
    m->graph.n = g->n;
    m->graph.room = wfi_community_arcs(g);
    m->graph.rows.weights = weighted ? to.weights : NULL;
    if (!g->directed) {
        m->graph.rows.begin = out.offsets;
        m->graph.rows.end = out.offsets + 1;
        m->graph.rows.targets = out.targets;
        if (!weighted) return WEFT_OK;
        return wfi_each(ctx, g->arcs, [=] __device__(uint64_t e) {
            to.weights[e] = (S)wfi_community_whole(wfi_weight_at(out.type, out.weights, e), unit);
        });
    }
    m->graph.rows.begin = to.begin;
    m->graph.rows.end = to.begin + 1;
    m->graph.rows.targets = to.targets;
    weft_vid n = g->n;
    weft_eid all = wfi_community_arcs(g);
    return wfi_each_warp(ctx, n, [=] __device__(uint64_t v, unsigned lane, unsigned lanes) {
        weft_eid at = out.offsets[v] + in.offsets[v], more = out.offsets[v + 1] - out.offsets[v];
        if (!lane) to.begin[v] = at;
        if (!lane && v == n - 1) to.begin[n] = all;
        for (weft_eid i = lane; i < more; i += lanes) {
            to.targets[at + i] = out.targets[out.offsets[v] + i];
            if (weighted)
                to.weights[at + i] =
                    (S)wfi_community_whole(wfi_weight_at(out.type, out.weights, out.offsets[v] + i), unit);
        }
        at += more;
        more = in.offsets[v + 1] - in.offsets[v];
        for (weft_eid i = lane; i < more; i += lanes) {
            to.targets[at + i] = in.targets[in.offsets[v] + i];
            if (weighted)
                to.weights[at + i] =
                    (S)wfi_community_whole(wfi_weight_at(in.type, in.weights, in.offsets[v] + i), unit);
        }
    });
}

template <class S> weft_status add_strengths(machine<S> *m) {
    const bool directed = m->task->g->directed, cpm = m->task->cpm;
    const wfi_group_rows<S> rows = m->graph.rows;
    const wfi_view out = *m->out;
    const masses<S> strength = m->strength, size = m->size;
    tallies *sums = m->sums;
    weft_vid *label = m->label;
    weft_status st = wfi_each_warp(m->ctx, m->graph.n, [=] __device__(uint64_t v, unsigned lane, unsigned lanes) {
        weft_eid end = rows.end[v], middle = directed ? rows.begin[v] + (out.offsets[v + 1] - out.offsets[v]) : end;
        wide sum[2] = {0, 0};
#pragma unroll 4
        for (weft_eid e = rows.begin[v] + lane; e < end; e += lanes) {
            wide weight = wfi_group_weight(rows, e);
            weight += rows.targets[e] == v && !directed ? weight : 0;
            sum[0] += e < middle ? weight : 0;
            sum[1] += e < middle ? 0 : weight;
        }
        for (int i = 0; i < 2; i++) sum[i] = wfi_warp_sum(sum[i]);
        if (lane) return;
        strength.out[v] = (S)sum[0];
        if (directed) strength.in[v] = (S)sum[1];
        if (cpm) size.out[v] = sum[0] || sum[1];
        label[v] = (weft_vid)v;
    });
    if (!st)
        st = add_all(m->ctx, m->graph.n, &sums->total, [=] __device__(uint64_t v) { return (wide)strength.out[v]; });
    return st ? st : add_all(m->ctx, m->graph.n, &sums->open, [=] __device__(uint64_t v) {
        return (wide)!is_empty(strength.at((weft_vid)v));
    });
}

template <class S> weft_status take_initial(machine<S> *m) {
    weft_ctx *ctx = m->ctx;
    weft_vid *given = m->part, *least = m->target, *label = m->label;
    const masses<S> strength = m->strength;
    weft_vid n = m->graph.n;
    weft_status st = wfi_upload(ctx, given, m->task->initial, n * sizeof *given);
    if (st) return st;
    WFI_CUDA_OR_RETURN(cudaMemsetAsync(least, 0xff, n * sizeof *least, STREAM));
    st = wfi_each(ctx, n, [=] __device__(uint64_t v) {
        if (!is_empty(strength.at((weft_vid)v))) atomicMin(&least[given[v]], (weft_vid)v);
    });
    if (st) return st;
    return wfi_each(ctx, n, [=] __device__(uint64_t v) {
        label[v] = is_empty(strength.at((weft_vid)v)) ? (weft_vid)v : least[given[v]];
    });
}

template <class S> weft_status begin(void *machine_, uint64_t *underflowed) {
    machine<S> *m = (machine<S> *)machine_;
    weft_ctx *ctx = m->ctx;
    const wfi_community_task *t = m->task;
    tallies here;
    WFI_CUDA_OR_RETURN(cudaMemsetAsync(m->sums, 0, sizeof *m->sums, STREAM));
    weft_status st = find_unit(m);
    if (!st) st = count_vanished(m, underflowed);
    if (!st) st = make_rows(m);
    if (!st) st = add_strengths(m);
    if (!st && t->initial) st = take_initial(m);
    if (!st) st = read_sums(m, &here);
    if (st) return st;
    m->open = (weft_vid)here.open;
    m->weight = here.total * (t->g->directed ? 2 : 1);
    m->graph.mass = t->cpm ? m->size : m->strength;
    if (!m->two) m->graph.mass.in = NULL;
    if (t->cpm)
        m->graph.rate = t->resolution * m->unit * (t->g->directed ? 2 : 1);
    else
        m->graph.rate = here.total ? t->resolution / (double)here.total : 0;
    return WEFT_OK;
}

} // namespace wfi_community

#endif
