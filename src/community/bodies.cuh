/* Communities on the GPU: what kernels do at a row (gpu.cu has the steps).  Three bodies of the row group, which decide
 * where a vertex moves, which set a tail joins, and what a part's row becomes; and what is done along the arcs of rows
 * that moved or joined. */
#ifndef WFI_COMMUNITY_BODIES_CUH
#define WFI_COMMUNITY_BODIES_CUH

#include "community/bodies.h"
#include "ops/group.cuh"

namespace {

typedef unsigned long long wide;

__device__ inline void add_to(uint32_t *at, uint64_t more) { atomicAdd(at, (uint32_t)more); }
__device__ inline void add_to(uint64_t *at, uint64_t more) { atomicAdd((wide *)at, (wide)more); }

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
    __device__ void join(wfi_group_best &best, const wfi_group_best &other) const {
        wfi_community_best b = {best.gain, 0, best.to};
        wfi_community_consider(&b, other.gain, other.to, keys.tie);
        best.gain = b.gain;
        best.to = b.to;
        best.own += other.own;
    }
    __device__ void consider(wfi_group_best &best, double gain, weft_vid to) const { join(best, {gain, 0, to}); }
};

template <class S> struct moving_body : choosing<S> {
    uint8_t *active;
    unsigned turn;
    struct row {
        weft_vid v, own;
        one_mass<S> mine;
    };
    typedef one_mass<S> seen;
    __device__ bool wants(weft_vid v) const {
        if (!active[v] || wfi_community_class(this->keys.seed, v) != turn) return false;
        active[v] = 0;
        return true;
    }
    __device__ row enter(weft_vid v) const { return {v, this->l.member[v], this->l.mass.here(v)}; }
    __device__ weft_vid key(const row &r, weft_vid u) const { return u == r.v ? WEFT_NO_VERTEX : this->l.member[u]; }
    __device__ seen look(const row &, weft_vid to) const { return this->l.total.here(to); }
    __device__ void weigh(const row &r, weft_vid to, S weight, seen there, wfi_group_best &best) const {
        if (to == r.own)
            best.own = weight;
        else
            this->consider(
                best, (double)weight - wfi_community_penalty(this->l.rate, this->l.total.in != NULL, r.mine, there),
                to);
    }
    __device__ void close(const row &r, const wfi_group_best &b) const {
        wfi_pull_mass company = without(this->l.total.at(r.own), r.mine);
        double stay = (double)b.own - wfi_community_penalty(this->l.rate, this->l.total.in != NULL, r.mine, company);
        wfi_community_best best = {b.gain, b.own, b.to};
        this->goes[r.v] = wfi_community_decide(&best, stay, r.v, !is_empty(company), is_empty(this->l.total.at(r.v)));
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
    struct row {
        weft_vid v, own;
        one_mass<S> mine;
    };
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
    __device__ row enter(weft_vid v) const { return {v, this->l.member[v], this->l.mass.here(v)}; }
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
            this->consider(best, gain, x);
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
    __device__ void join(wfi_group_best &, const wfi_group_best &) const {}
    __device__ void close(const row &, const wfi_group_best &) const {}
};

/* --- what is done for the arcs of rows that moved --------------------------------------------------------- */

struct marking {
    const weft_vid *goes, *member;
    uint8_t *active;
    __device__ bool wants(weft_vid v) const { return goes[v] != WEFT_NO_VERTEX; }
    __device__ void take(weft_vid v, weft_vid u, weft_eid, wide &) const {
        if (!active[u] && member[u] != member[v]) active[u] = 1;
    }
    __device__ void end(weft_vid, wide) const {}
};

/* See join in cpu.c: what leads from a joiner to its set is no longer at its edge. */
template <class S> struct binding {
    const S *weights;
    const weft_vid *goes, *set;
    S *bound;
    __device__ bool wants(weft_vid v) const { return goes[v] != WEFT_NO_VERTEX; }
    __device__ void take(weft_vid v, weft_vid u, weft_eid e, wide &mine) const {
        weft_vid x = goes[v];
        if (u == v || set[u] != x) return;
        wide weight = weights ? (wide)weights[e] : 1;
        mine += goes[u] == x ? weight : 2 * weight;
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
    __device__ void take(weft_vid v, weft_vid u, weft_eid e, wide &) const {
        weft_eid at = place[v] + (e - from.begin[v]);
        to.targets[at] = part[u];
        to.weights[at] = wfi_group_weight(from, e);
    }
    __device__ void end(weft_vid, wide) const {}
};

/* Lists of all rows. */
template <class S> struct all_rows {
    typedef S sum;
    __device__ bool wants(weft_vid) const { return true; }
};

} // namespace

#endif
