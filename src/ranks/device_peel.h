/* Peeling on the GPUs of ranks: what peel.h leaves to them. */
#ifndef WFI_RANK_DEVICE_PEEL_H
#define WFI_RANK_DEVICE_PEEL_H

#include "ranks/device_struck.h"
#include "ranks/device_tell.h"
#include "ranks/peel.h"

typedef struct wfi_device_peel {
    wfi_rank_peel_gpu gpu; /* first: for wfi_rank_peel, as wfi_device_peel_steps has it */
    wfi_struck p;
    wfi_view out[WFI_MOST_BLOCKS];
    wfi_device_telling telling;
    uint64_t *before, *before_here; /* n, on the GPU and on the host: a leftover's smallest predecessors */
    uint64_t queued;
} wfi_device_peel;

extern const wfi_rank_peel_gpu wfi_device_peel_steps;

/* Its arrays, beside those of wfi_rank_peel_lay_out on the host. */
void wfi_device_peel_lay_out(wfi_workspace *host, wfi_workspace *device, const wfi_spread *s, wfi_device_peel *d);

#endif
