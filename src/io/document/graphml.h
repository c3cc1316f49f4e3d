/* GraphML: what its writer and its reader share. */
#ifndef WFI_GRAPHML_H
#define WFI_GRAPHML_H

#include "io/io.h"

/* A graph whose data of this name is `names` has names for ids, even if they look like numbers. */
#define WFI_GRAPHML_IDS "weft.ids"

weft_status wfi_write_graphml(weft_ctx *ctx, const weft_graph *g, wfi_sink *sink, const weft_write_params *params);

#endif
