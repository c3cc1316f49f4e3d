/* See cells.h.  Texts of cells are interned, so that a column takes four bytes a row until its type is known.  Then the
 * types are tried from the narrowest on, until all cells fit. */
#include "io/text/cells.h"
#include "attributes/attributes.h"
#include "io/stream/source.h"
#include "io/text/cell_values.h"
#include "stream/numbers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { POLL = 1 << 16, SHOWN = 40 };

typedef struct cell_column {
    uint32_t *text; /* by row: number in the pool plus 1; 0: missing */
    size_t room;
    unsigned types; /* of the cells that were put or declared, a bit each */
    unsigned table; /* the last table that claimed the column */
    uint32_t alias; /* number in the pool, plus 1, of the name that replaces the title; 0: none */
} cell_column;

struct wfi_cells {
    weft_ctx *ctx;
    const char *where;
    wfi_names *titles, *pool, *lost[WFI_LOST_KINDS]; /* lost: titles of the data that was passed over */
    cell_column *columns;
    size_t room;
    wfi_names *ids; /* of the rows; a row is numbered at its first cell */
    char *id;
    size_t id_length, id_room;
    bool begun; /* the row has a cell */
    uint32_t row;
    char decimal; /* of numbers; 0: not specified */
    unsigned table;
    const char *table_name;
    size_t rows_before; /* rows of the tables before this one */
};

weft_status wfi_cells_open(weft_ctx *ctx, const char *where, wfi_cells **out) {
    *out = wfi_take_zeroed(ctx, 1, sizeof **out);
    if (!*out) return WEFT_ENOMEM;
    (*out)->ctx = ctx;
    (*out)->where = where;
    return WEFT_OK;
}

void wfi_cells_decimal(wfi_cells *c, char decimal) { c->decimal = decimal; }

void wfi_cells_free(wfi_cells *c) {
    if (!c) return;
    for (size_t i = 0; c->titles && i < c->titles->count && i < c->room; i++) wfi_free(c->columns[i].text);
    wfi_free(c->columns);
    wfi_names_free(c->titles);
    wfi_names_free(c->pool);
    for (int kind = 0; kind < WFI_LOST_KINDS; kind++) wfi_names_free(c->lost[kind]);
    wfi_names_free(c->ids);
    wfi_free(c->id);
    wfi_free(c);
}

/* --- gathering -------------------------------------------------------------------------------------- */

/* Created on demand: a file without attributes needs none of them. */
static weft_status make_tables(wfi_cells *c) {
    if (!c->titles) c->titles = wfi_names_new(c->ctx);
    if (c->titles && !c->pool) c->pool = wfi_names_new(c->ctx);
    if (c->pool && !c->ids) c->ids = wfi_names_new(c->ctx);
    return c->ids ? WEFT_OK : WEFT_ENOMEM;
}

weft_status wfi_cells_column(wfi_cells *c, const char *title, size_t length, size_t *column) {
    uint32_t number;
    *column = WFI_NO_COLUMN;
    if (!length || length > WFI_COLUMN_NAME_MOST || memchr(title, '\0', length)) return WEFT_OK;
    if (make_tables(c)) return WEFT_ENOMEM;
    size_t before = c->room;
    if (WFI_ROOM(c->ctx, c->columns, c->titles->count, c->room, 16)) return WEFT_ENOMEM;
    if (c->room > before) memset(c->columns + before, 0, (c->room - before) * sizeof *c->columns);
    weft_status st = wfi_names_number(c->ctx, c->titles, title, length, &number);
    if (!st) *column = number;
    return st;
}

void wfi_cells_table(wfi_cells *c, const char *name) {
    c->table++;
    c->table_name = name;
    c->rows_before = c->ids ? c->ids->count : 0;
}

bool wfi_cells_claim(wfi_cells *c, size_t column) {
    bool first = c->columns[column].table != c->table;
    c->columns[column].table = c->table;
    return first;
}

void wfi_cells_declare(wfi_cells *c, size_t column, int type) {
    if (column != WFI_NO_COLUMN) c->columns[column].types |= 1u << type;
}

static const char *title_of(const wfi_cells *c, size_t column, size_t *length) {
    uint32_t alias = c->columns[column].alias;
    const wfi_names *from = alias ? c->pool : c->titles;
    size_t i = alias ? alias - 1 : column;
    *length = (size_t)(from->start[i + 1] - from->start[i]);
    return from->text + from->start[i];
}

/* The column of this name that has cells; the number of columns if there is none. */
static size_t find_column(const wfi_cells *c, const char *title, size_t length) {
    size_t i = 0, count = c->titles ? c->titles->count : 0, here;
    for (; i < count; i++) {
        const char *name = title_of(c, i, &here);
        if (c->columns[i].types && here == length && !memcmp(name, title, length)) break;
    }
    return i;
}

weft_status wfi_cells_row(wfi_cells *c, const char *id, size_t length) {
    c->begun = false;
    c->id_length = length;
    if (WFI_ROOM(c->ctx, c->id, length, c->id_room, 64)) return WEFT_ENOMEM;
    if (length) memcpy(c->id, id, length);
    return WEFT_OK;
}

static weft_status begin_row(wfi_cells *c) {
    weft_status st = wfi_names_number(c->ctx, c->ids, c->id_length ? c->id : "", c->id_length, &c->row);
    c->begun = !st;
    return st;
}

static bool is_space(char c) { return wfi_is_blank(c) || c == '\n'; }

/* The cell already has a text, and this is a second one. */
static weft_status put_again(wfi_cells *c, size_t column, const char *text, size_t length) {
    uint32_t there = c->columns[column].text[c->row] - 1;
    const char *before = c->pool->text + c->pool->start[there];
    size_t known = (size_t)(c->pool->start[there + 1] - c->pool->start[there]), titled;
    bool same = known == length && !memcmp(before, text, length);
    const char *title = title_of(c, column, &titled);
    if (same || c->row >= c->rows_before) return WEFT_OK;
    return wfi_fail(c->ctx, WEFT_EINPUT,
                    "%s: column '%.*s' of vertex '%.*s' is '%.*s', and '%.*s' in a table of vertices before",
                    c->table_name, (int)(titled < SHOWN ? titled : SHOWN), title,
                    (int)(c->id_length < SHOWN ? c->id_length : SHOWN), c->id, (int)(length < SHOWN ? length : SHOWN),
                    text, (int)(known < SHOWN ? known : SHOWN), before);
}

weft_status wfi_cells_put(wfi_cells *c, size_t column, int type, const char *text, size_t length) {
    if (column == WFI_NO_COLUMN) return WEFT_OK;
    cell_column *to = &c->columns[column];
    wfi_cells_declare(c, column, type);
    if (type != WEFT_ATTRIBUTE_TEXT) {
        bool as_it_is = type == WFI_CELL_BY_CONTENT; /* of a table: its blanks were in quotes */
        while (!as_it_is && length && is_space(*text)) text++, length--;
        while (!as_it_is && length && is_space(text[length - 1])) length--;
        if (!length) return WEFT_OK;
    }
    weft_status st = c->begun ? WEFT_OK : begin_row(c);
    size_t before = to->room;
    uint32_t number;
    if (!st) st = WFI_ROOM(c->ctx, to->text, c->row, to->room, 64);
    if (st) return st;
    if (to->room > before) memset(to->text + before, 0, (to->room - before) * sizeof *to->text);
    if (to->text[c->row]) return put_again(c, column, length ? text : "", length);
    st = wfi_names_number(c->ctx, c->pool, length ? text : "", length, &number);
    if (!st) to->text[c->row] = number + 1;
    return st;
}

bool wfi_cells_has(const wfi_cells *c, size_t column) {
    return c->begun && column != WFI_NO_COLUMN && c->row < c->columns[column].room && c->columns[column].text[c->row];
}

/* Is the column a copy of the ids, or of another column? */
static bool is_copy(const wfi_cells *c, const cell_column *column, const cell_column *of) {
    for (size_t row = 0; row < c->ids->count && row < column->room; row++) {
        uint32_t text = column->text[row];
        if (!text || (of && row < of->room && of->text[row] == text)) continue;
        text--;
        uint64_t id = c->ids->start[row], length = c->ids->start[row + 1] - id, from = c->pool->start[text];
        if (c->pool->start[text + 1] - from != length || memcmp(c->ids->text + id, c->pool->text + from, length))
            return false;
    }
    return true;
}

weft_status wfi_cells_rename(wfi_cells *c, const char *title, size_t length, const char *to, size_t to_length) {
    uint32_t number;
    size_t count = c->titles ? c->titles->count : 0, i = find_column(c, title, length);
    bool good = i < count && to_length && to_length <= WFI_COLUMN_NAME_MOST && !memchr(to, '\0', to_length) &&
                find_column(c, to, to_length) == count;
    if (!good) return WEFT_OK;
    weft_status st = wfi_names_number(c->ctx, c->pool, to, to_length, &number);
    if (!st) c->columns[i].alias = number + 1;
    return st;
}

weft_status wfi_cells_drop_copy(wfi_cells *c, const char *title, const char *other) {
    size_t column, of = WFI_NO_COLUMN;
    if (!c->titles) return WEFT_OK;
    weft_status st = wfi_cells_column(c, title, strlen(title), &column);
    if (!st && other) st = wfi_cells_column(c, other, strlen(other), &of);
    if (!st && is_copy(c, &c->columns[column], of == WFI_NO_COLUMN ? NULL : &c->columns[of]))
        c->columns[column].types = 0;
    return st;
}

weft_status wfi_cells_lose(wfi_cells *c, wfi_lost kind, const char *title, size_t length) {
    uint32_t number;
    if (!c->lost[kind] && !(c->lost[kind] = wfi_names_new(c->ctx))) return WEFT_ENOMEM;
    return wfi_names_number(c->ctx, c->lost[kind], length ? title : "", length, &number);
}

static void tell_lost(const wfi_cells *c, wfi_lost kind) {
    static const char *const words[] = {[WFI_LOST_LISTS] = "lists among the attributes of nodes",
                                        [WFI_LOST_SECONDS] = "second values among the attributes of nodes",
                                        [WFI_LOST_OF_EDGES] = "attributes of edges (`keep` keeps them)"};
    enum { LISTED = 12 };
    char list[LISTED * (SHOWN + 2)] = "", more[32] = "";
    const wfi_names *lost = c->lost[kind];
    size_t used = 0, count = lost ? lost->count : 0;
    for (size_t i = 0; i < count && i < LISTED; i++) {
        uint64_t length = lost->start[i + 1] - lost->start[i];
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%.*s", i ? ", " : "",
                                 (int)wfi_min_u64(length, SHOWN), lost->text + lost->start[i]);
    }
    if (count > LISTED) snprintf(more, sizeof more, " and %zu more", count - LISTED);
    if (count) wfi_note(c->ctx, "%s: passed over: %s: %s%s", c->where, words[kind], list, more);
}

/* --- columns -------------------------------------------------------------------------------------------- */

typedef struct settled {
    weft_attribute_type type;
    int form;
    char *name;
    char *values; /* by row */
    uint8_t *valid;
} settled;

static void store(settled *to, uint32_t row, uint32_t text, const wfi_cell_value *value) {
    switch (to->type) {
    case WEFT_ATTRIBUTE_WHOLE:
    case WEFT_ATTRIBUTE_TIME: ((int64_t *)to->values)[row] = value->i64; break;
    case WEFT_ATTRIBUTE_REAL: ((double *)to->values)[row] = value->f64; break;
    case WEFT_ATTRIBUTE_BOOL: ((uint8_t *)to->values)[row] = value->truth; break;
    case WEFT_ATTRIBUTE_TEXT: ((uint32_t *)to->values)[row] = text; break;
    }
}

/* Tries a type: *misfit is the first row with a cell that does not fit, or the number of rows. */
static weft_status try_type(wfi_cells *c, const cell_column *from, settled *to, wfi_cell_reading how,
                            uint32_t *misfit) {
    uint32_t rows = (uint32_t)c->ids->count;
    to->form = WFI_NO_FORM;
    for (*misfit = 0; *misfit < rows; ++*misfit) {
        uint32_t row = *misfit, text = row < from->room ? from->text[row] : 0;
        wfi_cell_value value = {0};
        if (row % POLL == 0 && wfi_cancelled(c->ctx)) return wfi_fail_cancelled(c->ctx);
        if (!text--) continue;
        const char *at = c->pool->text + c->pool->start[text];
        size_t length = (size_t)(c->pool->start[text + 1] - c->pool->start[text]);
        bool empty = !length && to->type != WEFT_ATTRIBUTE_TEXT;
        if (!empty && !wfi_cell_fits(at, length, to->type, how, &to->form, &value)) return WEFT_OK;
        if (empty) continue;
        store(to, row, text, &value);
        to->valid[row >> 3] |= (uint8_t)(1u << (row & 7));
    }
    return WEFT_OK;
}

static void note_misfit(const wfi_cells *c, size_t column, uint32_t row, weft_attribute_type type) {
    static const char *const words[] = {[WEFT_ATTRIBUTE_WHOLE] = "a whole number",
                                        [WEFT_ATTRIBUTE_REAL] = "a number",
                                        [WEFT_ATTRIBUTE_BOOL] = "true or false",
                                        [WEFT_ATTRIBUTE_TIME] = "a time"};
    size_t name, length;
    const char *title = title_of(c, column, &name);
    uint32_t text = c->columns[column].text[row] - 1;
    const char *at = c->pool->text + c->pool->start[text];
    length = (size_t)(c->pool->start[text + 1] - c->pool->start[text]);
    wfi_note(c->ctx, "%s: attribute '%.*s' of vertex '%.*s' is '%.*s', not %s as declared", c->where,
             (int)(name < SHOWN ? name : SHOWN), title,
             (int)wfi_min_u64(c->ids->start[row + 1] - c->ids->start[row], SHOWN), c->ids->text + c->ids->start[row],
             (int)(length < SHOWN ? length : SHOWN), at, words[type]);
}

static weft_status settle(wfi_cells *c, size_t column, settled *to) {
    const cell_column *from = &c->columns[column];
    weft_attribute_type steps[WFI_CELL_TYPES];
    size_t count = wfi_cell_ladder(from->types, steps), bits = (c->ids->count + 7) / 8;
    bool by_content = from->types == 1u << WFI_CELL_BY_CONTENT;
    wfi_cell_reading how = {
        .words = !by_content, .exact = from->types != 1u << WEFT_ATTRIBUTE_REAL, .decimal = c->decimal};
    uint32_t misfit = 0;
    to->values = wfi_take(c->ctx, c->ids->count, sizeof(wfi_cell_value));
    if (!to->values || wfi_alloc(c->ctx, &to->valid, bits)) return WEFT_ENOMEM;
    for (size_t i = by_content && !from->room ? count - 1 : 0; i < count; i++) { /* a column without cells is text */
        to->type = steps[i];
        memset(to->valid, 0, bits);
        memset(to->values, 0, c->ids->count * sizeof(wfi_cell_value));
        weft_status st = try_type(c, from, to, how, &misfit);
        if (st || misfit == c->ids->count) return st;
        if (!by_content && !i) note_misfit(c, column, misfit, to->type);
    }
    return WEFT_OK;
}

/* The row of each vertex, WEFT_NO_VERTEX if it has none. */
static weft_status find_rows(wfi_cells *c, const weft_graph *g, weft_vid *row) {
    const wfi_names *ids = c->ids;
    weft_vid *vertex;
    if (wfi_alloc(c->ctx, &vertex, ids->count)) return WEFT_ENOMEM;
#pragma omp parallel for schedule(dynamic, 1024) num_threads(wfi_threads_for(c->ctx, ids->count, 1 << 14))
    for (size_t i = 0; i < ids->count; i++)
        vertex[i] = wfi_cancelled(c->ctx)
                        ? WEFT_NO_VERTEX
                        : wfi_graph_find_id(g, ids->text + ids->start[i], (size_t)(ids->start[i + 1] - ids->start[i]));
    for (weft_vid v = 0; v < g->n; v++) row[v] = WEFT_NO_VERTEX;
    for (size_t i = 0; i < ids->count; i++)
        if (vertex[i] != WEFT_NO_VERTEX && row[vertex[i]] == WEFT_NO_VERTEX) row[vertex[i]] = (weft_vid)i;
    wfi_free(vertex);
    return wfi_cancelled(c->ctx) ? wfi_fail_cancelled(c->ctx) : WEFT_OK;
}

/* The values of a column, and its name. */
static weft_status settle_named(wfi_cells *c, size_t column, settled *to) {
    size_t length;
    const char *title = title_of(c, column, &length);
    if (!(to->name = wfi_take(c->ctx, length + 1, 1))) return WEFT_ENOMEM;
    memcpy(to->name, title, length);
    to->name[length] = '\0';
    return settle(c, column, to);
}

static wfi_column_source source_of(const wfi_cells *c, const settled *m, const weft_vid *row) {
    bool timed = m->type == WEFT_ATTRIBUTE_TIME && m->form != WFI_NO_FORM;
    return (wfi_column_source){.name = m->name,
                               .type = m->type,
                               .form = timed ? (weft_time_form)m->form : WEFT_TIME_DAY,
                               .values = m->values,
                               .valid = m->valid,
                               .starts = c->pool->start,
                               .text = c->pool->text,
                               .texts = c->pool->count,
                               .row = row};
}

static weft_status attach(wfi_cells *c, weft_graph *g, size_t count) {
    settled *made = NULL;
    weft_vid *row = NULL;
    wfi_column_source *from = NULL;
    size_t used = 0;
    wfi_progress(c->ctx, "reading attributes", 0, 0);
    weft_status st = wfi_alloc_zeroed(c->ctx, &made, count);
    if (!st) st = wfi_alloc(c->ctx, &row, g->n);
    if (!st) st = wfi_alloc(c->ctx, &from, count);
    if (!st) st = find_rows(c, g, row);
    for (size_t i = 0; i < count && !st; i++) {
        if (!c->columns[i].types) continue;
        st = settle_named(c, i, &made[i]);
        from[used++] = source_of(c, &made[i], row);
    }
    if (!st && used) st = wfi_vertex_data_replace(c->ctx, g, from, used);
    for (size_t i = 0; i < count && made; i++) {
        wfi_free(made[i].name);
        wfi_free(made[i].values);
        wfi_free(made[i].valid);
    }
    wfi_free(made);
    wfi_free(row);
    wfi_free(from);
    return st;
}

weft_status wfi_cells_attach(wfi_cells *c, weft_graph **g) {
    size_t count = c->titles ? c->titles->count : 0;
    weft_status st = count ? attach(c, *g, count) : WEFT_OK;
    for (int kind = 0; kind < WFI_LOST_KINDS && !st; kind++) tell_lost(c, (wfi_lost)kind);
    if (!st) return WEFT_OK;
    weft_graph_free(*g);
    *g = NULL;
    return st;
}
