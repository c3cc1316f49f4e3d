/* cycle: what the descriptor and the CPU version share. */
#ifndef WFI_CYCLE_H
#define WFI_CYCLE_H

#include "algo/algo.h"
#include "graph/kahn.h"

/* When there is no loop and the ids tell nothing. */
typedef enum wfi_cycle_method {
    WFI_CYCLE_PEEL = 0, /* from the sources, counting */
    WFI_CYCLE_WATCH,    /* from the sinks, each vertex watching one successor */
    WFI_CYCLE_BITS      /* the same on a bit matrix */
} wfi_cycle_method;

/* room: bytes that there are.  *bytes: what the method takes; *why: a sentence, static text. */
wfi_cycle_method wfi_cycle_pick(weft_vid n, weft_eid arcs, int threads, uint64_t room, uint64_t *bytes,
                                const char **why);

weft_status wfi_cycle_cpu(weft_ctx *ctx, const weft_graph *g, const void *params, const wfi_choice *choice,
                          weft_result *result);

/* The cycle as a table, the verdict and the length. */
weft_status wfi_cycle_result(weft_ctx *ctx, const weft_graph *g, const wfi_cycle *cycle, weft_result *result);

#endif
