/* What comes along the arcs of each row, from shares in f64, as sums of two limbs: by a sweep where the rows have a
 * layout (shared/sell), else by warps that take equal spans of the arcs (shared/pull). */
#include "cuda/gpu.cuh"
#include "engines/fixed_sums/fixed_sums.cuh"
#include "engines/sliced_ellpack/sweep.h"
#include "ops/gpu.h"

template <class Arcs>
static void walk(const wfi_ops *o, const wfi_view *rows, weft_eid arcs, const double *share, Arcs pass) {
    wfi_pull_visitor<double, Arcs> visit = {share, (unsigned long long *)o->sums, 0, pass};
    wfi_walk<weft_eid><<<wfi_walk_blocks(arcs), WFI_WALK_THREADS, 0, wfi_cuda_stream(o->ctx)>>>(
        rows->offsets, (const weft_vid *)NULL, (uint64_t)rows->count, rows->targets, rows->base, rows->base,
        rows->base + arcs, visit);
}

weft_status wfi_ops_add_rows(wfi_ops *o, const wfi_view *rows, const double *share) {
    weft_ctx *ctx = o->ctx;
    weft_eid arcs = rows == o->out ? o->out_arcs : o->in_arcs;
    if (!arcs) return WEFT_OK;
    if (o->layout && rows == o->in) return wfi_sweep(ctx, o->layout, o->weighted, rows->type, share, o->moved, o->sums);
    if (o->weighted)
        walk(o, rows, arcs, share, wfi_arcs_weighted{rows->targets, rows->weights, rows->type});
    else
        walk(o, rows, arcs, share, wfi_arcs_unweighted{});
    WFI_CUDA_OR_RETURN(cudaGetLastError());
    return WEFT_OK;
}
