/* What a format cannot say of a graph, or has to be told. */
#ifndef WFI_LOSSES_H
#define WFI_LOSSES_H

#include "graph/graph.h"

/* Warns that `format`, a table of edges, loses the direction of an undirected graph, its vertices without edges, and
 * that its ids are names where they look like numbers. */
weft_status wfi_warn_losses(weft_ctx *ctx, const weft_graph *g, const char *format);

/* Rows ascend, so that they lie side by side. */
bool wfi_has_parallel_edges(const weft_graph *g);

#endif
