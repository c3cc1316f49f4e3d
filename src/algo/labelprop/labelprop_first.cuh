/* The first step of label propagation without counting.  All labels are different then, and rows ascend: where no arc
 * repeats another, everybody takes its smallest neighbour, the first of its row. */
#ifndef WFI_LABELPROP_FIRST_CUH
#define WFI_LABELPROP_FIRST_CUH

#include "algo/labelprop/labelprop_device.cuh"
#include "cuda/walk.cuh"

namespace labelprop {

/* Does an arc repeat the one before it? */
struct find_repeats {
    wfi_view rows;
    unsigned *found;

    __device__ bool wants(weft_vid) const { return true; }
    __device__ void take(const weft_vid *row, const weft_vid *arc) const {
        if (arc > row && arc[-1] == *arc) *found = 1;
    }
    __device__ void alone(weft_vid v, const weft_vid *arc, unsigned count) const {
        const weft_vid *row = rows.targets + rows.offsets[v];
        for (unsigned i = 0; i < count; i++) take(row, arc + i);
    }
    __device__ void together(weft_vid v, const weft_vid *arc, unsigned count) const {
        const weft_vid *row = rows.targets + rows.offsets[v];
        for (unsigned i = this_lane(); i < count; i += WARP) take(row, arc + i);
    }
};

__global__ static void take_smallest(label_step s, weft_vid n) {
    account mine;
    for (uint64_t v = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; v < n; v += (uint64_t)gridDim.x * blockDim.x) {
        label_row<false> arcs(s, (weft_vid)v);
        mine.settle(s, (weft_vid)v, past(s, (weft_vid)v), arcs.degree ? arcs.target(0) : (weft_vid)v, arcs.degree);
    }
    mine.hand_in_together(s);
}

} // namespace labelprop

#endif
