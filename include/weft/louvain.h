/* Communities by the Louvain algorithm: as leiden without its refinement, faster, and a community may fall apart.
 * Columns and scalars: those of leiden. */
#ifndef WEFT_LOUVAIN_H
#define WEFT_LOUVAIN_H

#include "leiden.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef weft_leiden_params weft_louvain_params;
#define WEFT_LOUVAIN_DEFAULTS WEFT_LEIDEN_DEFAULTS
WEFT_API weft_status weft_louvain(weft_ctx *ctx, const weft_graph *g, const weft_louvain_params *params,
                                  weft_result **out);

#ifdef __cplusplus
}
#endif
#endif
