/* From sources by hops, on the GPU (brandes.h): what a run keeps there.  Its bits are those of CPU cores.
 * A batch of 16 searches has a group of blocks of its own; where graphs are small several groups work side by side. */
#ifndef WFI_BETWEENNESS_BRANDES_CUH
#define WFI_BETWEENNESS_BRANDES_CUH

#include "algo/betweenness/brandes.h"
#include "cuda/mirror.cuh"

enum {
    WFI_LANE_FRONTS = 4, /* levels whose lanes are there at once: one that is read, one of its own, two that change */
    WFI_LANE_GROUPS = 32 /* at most */
};
typedef unsigned long long wfi_lane_word;

/* Rows of more than a piece, which several warps share: piece p is (vertex, number in its row). */
typedef struct wfi_lane_hubs {
    weft_vid *vertex; /* of each such row */
    unsigned *first;  /* its first piece */
    uint2 *piece;
    unsigned *count; /* of rows; of pieces */
} wfi_lane_hubs;

/* The arrays of a batch, as on CPU cores. */
typedef struct wfi_lane_batch_gpu {
    wfi_lane_values *value;
    wfi_lane_exponents *exponent;
    wfi_lane_set *sets; /* seen, then the lanes that are at levels d, d + 4, ... for each d of 0 ... 3 */
    weft_vid *trail;
    wfi_lane_set *lanes;
    wfi_lane_word *level;
    wfi_lane_values *part; /* sums of pieces */
    wfi_lane_exponents *part_exponent;
} wfi_lane_batch_gpu;

struct wfi_lane_control;

typedef struct wfi_brandes_gpu {
    /* Set by the caller, on the GPU. */
    wfi_view out, in;
    const weft_vid *sources;
    uint64_t count;
    const uint8_t *targets; /* NULL: all */
    bool ends;
    wfi_pendant_trees folds; /* below NULL: nothing is folded */
    /* By wfi_brandes_gpu_lay_out. */
    weft_vid n;
    weft_eid arcs;
    wfi_wide_sum *at_vertex, *at_arc; /* the sums; at_arc may be NULL */
    wfi_lane_batch_gpu batch;         /* of the first group; those of others follow */
    wfi_lane_hubs out_hubs, in_hubs;
    struct wfi_lane_control *control;
    uint64_t set_stride, most_pieces;
    unsigned groups;
} wfi_brandes_gpu;

/* count: of sources, at most. */
void wfi_brandes_gpu_lay_out(wfi_workspace *device, const weft_graph *g, bool arcs, uint64_t count, wfi_brandes_gpu *f);
weft_status wfi_brandes_gpu_run(weft_ctx *ctx, wfi_brandes_gpu *f);

#endif
