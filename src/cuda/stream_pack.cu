/* Rows from here and there, packed by the host's threads into one place of the ring: for when few are wanted.
 * Encoding: a pack is the targets, then the vertex of each row, then where it starts, and the end.  A pack holds at most a third of a
 * place in arcs, so that the rest is enough even for rows of one arc.
 * Method: the listed rows lie one after the other in a line of arcs, of which each pack takes the next stretch; `prefix` says where each
 * chunk of 256 rows begins in it, so that chunks can be packed by different threads. */
#include "cuda/stream.cuh"

#include <string.h>

enum { CHUNK = WFI_PACK_CHUNK };

uint64_t wfi_stream::row_begin(weft_vid v) const { return wfi_max_u64(offsets[v], from); }

weft_status wfi_stream::pack_begin(const weft_eid *row_offsets, const weft_vid *rows, uint64_t count, weft_eid from_arc,
                                   uint64_t *room) {
    uint64_t chunks = (count + CHUNK - 1) / CHUNK;
    offsets = row_offsets;
    list = rows;
    listed = count;
    from = from_arc;
    prefix = room;
    packed = to_pack = 0;
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(ctx, chunks, 8))
    for (uint64_t c = 0; c < chunks; c++) {
        uint64_t sum = 0;
        for (uint64_t i = c * CHUNK; i < wfi_min_u64(count, (c + 1) * CHUNK); i++)
            sum += offsets[list[i] + 1] - row_begin(list[i]);
        prefix[c] = sum;
    }
    for (uint64_t c = 0; c < chunks; c++) {
        uint64_t sum = prefix[c];
        prefix[c] = to_pack;
        to_pack += sum;
    }
    prefix[chunks] = to_pack;
    return WEFT_OK;
}

/* The row in which arc `arc` of the line lies. */
uint64_t wfi_stream::listed_at(uint64_t arc) const {
    uint64_t low = 0, high = (listed + CHUNK - 1) / CHUNK;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (prefix[middle] <= arc)
            low = middle;
        else
            high = middle;
    }
    uint64_t i = low * CHUNK, before = prefix[low];
    for (;; i++) {
        before += offsets[list[i] + 1] - row_begin(list[i]);
        if (before > arc) return i;
    }
}

void wfi_stream::fill_pack(uint32_t *to, uint64_t begin_arc, uint64_t end_arc, uint64_t first, uint64_t last) {
    uint32_t *vertex = to + (end_arc - begin_arc), *start = vertex + (last - first + 1);
    uint64_t chunk = first / CHUNK, chunks = last / CHUNK - chunk + 1;
#pragma omp parallel for schedule(dynamic, 1) num_threads(wfi_threads_for(ctx, end_arc - begin_arc, 1 << 14))
    for (uint64_t c = chunk; c < chunk + chunks; c++) {
        uint64_t place = prefix[c];
        for (uint64_t i = c * CHUNK; i <= wfi_min_u64(last, (c + 1) * CHUNK - 1); i++) {
            weft_vid v = list[i];
            weft_eid row = row_begin(v);
            uint64_t length = offsets[v + 1] - row, a = wfi_max_u64(place, begin_arc),
                     b = wfi_min_u64(place + length, end_arc);
            if (i >= first) {
                vertex[i - first] = v;
                start[i - first] = (uint32_t)(a - begin_arc);
                memcpy(to + (a - begin_arc), host + row + (a - place), (b - a) * sizeof(weft_vid));
            }
            place += length;
        }
    }
    start[last - first + 1] = (uint32_t)(end_arc - begin_arc);
}

bool wfi_stream::pack_next(wfi_pack *pack, weft_status *st) {
    if (packed == to_pack) return false;
    uint64_t stop = wfi_min_u64(to_pack, packed + (size.piece - 1) / 3);
    uint64_t first = listed_at(packed), last = listed_at(stop - 1), rows = last - first + 1, count = stop - packed;
    uint32_t *pinned = NULL;
    *st = take_place(&pinned);
    if (*st) return false;
    fill_pack(pinned, packed, stop, first, last);
    const weft_vid *there = ring_place();
    *st = send((void *)(uintptr_t)there, (count + 2 * rows + 1) * sizeof(uint32_t));
    holds_sending = true;
    if (!*st) *st = await();
    *pack = {there, there + count, there + count + rows, (uint32_t)rows, (uint32_t)count};
    packed = stop;
    return *st == WEFT_OK;
}
