/* Edge lists: "u v" or "u v weight" a line, ids numbers or names, in every dialect that files in the wild have.
 *
 * Method: blocks are parsed in parallel (blocks.c).  The fast path takes lines that are exactly two (or three) whole
 * numbers with one separator between; any other line (comments, blanks, signs, errors) is left to
 * wfi_edge_record, which takes its time and says what is wrong where. */
#include "io/table/edgelist.h"
#include "core/comm.h"
#include "io/io.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

typedef wfi_edgelist_job job;
typedef wfi_edge_cursor cursor;

/* --- lists, careful ------------------------------------------------------------ */

weft_status wfi_edge_single(job *j, int thread, int64_t id) {
    struct wfi_singles *s = &j->singles[thread];
    if (WFI_ROOM(j->ctx, s->id, s->count, s->capacity, 256)) return WEFT_ENOMEM;
    s->id[s->count++] = id;
    return WEFT_OK;
}

/* "#v id" of our own files. */
static weft_status parse_single(job *j, cursor *c) {
    wfi_field f = {0};
    wfi_record r = wfi_record_at(c->p + 3, c->block->text + c->block->bytes, j->style.names ? j->style.separator : ' ');
    if (!wfi_next_field(&r, &f)) {
        c->p = r.p;
        return wfi_edge_unexpected(c, "a vertex id");
    }
    if (f.open || f.junk) return wfi_edge_quotes(c, &f);
    int64_t id;
    weft_status st = wfi_edge_vertex(c, &f, "the name of a vertex", "a vertex id", &id);
    if (!st && !j->style.names) st = wfi_edge_single(j, c->block->thread, id);
    c->p = r.p;
    return st;
}

/* Any line of a list.  *next = the start of the next line. */
static weft_status parse_line(job *j, const wfi_text_block *block, const char *line, const char **next,
                              wfi_parse_error *error) {
    cursor c = {j, block, error, wfi_skip_blanks(line)};
    if (!j->style.ours || strncmp(c.p, "#v ", 3)) return wfi_edge_record(j, block, line, next, error);
    weft_status st = parse_single(j, &c);
    if (!st) *next = (const char *)memchr(c.p, '\n', (size_t)(block->text + block->bytes - c.p) + 1) + 1;
    return st;
}

/* --- fast ------------------------------------------------------------------------ */

static inline unsigned digit(const char *p) { return (unsigned)(unsigned char)*p - '0'; }

/* Digits from p into *value; their end, or NULL when there are none, more than 18, or a zero at the front of others. */
static inline const char *fast_number(const char *p, uint64_t *value) {
    const char *start = p;
    uint64_t x = digit(p), d;
    if (__builtin_expect(x - 1 >= 9, 0)) {
        *value = 0;
        return x == 0 && digit(p + 1) > 9 ? p + 1 : NULL;
    }
    for (p++; (d = digit(p)) <= 9; p++) x = x * 10 + d;
    *value = x;
    return (size_t)(p - start) <= 18 ? p : NULL;
}

/* A list that blanks separate may have tabs among them. */
static inline bool separates(char separator, char c) { return c == separator || (c == '\t' && separator == ' '); }

static inline void add_narrow(wfi_collector *c, uint64_t u, uint64_t v) {
    c->narrow[2 * c->count] = (uint32_t)u;
    c->narrow[2 * c->count + 1] = (uint32_t)v;
    c->count++;
}

/* One line of plain numbers; NULL = not that simple. */
static inline const char *fast_line(const char *p, char separator, bool weights, uint64_t *u, uint64_t *v,
                                    uint64_t *w) {
    p = fast_number(p, u);
    if (!p || !separates(separator, *p)) return NULL;
    p = fast_number(p + 1, v);
    if (!p) return NULL;
    if (weights) {
        if (!separates(separator, *p)) return NULL;
        p = fast_number(p + 1, w);
        if (!p) return NULL;
    }
    if (*p == '\r') p++;
    return *p == '\n' ? p + 1 : NULL;
}

static inline bool at_line_end(const char *p) { return *p == '\n' || (*p == '\r' && p[1] == '\n'); }

/* The newline of a line of which `most` fields are not read, from the end of the field before them.  NULL: there are
 * more, or it is not that simple. */
static const char *skip_fields(const char *p, char separator, int most) {
    for (int count = 0;; count++) {
        if (separator == ' ')
            while (*p == ' ' || *p == '\t') p++;
        else if (*p == separator && at_line_end(p + 1))
            p++; /* an empty field at the end is none */
        if (at_line_end(p)) return p + (*p == '\r');
        if (count == most || (separator != ' ' && *p++ != separator)) return NULL;
        while (*p != '\n' && *p != '\r' && *p != '"' && !separates(separator, *p)) p++;
        if (*p == '"' || (*p == '\r' && p[1] != '\n')) return NULL;
    }
}

/* A line that goes on after two whole numbers: with a weight of any form, or, in a list, with what is not read. */
__attribute__((noinline)) static const char *longer_line(const job *j, const char *p, uint64_t *u, uint64_t *v,
                                                         wfi_collector *c) {
    const wfi_edgelist_style *s = &j->style;
    wfi_weight weight;
    p = fast_number(p, u);
    if (!p || !separates(s->separator, *p)) return NULL;
    p = fast_number(p + 1, v);
    if (!p || !separates(s->separator, *p) || *u >= j->limit || *v >= j->limit || c->is_wide) return NULL;
    if (s->weights && (p++, wfi_scan_weight(&p, wfi_collects_doubles(c), &weight))) return NULL;
    int most = s->table ? 0 : s->loose ? INT_MAX : s->columns - (s->weights ? 3 : 2);
    p = skip_fields(p, s->separator, most);
    if (!p) return NULL;
    add_narrow(c, *u, *v);
    if (s->weights) wfi_collect_weight(c, weight);
    return p + 1;
}

static inline weft_status parse_numbers(job *j, const wfi_text_block *block, bool weights, wfi_edge_line_fn careful,
                                        uint64_t *lines, wfi_parse_error *error) {
    wfi_collector *c = &j->binders[block->thread].collector;
    const char *p = block->text, *end = p + block->bytes;
    uint64_t seen = 0, limit = j->limit;
    char separator = j->style.separator;
    while (p < end) {
        uint64_t u, v, w = 0;
        const char *next = fast_line(p, separator, weights, &u, &v, &w);
        if (__builtin_expect(next && u < limit && v < limit && w <= UINT32_MAX && !c->is_wide, 1)) {
            add_narrow(c, u, v);
            if (weights) wfi_collect_weight(c, (wfi_weight){(double)w, (uint32_t)w, true});
        } else if (!(next = longer_line(j, p, &u, &v, c))) {
            weft_status st = careful(j, block, p, &next, error);
            if (st) return st;
        }
        p = next;
        seen++;
    }
    *lines = seen;
    return WEFT_OK;
}

/* The end of a name without quotes, blanks around it or bytes that no name has; NULL = not that simple. */
static inline const char *fast_name(const char *p, char separator) {
    const char *start = p;
    unsigned char least = separator == ' ' ? ' ' + 1 : ' '; /* tabs leave blanks to the names */
    if ((unsigned char)*p <= ' ' || *p == '"' || *p == '\\' || *p == '#') return NULL; /* \N, #N/A: missing */
    while ((unsigned char)*p >= least) p++;
    return p == start || p[-1] == ' ' || *p == '\0' ? NULL : p;
}

/* A line of two names and no more, or with a weight. */
static weft_status fast_names_line(job *j, const wfi_text_block *block, const char *line, const char **next) {
    wfi_names *names = j->table->edges.names[block->thread];
    wfi_collector *c = &j->binders[block->thread].collector;
    char separator = j->style.separator;
    wfi_weight weight = {0, 0, false};
    uint32_t u, v;
    *next = NULL;
    if (strchr("#%-=\xef", *line) || j->style.doubts) return WEFT_OK;
    const char *u_end = fast_name(line, separator);
    if (!u_end || (*u_end != separator && !(separator == ' ' && *u_end == '\t'))) return WEFT_OK;
    const char *v_start = u_end + 1, *v_end = fast_name(v_start, separator), *p = v_end;
    if (!v_end) return WEFT_OK;
    if (j->style.weights) {
        if (*p != separator && !(separator == ' ' && *p == '\t')) return WEFT_OK;
        p++;
        if (wfi_scan_weight(&p, wfi_collects_doubles(c), &weight)) return WEFT_OK;
    }
    if (*p == '\r') p++;
    if (*p != '\n') return WEFT_OK;
    weft_status st = wfi_names_number(j->ctx, names, line, (size_t)(u_end - line), &u);
    if (!st) st = wfi_names_number(j->ctx, names, v_start, (size_t)(v_end - v_start), &v);
    if (st) return st;
    add_narrow(c, u, v);
    if (j->style.weights) wfi_collect_weight(c, weight);
    *next = p + 1;
    return WEFT_OK;
}

/* Lists of names: a fast path, too. */
static weft_status parse_names_line(job *j, const wfi_text_block *block, const char *line, const char **next,
                                    wfi_parse_error *error) {
    weft_status st = fast_names_line(j, block, line, next);
    return st || *next ? st : parse_line(j, block, line, next, error);
}

/* Records of which more is wanted than ends and weight. */
static weft_status parse_wanted_line(job *j, const wfi_text_block *block, const char *line, const char **next,
                                     wfi_parse_error *error) {
    weft_status st = wfi_edge_wanted_fast(j, block, line, next);
    return st || *next ? st : wfi_edge_record(j, block, line, next, error);
}

/* Lines that are not tried on the fast path: they take ten times as long as numbers, or more. */
static weft_status parse_carefully(job *j, const wfi_text_block *block, wfi_edge_line_fn line, uint64_t *lines,
                                   wfi_parse_error *error) {
    weft_status st = WEFT_OK;
    const char *p = block->text, *end = p + block->bytes;
    uint64_t seen = 0;
    for (; p < end && !st; seen++) {
        st = line(j, block, p, &p, error);
        if (!st && seen % 8192 == 0 && wfi_cancelled(j->ctx)) st = wfi_fail_cancelled(j->ctx);
    }
    *lines = j->style.records ? wfi_count_lines(block->text, block->bytes) : seen;
    return st;
}

static weft_status parse_block(weft_ctx *ctx, void *user, const wfi_text_block *block, uint64_t *lines,
                               wfi_parse_error *error) {
    job *j = user;
    const wfi_edgelist_style *s = &j->style;
    wfi_edge_binder *b = &j->binders[block->thread];
    wfi_edge_line_fn careful = s->lists      ? wfi_edge_row
                               : s->notation ? wfi_edge_notation
                               : s->fields   ? parse_wanted_line
                               : s->table    ? wfi_edge_record
                               : s->names    ? parse_names_line
                                             : parse_line;
    /* The shortest line is "1 2" and a newline; of a row, each neighbour takes two bytes. */
    uint64_t most = block->bytes / (s->lists ? 2 : 4) + 1;
    weft_status st = wfi_binder_begin(ctx, b, most, s->weights ? j->weight_type : WEFT_WEIGHT_NONE);
    if (st) return st;
    if (s->names && !wfi_table_names(ctx, j->table, (size_t)block->thread)) return WEFT_ENOMEM;
    if (s->fields || s->names || s->notation || s->lists || (s->table && !s->plain) || s->records) {
        st = parse_carefully(j, block, careful, lines, error);
    } else if (s->weights) {
        st = parse_numbers(j, block, true, careful, lines, error);
    } else {
        st = parse_numbers(j, block, false, careful, lines, error);
    }
    if (st) return st;
    return wfi_binder_deliver(ctx, b, &j->table->edges, j->first_piece + (size_t)block->index, (uint32_t)block->thread);
}

/* --- the whole ----------------------------------------------------------------------- */

static weft_status job_open(job *j, weft_ctx *ctx, const wfi_source *source, const weft_read_params *params,
                            const wfi_edgelist_known *known, bool aloud, wfi_table *table) {
    *j = (job){.ctx = ctx,
               .table = table,
               .first_piece = table->edges.count,
               .vertices = params->vertices,
               .weight_type = wfi_first_weight_type(params, true),
               .threads = wfi_threads(ctx)};
    pthread_mutex_init(&j->lock, NULL);
    weft_status st = wfi_edgelist_look(ctx, source, params, known, aloud, &j->style);
    if (!st && j->style.fields && (j->style.matrix || j->style.lists || j->style.notation || !j->style.fields->field))
        st = wfi_fail(ctx, WEFT_EINPUT, "%s: `keep` and `edges_where` go by columns, and this is no table with columns",
                      wfi_source_name(source));
    if (st || j->style.matrix) return st;
    j->refuses_padded = params->ids == WEFT_READ_IDS_AUTO && !params->vertices && !j->style.dense;
    uint64_t narrow = (uint64_t)UINT32_MAX + 1;
    j->limit = j->vertices && j->vertices < narrow ? j->vertices : narrow;
    j->check_direction = j->style.direction >= 0 && params->direction == WEFT_AS_FILE;
    size_t threads = (size_t)j->threads;
    size_t columns = j->style.fields ? (size_t)j->style.columns : 0;
    if (wfi_binders_new(ctx, j->style.fields, columns, j->threads, &j->binders) ||
        wfi_alloc_zeroed(ctx, &j->singles, threads))
        return WEFT_ENOMEM;
    if (j->style.names && params->vertices)
        return wfi_fail(ctx, WEFT_EINVAL, "%s: `vertices` makes the ids 0 to N-1, so they cannot be names too",
                        wfi_source_name(source));
    if (j->style.names && j->style.dense)
        return wfi_fail(ctx, params->ids == WEFT_READ_IDS_STRING ? WEFT_EINVAL : WEFT_EINPUT,
                        "%s: its first line says that ids are the numbers from %" PRId64
                        " on, so they cannot be names; without that line they can",
                        wfi_source_name(source), j->style.base);
    if (j->style.fields) j->style.fields->text_table = true;
    return j->style.names ? wfi_table_use_names(ctx, table, threads) : WEFT_OK;
}

static void job_close(job *j) {
    for (int t = 0; j->singles && t < j->threads; t++) wfi_free(j->singles[t].id);
    wfi_binders_free(j->binders, j->threads);
    WFI_FREE(j->singles, j->style.kept);
    wfi_names_free(j->hashes.words);
    wfi_free(j->hashes.at);
    pthread_mutex_destroy(&j->lock);
}

/* By what they list; csv is the first with commas. */
static const char *const formats[] = {"edgelist", "adjlist", "sif"};

static wfi_listing_kind lists_of(const char *format) {
    for (int kind = WFI_LISTS_NEIGHBOURS; format && kind <= WFI_LISTS_SIF; kind++)
        if (!strcmp(format, formats[kind])) return (wfi_listing_kind)kind;
    return WFI_LISTS_EDGES;
}

/* All "#v" ids of all threads, and what the file says of itself. */
static weft_status hand_over(job *j, const wfi_source *source) {
    wfi_table *t = j->table;
    weft_status st = WEFT_OK;
    for (int k = 0; k < j->threads; k++)
        for (size_t i = 0; i < j->singles[k].count && !st; i++) st = wfi_table_extra(j->ctx, t, j->singles[k].id[i]);
    if (st) return st;
    t->format = formats[j->style.lists];
    t->says_direction = j->style.says_direction;
    t->directed = j->style.directed;
    t->bipartite |= j->style.bipartite;
    if (j->style.dense) {
        t->dense = true;
        t->vertices = j->style.vertices;
        t->base = j->style.base;
    }
    const wfi_edgelist_style *s = &j->style;
    if (!s->lists && !s->notation)
        t->layout = (wfi_edge_layout){.separator = s->separator,
                                      .runs = s->runs,
                                      .records = s->records,
                                      .comments = s->comments || s->ours,
                                      .source = s->source,
                                      .target = s->target,
                                      .from = s->from};
    for (int k = 0; k < j->threads; k++) wfi_binder_count(&j->binders[k]);
    wfi_table_columns *kept = j->style.kept;
    j->style.kept = NULL; /* handed over */
    return wfi_table_settle(j->ctx, source, t, j->style.names, j->style.weights, kept);
}

static wfi_cut cut_of(const wfi_edgelist_style *s) {
    return s->lists ? WFI_CUT_ROWS : s->records ? WFI_CUT_RECORDS : WFI_CUT_LINES;
}

/* Something was found that has to be known from the start: on one rank, on all. */
static weft_status learn(weft_ctx *ctx, const wfi_source *source, const job *j, weft_status st,
                         wfi_edgelist_known *known, bool *again) {
    uint64_t found[2] = {j->open_quote, j->padded};
    if (wfi_source_sliced(source) && wfi_allreduce(ctx, found, 2, WFI_MAX)) return WEFT_EIO;
    if (found[0] && !j->style.records) known->records = *again = true;
    if (found[1] && !known->padded) known->padded = *again = true;
    return st;
}

/* One attempt.  *again: `known` has grown, and the file has to be read anew. */
static weft_status gather_once(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, bool aloud,
                               wfi_edgelist_known *known, wfi_table *table, bool *again) {
    job j;
    *again = false;
    weft_status st = job_open(&j, ctx, source, params, known, aloud && wfi_rank(ctx) == 0, table);
    if (wfi_source_sliced(source)) st = wfi_agree_input(ctx, st);
    if (!st && j.style.matrix) {
        job_close(&j);
        return wfi_matrix_gather(ctx, source, params, table);
    }
    if (!st) st = wfi_read_blocks(ctx, source, j.style.from, cut_of(&j.style), parse_block, &j);
    if (st == WEFT_EINPUT) {
        st = learn(ctx, source, &j, st, known, again);
    } else if (!st) {
        st = wfi_edgelist_take_size_away(ctx, source, &j, again);
        known->unsized = known->unsized || *again;
    }
    if (!st && !*again) st = wfi_edgelist_check_hashes(ctx, source, &j);
    if (!st && !*again) st = hand_over(&j, source);
    if (!*again && wfi_source_sliced(source)) st = wfi_agree_input(ctx, st);
    job_close(&j);
    return st;
}

weft_status wfi_edgelist_gather(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, wfi_table *table) {
    wfi_edgelist_known known = {.lists = lists_of(table->format), .fields = table->fields};
    wfi_table_mark mark;
    bool again = false;
    weft_status st = wfi_table_begin(ctx, table, &mark);
    if (wfi_source_sliced(source)) st = wfi_agree_input(ctx, st);
    if (!st) st = gather_once(ctx, source, params, !table->parts, &known, table, &again);
    while (again) {
        wfi_table_undo(table, &mark);
        weft_status rewound = wfi_source_rewind(ctx, source);
        if (rewound && !st) st = rewound; /* a pipe has gone by: an error that was found stands */
        if (rewound) break;
        bool aloud = !table->parts && !known.records;
        if (aloud && known.padded && wfi_rank(ctx) == 0) wfi_edgelist_note_padded(ctx, source);
        st = gather_once(ctx, source, params, aloud && !known.padded, &known, table, &again);
    }
    wfi_table_mark_free(&mark);
    return st;
}

int wfi_sniff_edgelist(const char *head, size_t bytes) { return memchr(head, '\0', bytes) ? 0 : 1; }
