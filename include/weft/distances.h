/* Distances in hops, or by weights, within the largest weak component (of equals, the one with the smallest vertex).
 * Columns: eccentricity, at_most (u32: bounds of the largest distance to a reached vertex, equal where it is known;
 *   WEFT_UNREACHED outside the component).
 * Table:   distance (u32), pairs (u64: pairs so far apart, ordered where direction counts); empty beyond all_pairs.
 * Scalars: diameter, diameter_at_most; radius, radius_at_least (WEFT_NO_VALUE if no vertex reaches all others); open
 *   (vertices whose eccentricity is not known), vertices, searches; unreachable_pairs (WEFT_NO_VALUE if not counted);
 *   effective_diameter, mean_distance (f64; NaN beyond all_pairs).
 * Diameter and radius are exact unless `searches` runs out.
 * With weights there are instead:
 * Columns: weighted_eccentricity (f64; NaN outside the component).
 * Table:   length (f64: where a class of lengths begins, which ends where the next one would begin), pairs.
 * Scalars: weighted_diameter, weighted_radius (f64; NaN if no vertex reaches all others), class_width (f64); vertices,
 *   searches, unreachable_pairs, effective_diameter, mean_distance. */
#ifndef WEFT_DISTANCES_H
#define WEFT_DISTANCES_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_distances_params {
    size_t size;
    uint64_t all_pairs;  /* search from every vertex of a component of at most so many vertices */
    uint64_t searches;   /* in larger ones: give up after so many, and report bounds */
    weft_side direction; /* AUTO = OUT: distances from a vertex along the arcs; IN: to it; BOTH: without direction */
    int weights;         /* distances are sums of weights, as those of sssp; for components within all_pairs */
} weft_distances_params;
#define WEFT_DISTANCES_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_distances_params, weights), 50000, 1000, WEFT_SIDE_AUTO, 0 }
WEFT_API weft_status weft_distances(weft_ctx *ctx, const weft_graph *g, const weft_distances_params *params,
                                    weft_result **out);

#ifdef __cplusplus
}
#endif
#endif
