/* CSR as text, for cycle detection: `n nnz`, n+1 row pointers, nnz column indices, each list on its line, and
 * perhaps a last line ciclica or aciclica, which is kept as the graph's label.  Vertices count from 0; directed.
 * Line ends are taken as spaces, so that wrapped lists read as well.  The counts are believed only when the file has
 * exactly so many numbers. */
#include "io/adjacency/rows.h"
#include "io/io.h"
#include "io/text/numbers.h"
#include "io/text/words.h"

typedef unsigned long long ull;

/* --- reading ----------------------------------------------------------------------- */

/* Exactly the promised numbers, then at most one word. */
static weft_status check_words(weft_ctx *ctx, const wfi_token_rows *r, weft_label *label) {
    const wfi_tokens *t = &r->tokens;
    uint64_t words = wfi_token_rows_words(r, 1);
    *label = WEFT_LABEL_NONE;
    if (t->total == words) return WEFT_OK;
    if (t->total - 1 == words) { /* words is not UINT64_MAX here: no file has so many */
        wfi_token_walk walk = wfi_tokens_from(t, words);
        const wfi_odd_token *odd;
        wfi_tokens_next(&walk, &odd);
        if (odd) {
            *label = wfi_label_of_word(odd->word);
            return WEFT_OK;
        }
    }
    return wfi_tokens_fail(ctx, t, wfi_min_u64(words, t->total),
                           "%llu vertices and %llu edges take %llu numbers, but the file has %llu words", (ull)r->n,
                           (ull)r->m, (ull)words, (ull)t->total);
}

weft_status wfi_read_csr(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, weft_graph **out) {
    wfi_token_rows r = {.closed = true};
    r.tokens = (wfi_tokens){.source = source, .expected = "a number", .words = wfi_label_words};
    wfi_edges edges = {0};
    weft_label label;
    *out = NULL;
    weft_status st = wfi_check_weights_wish(ctx, source, params, false, "the CSR text cannot store them");
    if (!st) st = wfi_tokens_read(ctx, &r.tokens, 0);
    if (!st) st = wfi_token_rows_counts(ctx, &r);
    if (!st) st = check_words(ctx, &r, &label);
    if (!st) st = wfi_token_rows_edges(ctx, &r, &edges);
    wfi_tokens_free(&r.tokens);
    if (st) goto done;
    wfi_build build = {.numbering = WFI_VERTICES, .vertices = r.n, .label = label, .params = wfi_read_rules(params)};
    build.format = "csr";
    build.directed = wfi_resolve_directed(params->direction, true);
    build.direction_open = true;
    /* From two edges on every line has two numbers, as in an edge list; only the extension or a label leaves no
     * doubt. */
    if (!params->format && !label && wfi_edges_total(&edges) >= 2 &&
        !wfi_name_has_extension(wfi_source_plain_name(source), "csr"))
        wfi_warn(ctx, "%s: read as CSR text, which it fits exactly; if it is an edge list: `format=edgelist`",
                 wfi_source_name(source));
    st = wfi_graph_build(ctx, &edges, &build, out);
done:
    wfi_edges_free(&edges);
    return st;
}

/* --- recognising ------------------------------------------------------------------- */

/* The numbers of one line. */
typedef struct line_facts {
    uint64_t count, first, last, largest;
    bool numbers, ascending, complete; /* complete: its end is in the text */
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
        if (p >= end) break; /* may be cut in the middle */
        if (f.count++ == 0) f.first = x;
        f.ascending = f.ascending && x >= f.last;
        f.last = x;
        if (x > f.largest) f.largest = x;
    }
    f.complete = p < end;
    f.next = p < end ? p + 1 : end;
    return f;
}

/* An edge list with two lines such as "1 5" and "0 5" must not be taken for this: two vertices at least, so that the
 * row pointers are three numbers in a line, and all edges in the line below. */
int wfi_sniff_csr(const char *head, size_t bytes, const char *name) {
    (void)name;
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

/* --- writing ----------------------------------------------------------------------- */

weft_status wfi_write_csr(weft_ctx *ctx, const weft_graph *g, wfi_sink *sink, const weft_write_params *params) {
    (void)params;
    wfi_warn_plain(ctx, g, "csr");
    wfi_sink_print(sink, "%lu %llu\n", (unsigned long)g->n, (ull)g->arcs);
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
