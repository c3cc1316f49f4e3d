/* CSR as one list of numbers in a text, independent of line breaks: n, m, offsets, targets and perhaps weights.
 *
 *   ligra  Ligra's AdjacencyGraph and WeightedAdjacencyGraph: the word, then n, m, n offsets, m targets and, if
 *          weighted, m weights [1]
 *   csr    for cycle detection: `n nnz`, n+1 row pointers, nnz column indices, each list on its line, and perhaps a
 *          last line ciclica or aciclica, which is kept as the graph's label
 *
 * Vertices count from 0; directed.  The counts are believed only if they match the number of words in the file; a wrong
 * offset or target is reported with its position.
 * [1] Shun and Blelloch, "Ligra: a lightweight graph processing framework for shared memory", PPoPP 2013. */
#include "io/adjacency/rows.h"
#include "io/io.h"
#include "io/text/tokens.h"
#include "io/text/words.h"

#include <string.h>

typedef struct token_rows {
    wfi_tokens tokens;
    uint64_t n, m;
    bool closed;              /* csr: n + 1 offsets, the last of which is m; else n offsets */
    weft_weight_type weights; /* WEFT_WEIGHT_NONE: absent, or not wanted */
    weft_label label;
} token_rows;

enum { COUNTS = 2 }; /* n and m come first */

static uint64_t targets_at(const token_rows *r) { return COUNTS + r->n + r->closed; }

static weft_status refuse_odd(weft_ctx *ctx, const wfi_tokens *t, uint64_t from, uint64_t to) {
    wfi_token_walk walk = wfi_tokens_from(t, from);
    const wfi_odd_token *odd;
    for (uint64_t i = from; i < to; i++) {
        wfi_tokens_next(&walk, &odd);
        if (odd) return wfi_tokens_fail(ctx, t, i, "expected %s, a whole number that is not negative", t->expected);
    }
    return WEFT_OK;
}

/* The first two numbers, n and m. */
static weft_status read_counts(weft_ctx *ctx, token_rows *r) {
    const wfi_tokens *t = &r->tokens;
    if (t->total < COUNTS) return wfi_tokens_fail(ctx, t, t->total, "expected the numbers of vertices and of edges");
    weft_status st = refuse_odd(ctx, t, 0, COUNTS);
    if (st) return st;
    wfi_token_walk walk = wfi_tokens_from(t, 0);
    const wfi_odd_token *odd;
    r->n = wfi_tokens_next(&walk, &odd);
    r->m = wfi_tokens_next(&walk, &odd);
    if (r->n >= WEFT_NO_VERTEX)
        return wfi_tokens_fail(ctx, t, 0, "%llu vertices are more than the 2^32-2 allowed", (wfi_ull)r->n);
    return WEFT_OK;
}

/* The number of words implied by n and m; UINT64_MAX on overflow. */
static uint64_t promised_words(const token_rows *r) {
    uint64_t words, lists = r->tokens.reals ? 2 : 1;
    if (__builtin_mul_overflow(r->m, lists, &words) || __builtin_add_overflow(words, targets_at(r), &words))
        return UINT64_MAX;
    return words;
}

/* Integers if all weights are integers that fit; doubles if the tokens were read as doubles. */
static weft_weight_type weight_type_of(const token_rows *r) {
    if (r->tokens.as_double) return WEFT_WEIGHT_F64;
    wfi_token_walk walk = wfi_tokens_from(&r->tokens, targets_at(r) + r->m);
    const wfi_odd_token *odd;
    for (uint64_t i = 0; i < r->m; i++)
        if (wfi_tokens_next(&walk, &odd) > UINT32_MAX || odd) return WEFT_WEIGHT_F32;
    return WEFT_WEIGHT_U32;
}

static weft_status read_offsets(weft_ctx *ctx, const token_rows *r, uint64_t *offsets) {
    wfi_token_walk walk = wfi_tokens_from(&r->tokens, COUNTS);
    const wfi_odd_token *odd;
    uint64_t before = 0;
    offsets[r->n] = r->m;
    for (uint64_t v = 0; v < r->n + r->closed; v++) {
        uint64_t at = offsets[v] = wfi_tokens_next(&walk, &odd);
        if (v == 0 && at)
            return wfi_tokens_fail(ctx, &r->tokens, COUNTS, "the first row begins at %llu, expected 0", (wfi_ull)at);
        if (v == r->n && at != r->m)
            return wfi_tokens_fail(ctx, &r->tokens, COUNTS + v, "the last row ends at %llu, but there are %llu edges",
                                   (wfi_ull)at, (wfi_ull)r->m);
        if (at < before || at > r->m)
            return wfi_tokens_fail(ctx, &r->tokens, COUNTS + v, "row %llu begins at %llu, expected %llu to %llu",
                                   (wfi_ull)v, (wfi_ull)at, (wfi_ull)before, (wfi_ull)r->m);
        before = at;
    }
    if (r->n == 0 && r->m) return wfi_tokens_fail(ctx, &r->tokens, 1, "%llu edges but no vertex", (wfi_ull)r->m);
    return WEFT_OK;
}

static uint64_t take_arcs(void *user, uint64_t first, uint64_t count, uint32_t *ends, void *weights) {
    const token_rows *r = user;
    const wfi_odd_token *odd;
    wfi_token_walk walk = wfi_tokens_from(&r->tokens, targets_at(r) + first);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t target = wfi_tokens_next(&walk, &odd);
        if (target >= r->n) return i;
        ends[2 * i + 1] = (uint32_t)target;
    }
    if (!weights) return count;
    walk = wfi_tokens_from(&r->tokens, targets_at(r) + r->m + first);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t whole = wfi_tokens_next(&walk, &odd);
        switch (r->weights) {
        case WEFT_WEIGHT_NONE: break;
        case WEFT_WEIGHT_U32: ((uint32_t *)weights)[i] = (uint32_t)whole; break;
        case WEFT_WEIGHT_F32: ((float *)weights)[i] = odd ? (float)odd->real : (float)whole; break;
        case WEFT_WEIGHT_F64: ((double *)weights)[i] = odd ? odd->real : (double)whole; break;
        }
    }
    return count;
}

/* Checks offsets and targets, and adds the edges. */
static weft_status to_edges(weft_ctx *ctx, token_rows *r, wfi_edges *edges) {
    uint64_t *offsets = NULL, bad;
    weft_status st = refuse_odd(ctx, &r->tokens, COUNTS, targets_at(r) + r->m);
    if (!st) st = wfi_alloc(ctx, &offsets, r->n + 1);
    if (!st) st = read_offsets(ctx, r, offsets);
    if (!st) st = wfi_edges_from_rows(ctx, edges, &(wfi_arc_rows){r->n, offsets, r->weights, take_arcs, r}, &bad);
    if (!st && bad < r->m)
        st = wfi_tokens_fail(ctx, &r->tokens, targets_at(r) + bad, "this is not one of the vertices 0 to %lld",
                             (long long)r->n - 1);
    wfi_free(offsets);
    return st;
}

/* Checks that the file has the implied number of words; a csr may have one more, the label. */
static weft_status check_words(weft_ctx *ctx, token_rows *r) {
    const wfi_tokens *t = &r->tokens;
    uint64_t words = promised_words(r);
    if (t->total == words) return WEFT_OK;
    if (r->closed && t->total - 1 == words) { /* words is not UINT64_MAX here: no file is that large */
        wfi_token_walk walk = wfi_tokens_from(t, words);
        const wfi_odd_token *odd;
        wfi_tokens_next(&walk, &odd);
        if (odd) {
            r->label = wfi_label_of_word(odd->word);
            return WEFT_OK;
        }
    }
    return wfi_tokens_fail(ctx, t, wfi_min_u64(words, t->total),
                           "%llu vertices and %llu edges take %llu numbers, but the file has %llu%s", (wfi_ull)r->n,
                           (wfi_ull)r->m, (wfi_ull)words, (wfi_ull)t->total, r->closed ? " words" : "");
}

/* From two edges on, a csr with two numbers on every line looks like an edge list; only the extension or a label
 * decides. */
static bool may_be_edges(const token_rows *r, const weft_read_params *params, uint64_t edges) {
    return r->closed && !params->format && !r->label && edges >= 2 &&
           !wfi_name_has_extension(wfi_source_plain_name(r->tokens.source), "csr");
}

/* Reads the list, which begins at byte `from`. */
static weft_status read_list(weft_ctx *ctx, token_rows *r, const weft_read_params *params, uint64_t from,
                             weft_graph **out) {
    wfi_edges edges = {0};
    weft_status st = wfi_tokens_read(ctx, &r->tokens, from);
    if (!st) st = read_counts(ctx, r);
    if (!st) st = check_words(ctx, r);
    if (!st && r->tokens.reals && !r->tokens.lenient) r->weights = weight_type_of(r);
    if (!st) st = to_edges(ctx, r, &edges);
    wfi_tokens_free(&r->tokens);
    if (st) goto done;
    wfi_build build = {
        .numbering = WFI_VERTICES, .vertices = r->n, .label = r->label, .params = wfi_read_rules(params)};
    build.format = r->closed ? "csr" : "ligra";
    build.directed = wfi_resolve_directed(params->direction, true);
    build.direction_open = true;
    if (may_be_edges(r, params, wfi_edges_total(&edges)))
        wfi_warn(ctx, "%s: read as CSR text, which it fits exactly; if it is an edge list: `format=edgelist`",
                 wfi_source_name(r->tokens.source));
    st = wfi_graph_build(ctx, &edges, &build, out);
done:
    wfi_edges_free(&edges);
    return st;
}

/* --- ligra -------------------------------------------------------------------------- */

static const char plain_word[] = "AdjacencyGraph", weighted_word[] = "WeightedAdjacencyGraph";

static bool begins_with(const char *text, size_t bytes, const char *word) {
    size_t length = strlen(word);
    return bytes >= length && !memcmp(text, word, length) && (bytes == length || wfi_is_space(text[length]));
}

static weft_status read_word(weft_ctx *ctx, wfi_source *source, bool *weighted, uint64_t *from) {
    size_t bytes;
    const char *head = wfi_source_head(source, &bytes), *end = head + bytes, *at = wfi_next_word(head, end);
    size_t left = (size_t)(end - at);
    *weighted = begins_with(at, left, weighted_word);
    if (!*weighted && !begins_with(at, left, plain_word))
        return wfi_fail_in_text(ctx, source, head, at, "expected %s or %s, found %s", plain_word, weighted_word,
                                wfi_quote_word(at, end).text);
    *from = (uint64_t)(wfi_word_end(at, end) - head);
    return WEFT_OK;
}

weft_status wfi_read_ligra(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, weft_graph **out) {
    token_rows r = {.tokens = {.source = source, .expected = "a number"}};
    uint64_t from = 0;
    *out = NULL;
    weft_status st = read_word(ctx, source, &r.tokens.reals, &from);
    if (!st) st = wfi_check_weights_wish(ctx, source, params, r.tokens.reals, "the file begins with AdjacencyGraph");
    r.tokens.as_double = wfi_reads_doubles(params);
    r.tokens.lenient = r.tokens.reals && params->weights == WEFT_WEIGHTS_IGNORE;
    return st ? st : read_list(ctx, &r, params, from, out);
}

int wfi_sniff_ligra(const char *head, size_t bytes) {
    const char *at = wfi_next_word(head, head + bytes);
    size_t left = bytes - (size_t)(at - head);
    return begins_with(at, left, plain_word) || begins_with(at, left, weighted_word) ? 3 : 0;
}

/* --- csr ---------------------------------------------------------------------------- */

weft_status wfi_read_csr(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, weft_graph **out) {
    token_rows r = {.closed = true};
    r.tokens = (wfi_tokens){.source = source, .expected = "a number", .words = wfi_label_words};
    *out = NULL;
    weft_status st = wfi_check_weights_wish(ctx, source, params, false, "the CSR text cannot store them");
    return st ? st : read_list(ctx, &r, params, 0, out);
}

/* The numbers of one line. */
typedef struct line_facts {
    uint64_t count, first, last, largest;
    bool numbers, ascending, complete; /* complete: the end of the line is in the text */
    const char *next;
} line_facts;

static line_facts look_at_line(const char *p, const char *end) {
    line_facts f = {.numbers = true, .ascending = true};
    for (p = wfi_skip_blanks(p); p < end && *p != '\n'; p = wfi_skip_blanks(p)) {
        const char *start = p;
        uint64_t x;
        if (wfi_scan_u64(&p, &x) || !wfi_word_ends(p, end)) {
            f.numbers = false;
            p = wfi_word_end(start, end);
            continue;
        }
        if (p >= end) break; /* may be truncated */
        if (f.count++ == 0) f.first = x;
        f.ascending = f.ascending && x >= f.last;
        f.last = x;
        if (x > f.largest) f.largest = x;
    }
    f.complete = p < end;
    f.next = p < end ? p + 1 : end;
    return f;
}

/* An edge list with two lines such as "1 5" and "0 5" must not be taken for this: at least two vertices are required,
 * so that the row pointers are three numbers on a line, and all edges on the line below. */
int wfi_sniff_csr(const char *head, size_t bytes) {
    const char *end = head + bytes;
    line_facts counts = look_at_line(head, end);
    uint64_t n = counts.first, nnz = counts.last;
    if (!counts.numbers || counts.count != 2 || !counts.complete || n < 2 || nnz == 0) return 0;
    line_facts rows = look_at_line(counts.next, end);
    if (!rows.numbers || !rows.ascending || rows.count < 3 || rows.first != 0 || rows.last > nnz) return 0;
    if (!rows.complete) return rows.count <= n + 1 ? 3 : 0;
    if (rows.count != n + 1 || rows.last != nnz) return 0;
    line_facts columns = look_at_line(rows.next, end);
    if (!columns.numbers || columns.count > nnz || columns.largest >= n) return 0;
    return columns.complete && columns.count != nnz ? 0 : 3;
}

weft_status wfi_write_csr(weft_ctx *ctx, const weft_graph *g, wfi_sink *sink, const char *format) {
    wfi_warn_plain(ctx, g, format);
    wfi_sink_print(sink, "%lu %llu\n", (unsigned long)g->n, (wfi_ull)g->arcs);
    for (uint64_t v = 0; v <= g->n && !wfi_sink_failed(sink); v++) {
        if (v) wfi_sink_char(sink, ' ');
        wfi_sink_u64(sink, g->out.offsets[v]);
    }
    wfi_sink_char(sink, '\n');
    for (weft_eid e = 0; e < g->arcs && !wfi_sink_failed(sink); e++) {
        if (e % (1 << 20) == 0 && wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        if (e) wfi_sink_char(sink, ' ');
        wfi_sink_u64(sink, g->out.targets[e]);
    }
    wfi_sink_char(sink, '\n');
    wfi_write_label(g, sink);
    return WEFT_OK;
}
