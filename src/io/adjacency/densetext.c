/* A dense matrix as text, for cycle detection: `n`, then n rows of n digits 0 or 1, with or without blanks between
 * them, and perhaps a last line ciclica or aciclica, which is kept as the graph's label.  Vertices count from 0;
 * directed: a 1 in row u, column v is the edge u -> v.  A matrix without the line `n` is read as a table
 * (table/matrix.c).
 * Method: blocks of lines are parsed into (row in block, column) pairs; after the last block, the number of rows before
 * each block is added. */
#include "io/adjacency/rows.h"
#include "io/io.h"
#include "io/table/edgelist.h"
#include "io/text/words.h"

#include <ctype.h>
#include <string.h>

enum { WRITE_LIMIT = 20000 }; /* vertices: 400 MB of text */

typedef struct block_rows {
    uint64_t rows, before;
    weft_label label;
    uint64_t label_row; /* rows of the block before the label */
} block_rows;

typedef struct reading {
    wfi_source *source;
    uint64_t n, from;
    wfi_collector *collectors;
    wfi_slots blocks;
    wfi_edges edges;
    weft_label label;
} reading;

/* --- parsing ----------------------------------------------------------------------- */

static weft_status read_size(weft_ctx *ctx, reading *r) {
    size_t bytes;
    const char *head = wfi_source_head(r->source, &bytes), *end = head + bytes;
    const char *at = wfi_next_word(head, end), *p = at;
    wfi_number st = at < end ? wfi_scan_u64(&p, &r->n) : WFI_NUMBER_NONE;
    if (st == WFI_NUMBER_NONE || !wfi_word_ends(p, end))
        return wfi_fail_in_text(ctx, r->source, head, at, "expected the number of vertices, found %s",
                                wfi_quote_word(at, end).text);
    if (st || r->n >= WEFT_NO_VERTEX)
        return wfi_fail_in_text(ctx, r->source, head, at, "more vertices than the 2^32-2 allowed");
    p = wfi_skip_blanks(p);
    if (p < end && *p != '\n')
        return wfi_fail_in_text(ctx, r->source, head, p, "expected nothing after the number of vertices, found %s",
                                wfi_quote_word(p, end).text);
    r->from = (uint64_t)(p - head) + (p < end);
    return WEFT_OK;
}

static weft_status take_row(weft_ctx *ctx, const reading *r, uint64_t row, const wfi_text_block *block, const char **at,
                            wfi_parse_error *error) {
    wfi_collector *c = &r->collectors[block->thread];
    const char *end = block->text + block->bytes, *p = *at;
    uint64_t column = 0;
    weft_status st = WEFT_OK;
    for (; !st && p < end && *p != '\n'; p = wfi_skip_blanks(p + 1)) {
        if (*p != '0' && *p != '1')
            return wfi_block_error(error, block, p, "expected 0 or 1, found %s", wfi_quote_word(p, end).text);
        if (column == r->n)
            return wfi_block_error(error, block, p, "the row has more than %llu entries", (wfi_ull)r->n);
        if (*p == '1') st = wfi_collect(ctx, c, (int64_t)row, (int64_t)column);
        column++;
    }
    if (!st && column < r->n)
        return wfi_block_error(error, block, p, "the row has %llu entries, expected %llu", (wfi_ull)column,
                               (wfi_ull)r->n);
    *at = p;
    return st;
}

static weft_status take_label(block_rows *found, const wfi_text_block *block, const char **at, wfi_parse_error *error) {
    const char *end = block->text + block->bytes, *stop = wfi_word_end(*at, end), *behind = wfi_skip_blanks(stop);
    int word = wfi_word_among(wfi_label_words, *at, stop);
    if (word < 0)
        return wfi_block_error(error, block, *at, "expected a row of 0 and 1, or ciclica or aciclica, found %s",
                               wfi_quote_word(*at, end).text);
    if (behind < end && *behind != '\n')
        return wfi_block_error(error, block, behind, "expected nothing after the label, found %s",
                               wfi_quote_word(behind, end).text);
    if (found->label) return wfi_block_error(error, block, *at, "a second label");
    found->label = wfi_label_of_word(word);
    found->label_row = found->rows;
    *at = behind;
    return WEFT_OK;
}

static uint64_t count_ones(const wfi_text_block *block) {
    uint64_t ones = 0;
    for (size_t i = 0; i < block->bytes; i++) ones += block->text[i] == '1';
    return ones;
}

static weft_status parse_block(weft_ctx *ctx, void *user, const wfi_text_block *block, uint64_t *lines,
                               wfi_parse_error *error) {
    reading *r = user;
    wfi_collector *c = &r->collectors[block->thread];
    block_rows found = {0};
    const char *end = block->text + block->bytes;
    *lines = wfi_count_lines(block->text, block->bytes);
    weft_status st = wfi_collector_reset(ctx, c, count_ones(block) + 1, WEFT_WEIGHT_NONE);
    for (const char *p = wfi_next_word(block->text, end); !st && p < end; p = wfi_next_word(p, end)) {
        if (isalpha((unsigned char)*p))
            st = take_label(&found, block, &p, error);
        else
            st = take_row(ctx, r, found.rows++, block, &p, error);
    }
    if (st) return st;
    st = wfi_slots_put(ctx, &r->blocks, block->index, &found);
    return st ? st : wfi_collector_deliver(ctx, c, &r->edges, block->index, 0);
}

/* --- after the last block -------------------------------------------------------------- */

/* Fails at non-blank line number `wanted`, counted from 0 after the first line; or at the end of the file. */
static weft_status fail_at_line(weft_ctx *ctx, reading *r, uint64_t wanted, const char *what) {
    const char *text;
    size_t bytes;
    weft_status st = wfi_text_again(ctx, r->source, &text, &bytes);
    if (st) return st;
    if (!text)
        return wfi_fail(ctx, WEFT_EINPUT, "%s: row %llu: %s", wfi_source_name(r->source), (wfi_ull)wanted + 1, what);
    const char *end = text + bytes, *p = wfi_next_word(text + r->from, end);
    for (uint64_t i = 0; i < wanted && p < end; i++) {
        while (p < end && *p != '\n') p++;
        p = wfi_next_word(p, end);
    }
    return wfi_fail_in_text(ctx, r->source, text, p, "%s", what);
}

/* Checks the order: n rows, then at most one label. */
static weft_status check_order(weft_ctx *ctx, reading *r) {
    uint64_t rows = 0, lines_before_surplus = r->n;
    for (size_t b = 0; b < r->blocks.count; b++) {
        block_rows *here = wfi_slots_at(&r->blocks, b);
        here->before = rows;
        if (here->label) {
            if (r->label) return fail_at_line(ctx, r, rows + here->label_row + 1, "a second label");
            if (rows + here->label_row < r->n)
                return fail_at_line(ctx, r, rows + here->label_row, "the label comes before the last row");
            r->label = here->label;
            lines_before_surplus += rows + here->label_row == r->n;
        }
        rows += here->rows;
    }
    if (rows > r->n) return fail_at_line(ctx, r, lines_before_surplus, "more rows than the first line promises");
    if (rows < r->n) return fail_at_line(ctx, r, UINT64_MAX, "the file ends before the last row");
#pragma omp parallel for num_threads(wfi_threads(ctx)) schedule(dynamic)
    for (size_t b = 0; b < r->edges.count; b++) {
        wfi_piece *p = &r->edges.pieces[b];
        uint32_t before = (uint32_t)((const block_rows *)wfi_slots_at(&r->blocks, b))->before;
        for (uint64_t i = 0; before && i < p->count; i++) p->narrow[2 * i] += before;
    }
    return WEFT_OK;
}

/* Is the first line a single number? */
static bool begins_with_size(const wfi_source *source) {
    size_t bytes;
    const char *head = wfi_source_head(source, &bytes), *end = head + bytes, *p = wfi_next_word(head, end);
    uint64_t n;
    const char *word = p;
    if (p < end && wfi_scan_u64(&p, &n) == WFI_NUMBER_NONE) p = wfi_word_end(p, end); /* a single word is no row */
    for (; word < p; word++)
        if (strchr(",;|", *word) && *word) return false;
    while (p < end && wfi_is_blank(*p)) p++;
    return p >= end || *p == '\n';
}

static weft_status read_table(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, weft_graph **out) {
    wfi_table table = {0};
    weft_status st = wfi_matrix_gather(ctx, source, params, &table);
    if (!st) st = wfi_table_build(ctx, source, params, &table, out);
    wfi_table_free(&table);
    return st;
}

weft_status wfi_read_dense(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, weft_graph **out) {
    reading r = {.source = source};
    *out = NULL;
    if (!begins_with_size(source)) return read_table(ctx, source, params, out);
    wfi_slots_open(&r.blocks, sizeof(block_rows));
    weft_status st = wfi_check_weights_wish(ctx, source, params, false, "a matrix of 0 and 1 cannot store them");
    if (!st) st = read_size(ctx, &r);
    if (!st) st = wfi_collectors_new(ctx, &r.collectors);
    if (!st) st = wfi_read_blocks(ctx, source, r.from, WFI_CUT_LINES, parse_block, &r);
    if (!st) st = check_order(ctx, &r);
    if (st) goto done;
    wfi_build build = {.numbering = WFI_VERTICES, .vertices = r.n, .label = r.label, .params = wfi_read_rules(params)};
    build.format = "dense";
    build.directed = wfi_resolve_directed(params->direction, true);
    build.direction_open = true;
    st = wfi_graph_build(ctx, &r.edges, &build, out);
done:
    wfi_collectors_free(ctx, r.collectors);
    wfi_slots_close(&r.blocks);
    wfi_edges_free(&r.edges);
    return st;
}

/* A single number on the first line, and that many digits 0 and 1 on the second. */
int wfi_sniff_dense(const char *head, size_t bytes) {
    const char *end = head + bytes, *p = wfi_skip_blanks(head);
    uint64_t n, marks = 0;
    if (p >= end || wfi_scan_u64(&p, &n)) return 0;
    p = wfi_skip_blanks(p);
    if (p >= end || *p != '\n') return 0;
    for (p = wfi_skip_blanks(p + 1); p < end && (*p == '0' || *p == '1'); p = wfi_skip_blanks(p + 1)) marks++;
    if (p < end ? *p != '\n' : bytes < 4096 && marks != n) return 0;
    return marks && (marks == n || (p >= end && marks < n)) ? 3 : 0;
}

/* --- writing ----------------------------------------------------------------------- */

weft_status wfi_write_dense(weft_ctx *ctx, const weft_graph *g, wfi_sink *sink, const char *format) {
    if (g->n > WRITE_LIMIT)
        return wfi_fail(ctx, WEFT_EUNSUPPORTED,
                        "a dense matrix of %lu vertices is too large: at most %d are written; csr takes space per edge",
                        (unsigned long)g->n, WRITE_LIMIT);
    wfi_warn_plain(ctx, g, format);
    uint64_t merged = 0;
    wfi_sink_print(sink, "%lu\n", (unsigned long)g->n);
    for (weft_vid v = 0; v < g->n && !wfi_sink_failed(sink); v++) {
        if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        weft_eid e = g->out.offsets[v], end = g->out.offsets[v + 1];
        for (weft_vid w = 0; w < g->n; w++) {
            bool one = e < end && g->out.targets[e] == w;
            for (e += one; e < end && g->out.targets[e] == w; e++) merged++;
            if (w) wfi_sink_char(sink, ' ');
            wfi_sink_char(sink, one ? '1' : '0');
        }
        wfi_sink_char(sink, '\n');
    }
    if (merged) wfi_warn(ctx, "a matrix of 0 and 1 holds no parallel edges: %llu arcs are left out", (wfi_ull)merged);
    wfi_write_label(g, sink);
    return WEFT_OK;
}
