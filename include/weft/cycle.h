/* Is a directed graph acyclic?  A loop is a cycle of one.
 * Table:   cycle (vertices of the shortest cycle found, in order, the smallest first; empty if there is none).
 * Scalars: acyclic (0 or 1), length. */
#ifndef WEFT_CYCLE_H
#define WEFT_CYCLE_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_cycle_params {
    size_t size;
    int general; /* no shortcut by a loop or by the order of the ids; the answer is the same */
} weft_cycle_params;
#define WEFT_CYCLE_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_cycle_params, general), 0 }
WEFT_API weft_status weft_cycle(weft_ctx *ctx, const weft_graph *g, const weft_cycle_params *params, weft_result **out);

#ifdef __cplusplus
}
#endif
#endif
