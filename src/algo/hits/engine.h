/* What a GPU takes over of a rank's run of HITS (hits_cpu.c): halves of iterations.  Values are the host's until
 * `begin`, and again after `end`; in between all ranks make the same calls. */
#ifndef WFI_HITS_ENGINE_H
#define WFI_HITS_ENGINE_H

#include "algo/hits/hits.h"
#include "core/fixed.h"

/* Hubs or authorities, as the host has them. */
typedef struct wfi_hits_side {
    double *value; /* of this rank's vertices */
    double *sums;  /* NULL: lengths of rows */
} wfi_hits_side;

typedef struct wfi_hits_gpu {
    weft_status (*begin)(struct wfi_hits_gpu *gpu, wfi_hits_side hubs, wfi_hits_side authorities);
    /* Values of the hubs, or of the authorities, from the shares that `factor` makes of the others'; here: room for all
     * shares.  mine: change, given. */
    weft_status (*half)(struct wfi_hits_gpu *gpu, bool hubs, double factor, double unit, double *here,
                        wfi_fixed mine[2]);
    weft_status (*end)(struct wfi_hits_gpu *gpu, wfi_hits_side hubs, wfi_hits_side authorities);
    weft_status status; /* of this rank alone: the next call tells the others */
    void *state;
} wfi_hits_gpu;

weft_status wfi_hits_with(wfi_job *job, wfi_hits_gpu *gpu);

#endif
