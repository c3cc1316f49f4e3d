/* Is a directed graph acyclic?  For dense graphs: no arc is looked at twice, and no counter is written for one. */
#ifndef WFI_WATCH_H
#define WFI_WATCH_H

#include "graph/graph.h"

/* as_bits: the rows are turned into a bit matrix first, in parallel; else they are read as they are. */
weft_status wfi_watch_acyclic(weft_ctx *ctx, const weft_graph *g, bool as_bits, bool *acyclic);

/* What it holds at its peak. */
uint64_t wfi_watch_bytes(weft_vid n, bool as_bits);

#endif
