/* The GPU's PageRank of graphs that do not fit its memory; a door for pagerank_cuda.cu and pagerank.c. */
#ifndef WFI_PAGERANK_STREAM_H
#define WFI_PAGERANK_STREAM_H

#include "algo/pagerank/pagerank.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The choice's variant. */
enum { WFI_PAGERANK_RESIDENT, WFI_PAGERANK_STREAMED };

/* Fills the choice for a run within `room` bytes on the GPU; if none fits, with the least that would. */
void wfi_pagerank_plan_stream(const weft_ctx *ctx, const weft_graph *g, const weft_pagerank_params *p, uint64_t room,
                              wfi_choice *choice);
weft_status wfi_pagerank_run_stream(weft_ctx *ctx, const weft_graph *g, const weft_pagerank_params *p,
                                    const wfi_choice *choice, weft_result *result);

#ifdef __cplusplus
}
#endif
#endif
