/* A sorted batch of changes merged into CSR rows on the GPU (rules: arc_changes.h).
 * Method: radix sort of the batch's keys; the outcome of each change by binary search in its row; an exclusive scan
 * turns inserts and deletes into the distances that later arcs move; then offsets, old arcs (arc_move.cuh) and new arcs
 * are written to their places.
 * Time: the sort, and one pass over all arcs at the speed of memory, 8 bytes an arc.  If vertices are removed, rows are
 * filtered first.  Space: the rows a second time, and one block, bounded by wfi_merge_scratch. */
#include "cuda/arc_move.cuh"
#include "cuda/cub.cuh"
#include "cuda/mirror.cuh"

enum { THREADS = 256, MOST_BLOCKS = 1 << 13, WARP = WFI_LANES };

typedef unsigned long long ull;

/* --- counting ------------------------------------------------------------------- */

__device__ static void zero_counts(unsigned *mine) {
    for (unsigned i = threadIdx.x; i < WFI_COUNTS; i += blockDim.x) mine[i] = 0;
    __syncthreads();
}

__device__ static void add_counts(const unsigned *mine, uint64_t *counts) {
    __syncthreads();
    for (unsigned i = threadIdx.x; i < WFI_COUNTS; i += blockDim.x)
        if (mine[i]) atomicAdd((ull *)&counts[i], (ull)mine[i]);
}

/* Called by all lanes of a warp: one atomic addition for each warp. */
__device__ static void vote(unsigned *mine, int which, bool yes) {
    unsigned votes = __popc(__ballot_sync(0xffffffffu, yes));
    if (votes && threadIdx.x % WARP == 0) atomicAdd(&mine[which], votes);
}

/* --- the changes ------------------------------------------------------------------- */

__global__ static void make_keys(wfi_edge_changes e, uint64_t count, uint64_t *key, uint32_t *place) {
    for (uint64_t k = wfi_thread(); k < count; k += wfi_all_threads()) {
        key[k] = wfi_key_of(&e, k);
        if (place) place[k] = (uint32_t)(e.directed ? k : k / 2);
    }
}

/* The outcome of each change; tally has one entry more. */
struct outcomes {
    uint8_t *outcome;
    weft_eid *at;
    uint64_t *tally;
};

__global__ static void __launch_bounds__(THREADS) find_outcomes(wfi_arc_changes c, outcomes to, uint64_t *counts) {
    __shared__ unsigned mine[WFI_COUNTS];
    zero_counts(mine);
    /* Whole warps take part, because they vote. */
    for (uint64_t first = blockIdx.x * (uint64_t)THREADS; first <= c.count; first += (uint64_t)gridDim.x * THREADS) {
        uint64_t i = first + threadIdx.x;
        weft_eid at = 0;
        wfi_outcome outcome = i < c.count ? wfi_outcome_of(&c, i, &at) : WFI_NO_CHANGE;
        weft_vid row = 0, target = 0;
        if (i < c.count) {
            row = wfi_key_row(c.bits, c.key[i]);
            target = wfi_key_target(c.bits, c.key[i]);
            to.outcome[i] = (uint8_t)outcome;
            to.at[i] = at;
        }
        if (i <= c.count) to.tally[i] = wfi_edit_tally(outcome);
        bool counted = c.directed || row <= target;
        for (int f = WFI_SUPERSEDED; f <= WFI_ABSENT; f++) vote(mine, f, counted && outcome == f);
        vote(mine, WFI_ARCS_IN, outcome == WFI_INSERTED);
        vote(mine, WFI_ARCS_OUT, outcome == WFI_DELETED);
        vote(mine, WFI_LOOPS_IN, outcome == WFI_INSERTED && row == target);
        vote(mine, WFI_LOOPS_OUT, outcome == WFI_DELETED && row == target);
    }
    add_counts(mine, counts);
}

/* Lists the edits, and writes new arcs to their final places, which no old arc moves to. */
__global__ static void list_edits(wfi_arc_changes c, outcomes j, wfi_arc_edits e, weft_vid *targets,
                                  uint32_t *weights) {
    for (uint64_t i = wfi_thread(); i <= c.count; i += wfi_all_threads()) {
        uint64_t k = wfi_edit_tally_edits(j.tally[i]);
        bool end = i == c.count;
        wfi_outcome outcome = end ? WFI_NO_CHANGE : (wfi_outcome)j.outcome[i];
        int64_t shift = wfi_edit_tally_shift(j.tally[i]);
        if (end || wfi_is_edit(outcome)) e.shift[k] = shift;
        if (!wfi_is_edit(outcome)) continue;
        e.at[k] = j.at[i];
        e.row[k] = wfi_key_row(c.bits, c.key[i]);
        if (outcome != WFI_INSERTED) continue;
        weft_eid place = j.at[i] + (uint64_t)shift;
        targets[place] = wfi_key_target(c.bits, c.key[i]);
        for (unsigned w = 0; w < c.words; w++)
            weights[place * c.words + w] = c.fresh[(uint64_t)c.place[i] * c.words + w];
    }
}

/* New weights of old arcs, after these arcs were moved. */
__global__ static void put_weights(wfi_arc_changes c, outcomes j, uint32_t *weights) {
    for (uint64_t i = wfi_thread(); i < c.count; i += wfi_all_threads()) {
        if ((wfi_outcome)j.outcome[i] != WFI_WEIGHED) continue;
        weft_eid place = j.at[i] + (uint64_t)wfi_edit_tally_shift(j.tally[i]);
        for (unsigned w = 0; w < c.words; w++)
            weights[place * c.words + w] = c.fresh[(uint64_t)c.place[i] * c.words + w];
    }
}

/* --- removed vertices ---------------------------------------------------------------------- */

__device__ static bool is_removed(const uint64_t *removed, uint64_t v) { return removed[v / 64] >> v % 64 & 1; }

/* One warp a row: counts the arcs of the row that stay. */
__global__ static void __launch_bounds__(THREADS)
    count_staying(const weft_eid *offsets, const weft_vid *targets, weft_vid n, const uint64_t *removed, bool directed,
                  weft_eid *stay, uint64_t *counts) {
    __shared__ unsigned mine[WFI_COUNTS];
    zero_counts(mine);
    unsigned lane = threadIdx.x % WARP;
    for (uint64_t v = (blockIdx.x * (uint64_t)THREADS + threadIdx.x) / WARP; v < n;
         v += (uint64_t)gridDim.x * THREADS / WARP) {
        weft_eid kept = 0, end = offsets[v + 1];
        bool row_removed = is_removed(removed, v);
        for (weft_eid e = offsets[v]; e < end; e += WARP) {
            bool here = e + lane < end;
            weft_vid u = here ? targets[e + lane] : 0;
            bool gone = here && (row_removed || is_removed(removed, u));
            kept += __popc(__ballot_sync(0xffffffffu, here && !gone));
            vote(mine, WFI_DELETED, gone && (directed || v <= u));
            vote(mine, WFI_ARCS_OUT, gone);
            vote(mine, WFI_LOOPS_OUT, gone && u == v);
        }
        if (lane == 0) stay[v] = kept;
    }
    add_counts(mine, counts);
}

template <class T>
__global__ static void __launch_bounds__(THREADS)
    keep_staying(const weft_eid *offsets, const weft_vid *targets, weft_vid n, const uint64_t *removed,
                 const weft_eid *fresh, const T *from, T *to) {
    unsigned lane = threadIdx.x % WARP;
    for (uint64_t v = (blockIdx.x * (uint64_t)THREADS + threadIdx.x) / WARP; v < n;
         v += (uint64_t)gridDim.x * THREADS / WARP) {
        weft_eid place = fresh[v], end = offsets[v + 1];
        if (is_removed(removed, v)) continue;
        for (weft_eid e = offsets[v]; e < end; e += WARP) {
            bool stays = e + lane < end && !is_removed(removed, targets[e + lane]);
            unsigned votes = __ballot_sync(0xffffffffu, stays);
            if (stays) to[place + __popc(votes & ((1u << lane) - 1))] = from[e + lane];
            place += __popc(votes);
        }
    }
}

/* --- the merge ----------------------------------------------------------------------------- */

namespace {

/* All arrays of a merge but the rows lie in one block. */
struct merging {
    weft_ctx *ctx;
    wfi_gpu_rows *old;
    const wfi_arc_batch *batch;
    uint64_t count; /* arcs of the batch */
    wfi_buffer<char> block;
    size_t used = 0, scratch_bytes = 0;

    weft_vid *source, *target;
    uint8_t *changes, *outcome;
    uint32_t *fresh, *place, *more_places;
    uint64_t *removed, *key, *more_keys, *tally, *counts;
    uint32_t *of_arcs, *of_offsets; /* first edits of chunks */
    weft_eid *at;
    wfi_arc_edits e = {};
    char *scratch;
    wfi_arc_changes c = {};

    merging(weft_ctx *of, wfi_gpu_rows *rows, const wfi_arc_batch *given)
        : ctx(of), old(wfi_gpu_rows_keep(rows)), batch(given), count(given->count * (given->directed ? 1 : 2)) {}
    ~merging() { wfi_gpu_rows_drop(old); }
    cudaStream_t stream() const { return wfi_cuda_stream(ctx); }
    outcomes j() const { return {outcome, at, tally}; }
    unsigned bits() const { return wfi_bits(batch->rows ? batch->rows : 1); }

    template <class T> void carve(T **array, size_t items) {
        *array = (T *)(block.data + used);
        used += (items * sizeof(T) + 255) / 256 * 256;
    }
    void lay_out();
    weft_status take();
    weft_status bring();
    weft_status filter();
    weft_status sort();
    weft_status resolve_edits();
    weft_status take_rows(weft_eid arcs, wfi_gpu_rows **out);
    weft_status make(wfi_gpu_rows *made);
    weft_status finish(weft_eid were, uint64_t *counts, wfi_gpu_rows **out);
    weft_status radix_sort(void *storage, size_t *bytes);
    weft_status scan(void *storage, size_t *bytes);
};

} // namespace

/* Places the arrays in the block.  Before the block exists this only computes its size. */
void merging::lay_out() {
    used = 0;
    carve(&source, batch->count);
    carve(&target, batch->count);
    carve(&changes, batch->changes ? batch->count : 0);
    carve(&fresh, batch->weights ? batch->count * old->words : 0);
    carve(&removed, batch->removed ? ((size_t)batch->rows + 63) / 64 : 0);
    carve(&counts, WFI_COUNTS);
    carve(&key, count);
    carve(&more_keys, count);
    carve(&place, old->words ? count : 0);
    carve(&more_places, old->words ? count : 0);
    carve(&outcome, count);
    carve(&at, count);
    carve(&tally, count + 1);
    carve(&e.at, count);
    carve(&e.row, count);
    carve(&e.shift, count + 1);
    carve(&of_arcs, wfi_chunks(old->arcs) + 1);
    carve(&of_offsets, wfi_chunks((uint64_t)batch->rows + 1) + 1);
    carve(&scratch, scratch_bytes);
}

weft_status merging::radix_sort(void *storage, size_t *bytes) {
    cub::DoubleBuffer<uint64_t> k(key, more_keys);
    cub::DoubleBuffer<uint32_t> p(place, more_places);
    int end = (int)(2 * bits() + 2);
    if (old->words)
        WFI_CUDA_OR_RETURN(cub::DeviceRadixSort::SortPairs(storage, *bytes, k, p, (int64_t)count, 2, end, stream()));
    else
        WFI_CUDA_OR_RETURN(cub::DeviceRadixSort::SortKeys(storage, *bytes, k, (int64_t)count, 2, end, stream()));
    key = k.Current();
    place = p.Current();
    return WEFT_OK;
}

weft_status merging::scan(void *storage, size_t *bytes) {
    WFI_CUDA_OR_RETURN(cub::DeviceScan::ExclusiveSum(storage, *bytes, tally, tally, (int64_t)count + 1, stream()));
    return WEFT_OK;
}

weft_status merging::take() {
    size_t sorting = 0, scanning = 0;
    lay_out();
    weft_status st = radix_sort(NULL, &sorting);
    if (!st) st = scan(NULL, &scanning);
    scratch_bytes = sorting > scanning ? sorting : scanning;
    lay_out();
    if (!st) st = block.take(ctx, used);
    if (!st) lay_out();
    return st;
}

/* Uploads the batch: pinned arrays directly, the others through staging buffers. */
weft_status merging::bring() {
    size_t weights = batch->weights ? batch->count * old->words : 0, words = ((size_t)batch->rows + 63) / 64;
    wfi_copy part[] = {{source, batch->source, batch->count * sizeof(weft_vid)},
                       {target, batch->target, batch->count * sizeof(weft_vid)},
                       {changes, batch->changes, batch->changes ? batch->count : 0},
                       {fresh, batch->weights, weights * sizeof(uint32_t)},
                       {removed, batch->removed, batch->removed ? words * sizeof(uint64_t) : 0}};
    const size_t slots = 2, parts = sizeof part / sizeof *part, given = batch->pinned ? slots : 0;
    for (size_t i = 0; i < given; i++)
        if (part[i].bytes)
            WFI_CUDA_OR_RETURN(
                cudaMemcpyAsync(part[i].to, part[i].from, part[i].bytes, cudaMemcpyHostToDevice, stream()));
    return wfi_upload_all(ctx, NULL, part + given, parts - given); /* waits for the stream even if there is nothing to
                                                                    * upload */
}

/* Replaces the old rows by rows without the arcs of removed vertices. */
weft_status merging::filter() {
    wfi_buffer<weft_eid> stay;
    wfi_gpu_rows *kept = NULL;
    unsigned blocks = wfi_grid((uint64_t)old->n * WARP, THREADS, MOST_BLOCKS);
    weft_eid arcs = 0;
    weft_status st = stay.take_zeroed(ctx, (size_t)old->n + 1);
    if (st) return st;
    count_staying<<<blocks, THREADS, 0, stream()>>>(old->offsets.data, old->targets.data, old->n, removed,
                                                    batch->directed, stay.data, counts);
    st = wfi_exclusive_scan_cuda(ctx, stay.data, (size_t)old->n + 1);
    if (!st) st = wfi_cuda_read(ctx, &arcs, stay.data + old->n, sizeof arcs);
    if (!st)
        st = wfi_gpu_rows_allocate(ctx, old->n, arcs, old->words, wfi_gpu_rows_capacity(arcs, old->targets.count),
                                   &kept);
    if (st) return st;
    keep_staying<<<blocks, THREADS, 0, stream()>>>(old->offsets.data, old->targets.data, old->n, removed, stay.data,
                                                   old->targets.data, kept->targets.data);
    if (old->words == 1)
        keep_staying<<<blocks, THREADS, 0, stream()>>>(old->offsets.data, old->targets.data, old->n, removed, stay.data,
                                                       old->weights.data, kept->weights.data);
    if (old->words == 2)
        keep_staying<<<blocks, THREADS, 0, stream()>>>(old->offsets.data, old->targets.data, old->n, removed, stay.data,
                                                       (const uint64_t *)old->weights.data,
                                                       (uint64_t *)kept->weights.data);
    kept->offsets.swap(stay);
    st = wfi_cuda_sync(ctx); /* the old rows may belong to another context */
    wfi_gpu_rows_drop(st ? kept : old);
    if (!st) old = kept;
    return st;
}

weft_status merging::sort() {
    const wfi_edge_changes e = {bits(), batch->directed, source, target, batch->changes ? changes : NULL};
    make_keys<<<wfi_grid(count, THREADS, MOST_BLOCKS), THREADS, 0, stream()>>>(e, count, key,
                                                                               old->words ? place : NULL);
    weft_status st = radix_sort(scratch, &scratch_bytes);
    c = {key,
         place,
         count,
         bits(),
         batch->rows,
         batch->directed,
         old->n,
         old->arcs,
         old->offsets.data,
         old->targets.data,
         old->weights.data,
         fresh,
         old->words};
    return st;
}

weft_status merging::resolve_edits() {
    unsigned blocks = wfi_grid(count + 1, THREADS, MOST_BLOCKS);
    find_outcomes<<<blocks, THREADS, 0, stream()>>>(c, j(), counts);
    return scan(scratch, &scratch_bytes);
}

weft_status merging::take_rows(weft_eid arcs, wfi_gpu_rows **out) {
    weft_eid capacity = batch->more ? wfi_gpu_rows_capacity(arcs, old->targets.count) : arcs;
    return wfi_gpu_rows_allocate(ctx, batch->rows, arcs, old->words, capacity, out);
}

/* Queues the kernels that write the new rows.  Only the GPU knows the number of edits so far. */
weft_status merging::make(wfi_gpu_rows *made) {
    weft_vid *targets = made->targets.data;
    uint32_t *weights = made->weights.data;
    uint64_t arc_chunks = wfi_chunks(old->arcs), offset_chunks = wfi_chunks((uint64_t)batch->rows + 1);
    unsigned blocks = wfi_grid(count + 1, THREADS, MOST_BLOCKS), movers = wfi_chunk_blocks(arc_chunks);
    list_edits<<<blocks, THREADS, 0, stream()>>>(c, j(), e, targets, weights);
    wfi_find_chunks<<<(unsigned)((arc_chunks + offset_chunks + 1) / THREADS + 1), THREADS, 0, stream()>>>(
        e, tally + count, arc_chunks, of_arcs, offset_chunks, of_offsets);
    wfi_move_rows<<<wfi_chunk_blocks(arc_chunks + offset_chunks), WFI_MOVERS, 0, stream()>>>(
        c, e, of_arcs, of_offsets, made->offsets.data, targets);
    if (old->words == 1 && movers)
        wfi_move_weights<<<movers, WFI_MOVERS, 0, stream()>>>(old->weights.data, old->arcs, e, of_arcs, weights);
    if (old->words == 2 && movers)
        wfi_move_weights<<<movers, WFI_MOVERS, 0, stream()>>>((const uint64_t *)old->weights.data, old->arcs, e,
                                                              of_arcs, (uint64_t *)weights);
    if (old->words) put_weights<<<blocks, THREADS, 0, stream()>>>(c, j(), weights);
    WFI_CUDA_OR_RETURN(cudaGetLastError());
    return WEFT_OK;
}

/* Rows with spare capacity were taken before, large enough for all possible arcs, and the host waits once, at the end;
 * otherwise it first waits for the number of arcs. */
weft_status merging::finish(weft_eid were, uint64_t *counts, wfi_gpu_rows **out) {
    bool there = *out;
    weft_status st = there ? make(*out) : WEFT_OK;
    if (!st) st = wfi_cuda_read(ctx, counts, this->counts, WFI_COUNTS * sizeof *counts);
    if (st) return st;
    weft_eid arcs = were + counts[WFI_ARCS_IN] - counts[WFI_ARCS_OUT];
    if (!there) st = take_rows(arcs, out);
    if (!st && !there) st = make(*out);
    if (!st && !there) st = wfi_cuda_sync(ctx);
    if (!st) (*out)->arcs = arcs;
    return st;
}

/* The rows are taken before all smaller blocks: a smaller block would take the space that the rows before the last ones
 * just left, and for a block that then fits nowhere the pool maps new memory, which takes as long as a batch of 100,000
 * (bench/NOTES.md). */
static weft_status merge(weft_ctx *ctx, wfi_gpu_rows *old, const wfi_arc_batch *batch, uint64_t *counts, double *ms,
                         wfi_gpu_rows **out) {
    merging m(ctx, old, batch);
    double began = wfi_now_ms();
    weft_status st = batch->more ? m.take_rows(old->arcs + m.count, out) : WEFT_OK;
    double taking = wfi_now_ms() - began;
    if (!st) st = m.take();
    if (!st) st = m.bring();
    began = wfi_now_ms() - taking;
    if (!st) st = wfi_zero(ctx, m.counts, WFI_COUNTS);
    if (!st && batch->removed && old->n) st = m.filter();
    if (!st) st = m.sort();
    if (!st) st = m.resolve_edits();
    if (!st) st = m.finish(old->arcs, counts, out);
    *ms = wfi_now_ms() - began;
    return st;
}

extern "C" weft_status wfi_gpu_rows_merge(weft_ctx *ctx, struct wfi_gpu_rows *old, const wfi_arc_batch *batch,
                                          uint64_t *counts, double *ms, struct wfi_gpu_rows **out) {
    wfi_visit visit;
    *out = NULL;
    weft_status st = wfi_cuda_enter(ctx, &visit);
    if (!st && old->index != wfi_cuda_index(ctx))
        st = wfi_fail(ctx, WEFT_EDEVICE, "the graph is on GPU %d, but the context is for GPU %d", old->index,
                      wfi_cuda_index(ctx));
    if (!st) st = merge(ctx, old, batch, counts, ms, out);
    if (st) {
        wfi_cuda_drain(ctx);
        wfi_gpu_rows_drop(*out);
        *out = NULL;
    }
    wfi_cuda_leave(&visit);
    return st;
}
