/* What a table of edges cannot say of a graph. */
#ifndef WFI_LOSSES_H
#define WFI_LOSSES_H

#include "graph/graph.h"

/* Warns that `format` loses the direction of an undirected graph, and its vertices without edges. */
weft_status wfi_warn_losses(weft_ctx *ctx, const weft_graph *g, const char *format);

#endif
