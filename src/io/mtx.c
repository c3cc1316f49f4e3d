/* Matrix Market, reading: row i, column j is an arc from vertex i to vertex j.
 *   general         a directed graph of the entries as listed
 *   symmetric       an undirected graph; the file lists one triangle, an entry off the diagonal stands for both
 *   skew-symmetric  a directed graph with both arcs, the mirrored one with the other sign
 * A rectangular matrix has max(rows, columns) vertices.  Ids other than 1 ... n come from comments: idcomments.h.
 * Method: the header is read first (mtx_header.c), then the entries: in parallel blocks (coordinate), or in one go
 * (array, mtx_array.c). */
#include "io/mtx.h"
#include "io/collect.h"
#include "io/header.h"
#include "io/numbers.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

weft_status wfi_mtx_collect(weft_ctx *ctx, const wfi_mtx_job *job, wfi_collector *c, uint64_t row, uint64_t column,
                            float value, bool whole, uint32_t integer) {
    weft_status st = wfi_collect(ctx, c, (int64_t)row - 1, (int64_t)column - 1);
    if (st) return st;
    if (job->weighted) wfi_collect_weight(c, value, whole, integer);
    if (job->mirror == WFI_MTX_AS_LISTED || row == column) return WEFT_OK;
    st = wfi_collect(ctx, c, (int64_t)column - 1, (int64_t)row - 1);
    if (st || !job->weighted) return st;
    if (job->mirror == WFI_MTX_BOTH)
        wfi_collect_weight(c, value, whole, integer);
    else
        wfi_collect_weight(c, 0.0f - value, false, 0);
    return WEFT_OK;
}

/* --- one entry a line ----------------------------------------------------------- */

typedef struct line_reader {
    wfi_mtx_job *job;
    bool valued; /* lines have a value behind row and column */
    wfi_collector *collectors; /* one for each thread */
    pthread_mutex_t lock;      /* around job->edges, records and comment */
    bool comment;              /* a comment among the entries */
} line_reader;

/* Where a line is being read, and what to say if it is wrong. */
typedef struct cursor {
    const char *p;
    const wfi_block *block;
    wfi_parse_error *error;
} cursor;

static weft_status read_index(cursor *k, const char *what, uint64_t most, uint64_t *index) {
    const char *at = k->p = wfi_skip_blanks(k->p);
    wfi_number st = wfi_scan_u64(&k->p, index);
    if (st == WFI_NUMBER_NONE && *at == '-')
        return wfi_block_error(k->error, k->block, at, "a negative %s: rows and columns start at 1", what);
    if (st == WFI_NUMBER_NONE) return wfi_block_error(k->error, k->block, at, "expected the number of a %s", what);
    if (st == WFI_NUMBER_OK && *index == 0)
        return wfi_block_error(k->error, k->block, at, "%s 0: ids start at 1 in this format", what);
    if (st == WFI_NUMBER_TOO_BIG || *index > most)
        return wfi_block_error(k->error, k->block, at, "this %s is beyond the %llu that the size line promises", what,
                               (unsigned long long)most);
    if (!wfi_is_blank(*k->p) && *k->p != '\n')
        return wfi_block_error(k->error, k->block, k->p, "expected a blank after the number of the %s", what);
    return WEFT_OK;
}

static bool has_fraction(const char *from, const char *to) {
    for (; from < to; from++)
        if (*from == '.' || *from == 'e' || *from == 'E') return true;
    return false;
}

static weft_status read_value(const line_reader *r, cursor *k, float *value, bool *whole, uint32_t *integer) {
    const char *at = k->p = wfi_skip_blanks(k->p);
    wfi_number st = wfi_scan_weight(&k->p, value, whole, integer);
    if (*at == '\n') return wfi_block_error(k->error, k->block, at, "the value is missing");
    if (st == WFI_NUMBER_NONE) return wfi_block_error(k->error, k->block, at, "expected a number for the value");
    if (st != WFI_NUMBER_OK)
        return wfi_block_error(k->error, k->block, at,
                               "this value is not a finite number (--weights ignore reads without the values)");
    if (r->job->header.field == WFI_MTX_INTEGER && has_fraction(at, k->p))
        return wfi_block_error(k->error, k->block, at, "expected a whole number: the banner says integer");
    return WEFT_OK;
}

/* Any line, with its errors.  Leaves k->p at the line's end. */
static weft_status read_line(weft_ctx *ctx, const line_reader *r, wfi_collector *c, cursor *k, bool *comment) {
    const wfi_mtx_header *h = &r->job->header;
    uint64_t row = 0, column = 0;
    float value = 0;
    bool whole = false;
    uint32_t integer = 0;
    const char *line = k->p = wfi_skip_blanks(k->p);
    if (*line == '\n' || *line == '%') {
        *comment |= *line == '%';
        k->p = strchr(line, '\n');
        return WEFT_OK;
    }
    weft_status st = read_index(k, "row", h->rows, &row);
    if (!st) st = read_index(k, "column", h->columns, &column);
    if (st) return st;
    if (h->symmetry == WFI_MTX_SKEW && row == column)
        return wfi_block_error(k->error, k->block, line, "a skew-symmetric matrix has no entries on its diagonal");
    if (r->valued && !r->job->weighted) {
        k->p = memchr(k->p, '\n', (size_t)(k->block->text + k->block->bytes + 1 - k->p));
    } else {
        if (r->valued) st = read_value(r, k, &value, &whole, &integer);
        if (st) return st;
        k->p = wfi_skip_blanks(k->p);
        if (*k->p != '\n')
            return wfi_block_error(k->error, k->block, k->p, "expected the end of the line after %s",
                                   r->valued ? "row, column and value" : "row and column: the matrix is a pattern");
    }
    return wfi_mtx_collect(ctx, r->job, c, row, column, value, whole, integer);
}

/* The usual line, "int int" or "int int number" with single blanks; false if it is anything else. */
static inline bool read_line_fast(const line_reader *r, const char **at, uint64_t *row, uint64_t *column, float *value,
                                  bool *whole, uint32_t *integer) {
    const wfi_mtx_header *h = &r->job->header;
    const char *p = *at;
    if (wfi_scan_u64(&p, row) || *p++ != ' ' || wfi_scan_u64(&p, column)) return false;
    if (*row - 1 >= h->rows || *column - 1 >= h->columns) return false;
    if (r->valued) {
        const char *start = p + 1;
        if (*p++ != ' ' || !r->job->weighted || wfi_scan_weight(&p, value, whole, integer)) return false;
        if (h->field == WFI_MTX_INTEGER && !*whole && has_fraction(start, p)) return false;
    }
    if (*p != '\n' || (h->symmetry == WFI_MTX_SKEW && *row == *column)) return false;
    *at = p;
    return true;
}

static weft_status read_block(weft_ctx *ctx, void *user, const wfi_block *block, uint64_t *lines,
                              wfi_parse_error *error) {
    line_reader *r = user;
    wfi_mtx_job *job = r->job;
    wfi_collector *c = &r->collectors[block->thread];
    uint64_t line_count = 0, mirrors = job->mirror == WFI_MTX_AS_LISTED ? 1 : 2;
    bool comment = false;
    /* The shortest entry, "1 1" and its line end, takes four bytes. */
    weft_status st = wfi_collector_reset(ctx, c, mirrors * (block->bytes / 4 + 1), job->weighted);
    const char *end = block->text + block->bytes;
    uint64_t records = 0;
    cursor k = {block->text, block, error};
    while (!st && k.p < end) {
        uint64_t row, column, before = c->count;
        float value = 0;
        bool whole = false;
        uint32_t integer = 0;
        if (read_line_fast(r, &k.p, &row, &column, &value, &whole, &integer))
            st = wfi_mtx_collect(ctx, job, c, row, column, value, whole, integer);
        else
            st = read_line(ctx, r, c, &k, &comment);
        records += c->count > before;
        line_count += k.p < end;
        k.p++;
    }
    *lines = line_count;
    if (st) return st;
    pthread_mutex_lock(&r->lock);
    st = wfi_collector_deliver(ctx, c, &job->edges, block->index, 0);
    job->records += records;
    r->comment |= comment;
    pthread_mutex_unlock(&r->lock);
    return st;
}

static weft_status check_promise(weft_ctx *ctx, const wfi_mtx_job *job) {
    const wfi_mtx_header *h = &job->header;
    if (job->records == h->entries) return WEFT_OK;
    return wfi_fail_in_text(ctx, job->source, job->text, h->entries_at,
                            "the size line promises %llu entries, but %llu follow", (unsigned long long)h->entries,
                            (unsigned long long)job->records);
}

weft_status wfi_mtx_read_coordinate(weft_ctx *ctx, wfi_mtx_job *job) {
    const wfi_mtx_header *h = &job->header;
    uint64_t from = (uint64_t)(h->body - job->text), bytes = wfi_source_plain_bytes(job->source), blocks;
    if (bytes && h->entries > (bytes - from + 1) / 4)
        return wfi_fail_in_text(ctx, job->source, job->text, h->entries_at,
                                "the size line promises %llu entries, but only %llu bytes follow",
                                (unsigned long long)h->entries, (unsigned long long)(bytes - from));
    line_reader r = {.job = job, .valued = h->field != WFI_MTX_PATTERN};
    size_t threads = (size_t)wfi_threads(ctx);
    if (wfi_alloc_zeroed(ctx, &r.collectors, threads)) return WEFT_ENOMEM;
    pthread_mutex_init(&r.lock, NULL);
    weft_status st = wfi_read_blocks(ctx, job->source, from, WFI_CUT_LINES, read_block, &r, &blocks);
    if (!st) st = check_promise(ctx, job);
    if (!st && r.comment)
        wfi_warn(ctx, "%s: comments among the entries, where the format has none", wfi_source_name(job->source));
    for (size_t i = 0; i < threads; i++) wfi_collector_free(&r.collectors[i]);
    wfi_free(r.collectors);
    pthread_mutex_destroy(&r.lock);
    return st;
}

/* --- the file ---------------------------------------------------------------------- */

/* The header, from the first bytes if it ends there, else from the whole file. */
static weft_status read_header(weft_ctx *ctx, wfi_mtx_job *job) {
    wfi_mtx_wrong wrong;
    size_t bytes;
    job->text = wfi_source_head(job->source, &bytes);
    wfi_mtx_outcome o = wfi_mtx_parse_header(job->text, bytes, false, &job->header, &wrong);
    if (o == WFI_MTX_CUT) {
        weft_status st = wfi_source_whole(ctx, job->source, &job->text, &bytes);
        if (st) return st;
        o = wfi_mtx_parse_header(job->text, bytes, true, &job->header, &wrong);
    }
    if (o) wfi_fail_in_text(ctx, job->source, job->text, wrong.at, "%s", wrong.message);
    if (o) return o == WFI_MTX_UNSUPPORTED ? WEFT_EUNSUPPORTED : WEFT_EINPUT;
    if (job->header.banner == WFI_MTX_BANNER_ONE_PERCENT)
        wfi_warn(ctx, "%s:1:1: the banner has one %% instead of two", wfi_source_name(job->source));
    if (job->header.banner == WFI_MTX_NO_BANNER)
        wfi_warn(ctx, "%s:1:1: no banner; taken as a %s general matrix", wfi_source_name(job->source),
                 job->header.array                       ? "real array"
                 : job->header.field == WFI_MTX_PATTERN ? "pattern coordinate"
                                                        : "real coordinate");
    return WEFT_OK;
}

static weft_status read_id_comments(weft_ctx *ctx, const wfi_mtx_job *job, wfi_id_comments *ids) {
    const char *line = job->text;
    while (line < job->header.size_line) {
        const char *end = strchr(line, '\n');
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
    wfi_build b = {.numbering = WFI_VERTICES, .vertices = wfi_max_u64(h->rows, h->columns), .id_base = 1};
    if (!wfi_vertices_plausible(b.vertices, job->records))
        return wfi_fail_in_text(ctx, job->source, job->text, h->size_line,
                                "%llu vertices and only %llu entries: too empty to be held as a graph",
                                (unsigned long long)b.vertices, (unsigned long long)job->records);
    b.directed = directed;
    b.records = job->records;
    b.params = params->build;
    b.format = "mtx";
    return wfi_graph_build(ctx, &job->edges, &b, out);
}

static weft_status read_mtx(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, weft_graph **out) {
    wfi_mtx_job job = {.source = source};
    wfi_id_comments ids = wfi_id_comments_of("%", 1);
    weft_graph *g = NULL;
    weft_status st = read_header(ctx, &job);
    if (!st) st = read_id_comments(ctx, &job, &ids);
    if (st) goto done;

    const wfi_mtx_header *h = &job.header;
    if (h->field == WFI_MTX_PATTERN && params->weights == WEFT_WEIGHTS_REQUIRE) {
        st = wfi_fail_in_text(ctx, source, job.text, h->field_at, "weights are required, but a pattern has none");
        goto done;
    }
    bool directed = wfi_resolve_directed(&params->build, h->symmetry != WFI_MTX_SYMMETRIC);
    job.weighted = h->field != WFI_MTX_PATTERN && params->weights != WEFT_WEIGHTS_IGNORE;
    if (h->symmetry == WFI_MTX_SKEW) job.mirror = WFI_MTX_BOTH_NEGATED;
    if (h->symmetry == WFI_MTX_SYMMETRIC && directed) job.mirror = WFI_MTX_BOTH;

    st = h->array ? wfi_mtx_read_array(ctx, &job) : wfi_mtx_read_coordinate(ctx, &job);
    if (!st) st = build(ctx, &job, params, directed, &g);
    if (!st) st = wfi_apply_id_comments(ctx, source, &ids, job.text, g);
    if (st) goto done;
    *out = g;
    g = NULL;
done:
    weft_graph_free(g);
    wfi_edges_free(&job.edges);
    wfi_id_comments_free(&ids);
    return st;
}

const wfi_format wfi_format_mtx = {
    {"mtx", "Matrix Market", "mtx", 1, 1},
    wfi_mtx_sniff,
    read_mtx,
    wfi_mtx_write,
};
