/* Adjacency matrices as text tables (edgelist.h).  Two passes over the text: cells that are edges are counted, then
 * taken. */
#include "core/scan.h"
#include "core/search.h"
#include "io/table/edgelist.h"

#include <string.h>

enum { MOST_SEEN = 512 }; /* rows of which the cells are kept to look at both sides of the diagonal */

/* --- what it looks like ------------------------------------------------------------------- */

/* Fields of a record, and whether the first, and all others, are numbers; an empty one may be anything. */
typedef struct summary {
    int fields;
    bool first_empty, first_number, others_numbers;
} summary;

static summary summarise(wfi_record r) {
    summary s = {.others_numbers = true};
    for (wfi_field f; wfi_next_field(&r, &f); s.fields++) {
        bool empty = !f.length && !f.quoted, number = wfi_field_is_any_number(&f);
        if (s.fields) {
            s.others_numbers = s.others_numbers && (empty || number);
            continue;
        }
        s.first_empty = empty;
        s.first_number = number;
    }
    return s;
}

static double cell_value(const wfi_field *f, char decimal) {
    char text[WFI_NUMBER_ROOM];
    const char *p = text;
    double value = 0;
    if (wfi_respell(f, decimal, text)) wfi_scan_f64(&p, &value);
    return value;
}

/* Names above: words, an empty corner, or a word in the corner above a name (10, 20, ... may be names). */
static void find_names(wfi_matrix *m, const summary *first, const summary *second) {
    bool corner = first->first_empty || (!first->first_number && second->fields == first->fields);
    m->above = !first->others_numbers || first->first_empty || (!first->first_number && second->first_number);
    if (m->above && second->fields == first->fields + 1)
        m->before = true; /* R has no corner */
    else
        m->before = m->above ? corner && (first->first_empty || !second->first_number || first->others_numbers)
                             : !first->first_number;
    m->columns = (m->above ? second->fields : first->fields) - m->before;
}

static void look_at_cells(const wfi_matrix *m, const double *cell, bool *hollow, bool *mirrored) {
    size_t n = (size_t)m->columns;
    *hollow = *mirrored = true;
    for (size_t u = 0; u < n; u++) {
        *hollow = *hollow && cell[u * n + u] == 0;
        for (size_t v = 0; v < u; v++) *mirrored = *mirrored && cell[u * n + v] == cell[v * n + u];
    }
}

static bool same(const wfi_field *a, const wfi_field *b) {
    return a->length == b->length && !memcmp(a->text, b->text, a->length);
}

static bool is_count(const wfi_field *f, uint64_t count) {
    const char *p = f->text;
    uint64_t number;
    return f->length && !wfi_scan_u64(&p, &number) && p == f->text + f->length && number == count;
}

/* One row; its cells go to `cell`, if that is there.  False: it has no such form. */
static bool look_at_row(wfi_matrix *m, wfi_record r, wfi_record *names, double *cell) {
    wfi_field f, name;
    if (m->before && !wfi_next_field(&r, &f)) return false;
    if (m->before) m->worded = m->worded || !wfi_field_is_whole(&f);
    bool named = m->before && m->above && wfi_next_field(names, &name) && same(&f, &name);
    m->named = m->named && named;
    m->counted = m->counted && named && is_count(&name, m->rows);
    int count = 0;
    for (; wfi_next_field(&r, &f); count++) {
        bool empty = !f.length && !f.quoted;
        if (count == m->columns || (!empty && !wfi_field_is_any_number(&f))) return false;
        double value = empty ? 0 : cell_value(&f, m->decimal);
        m->marks = m->marks && (value == 0 || value == 1);
        bool upper = (uint64_t)count > m->rows, diagonal = (uint64_t)count == m->rows;
        if (!diagonal) m->full[upper] &= !empty;
        if (!diagonal) m->bare[upper] &= empty;
        if (cell) cell[count] = value;
    }
    return count == m->columns;
}

weft_status wfi_matrix_look(weft_ctx *ctx, const wfi_head *h, char separator, wfi_matrix *m, bool *fits) {
    const char *line = h->line, *end = h->end, *at = line;
    bool comments = h->comments, cut_off = h->cut_off;
    wfi_record names = wfi_record_at(line, end, separator), r = names;
    wfi_field corner;
    double *cell = NULL;
    *fits = false;
    *m = (wfi_matrix){.separator = separator,
                      .decimal = separator == ';' ? ',' : '.',
                      .named = true,
                      .counted = true,
                      .marks = true,
                      .full = {true, true},
                      .bare = {true, true}};
    summary first = summarise(r), second = first;
    const char *below = wfi_next_record(&r), *next = below, *data = wfi_next_data_line(&next, end, comments);
    if (data) second = summarise(wfi_record_at(data, end, separator));
    find_names(m, &first, &second);
    if (m->columns < 2 || !data) return WEFT_OK;
    if (m->before && second.fields == first.fields) wfi_next_field(&names, &corner);
    if (m->above) at = below;
    bool small = !cut_off && m->columns <= MOST_SEEN;
    size_t n = (size_t)m->columns;
    if (small && wfi_alloc(ctx, &cell, n * n)) return WEFT_ENOMEM;
    *fits = true;
    while (*fits && (line = wfi_next_data_line(&at, end, comments))) {
        r = wfi_record_at(line, end, separator);
        wfi_record whole = r;
        at = wfi_next_record(&whole);
        if (cut_off && at >= end) break;
        *fits = look_at_row(m, r, &names, cell && m->rows < n ? cell + m->rows * n : NULL);
        m->rows++;
    }
    m->named = m->named && (cut_off || m->rows == n);
    bool whole = !cut_off && m->rows == n && n > 2 && (m->named || !m->above || !m->before);
    m->half = whole && ((m->full[0] && m->bare[1]) || (m->bare[0] && m->full[1]));
    if (*fits && small && m->rows == n) look_at_cells(m, cell, &m->hollow, &m->mirrored);
    wfi_free(cell);
    return WEFT_OK;
}

/* --- reading -------------------------------------------------------------------------------- */

typedef struct reading {
    weft_ctx *ctx;
    const wfi_source *source;
    const char *text, *end, *first; /* the first row, below the names */
    wfi_matrix m;
    bool names, comments;
    wfi_field *heading; /* the names of the columns, or NULL */
    int headings;       /* as many as were found */
    int64_t *column;    /* the vertex of each column, as the collector knows it */
    wfi_names *table;
    wfi_collector collector;
} reading;

#define FAIL(r, place, ...) wfi_fail_in_text((r)->ctx, (r)->source, (r)->text, (place), __VA_ARGS__)

static weft_status vertex_of(reading *r, const wfi_field *f, int64_t *vertex) {
    const char *p = f->text, *nul = f->length ? memchr(p, '\0', f->length) : NULL;
    uint32_t number;
    if (nul) return FAIL(r, nul, "byte 0x00 (NUL) in a name");
    if (!r->names) {
        if (wfi_scan_i64(&p, vertex))
            return FAIL(r, f->text, "the id does not fit in 64 bits with sign (`ids=string`)");
        return WEFT_OK;
    }
    char *plain = wfi_take(r->ctx, f->length + 1, 1);
    if (!plain) return WEFT_ENOMEM;
    weft_status st = wfi_names_number(r->ctx, r->table, plain, wfi_unquote(f, plain), &number);
    *vertex = number;
    wfi_free(plain);
    return st;
}

/* The cell's number, or 0 where there is none.  NaN in a matrix is what pandas has for nothing. */
static weft_status take_cell(reading *r, const wfi_field *f, wfi_weight *weight) {
    char text[WFI_NUMBER_ROOM];
    const char *p = text;
    *weight = (wfi_weight){.whole = true};
    if (!f->length && !f->quoted) return WEFT_OK;
    if (!wfi_respell(f, r->m.decimal, text) || wfi_scan_weight(&p, wfi_collects_doubles(&r->collector), weight) || *p)
        return FAIL(r, f->text, "a cell of the matrix is a number%s, 0 or empty for no edge",
                    r->m.decimal == ',' ? " with a decimal comma (`decimal=point` otherwise)" : "");
    return WEFT_OK;
}

/* One row: what is there is counted, or taken.  *marks: nothing but 0 and 1. */
static weft_status take_row(reading *r, uint64_t row, wfi_record record, bool take, uint64_t *edges, bool *marks) {
    wfi_field f;
    int64_t vertex = (int64_t)row;
    weft_status st = WEFT_OK;
    int count = 0;
    if (r->m.before) {
        if (wfi_next_field(&record, &f) && take) st = vertex_of(r, &f, &vertex);
    } else if (r->m.above && take) {
        vertex = r->column[row]; /* row is below the number of columns */
    }
    for (; !st && wfi_next_field(&record, &f); count++) {
        wfi_weight weight;
        if (count == r->m.columns) return FAIL(r, f.text, "the row has more than %d numbers", r->m.columns);
        st = take_cell(r, &f, &weight);
        if (st || weight.value == 0) continue;
        ++*edges;
        *marks = *marks && weight.value == 1;
        if (!take) continue;
        st = wfi_collect(r->ctx, &r->collector, vertex, r->column[count]);
        if (!st && r->collector.weights) wfi_collect_weight(&r->collector, weight);
    }
    if (!st && count < r->m.columns)
        return FAIL(r, record.p, "the row has %d number%s, expected %d", count, count == 1 ? "" : "s", r->m.columns);
    return st;
}

static weft_status take_rows(reading *r, bool take, uint64_t *edges, bool *marks) {
    const char *at = r->first, *line;
    uint64_t rows = 0, n = (uint64_t)r->m.columns;
    weft_status st = WEFT_OK;
    while (!st && (line = wfi_next_data_line(&at, r->end, r->comments))) {
        wfi_record record = wfi_record_at(line, r->end, r->m.separator), whole = record;
        at = wfi_next_record(&whole);
        if (!r->m.before && rows == n)
            return FAIL(r, line, "more rows than the %llu columns that the matrix has", (wfi_ull)n);
        st = take_row(r, rows++, record, take, edges, marks);
        if (!st && rows % 64 == 0 && wfi_cancelled(r->ctx)) st = wfi_fail_cancelled(r->ctx);
    }
    if (!st && !r->m.before && rows < n)
        return FAIL(r, r->end, "the matrix has %llu columns, but %llu rows", (wfi_ull)n, (wfi_ull)rows);
    return st;
}

/* The names of the columns, if there are any: those above, or those before the rows in the same order.  And whether all
 * names are whole numbers. */
static weft_status find_heading(reading *r, const char *line, bool as_text) {
    wfi_field f;
    wfi_record record = wfi_record_at(line, r->end, r->m.separator), probe = record;
    int count = 0;
    r->first = line;
    r->names = as_text && (r->m.above || r->m.before);
    if (!r->m.above && !r->m.before) return WEFT_OK;
    if (wfi_alloc(r->ctx, &r->heading, (size_t)r->m.columns)) return WEFT_ENOMEM;
    if (r->m.above) {
        while (wfi_next_field(&probe, &f)) count++;
        r->first = probe.p < r->end ? probe.p + 1 : r->end;
        if (count > r->m.columns) wfi_next_field(&record, &f); /* the corner */
        for (; r->headings < r->m.columns; r->headings++) {
            if (!wfi_next_field(&record, &f)) return FAIL(r, record.p, "a name above each column was expected");
            r->heading[r->headings] = f;
            r->names = r->names || !wfi_field_is_integer(&f);
        }
    }
    const char *at = r->first;
    while (r->m.before && (line = wfi_next_data_line(&at, r->end, r->comments))) {
        record = wfi_record_at(line, r->end, r->m.separator);
        if (!wfi_next_field(&record, &f)) f = (wfi_field){.text = line};
        r->names = r->names || !wfi_field_is_integer(&f);
        if (r->headings < r->m.columns) r->heading[r->headings++] = f;
        at = wfi_next_record(&record);
    }
    return WEFT_OK;
}

/* The vertices of the columns.  Two columns of one vertex would be one. */
static weft_status find_columns(reading *r) {
    uint64_t *sorted = NULL;
    size_t n = (size_t)r->m.columns;
    weft_status st = wfi_alloc(r->ctx, &r->column, n);
    for (int i = 0; i < r->m.columns && !st; i++) {
        r->column[i] = i;
        if (r->heading && i >= r->headings)
            return FAIL(r, r->end, "the matrix has %d columns, but %d rows", r->m.columns, i);
        if (r->heading) st = vertex_of(r, &r->heading[i], &r->column[i]);
    }
    if (!st) st = wfi_alloc(r->ctx, &sorted, n);
    if (st) return st;
    memcpy(sorted, r->column, n * sizeof *sorted);
    st = wfi_sort_u64(r->ctx, sorted, n);
    if (!st && wfi_unique_u64(sorted, n) < n)
        st = FAIL(r, r->m.above ? r->heading[0].text : r->first, "two columns of this matrix have the same name");
    wfi_free(sorted);
    return st;
}

static weft_status read_matrix(reading *r, const weft_read_params *params, wfi_table *t) {
    uint64_t edges = 0;
    bool marks = true;
    weft_status st = wfi_collector_reset(r->ctx, &r->collector, 1, wfi_first_weight_type(params, true));
    if (!st) st = take_rows(r, false, &edges, &marks);
    if (!st && r->names) st = wfi_table_use_names(r->ctx, t, 1);
    if (!st && r->names) r->table = wfi_table_names(r->ctx, t, 0);
    if (!st && r->names && !r->table) st = WEFT_ENOMEM;
    bool weighted = params->weights == WEFT_WEIGHTS_REQUIRE || (params->weights == WEFT_WEIGHTS_AUTO && !marks);
    if (!st) st = find_columns(r);
    if (!st) st = wfi_collector_reset(r->ctx, &r->collector, edges + 1, wfi_first_weight_type(params, weighted));
    if (!st) st = take_rows(r, true, &edges, &marks);
    if (!st) st = wfi_collector_deliver(r->ctx, &r->collector, &t->edges, t->edges.count, 0);
    if (st) return st;
    t->format = "dense";
    if (!r->m.above && !r->m.before) {
        t->dense = true;
        t->vertices = (uint64_t)r->m.columns;
    } else if (!r->names) {
        for (int i = 0; i < r->m.columns && !st; i++) st = wfi_table_extra(r->ctx, t, r->column[i]);
    }
    return st ? st : wfi_table_settle(r->ctx, r->source, t, r->names, weighted, NULL);
}

weft_status wfi_matrix_gather(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, wfi_table *table) {
    reading r = {.ctx = ctx, .source = source, .comments = params->comments != WEFT_COMMENTS_NO};
    size_t bytes;
    char *copy = NULL;
    bool fits;
    if (wfi_source_sliced(source))
        return wfi_fail(ctx, WEFT_EINVAL, "%s: ranks share lists of edges, and this is a matrix; convert it first",
                        wfi_source_name(source));
    weft_status st = wfi_source_whole(ctx, source, &r.text, &bytes);
    if (!st && wfi_alloc(ctx, &copy, bytes + 1)) st = WEFT_ENOMEM; /* with a newline at its end */
    if (st) return st;
    memcpy(copy, r.text, bytes);
    copy[bytes] = '\n';
    r.text = copy;
    r.end = copy + bytes;
    const char *at = copy, *line = wfi_next_data_line(&at, r.end, r.comments);
    if (!line) {
        st = FAIL(&r, r.end, "expected a matrix, found the end of the file");
        goto done;
    }
    char separator =
        params->separator ? params->separator : wfi_find_separator(line, r.end, r.comments, params->decimal != ',');
    st = wfi_matrix_look(ctx, &(wfi_head){.line = line, .end = r.end, .comments = r.comments}, separator, &r.m, &fits);
    if (params->decimal) r.m.decimal = params->decimal;
    if (!st && r.m.columns < 1) st = FAIL(&r, line, "a matrix has as many columns as rows, but this row has no number");
    if (!st) st = find_heading(&r, line, params->ids == WEFT_READ_IDS_STRING);
    if (!st) st = read_matrix(&r, params, table);
    if (!st && r.m.half) {
        table->says_direction = true;
        table->directed = false;
        if (params->direction == WEFT_AS_FILE)
            wfi_note(ctx,
                     "%s: one half of the matrix is empty: the edges are undirected (`direction=directed` if they go "
                     "from rows to columns)",
                     wfi_source_name(source));
    }
done:
    wfi_collector_free(&r.collector);
    WFI_FREE(r.heading, r.column, copy);
    return st;
}
