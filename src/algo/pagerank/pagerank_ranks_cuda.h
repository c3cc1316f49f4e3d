/* PageRank on the GPUs of ranks: the driver, and its kernels. */
#ifndef WFI_PAGERANK_RANKS_CUDA_H
#define WFI_PAGERANK_RANKS_CUDA_H

#include "algo/pagerank/pagerank.h"
#include "cuda/transfer.h"

#ifdef __cplusplus
extern "C" {
#endif

void wfi_pagerank_plan_ranks_cuda(const weft_ctx *ctx, const struct wfi_spread *spread, const void *params,
                                  wfi_choice *choice);
weft_status wfi_pagerank_ranks_cuda(wfi_job *job);

/* One stretch, on the GPU: what it reads and writes.  Arrays of this rank's vertices begin with the stretch's. */
typedef struct wfi_rank_sweep {
    wfi_view in;
    weft_weight_type weight_type; /* of shares that are multiplied by weights; WEFT_WEIGHT_NONE: they are not */
    bool weighted;
    bool single;       /* ranks are f32 */
    const void *share; /* of all vertices: f32 if single and not weighted, else f64 */
    void *next, *rank;
    const double *give, *restart, *dangling_to; /* the last two may be NULL */
    double teleport, damping, uniform, dangling;
    uint64_t *totals; /* change, dangling and sum, two limbs each */
} wfi_rank_sweep;
weft_status wfi_rank_sweep_rows(weft_ctx *ctx, const wfi_rank_sweep *w);
weft_status wfi_rank_scale(weft_ctx *ctx, void *array, bool narrow, uint64_t count, double scale);

#ifdef __cplusplus
}
#endif
#endif
