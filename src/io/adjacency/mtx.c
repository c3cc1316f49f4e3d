/* Matrix Market, reading: row i, column j is an arc from vertex i to vertex j.
 *   general         a directed graph of the entries as listed
 *   symmetric       an undirected graph; the file lists one triangle, an entry off the diagonal stands for both
 *   skew-symmetric  a directed graph with both arcs, the mirrored one with the negated weight
 * A rectangular matrix has max(rows, columns) vertices.  Ids other than 1 ... n come from comments: idcomments.h.
 * Method: the header is read first (mtx_header.c), then the entries: in parallel blocks (coordinate), or sequentially
 * (array). */
#include "io/adjacency/mtx.h"
#include "core/comm.h"
#include "io/adjacency/idcomments.h"

#include <string.h>

/* The arcs of an entry off the diagonal. */
typedef enum reverse {
    AS_LISTED,
    BOTH,        /* a symmetric matrix read as a directed graph */
    BOTH_NEGATED /* skew-symmetric: the mirrored weight is negated */
} reverse;

/* Shared by the readers of coordinate and array entries. */
typedef struct job {
    weft_ctx *ctx;
    wfi_source *source;
    const char *text; /* the file's first bytes, or the entire file (arrays): positions in the header point into it */
    size_t bytes;
    wfi_mtx_header header;
    reverse mirror;
    bool weighted;                /* the file has weights, and they are wanted */
    weft_weight_type weight_type; /* while weights are read */
    wfi_edges edges;              /* the result */
    uint64_t records;             /* entries listed (array: entries that are not zero) */
} job;

#define FAIL(j, place, ...) wfi_fail_in_text((j)->ctx, (j)->source, (j)->text, (place), __VA_ARGS__)

/* Row and column count from 1 and are in range.  The collector has capacity for two edges. */
static void collect(const job *j, wfi_collector *c, uint64_t row, uint64_t column, wfi_weight weight) {
    wfi_collect_vertices(c, row - 1, column - 1, j->weighted, weight);
    if (j->mirror == AS_LISTED || row == column) return;
    if (j->mirror == BOTH_NEGATED) weight = (wfi_weight){.value = 0.0f - weight.value};
    wfi_collect_vertices(c, column - 1, row - 1, j->weighted, weight);
}

/* --- coordinate: one entry a line ------------------------------------------------ */

typedef struct line_reader {
    job *j;
    bool valued;               /* lines have a value after row and column */
    wfi_collector *collectors; /* one for each thread */
    _Atomic uint64_t records;
    atomic_bool comment; /* a comment was found among the entries */
} line_reader;

static weft_status read_value(const line_reader *r, wfi_cursor *k, wfi_weight *weight) {
    const char *at = wfi_skip_blanks(k->p);
    weft_status st = wfi_read_weight(k, weight);
    if (!st && r->j->header.field == WFI_MTX_INTEGER && wfi_has_fraction(at, k->p))
        st = wfi_block_error(k->error, k->block, at, "expected a whole number: the banner says integer");
    return st;
}

/* Reads any line, and reports its errors.  Leaves k->p at the end of the line. */
static weft_status read_line(const line_reader *r, wfi_collector *c, wfi_cursor *k, bool *comment) {
    const wfi_mtx_header *h = &r->j->header;
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
    if (r->valued && !r->j->weighted) {
        k->p = wfi_line_end(k);
    } else {
        if (r->valued) st = read_value(r, k, &weight);
        if (!st) st = wfi_read_line_end(k, r->valued ? "the value" : "row and column: a pattern has no values");
        if (st) return st;
    }
    collect(r->j, c, row, column, weight);
    return WEFT_OK;
}

/* Reads the usual line, "int int" or "int int number" with single blanks; false for every other form. */
static inline bool read_line_fast(const line_reader *r, const char **at, uint64_t *row, uint64_t *column,
                                  wfi_weight *weight) {
    const wfi_mtx_header *h = &r->j->header;
    const char *p = *at;
    if (wfi_scan_u64(&p, row) || *p++ != ' ' || wfi_scan_u64(&p, column)) return false;
    if (*row - 1 >= h->rows || *column - 1 >= h->columns) return false;
    if (r->valued) {
        if (*p++ != ' ' || !r->j->weighted) return false;
        const char *value = p;
        if (wfi_scan_weight(&p, r->j->weight_type == WEFT_WEIGHT_F64, weight)) return false;
        if (h->field == WFI_MTX_INTEGER && !weight->whole && wfi_has_fraction(value, p)) return false;
    }
    if (*p != '\n' || (h->symmetry == WFI_MTX_SKEW && *row == *column)) return false;
    *at = p;
    return true;
}

static weft_status read_block(weft_ctx *ctx, void *user, const wfi_text_block *block, uint64_t *lines,
                              wfi_parse_error *error) {
    line_reader *r = user;
    job *j = r->j;
    wfi_collector *c = &r->collectors[block->thread];
    uint64_t arcs_each = j->mirror == AS_LISTED ? 1 : 2, records = 0, line_count = 0;
    bool comment = false;
    /* The shortest entry, "1 1" and its line end, takes four bytes. */
    weft_status st = wfi_collector_reset(ctx, c, arcs_each * (block->bytes / 4 + 1), j->weight_type);
    const char *end = block->text + block->bytes;
    wfi_cursor k = {block->text, block, error, j->weight_type == WEFT_WEIGHT_F64};
    while (!st && k.p < end) {
        uint64_t row, column, before = c->count;
        wfi_weight weight = {0};
        if (read_line_fast(r, &k.p, &row, &column, &weight))
            collect(j, c, row, column, weight);
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
    return wfi_collector_deliver(ctx, c, &j->edges, block->index, 0);
}

static weft_status check_promise(const job *j) {
    const wfi_mtx_header *h = &j->header;
    if (j->records == h->entries) return WEFT_OK;
    return FAIL(j, h->entries_at, "the size line promises %llu entr%s, but %llu follow%s", (wfi_ull)h->entries,
                h->entries == 1 ? "y" : "ies", (wfi_ull)j->records, j->records == 1 ? "s" : "");
}

static weft_status read_coordinate(weft_ctx *ctx, job *j) {
    const wfi_mtx_header *h = &j->header;
    uint64_t from = (uint64_t)(h->body - j->text), bytes = wfi_source_plain_bytes(j->source);
    if (bytes && h->entries > bytes - from)
        return FAIL(j, h->entries_at, "the size line promises %llu entr%s, but only %llu bytes follow",
                    (wfi_ull)h->entries, h->entries == 1 ? "y" : "ies", (wfi_ull)(bytes - from));
    line_reader r = {.j = j, .valued = h->field != WFI_MTX_PATTERN};
    bool sliced = wfi_source_sliced(j->source);
    weft_status st = wfi_collectors_new(ctx, &r.collectors);
    if (sliced) st = wfi_agree_input(ctx, st);
    if (!st) st = wfi_read_blocks(ctx, j->source, from, WFI_CUT_LINES, read_block, &r);
    uint64_t seen[] = {r.records, r.comment};
    if (sliced && !st) st = wfi_allreduce(ctx, seen, 2, WFI_SUM);
    j->records = seen[0];
    if (!st) st = check_promise(j);
    if (!st && seen[1] && wfi_rank(ctx) == 0)
        wfi_warn(ctx, "%s: comments among the entries, where the format has none", wfi_source_name(j->source));
    wfi_collectors_free(ctx, r.collectors);
    return st;
}

/* --- array: all values of a dense matrix, column after column; zeros are no edges --------- */

/* A symmetric array lists the lower triangle with its diagonal, a skew-symmetric array without.  Needs the whole text
 * in memory; sequential, since dense files are small graphs. */

/* The position of the next value, counted from 1. */
typedef struct position {
    uint64_t row, column;
} position;

static uint64_t first_row(const wfi_mtx_header *h, uint64_t column) {
    return h->symmetry == WFI_MTX_GENERAL ? 1 : h->symmetry == WFI_MTX_SYMMETRIC ? column : column + 1;
}

static void step(const wfi_mtx_header *h, position *at) {
    if (++at->row > h->rows) at->row = first_row(h, ++at->column);
}

/* Skips blanks, line ends, and comments at the begin of a line. */
static const char *skip_to_value(const char *p, const char *end, bool *comment) {
    for (;;) {
        p = wfi_skip_blanks(p);
        if (*p == '%' && p[-1] == '\n') {
            *comment = true;
            while (p < end && *p != '\n') p++;
        }
        if (p >= end || *p != '\n') return p;
        p++;
    }
}

static weft_status read_cell(job *j, wfi_collector *c, const char **at, position place) {
    wfi_weight w = {.value = 1};
    const char *start = *at;
    wfi_number number = wfi_scan_weight(at, wfi_collects_doubles(c), &w);
    if (number == WFI_NUMBER_NONE || !(wfi_is_blank(**at) || **at == '\n' || **at == '\0'))
        return FAIL(j, *at, "expected a number for the value in row %llu, column %llu", (wfi_ull)place.row,
                    (wfi_ull)place.column);
    if (number != WFI_NUMBER_OK && j->weighted)
        return FAIL(j, start, "this value is %s (`weights=ignore` reads without the values)",
                    wfi_weight_fault(number, wfi_collects_doubles(c)));
    if (j->weighted && j->header.field == WFI_MTX_INTEGER && wfi_has_fraction(start, *at))
        return FAIL(j, start, "expected a whole number: the banner says integer");
    if (number == WFI_NUMBER_OK && w.value == 0) return WEFT_OK;
    j->records++;
    collect(j, c, place.row, place.column, w);
    return WEFT_OK;
}

static weft_status read_array(job *j) {
    const wfi_mtx_header *h = &j->header;
    const char *p = h->body, *end = j->text + j->bytes;
    uint64_t bytes = (uint64_t)(end - p);
    if (h->entries > (bytes + 1) / 2)
        return FAIL(j, h->entries_at, "the size line promises %llu values, but only %llu bytes follow",
                    (wfi_ull)h->entries, (wfi_ull)bytes);
    wfi_collector c = {0};
    bool comment = false;
    position place = {first_row(h, 1), 1};
    if (place.row > h->rows) step(h, &place); /* a 1 by 1 skew-symmetric array lists no value */
    uint64_t arcs_each = j->mirror == AS_LISTED ? 1 : 2;
    weft_status st = wfi_collector_reset(j->ctx, &c, arcs_each * h->entries + 1, j->weight_type);
    for (uint64_t k = 0; !st && k < h->entries; k++) {
        p = skip_to_value(p, end, &comment);
        if (p >= end)
            st = FAIL(j, p, "the file ends after %llu values, the size line promises %llu", (wfi_ull)k,
                      (wfi_ull)h->entries);
        else
            st = read_cell(j, &c, &p, place);
        step(h, &place);
    }
    if (!st && (p = skip_to_value(p, end, &comment)) < end)
        st = FAIL(j, p, "more values than the %llu that the size line promises", (wfi_ull)h->entries);
    if (!st && comment)
        wfi_warn(j->ctx, "%s: comments among the values, where the format has none", wfi_source_name(j->source));
    if (!st) st = wfi_collector_deliver(j->ctx, &c, &j->edges, 0, 0);
    wfi_collector_free(&c);
    return st;
}

/* --- the file ---------------------------------------------------------------------- */

/* Reads the header, from the first bytes if it ends within them.  An array, or a longer header (a list of ids), needs
 * the whole text. */
static weft_status read_header(weft_ctx *ctx, job *j) {
    wfi_mtx_wrong wrong;
    j->text = wfi_source_head(j->source, &j->bytes);
    wfi_mtx_outcome o = wfi_mtx_parse_header(j->text, j->bytes, false, &j->header, &wrong);
    if (o == WFI_MTX_CUT || (o == WFI_MTX_OK && j->header.array)) {
        if (wfi_source_sliced(j->source))
            return wfi_fail(
                ctx, WEFT_EINVAL, "%s: ranks read parts of a list of entries, and this is %s; convert it first",
                wfi_source_name(j->source), o == WFI_MTX_CUT ? "one with a header of more than 64 KiB" : "an array");
        weft_status st = wfi_source_whole(ctx, j->source, &j->text, &j->bytes);
        if (st) return st;
        o = wfi_mtx_parse_header(j->text, j->bytes, true, &j->header, &wrong);
    }
    if (o) FAIL(j, wrong.at, "%s", wrong.message);
    if (o) return o == WFI_MTX_UNSUPPORTED ? WEFT_EUNSUPPORTED : WEFT_EINPUT;
    if (wfi_rank(ctx)) return WEFT_OK; /* one rank warns for all */
    if (j->header.banner == WFI_MTX_BANNER_ONE_PERCENT)
        wfi_warn(ctx, "%s:1:1: the banner has one %% instead of two", wfi_source_name(j->source));
    if (j->header.banner == WFI_MTX_NO_BANNER)
        wfi_warn(ctx, "%s:1:1: no banner; taken as a %s general matrix", wfi_source_name(j->source),
                 j->header.array                      ? "real array"
                 : j->header.field == WFI_MTX_PATTERN ? "pattern coordinate"
                                                      : "real coordinate");
    return WEFT_OK;
}

static weft_status read_id_comments(weft_ctx *ctx, const job *j, wfi_id_comments *ids) {
    const char *line = j->text;
    while (line < j->header.size_line) {
        const char *end = memchr(line, '\n', (size_t)(j->header.size_line - line));
        if (*line == '%') {
            weft_status st = wfi_id_comments_line(ctx, j->source, ids, j->text, line, end);
            if (st) return st;
        }
        line = end + 1;
    }
    return WEFT_OK;
}

static weft_status build(weft_ctx *ctx, job *j, const weft_read_params *params, bool directed, weft_graph **out) {
    const wfi_mtx_header *h = &j->header;
    wfi_build b = {.shared = wfi_source_sliced(j->source),
                   .numbering = WFI_VERTICES,
                   .vertices = wfi_max_u64(h->rows, h->columns),
                   .id_base = 1};
    if (!wfi_vertices_plausible(b.vertices, j->records))
        return FAIL(j, h->size_line, "%llu vertices and only %llu entries: too sparse to be read as a graph",
                    (wfi_ull)b.vertices, (wfi_ull)j->records);
    b.directed = directed;
    b.records = j->records;
    b.params = wfi_read_rules(params);
    b.format = "mtx";
    return wfi_graph_build(ctx, &j->edges, &b, out);
}

weft_status wfi_read_mtx(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, weft_graph **out) {
    job j = {.ctx = ctx, .source = source};
    wfi_id_comments ids = wfi_id_comments_of("%", 1);
    weft_graph *g = NULL;
    weft_status st = read_header(ctx, &j);
    if (!st) st = read_id_comments(ctx, &j, &ids);
    if (wfi_source_sliced(source)) st = wfi_agree_input(ctx, st);
    if (st) goto done;

    const wfi_mtx_header *h = &j.header;
    if (h->field == WFI_MTX_PATTERN && params->weights == WEFT_WEIGHTS_REQUIRE) {
        st = FAIL(&j, h->field_at, "weights are required, but a pattern has none");
        goto done;
    }
    if (h->rows != h->columns && wfi_rank(ctx) == 0)
        wfi_warn(ctx, "%s: %llu row%s and %llu column%s: row and column k are taken as the same vertex",
                 wfi_source_name(source), (wfi_ull)h->rows, wfi_plural(h->rows), (wfi_ull)h->columns,
                 wfi_plural(h->columns));
    bool directed = wfi_resolve_directed(params->direction, h->symmetry != WFI_MTX_SYMMETRIC);
    j.weighted = h->field != WFI_MTX_PATTERN && params->weights != WEFT_WEIGHTS_IGNORE;
    j.weight_type = wfi_first_weight_type(params, j.weighted);
    if (h->symmetry == WFI_MTX_SKEW) j.mirror = BOTH_NEGATED;
    if (h->symmetry == WFI_MTX_SYMMETRIC && directed) j.mirror = BOTH;

    st = h->array ? read_array(&j) : read_coordinate(ctx, &j);
    if (!st) st = build(ctx, &j, params, directed, &g);
    if (!st) st = wfi_apply_id_comments(ctx, source, &ids, j.text, g);
    if (wfi_source_sliced(source)) st = wfi_agree_input(ctx, st);
    if (st) goto done;
    wfi_edge_layout layout = {.separator = h->array ? 0 : ' ',
                              .comments = true,
                              .both = j.mirror != AS_LISTED,
                              .numbered = true,
                              .target = 1,
                              .from = (uint64_t)(h->body - j.text)};
    st = wfi_name_lines(ctx, source, &layout, g);
    if (st) goto done;
    *out = g;
    g = NULL;
done:
    weft_graph_free(g);
    wfi_edges_free(&j.edges);
    wfi_id_comments_free(&ids);
    return st;
}

/* Matrix Market, writing: a coordinate matrix, symmetric (lower triangle) for an undirected graph, general for a
 * directed graph; pattern, integer or real by the type of the weights.  Ids other than 1 ... n go into comments. */
weft_status wfi_write_mtx(weft_ctx *ctx, const weft_graph *g, wfi_sink *sink, const char *format) {
    static const char *const field[] = {[WEFT_WEIGHT_NONE] = "pattern",
                                        [WEFT_WEIGHT_U32] = "integer",
                                        [WEFT_WEIGHT_F32] = "real",
                                        [WEFT_WEIGHT_F64] = "real"};
    wfi_sink_print(sink, "%%%%MatrixMarket matrix coordinate %s %s\n", field[g->weight_type],
                   g->directed ? "general" : "symmetric");
    weft_status st = wfi_write_id_comments(ctx, g, sink, format, "%", 1);
    if (st) return st;
    wfi_sink_print(sink, "%llu %llu %llu\n", (wfi_ull)g->n, (wfi_ull)g->n, (wfi_ull)g->edges);
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
