/* The header of a METIS file, with the comments before it, and its rows.  A line that is no comment is a row, even if
 * blank.
 * Method: parallel parsing of blocks; a block counts its rows from 0, and an exclusive scan over the blocks gives the
 * first row of each. */
#include "io/adjacency/metis.h"
#include "io/text/words.h"

#include <stdio.h>

/* --- the header ------------------------------------------------------------------------- */

/* The header line, and the current position. */
typedef struct header_line {
    weft_ctx *ctx;
    wfi_metis *r;
    const char *p, *end;
} header_line;

#define FAIL(l, at, ...) wfi_fail_in_text((l)->ctx, (l)->r->source, (l)->r->text, (at), __VA_ARGS__)

static wfi_quote found_at(const header_line *l, const char *at) { return wfi_quote_word(at, l->r->text + l->r->bytes); }

static weft_status header_number(header_line *l, const char *what, uint64_t most, uint64_t *value) {
    const char *start = l->p = wfi_skip_blanks(l->p);
    wfi_number st = start < l->end ? wfi_scan_u64(&l->p, value) : WFI_NUMBER_NONE;
    if (st == WFI_NUMBER_NONE || !wfi_word_ends(l->p, l->end))
        return FAIL(l, start, "expected %s in the header line, found %s", what, found_at(l, start).text);
    if (st || *value > most)
        return FAIL(l, start, "%s in the header is more than the %llu allowed", what, (wfi_ull)most);
    return WEFT_OK;
}

static weft_status header_digits(header_line *l) {
    wfi_metis_header *h = &l->r->head;
    const char *start = l->p = wfi_skip_blanks(l->p), *stop = start;
    while (stop < l->end && (*stop == '0' || *stop == '1')) stop++;
    if (stop == start || stop - start > 3 || !wfi_word_ends(stop, l->end))
        return FAIL(l, start, "the format in the header is up to three digits 0 or 1, not %s", found_at(l, start).text);
    h->edge_weights = stop[-1] == '1';
    h->vertex_weights = stop - start > 1 && stop[-2] == '1';
    h->hundreds = stop - start > 2 && stop[-3] == '1';
    l->p = stop;
    return WEFT_OK;
}

static weft_status read_header(header_line *l) {
    wfi_metis_header *h = &l->r->head;
    uint64_t ncon;
    weft_status st = header_number(l, "the number of vertices", WEFT_NO_VERTEX - 1, &h->n);
    if (st) return st;
    h->m_at = l->p = wfi_skip_blanks(l->p);
    st = header_number(l, "the number of edges", UINT64_MAX / 4, &h->m);
    if (!st && (l->p = wfi_skip_blanks(l->p)) < l->end) st = header_digits(l);
    if (st) return st;
    if ((l->p = wfi_skip_blanks(l->p)) < l->end) {
        st = header_number(l, "the number of weights of a vertex", 1 << 20, &ncon);
        if (st) return st;
        if (h->vertex_weights) h->vertex_weights = ncon;
    }
    if ((l->p = wfi_skip_blanks(l->p)) < l->end)
        return FAIL(l, l->p, "the header has at most four numbers, but here is %s", found_at(l, l->p).text);
    return WEFT_OK;
}

/* Finds the header.  Comments and blank lines may precede it; Weft's own comments give the ids of vertices.  A line
 * that reaches the end of the text counts only if the text is complete. */
static weft_status find_header(weft_ctx *ctx, wfi_metis *r, bool complete, bool *found) {
    const char *end = r->text + r->bytes;
    *found = false;
    for (const char *line = r->text, *stop; line < end; line = stop + 1) {
        for (stop = line; stop < end && *stop != '\n'; stop++) continue;
        if (stop == end && !complete) return WEFT_OK;
        const char *p = wfi_skip_blanks(line);
        if (p >= stop) continue;
        if (wfi_metis_comment(p)) {
            weft_status st = wfi_id_comments_line(ctx, r->source, &r->comments, r->text, line, stop);
            if (st) return st;
            continue;
        }
        *found = true;
        r->head.end = stop < end ? stop + 1 : stop;
        return read_header(&(header_line){ctx, r, line, stop});
    }
    return WEFT_OK;
}

weft_status wfi_metis_read_header(weft_ctx *ctx, wfi_metis *r) {
    bool found;
    r->text = wfi_source_head(r->source, &r->bytes);
    r->comments = wfi_id_comments_of("%", 1);
    weft_status st = find_header(ctx, r, false, &found);
    if (st || found) return st;
    wfi_id_comments_free(&r->comments);
    r->comments = wfi_id_comments_of("%", 1);
    st = wfi_source_whole(ctx, r->source, &r->text, &r->bytes);
    if (!st) st = find_header(ctx, r, true, &found);
    if (st || found) return st;
    return wfi_fail_in_text(ctx, r->source, r->text, r->text + r->bytes,
                            "the file ends without a header line \"vertices edges [format [ncon]]\"");
}

/* --- rows ------------------------------------------------------------------------------- */

typedef struct block_rows {
    uint64_t rows;
    uint64_t used;   /* rows up to the last non-blank row */
    uint64_t before; /* rows of earlier blocks */
} block_rows;

static bool row_ends(const char *p, const char *end) { return p >= end || *p == '\n' || wfi_metis_comment(p); }

static uint64_t words_of_row(const char *p, const char *end) {
    uint64_t words = 0;
    for (p = wfi_skip_blanks(p); !row_ends(p, end); p = wfi_skip_blanks(wfi_word_end(p, end))) words++;
    return words;
}

/* The row being parsed. */
typedef struct cursor {
    wfi_metis *r;
    const wfi_text_block *block;
    const char *end;
    wfi_collector *c;
    uint64_t row;
    wfi_parse_error *error;
} cursor;

/* Skips the numbers before the neighbours.  With edge weights the rest comes in pairs, so an odd number of words
 * reveals the extra word. */
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
                                   (wfi_ull)i, (wfi_ull)skip);
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

/* Reads one neighbour, counted from 1 in the file.  As long as its range cannot be checked, a number that does not fit
 * 32 bits is kept as UINT32_MAX, which is no vertex. */
static weft_status take_neighbour(weft_ctx *ctx, const cursor *k, const char **at) {
    const char *start = *at;
    uint64_t id = 0;
    wfi_number st = wfi_scan_u64(at, &id);
    if (st == WFI_NUMBER_NONE || !wfi_word_ends(*at, k->end))
        return wfi_block_error(k->error, k->block, start, "expected a neighbour, a number from 1 to %llu, found %s",
                               (wfi_ull)k->r->head.n, wfi_quote_word(start, k->end).text);
    if (st) id = UINT64_MAX;
    if (k->r->all_words) return wfi_collect(ctx, k->c, (int64_t)k->row, (int64_t)wfi_min_u64(id, UINT32_MAX));
    if (id == 0 || id > k->r->head.n)
        return wfi_block_error(k->error, k->block, start, "neighbour %s is not one of the vertices 1 to %llu",
                               wfi_quote_word(start, k->end).text, (wfi_ull)k->r->head.n);
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
    uint64_t used = 0, shortest = r->head.edge_weights ? 4 : 2; /* bytes of an entry with the blank after it */
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
    WFI_FORMAT(what, sizeof what, format);
    size_t from = (size_t)(r->head.end - r->text), bytes;
    const char *text;
    weft_status st = wfi_text_again(ctx, r->source, &text, &bytes);
    if (st) return st;
    if (!text)
        return wfi_fail(ctx, WEFT_EINPUT, "%s: row %llu: %s", wfi_source_name(r->source), (wfi_ull)row + 1, what);
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
    char message[128];
    weft_status st = wfi_text_again(ctx, r->source, &text, &bytes);
    if (st) return st;
    snprintf(message, sizeof message, "the file ends after %llu rows, but its header promises %llu vertices",
             (wfi_ull)rows, (wfi_ull)r->head.n);
    if (!text) return wfi_fail(ctx, WEFT_EINPUT, "%s: %s", wfi_source_name(r->source), message);
    return wfi_fail_in_text(ctx, r->source, text, text + bytes, "%s", message);
}

/* Adds the number of earlier rows to the rows of each block.  All non-blank rows are below n, so they fit in 32
 * bits. */
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
                                 (wfi_ull)r->head.n);
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
