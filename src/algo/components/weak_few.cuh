/* The trees of an undirected graph with few arcs a vertex, such as a road network, on the GPU; behind weak_cuda.cu. */
#ifndef WFI_COMPONENTS_WEAK_FEW_CUH
#define WFI_COMPONENTS_WEAK_FEW_CUH

#include "cuda/mirror.cuh"

enum { WFI_LONG_ROW = 1024 }; /* more arcs than a thread goes through */

struct wfi_few {
    wfi_view out;
    weft_vid n;
    weft_vid *label;      /* n, filled here */
    uint32_t *size;       /* n, zeros in the end; before that the list of vertices whose edges were tried in vain */
    weft_vid *longs;      /* vertices with long rows; arcs / WFI_LONG_ROW places */
    unsigned *long_count; /* zero before */
    unsigned *listed;     /* zero before */
};

/* Does not wait. */
weft_status wfi_components_join_few_cuda(weft_ctx *ctx, const wfi_few *w);

#endif
