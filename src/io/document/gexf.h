/* GEXF: what its writer and its reader share. */
#ifndef WFI_GEXF_H
#define WFI_GEXF_H

#include "io/io.h"

/* Among the keywords of a document: its ids are names, even if they look like numbers. */
#define WFI_GEXF_NAMES "weft ids names"

weft_status wfi_write_gexf(weft_ctx *ctx, const weft_graph *g, wfi_sink *sink, const weft_write_params *params);

#endif
