/* How near vertices are: what is asked, and what a value is made of, by the same rules on CPU cores and on the GPU.
 * Sums of hops are integers: 1 / d is floor(2^96 / d), so that a sum is too small by less than 2^-64, whatever the
 * order of adding. */
#ifndef WFI_CLOSENESS_VALUES_H
#define WFI_CLOSENESS_VALUES_H

#include "core/core.h"
#include "graph/graph.h"

__extension__ typedef unsigned __int128 wfi_closeness_wide;

typedef struct wfi_closeness {
    const char *name; /* of the algorithm, and so of its progress */
    const weft_graph *g;
    const wfi_view *along, *back; /* distances are measured along the first, to the vertices that are asked for */
    bool harmonic;                /* reciprocals */
    bool factor;                  /* closeness is scaled, or harmonic centrality normalised */
    const weft_vid *of, *sources; /* NULL: all */
    uint64_t of_count, source_count;
    uint64_t first;            /* only the largest so many have a value; 0: all */
    double *value;             /* of each vertex; NaN: it is not asked for */
    uint8_t *valued, *counted; /* marks of these lists, NULL where there is none */
} wfi_closeness;

/* Searches begin at the sources, or go back from the vertices that are asked for, where these are fewer. */
static inline uint64_t wfi_closeness_asked_count(const wfi_closeness *t) { return t->of ? t->of_count : t->g->n; }
static inline uint64_t wfi_closeness_source_count(const wfi_closeness *t) {
    return t->sources ? t->source_count : t->g->n;
}
static inline bool wfi_closeness_goes_back(const wfi_closeness *t) {
    return wfi_closeness_asked_count(t) < wfi_closeness_source_count(t);
}

/* How many searches there are at most. */
static inline uint64_t wfi_closeness_hops_most(const wfi_closeness *t) {
    uint64_t asked = wfi_closeness_asked_count(t), sources = wfi_closeness_source_count(t),
             most = asked < sources ? asked : sources;
    return most < t->g->n ? most : t->g->n;
}

/* --- what a vertex is worth ------------------------------------------------------------- */

typedef struct wfi_closeness_scale {
    double others; /* vertices */
    bool harmonic, factor;
} wfi_closeness_scale;

static inline wfi_closeness_scale wfi_closeness_scale_of(const wfi_closeness *t) {
    wfi_closeness_scale s = {(double)t->g->n - 1, t->harmonic, t->factor};
    return s;
}

/* `reached` other vertices, whose distances, or their reciprocals, add up to `sum`. */
WFI_HOST_DEVICE static inline double wfi_closeness_value(wfi_closeness_scale s, double reached, double sum) {
    if (!(sum > 0) || s.others < 1) return 0;
    if (s.harmonic) return s.factor ? sum / s.others : sum;
    return s.factor ? reached / sum * (reached / s.others) : reached / sum;
}

/* Sums of distances, or of reciprocals in units of 2^-96. */
typedef struct wfi_closeness_sum {
    wfi_closeness_wide sum;
    uint64_t reached;
} wfi_closeness_sum;

WFI_HOST_DEVICE static inline wfi_closeness_wide wfi_closeness_worth(bool harmonic, uint32_t distance) {
    return harmonic ? ((wfi_closeness_wide)1 << 96) / distance : distance;
}

WFI_HOST_DEVICE static inline void wfi_closeness_add(wfi_closeness_sum *to, wfi_closeness_wide each, uint64_t count) {
    to->sum += each * count;
    to->reached += count;
}

/* The nearest double, ties to even: of 64 leading bits the last says whether any follows. */
WFI_HOST_DEVICE static inline double wfi_closeness_double(wfi_closeness_wide x) {
    int shift = 0;
    for (uint64_t high = (uint64_t)(x >> 64); high; high >>= 1) shift++;
    uint64_t leading = (uint64_t)(x >> shift), rest = ((wfi_closeness_wide)leading << shift) != x;
    double scale = 1;
    for (int i = 0; i < shift; i++) scale *= 2;
    return (double)(leading | rest) * scale;
}

WFI_HOST_DEVICE static inline double wfi_closeness_value_of(wfi_closeness_scale s, wfi_closeness_sum all) {
    double sum = wfi_closeness_double(all.sum);
    return wfi_closeness_value(s, (double)all.reached, s.harmonic ? sum * 0x1p-96 : sum);
}

static inline bool wfi_closeness_asked(const wfi_closeness *t, weft_vid v) { return !t->valued || t->valued[v]; }
static inline bool wfi_closeness_counts(const wfi_closeness *t, weft_vid v) { return !t->counted || t->counted[v]; }

#endif
