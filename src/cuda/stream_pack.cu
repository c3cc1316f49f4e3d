/* Scattered rows, packed by the ring's threads into one place of the ring, if only some rows are wanted.
 * Encoding: a pack is the targets, then the vertex of each row, then the start of each row, and the end.
 * Method: the wanted rows form a line of arcs, and each pack takes the next stretch of it: as many whole chunks as fit,
 * or, of a chunk that is too large, a third of a place in arcs, because a row of one arc takes three words.  The first
 * packs are smaller, so that the link has work soon.
 * Each share of a task is an equal part of the stretch, whatever the rows' lengths, with the rows that begin there.
 * Rows are copied in the order of their chunks: with bits that is their order in memory. */
#include "core/search.h"
#include "cuda/stream.cuh"

#include <string.h>

enum {
    ALONE = 1 << 14, /* words: a pack up to this size is filled and sent at once; overlapping it would take longer */
    BLOCK = 16,      /* arcs copied at once, even if fewer are wanted */
    AHEAD = 16,      /* rows prefetched ahead */
    RISE = 3,        /* packs before the first full one, each half as large as the next ... */
    LEAST = 1 << 16  /* ... but not smaller than this, in words */
};

/* Both read wanted.chunk, which then holds sums: arcs and rows before each chunk. */
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
    for (uint64_t i = 0; i < wanted.count; i++) __builtin_prefetch(&offsets[wanted.list[i]]);
    for (uint64_t c = 0; c < chunks; c++) {
        uint64_t stop = wfi_min_u64(wanted.count, (c + 1) * WFI_LIST_CHUNK), sum = 0;
        for (uint64_t i = c * WFI_LIST_CHUNK; i < stop; i++) sum += length_of(wanted.list[i]);
        ARCS_BEFORE(c) = sum;
        ROWS_BEFORE(c) = stop - c * WFI_LIST_CHUNK;
    }
}

void wfi_stream::pack_begin(const weft_eid *row_offsets, wfi_wanted which) {
    uint64_t rows = 0;
    offsets = row_offsets;
    wanted = which;
    chunks = wfi_chunks(wanted.count, wanted.list ? WFI_LIST_CHUNK : WFI_BITS_CHUNK);
    planned = to_pack = packs = 0;
    packing = true;
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
}

/* The chunk that contains an arc of the line. */
uint64_t wfi_stream::chunk_of(uint64_t arc) const {
    uint64_t low = 1, high = chunks;
    WFI_BISECT(low, high, middle, ARCS_BEFORE(middle) <= arc);
    return low - 1;
}

/* The end of the stretch that begins at `planned`. */
uint64_t wfi_stream::stretch_end() const {
    uint64_t c = chunk_of(planned), whole = c;
    uint64_t capacity = wfi_max_u64(size.piece >> (packs < RISE ? RISE - packs : 0), wfi_min_u64(size.piece, LEAST));
    while (ARCS_BEFORE(c) == planned && whole < chunks &&
           ARCS_BEFORE(whole + 1) - planned + 2 * (ROWS_BEFORE(whole + 1) - ROWS_BEFORE(c)) < capacity)
        whole++;
    if (whole > c) return ARCS_BEFORE(whole);
    return wfi_min_u64(ARCS_BEFORE(c + 1), planned + (capacity - 1) / 3);
}

/* The row, counted in the line, that contains an arc of the line. */
uint64_t wfi_stream::row_of(uint64_t arc) const {
    weft_vid row[WFI_BITS_CHUNK];
    uint64_t c = chunk_of(arc), before = ARCS_BEFORE(c);
    unsigned i = 0;
    rows_of(c, row);
    while ((before += length_of(row[i])) <= arc) i++;
    return ROWS_BEFORE(c) + i;
}

bool wfi_stream::plan_pack(wfi_sending *s) {
    if (planned == to_pack) return false;
    s->begin_arc = planned;
    s->end_arc = stretch_end();
    s->first = row_of(s->begin_arc);
    s->rows = row_of(s->end_arc - 1) - s->first + 1;
    s->bytes = (s->end_arc - s->begin_arc + 2 * s->rows + 1) * sizeof(uint32_t);
    planned = s->end_arc;
    packs++;
    return true;
}

/* Copies up to BLOCK arcs as BLOCK arcs, which needs no loop.  Allowed if both sides have BLOCK words: the words behind
 * in the pack belong to the same thread and are written later. */
static inline void copy_arcs(uint32_t *to, const weft_vid *from, uint64_t count, uint64_t capacity) {
    if (count <= BLOCK && capacity >= BLOCK)
        memcpy(to, from, BLOCK * sizeof *to);
    else
        memcpy(to, from, count * sizeof *to);
}

/* Copies arcs arc ... stop-1 of the line, with the rows that begin there and, in any case, the pack's first row. */
void wfi_stream::fill_part(const wfi_sending *s, uint64_t arc, uint64_t stop) const {
    uint64_t count = s->end_arc - s->begin_arc;
    uint32_t *to = s->pinned, *vertex = to + count, *start = vertex + s->rows;
    weft_vid row[WFI_BITS_CHUNK];
    if (stop == s->end_arc) start[s->rows] = (uint32_t)count;
    for (uint64_t c = chunk_of(arc); arc < stop; c++) {
        unsigned listed = rows_of(c, row);
        uint64_t begins = ARCS_BEFORE(c), number = ROWS_BEFORE(c) - s->first;
        for (unsigned i = 0; i < listed && arc < stop; i++, number++) {
            weft_eid from = begin_of(row[i]);
            uint64_t ends = begins + length_of(row[i]);
            if (ends > arc) {
                uint64_t upto = wfi_min_u64(stop, ends);
                if (begins == arc || arc == s->begin_arc) {
                    vertex[number] = row[i];
                    start[number] = (uint32_t)(arc - s->begin_arc);
                }
                if (i + AHEAD < listed) __builtin_prefetch(host + begin_of(row[i + AHEAD]));
                from += arc - begins;
                copy_arcs(to + (arc - s->begin_arc), host + from, upto - arc, wfi_min_u64(stop - arc, arcs - from));
                arc = upto;
            }
            begins = ends;
        }
    }
}

bool wfi_stream::pack_next(wfi_pack *pack, weft_status *st) {
    bool nothing_under_way = finished == posted;
    if (nothing_under_way && planned == to_pack) return false;
    bool small = nothing_under_way && planned == 0 && to_pack + 2 * ROWS_BEFORE(chunks) < ALONE;
    *st = small && stretch_end() == to_pack ? send_alone() : await_next();
    if (*st) return false;
    const wfi_sending *s = &sending[finished % WFI_STREAM_PLACES];
    const weft_vid *there = ring + finished % WFI_STREAM_PLACES * size.piece;
    uint64_t count = s->end_arc - s->begin_arc;
    *pack = {there, there + count, there + count + s->rows, (uint32_t)s->rows, (uint32_t)count};
    holds_sending = true;
    return true;
}
