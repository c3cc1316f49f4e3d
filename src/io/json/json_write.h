/* JSON out: what its writers share. */
#ifndef WFI_JSON_WRITE_H
#define WFI_JSON_WRITE_H

#include "io/io.h"

/* A number, or a name as a string; names are UTF-8 (wfi_unfit_utf8). */
void wfi_json_write_id(const weft_graph *g, weft_vid v, wfi_sink *sink);
/* "source":1,"target":2,"weight":0.5 of the arc e of u. */
void wfi_json_write_edge(const weft_graph *g, weft_vid u, weft_eid e, wfi_sink *sink);

weft_status wfi_write_json(weft_ctx *ctx, const weft_graph *g, wfi_sink *sink, const weft_write_params *params);
weft_status wfi_write_cyjs(weft_ctx *ctx, const weft_graph *g, wfi_sink *sink, const weft_write_params *params);

#endif
