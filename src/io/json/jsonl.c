/* JSON lines: an object ({"source": 1, "target": 2, "weight": 0.5}) or an array ([1, 2]) a line, each an edge.  Method:
 * the complete lines of the head tell the columns and whether ids are names; then blocks are parsed in parallel.  Ids
 * are integers if all of the head's are numbers; with one in quotes they are names, and so is 7 then. */
#include "io/io.h"
#include "io/json/jsonrows.h"

#include <string.h>

typedef struct worker {
    wfi_edge_binder *binder;
    wfi_json_value *more; /* values of the wanted fields; NULL: there are none */
    wfi_text_room room;
    unsigned forms; /* wfi_json_form of the ids that are numbers, where the head had none */
} worker;

typedef struct job {
    weft_ctx *ctx;
    const wfi_source *source;
    const weft_read_params *params;
    wfi_table *table;
    size_t first_piece; /* of this file */
    wfi_json_rows rows;
    wfi_table_columns *kept;
    bool any, names, weighted;
    bool says_direction, directed; /* by a column */
    unsigned forms;                /* of ids in the head */
    worker *workers;               /* per thread */
    wfi_edge_binder *binders;
    int threads;
} job;

/* --- the head ---------------------------------------------------------------------------- */

static weft_status fail_in_head(job *j, wfi_json *text, weft_status st) {
    size_t bytes;
    if (st != WEFT_EINPUT || !text->why) return st;
    return wfi_fail_in_text(j->ctx, j->source, wfi_source_head(j->source, &bytes), text->at, "%s", text->why);
}

/* Behind a byte-order mark. */
static const char *after_mark(const char *text, size_t bytes) {
    return text + (bytes >= 3 && !memcmp(text, "\xef\xbb\xbf", 3) ? 3 : 0);
}

/* The next complete line of the head that is not blank; false: there is none. */
static bool next_line(const char **at, const char *end, bool cut_off, wfi_json *line) {
    while (*at < end) {
        const char *newline = memchr(*at, '\n', (size_t)(end - *at));
        if (!newline && cut_off) return false;
        line->p = *at;
        line->end = newline ? newline : end;
        while (line->p < line->end && wfi_is_blank(*line->p)) line->p++;
        *at = newline ? newline + 1 : end;
        if (line->p < line->end) return true;
    }
    return false;
}

static weft_status look_at_id(job *j, wfi_json *line, const wfi_json_value *v, const char *what) {
    wfi_json_name name;
    weft_status st = wfi_json_id(line, v, what, &j->rows.scratch, &name);
    if (st) return st;
    int64_t id; /* one beyond 64 bits can only be a name */
    j->names = j->names || name.form != WFI_JSON_BARE || wfi_scan_text(name.text, name.length, &id);
    j->forms |= name.form;
    if (j->params->ids == WEFT_READ_IDS_AUTO &&
        (j->forms & (WFI_JSON_BARE | WFI_JSON_QUOTED)) == (WFI_JSON_BARE | WFI_JSON_QUOTED))
        return wfi_json_wrong(line, wfi_json_place(v), WFI_JSON_TWO_FORMS);
    return WEFT_OK;
}

static weft_status look_at_row(job *j, wfi_json *line, const wfi_json_value *open) {
    wfi_json_value v[WFI_JSON_ROLES];
    weft_status st = wfi_json_rows_read(&j->rows, line, open, v, NULL);
    if (!st) st = look_at_id(j, line, &v[WFI_JSON_SOURCE], "source");
    if (!st) st = look_at_id(j, line, &v[WFI_JSON_TARGET], "target");
    if (!st && j->rows.choice.direction >= 0 && !j->says_direction) {
        st = wfi_json_direction(line, &v[WFI_JSON_DIRECTION], &j->directed);
        j->says_direction = true;
    }
    return st;
}

typedef weft_status (*row_fn)(job *j, wfi_json *line, const wfi_json_value *open);

static weft_status learn(job *j, wfi_json *line, const wfi_json_value *open) {
    j->any = true;
    return wfi_json_rows_look(&j->rows, line, open);
}

static weft_status each_head_row(job *j, row_fn visit) {
    size_t bytes;
    const char *head = wfi_source_head(j->source, &bytes), *at = after_mark(head, bytes), *end = head + bytes;
    wfi_json line = {.ctx = j->ctx, .poll = wfi_json_poll, .line = true};
    weft_status st = WEFT_OK;
    while (!st && next_line(&at, end, bytes >= WFI_HEAD_BYTES, &line)) {
        wfi_json_value open;
        st = wfi_json_next(&line, &open);
        if (!st) st = visit(j, &line, &open);
        if (!st) st = wfi_json_finish(&line);
    }
    return fail_in_head(j, &line, st);
}

static uint64_t first_line(const char *head) {
    uint64_t line = 1;
    for (; *head == '\n' || *head == '\r' || *head == ' ' || *head == '\t'; head++) line += *head == '\n';
    return line;
}

static weft_status look(job *j) {
    size_t bytes;
    const char *head = wfi_source_head(j->source, &bytes);
    weft_status st = each_head_row(j, learn);
    if (st) return st;
    if (!j->any && wfi_json_start(head, head + bytes) < head + bytes)
        return wfi_fail_at(j->ctx, wfi_source_name(j->source), 1, 1,
                           "the first line is longer than 64 KiB: is this one JSON document? (`format=json`)");
    if (!j->any) return WEFT_OK;
    j->rows.fields = j->table->fields;
    st = wfi_json_rows_choose(&j->rows, &(wfi_columns_from){j->ctx, j->source, j->params, first_line(head)},
                              !j->table->parts, &j->kept);
    if (!st) st = each_head_row(j, look_at_row);
    j->weighted = j->rows.choice.weight >= 0;
    if (j->params->ids != WEFT_READ_IDS_AUTO)
        j->names = j->params->ids == WEFT_READ_IDS_STRING;
    else if (j->params->vertices)
        j->names = false; /* vertices 0 ... N-1 have no names */
    else if (j->table->parts && j->table->names)
        j->names = true; /* as in the parts before */
    return st;
}

/* --- a row ---------------------------------------------------------------------------------- */

/* 7 and "7" in one file: refused at once if the head had either, else after the last line. */
static inline weft_status check_form(job *j, worker *w, wfi_json *line, const wfi_json_value *v, wfi_json_form form) {
    if (form == WFI_JSON_NAME || j->params->ids != WEFT_READ_IDS_AUTO) return WEFT_OK;
    w->forms |= form;
    unsigned both = (j->forms | form) & (WFI_JSON_BARE | WFI_JSON_QUOTED);
    return both == (WFI_JSON_BARE | WFI_JSON_QUOTED) ? wfi_json_wrong(line, wfi_json_place(v), WFI_JSON_TWO_FORMS)
                                                     : WEFT_OK;
}

/* An id that is more than digits. */
static weft_status careful_integer(job *j, worker *w, wfi_json *line, const wfi_json_value *v, const char *what,
                                   int64_t *id) {
    wfi_json_name name;
    weft_status st = wfi_json_id(line, v, what, &w->room, &name);
    if (st) return st;
    if (name.form == WFI_JSON_NAME || (name.form == WFI_JSON_QUOTED && j->params->ids == WEFT_READ_IDS_AUTO))
        return wfi_json_wrongf(line, v->at - 1,
                               "the %s is in quotes, but ids are whole numbers %s (for names: `ids=string`)", what,
                               j->params->ids == WEFT_READ_IDS_AUTO ? "in the first lines" : "here");
    if (wfi_scan_text(name.text, name.length, id))
        return wfi_json_wrongf(line, v->at,
                               "the %s does not fit in 64 bits with sign (for ids of any length: `ids=string`)", what);
    return WEFT_OK;
}

static inline weft_status integer_of(job *j, worker *w, wfi_json *line, const wfi_json_value *v, const char *what,
                                     int64_t *id) {
    size_t length = (size_t)(v->end - v->at);
    if (v->kind == WFI_JSON_NUMBER && v->integer && length < 19 && *v->at != '-') {
        uint64_t x = 0;
        for (const char *p = v->at; p < v->end; p++) x = x * 10 + (uint64_t)(*p - '0');
        *id = (int64_t)x;
    } else {
        weft_status st = careful_integer(j, w, line, v, what, id);
        if (st) return st;
    }
    uint64_t vertices = j->params->vertices;
    if (!vertices || (*id >= 0 && (uint64_t)*id < vertices)) return WEFT_OK;
    return wfi_json_wrongf(line, v->at, "id %lld: with `vertices=%llu`, ids are 0 to %llu", (long long)*id,
                           (wfi_ull)vertices, (wfi_ull)vertices - 1);
}

static weft_status name_of(job *j, int thread, wfi_json *line, const wfi_json_value *v, const char *what,
                           uint32_t *number) {
    worker *w = &j->workers[thread];
    wfi_json_name name;
    weft_status st = wfi_json_id(line, v, what, &w->room, &name);
    if (!st) st = check_form(j, w, line, v, name.form);
    return st ? st : wfi_names_number(j->ctx, j->table->edges.names[thread], name.text, name.length, number);
}

static weft_status take_weight(wfi_collector *c, wfi_json *line, const wfi_json_value *v) {
    weft_status wrong = wfi_json_check_weight(line, v);
    if (wrong) return wrong;
    const char *p = v->at;
    wfi_weight weight;
    bool as_double = wfi_collects_doubles(c);
    wfi_number st = wfi_scan_weight(&p, as_double, &weight);
    if (st)
        return wfi_json_wrongf(line, v->at, "the weight is %s (`weights=ignore` reads without weights)",
                               wfi_weight_fault(st, as_double));
    wfi_collect_weight(c, weight);
    return WEFT_OK;
}

static weft_status check_direction(job *j, wfi_json *line, const wfi_json_value *v) {
    bool directed;
    if (j->params->direction != WEFT_AS_FILE) return WEFT_OK;
    weft_status st = wfi_json_direction(line, v, &directed);
    if (st || directed == j->directed) return st;
    return wfi_json_wrong(line, wfi_json_place(v),
                          "directed and undirected edges in one file: `direction=directed` or `direction=undirected` "
                          "makes them all the same");
}

/* Puts the cells of the row; *stays: it meets the condition. */
static weft_status take_fields(worker *w, wfi_json *line, bool *stays) {
    wfi_edge_binder *b = w->binder;
    weft_status st = WEFT_OK;
    int type;
    for (size_t i = 0; i < b->fields->count && !st; i++) {
        st = wfi_json_cell(line, &w->more[i], &b->room[i], &b->cell[i], &type);
        if (b->cell[i].text) b->types[i] |= 1u << type;
    }
    int meets = st ? 0 : wfi_binder_meets(b);
    char why[WFI_WHY];
    *stays = meets > 0;
    if (meets >= 0) return st;
    return wfi_json_wrongf(line, wfi_json_place(&w->more[b->asked.column]), "%s", wfi_binder_why(b, why));
}

static inline weft_status take_row(job *j, worker *w, int thread, wfi_json *line) {
    wfi_json_value open, v[WFI_JSON_ROLES];
    weft_status st = wfi_json_next(line, &open);
    if (!st) st = wfi_json_rows_read(&j->rows, line, &open, v, w->more);
    if (!st) st = wfi_json_finish(line);
    bool stays = true;
    if (!st && w->more) st = take_fields(w, line, &stays);
    if (st || !stays) return st;
    int64_t ends[2];
    for (int i = 0; i < 2 && !st; i++) {
        const char *what = i ? "target" : "source";
        uint32_t number = 0;
        if (!j->names) {
            st = integer_of(j, w, line, &v[i], what, &ends[i]);
        } else {
            st = name_of(j, thread, line, &v[i], what, &number);
            ends[i] = number;
        }
    }
    wfi_collector *c = &w->binder->collector;
    if (!st) st = wfi_collect(j->ctx, c, ends[0], ends[1]);
    if (!st && j->weighted) st = take_weight(c, line, &v[WFI_JSON_WEIGHT]);
    if (!st && j->says_direction) st = check_direction(j, line, &v[WFI_JSON_DIRECTION]);
    return st || !w->more ? st : wfi_binder_keep(j->ctx, w->binder);
}

static weft_status parse_block(weft_ctx *ctx, void *user, const wfi_text_block *block, uint64_t *lines,
                               wfi_parse_error *error) {
    job *j = user;
    worker *w = &j->workers[block->thread];
    wfi_json line = {.ctx = ctx, .poll = wfi_json_poll, .line = true};
    const char *p = block->text, *end = p + block->bytes;
    if (j->names && !wfi_table_names(ctx, j->table, (size_t)block->thread)) return WEFT_ENOMEM;
    /* The shortest line is [1,2] and a newline. */
    weft_status st =
        wfi_binder_begin(ctx, w->binder, block->bytes / 6 + 1, wfi_first_weight_type(j->params, j->weighted));
    if (!block->offset) p = after_mark(p, block->bytes);
    while (p < end && !st) {
        line.end = memchr(p, '\n', (size_t)(end - p) + 1);
        line.p = p;
        while (line.p < line.end && wfi_is_blank(*line.p)) line.p++;
        if (line.p < line.end) st = take_row(j, w, block->thread, &line);
        p = line.end + 1;
        if (++*lines % 8192 == 0 && !st && wfi_cancelled(ctx)) st = wfi_fail_cancelled(ctx);
    }
    if (st == WEFT_EINPUT) return wfi_block_error(error, block, line.at, "%s", line.why);
    if (st) return st;
    return wfi_binder_deliver(ctx, w->binder, &j->table->edges, j->first_piece + (size_t)block->index,
                              (uint32_t)block->thread);
}

/* --- the whole ------------------------------------------------------------------------------- */

static weft_status job_open(job *j) {
    weft_status st = look(j);
    if (st || !j->any) return st;
    if (j->names && j->params->vertices)
        return wfi_fail(j->ctx, WEFT_EINVAL, "%s: `vertices` makes the ids 0 to N-1, so they cannot be names too",
                        wfi_source_name(j->source));
    wfi_edge_fields *fields = j->table->fields;
    st = wfi_alloc_zeroed(j->ctx, &j->workers, (size_t)j->threads);
    if (!st) st = wfi_binders_new(j->ctx, fields, 0, j->threads, &j->binders);
    for (int t = 0; !st && t < j->threads; t++) {
        j->workers[t].binder = &j->binders[t];
        if (fields) st = wfi_alloc_zeroed(j->ctx, &j->workers[t].more, fields->count);
    }
    return st || !j->names ? st : wfi_table_use_names(j->ctx, j->table, (size_t)j->threads);
}

static void job_close(job *j) {
    for (int t = 0; j->workers && t < j->threads; t++) WFI_FREE(j->workers[t].room.text, j->workers[t].more);
    wfi_free(j->workers);
    wfi_binders_free(j->binders, j->threads);
    wfi_free(j->kept);
    wfi_json_rows_free(&j->rows);
}

static weft_status hand_over(job *j) {
    wfi_table *t = j->table;
    unsigned forms = 0;
    for (int k = 0; k < j->threads; k++) {
        forms |= j->workers[k].forms;
        wfi_binder_count(&j->binders[k]);
    }
    if ((forms & WFI_JSON_BARE) && (forms & WFI_JSON_QUOTED))
        return wfi_fail_at(j->ctx, wfi_source_name(j->source), 1, 1, WFI_JSON_TWO_FORMS);
    bool same = t->says_direction == j->says_direction && t->directed == j->directed;
    if (t->parts && !same && j->params->direction == WEFT_AS_FILE)
        return wfi_fail_at(
            j->ctx, wfi_source_name(j->source), 1, 1,
            "the direction differs from that of the part before: say `direction=directed` or `direction=undirected`");
    wfi_table_columns *kept = j->kept;
    j->kept = NULL; /* wfi_table_settle takes it over */
    t->says_direction = j->says_direction;
    t->directed = j->directed;
    return wfi_table_settle(j->ctx, j->source, t, j->names, j->weighted, kept);
}

weft_status wfi_gather_jsonl(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, wfi_table *table) {
    job j = {.ctx = ctx,
             .source = source,
             .params = params,
             .table = table,
             .first_piece = table->edges.count,
             .threads = wfi_threads(ctx)};
    weft_status st = job_open(&j);
    if (!st && j.any) st = wfi_read_blocks(ctx, source, 0, WFI_CUT_LINES, parse_block, &j);
    if (!st && j.any) st = hand_over(&j);
    job_close(&j);
    return st;
}

/* --- sniffing --------------------------------------------------------------------------------- */

/* One value that the line holds whole? */
static bool is_row(wfi_json *line, wfi_json_kind kind) {
    wfi_json_value v;
    return !wfi_json_next(line, &v) && v.kind == kind && !wfi_json_skip(line, &v) && !wfi_json_finish(line);
}

/* The number of leading lines that are rows of this kind, up to `most`. */
static int count_rows(const char *head, size_t bytes, wfi_json_kind kind, int most) {
    const char *at = after_mark(head, bytes), *end = head + bytes;
    wfi_json line = {.line = true};
    int rows = 0;
    while (rows < most && next_line(&at, end, bytes >= WFI_HEAD_BYTES, &line) && is_row(&line, kind)) rows++;
    return rows;
}

bool wfi_is_json_lines(const char *head, size_t bytes) { return count_rows(head, bytes, WFI_JSON_OBJECT, 2) == 2; }

/* A single object that is an edge by its keys. */
static bool is_single_edge(const char *head, size_t bytes) {
    wfi_json j = {.p = wfi_json_start(head, head + bytes), .end = head + bytes, .line = true};
    wfi_json_value key, v;
    bool first = true;
    int known = 0;
    if (wfi_json_next(&j, &v) || v.kind != WFI_JSON_OBJECT) return false;
    for (;;) {
        if (wfi_json_key(&j, &first, &key)) return false;
        if (!key.kind) return known >= 2 && !wfi_json_finish(&j);
        if (wfi_json_next(&j, &v) || v.kind <= WFI_JSON_ARRAY) return false;
        known += wfi_is_column_name(key.at, (size_t)(key.end - key.at));
    }
}

/* Lines of arrays are left to the edge list, which reads them too, unless the name says what they are. */
int wfi_sniff_jsonl(const char *head, size_t bytes, const char *name) {
    if (wfi_is_json_lines(head, bytes) || is_single_edge(head, bytes)) return 3;
    if (wfi_name_has_extension(name, "json")) return count_rows(head, bytes, WFI_JSON_ARRAY, 2) == 2 ? 3 : 0;
    if (!wfi_name_has_extension(name, "jsonl ndjson")) return 0;
    return count_rows(head, bytes, WFI_JSON_OBJECT, 1) || count_rows(head, bytes, WFI_JSON_ARRAY, 1) ? 2 : 1;
}
