/* What CPU cores and the GPU compute alike (community.h): classes, penalties, and which of two gains is better. */
#ifndef WFI_LEIDEN_BODIES_H
#define WFI_LEIDEN_BODIES_H

#include "algo/leiden/community.h"
#include "core/splitmix.h"

WFI_HOST_DEVICE static inline unsigned wfi_community_class(wfi_community_keys keys, weft_vid v) {
    return (unsigned)(wfi_splitmix(keys.seed ^ v) % keys.classes);
}

/* In refinement: does v stay, and wait for others? */
WFI_HOST_DEVICE static inline bool wfi_community_head(uint64_t seed, weft_vid v) {
    return wfi_splitmix(seed ^ v) >> 63;
}

/* Arcs of all rows: a directed graph's vertices have both rows. */
static inline uint64_t wfi_community_arcs(const weft_graph *g) { return g->directed ? 2 * g->arcs : g->arcs; }

/* Are 32 bits too few for all weights?  A loop of an undirected graph counts twice. */
static inline bool wfi_community_is_wide(const wfi_community_task *t) {
    return t->weights || 2 * wfi_community_arcs(t->g) > UINT32_MAX;
}

/* A weight as an integer, to the nearest. */
WFI_HOST_DEVICE static inline uint64_t wfi_community_whole(double weight, double unit) {
    double exact = weight * unit;
    uint64_t whole = (uint64_t)exact;
    return whole + (exact - (double)whole >= 0.5);
}

/* Of a vertex or a set; `in` is 0 where there is one mass only. */
typedef struct wfi_pull_mass {
    uint64_t out, in;
} wfi_pull_mass;

/* What random edges would bring between the two. */
WFI_HOST_DEVICE static inline double wfi_community_penalty(double rate, bool two, wfi_pull_mass a, wfi_pull_mass b) {
    double one = rate * (double)a.out;
    if (!two) return one * (double)b.out;
    return one * (double)b.in + rate * (double)a.in * (double)b.out;
}

/* The best community so far; to: WEFT_NO_VERTEX, there is none. */
typedef struct wfi_community_best {
    double gain;
    uint64_t own; /* weight to the vertex's own community */
    weft_vid to;
} wfi_community_best;

WFI_HOST_DEVICE static inline void wfi_community_consider(wfi_community_best *best, double gain, weft_vid to,
                                                          uint64_t tie) {
    if (to == WEFT_NO_VERTEX) return;
    bool better = best->to == WEFT_NO_VERTEX || gain > best->gain;
    if (!better && gain == best->gain) better = wfi_splitmix(tie ^ to) < wfi_splitmix(tie ^ best->to);
    if (!better) return;
    best->gain = gain;
    best->to = to;
}

/* Where v goes: the best community beside its own, alone (the community of its own name, if that is empty), or
 * WEFT_NO_VERTEX: it stays.  *more: what that is better by. */
WFI_HOST_DEVICE static inline weft_vid wfi_community_decide(const wfi_community_best *best, double stay, weft_vid v,
                                                            bool has_company, bool own_name_free, double *more) {
    weft_vid to = WEFT_NO_VERTEX;
    double gain = stay;
    if (best->to != WEFT_NO_VERTEX && best->gain > gain) {
        gain = best->gain;
        to = best->to;
    }
    if (gain < 0 && has_company && own_name_free) gain = 0, to = v;
    *more = gain - stay;
    return to;
}

/* So much weight may go over beside a vertex that stays before it looks again: half of what staying is better by, since
 * masses change as well.  A neighbour that leaves v's community or joins another takes its weight from this, and twice
 * if it does both. */
WFI_HOST_DEVICE static inline uint64_t wfi_community_slack(const wfi_community_best *best, double stay) {
    double next = best->to == WEFT_NO_VERTEX || best->gain < 0 ? 0 : best->gain;
    return stay > next ? (uint64_t)((stay - next) / 2) : 0;
}

/* Which of equal gains a vertex takes.  Under CPM nearly all are equal at first: if all vertices agreed on the order,
 * many would go to one place. */
WFI_HOST_DEVICE static inline uint64_t wfi_community_tie(uint64_t tie, bool cpm, weft_vid v) {
    return cpm ? wfi_splitmix(tie ^ v) : tie;
}

/* Under CPM those of a class who go to the same community may be too many for it.  crowd: the penalty between v and the
 * others of them.  If v gains even so it goes; if not, lots are drawn, so that in the mean as many go as gain by it. */
WFI_HOST_DEVICE static inline bool wfi_community_goes(double more, double crowd, uint64_t tie, weft_vid v) {
    return more >= crowd || (double)(wfi_splitmix(~tie ^ v) >> 11) * 0x1p-53 * crowd < more;
}

/* The limbs of x * y, each added to its sum. */
WFI_HOST_DEVICE static inline void wfi_community_product(uint64_t limbs[4], uint64_t x, uint64_t y) {
    __extension__ typedef unsigned __int128 wide;
    wide p = (wide)x * y;
    for (int i = 0; i < 4; i++) limbs[i] += (uint32_t)(p >> 32 * i);
}

#endif
