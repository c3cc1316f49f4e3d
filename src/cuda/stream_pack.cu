/* Rows from here and there, packed by the host's threads into one place of the ring: for when not all are wanted.
 * Encoding: a pack is the targets, then the vertex of each row, then where it starts, and the end.
 * Method: the wanted rows lie one after the other in a line of arcs, of which each pack takes the next stretch: as many whole chunks as
 * fit, or, of a chunk that is too large, a third of a place in arcs, so that the rest is enough even for rows of one arc.
 * Threads write down where rows start, by chunks; then they copy, by slices of equally many arcs, whatever the rows' lengths.
 * Rows are copied in the order of their chunks: with bits that is the order in which they lie in memory. */
#include "cuda/stream.cuh"

#include <string.h>

enum {
    SLICE = 1 << 14, /* arcs that a thread copies at a time */
    ALONE = 1 << 14, /* a pack of up to so many words is sent by itself: to have it overlap would take longer */
    BLOCK = 16,      /* arcs that are copied at once, also where fewer are meant */
    AHEAD = 8        /* rows that are called for ahead */
};

/* Both are read off wanted.chunk, which then has sums: arcs and rows before each chunk. */
#define ARCS_BEFORE(c) (wanted.chunk[2 * (c)])
#define ROWS_BEFORE(c) (wanted.chunk[2 * (c) + 1])

/* The vertices of a chunk's rows, in their order. */
unsigned wfi_stream::rows_of(uint64_t chunk, weft_vid *to) const {
    unsigned count = 0;
    if (wanted.list) {
        uint64_t first = chunk * WFI_LIST_CHUNK;
        count = (unsigned)wfi_min_u64(WFI_LIST_CHUNK, wanted.count - first);
        memcpy(to, wanted.list + first, count * sizeof *to);
        return count;
    }
    for (uint64_t word = chunk * (WFI_BITS_CHUNK / 64); word < (chunk + 1) * (WFI_BITS_CHUNK / 64); word++)
        for (uint64_t left = wanted.bits[word]; left; left &= left - 1)
            to[count++] = (weft_vid)(word * 64 + (unsigned)__builtin_ctzll(left));
    return count;
}

void wfi_stream::count_listed() {
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(ctx, chunks, 4))
    for (uint64_t c = 0; c < chunks; c++) {
        weft_vid row[WFI_LIST_CHUNK];
        unsigned count = rows_of(c, row);
        uint64_t sum = 0;
        for (unsigned i = 0; i < count; i++) __builtin_prefetch(&offsets[row[i]]);
        for (unsigned i = 0; i < count; i++) sum += offsets[row[i] + 1] - offsets[row[i]];
        ARCS_BEFORE(c) = sum;
        ROWS_BEFORE(c) = count;
    }
}

weft_status wfi_stream::pack_begin(const weft_eid *row_offsets, wfi_wanted which) {
    uint64_t rows = 0;
    offsets = row_offsets;
    wanted = which;
    chunks = wfi_chunks(wanted.count, wanted.list ? WFI_LIST_CHUNK : WFI_BITS_CHUNK);
    packed = to_pack = 0;
    if (wanted.list) count_listed();
    for (uint64_t c = 0; c < chunks; c++) {
        uint64_t sum = ARCS_BEFORE(c), count = ROWS_BEFORE(c);
        ARCS_BEFORE(c) = to_pack;
        ROWS_BEFORE(c) = rows;
        to_pack += sum;
        rows += count;
    }
    ARCS_BEFORE(chunks) = to_pack;
    ROWS_BEFORE(chunks) = rows;
    return WEFT_OK;
}

/* The chunk in which an arc of the line lies. */
uint64_t wfi_stream::chunk_of(uint64_t arc) const {
    uint64_t low = 0, high = chunks;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (ARCS_BEFORE(middle) <= arc)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Where the stretch ends that begins at `packed`. */
uint64_t wfi_stream::stretch_end() const {
    uint64_t c = chunk_of(packed), whole = c;
    while (ARCS_BEFORE(c) == packed && whole < chunks &&
           ARCS_BEFORE(whole + 1) - packed + 2 * (ROWS_BEFORE(whole + 1) - ROWS_BEFORE(c)) < size.piece)
        whole++;
    if (whole > c) return ARCS_BEFORE(whole);
    return wfi_min_u64(ARCS_BEFORE(c + 1), packed + (size.piece - 1) / 3);
}

/* The row, counted in the line, in which an arc of it lies, and the arc with which it begins. */
uint64_t wfi_stream::row_of(uint64_t arc, uint64_t *begins) const {
    weft_vid row[WFI_BITS_CHUNK];
    uint64_t c = chunk_of(arc), before = ARCS_BEFORE(c);
    unsigned i = 0;
    rows_of(c, row);
    for (;; i++) {
        uint64_t length = offsets[row[i] + 1] - offsets[row[i]];
        if (before + length > arc) break;
        before += length;
    }
    *begins = before;
    return ROWS_BEFORE(c) + i;
}

/* A few arcs are copied as if they were BLOCK, which takes no loop; they may be so many when there is something behind them on
 * both sides that is not yet in use or the thread's own. */
static inline void copy_arcs(uint32_t *to, const weft_vid *from, uint64_t count, uint64_t room) {
    if (count <= BLOCK && room >= BLOCK)
        memcpy(to, from, BLOCK * sizeof *to);
    else
        memcpy(to, from, count * sizeof *to);
}

/* Arcs packed ... end_arc-1 of the line, which are those of rows first ... last, of which the first begins at arc `begins`. */
void wfi_stream::fill_pack(uint32_t *to, uint64_t end_arc, uint64_t first, uint64_t last, uint64_t begins) {
    uint64_t begin_arc = packed, count = end_arc - begin_arc, rows = last - first + 1;
    uint32_t *vertex = to + count, *start = vertex + rows;
    uint64_t chunk = chunk_of(begin_arc), chunk_end = chunk_of(end_arc - 1) + 1;
    uint64_t slices = (count + SLICE - 1) / SLICE, skipped = begin_arc - begins; /* of the first row */
    start[rows] = (uint32_t)count;
#pragma omp parallel num_threads(wfi_threads_for(ctx, slices, 1))
    {
#pragma omp for schedule(static)
        for (uint64_t c = chunk; c < chunk_end; c++) {
            weft_vid row[WFI_BITS_CHUNK];
            unsigned listed = rows_of(c, row);
            uint64_t place = ARCS_BEFORE(c), number = ROWS_BEFORE(c);
            for (unsigned i = 0; i < listed; i++, number++) {
                if (number >= first && number <= last) {
                    vertex[number - first] = row[i];
                    start[number - first] = place < begin_arc ? 0 : (uint32_t)(place - begin_arc);
                }
                place += offsets[row[i] + 1] - offsets[row[i]];
            }
        }
#pragma omp for schedule(dynamic, 1)
        for (uint64_t s = 0; s < slices; s++) {
            uint64_t at_arc = s * SLICE, stop = wfi_min_u64(count, at_arc + SLICE), i = 0, high = rows;
            while (high - i > 1) {
                uint64_t middle = i + (high - i) / 2;
                if (start[middle] <= at_arc)
                    i = middle;
                else
                    high = middle;
            }
            for (; at_arc < stop; i++) {
                weft_eid from = offsets[vertex[i]] + (at_arc - start[i]) + (i ? 0 : skipped);
                uint64_t upto = wfi_min_u64(stop, start[i + 1]);
                if (i + AHEAD < rows) __builtin_prefetch(host + offsets[vertex[i + AHEAD]]);
                copy_arcs(to + at_arc, host + from, upto - at_arc, wfi_min_u64(stop - at_arc, arcs - from));
                at_arc = upto;
            }
        }
    }
}

bool wfi_stream::pack_next(wfi_pack *pack, weft_status *st) {
    if (packed == to_pack) return false;
    uint64_t stop = stretch_end(), count = stop - packed, begins, ignored;
    uint64_t first = row_of(packed, &begins), last = row_of(stop - 1, &ignored), rows = last - first + 1,
             words = count + 2 * rows + 1;
    uint32_t *pinned = NULL;
    *st = take_place(&pinned);
    if (*st) return false;
    fill_pack(pinned, stop, first, last, begins);
    weft_vid *there = ring_place();
    bool alone = packed == 0 && stop == to_pack && words <= ALONE;
    *st = send(there, words * sizeof(uint32_t), alone);
    holds_sending = true;
    if (!*st && !alone) *st = await();
    *pack = {there, there + count, there + count + rows, (uint32_t)rows, (uint32_t)count};
    packed = stop;
    return *st == WEFT_OK;
}
