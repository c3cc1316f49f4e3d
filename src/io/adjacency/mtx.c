/* Matrix Market, reading: row i, column j is an arc from vertex i to vertex j.
 *   general         a directed graph of the entries as listed
 *   symmetric       an undirected graph; the file lists one triangle, an entry off the diagonal stands for both
 *   skew-symmetric  a directed graph with both arcs, the mirrored one with the other sign
 * A rectangular matrix has max(rows, columns) vertices.  Ids other than 1 ... n come from comments: idcomments.h.
 * Method: the header is read first (mtx_header.c), then the entries: in parallel blocks (coordinate), or in one go
 * (array, mtx_array.c). */
#include "io/adjacency/mtx.h"
#include "core/comm.h"
#include "io/text/collect.h"
#include "io/text/numbers.h"
#include "io/text/words.h"

#include <string.h>

void wfi_mtx_collect(const wfi_mtx_job *job, wfi_collector *c, uint64_t row, uint64_t column, wfi_weight weight) {
    wfi_collect_vertices(c, row - 1, column - 1, job->weighted, weight);
    if (job->mirror == WFI_MTX_AS_LISTED || row == column) return;
    if (job->mirror == WFI_MTX_BOTH_NEGATED) weight = (wfi_weight){.value = 0.0f - weight.value};
    wfi_collect_vertices(c, column - 1, row - 1, job->weighted, weight);
}

/* --- one entry a line ----------------------------------------------------------- */

typedef struct line_reader {
    wfi_mtx_job *job;
    bool valued;               /* lines have a value behind row and column */
    wfi_collector *collectors; /* one for each thread */
    _Atomic uint64_t records;
    atomic_bool comment; /* there is one among the entries */
} line_reader;

static weft_status read_value(const line_reader *r, wfi_cursor *k, wfi_weight *weight) {
    const char *at = wfi_skip_blanks(k->p);
    weft_status st = wfi_read_weight(k, weight);
    if (!st && r->job->header.field == WFI_MTX_INTEGER && wfi_has_fraction(at, k->p))
        st = wfi_block_error(k->error, k->block, at, "expected a whole number: the banner says integer");
    return st;
}

/* Any line, with its errors.  Leaves k->p at the line's end. */
static weft_status read_line(const line_reader *r, wfi_collector *c, wfi_cursor *k, bool *comment) {
    const wfi_mtx_header *h = &r->job->header;
    uint64_t row = 0, column = 0;
    wfi_weight weight = {0};
    const char *line = k->p = wfi_skip_blanks(k->p);
    if (*line == '\n' || *line == '%') {
        *comment |= *line == '%';
        k->p = wfi_line_end(k);
        return WEFT_OK;
    }
    weft_status st = wfi_read_index(k, "row", h->rows, &row);
    if (!st) st = wfi_read_index(k, "column", h->columns, &column);
    if (st) return st;
    if (h->symmetry == WFI_MTX_SKEW && row == column)
        return wfi_block_error(k->error, k->block, line, "a skew-symmetric matrix has no entries on its diagonal");
    if (r->valued && !r->job->weighted) {
        k->p = wfi_line_end(k);
    } else {
        if (r->valued) st = read_value(r, k, &weight);
        if (!st) st = wfi_read_line_end(k, r->valued ? "the value" : "row and column: a pattern has no values");
        if (st) return st;
    }
    wfi_mtx_collect(r->job, c, row, column, weight);
    return WEFT_OK;
}

/* The usual line, "int int" or "int int number" with single blanks; false if it is anything else. */
static inline bool read_line_fast(const line_reader *r, const char **at, uint64_t *row, uint64_t *column,
                                  wfi_weight *weight) {
    const wfi_mtx_header *h = &r->job->header;
    const char *p = *at;
    if (wfi_scan_u64(&p, row) || *p++ != ' ' || wfi_scan_u64(&p, column)) return false;
    if (*row - 1 >= h->rows || *column - 1 >= h->columns) return false;
    if (r->valued) {
        if (*p++ != ' ' || !r->job->weighted) return false;
        const char *value = p;
        if (wfi_scan_weight(&p, r->job->weight_type == WEFT_WEIGHT_F64, weight)) return false;
        if (h->field == WFI_MTX_INTEGER && !weight->whole && wfi_has_fraction(value, p)) return false;
    }
    if (*p != '\n' || (h->symmetry == WFI_MTX_SKEW && *row == *column)) return false;
    *at = p;
    return true;
}

static weft_status read_block(weft_ctx *ctx, void *user, const wfi_text_block *block, uint64_t *lines,
                              wfi_parse_error *error) {
    line_reader *r = user;
    wfi_mtx_job *job = r->job;
    wfi_collector *c = &r->collectors[block->thread];
    uint64_t arcs_each = job->mirror == WFI_MTX_AS_LISTED ? 1 : 2, records = 0, line_count = 0;
    bool comment = false;
    /* The shortest entry, "1 1" and its line end, takes four bytes. */
    weft_status st = wfi_collector_reset(ctx, c, arcs_each * (block->bytes / 4 + 1), job->weight_type);
    const char *end = block->text + block->bytes;
    wfi_cursor k = {block->text, block, error, job->weight_type == WEFT_WEIGHT_F64};
    while (!st && k.p < end) {
        uint64_t row, column, before = c->count;
        wfi_weight weight = {0};
        if (read_line_fast(r, &k.p, &row, &column, &weight))
            wfi_mtx_collect(job, c, row, column, weight);
        else
            st = read_line(r, c, &k, &comment);
        records += c->count > before;
        line_count += k.p < end;
        k.p++;
    }
    *lines = line_count;
    if (st) return st;
    atomic_fetch_add(&r->records, records);
    if (comment) atomic_store(&r->comment, true);
    return wfi_collector_deliver(ctx, c, &job->edges, block->index, 0);
}

static weft_status check_promise(weft_ctx *ctx, const wfi_mtx_job *job) {
    const wfi_mtx_header *h = &job->header;
    if (job->records == h->entries) return WEFT_OK;
    return wfi_fail_in_text(ctx, job->source, job->text, h->entries_at,
                            "the size line promises %llu entr%s, but %llu follow%s", (unsigned long long)h->entries,
                            h->entries == 1 ? "y" : "ies", (unsigned long long)job->records,
                            job->records == 1 ? "s" : "");
}

static weft_status read_coordinate(weft_ctx *ctx, wfi_mtx_job *job) {
    const wfi_mtx_header *h = &job->header;
    uint64_t from = (uint64_t)(h->body - job->text), bytes = wfi_source_plain_bytes(job->source);
    if (bytes && h->entries > bytes - from)
        return wfi_fail_in_text(ctx, job->source, job->text, h->entries_at,
                                "the size line promises %llu entr%s, but only %llu bytes follow",
                                (unsigned long long)h->entries, h->entries == 1 ? "y" : "ies",
                                (unsigned long long)(bytes - from));
    line_reader r = {.job = job, .valued = h->field != WFI_MTX_PATTERN};
    bool sliced = wfi_source_sliced(job->source);
    weft_status st = wfi_collectors_new(ctx, &r.collectors);
    if (sliced) st = wfi_agree_input(ctx, st);
    if (!st) st = wfi_read_blocks(ctx, job->source, from, WFI_CUT_LINES, read_block, &r);
    uint64_t seen[] = {r.records, r.comment};
    if (sliced && !st) st = wfi_allreduce(ctx, seen, 2, WFI_SUM);
    job->records = seen[0];
    if (!st) st = check_promise(ctx, job);
    if (!st && seen[1] && wfi_rank(ctx) == 0)
        wfi_warn(ctx, "%s: comments among the entries, where the format has none", wfi_source_name(job->source));
    wfi_collectors_free(ctx, r.collectors);
    return st;
}

/* --- the file ---------------------------------------------------------------------- */

/* The header, from the first bytes if it ends there.  An array, or a header that is longer (a list of ids), needs all
 * of the text. */
static weft_status read_header(weft_ctx *ctx, wfi_mtx_job *job) {
    wfi_mtx_wrong wrong;
    job->text = wfi_source_head(job->source, &job->bytes);
    wfi_mtx_outcome o = wfi_mtx_parse_header(job->text, job->bytes, false, &job->header, &wrong);
    if (o == WFI_MTX_CUT || (o == WFI_MTX_OK && job->header.array)) {
        if (wfi_source_sliced(job->source))
            return wfi_fail(
                ctx, WEFT_EINVAL, "%s: ranks read parts of a list of entries, and this is %s; convert it first",
                wfi_source_name(job->source), o == WFI_MTX_CUT ? "one with a header of more than 64 KiB" : "an array");
        weft_status st = wfi_source_whole(ctx, job->source, &job->text, &job->bytes);
        if (st) return st;
        o = wfi_mtx_parse_header(job->text, job->bytes, true, &job->header, &wrong);
    }
    if (o) wfi_fail_in_text(ctx, job->source, job->text, wrong.at, "%s", wrong.message);
    if (o) return o == WFI_MTX_UNSUPPORTED ? WEFT_EUNSUPPORTED : WEFT_EINPUT;
    if (wfi_rank(ctx)) return WEFT_OK; /* once is enough */
    if (job->header.banner == WFI_MTX_BANNER_ONE_PERCENT)
        wfi_warn(ctx, "%s:1:1: the banner has one %% instead of two", wfi_source_name(job->source));
    if (job->header.banner == WFI_MTX_NO_BANNER)
        wfi_warn(ctx, "%s:1:1: no banner; taken as a %s general matrix", wfi_source_name(job->source),
                 job->header.array                      ? "real array"
                 : job->header.field == WFI_MTX_PATTERN ? "pattern coordinate"
                                                        : "real coordinate");
    return WEFT_OK;
}

static weft_status read_id_comments(weft_ctx *ctx, const wfi_mtx_job *job, wfi_id_comments *ids) {
    const char *line = job->text;
    while (line < job->header.size_line) {
        const char *end = memchr(line, '\n', (size_t)(job->header.size_line - line));
        if (*line == '%') {
            weft_status st = wfi_id_comments_line(ctx, job->source, ids, job->text, line, end);
            if (st) return st;
        }
        line = end + 1;
    }
    return WEFT_OK;
}

static weft_status build(weft_ctx *ctx, wfi_mtx_job *job, const weft_read_params *params, bool directed,
                         weft_graph **out) {
    const wfi_mtx_header *h = &job->header;
    wfi_build b = {.shared = wfi_source_sliced(job->source),
                   .numbering = WFI_VERTICES,
                   .vertices = wfi_max_u64(h->rows, h->columns),
                   .id_base = 1};
    if (!wfi_vertices_plausible(b.vertices, job->records))
        return wfi_fail_in_text(ctx, job->source, job->text, h->size_line,
                                "%llu vertices and only %llu entries: too sparse to be read as a graph",
                                (unsigned long long)b.vertices, (unsigned long long)job->records);
    b.directed = directed;
    b.records = job->records;
    b.params = wfi_read_rules(params);
    b.format = "mtx";
    return wfi_graph_build(ctx, &job->edges, &b, out);
}

weft_status wfi_read_mtx(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, weft_graph **out) {
    wfi_mtx_job job = {.source = source};
    wfi_id_comments ids = wfi_id_comments_of("%", 1);
    weft_graph *g = NULL;
    weft_status st = read_header(ctx, &job);
    if (!st) st = read_id_comments(ctx, &job, &ids);
    if (wfi_source_sliced(source)) st = wfi_agree_input(ctx, st);
    if (st) goto done;

    const wfi_mtx_header *h = &job.header;
    if (h->field == WFI_MTX_PATTERN && params->weights == WEFT_WEIGHTS_REQUIRE) {
        st = wfi_fail_in_text(ctx, source, job.text, h->field_at, "weights are required, but a pattern has none");
        goto done;
    }
    if (h->rows != h->columns && wfi_rank(ctx) == 0)
        wfi_warn(ctx, "%s: %llu row%s and %llu column%s: row and column k are taken as the same vertex",
                 wfi_source_name(source), (unsigned long long)h->rows, wfi_s(h->rows), (unsigned long long)h->columns,
                 wfi_s(h->columns));
    bool directed = wfi_resolve_directed(params->direction, h->symmetry != WFI_MTX_SYMMETRIC);
    job.weighted = h->field != WFI_MTX_PATTERN && params->weights != WEFT_WEIGHTS_IGNORE;
    job.weight_type = wfi_first_weight_type(params, job.weighted);
    if (h->symmetry == WFI_MTX_SKEW) job.mirror = WFI_MTX_BOTH_NEGATED;
    if (h->symmetry == WFI_MTX_SYMMETRIC && directed) job.mirror = WFI_MTX_BOTH;

    st = h->array ? wfi_mtx_read_array(ctx, &job) : read_coordinate(ctx, &job);
    if (!st) st = build(ctx, &job, params, directed, &g);
    if (!st) st = wfi_apply_id_comments(ctx, source, &ids, job.text, g);
    if (wfi_source_sliced(source)) st = wfi_agree_input(ctx, st);
    if (st) goto done;
    wfi_edge_layout layout = {.separator = h->array ? 0 : ' ',
                              .comments = true,
                              .both = job.mirror != WFI_MTX_AS_LISTED,
                              .numbered = true,
                              .target = 1,
                              .from = (uint64_t)(h->body - job.text)};
    st = wfi_name_lines(ctx, source, &layout, g);
    if (st) goto done;
    *out = g;
    g = NULL;
done:
    weft_graph_free(g);
    wfi_edges_free(&job.edges);
    wfi_id_comments_free(&ids);
    return st;
}

/* Matrix Market, writing: a coordinate matrix, symmetric (lower triangle) for an undirected graph, general for a
 * directed one; pattern, integer or real by the type of the weights.  Ids other than 1 ... n go into comments. */
weft_status wfi_write_mtx(weft_ctx *ctx, const weft_graph *g, wfi_sink *sink, const char *format) {
    static const char *const field[] = {[WEFT_WEIGHT_NONE] = "pattern",
                                        [WEFT_WEIGHT_U32] = "integer",
                                        [WEFT_WEIGHT_F32] = "real",
                                        [WEFT_WEIGHT_F64] = "real"};
    wfi_sink_print(sink, "%%%%MatrixMarket matrix coordinate %s %s\n", field[g->weight_type],
                   g->directed ? "general" : "symmetric");
    weft_status st = wfi_write_id_comments(ctx, g, sink, format, "%", 1);
    if (st) return st;
    wfi_sink_print(sink, "%llu %llu %llu\n", (unsigned long long)g->n, (unsigned long long)g->n,
                   (unsigned long long)g->edges);
    for (weft_vid v = 0; v < g->n && !wfi_sink_failed(sink); v++) {
        if (v % 4096 == 0 && wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        for (weft_eid e = g->out.offsets[v]; e < g->out.offsets[v + 1]; e++) {
            weft_vid w = g->out.targets[e];
            if (!g->directed && w > v) break; /* the row ascends: the rest is the upper triangle */
            wfi_sink_u64(sink, (uint64_t)v + 1);
            wfi_sink_char(sink, ' ');
            wfi_sink_u64(sink, (uint64_t)w + 1);
            if (g->weight_type) {
                wfi_sink_char(sink, ' ');
                wfi_sink_weight(sink, g->weight_type, g->out.weights, e);
            }
            wfi_sink_char(sink, '\n');
        }
    }
    return WEFT_OK;
}
