/* HITS on the GPUs of ranks: the driver, and its kernels. */
#ifndef WFI_HITS_RANKS_CUDA_H
#define WFI_HITS_RANKS_CUDA_H

#include "algo/hits/hits.h"
#include "cuda/transfer.h"

#ifdef __cplusplus
extern "C" {
#endif

void wfi_hits_plan_ranks_cuda(const weft_ctx *ctx, const struct wfi_spread *spread, const void *params,
                              wfi_choice *choice);
weft_status wfi_hits_ranks_cuda(wfi_job *job);

/* share[k] = value[k] * factor. */
weft_status wfi_hits_share(weft_ctx *ctx, weft_vid count, const double *value, double factor, double *share);

/* Half an iteration, on the GPU. */
typedef struct wfi_hits_half {
    wfi_view rows; /* that it pulls along */
    weft_weight_type weight_type;
    bool weighted;
    const double *share; /* of all vertices */
    double *value;       /* of this rank's */
    const double *sums;  /* of the weights of each row; NULL: its length */
    double unit;         /* 2^62, times 2^-scale */
    uint64_t *totals;    /* change and given, two limbs each */
} wfi_hits_half;
weft_status wfi_hits_pull(weft_ctx *ctx, const wfi_hits_half *h);

#ifdef __cplusplus
}
#endif
#endif
