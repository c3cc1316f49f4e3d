/* Peeling and triangles on the GPUs of ranks: the steps that peel.h and triangles.h leave to a GPU. */
#ifndef WFI_RANK_DEVICE_STEPS_H
#define WFI_RANK_DEVICE_STEPS_H

#include "ranks/device.h"
#include "ranks/peel.h"
#include "ranks/triangles.h"

typedef struct wfi_device_peel {
    wfi_rank_peel_gpu gpu; /* first: for wfi_rank_peel, as wfi_device_peel_steps has it */
    wfi_kahn_gpu p;
    wfi_view out[WFI_MOST_BLOCKS];
    wfi_device_messages messages;
    uint64_t *before, *before_here; /* n, on the GPU and on the host: a leftover's smallest predecessors */
    uint64_t queued;
} wfi_device_peel;

extern const wfi_rank_peel_gpu wfi_device_peel_steps;

/* Its arrays, beside those of wfi_rank_peel_lay_out on the host. */
void wfi_device_peel_lay_out(wfi_workspace *host, wfi_workspace *device, const wfi_spread *s, wfi_device_peel *d);

typedef struct wfi_device_triangles {
    wfi_rank_triangles_gpu gpu; /* first: for wfi_rank_triangles, as wfi_device_triangles_steps has it */
    wfi_workspace *device;      /* set by the caller, and: */
    weft_status status;         /* of this rank */
    wfi_wedges k;
    uint64_t *sum; /* on the GPU, of this rank's vertices */
} wfi_device_triangles;

extern const wfi_rank_triangles_gpu wfi_device_triangles_steps;

#endif
