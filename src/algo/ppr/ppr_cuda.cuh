/* Personalised PageRank on the GPU: shared by the sweep and the selection of the best vertices. */
#ifndef WFI_PPR_CUDA_CUH
#define WFI_PPR_CUDA_CUH

#include "algo/ppr/ppr.h"
#include "cuda/gpu.cuh"

namespace wfi_ppr {

/* Computes ranks from shares. */
struct ranks {
    const double *share;      /* WFI_PPR_LANES values a vertex */
    const double *out_weight; /* NULL: arcs are counted */
    const weft_eid *out;

    __device__ double leaves(uint64_t v) const { return out_weight ? out_weight[v] : (double)(out[v + 1] - out[v]); }
    __device__ double of(uint64_t v, unsigned lane) const {
        double parts = leaves(v);
        return share[v * WFI_PPR_LANES + lane] * (parts > 0 ? parts : 1);
    }
};

/* Arrays of the selection. */
struct picking {
    weft_vid n;
    weft_vid *vertex[2]; /* candidates; the destination of the sort */
    double *rank[2];
    uint32_t *top[2]; /* maximum rank of each group of vertices, upper half of its bits */
    unsigned *found;
    char *scratch;
};

void lay_out_picking(wfi_workspace *device, weft_vid n, picking *k);
/* Copies the best vertices of one lane to the host. */
weft_status pick_best(weft_ctx *ctx, const picking &k, const ranks &r, wfi_ppr_best *best);

} // namespace wfi_ppr

#endif
