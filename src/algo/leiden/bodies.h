/* Arithmetic shared by CPU cores and the GPU (community.h): hash classes, penalties, and the comparison of gains. */
#ifndef WFI_LEIDEN_BODIES_H
#define WFI_LEIDEN_BODIES_H

#include "algo/leiden/community.h"
#include "core/splitmix.h"

WFI_HOST_DEVICE static inline unsigned wfi_community_class(wfi_community_keys keys, weft_vid v) {
    return (unsigned)(wfi_splitmix(keys.seed ^ v) % keys.classes);
}

/* The coin of refinement: true if v is a head, which stays and may be joined. */
WFI_HOST_DEVICE static inline bool wfi_community_head(uint64_t seed, weft_vid v) {
    return wfi_splitmix(seed ^ v) >> 63;
}

/* Number of arcs in all rows: a directed graph's vertices have an out-row and an in-row. */
static inline uint64_t wfi_community_arcs(const weft_graph *g) { return g->directed ? 2 * g->arcs : g->arcs; }

/* Do sums of weights need more than 32 bits?  A loop of an undirected graph counts twice. */
static inline bool wfi_community_is_wide(const wfi_community_task *t) {
    return t->weights || 2 * wfi_community_arcs(t->g) > UINT32_MAX;
}

/* A weight as an integer, rounded to nearest. */
WFI_HOST_DEVICE static inline uint64_t wfi_community_whole(double weight, double unit) {
    double exact = weight * unit;
    uint64_t whole = (uint64_t)exact;
    return whole + (exact - (double)whole >= 0.5);
}

/* The mass of a vertex or a set; `in` is 0 if there is one mass only. */
typedef struct wfi_pull_mass {
    uint64_t out, in;
} wfi_pull_mass;

/* The weight of random edges expected between a and b. */
WFI_HOST_DEVICE static inline double wfi_community_penalty(double rate, bool two, wfi_pull_mass a, wfi_pull_mass b) {
    double one = rate * (double)a.out;
    if (!two) return one * (double)b.out;
    return one * (double)b.in + rate * (double)a.in * (double)b.out;
}

/* The best community so far; to is WEFT_NO_VERTEX if there is none. */
typedef struct wfi_community_best {
    double gain;
    uint64_t own; /* weight between the vertex and its own community */
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

/* The target of v: the best neighbouring community, v alone (the community named v, if that is empty), or
 * WEFT_NO_VERTEX if v stays.  *more: the gain over staying. */
WFI_HOST_DEVICE static inline weft_vid wfi_community_decide(const wfi_community_best *best, double stay, weft_vid v,
                                                            bool has_company, bool own_name_free, double *advantage) {
    weft_vid to = WEFT_NO_VERTEX;
    double gain = stay;
    if (best->to != WEFT_NO_VERTEX && best->gain > gain) {
        gain = best->gain;
        to = best->to;
    }
    if (gain < 0 && has_company && own_name_free) gain = 0, to = v;
    *advantage = gain - stay;
    return to;
}

/* Weight that may move among the neighbours of a staying vertex before the vertex looks again: half of the advantage of
 * staying, since masses change as well.  A neighbour that leaves v's community or joins another subtracts its weight,
 * and twice its weight if it does both. */
WFI_HOST_DEVICE static inline uint64_t wfi_community_slack(const wfi_community_best *best, double stay) {
    double next = best->to == WEFT_NO_VERTEX || best->gain < 0 ? 0 : best->gain;
    return stay > next ? (uint64_t)((stay - next) / 2) : 0;
}

/* Tie-break between equal gains.  Under CPM nearly all gains are equal at first: if all vertices agreed on the order,
 * too many would choose the same community. */
WFI_HOST_DEVICE static inline uint64_t wfi_community_tie(uint64_t tie, bool cpm, weft_vid v) {
    return cpm ? wfi_splitmix(tie ^ v) : tie;
}

/* Under CPM the vertices of a class that choose the same community may be too many for it.  crowd: the penalty between
 * v and the others of them.  A vertex that gains in spite of the crowd moves; else lots are drawn, so that on average
 * as many vertices move as gain by moving. */
WFI_HOST_DEVICE static inline bool wfi_community_moves(double advantage, double crowd, uint64_t tie, weft_vid v) {
    return advantage >= crowd || (double)(wfi_splitmix(~tie ^ v) >> 11) * 0x1p-53 * crowd < advantage;
}

/* Adds each 32-bit limb of x * y to its sum, without carries. */
WFI_HOST_DEVICE static inline void wfi_community_product(uint64_t limbs[4], uint64_t x, uint64_t y) {
    __extension__ typedef unsigned __int128 wide;
    wide p = (wide)x * y;
    for (int i = 0; i < 4; i++) limbs[i] += (uint32_t)(p >> 32 * i);
}

#endif
