/* Weak components on the GPUs of ranks: the driver, and its kernels. */
#ifndef WFI_COMPONENTS_WEAK_RANKS_CUDA_H
#define WFI_COMPONENTS_WEAK_RANKS_CUDA_H

#include "algo/algo.h"
#include "cuda/steps.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wfi_spread;
void wfi_components_plan_weak_ranks_cuda(const struct wfi_spread *spread, wfi_choice *choice);
weft_status wfi_components_weak_ranks_cuda(wfi_job *job, uint64_t *count, uint64_t *largest);

/* A forest over the n vertices of the graph, on the GPU: at first each is a tree of its own. */
weft_status wfi_forest_begin(weft_ctx *ctx, weft_vid n, weft_vid *parent);
/* The ends of the arcs of rows are joined, row k being that of first + k. */
weft_status wfi_forest_join_rows(weft_ctx *ctx, wfi_rank_rows rows, weft_vid first, weft_vid *parent);
/* Each vertex hangs below its root; *hung grows by how many are no roots. */
weft_status wfi_forest_flatten(weft_ctx *ctx, weft_vid n, weft_vid *parent, uint64_t *hung);
/* Pairs (vertex, root) of those that are no roots; *listed is where they are counted, 0 before. */
weft_status wfi_forest_list(weft_ctx *ctx, weft_vid n, const weft_vid *parent, weft_vid *pairs, uint64_t *listed);
weft_status wfi_forest_join_pairs(weft_ctx *ctx, const weft_vid *pairs, uint64_t count, weft_vid *parent);
/* Each vertex v is joined with other[v]. */
weft_status wfi_forest_join_all(weft_ctx *ctx, weft_vid n, const weft_vid *other, weft_vid *parent);
/* Of a flat forest: found[0], the roots, and found[1], the vertices of the largest tree; both 0 before, and size[0] ... size[n-1] too. */
weft_status wfi_forest_measure(weft_ctx *ctx, weft_vid n, const weft_vid *parent, uint32_t *size, uint64_t *found);

#ifdef __cplusplus
}
#endif
#endif
