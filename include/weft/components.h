/* Connected components.  Weak components ignore direction; vertices of a strong component reach each other.
 * Columns: component (vertex: the smallest vertex of its component).
 * Table:   order (vertex: the smallest vertex of each component; strong components in reverse topological order);
 *   empty without `order`.
 * Scalars: count, largest (vertices of the largest component). */
#ifndef WEFT_COMPONENTS_H
#define WEFT_COMPONENTS_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_components_params {
    size_t size;
    int strong; /* strong components; otherwise weak ones */
    int order;  /* make the table */
} weft_components_params;
#define WEFT_COMPONENTS_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_components_params, order), 0, 0 }
WEFT_API weft_status weft_components(weft_ctx *ctx, const weft_graph *g, const weft_components_params *params,
                                     weft_result **out);

#ifdef __cplusplus
}
#endif
#endif
