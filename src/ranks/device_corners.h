/* Triangles on the GPUs of ranks: what corners.h leaves to them. */
#ifndef WFI_RANK_DEVICE_CORNERS_H
#define WFI_RANK_DEVICE_CORNERS_H

#include "ranks/corners.h"
#include "ranks/device_closed.h"
#include "ranks/device_rows.h"

typedef struct wfi_device_corners {
    wfi_corners_gpu gpu;   /* first: for wfi_corners, as wfi_device_corners_steps has it */
    wfi_workspace *device; /* set by the caller, and: */
    weft_status status;    /* of this rank */
    wfi_closed k;
    uint64_t *sum; /* on the GPU, of this rank's vertices */
} wfi_device_corners;

extern const wfi_corners_gpu wfi_device_corners_steps;

#endif
