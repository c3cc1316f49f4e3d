/* The GPU's PageRank of graphs that do not fit its memory; behind a door without CUDA types. */
#ifndef WFI_PAGERANK_STREAM_H
#define WFI_PAGERANK_STREAM_H

#include "algo/pagerank/pagerank.h"

#ifdef __cplusplus
extern "C" {
#endif

/* As in the descriptor. */
bool wfi_pagerank_plan_stream(const weft_ctx *ctx, const weft_graph *g, const void *params, uint64_t room,
                              wfi_choice *choice);
weft_status wfi_pagerank_stream(wfi_job *job);

#ifdef __cplusplus
}
#endif
#endif
