/* What weft_calibrate times, and for how long. */
#ifndef WFI_RUN_CALIBRATE_H
#define WFI_RUN_CALIBRATE_H

#include "run/auto.h"

typedef struct wfi_calibration {
    double seconds;
    bool costs;        /* of algorithms on two devices, besides PageRank's methods */
    weft_device other; /* beside the CPU.  The CPU again in tests, where nothing is known of a GPU */
    int small, large;  /* scales of R-MAT graphs */
    uint64_t side;     /* of a grid; the other grid has a quarter of it */
} wfi_calibration;

/* Fills in the figures as far as the time allows: algorithms that it does not suffice for are not among them, and
 * PageRank's costs are 0 then. */
weft_status wfi_calibrate(weft_ctx *ctx, const wfi_calibration *c, wfi_figures *f);

#endif
