/* Peeling on the GPU, behind a door without CUDA types: what toposort and cycle share there. */
#ifndef WFI_KAHN_CUDA_H
#define WFI_KAHN_CUDA_H

#include "shared/peel/kahn.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is asked for, on the host; with neither column, only whether there is a cycle, and which. */
typedef struct wfi_kahn_wish {
    uint32_t *level, *position; /* n each, or NULL */
} wfi_kahn_wish;

typedef struct wfi_kahn_answer {
    bool acyclic;
    uint32_t levels; /* with a column only */
    wfi_cycle cycle; /* a block of the caller's, NULL when there is none */
} wfi_kahn_answer;

/* The levels, positions and cycle that shared/peel/kahn.c, toposort_cpu.c and witness.c give. */
weft_status wfi_kahn_cuda(weft_ctx *ctx, const weft_graph *g, const wfi_kahn_wish *wish, wfi_kahn_answer *answer);

/* Dense enough for a bit matrix?  From 1/32 on, where a row of bits is no longer than a row of targets, if the counters fit. */
enum { WFI_FEWEST_BIT_VERTICES = 256, WFI_MOST_BIT_VERTICES = 1 << 16 };
static inline bool wfi_kahn_as_bits(weft_vid n, weft_eid arcs) {
    return n >= WFI_FEWEST_BIT_VERTICES && n < WFI_MOST_BIT_VERTICES && arcs >= (uint64_t)n * n / 32;
}

/* Bytes on the GPU at the peak, the graph's copy included if it is not there yet. */
uint64_t wfi_kahn_cuda_bytes(const weft_graph *g, bool levels, bool positions);
/* Bytes on the host beside the columns, when there is a cycle to be shown. */
uint64_t wfi_kahn_cuda_host_bytes(const weft_graph *g);

/* Do ids rise or fall along every arc, by the copy of the graph on the GPU?  False: it is not there. */
bool wfi_kahn_rows_there(const weft_graph *g);
weft_status wfi_ids_along_arcs_cuda(weft_ctx *ctx, const weft_graph *g, wfi_id_order *order);

#ifdef __cplusplus
}
#endif
#endif
