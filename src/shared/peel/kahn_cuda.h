/* Kahn's algorithm on the GPU, as toposort and cycle call it: no CUDA type crosses this door. */
#ifndef WFI_KAHN_CUDA_H
#define WFI_KAHN_CUDA_H

#include "shared/peel/kahn.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How it is done, which a plan decides: by rows of targets, for a verdict from both ends if the incoming rows are on
 * the GPU already, or in a bit matrix. */
typedef enum wfi_kahn_way { WFI_KAHN_ROWS, WFI_KAHN_ROWS_BOTH_ENDS, WFI_KAHN_BITS } wfi_kahn_way;

/* What is asked for, on the host; with neither column, only whether there is a cycle, and which. */
typedef struct wfi_kahn_wish {
    wfi_kahn_way way;
    uint32_t *level, *position; /* n each, or NULL */
} wfi_kahn_wish;

typedef struct wfi_kahn_answer {
    bool acyclic;
    uint32_t levels; /* with a column only */
    wfi_cycle cycle; /* grown in the workspace; NULL when there is none */
} wfi_kahn_answer;

/* Dense enough for a bit matrix?  From 1/32 on, where a row of bits is no longer than a row of targets, if the counters
 * fit. */
enum { WFI_FEWEST_BIT_VERTICES = 256, WFI_MOST_BIT_VERTICES = 1 << 16 };
static inline bool wfi_kahn_as_bits(weft_vid n, weft_eid arcs) {
    return n >= WFI_FEWEST_BIT_VERTICES && n < WFI_MOST_BIT_VERTICES && arcs >= (uint64_t)n * n / 32;
}

wfi_kahn_way wfi_kahn_pick_cuda(const weft_ctx *ctx, const weft_graph *g, bool verdict_only);
/* Its arrays on the host, without the columns, and on the GPU, and what it adds to the mirror. */
void wfi_kahn_plan_cuda(const weft_graph *g, wfi_kahn_way way, bool levels, bool positions, wfi_workspace *space,
                        wfi_workspace *device);

/* The rows are on the GPU then. */
weft_status wfi_kahn_bring(weft_ctx *ctx, const weft_graph *g);
/* The levels, positions and cycle that kahn.c, toposort_cpu.c and witness.c give. */
weft_status wfi_kahn_cuda(weft_ctx *ctx, const weft_graph *g, wfi_workspace *space, wfi_workspace *device,
                          const wfi_kahn_wish *wish, wfi_kahn_answer *answer);

#ifdef __cplusplus
}
#endif
#endif
