/* Communities on the GPU: the steps of community.h.  The answer is that of cpu.c.
 * Method: what a class decides, and what tails join, are row groups (ops/group.cuh); so is contraction: the rows of a
 * part's members are copied one after another, and then summed by their targets where they lie (ops/quotient.h says why
 * rows have gaps).  Tables of the longest rows lie where no rows are: a level's in the place of those of the next.
 * Encoding: weights and masses in 32 bits where all of them together fit, else in 64. */
#include "community/bodies.h"
#include "cuda/cub.cuh"
#include "cuda/stages.cuh"
#include "cuda/warp.cuh"
#include "ops/group.cuh"
#include "shared/pull/takes.h"

#include <math.h>

namespace {

typedef unsigned long long wide;

enum { THREADS = 256, MOST_BLOCKS = 4096 };

/* Returns what was there. */
__device__ inline uint32_t add_to(uint32_t *at, uint64_t more) { return atomicAdd(at, (uint32_t)more); }
__device__ inline uint64_t add_to(uint64_t *at, uint64_t more) { return atomicAdd((wide *)at, (wide)more); }

/* As wide as the sums are. */
template <class S> struct one_mass {
    S out, in;
    __device__ operator wfi_pull_mass() const { return {out, in}; }
};

/* in: NULL where there is one mass only. */
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

/* Rows that are being made. */
template <class S> struct own_rows {
    weft_eid *begin, *end;
    weft_vid *targets;
    S *weights;
};

/* What kernels see of a level. */
template <class S> struct level {
    weft_vid n;
    uint64_t room; /* arcs, gaps included */
    wfi_group_rows<S> rows;
    masses<S> mass, total;
    weft_vid *member;
    double rate;
};

/* --- bodies ---------------------------------------------------------------------------------------------- */

/* Both choices: the best gain, of equal ones by hash. */
template <class S> struct choosing {
    typedef S sum;
    static const unsigned hash = WFI_GROUP_HASH;
    level<S> l;
    wfi_community_keys keys;
    weft_vid *goes;
    bool own_ties = false; /* wfi_community_tie */
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

/* Of CPM: what vertices gain, and the masses of those who would join a community (wfi_community_goes). */
template <class S> struct lots {
    double *more; /* NULL: none are drawn */
    masses<S> incoming;
};

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
        double more;
        weft_vid to =
            wfi_community_decide(&best, stay, r.v, !is_empty(company), is_empty(this->l.total.at(r.v)), &more);
        this->goes[r.v] = to;
        slack[r.v] = to == WEFT_NO_VERTEX ? (S)wfi_community_slack(&best, stay) : 0;
        if (!drawn.more || to == WEFT_NO_VERTEX) return;
        drawn.more[r.v] = more;
        drawn.incoming.add(to, r.mine);
    }
};

/* Sets of refinement. */
template <class S> struct sets {
    weft_vid *set;
    masses<S> mass;
    S *bound;
    uint8_t *grown;
};

template <class S>
__device__ inline bool is_well_connected(const level<S> &l, wfi_pull_mass mine, S bound, weft_vid own) {
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
        if (!counts->left) counts->left = 1; /* somebody could still join */
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
    __device__ void close(const row &r, const wfi_group_best &best) const { this->goes[r.v] = best.to; }
};

/* Contraction: each key of a part's row is written where the row was. */
template <class S> struct merging_body {
    typedef S sum;
    own_rows<S> to;
    unsigned hash; /* another one than that of the level before */
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

/* --- what is done for the arcs of rows that moved --------------------------------------------------------- */

template <class S> struct marking {
    const S *weights;
    const weft_vid *goes, *member;
    uint8_t *active;
    S *slack;
    __device__ bool wants(weft_vid v) const { return goes[v] != WEFT_NO_VERTEX; }
    struct seen {
        weft_vid member;
        S weight;
        uint8_t active;
    };
    __device__ seen look(weft_vid u, weft_eid e) const { return {member[u], weights ? weights[e] : 1, active[u]}; }
    __device__ void take(weft_vid v, weft_vid u, weft_eid, const seen &there, wide &) const {
        if (there.active || there.member == member[v]) return;
        S more = there.weight << (there.member == goes[v]);
        if (add_to(&slack[u], 0 - (uint64_t)more) < more) active[u] = 1;
    }
    __device__ void end(weft_vid, wide) const {}
};

/* See join in cpu.c: what leads from a joiner to its set is no longer at its edge. */
template <class S> struct binding {
    const S *weights;
    const weft_vid *goes, *set;
    S *bound;
    __device__ bool wants(weft_vid v) const { return goes[v] != WEFT_NO_VERTEX; }
    struct seen {
        weft_vid set, goes;
        S weight;
    };
    __device__ seen look(weft_vid u, weft_eid e) const { return {set[u], goes[u], weights ? weights[e] : 1}; }
    __device__ void take(weft_vid v, weft_vid u, weft_eid, const seen &there, wide &mine) const {
        weft_vid x = goes[v];
        if (u == v || there.set != x) return;
        mine += there.goes == x ? (wide)there.weight : 2 * (wide)there.weight;
    }
    __device__ void end(weft_vid v, wide mine) const {
        if (mine) add_to(&bound[goes[v]], 0 - mine);
    }
};

template <class S> struct copying {
    wfi_group_rows<S> from;
    const weft_vid *part;
    const weft_eid *place; /* of each row of `from` */
    own_rows<S> to;
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

/* Lists of all rows. */
template <class S> struct all_rows {
    typedef S sum;
    __device__ bool wants(weft_vid) const { return true; }
};

/* Sums that the host reads. */
struct tallies {
    wide most, bad, sum, vanished, open, inside, total, count, largest, room;
    wide square[4], pairs[4];
};

/* --- the machine ----------------------------------------------------------------------------------------- */

template <class S> struct machine {
    weft_ctx *ctx;
    const wfi_community_task *task;
    const wfi_view *out, *in;
    wfi_community_columns columns;
    double unit;
    bool two;
    wfi_group_shape shape;
    weft_vid open; /* of the graph's vertices, those that have arcs that count */
    wide weight;   /* of all rows */

    level<S> graph, now;
    own_rows<S> joined;    /* a directed graph's rows; weights of any */
    own_rows<S> coarse[2]; /* of levels, in turn */
    masses<S> strength, size, mass[2], total;
    weft_vid *member[2], *label, *kept[WFI_COMMUNITY_LEVELS];
    int turn;
    uint8_t *active;
    S *slack;
    lots<S> drawn;
    weft_vid *goes, *part, *at, *stored;
    uint32_t *number;
    weft_eid *place;
    sets<S> s;
    wfi_group_lists<S> lists;
    wfi_group_counts *counts;
    unsigned *keys; /* communities that there can be, and parts */
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
        wfi_array(w, &m->drawn.more, n);
        lay_out_masses(w, n, false, &m->drawn.incoming);
    }
    wfi_array(w, &m->goes, n);
    wfi_array(w, &m->part, n);
    wfi_array(w, &m->at, n);
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

/* *to += the sum of f(i). */
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
    WFI_CUDA(cudaGetLastError());
    return WEFT_OK;
}

template <class S> weft_status read_sums(machine<S> *m, tallies *to) {
    return wfi_download(m->ctx, to, m->sums, sizeof *to);
}

/* --- the graph ------------------------------------------------------------------------------------------- */

template <class S> weft_status find_unit(machine<S> *m) {
    weft_ctx *ctx = m->ctx;
    const weft_graph *g = m->task->g;
    const wfi_view out = *m->out;
    tallies *sums = m->sums, here;
    int scale;
    m->unit = 1;
    if (!m->task->weights || !g->arcs) return WEFT_OK;
    WFI_CUDA(cudaMemsetAsync(&sums->bad, 0xff, sizeof sums->bad, STREAM));
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

template <class S> weft_status count_vanished(machine<S> *m, uint64_t *vanished) {
    const wfi_view out = *m->out;
    const bool directed = m->task->g->directed;
    const double unit = m->unit;
    tallies *sums = m->sums, here;
    *vanished = 0;
    if (!m->task->weights) return WEFT_OK;
    weft_status st = wfi_each_warp(m->ctx, out.count, [=] __device__(uint64_t v, unsigned lane, unsigned lanes) {
        for (weft_eid e = out.offsets[v] + lane; e < out.offsets[v + 1]; e += lanes) {
            double w = wfi_weight_at(out.type, out.weights, e);
            if (w > 0 && !wfi_community_whole(w, unit) && (directed || v <= out.targets[e]))
                atomicAdd(&sums->vanished, 1ull);
        }
    });
    if (!st) st = read_sums(m, &here);
    *vanished = here.vanished;
    return st;
}

/* Rows of the level that the graph is. */
template <class S> weft_status make_rows(machine<S> *m) {
    weft_ctx *ctx = m->ctx;
    const weft_graph *g = m->task->g;
    const wfi_view out = *m->out, in = *m->in;
    const own_rows<S> to = m->joined;
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
    weft_vid *given = m->part, *least = m->goes, *label = m->label;
    const masses<S> strength = m->strength;
    weft_vid n = m->graph.n;
    weft_status st = wfi_upload(ctx, given, m->task->initial, n * sizeof *given);
    if (st) return st;
    WFI_CUDA(cudaMemsetAsync(least, 0xff, n * sizeof *least, STREAM));
    st = wfi_each(ctx, n, [=] __device__(uint64_t v) {
        if (!is_empty(strength.at((weft_vid)v))) atomicMin(&least[given[v]], (weft_vid)v);
    });
    if (st) return st;
    return wfi_each(ctx, n, [=] __device__(uint64_t v) {
        label[v] = is_empty(strength.at((weft_vid)v)) ? (weft_vid)v : least[given[v]];
    });
}

template <class S> weft_status begin(void *machine_, uint64_t *vanished) {
    machine<S> *m = (machine<S> *)machine_;
    weft_ctx *ctx = m->ctx;
    const wfi_community_task *t = m->task;
    tallies here;
    WFI_CUDA(cudaMemsetAsync(m->sums, 0, sizeof *m->sums, STREAM));
    weft_status st = find_unit(m);
    if (!st) st = count_vanished(m, vanished);
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

/* --- a level --------------------------------------------------------------------------------------------- */

/* Masses of communities, and how many there are. */
template <class S> weft_status add_up(machine<S> *m) {
    weft_ctx *ctx = m->ctx;
    level<S> l = m->now;
    WFI_CUDA(cudaMemsetAsync(l.total.out, 0, l.n * sizeof *l.total.out, STREAM));
    if (l.total.in) WFI_CUDA(cudaMemsetAsync(l.total.in, 0, l.n * sizeof *l.total.in, STREAM));
    weft_status st = wfi_each(ctx, l.n, [=] __device__(uint64_t v) {
        wfi_pull_mass mine = l.mass.at((weft_vid)v);
        if (!is_empty(mine)) l.total.add(l.member[v], mine);
    });
    return st ? st : wfi_group_prepare(ctx, l.n, l.rows, m->lists, &m->sums->room, &m->shape);
}

template <class S> weft_status open_graph(void *machine_, weft_vid *open) {
    machine<S> *m = (machine<S> *)machine_;
    weft_vid *member = m->member[0], *label = m->label, *at = m->at;
    const masses<S> strength = m->strength;
    m->turn = 0;
    m->now = m->graph;
    m->now.total = m->total;
    m->now.member = member;
    *open = m->open;
    weft_status st = wfi_each(m->ctx, m->graph.n, [=] __device__(uint64_t v) {
        member[v] = label[v];
        at[v] = is_empty(strength.at((weft_vid)v)) ? WEFT_NO_VERTEX : (weft_vid)v;
    });
    if (!st) st = add_up(m);
    return st ? st : wfi_group_tables(m->ctx, m->shape, m->coarse[1].targets, m->coarse[1].weights, &m->lists);
}

template <class S> weft_status moving(void *machine_) {
    machine<S> *m = (machine<S> *)machine_;
    level<S> l = m->now;
    uint8_t *active = m->active;
    return wfi_each(m->ctx, l.n, [=] __device__(uint64_t v) {
        active[v] = l.rows.end[v] > l.rows.begin[v] && !is_empty(l.mass.at((weft_vid)v));
    });
}

/* How many communities there are now: the bound for tables. */
template <class S> __global__ void count_communities(level<S> l, unsigned *count) {
    unsigned mine = 0;
    for (uint64_t c = wfi_thread(); c < l.n; c += wfi_all_threads()) mine += !is_empty(l.total.at((weft_vid)c));
    mine = __reduce_add_sync(~0u, mine);
    if (threadIdx.x % 32 == 0 && mine) atomicAdd(count, mine);
}

/* Many of a warp may go to one community, and additions at one place wait for each other: one lane adds for all. */
__device__ inline void add_joined(const masses<uint32_t> &to, weft_vid c, wfi_pull_mass more) {
    unsigned same = __match_any_sync(__activemask(), c), first = (unsigned)__ffs((int)same) - 1;
    wfi_pull_mass all = {__reduce_add_sync(same, (uint32_t)more.out),
                         to.in ? __reduce_add_sync(same, (uint32_t)more.in) : 0};
    if (threadIdx.x % 32 == first) to.add(c, all);
}
__device__ inline void add_joined(const masses<uint64_t> &to, weft_vid c, wfi_pull_mass more) { to.add(c, more); }

template <class S> struct moving_apply {
    level<S> l;
    weft_vid *goes;
    uint8_t *active;
    wfi_community_keys by;
    lots<S> drawn;
    wfi_group_counts *counts;
    unsigned *keys;
    __device__ void operator()(weft_vid v) const {
        weft_vid to = goes[v];
        if (to == WEFT_NO_VERTEX) return;
        wfi_pull_mass mine = l.mass.at(v), none = {0, 0};
        if (drawn.more) {
            wfi_pull_mass others = without(drawn.incoming.at(to), mine);
            double crowd = wfi_community_penalty(l.rate, l.total.in != NULL, mine, others);
            if (!wfi_community_goes(drawn.more[v], crowd, by.tie, v)) {
                goes[v] = WEFT_NO_VERTEX;
                active[v] = 1;
                return;
            }
        }
        add_joined(l.total, to, mine);
        add_joined(l.total, l.member[v], without(none, mine));
        goes[v] = l.member[v]; /* where it comes from */
        l.member[v] = to;
        if (to == v) atomicAdd(keys, 1u);
        atomicAdd(&counts->changed, 1u);
    }
};

template <class S> unsigned blocks_for(const machine<S> *m, uint64_t work) {
    unsigned most = (unsigned)wfi_gpu_of(m->ctx)->sms * 8;
    return wfi_grid(work, THREADS, most);
}

template <class S> weft_status round_of_moves(void *machine_, wfi_community_keys keys, uint64_t *moved) {
    machine<S> *m = (machine<S> *)machine_;
    weft_ctx *ctx = m->ctx;
    level<S> l = m->now;
    wfi_group_counts here[WFI_COMMUNITY_CLASSES];
    weft_status st = WEFT_OK;
    WFI_CUDA(cudaMemsetAsync(m->counts, 0, sizeof here, STREAM));
    WFI_CUDA(cudaMemsetAsync(m->keys, 0, sizeof *m->keys, STREAM));
    count_communities<<<blocks_for(m, l.n), THREADS, 0, STREAM>>>(l, m->keys);
    for (unsigned c = 0; c < keys.classes && !st; c++) {
        moving_body<S> body;
        body.l = l;
        body.keys = keys;
        body.goes = m->goes;
        body.active = m->active;
        body.slack = m->slack;
        body.turn = c;
        body.drawn = m->drawn;
        body.own_ties = m->task->cpm;
        if (m->drawn.more)
            WFI_CUDA(cudaMemsetAsync(m->drawn.incoming.out, 0, l.n * sizeof *m->drawn.incoming.out, STREAM));
        st = wfi_group_step(ctx, body, m->shape, l.rows, m->lists, m->counts + c, m->keys);
        if (st) return st;
        moving_apply<S> apply = {l, m->goes, m->active, keys, m->drawn, m->counts + c, m->keys};
        marking<S> mark = {l.rows.weights, m->goes, l.member, m->active, m->slack};
        wfi_group_each_row<<<blocks_for(m, l.n), THREADS, 0, STREAM>>>(m->lists, m->counts + c, apply);
        wfi_group_each_arc<<<blocks_for(m, l.room), THREADS, 0, STREAM>>>(l.rows, m->lists, m->counts + c, mark);
    }
    WFI_CUDA(cudaGetLastError());
    st = wfi_download(ctx, here, m->counts, sizeof here);
    *moved = 0;
    for (unsigned c = 0; c < keys.classes; c++) *moved += here[c].changed;
    return st;
}

/* --- refinement ------------------------------------------------------------------------------------------ */

template <class S> struct within {
    level<S> l;
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

/* Lists of all rows: for passes over all arcs. */
template <class S> weft_status list_all(machine<S> *m) {
    weft_ctx *ctx = m->ctx;
    level<S> l = m->now;
    WFI_CUDA(cudaMemsetAsync(m->counts, 0, sizeof *m->counts, STREAM));
    wfi_group_select<<<blocks_for(m, l.n / 4 + 1), 256, 0, STREAM>>>(all_rows<S>(), l.n, l.rows, m->lists, m->counts,
                                                                     m->keys, true);
    WFI_CUDA(cudaGetLastError());
    return WEFT_OK;
}

template <class S> weft_status refining(void *machine_) {
    machine<S> *m = (machine<S> *)machine_;
    weft_ctx *ctx = m->ctx;
    level<S> l = m->now;
    sets<S> s = m->s;
    weft_vid *goes = m->goes;
    weft_status st = wfi_each(ctx, l.n, [=] __device__(uint64_t v) {
        wfi_pull_mass mine = l.mass.at((weft_vid)v);
        s.set[v] = (weft_vid)v;
        s.mass.out[v] = (S)mine.out;
        if (s.mass.in) s.mass.in[v] = (S)mine.in;
        s.bound[v] = 0;
        s.grown[v] = 0;
        goes[v] = WEFT_NO_VERTEX;
    });
    if (!st) st = list_all(m);
    if (st) return st;
    within<S> sum = {l, s.bound};
    wfi_group_each_arc<<<blocks_for(m, l.room), THREADS, 0, STREAM>>>(l.rows, m->lists, m->counts, sum);
    unsigned most = l.n;
    return wfi_upload(ctx, m->keys + 1, &most, sizeof most);
}

template <class S> struct joining_apply {
    level<S> l;
    sets<S> s;
    const weft_vid *goes;
    __device__ void operator()(weft_vid v) const {
        weft_vid x = goes[v];
        if (x == WEFT_NO_VERTEX) return;
        s.set[v] = x;
        s.mass.add(x, l.mass.at(v));
        s.grown[x] = 1;
        add_to(&s.bound[x], s.bound[v]);
    }
};

struct forgetting {
    weft_vid *goes;
    __device__ void operator()(weft_vid v) const { goes[v] = WEFT_NO_VERTEX; }
};

template <class S> weft_status refine_round(void *machine_, wfi_community_keys keys, uint64_t *candidates) {
    machine<S> *m = (machine<S> *)machine_;
    weft_ctx *ctx = m->ctx;
    level<S> l = m->now;
    wfi_group_counts here;
    joining_body<S> body;
    body.l = l;
    body.keys = keys;
    body.goes = m->goes;
    body.s = m->s;
    body.counts = m->counts;
    WFI_CUDA(cudaMemsetAsync(m->counts, 0, sizeof *m->counts, STREAM));
    weft_status st = wfi_group_step(ctx, body, m->shape, l.rows, m->lists, m->counts, m->keys + 1);
    if (st) return st;
    joining_apply<S> apply = {l, m->s, m->goes};
    binding<S> bind = {l.rows.weights, m->goes, m->s.set, m->s.bound};
    wfi_group_each_row<<<blocks_for(m, l.n), THREADS, 0, STREAM>>>(m->lists, m->counts, apply);
    wfi_group_each_arc<<<blocks_for(m, l.room), THREADS, 0, STREAM>>>(l.rows, m->lists, m->counts, bind);
    wfi_group_each_row<<<blocks_for(m, l.n), THREADS, 0, STREAM>>>(m->lists, m->counts, forgetting{m->goes});
    WFI_CUDA(cudaGetLastError());
    st = wfi_download(ctx, &here, m->counts, sizeof here);
    *candidates = here.left;
    return st;
}

/* --- contraction ----------------------------------------------------------------------------------------- */

template <class T> weft_status scan(weft_ctx *ctx, char *scratch, T *values, uint64_t count) {
    size_t bytes = wfi_cub_scan_bytes(count);
    WFI_CUDA(cub::DeviceScan::ExclusiveSum(scratch, bytes, values, values, (int64_t)count, STREAM));
    return WEFT_OK;
}

/* part[v], as number_parts of cpu.c; *parts: how many. */
template <class S> weft_status number_parts(machine<S> *m, const weft_vid *name, weft_vid *parts) {
    weft_ctx *ctx = m->ctx;
    level<S> l = m->now;
    uint32_t *number = m->number;
    weft_vid *part = m->part;
    WFI_CUDA(cudaMemsetAsync(number, 0, (l.n + 1) * sizeof *number, STREAM));
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
    level<S> l = m->now;
    weft_vid *least = m->goes, *part = m->part, *at = m->at;
    WFI_CUDA(cudaMemsetAsync(least, 0xff, l.n * sizeof *least, STREAM));
    WFI_CUDA(cudaMemsetAsync(mass.out, 0, parts * sizeof *mass.out, STREAM));
    if (mass.in) WFI_CUDA(cudaMemsetAsync(mass.in, 0, parts * sizeof *mass.in, STREAM));
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

/* Rows of parts: those of members, one after another, then summed in place. */
template <class S> weft_status contract_rows(machine<S> *m, weft_vid parts, const own_rows<S> &to) {
    weft_ctx *ctx = m->ctx;
    level<S> l = m->now;
    weft_vid *part = m->part;
    weft_eid *place = m->place;
    weft_eid room = 0;
    WFI_CUDA(cudaMemsetAsync(to.begin, 0, (parts + (size_t)1) * sizeof *to.begin, STREAM));
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
    WFI_CUDA(cudaGetLastError());
    st = wfi_download(ctx, &room, to.begin + parts, sizeof room);
    if (st) return st;

    /* Ends of the rows as they lie now are the beginnings of the next; while they are summed, `end` counts. */
    wfi_group_rows<S> lying = {to.begin, to.begin + 1, to.targets, to.weights};
    merging_body<S> merge = {to, m->turn ? WFI_GROUP_HASH_ODD : WFI_GROUP_HASH_EVEN};
    unsigned keys = parts;
    wfi_group_shape shape;
    WFI_CUDA(cudaMemsetAsync(to.end, 0, parts * sizeof *to.end, STREAM));
    WFI_CUDA(cudaMemsetAsync(m->counts, 0, sizeof *m->counts, STREAM));
    st = wfi_upload(ctx, m->keys + 1, &keys, sizeof keys);
    if (!st) st = wfi_group_prepare(ctx, parts, lying, m->lists, &m->sums->room, &shape);
    if (!st) st = wfi_group_tables(ctx, shape, m->coarse[m->turn].targets, m->coarse[m->turn].weights, &m->lists);
    if (!st) st = wfi_group_step(ctx, merge, shape, lying, m->lists, m->counts, m->keys + 1);
    if (st) return st;
    tallies *sums = m->sums;
    WFI_CUDA(cudaMemsetAsync(&sums->open, 0, sizeof sums->open, STREAM));
    m->now.room = room;
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
    weft_status st = number_parts(m, m->task->refine ? m->s.set : m->now.member, &parts);
    if (st) return st;
    if (parts == m->now.n || !parts) return *n = m->now.n, WEFT_OK;
    own_rows<S> to = m->coarse[next];
    st = carry(m, parts, m->member[next], m->mass[next]);
    if (!st) st = contract_rows(m, parts, to);
    if (st) return st;
    m->turn = next;
    m->now.n = parts;
    m->now.rows = {to.begin, to.end, to.targets, to.weights};
    m->now.mass = m->mass[next];
    m->now.member = m->member[next];
    st = add_up(m);
    if (!st) st = read_sums(m, &here);
    *n = parts;
    *open = (weft_vid)here.open;
    return st;
}

template <class S> weft_status keep(void *machine_, unsigned i) {
    machine<S> *m = (machine<S> *)machine_;
    return wfi_device_copy(m->ctx, m->kept[i], m->at, m->graph.n * sizeof *m->at);
}

/* --- labels ---------------------------------------------------------------------------------------------- */

template <class S> weft_status close_level(void *machine_) {
    machine<S> *m = (machine<S> *)machine_;
    weft_vid *label = m->label, *at = m->at, *member = m->now.member;
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
        if (above != p) parent[v] = above; /* halves the path */
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
    weft_vid *label = m->label, *parent = m->goes;
    const masses<S> strength = m->strength;
    weft_vid n = m->graph.n;
    if (!split) {
        WFI_CUDA(cudaMemsetAsync(parent, 0xff, n * sizeof *parent, STREAM));
        weft_status st = wfi_each(ctx, n, [=] __device__(uint64_t v) {
            if (!is_empty(strength.at((weft_vid)v))) atomicMin(&parent[label[v]], (weft_vid)v);
        });
        if (st) return st;
        return wfi_each(ctx, n, [=] __device__(uint64_t v) {
            label[v] = is_empty(strength.at((weft_vid)v)) ? (weft_vid)v : parent[label[v]];
        });
    }
    m->now.n = n;
    m->now.rows = m->graph.rows;
    m->now.room = m->graph.room;
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
    WFI_CUDA(cudaGetLastError());
    return wfi_each(ctx, n, [=] __device__(uint64_t v) { label[v] = root_of(parent, (weft_vid)v); });
}

template <class S> struct measuring {
    wfi_group_rows<S> rows;
    const weft_vid *label;
    bool directed;
    tallies *sums;
    __device__ bool wants(weft_vid) const { return true; }
    typedef weft_vid seen; /* its label */
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
    weft_vid *members = m->goes;
    tallies *sums = m->sums, here;
    S *by_out = m->mass[0].out, *by_in = m->mass[1].out;
    WFI_CUDA(cudaMemsetAsync(sums, 0, sizeof *sums, STREAM));
    WFI_CUDA(cudaMemsetAsync(by_out, 0, n * sizeof *by_out, STREAM));
    WFI_CUDA(cudaMemsetAsync(by_in, 0, n * sizeof *by_in, STREAM));
    WFI_CUDA(cudaMemsetAsync(members, 0, n * sizeof *members, STREAM));
    m->now.n = n;
    m->now.rows = m->graph.rows;
    m->now.room = m->graph.room;
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
    WFI_CUDA(cudaGetLastError());
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
