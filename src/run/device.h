/* Where a plan runs, and why. */
#ifndef WFI_RUN_DEVICE_H
#define WFI_RUN_DEVICE_H

#include "run/algorithm.h"

typedef struct wfi_placement {
    weft_device device;
    weft_device_cause cause;
    char reason[256]; /* the cause in words */
} wfi_placement;

/* Decides on the device and plans the run there: *choice is the CPU's or the GPU's.  With WEFT_DEVICE_CUDA it is the
 * GPU or an error. */
weft_status wfi_choose(weft_ctx *ctx, const wfi_algorithm *a, const weft_graph *g, const void *params,
                       wfi_placement *placement, wfi_choice *choice);
/* The same for ranks that share the run; collective. */
weft_status wfi_choose_ranks(weft_ctx *ctx, const wfi_algorithm *a, struct wfi_spread *spread, const void *params,
                             wfi_placement *placement, wfi_choice *choice);
/* Plans the run on the CPUs or the GPUs of ranks; collective. */
weft_status wfi_plan_on_ranks(weft_ctx *ctx, const wfi_algorithm *a, struct wfi_spread *spread, const void *params,
                              bool on_gpu, wfi_choice *choice);
/* Why the ranks' GPUs cannot serve it, in words; NULL = they can. */
const char *wfi_ranks_unserved(const wfi_algorithm *a, const void *params);
/* Plans the run on the CPU. */
void wfi_choose_cpu(weft_ctx *ctx, const wfi_algorithm *a, const weft_graph *g, const void *params, wfi_choice *choice);
/* Bytes on the host, with the result. */
uint64_t wfi_choice_host_bytes(const wfi_choice *choice);

#endif
