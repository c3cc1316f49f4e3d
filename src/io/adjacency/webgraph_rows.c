/* The rows of a BV-compressed graph, one after the other.
 *
 * A row is: its length d; if d > 0 and there is a window, the distance in rows of the row that it copies from (0:
 * none); if it copies, a number of blocks and their lengths (the first plain, others less 1), which are copied and
 * skipped in turn, and if their number is even the rest is copied too; for the remaining entries, intervals (their
 * number; left end and length less the minimum; the first left end relative to the node, others to the end of the
 * interval before) and then residuals (the first relative to the node, others as gaps less 1).
 *
 * Method: the last window+1 rows are in a ring; copied entries, intervals and residuals are three ascending lists,
 * which are merged.  Each number is compared with its upper bound, so that invalid bits are reported at their position.
 *
 * [1] Boldi and Vigna, "The WebGraph framework I: compression techniques", WWW 2004, sections 4 and 5. */
#include "io/adjacency/webgraph.h"

#include <stdio.h>
#include <string.h>

enum { MOST_PADDING = 16 }; /* bytes: writers pad to words */

__attribute__((format(printf, 3, 4))) static weft_status bad(const wfi_webgraph_rows *r, uint64_t bit,
                                                             const char *format, ...) {
    char message[256];
    WFI_FORMAT(message, sizeof message, format);
    if (r->bits.at > r->bits.end)
        return wfi_fail_at(r->ctx, r->name, 1, r->bits.bytes + 1, "the file ends within the row of node %llu of %llu",
                           (wfi_ull)r->node, (wfi_ull)r->facts->nodes);
    return wfi_fail_at(r->ctx, r->name, 1, bit / 8 + 1, "node %llu, bit %llu: %s", (wfi_ull)r->node, (wfi_ull)bit,
                       message);
}

static weft_status make_room(weft_ctx *ctx, wfi_webgraph_row *row, uint64_t count) {
    if (count <= row->room) return WEFT_OK;
    uint64_t room = row->room + row->room / 2;
    if (room < count) room = count;
    if (room < 64) room = 64;
    uint32_t *more = wfi_resize(ctx, row->target, (size_t)room, sizeof *more);
    if (!more) return WEFT_ENOMEM;
    row->target = more;
    row->room = room;
    return WEFT_OK;
}

/* --- copied entries ------------------------------------------------------------------------ */

/* Reads the lengths of the blocks, and checks that they lie within the source row. */
static weft_status read_blocks(wfi_webgraph_rows *r, uint64_t length) {
    const wfi_webgraph_facts *f = r->facts;
    uint64_t bit = r->bits.at, blocks = wfi_bits_number(&r->bits, f->block_count), used = 0;
    if (blocks > length + 1)
        return bad(r, bit, "more blocks than the %llu entries of the row it copies from can have", (wfi_ull)length);
    weft_status st = make_room(r->ctx, &r->blocks, blocks);
    for (uint64_t i = 0; i < blocks && !st; i++) {
        bit = r->bits.at;
        uint64_t block = wfi_bits_number(&r->bits, f->block);
        if (block > length) return bad(r, bit, "a block goes beyond the row it copies from");
        block += i > 0;
        used += block;
        if (used > length) return bad(r, bit, "a block goes beyond the row it copies from");
        r->blocks.target[i] = (uint32_t)block;
    }
    r->blocks.count = blocks;
    return st;
}

static weft_status read_copied(wfi_webgraph_rows *r, uint64_t degree) {
    const wfi_webgraph_facts *f = r->facts;
    r->copied.count = 0;
    if (!f->window) return WEFT_OK;
    uint64_t bit = r->bits.at, back = wfi_bits_number(&r->bits, f->reference);
    if (!back) return WEFT_OK;
    if (back > f->window)
        return bad(r, bit, "the row copied from is farther back than the window of %llu", (wfi_ull)f->window);
    if (back > r->node) return bad(r, bit, "the row copied from lies before the first");
    const wfi_webgraph_row *from = &r->ring[(r->node - back) % r->slots];
    weft_status st = read_blocks(r, from->count);
    if (!st) st = make_room(r->ctx, &r->copied, from->count);
    if (st) return st;
    uint64_t at = 0, blocks = r->blocks.count;
    for (uint64_t i = 0; i <= blocks; i++) {
        uint64_t length = i < blocks ? r->blocks.target[i] : from->count - at;
        if (i % 2 == 0 && length) {
            memcpy(r->copied.target + r->copied.count, from->target + at, length * sizeof *from->target);
            r->copied.count += length;
        }
        at += length;
    }
    if (r->copied.count > degree)
        return bad(r, bit, "%llu entries are copied, but the row has %llu", (wfi_ull)r->copied.count, (wfi_ull)degree);
    return WEFT_OK;
}

/* --- listed entries ------------------------------------------------------------------------- */

/* Zigzag: 0, -1, 1, -2, 2, ... */
static inline int64_t signed_of(uint64_t x) { return x & 1 ? -(int64_t)(x / 2) - 1 : (int64_t)(x / 2); }

/* The vertex at that signed distance from the node; UINT64_MAX if there is none. */
static inline uint64_t near_node(const wfi_webgraph_rows *r, uint64_t code) {
    if (code > (uint64_t)2 * UINT32_MAX + 2) return UINT64_MAX;
    int64_t v = (int64_t)r->node + signed_of(code);
    return v < 0 || (uint64_t)v >= r->facts->nodes ? UINT64_MAX : (uint64_t)v;
}

/* Appends the entries of all intervals, at most *missing, to r->spans; subtracts their number from *missing. */
static weft_status read_intervals(wfi_webgraph_rows *r, uint64_t *missing) {
    const wfi_webgraph_facts *f = r->facts;
    uint64_t bit = r->bits.at, intervals = wfi_bits_number(&r->bits, f->interval), next = 0;
    r->spans.count = 0;
    if (intervals > *missing / f->shortest_interval)
        return bad(r, bit, "more intervals than the %llu entries to come can make", (wfi_ull)*missing);
    for (uint64_t i = 0; i < intervals; i++) {
        bit = r->bits.at;
        uint64_t left = wfi_bits_number(&r->bits, f->interval);
        left = i == 0 ? near_node(r, left) : left < f->nodes ? next + 1 + left : UINT64_MAX;
        if (left >= f->nodes)
            return bad(r, bit, "an interval does not begin at one of the %llu vertices", (wfi_ull)f->nodes);
        bit = r->bits.at;
        uint64_t length = wfi_bits_number(&r->bits, f->interval);
        if (length > *missing || length + f->shortest_interval > *missing)
            return bad(r, bit, "an interval is longer than the row");
        length += f->shortest_interval;
        if (length > f->nodes - left)
            return bad(r, bit, "an interval goes beyond the %llu vertices", (wfi_ull)f->nodes);
        if (make_room(r->ctx, &r->spans, r->spans.count + length)) return WEFT_ENOMEM;
        for (uint64_t k = 0; k < length; k++) r->spans.target[r->spans.count + k] = (uint32_t)(left + k);
        r->spans.count += length;
        *missing -= length;
        next = left + length;
    }
    return WEFT_OK;
}

static weft_status read_residuals(wfi_webgraph_rows *r, uint64_t count) {
    const wfi_webgraph_facts *f = r->facts;
    wfi_coding coding = f->residual;
    uint64_t bit = r->bits.at, v = 0;
    r->listed.count = 0;
    /* A residual takes at least one bit: the length alone must not cause a large allocation. */
    if (count > r->bits.end - r->bits.at) {
        r->bits.at = r->bits.end + 1;
        return bad(r, bit, "-");
    }
    weft_status st = make_room(r->ctx, &r->listed, count);
    for (uint64_t i = 0; i < count && !st; i++) {
        bit = r->bits.at;
        uint64_t code = wfi_bits_number(&r->bits, coding);
        v = i == 0 ? near_node(r, code) : code < f->nodes ? v + 1 + code : UINT64_MAX;
        if (v >= f->nodes) return bad(r, bit, "the target is not one of the %llu vertices", (wfi_ull)f->nodes);
        r->listed.target[i] = (uint32_t)v;
    }
    r->listed.count = count;
    return st;
}

/* --- the row ------------------------------------------------------------------------------- */

/* Merges a and b into `to`, which has capacity for both. */
static void merge(const wfi_webgraph_row *a, const wfi_webgraph_row *b, wfi_webgraph_row *to) {
    uint64_t i = 0, j = 0, k = 0;
    while (i < a->count && j < b->count) {
        uint32_t x = a->target[i], y = b->target[j];
        to->target[k++] = x <= y ? x : y;
        i += x <= y;
        j += x > y;
    }
    if (i < a->count) memcpy(to->target + k, a->target + i, (a->count - i) * sizeof *to->target);
    if (j < b->count) memcpy(to->target + k, b->target + j, (b->count - j) * sizeof *to->target);
    to->count = a->count + b->count;
}

static void swap_rows(wfi_webgraph_row *a, wfi_webgraph_row *b) {
    wfi_webgraph_row kept = *a;
    *a = *b;
    *b = kept;
}

/* Joins the parts, which may be empty, to the row. */
static weft_status join_parts(wfi_webgraph_rows *r, wfi_webgraph_row *row) {
    if (r->spans.count && r->listed.count) {
        if (make_room(r->ctx, row, r->spans.count + r->listed.count)) return WEFT_ENOMEM;
        merge(&r->spans, &r->listed, row);
        swap_rows(row, &r->listed);
    } else if (r->spans.count) {
        swap_rows(&r->spans, &r->listed);
    }
    if (!r->copied.count)
        swap_rows(row, &r->listed);
    else if (!r->listed.count)
        swap_rows(row, &r->copied);
    else if (make_room(r->ctx, row, r->copied.count + r->listed.count))
        return WEFT_ENOMEM;
    else
        merge(&r->copied, &r->listed, row);
    return WEFT_OK;
}

weft_status wfi_webgraph_next(wfi_webgraph_rows *r, const uint32_t **targets, uint64_t *count) {
    const wfi_webgraph_facts *f = r->facts;
    wfi_webgraph_row *row = &r->ring[r->node % r->slots];
    uint64_t start = r->bits.at, degree = wfi_bits_number(&r->bits, f->outdegree);
    row->count = r->spans.count = r->listed.count = 0;
    if (degree > f->nodes) return bad(r, start, "the row is longer than there are vertices (%llu)", (wfi_ull)f->nodes);
    if (degree) {
        weft_status st = read_copied(r, degree);
        uint64_t missing = degree - (st ? 0 : r->copied.count);
        if (!st && missing && f->shortest_interval) st = read_intervals(r, &missing);
        if (!st && missing) st = read_residuals(r, missing);
        if (!st) st = join_parts(r, row);
        if (st) return st;
        for (uint64_t i = 1; i < degree; i++)
            if (row->target[i] <= row->target[i - 1])
                return bad(r, start, "the row lists target %u twice", row->target[i]);
    }
    r->node++;
    *targets = row->target;
    *count = degree;
    return WEFT_OK;
}

weft_status wfi_webgraph_end(const wfi_webgraph_rows *r) {
    const wfi_bits_in *b = &r->bits;
    uint64_t byte = (b->at + 7) / 8;
    bool zeros = b->at % 8 == 0 || !(b->data[byte - 1] & (b->little ? 0xff << b->at % 8 : 0xff >> b->at % 8) & 0xff);
    for (uint64_t i = byte; i < b->bytes && zeros; i++) zeros = !b->data[i];
    if (zeros && b->bytes - byte < MOST_PADDING) return WEFT_OK;
    return wfi_fail_at(r->ctx, r->name, 1, b->at / 8 + 1,
                       "the last row ends at bit %llu, but more than padding follows: do the properties belong to this "
                       "file?",
                       (wfi_ull)b->at);
}

/* --- opening and closing ------------------------------------------------------------------- */

weft_status wfi_webgraph_rows_open(wfi_webgraph_rows *r, weft_ctx *ctx, const char *name,
                                   const wfi_webgraph_facts *facts, const void *data, size_t bytes) {
    *r = (wfi_webgraph_rows){.ctx = ctx, .name = name, .facts = facts};
    r->bits = (wfi_bits_in){.data = data, .bytes = bytes, .end = (uint64_t)bytes * 8, .little = facts->little};
    if (facts->nodes > r->bits.end)
        return wfi_fail_at(ctx, name, 1, 1, "the properties promise %llu nodes, but the file has only %llu bits",
                           (wfi_ull)facts->nodes, (wfi_ull)r->bits.end);
    r->slots = wfi_min_u64(facts->window, facts->nodes) + 1;
    return wfi_alloc_zeroed(ctx, &r->ring, (size_t)r->slots);
}

void wfi_webgraph_rows_close(wfi_webgraph_rows *r) {
    for (uint64_t i = 0; r->ring && i < r->slots; i++) wfi_free(r->ring[i].target);
    WFI_FREE(r->ring, r->copied.target, r->listed.target, r->spans.target, r->blocks.target);
    *r = (wfi_webgraph_rows){0};
}
