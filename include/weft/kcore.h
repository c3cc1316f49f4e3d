/* Core numbers: the largest k for which a vertex is in the k-core.  The k-core is the largest set in which each
 * vertex has k neighbours, or arcs, by `mode`.  Loops and parallel edges do not count.
 * Columns: core (u32).
 * Table:   members (vertices of the k-core in ascending order; empty if k is 0).
 * Scalars: degeneracy (the largest core number). */
#ifndef WEFT_KCORE_H
#define WEFT_KCORE_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum weft_core_mode {
    WEFT_CORE_NEIGHBOURS = 0,      /* vertices with an arc to or from it, each once */
    WEFT_CORE_OUT = WEFT_SIDE_OUT, /* arcs from it */
    WEFT_CORE_IN = WEFT_SIDE_IN,   /* arcs to it */
    WEFT_CORE_ALL                  /* the sum of both, as NetworkX's core_number of a directed graph */
} weft_core_mode;
typedef struct weft_kcore_params {
    size_t size;
    uint64_t k;          /* 0 = none */
    weft_core_mode mode; /* directed graphs: which arcs count */
} weft_kcore_params;
#define WEFT_KCORE_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_kcore_params, mode), 0, WEFT_CORE_NEIGHBOURS }
WEFT_API weft_status weft_kcore(weft_ctx *ctx, const weft_graph *g, const weft_kcore_params *params, weft_result **out);

#ifdef __cplusplus
}
#endif
#endif
