/* cycle: the methods of a run. */
#ifndef WFI_CYCLE_H
#define WFI_CYCLE_H

#include "core/core.h"

typedef enum wfi_cycle_method {
    WFI_CYCLE_PEEL = 0, /* peels from the sources, counting */
    WFI_CYCLE_WATCH,    /* peels from the sinks, each vertex watching one successor */
    WFI_CYCLE_BITS,     /* the same on a bit matrix */
    WFI_CYCLE_LOOP,     /* a loop decides */
    WFI_CYCLE_IDS,      /* ids that are an order decide */
    WFI_CYCLE_KERNEL,   /* from the sources, on the GPU */
    WFI_CYCLE_GPU_BITS, /* from both ends on a bit matrix, on the GPU */
    WFI_CYCLE_MESSAGES  /* from the sources, on ranks */
} wfi_cycle_method;

/* available: bytes for the method.  *bytes: memory of the method; *why: a sentence, static text. */
wfi_cycle_method wfi_cycle_pick(weft_vid n, weft_eid arcs, int threads, uint64_t available, uint64_t *bytes,
                                const char **why);

#endif
