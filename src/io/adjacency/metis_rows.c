/* The rows of a METIS file.  A line that is no comment is a row, a blank one too.
 * Method: chunked parallel parsing; a block counts its rows from 0, and a prefix sum over the blocks gives each its
 * first row. */
#include "io/adjacency/metis.h"
#include "io/text/numbers.h"
#include "io/text/words.h"

#include <stdarg.h>
#include <stdio.h>

typedef struct block_rows {
    uint64_t rows;
    uint64_t used;   /* rows up to the last that is not blank */
    uint64_t before; /* rows of earlier blocks */
} block_rows;

static bool row_ends(const char *p, const char *end) { return p >= end || *p == '\n' || wfi_metis_comment(p); }

static uint64_t words_of_row(const char *p, const char *end) {
    uint64_t words = 0;
    for (p = wfi_skip_blanks(p); !row_ends(p, end); p = wfi_skip_blanks(wfi_word_end(p, end))) words++;
    return words;
}

/* One row being parsed. */
typedef struct cursor {
    wfi_metis *r;
    const wfi_text_block *block;
    const char *end;
    wfi_collector *c;
    uint64_t row;
    wfi_parse_error *error;
} cursor;

/* Behind what precedes the neighbours.  With edge weights the rest comes in pairs, so an odd word in front shows. */
static weft_status skip_front(const cursor *k, const char **at) {
    uint64_t skip = k->r->head.vertex_weights;
    bool extra = k->r->head.hundreds && (words_of_row(*at, k->end) - skip) % 2;
    if (extra) atomic_store(&k->r->extra_word, true);
    skip += extra;
    const char *p = *at;
    for (uint64_t i = 0; i < skip; i++) {
        p = wfi_skip_blanks(p);
        if (row_ends(p, k->end))
            return wfi_block_error(k->error, k->block, p,
                                   "the row ends after %llu of the %llu numbers that precede its neighbours",
                                   (unsigned long long)i, (unsigned long long)skip);
        p = wfi_word_end(p, k->end);
    }
    *at = p;
    return WEFT_OK;
}

static weft_status take_weight(const cursor *k, const char **at) {
    const char *p = *at = wfi_skip_blanks(*at);
    if (row_ends(p, k->end))
        return wfi_block_error(k->error, k->block, p, "the row ends where the weight of its last edge should be");
    if (!k->r->skip_weights) return wfi_take_weight(k->block, at, k->c, "the weight of an edge", k->error);
    *at = wfi_word_end(p, k->end);
    return WEFT_OK;
}

/* One neighbour, counted from 1 in the file.  While its range cannot be checked, what is too large for 32 bits is kept
 * as the largest number there, which no vertex has. */
static weft_status take_neighbour(weft_ctx *ctx, const cursor *k, const char **at) {
    const char *start = *at;
    uint64_t id = 0;
    wfi_number st = wfi_scan_u64(at, &id);
    if (st == WFI_NUMBER_NONE || !wfi_word_ends(*at, k->end))
        return wfi_block_error(k->error, k->block, start, "expected a neighbour, a number from 1 to %llu, found %s",
                               (unsigned long long)k->r->head.n, wfi_quote_word(start, k->end).text);
    if (st) id = UINT64_MAX;
    if (k->r->all_words) return wfi_collect(ctx, k->c, (int64_t)k->row, (int64_t)wfi_min_u64(id, UINT32_MAX));
    if (id == 0 || id > k->r->head.n)
        return wfi_block_error(k->error, k->block, start, "neighbour %s is not one of the vertices 1 to %llu",
                               wfi_quote_word(start, k->end).text, (unsigned long long)k->r->head.n);
    return wfi_collect(ctx, k->c, (int64_t)k->row, (int64_t)(id - 1));
}

static weft_status take_row(weft_ctx *ctx, const cursor *k, const char **at) {
    weft_status st = WEFT_OK;
    const char *p = *at;
    if (!k->r->all_words) st = skip_front(k, &p);
    for (unsigned taken = 1; !st && (p = wfi_skip_blanks(p), !row_ends(p, k->end)); taken++) {
        st = take_neighbour(ctx, k, &p);
        if (!st && k->r->head.edge_weights) st = take_weight(k, &p);
        if (!st && taken % WFI_POLL_WORDS == 0) st = wfi_block_poll(ctx, k->block);
    }
    *at = p;
    return st;
}

static weft_status parse_block(weft_ctx *ctx, void *user, const wfi_text_block *block, uint64_t *lines,
                               wfi_parse_error *error) {
    wfi_metis *r = user;
    cursor k = {r, block, block->text + block->bytes, &r->collectors[block->thread], 0, error};
    uint64_t used = 0, shortest = r->head.edge_weights ? 4 : 2; /* bytes of an entry with the space behind it */
    weft_status st = wfi_collector_reset(ctx, k.c, block->bytes / shortest + 1, r->weight_type);
    *lines = 0;
    for (const char *p = block->text; !st && p < k.end; p++) {
        p = wfi_skip_blanks(p);
        if (p < k.end && *p != '\n' && !wfi_metis_comment(p)) {
            st = take_row(ctx, &k, &p);
            used = ++k.row;
        } else if (p >= k.end || *p == '\n') {
            k.row++;
        }
        while (p < k.end && *p != '\n') p++;
        *lines += p < k.end;
    }
    if (st) return st;
    block_rows found = {.rows = k.row, .used = used};
    st = wfi_slots_put(ctx, &r->blocks, block->index, &found);
    return st ? st : wfi_collector_deliver(ctx, k.c, &r->edges, block->index, 0);
}

weft_status wfi_metis_fail_at(weft_ctx *ctx, wfi_metis *r, uint64_t row, uint64_t back, const char *format, ...) {
    char what[256];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    size_t from = (size_t)(r->head.end - r->text), bytes;
    const char *text;
    weft_status st = wfi_text_again(ctx, r->source, &text, &bytes);
    if (st) return st;
    if (!text)
        return wfi_fail(ctx, WEFT_EINPUT, "%s: row %llu: %s", wfi_source_name(r->source), (unsigned long long)row + 1,
                        what);
    const char *p = text + from, *end = text + bytes;
    for (uint64_t at = 0; p < end; p++) {
        p = wfi_skip_blanks(p);
        if (at >= row && !row_ends(p, end)) break;
        at += !wfi_metis_comment(p);
        while (p < end && *p != '\n') p++;
    }
    uint64_t words = words_of_row(p, end);
    for (uint64_t i = 0; back && i + back < words; i++) p = wfi_skip_blanks(wfi_word_end(p, end));
    return wfi_fail_in_text(ctx, r->source, text, p, "%s", what);
}

static weft_status fail_at_end(weft_ctx *ctx, wfi_metis *r, uint64_t rows) {
    const char *text;
    size_t bytes;
    weft_status st = wfi_text_again(ctx, r->source, &text, &bytes);
    if (st) return st;
    if (!text)
        return wfi_fail(ctx, WEFT_EINPUT, "%s: the file ends after %llu rows, but its header promises %llu vertices",
                        wfi_source_name(r->source), (unsigned long long)rows, (unsigned long long)r->head.n);
    return wfi_fail_in_text(ctx, r->source, text, text + bytes,
                            "the file ends after %llu rows, but its header promises %llu vertices",
                            (unsigned long long)rows, (unsigned long long)r->head.n);
}

/* Rows of the file instead of rows of the block.  All rows in use are below n, so they fit in 32 bits. */
static weft_status number_rows(weft_ctx *ctx, wfi_metis *r) {
    uint64_t rows = 0, used = 0;
    for (size_t b = 0; b < r->blocks.count; b++) {
        block_rows *here = wfi_slots_at(&r->blocks, b);
        here->before = rows;
        if (here->used) used = rows + here->used;
        rows += here->rows;
    }
    if (used > r->head.n)
        return wfi_metis_fail_at(ctx, r, r->head.n, 0, "a row too many: the header promises %llu vertices",
                                 (unsigned long long)r->head.n);
    if (rows < r->head.n) return fail_at_end(ctx, r, rows);
#pragma omp parallel for num_threads(wfi_threads(ctx)) schedule(dynamic)
    for (size_t b = 0; b < r->edges.count; b++) {
        wfi_piece *p = &r->edges.pieces[b];
        uint32_t before = (uint32_t)((const block_rows *)wfi_slots_at(&r->blocks, b))->before;
        for (uint64_t i = 0; before && i < p->count; i++) p->narrow[2 * i] += before;
    }
    return WEFT_OK;
}

weft_status wfi_metis_read_rows(weft_ctx *ctx, wfi_metis *r) {
    r->all_words = r->head.hundreds && !r->head.edge_weights;
    wfi_slots_open(&r->blocks, sizeof(block_rows));
    weft_status st = wfi_collectors_new(ctx, &r->collectors);
    if (!st) st = wfi_read_blocks(ctx, r->source, (uint64_t)(r->head.end - r->text), WFI_CUT_ROWS, parse_block, r);
    if (!st) st = number_rows(ctx, r);
    wfi_collectors_free(ctx, r->collectors);
    wfi_slots_close(&r->blocks);
    return st;
}
