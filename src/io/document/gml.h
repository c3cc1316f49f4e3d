/* GML: what its writer and its reader share. */
#ifndef WFI_GML_H
#define WFI_GML_H

#include "io/io.h"

/* In a graph's list: the ids are the labels of the nodes.  Ids in GML are numbers; this is how names come back. */
#define WFI_GML_IDS "weftIds"

weft_status wfi_write_gml(weft_ctx *ctx, const weft_graph *g, wfi_sink *sink, const weft_write_params *params);

#endif
