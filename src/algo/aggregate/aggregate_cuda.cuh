/* aggregate, GPU: a pass over all rows of one direction.  Needs: chunks of the rows (row_chunks.cuh), each row
 * ascending.  Neighbouring lanes take a chunk, each the same few columns of every neighbour, which it reads with one
 * load; so a lane adds in the defined order, and no two lanes write one value.  BATCH neighbours are loaded at once.
 * The reducer W has
 *
 *   state none()                                            before the first neighbour
 *   item fetch(u, e, row, column), add(state, item)         a neighbour, by arc e
 *   put(state, place, column), join(state, place, column)   stores a chunk of a long row; adds it, in the row's order
 *   merge(state, block)                                     the same without storing
 *   finish(state, row, arcs, column)                        the row's value */
#ifndef WFI_AGGREGATE_CUDA_CUH
#define WFI_AGGREGATE_CUDA_CUH

#include "algo/aggregate/aggregate.h"
#include "algo/aggregate/numbers.cuh"
#include "core/search.h"
#include "engines/row_chunks/row_chunks.cuh"

/* The gradient of a maximum (back_max_cuda.cu): the argmax in a strip of columns; for chunks of long rows by place. */
struct wfi_back_max_arrays {
    weft_vid *winner, *piece_winner;
    float *piece; /* shared by both directions, in turn */
};

/* in, along: chunks of long rows, of incoming and outgoing arcs. */
void wfi_back_max_lay_out(wfi_workspace *device, weft_vid n, uint64_t width, uint64_t in, uint64_t along,
                          wfi_back_max_arrays *arrays);
/* Matrices on the GPU, and for each vertex whether it is its own neighbour by --self-loop alone (NULL: none is). */
struct wfi_back_max_data {
    const void *gradient, *forward;
    void *out;
    const uint8_t *joins;
};
weft_status wfi_back_max_cuda(weft_ctx *ctx, const weft_graph *g, const weft_aggregate_params *p,
                              const wfi_back_max_arrays *arrays, const wfi_back_max_data &m);

namespace {

enum { PASS_THREADS = 256, BATCH = 8 };

static_assert((int)WFI_PIECE == (int)WFI_AGGREGATE_BLOCK, "the order of a sum is defined by blocks");

/* Rows of one direction, on the GPU. */
struct cut_rows {
    wfi_view rows;
    weft_eid arcs;
    const wfi_row_chunks *pieces;
};

/* Columns first ... end-1 in one pass, W::VECTOR to a lane, by `lanes` lanes a chunk; the remaining threads of a block
 * are idle. */
struct tile {
    uint32_t first, end, lanes;

    __device__ uint64_t mine() const { return blockIdx.x * (uint64_t)(PASS_THREADS / lanes) + threadIdx.x / lanes; }
    __device__ bool idle() const { return threadIdx.x / lanes >= PASS_THREADS / lanes; }
    __device__ uint32_t column(int vector) const { return first + threadIdx.x % lanes * (uint32_t)vector; }
    unsigned blocks(uint64_t pieces) const {
        return (unsigned)((pieces + PASS_THREADS / lanes - 1) / (PASS_THREADS / lanes));
    }
};

/* The row of the chunk at a place. */
__device__ inline uint32_t row_of_place(const wfi_cut_row *rows, uint32_t count, uint32_t place) {
    uint32_t low = 1, high = count;
    WFI_BISECT(low, high, middle, rows[middle].place <= place);
    return rows[low - 1].row;
}

template <class W>
__global__ void __launch_bounds__(PASS_THREADS)
    take_pieces(W w, const wfi_row_chunk *pieces, uint32_t count, const wfi_cut_row *long_row, uint32_t long_rows,
                const weft_vid *targets, tile t) {
    uint64_t at = t.mine();
    uint32_t column = t.column(W::VECTOR);
    if (at >= count || column >= t.end || t.idle()) return;
    wfi_row_chunk piece = pieces[at];
    uint32_t length = piece.length & ~WFI_OF_LONG;
    bool of_long = piece.length & WFI_OF_LONG;
    uint32_t row = !of_long ? piece.to : W::NEEDS_ROW ? row_of_place(long_row, long_rows, piece.to) : 0;
    const weft_vid *source = targets + piece.begin;
    typename W::state s = w.none();
    uint32_t k = 0;
    for (; k + BATCH <= length; k += BATCH) {
        typename W::item item[BATCH];
#pragma unroll
        for (int i = 0; i < BATCH; i++) item[i] = w.fetch(__ldg(source + k + i), piece.begin + k + i, row, column);
#pragma unroll
        for (int i = 0; i < BATCH; i++) w.add(s, item[i]);
    }
    for (; k < length; k++) w.add(s, w.fetch(__ldg(source + k), piece.begin + k, row, column));
    if (of_long)
        w.put(s, piece.to, column);
    else
        w.finish(s, row, length, column);
}

/* Long rows from their chunks. */
template <class W>
__global__ void __launch_bounds__(PASS_THREADS)
    join_pieces(W w, const wfi_cut_row *long_row, uint32_t count, const weft_eid *offsets, tile t) {
    uint64_t at = t.mine();
    uint32_t column = t.column(W::VECTOR);
    if (at >= count || column >= t.end || t.idle()) return;
    uint32_t row = long_row[at].row, end = long_row[at + 1].place;
    typename W::state s = w.none();
#pragma unroll 4
    for (uint32_t place = long_row[at].place; place < end; place++) w.join(s, place, column);
    w.finish(s, row, offsets[(uint64_t)row + 1] - offsets[row], column);
}

/* After this many numbers, some milliseconds of work, the host polls. */
const uint64_t PASS_WORK = (uint64_t)1 << 33;

inline uint64_t work_of(const cut_rows &r, uint64_t columns) { return (r.arcs + r.pieces->count) * columns; }

/* After a launch: *since is the work since the last poll. */
inline weft_status pause(weft_ctx *ctx, uint64_t work, uint64_t *since) {
    *since += work;
    if (*since < PASS_WORK / 2) return WEFT_OK;
    *since = 0;
    weft_status st = wfi_cuda_sync(ctx);
    return !st && wfi_cancelled(ctx) ? wfi_fail_cancelled(ctx) : st;
}

/* Lanes of passes of equal width, at most `most`, which is even; so if rows are aligned no sector of 32 bytes is read
 * by two passes. */
template <class W> uint32_t lanes_for(uint32_t columns, uint32_t most) {
    uint32_t lanes = (columns + W::VECTOR - 1) / W::VECTOR, passes = (lanes + most - 1) / most;
    return passes == 1 ? lanes : ((lanes + passes - 1) / passes + 1) / 2 * 2;
}

/* Long rows in the columns first ... end-1, after all chunks. */
template <class W> weft_status join_rows(weft_ctx *ctx, const W &w, const cut_rows &r, uint32_t first, uint32_t end) {
    const wfi_row_chunks *p = r.pieces;
    uint32_t lanes = lanes_for<W>(end - first, 64);
    for (uint64_t column = first; column < end && p->long_rows; column += (uint64_t)lanes * W::VECTOR) {
        tile t = {(uint32_t)column, (uint32_t)wfi_min_u64(end, column + (uint64_t)lanes * W::VECTOR), lanes};
        join_pieces<<<t.blocks(p->long_rows), PASS_THREADS, 0, wfi_cuda_stream(ctx)>>>(w, p->long_row.data,
                                                                                       p->long_rows, r.rows.offsets, t);
    }
    WFI_CUDA_OR_RETURN(cudaGetLastError());
    return wfi_cancelled(ctx) ? wfi_fail_cancelled(ctx) : WEFT_OK;
}

/* Columns first ... end-1 of all rows; `most` lanes of a chunk at once. */
template <class W>
weft_status take_rows(weft_ctx *ctx, const W &w, const cut_rows &r, uint32_t first, uint32_t end, uint32_t most) {
    const wfi_row_chunks *p = r.pieces;
    uint32_t lanes = lanes_for<W>(end - first, most);
    uint64_t columns = (uint64_t)lanes * W::VECTOR, launches = work_of(r, columns) / PASS_WORK + 1;
    uint64_t at_once = p->count / launches + 1, since = 0;
    for (uint64_t column = first; column < end; column += columns)
        for (uint64_t at = 0; at < p->count; at += at_once) {
            tile t = {(uint32_t)column, (uint32_t)wfi_min_u64(end, column + columns), lanes};
            uint32_t count = (uint32_t)wfi_min_u64(p->count - at, at_once);
            take_pieces<<<t.blocks(count), PASS_THREADS, 0, wfi_cuda_stream(ctx)>>>(
                w, p->at.data + at, count, p->long_row.data, p->long_rows, r.rows.targets, t);
            weft_status st = pause(ctx, work_of(r, columns) / launches, &since);
            if (st) return st;
            wfi_progress(ctx, "aggregating", column - first, end - first);
        }
    return join_rows(ctx, w, r, first, end);
}

} /* namespace */

#endif
