/* Edge lists: "u v" or "u v weight" a line, ids numbers or names, in every dialect that files in the wild have.
 *
 * Method: blocks are parsed in parallel (blocks.c).  The fast path takes lines that are exactly two (or three) whole
 * numbers with one separator between; any other line (comments, blanks, signs, decimals, errors) is left to
 * parse_line, which takes its time and says what is wrong where. */
#include "io/edgelist.h"
#include "io/collect.h"
#include "io/io.h"
#include "io/lines.h"
#include "io/numbers.h"

#include <stdlib.h>
#include <string.h>

typedef struct job {
    weft_ctx *ctx;
    wfi_edgelist_style style;
    uint64_t limit;            /* ids at or above it do not take the fast path */
    uint64_t vertices;         /* params->vertices: ids must lie below it; 0 = any */
    wfi_collector *collectors; /* per thread */
    wfi_table *table;
    size_t first_piece; /* of this file */
    struct singles {
        int64_t *id;
        size_t count, room;
    } * singles; /* per thread: "#v id" */
    int threads;
} job;

/* --- careful ------------------------------------------------------------------- */

typedef struct cursor {
    job *j;
    const wfi_block *block;
    wfi_parse_error *error;
    const char *p;
} cursor;

static weft_status unexpected(cursor *c, const char *expected) {
    unsigned char byte = (unsigned char)*c->p;
    if (c->p >= c->block->text + c->block->bytes || byte == '\n')
        return wfi_block_error(c->error, c->block, c->p, "the line ends, but %s was expected", expected);
    if (byte < 0x20 || byte > 0x7e)
        return wfi_block_error(c->error, c->block, c->p, "byte 0x%02x%s, but %s was expected", byte,
                               byte ? "" : " (NUL)", expected);
    int length = 0;
    while (length < 20 && (unsigned char)c->p[length] > 0x20 && (unsigned char)c->p[length] < 0x7f) length++;
    return wfi_block_error(c->error, c->block, c->p, "'%.*s', but %s was expected", length, c->p, expected);
}

static bool at_field_end(char c) { return c == '\n' || wfi_is_blank(c) || c == ',' || c == ';'; }

/* Blanks with at most one comma or semicolon among them. */
static const char *skip_separator(const char *p) {
    p = wfi_skip_blanks(p);
    if (*p == ',' || *p == ';') p = wfi_skip_blanks(p + 1);
    return p;
}

static weft_status parse_id(cursor *c, int64_t *id, const char *expected) {
    const char *start = c->p;
    wfi_number st = wfi_scan_i64(&c->p, id);
    if (st == WFI_NUMBER_NONE || (st == WFI_NUMBER_OK && !at_field_end(*c->p))) {
        if (st == WFI_NUMBER_NONE && (*start == '\n' || (unsigned char)*start < 0x20)) return unexpected(c, expected);
        if (st == WFI_NUMBER_NONE) return unexpected(c, "a vertex id, a whole number (for names: --ids string)");
        return unexpected(c, "the end of the id");
    }
    if (st == WFI_NUMBER_TOO_BIG)
        return wfi_block_error(c->error, c->block, start,
                               "the id does not fit in 64 bits with sign (for ids of any length: --ids string)");
    if (c->j->vertices && (*id < 0 || (uint64_t)*id >= c->j->vertices))
        return wfi_block_error(c->error, c->block, start, "id %lld: with --vertices %llu, ids are 0 to %llu",
                               (long long)*id, (unsigned long long)c->j->vertices,
                               (unsigned long long)c->j->vertices - 1);
    return WEFT_OK;
}

static weft_status parse_weight(cursor *c, wfi_collector *collector) {
    const char *start = c->p;
    float value;
    bool whole;
    uint32_t integer;
    wfi_number st = wfi_scan_weight(&c->p, &value, &whole, &integer);
    if (st == WFI_NUMBER_NONE) return unexpected(c, "a weight, as on the first line (to do without: --no-weights)");
    if (st)
        return wfi_block_error(c->error, c->block, start, "the weight is %s (to do without: --no-weights)",
                               wfi_weight_fault(st));
    if (!at_field_end(*c->p)) return unexpected(c, "the end of the weight");
    wfi_collect_weight(collector, value, whole, integer);
    return WEFT_OK;
}

static weft_status keep_single(job *j, int thread, int64_t id) {
    struct singles *s = &j->singles[thread];
    if (s->count == s->room) {
        size_t room = s->room ? 2 * s->room : 256;
        int64_t *more = wfi_resize(j->ctx, s->id, room, sizeof *more);
        if (!more) return WEFT_ENOMEM;
        s->id = more;
        s->room = room;
    }
    s->id[s->count++] = id;
    return WEFT_OK;
}

/* Behind a closing quote: the separator, blanks around it or not, or the end of the line. */
static bool closed_well(const wfi_edgelist_style *style, const char *after) {
    for (; wfi_is_blank(*after); after++)
        if (style->separator == ' ' || *after == style->separator) return true;
    return *after == '\n' || *after == style->separator;
}

static weft_status parse_name(cursor *c, uint32_t *number, const char *expected) {
    const char *field;
    size_t length;
    bool quoted;
    const char *start = c->p;
    if (!wfi_edgelist_field(&c->j->style, &c->p, &field, &length, &quoted) || (!length && !quoted)) {
        c->p = start;
        return unexpected(c, expected);
    }
    if (quoted && field[length] != '"') {
        c->p = field - 1;
        return wfi_block_error(c->error, c->block, c->p, "the quote is not closed on this line");
    }
    if (quoted && !closed_well(&c->j->style, field + length + 1)) {
        c->p = wfi_skip_blanks(field + length + 1);
        return unexpected(c, "a separator after the closing quote");
    }
    if (memchr(field, '\0', length)) {
        c->p = memchr(field, '\0', length);
        return unexpected(c, expected);
    }
    wfi_names *names = c->j->table->edges.names[c->block->thread];
    if (!quoted || !memchr(field, '"', length)) return wfi_names_number(c->j->ctx, names, field, length, number);
    char *plain = wfi_take(c->j->ctx, length, 1); /* doubled quotes become one */
    if (!plain) return WEFT_ENOMEM;
    size_t used = 0;
    for (size_t i = 0; i < length; i++) {
        plain[used++] = field[i];
        if (field[i] == '"') i++;
    }
    weft_status st = wfi_names_number(c->j->ctx, names, plain, used, number);
    wfi_free(plain);
    return st;
}

static weft_status parse_single(cursor *c) {
    c->p += 3;
    if (c->j->style.names) {
        uint32_t number;
        return parse_name(c, &number, "the name of a vertex");
    }
    int64_t id;
    weft_status st = parse_id(c, &id, "a vertex id");
    return st ? st : keep_single(c->j, c->block->thread, id);
}

/* Any line of numbers.  *next = the start of the next line. */
static weft_status parse_line(job *j, const wfi_block *block, wfi_collector *collector, const char *line,
                              const char **next, wfi_parse_error *error) {
    cursor c = {j, block, error, wfi_skip_blanks(line)};
    weft_status st = WEFT_OK;
    int64_t u, v;
    if (j->style.ours && !strncmp(c.p, "#v ", 3)) {
        st = parse_single(&c);
    } else if (*c.p != '\n' && *c.p != '#' && *c.p != '%') {
        st = parse_id(&c, &u, "a vertex id");
        c.p = st ? c.p : skip_separator(c.p);
        if (!st) st = parse_id(&c, &v, "a second vertex id");
        if (!st) st = wfi_collect(j->ctx, collector, u, v);
        if (!st && j->style.weights) {
            c.p = skip_separator(c.p);
            st = parse_weight(&c, collector);
        }
    }
    if (st) return st;
    *next = (const char *)memchr(c.p, '\n', (size_t)(block->text + block->bytes - c.p) + 1) + 1;
    return WEFT_OK;
}

static weft_status parse_names_line(job *j, const wfi_block *block, wfi_collector *collector, const char *line,
                                    const char **next, wfi_parse_error *error) {
    const char *p = wfi_skip_blanks(line);
    cursor c = {j, block, error, p};
    weft_status st = WEFT_OK;
    uint32_t u, v;
    if (j->style.ours && !strncmp(p, "#v ", 3)) {
        st = parse_single(&c);
    } else if (*p != '\n' && *p != '#' && *p != '%') {
        st = parse_name(&c, &u, "the name of a vertex");
        if (!st) st = parse_name(&c, &v, "the name of a second vertex");
        if (!st) st = wfi_collect(j->ctx, collector, u, v);
        if (!st && j->style.weights) {
            c.p = wfi_skip_blanks(c.p);
            st = parse_weight(&c, collector);
        }
    }
    if (st) return st;
    *next = (const char *)memchr(c.p, '\n', (size_t)(block->text + block->bytes - c.p) + 1) + 1;
    return WEFT_OK;
}

/* --- fast ------------------------------------------------------------------------ */

static inline unsigned digit(const char *p) { return (unsigned)(unsigned char)*p - '0'; }

/* Digits from p into *value; their end, or NULL when there are none or more than 18. */
static inline const char *fast_number(const char *p, uint64_t *value) {
    const char *start = p;
    uint64_t x = 0;
    for (unsigned d; (d = digit(p)) <= 9; p++) x = x * 10 + d;
    *value = x;
    return (size_t)(p - start) - 1 < 18 ? p : NULL;
}

static inline bool is_separator(char c) { return c == '\t' || c == ' ' || c == ','; }

/* One line of plain numbers; NULL = not that simple. */
static inline const char *fast_line(const char *p, bool weights, uint64_t *u, uint64_t *v, uint64_t *w) {
    p = fast_number(p, u);
    if (!p || !is_separator(*p)) return NULL;
    p = fast_number(p + 1, v);
    if (!p) return NULL;
    if (weights) {
        if (!is_separator(*p)) return NULL;
        p = fast_number(p + 1, w);
        if (!p) return NULL;
    }
    if (*p == '\r') p++;
    return *p == '\n' ? p + 1 : NULL;
}

static inline weft_status parse_numbers(job *j, const wfi_block *block, bool weights, uint64_t *lines,
                                        wfi_parse_error *error) {
    wfi_collector *c = &j->collectors[block->thread];
    const char *p = block->text, *end = p + block->bytes;
    uint64_t seen = 0, limit = j->limit;
    while (p < end) {
        uint64_t u, v, w = 0;
        const char *next = fast_line(p, weights, &u, &v, &w);
        if (__builtin_expect(next && u < limit && v < limit && w <= UINT32_MAX && !c->is_wide, 1)) {
            c->narrow[2 * c->count] = (uint32_t)u;
            c->narrow[2 * c->count + 1] = (uint32_t)v;
            c->count++;
            if (weights) wfi_collect_weight(c, (float)w, true, (uint32_t)w);
        } else {
            weft_status st = parse_line(j, block, c, p, &next, error);
            if (st) return st;
        }
        p = next;
        seen++;
    }
    *lines = seen;
    return WEFT_OK;
}

static weft_status parse_block(weft_ctx *ctx, void *user, const wfi_block *block, uint64_t *lines,
                               wfi_parse_error *error) {
    job *j = user;
    wfi_collector *c = &j->collectors[block->thread];
    /* The shortest line is "1 2" and a newline. */
    weft_status st = wfi_collector_reset(ctx, c, block->bytes / 4 + 1, j->style.weights);
    if (st) return st;
    if (j->style.names) {
        if (!wfi_table_names(ctx, j->table, (size_t)block->thread)) return WEFT_ENOMEM;
        for (const char *p = block->text; p < block->text + block->bytes && !st; ++*lines) {
            st = parse_names_line(j, block, c, p, &p, error);
            /* A block of names takes ten times as long as one of numbers. */
            if (!st && *lines % 8192 == 0 && wfi_cancelled(ctx)) st = wfi_fail_cancelled(ctx);
        }
    } else if (j->style.weights) {
        st = parse_numbers(j, block, true, lines, error);
    } else {
        st = parse_numbers(j, block, false, lines, error);
    }
    if (st) return st;
    return wfi_collector_deliver(ctx, c, &j->table->edges, j->first_piece + (size_t)block->index, (uint32_t)block->thread);
}

/* --- the whole ----------------------------------------------------------------------- */

static weft_status job_open(job *j, weft_ctx *ctx, wfi_source *source, const weft_read_params *params,
                            wfi_table *table) {
    *j = (job){.ctx = ctx, .table = table, .first_piece = table->edges.count, .vertices = params->vertices,
               .threads = wfi_threads(ctx)};
    weft_status st = wfi_edgelist_look(ctx, source, params, &j->style);
    if (st) return st;
    uint64_t narrow = (uint64_t)UINT32_MAX + 1;
    j->limit = j->vertices && j->vertices < narrow ? j->vertices : narrow;
    size_t threads = (size_t)j->threads;
    if (wfi_collectors_new(ctx, &j->collectors) || wfi_alloc_zeroed(ctx, &j->singles, threads)) return WEFT_ENOMEM;
    if (j->style.names && params->vertices)
        return wfi_fail(ctx, WEFT_EINVAL, "%s: --vertices makes the ids 0 to N-1, so they cannot be names too",
                        wfi_source_name(source));
    return j->style.names ? wfi_table_use_names(ctx, table, threads) : WEFT_OK;
}

static void job_close(job *j) {
    for (int t = 0; j->singles && t < j->threads; t++) wfi_free(j->singles[t].id);
    wfi_collectors_free(j->ctx, j->collectors);
    wfi_free(j->singles);
}

/* All "#v" ids of all threads, and what the file says of itself. */
static weft_status hand_over(job *j, const wfi_source *source) {
    wfi_table *t = j->table;
    weft_status st = wfi_table_settle(j->ctx, source, t, j->style.names, j->style.weights, NULL);
    for (int k = 0; k < j->threads; k++)
        for (size_t i = 0; i < j->singles[k].count && !st; i++) st = wfi_table_extra(j->ctx, t, j->singles[k].id[i]);
    t->format = "edgelist"; /* csv is one with commas */
    t->says_direction = j->style.says_direction;
    t->directed = j->style.directed;
    t->dense = j->style.dense;
    t->vertices = j->style.vertices;
    t->base = j->style.base;
    return st;
}

weft_status wfi_edgelist_gather(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, wfi_table *table) {
    job j;
    weft_status st = job_open(&j, ctx, source, params, table);
    if (!st) st = wfi_read_blocks(ctx, source, j.style.from, WFI_CUT_LINES, parse_block, &j, NULL);
    if (!st) st = hand_over(&j, source);
    job_close(&j);
    return st;
}

static int sniff_edgelist(const char *head, size_t bytes, const char *name) {
    if (memchr(head, '\0', bytes)) return wfi_name_has_extension(name, wfi_format_edgelist.info.extensions) ? 1 : 0;
    return wfi_name_has_extension(name, wfi_format_edgelist.info.extensions) ? 2 : 1;
}

const wfi_format wfi_format_edgelist = {
    .info = {"edgelist", "edge list (SNAP, KONECT, tsv)", "el txt edges edgelist tsv wel konect net", 1, 1},
    .sniff = sniff_edgelist,
    .write = wfi_write_edgelist,
    .gather = wfi_edgelist_gather,
};

static int sniff_csv(const char *head, size_t bytes, const char *name) {
    return wfi_name_has_extension(name, "csv") && !memchr(head, '\0', bytes) ? 2 : 0;
}

const wfi_format wfi_format_csv = {
    .info = {"csv", "edge list with commas and a header row", "csv", 1, 1},
    .sniff = sniff_csv,
    .write = wfi_write_csv,
    .gather = wfi_edgelist_gather,
};
