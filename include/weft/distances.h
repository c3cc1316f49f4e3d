/* Distances in hops, or by weights, within the largest weak component (of equals, the one with the smallest vertex).
 * Columns: eccentricity, at_most (u32: bounds of the largest distance to a reached vertex, equal where it is known;
 *   WEFT_UNREACHED outside the component).
 * Table:   distance (u32), pairs (u64: pairs at that distance, ordered if direction counts); empty beyond all_pairs.
 * Scalars: diameter, diameter_at_most; radius, radius_at_least (WEFT_NO_VALUE if no vertex reaches all others); open
 *   (vertices whose eccentricity is not known), vertices, searches; unreachable_pairs (WEFT_NO_VALUE if not counted);
 *   effective_diameter, mean_distance (f64; NaN beyond all_pairs).
 * Diameter and radius are exact unless `searches` runs out.
 * With weights there are instead:
 * Columns: weighted_eccentricity (f64; NaN outside the component).
 * Table:   length (f64: lower end of a class of lengths, class_width wide), pairs.
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
    uint64_t all_pairs;  /* up to this many vertices in the component, search from each */
    uint64_t searches;   /* in larger components: the most searches; then bounds are reported */
    weft_side direction; /* AUTO = OUT: distances from a vertex along the arcs; IN: to it; BOTH: without direction */
    int weights;         /* distances are sums of weights, as in sssp; only for components within all_pairs */
} weft_distances_params;
#define WEFT_DISTANCES_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_distances_params, weights), 50000, 1000, WEFT_SIDE_AUTO, 0 }
WEFT_API weft_status weft_distances(weft_ctx *ctx, const weft_graph *g, const weft_distances_params *params,
                                    weft_result **out);

#ifdef __cplusplus
}
#endif
#endif
