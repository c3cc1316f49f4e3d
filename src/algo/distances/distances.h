/* distances: what its files share. */
#ifndef WFI_DISTANCES_H
#define WFI_DISTANCES_H

#include "algo/algo.h"

/* The largest weak component as an undirected simple graph of its own, numbered in the order of a search, so that neighbours lie near each
 * other.  Its rows do not ascend. */
typedef struct wfi_component {
    weft_vid n;
    weft_vid *vertex; /* of the graph */
    weft_eid *offsets;
    weft_vid *targets;
} wfi_component;

/* all_pairs.c: the eccentricity of each vertex, and at count[d] the number of ordered pairs at distance d, 1 <= d < n. */
enum { WFI_LANE_WORDS = 4, WFI_LANES = 64 * WFI_LANE_WORDS };
typedef uint64_t wfi_lanes[WFI_LANE_WORDS];
typedef struct wfi_all_pairs {
    weft_vid most; /* vertices that there is room for */
    int threads;
    weft_vid *batch; /* sources, side by side those that are near each other */
    uint64_t *count;
    wfi_lanes *seen, *visit, *next; /* of each thread `most` */
    weft_vid *now, *then;
    uint8_t *touched;
} wfi_all_pairs;
void wfi_all_pairs_lay_out(wfi_workspace *w, const weft_ctx *ctx, weft_vid most, wfi_all_pairs *a);
weft_status wfi_all_pairs_run(weft_ctx *ctx, const wfi_component *c, const wfi_all_pairs *a, uint32_t *eccentricity);

/* bounds.c: bounds of the eccentricities from few searches, until diameter and radius are known or `most` were made. */
enum { WFI_SEARCHES_AT_ONCE = 2 };
typedef struct wfi_ecc_bounds {
    uint32_t *lower, *upper;
    uint64_t *sum; /* of the distances to the sources so far: small in the middle */
    uint32_t *distance[WFI_SEARCHES_AT_ONCE];
    weft_vid *queue[WFI_SEARCHES_AT_ONCE];
    uint64_t searches;
} wfi_ecc_bounds;
void wfi_ecc_bounds_lay_out(wfi_workspace *w, weft_vid n, wfi_ecc_bounds *b);
weft_status wfi_ecc_bounds_run(weft_ctx *ctx, const wfi_component *c, uint64_t most, wfi_ecc_bounds *b);

#endif
