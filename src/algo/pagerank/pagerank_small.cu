/* PageRank of a small graph, GPU: whether it fits into the shared memory of a cluster, and the distribution of its
 * work.
 * Whole rows go to each block, in equal amounts of work, and whole units likewise to each warp of it.  The kernel is in
 * pagerank_small.cuh. */
#include "algo/pagerank/pagerank_small.cuh"
#include "cuda/launch.cuh"

namespace wfi_pagerank {

enum { MOST_STEPS = 16 /* steps of a piece, at most */, MOST_UNITS = 1 << 15 };

/* --- whether it fits ------------------------------------------------------------------- */

template <class S>
static cudaLaunchConfig_t configure(const weft_ctx *ctx, const small_cut &cut, cudaLaunchAttribute *attribute) {
    cudaLaunchConfig_t config = {};
    attribute->id = cudaLaunchAttributeClusterDimension;
    attribute->val.clusterDim.x = cut.blocks;
    attribute->val.clusterDim.y = attribute->val.clusterDim.z = 1;
    config.gridDim = dim3(cut.blocks);
    config.blockDim = dim3(THREADS);
    config.dynamicSmemBytes = cut.shared;
    config.stream = wfi_cuda_stream(ctx);
    config.attrs = attribute;
    config.numAttrs = 1;
    return config;
}

/* Estimated work in steps: the steps of a unit, one more for its reduction, and one for each 16 rows. */
struct effort {
    const uint32_t *step, *unit_row;
    uint32_t units;
    wfi_sell_part at;
    /* The block would wait for a warp with one long unit: such units are cut, and the pieces distributed. */
    uint32_t pieces(uint32_t u) const { return (step[u + 1] - step[u] + MOST_STEPS - 1) / MOST_STEPS; }
    uint64_t until_unit(uint32_t u) const { return step[u] + u + (u < units ? unit_row[u] : at.empty) / 16; }
    uint64_t all() const { return step[units] + units + at.end / 16; }
};

/* Whole rows to each block, in equal amounts of work. */
static void cut_rows(const effort &e, small_cut *cut) {
    const wfi_sell_part &at = e.at;
    uint32_t units = e.units;
    unsigned b = 1;
    cut->unit[0] = cut->row[0] = 0;
    for (uint32_t u = 1; u < units && b < cut->blocks; u++)
        if (e.unit_row[u] != e.unit_row[u - 1] && e.until_unit(u) >= e.all() * b / cut->blocks) {
            cut->unit[b] = u;
            cut->row[b++] = e.unit_row[u];
        }
    for (; b <= cut->blocks; b++) {
        uint64_t target = e.all() * b / cut->blocks, of_units = e.until_unit(units);
        uint64_t row = at.empty + 16 * (target > of_units ? target - of_units : 0);
        cut->unit[b] = units;
        cut->row[b] = b == cut->blocks || row > at.end ? at.end : (uint32_t)row;
    }
    cut->rows = cut->pieces = cut->steps = cut->piece[0] = 0;
    for (b = 0; b < cut->blocks; b++) {
        uint32_t rows = cut->row[b + 1] - cut->row[b], pieces = 0;
        uint32_t steps = e.step[cut->unit[b + 1]] - e.step[cut->unit[b]];
        for (uint32_t u = cut->unit[b]; u < cut->unit[b + 1]; u++) pieces += e.pieces(u);
        cut->piece[b + 1] = cut->piece[b] + pieces;
        if (rows > cut->rows) cut->rows = rows;
        if (pieces > cut->pieces) cut->pieces = pieces;
        if (steps > cut->steps) cut->steps = steps;
    }
}

template <class S> static weft_status choose_blocks(weft_ctx *ctx, const effort &e, uint32_t sources, small_cut *cut) {
    size_t most = 0;
    WFI_CUDA_OR_RETURN(
        cudaGetLastError()); /* reports earlier errors, so that they are not mistaken for an answer below */
    weft_status st = wfi_allow_shared_memory(ctx, (const void *)small_kernel<S>, &most);
    if (st) return st;
    WFI_CUDA_OR_RETURN(cudaFuncSetAttribute(small_kernel<S>, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    for (unsigned blocks = SMALL_BLOCKS; blocks >= 8; blocks /= 2) {
        cudaLaunchAttribute attribute;
        int fit = 0;
        cut->blocks = blocks;
        cut_rows(e, cut);
        cut->shared = small_layout<S>(NULL, sources, cut->rows, cut->pieces, cut->steps).bytes;
        if (cut->shared > most) continue;
        cudaLaunchConfig_t config = configure<S>(ctx, *cut, &attribute);
        if (cudaOccupancyMaxActiveClusters(&fit, small_kernel<S>, &config) == cudaSuccess && fit > 0) return WEFT_OK;
        (void)
            cudaGetLastError(); /* a cluster of this size is not available, which is no failure: a smaller one may be */
    }
    cut->blocks = 0;
    return WEFT_OK;
}

/* The pieces of a block in the order of its units; returns the number of pieces of long rows. */
static uint32_t cut_units(const effort &e, const small_cut &cut, unsigned b, small_piece *piece) {
    uint32_t first = e.step[cut.unit[b]], longs = 0, row = cut.row[b];
    for (uint32_t u = cut.unit[b]; u < cut.unit[b + 1]; u++) {
        bool shared = e.pieces(u) > 1 || (u > cut.unit[b] && e.unit_row[u - 1] == e.unit_row[u]) ||
                      (u + 1 < cut.unit[b + 1] && e.unit_row[u + 1] == e.unit_row[u]);
        uint32_t begin = e.step[u], end = e.step[u + 1], most = MOST_STEPS;
        if (u < e.at.slice) longs += e.pieces(u);
        for (; begin < end; begin += most)
            *piece++ = {(uint16_t)(begin - first), (uint16_t)((end - begin < most ? end : begin + most) - first),
                        (uint16_t)(e.unit_row[u] - row), shared};
    }
    return longs;
}

/* Gives each piece to the warp with the least work: slices first, since a warp interleaves several long rows.  turn:
 * for each warp the begin of its long rows, and that of its slices. */
static void share_out(const small_piece *piece, uint32_t pieces, uint32_t longs, small_piece *by_warp, uint16_t *turn) {
    uint32_t load[WARPS] = {}, count[2 * WARPS + 1] = {};
    uint8_t warp_of[WFI_SMALL];
    for (uint32_t i = 0; i < pieces; i++) {
        uint32_t k = i < pieces - longs ? longs + i : i - (pieces - longs), least = 0;
        for (uint32_t w = 1; w < WARPS; w++)
            if (load[w] < load[least]) least = w;
        load[least] += (uint32_t)(piece[k].end - piece[k].begin) + 4;
        warp_of[k] = (uint8_t)least;
        count[2 * least + (k >= longs) + 1]++;
    }
    for (uint32_t i = 0; i < 2 * WARPS; i++) {
        count[i + 1] += count[i];
        turn[i] = (uint16_t)count[i];
    }
    for (uint32_t k = 0; k < pieces; k++) by_warp[count[2 * warp_of[k] + (k >= longs)]++] = piece[k];
}

/* Distributes the work of all blocks, and uploads it. */
template <class S>
static weft_status give_work(weft_ctx *ctx, const effort &e, const small_arrays<S> &a, small_cut *cut) {
    uint16_t turn[SMALL_BLOCKS * 2 * WARPS];
    for (unsigned b = 0; b < cut->blocks; b++) {
        uint32_t first = cut->piece[b], count = cut->piece[b + 1] - first;
        uint32_t longs = cut_units(e, *cut, b, a.cut + first);
        share_out(a.cut + first, count, longs, a.dealt + first, turn + b * 2 * WARPS);
    }
    weft_status st = wfi_upload(ctx, a.pieces, a.dealt, cut->piece[cut->blocks] * sizeof *a.dealt);
    return st ? st : wfi_upload(ctx, a.turns, turn, sizeof turn);
}

/* Table positions by block, and within a block by row. */
static void give_places(const weft_vid *own, uint32_t sources, uint16_t *place_of, small_cut *cut) {
    uint32_t place = 0;
    for (unsigned b = 0; b < cut->blocks; b++) {
        cut->place[b] = place;
        for (uint32_t r = cut->row[b]; r < cut->row[b + 1]; r++)
            if (own[r] < sources) place_of[own[r]] = (uint16_t)place++;
    }
    cut->place[cut->blocks] = place;
}

template <class S>
void lay_out_small(wfi_workspace *space, wfi_workspace *device, const weft_graph *g, small_arrays<S> *a) {
    if (g->n > WFI_SMALL) return;
    uint64_t n = g->n, steps = n ? wfi_sell_within(g->n, g->arcs, g->n, 0).steps : 0;
    uint64_t units = wfi_min_u64(steps, MOST_UNITS), pieces = units + steps / MOST_STEPS;
    wfi_array_within(device, &a->place_of, n);
    wfi_array_within(device, &a->turns, SMALL_BLOCKS * 2 * WARPS);
    wfi_array_within(device, &a->pieces, pieces);
    wfi_array_within(device, &a->exchange, 2 * (n + 4));
    wfi_array_within(space, &a->step, units + 1);
    wfi_array_within(space, &a->unit_row, units);
    wfi_array_within(space, &a->own, n);
    wfi_array_within(space, &a->places, n);
    wfi_array_within(space, &a->cut, pieces);
    wfi_array_within(space, &a->dealt, pieces);
}

template <class S> weft_status cut_small(weft_ctx *ctx, const wfi_sell *r, const small_arrays<S> &a, small_cut *cut) {
    cudaFuncAttributes compiled;
    cut->blocks = 0;
    uint32_t units = r->unit[0][1], sources = r->n - r->sinks;
    if (r->parts != 1 || r->blocks.all != 1 || r->n > WFI_SMALL || units > MOST_UNITS || !units) return WEFT_OK;
    WFI_CUDA_OR_RETURN(cudaFuncGetAttributes(&compiled, small_kernel<S>));
    if (!wfi_gpu_of(ctx)->clusters || compiled.ptxVersion < 90) return WEFT_OK;
    weft_status st = wfi_download(ctx, a.step, r->step.data, (units + 1) * sizeof *a.step);
    if (!st) st = wfi_download(ctx, a.unit_row, r->row.data, units * sizeof *a.unit_row);
    for (uint32_t u = 0; u < units && !st; u++)
        a.unit_row[u] &= ~WFI_LONG; /* with a single part the remainder is the row */
    effort e = {a.step, a.unit_row, units, r->at[0]};
    if (!st) st = choose_blocks<S>(ctx, e, sources, cut);
    if (st || !cut->blocks) return st;
    st = wfi_download(ctx, a.own, r->source.data, r->n * sizeof *a.own);
    if (!st) give_places(a.own, sources, a.places, cut);
    cut->stride = (sources + 4) / 4 * 4; /* a zero behind the last share */
    if (!st) st = give_work(ctx, e, a, cut);
    if (!st) st = wfi_zero(ctx, a.exchange, 2 * (size_t)cut->stride);
    if (!st) st = wfi_upload(ctx, a.place_of, a.places, sources * sizeof *a.places);
    cut->pieces_of = a.pieces;
    cut->turns = a.turns;
    cut->place_of = a.place_of;
    cut->exchange = a.exchange;
    return st;
}

template <class S>
weft_status iterate_small(weft_ctx *ctx, const job<plain<S>> &j, const small_cut &cut, uint64_t first, uint64_t count) {
    cudaLaunchAttribute attribute;
    cudaLaunchConfig_t config = configure<S>(ctx, cut, &attribute);
    WFI_CUDA_OR_RETURN(cudaLaunchKernelEx(&config, small_kernel<S>, j, cut, first, count));
    return WEFT_OK;
}

template void lay_out_small<float>(wfi_workspace *, wfi_workspace *, const weft_graph *, small_arrays<float> *);
template void lay_out_small<double>(wfi_workspace *, wfi_workspace *, const weft_graph *, small_arrays<double> *);
template weft_status cut_small<float>(weft_ctx *, const wfi_sell *, const small_arrays<float> &, small_cut *);
template weft_status cut_small<double>(weft_ctx *, const wfi_sell *, const small_arrays<double> &, small_cut *);
template weft_status iterate_small<float>(weft_ctx *, const job<plain<float>> &, const small_cut &, uint64_t, uint64_t);
template weft_status iterate_small<double>(weft_ctx *, const job<plain<double>> &, const small_cut &, uint64_t,
                                           uint64_t);

} // namespace wfi_pagerank
