/* The last part of strong components on the GPU: arcs among vertices of which nothing is known. */
#ifndef WFI_COMPONENTS_SPLIT_CUH
#define WFI_COMPONENTS_SPLIT_CUH

#include "algo/components/forest.cuh"

enum { WFI_SPLIT_SETS = 3, WFI_SPLIT_BLOCKS = 1 << 10 };

struct wfi_split_state {
    struct {
        unsigned changed[WFI_SPLIT_SETS], kept[WFI_SPLIT_SETS];
    } signals;                       /* of a launch, cleared before it */
    unsigned round;                  /* how many there were */
    unsigned undecided;              /* whether arcs are left */
    unsigned left[WFI_SPLIT_BLOCKS]; /* arcs of each block */
};

/* Joins in `label` what lies on a common cycle of the `count` arcs (from, to), whose ends are roots of trees.  The arcs
 * are used up.  ahead and back: scratch of n places; state: on the GPU as well. */
weft_status wfi_components_split_cuda(weft_ctx *ctx, weft_vid *label, uint2 *arcs, uint64_t count, uint32_t *ahead,
                                      uint32_t *back, wfi_split_state *state);

#endif
