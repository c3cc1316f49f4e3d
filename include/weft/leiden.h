/* Communities by the Leiden algorithm: groups with more internal weight than random edges would have, each of them
 * connected.  The same ones on any number of threads and on the GPU.
 * Columns: community (vertex: the smallest of its members); with levels, level_1 ... level_k (vertex: the smallest of
 *   the members of a group within the community; each level's groups are unions of those of the level before).
 * Scalars: modularity (f64), quality (f64: of the objective), count (u64), largest (u64: vertices), levels,
 *   iterations. */
#ifndef WEFT_LEIDEN_H
#define WEFT_LEIDEN_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum weft_objective {
    WEFT_OBJECTIVE_MODULARITY, /* at a resolution; of directed graphs as Leicht and Newman define it */
    WEFT_OBJECTIVE_CPM         /* constant Potts model: weight within, less resolution for each pair of members */
} weft_objective;
typedef struct weft_leiden_params {
    size_t size;
    double resolution;   /* above 0; more makes communities smaller */
    int objective;       /* weft_objective */
    uint64_t iterations; /* 0: until nothing improves */
    uint64_t seed;
    int weights;             /* an arc counts by its weight: 0, or from 1e-200 to 1e200 */
    int levels;              /* columns of the levels as well */
    const weft_vid *initial; /* a label for each vertex, below their number: communities to begin with; NULL: none */
} weft_leiden_params;
#define WEFT_LEIDEN_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_leiden_params, initial), 1, WEFT_OBJECTIVE_MODULARITY, 2, 0, 0, 0, NULL }
WEFT_API weft_status weft_leiden(weft_ctx *ctx, const weft_graph *g, const weft_leiden_params *params,
                                 weft_result **out);

#ifdef __cplusplus
}
#endif
#endif
