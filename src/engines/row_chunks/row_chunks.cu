/* Rows cut into chunks (row_chunks.cuh): counted, scanned, listed row by row, then radix-sorted by length. */
#include "cuda/buffers.cuh"
#include "cuda/cub.cuh"
#include "cuda/mirror.cuh"
#include "engines/row_chunks/row_chunks.cuh"

#include <cub/device/device_radix_sort.cuh>

enum { THREADS = 256, MOST_BLOCKS = 1 << 16, KEY_BITS = 9 /* 0 ... WFI_PIECE */ };

namespace {

/* Chunks of the outgoing rows, and of the incoming rows. */
struct pieces_layout : wfi_layout {
    wfi_row_chunks of[2];
};

} // namespace

__device__ static uint64_t this_thread(void) { return blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; }
__device__ static uint64_t all_threads(void) { return (uint64_t)gridDim.x * blockDim.x; }

__device__ static uint64_t pieces_of(const weft_eid *offsets, uint64_t row) {
    uint64_t length = offsets[row + 1] - offsets[row];
    return length ? (length + WFI_PIECE - 1) / WFI_PIECE : 1;
}

/* Long rows in the upper half of a word, their chunks in the lower half. */
__global__ static void count_long(const weft_eid *offsets, weft_vid n, uint64_t *count) {
    for (uint64_t row = this_thread(); row <= n; row += all_threads()) {
        uint64_t pieces = row < n ? pieces_of(offsets, row) : 0;
        count[row] = pieces > 1 ? (uint64_t)1 << 32 | pieces : 0;
    }
}

/* before[row] = sum of count_long over the rows before. */
__global__ static void list_pieces(const weft_eid *offsets, weft_vid n, const uint64_t *before, uint16_t *key,
                                   wfi_row_chunk *piece, wfi_cut_row *long_row) {
    for (uint64_t row = this_thread(); row <= n; row += all_threads()) {
        uint32_t longs = (uint32_t)(before[row] >> 32), places = (uint32_t)before[row];
        if (row == n) {
            long_row[longs] = {0, places};
            break;
        }
        uint64_t pieces = pieces_of(offsets, row), at = row - longs + places;
        if (pieces > 1) long_row[longs] = {(uint32_t)row, places};
        for (uint64_t k = 0; k < pieces; k++) {
            weft_eid begin = offsets[row] + k * WFI_PIECE, left = offsets[row + 1] - begin;
            uint32_t length = left < WFI_PIECE ? (uint32_t)left : WFI_PIECE;
            key[at + k] = (uint16_t)(WFI_PIECE - length);
            piece[at + k] = {begin, pieces > 1 ? length | WFI_OF_LONG : length,
                             pieces > 1 ? places + (uint32_t)k : (uint32_t)row};
        }
    }
}

/* Chunks are moved once, by their sorted numbers. */
__global__ static void number_pieces(uint32_t *number, uint32_t count) {
    for (uint64_t i = this_thread(); i < count; i += all_threads()) number[i] = (uint32_t)i;
}

__global__ static void move_pieces(const wfi_row_chunk *from, const uint32_t *number, uint32_t count,
                                   wfi_row_chunk *to) {
    for (uint64_t i = this_thread(); i < count; i += all_threads()) to[i] = from[number[i]];
}

static weft_status sort_pieces(weft_ctx *ctx, wfi_buffer<uint16_t> &key, wfi_buffer<wfi_row_chunk> &listed,
                               wfi_row_chunks *pieces) {
    cudaStream_t stream = wfi_cuda_stream(ctx);
    unsigned blocks = wfi_grid(pieces->count, THREADS, MOST_BLOCKS);
    wfi_buffer<uint16_t> more_keys;
    wfi_buffer<uint32_t> number, more_numbers;
    wfi_buffer<char> scratch;
    size_t bytes = 0;
    weft_status st = more_keys.take(ctx, pieces->count);
    if (!st) st = number.take(ctx, pieces->count);
    if (!st) st = more_numbers.take(ctx, pieces->count);
    if (st) return st;
    number_pieces<<<blocks, THREADS, 0, stream>>>(number.data, pieces->count);
    cub::DoubleBuffer<uint16_t> k(key.data, more_keys.data);
    cub::DoubleBuffer<uint32_t> v(number.data, more_numbers.data);
    WFI_CUDA_OR_RETURN(cub::DeviceRadixSort::SortPairs(NULL, bytes, k, v, (int64_t)pieces->count, 0, KEY_BITS, stream));
    st = scratch.take(ctx, bytes);
    if (st) return st;
    WFI_CUDA_OR_RETURN(
        cub::DeviceRadixSort::SortPairs(scratch.data, bytes, k, v, (int64_t)pieces->count, 0, KEY_BITS, stream));
    st = pieces->at.take(ctx, pieces->count);
    if (st) return st;
    move_pieces<<<blocks, THREADS, 0, stream>>>(listed.data, v.Current(), pieces->count, pieces->at.data);
    return WEFT_OK;
}

weft_status wfi_cut_rows(weft_ctx *ctx, const weft_eid *offsets, weft_vid n, wfi_row_chunks *pieces) {
    cudaStream_t stream = wfi_cuda_stream(ctx);
    unsigned blocks = wfi_grid((uint64_t)n + 1, THREADS, MOST_BLOCKS);
    uint64_t all = 0;
    wfi_buffer<uint64_t> before;
    wfi_buffer<uint16_t> key;
    wfi_buffer<wfi_row_chunk> listed;
    weft_status st = before.take(ctx, (size_t)n + 1);
    if (st) return st;
    count_long<<<blocks, THREADS, 0, stream>>>(offsets, n, before.data);
    st = wfi_exclusive_scan_cuda(ctx, before.data, (size_t)n + 1);
    if (!st) st = wfi_download(ctx, &all, before.data + n, sizeof all);
    if (st) return st;
    uint64_t count = n - (all >> 32) + (uint32_t)all;
    if (count > UINT32_MAX) return wfi_fail(ctx, WEFT_EDEVICE, "the GPU cannot process more than 2^32 chunks of rows");
    pieces->long_rows = (uint32_t)(all >> 32);
    pieces->places = (uint32_t)all;
    pieces->count = (uint32_t)count;
    st = pieces->long_row.take(ctx, (size_t)pieces->long_rows + 1);
    if (!st) st = key.take(ctx, count);
    if (!st) st = listed.take(ctx, count);
    if (st) return st;
    list_pieces<<<blocks, THREADS, 0, stream>>>(offsets, n, before.data, key.data, listed.data, pieces->long_row.data);
    before.give();
    st = sort_pieces(ctx, key, listed, pieces);
    if (!st) st = wfi_cuda_sync(ctx);
    pieces->there = st == WEFT_OK;
    return st;
}

/* --- kept with the graph's mirror ------------------------------------------------------------------- */

weft_status wfi_row_chunks_of(weft_ctx *ctx, const weft_graph *g, bool incoming, const wfi_row_chunks **pieces) {
    weft_graph *mine = (weft_graph *)(uintptr_t)g;
    wfi_view rows;
    incoming = incoming && g->directed;
    weft_status st = incoming ? wfi_mirror_in(ctx, g, &rows) : wfi_mirror_out(ctx, g, &rows);
    if (st) return st;
    pthread_mutex_lock(&mine->lock);
    pieces_layout *kept;
    st = wfi_layout_of(ctx, g->mirror, &kept);
    wfi_row_chunks *p = st ? nullptr : &kept->of[incoming];
    if (!st && !p->there) {
        wfi_stage_scope stage(ctx, "relabel");
        st = wfi_cut_rows(ctx, rows.offsets, g->n, p);
    }
    pthread_mutex_unlock(&mine->lock);
    *pieces = p;
    return st;
}

/* The number of chunks of long rows, and of such rows; if the rows are not known (NULL), an upper bound: all long rows
 * as short as possible. */
static uint64_t long_pieces(const weft_ctx *ctx, const weft_graph *g, const wfi_view *rows, uint64_t *long_rows) {
    uint64_t places = 0, such = 0;
    if (!rows) {
        *long_rows = wfi_min_u64(g->n, g->arcs / (WFI_PIECE + 1));
        return g->arcs / WFI_PIECE + *long_rows;
    }
#pragma omp parallel for schedule(static) reduction(+ : places, such) num_threads(wfi_threads_for(ctx, g->n, 1 << 20))
    for (weft_vid v = 0; v < g->n; v++) {
        uint64_t length = wfi_degree(rows, v);
        if (length <= WFI_PIECE) continue;
        places += (length + WFI_PIECE - 1) / WFI_PIECE;
        such++;
    }
    *long_rows = such;
    return places;
}

/* Listing: counts before each row, keys and chunks.  Sorting: the chunks as listed and as sorted, keys and numbers
 * twice. */
uint64_t wfi_row_chunks_declare(wfi_workspace *device, const weft_ctx *ctx, const weft_graph *g, bool incoming) {
    incoming = incoming && g->directed;
    const pieces_layout *made = wfi_layout_in<pieces_layout>(g->mirror);
    uint64_t n = g->n, long_rows;
    if (made && made->of[incoming].there) return made->of[incoming].places;
    uint64_t places = long_pieces(ctx, g, incoming ? wfi_in_at_hand(g) : &g->out, &long_rows);
    uint64_t pieces = n + places - long_rows, all = sizeof(wfi_row_chunk) * pieces;
    uint64_t ends = sizeof(wfi_cut_row) * (long_rows + 1), key = sizeof(uint16_t) + sizeof(uint32_t);
    uint64_t listing = sizeof(uint64_t) * (n + 1) + wfi_max_u64(wfi_cub_scan_bytes(n + 1), 2 * pieces + all);
    uint64_t sorting = 2 * key * pieces + 2 * all + wfi_cub_sort_bytes(pieces);
    wfi_keep_with_graph(device, all + ends, ends + wfi_max_u64(listing, sorting));
    return places;
}
