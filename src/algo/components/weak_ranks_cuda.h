/* Weak components on the GPUs of ranks: the driver, and its kernels. */
#ifndef WFI_COMPONENTS_WEAK_RANKS_CUDA_H
#define WFI_COMPONENTS_WEAK_RANKS_CUDA_H

#include "algo/algo.h"
#include "cuda/transfer.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wfi_spread;
void wfi_components_plan_weak_ranks_cuda(const struct wfi_spread *spread, wfi_choice *choice);
weft_status wfi_components_weak_ranks_cuda(wfi_job *job, uint64_t *count, uint64_t *largest);

/* A forest over the n vertices of the graph, on the GPU: the vertices of rows hang under the first neighbour, if that
 * is smaller, row k being that of first + k. */
weft_status wfi_forest_hang(weft_ctx *ctx, wfi_view rows, weft_vid first, weft_vid *parent);
/* root[v]: is it one? */
weft_status wfi_forest_note_roots(weft_ctx *ctx, weft_vid n, const weft_vid *parent, uint32_t *root);
/* The ends of the first arcs of each row are joined. */
weft_status wfi_forest_join_first(weft_ctx *ctx, wfi_view rows, weft_vid first, unsigned arcs, weft_vid *parent);
/* The ends of all arcs of rows. */
weft_status wfi_forest_join_rows(weft_ctx *ctx, wfi_view rows, weft_vid first, weft_vid *parent);
/* Each vertex hangs below its root. */
weft_status wfi_forest_flatten(weft_ctx *ctx, weft_vid n, weft_vid *parent);
/* Pairs (vertex, root) of those that are roots no more; *listed is where they are counted, 0 before.  pairs NULL: they
 * are only counted. */
weft_status wfi_forest_list(weft_ctx *ctx, weft_vid n, weft_vid *parent, const uint32_t *root, weft_vid *pairs,
                            uint64_t *listed);
weft_status wfi_forest_join_pairs(weft_ctx *ctx, const weft_vid *pairs, uint64_t count, weft_vid *parent);
/* Each vertex v is joined with other[v]. */
weft_status wfi_forest_join_all(weft_ctx *ctx, weft_vid n, const weft_vid *other, weft_vid *parent);
/* Of a flat forest: found[0], the roots, and found[1], the vertices of the largest tree; both 0 before, and size[0] ...
 * size[n-1] too. */
weft_status wfi_forest_measure(weft_ctx *ctx, weft_vid n, const weft_vid *parent, uint32_t *size, uint64_t *found);

#ifdef __cplusplus
}
#endif
#endif
