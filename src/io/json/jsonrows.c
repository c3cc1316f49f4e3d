/* See jsonrows.h.  The next key of a row is mostly the next column: that is tried first, and the others only if it is
 * not. */
#include "io/json/jsonrows.h"
#include "stream/numbers.h"

#include <string.h>
#include <strings.h>

enum { MOST_COLUMNS = 10000 };
static const double OLDEST_TIME = 1e8; /* numbers from here on may be Unix times */

weft_status wfi_json_poll(wfi_json *j) {
    if (wfi_cancelled(j->ctx)) return wfi_fail_cancelled(j->ctx);
    if (j->start) wfi_progress(j->ctx, "checking", (uint64_t)(j->p - j->start), (uint64_t)(j->end - j->start));
    return WEFT_OK;
}

weft_status wfi_json_text(wfi_json *j, const wfi_json_value *v, wfi_text_room *room, const char **text,
                          size_t *length) {
    weft_status st = wfi_json_check(j, v);
    *text = v->at;
    *length = (size_t)(v->end - v->at);
    if (st || !v->escaped) return st;
    if (WFI_ROOM(j->ctx, room->text, *length, room->bytes, 64)) return WEFT_ENOMEM;
    *text = room->text;
    return wfi_json_unescape(j, v, room->text, length);
}

void wfi_json_rows_free(wfi_json_rows *r) {
    for (size_t i = 0; i < r->count; i++) wfi_free(r->owned[i]);
    wfi_free(r->column);
    wfi_free(r->owned);
    wfi_free(r->role);
    wfi_free(r->scratch.text);
    *r = (wfi_json_rows){0};
}

/* --- columns -------------------------------------------------------------------------------- */

static weft_status make_room(wfi_json_rows *r, wfi_json *j) {
    size_t room[] = {r->room, r->room};
    weft_status st = WFI_ROOM(j->ctx, r->column, r->count, room[0], 16);
    if (!st) st = WFI_ROOM(j->ctx, r->owned, r->count, room[1], 16);
    return st ? st : WFI_ROOM(j->ctx, r->role, r->count, r->room, 16);
}

weft_status wfi_json_rows_column(wfi_json_rows *r, wfi_json *j, const wfi_json_value *name) {
    if (r->count == MOST_COLUMNS)
        return wfi_json_wrong(j, name ? name->at : j->p, "more than 10000 columns: this is no table of edges");
    weft_status st = make_room(r, j);
    if (st) return st;
    wfi_column c = {.kind = WFI_COLUMN_EMPTY};
    char *owned = NULL;
    if (name) {
        st = wfi_json_text(j, name, &r->scratch, &c.name, &c.name_length);
        if (st) return st;
        if (name->escaped) {
            owned = wfi_take(j->ctx, c.name_length + 1, 1);
            if (!owned) return WEFT_ENOMEM;
            memcpy(owned, c.name, c.name_length);
            c.name = owned;
        }
    }
    r->column[r->count] = c;
    r->owned[r->count] = owned;
    r->role[r->count++] = WFI_JSON_NO_ROLE;
    return WEFT_OK;
}

/* The column of a key, the one after `before` if that fits; count: none. */
static inline size_t column_of(const wfi_json_rows *r, const wfi_json_value *key, size_t next) {
    if (next < r->count && wfi_json_is(key, r->column[next].name, r->column[next].name_length)) return next;
    for (size_t i = 0; i < r->count; i++)
        if (wfi_json_is(key, r->column[i].name, r->column[i].name_length)) return i;
    return r->count;
}

static bool is_direction(const wfi_json_value *v, const char *word) {
    size_t length = strlen(word);
    return (size_t)(v->end - v->at) == length && !strncasecmp(v->at, word, length);
}

static wfi_column_kind kind_of(const wfi_json_value *v) {
    if (v->kind == WFI_JSON_NULL) return WFI_COLUMN_EMPTY;
    if (v->kind == WFI_JSON_STRING)
        return is_direction(v, "Directed") || is_direction(v, "Undirected") ? WFI_COLUMN_DIRECTION : WFI_COLUMN_TEXT;
    if (v->kind != WFI_JSON_NUMBER) return WFI_COLUMN_TEXT;
    const char *p = v->at;
    double value;
    if (wfi_scan_f64(&p, &value) || value < OLDEST_TIME) return v->integer ? WFI_COLUMN_INTEGERS : WFI_COLUMN_NUMBERS;
    return WFI_COLUMN_TIMES;
}

static bool is_number(wfi_column_kind kind) {
    return kind == WFI_COLUMN_INTEGERS || kind == WFI_COLUMN_TIMES || kind == WFI_COLUMN_NUMBERS;
}

static wfi_column_kind join(wfi_column_kind a, wfi_column_kind b) {
    if (a == b || b == WFI_COLUMN_EMPTY) return a;
    if (a == WFI_COLUMN_EMPTY) return b;
    if (!is_number(a) || !is_number(b)) return WFI_COLUMN_TEXT;
    return a == WFI_COLUMN_NUMBERS || b == WFI_COLUMN_NUMBERS ? WFI_COLUMN_NUMBERS : WFI_COLUMN_INTEGERS;
}

void wfi_json_rows_sample(wfi_json_rows *r, size_t i, const wfi_json_value *v) {
    wfi_column *c = &r->column[i];
    c->kind = join(c->kind, kind_of(v));
    if (c->sample) return;
    c->sample = v->at;
    c->sample_length = (size_t)(v->end - v->at);
}

static weft_status look_at_object(wfi_json_rows *r, wfi_json *j) {
    wfi_json_value key, v;
    bool first = true;
    weft_status st;
    for (size_t next = 0; !(st = wfi_json_key(j, &first, &key)) && key.kind; next++) {
        size_t i = column_of(r, &key, next);
        if (i == r->count) st = wfi_json_rows_column(r, j, &key);
        if (!st) st = wfi_json_next(j, &v);
        if (st) return st;
        wfi_json_rows_sample(r, i, &v);
        next = i;
        st = wfi_json_skip(j, &v);
        if (st) return st;
    }
    return st;
}

static weft_status look_at_array(wfi_json_rows *r, wfi_json *j) {
    wfi_json_value v;
    bool first = true;
    weft_status st;
    for (size_t i = 0; !(st = wfi_json_item(j, &first, &v)) && v.kind; i++) {
        if (i == r->count && r->count && r->column[0].name)
            return wfi_json_wrong(j, wfi_json_place(&v), "this row has more values than there are columns");
        if (i == r->count) st = wfi_json_rows_column(r, j, NULL);
        if (st) return st;
        wfi_json_rows_sample(r, i, &v);
        st = wfi_json_skip(j, &v);
        if (st) return st;
    }
    return st;
}

static weft_status check_shape(const wfi_json_rows *r, wfi_json *j, const wfi_json_value *open) {
    if (open->kind == r->shape && open->kind >= WFI_JSON_OBJECT && open->kind <= WFI_JSON_ARRAY) return WEFT_OK;
    return wfi_json_wrongf(j, wfi_json_place(open), "a row of the table is %s, where %s was expected",
                           wfi_json_kind_name(open->kind),
                           r->shape ? wfi_json_kind_name(r->shape) : "an object or an array");
}

weft_status wfi_json_rows_look(wfi_json_rows *r, wfi_json *j, const wfi_json_value *open) {
    if (!r->shape && (open->kind == WFI_JSON_OBJECT || open->kind == WFI_JSON_ARRAY)) r->shape = open->kind;
    weft_status st = check_shape(r, j, open);
    if (st) return st;
    return open->kind == WFI_JSON_OBJECT ? look_at_object(r, j) : look_at_array(r, j);
}

/* Arrays of a number, a word and a number, and nothing said of the columns: the word may be a relation between the
 * others, as in a text table. */
static bool has_word_between(const wfi_json_rows *r, const weft_read_params *p) {
    if (r->count < 3 || r->column[0].name || p->source_col || p->target_col || p->weight_col) return false;
    const wfi_column_kind first = r->column[0].kind, third = r->column[2].kind;
    return (first == WFI_COLUMN_INTEGERS || first == WFI_COLUMN_TIMES) && r->column[1].kind == WFI_COLUMN_TEXT &&
           (third == WFI_COLUMN_INTEGERS || third == WFI_COLUMN_TIMES) && p->ids == WEFT_READ_IDS_AUTO;
}

weft_status wfi_json_rows_choose(wfi_json_rows *r, const wfi_columns_from *from, bool aloud, wfi_table_columns **kept) {
    const weft_read_params *params = from->params;
    *kept = NULL;
    r->choice = (wfi_columns){.from = *from, .column = r->column, .count = r->count, .fields = r->fields};
    weft_status st = wfi_columns_choose(&r->choice);
    if (!st && has_word_between(r, params))
        st = wfi_columns_refuse(&r->choice, WFI_ASK_ENDS,
                                "a word between two whole numbers, which may be a vertex or a relation");
    if (st) return st;
    const int chosen[WFI_JSON_ROLES] = {r->choice.source, r->choice.target, r->choice.weight, r->choice.direction};
    for (int i = 0; i < WFI_JSON_ROLES; i++)
        if (chosen[i] >= 0) r->role[chosen[i]] = (wfi_json_role)i;
    r->keys_may_come =
        params->source_col && params->target_col && (params->weight_col || params->weights == WEFT_WEIGHTS_IGNORE);
    return wfi_columns_say(&r->choice, aloud, kept);
}

/* --- rows ------------------------------------------------------------------------------------ */

/* A key that the first rows did not have.  One that would have been chosen must not be passed over in silence. */
static weft_status new_key(const wfi_json_rows *r, wfi_json *j, const wfi_json_value *key) {
    size_t length = (size_t)(key->end - key->at);
    if (r->keys_may_come || !wfi_is_column_name(key->at, length)) return WEFT_OK;
    return wfi_json_wrongf(
        j, key->at - 1,
        "the key \"%.*s\", which no row before has: say what counts with `source_col`, `target_col` and "
        "`weight_col` or `weights=ignore`",
        length < 24 ? (int)length : 24, key->at);
}

static weft_status missing(const wfi_json_rows *r, wfi_json *j, const wfi_json_value *open, int column, bool weight) {
    const wfi_column *c = &r->column[column];
    const char *hint = weight ? " (`weights=ignore` reads without weights)" : "";
    if (!c->name) return wfi_json_wrongf(j, open->at, "this row has no value %d%s", column + 1, hint);
    return wfi_json_wrongf(j, open->at, "this row has no \"%.*s\"%s", c->name_length < 40 ? (int)c->name_length : 40,
                           c->name, hint);
}

static inline weft_status take(const wfi_json_rows *r, wfi_json *j, size_t column, const wfi_json_value *v,
                               wfi_json_value values[WFI_JSON_ROLES], wfi_json_value *more) {
    wfi_json_role role = column < r->count ? r->role[column] : WFI_JSON_NO_ROLE;
    if (role != WFI_JSON_NO_ROLE) {
        if (values[role].kind) return wfi_json_wrong(j, wfi_json_place(v), "a second value for the same key");
        values[role] = *v;
    }
    if (more && column < (size_t)r->fields->columns && r->fields->field[column] >= 0)
        more[r->fields->field[column]] = *v;
    return v->kind <= WFI_JSON_ARRAY ? wfi_json_skip(j, v) : WEFT_OK;
}

static weft_status read_object(const wfi_json_rows *r, wfi_json *j, wfi_json_value values[WFI_JSON_ROLES],
                               wfi_json_value *more) {
    wfi_json_value key, v;
    bool first = true;
    weft_status st;
    for (size_t next = 0; !(st = wfi_json_key(j, &first, &key)) && key.kind; next++) {
        size_t i = column_of(r, &key, next);
        if (i == r->count)
            st = new_key(r, j, &key);
        else
            next = i;
        if (!st) st = wfi_json_next(j, &v);
        if (!st) st = take(r, j, i, &v, values, more);
        if (st) return st;
    }
    return st;
}

static weft_status read_array(const wfi_json_rows *r, wfi_json *j, wfi_json_value values[WFI_JSON_ROLES],
                              wfi_json_value *more) {
    wfi_json_value v;
    bool first = true;
    weft_status st;
    for (size_t i = 0; !(st = wfi_json_item(j, &first, &v)) && v.kind; i++) {
        if (i == r->count) return wfi_json_wrong(j, wfi_json_place(&v), "this row has more values than those before");
        st = take(r, j, i, &v, values, more);
        if (st) return st;
    }
    return st;
}

weft_status wfi_json_rows_read(const wfi_json_rows *r, wfi_json *j, const wfi_json_value *open,
                               wfi_json_value values[WFI_JSON_ROLES], wfi_json_value *more) {
    for (int i = 0; i < WFI_JSON_ROLES; i++) values[i].kind = WFI_JSON_NONE;
    for (size_t i = 0; more && i < r->fields->count; i++) more[i].kind = WFI_JSON_NONE;
    weft_status st = check_shape(r, j, open);
    if (!st) st = open->kind == WFI_JSON_OBJECT ? read_object(r, j, values, more) : read_array(r, j, values, more);
    if (st) return st;
    if (!values[WFI_JSON_SOURCE].kind) return missing(r, j, open, r->choice.source, false);
    if (!values[WFI_JSON_TARGET].kind) return missing(r, j, open, r->choice.target, false);
    if (r->choice.weight >= 0 && !values[WFI_JSON_WEIGHT].kind) return missing(r, j, open, r->choice.weight, true);
    if (r->choice.direction >= 0 && !values[WFI_JSON_DIRECTION].kind)
        return missing(r, j, open, r->choice.direction, false);
    return WEFT_OK;
}

/* --- ids --------------------------------------------------------------------------------------- */

static bool is_plain_integer(const char *text, size_t length) {
    if (length && *text == '-') text++, length--;
    if (!length || (*text == '0' && length > 1)) return false;
    for (size_t i = 0; i < length; i++)
        if (text[i] < '0' || text[i] > '9') return false;
    return true;
}

/* 7.0 is 7: the digits before the point, if there are only zeros behind it; 0: no whole number. */
static size_t whole_digits(const wfi_json_value *v) {
    const char *p = v->at;
    while (p < v->end && *p != '.' && *p != 'e' && *p != 'E') p++;
    size_t length = (size_t)(p - v->at);
    if (p < v->end && *p != '.') return 0;
    for (p++; p < v->end; p++)
        if (*p != '0') return 0;
    return length;
}

weft_status wfi_json_id(wfi_json *j, const wfi_json_value *v, const char *what, wfi_text_room *room,
                        wfi_json_name *name) {
    if (v->kind == WFI_JSON_STRING) {
        weft_status st = wfi_json_text(j, v, room, &name->text, &name->length);
        name->form = !st && is_plain_integer(name->text, name->length) ? WFI_JSON_QUOTED : WFI_JSON_NAME;
        return st;
    }
    if (v->kind == WFI_JSON_ARRAY)
        return wfi_json_wrongf(
            j, v->at, "the %s is an array: an id is a number or a string (NetworkX: convert_node_labels_to_integers)",
            what);
    if (v->kind != WFI_JSON_NUMBER)
        return wfi_json_wrongf(j, v->at, "the %s is %s: an id is a whole number or a string", what,
                               wfi_json_kind_name(v->kind));
    *name = (wfi_json_name){v->at, v->integer ? (size_t)(v->end - v->at) : whole_digits(v), WFI_JSON_BARE};
    if (!name->length)
        return wfi_json_wrongf(j, v->at, "the %s is %.*s: an id is a whole number or a string", what,
                               v->end - v->at < 40 ? (int)(v->end - v->at) : 40, v->at);
    if (name->length == 2 && !memcmp(name->text, "-0", 2)) *name = (wfi_json_name){"0", 1, WFI_JSON_BARE};
    return WEFT_OK;
}

weft_status wfi_json_check_weight(wfi_json *j, const wfi_json_value *v) {
    if (v->kind == WFI_JSON_NUMBER) return WEFT_OK;
    return wfi_json_wrongf(j, wfi_json_place(v),
                           "the weight is %s, where a number was expected (`weights=ignore` reads without weights)",
                           wfi_json_kind_name(v->kind));
}

weft_status wfi_json_cell(wfi_json *j, const wfi_json_value *v, wfi_text_room *room, wfi_cell_text *cell, int *type) {
    *cell = (wfi_cell_text){0};
    *type = WFI_CELL_BY_CONTENT;
    switch (v->kind) {
    case WFI_JSON_NONE:
    case WFI_JSON_NULL: return WEFT_OK;
    case WFI_JSON_NUMBER: *cell = (wfi_cell_text){v->at, (size_t)(v->end - v->at)}; return WEFT_OK;
    case WFI_JSON_TRUE: *cell = (wfi_cell_text){"true", 4}; return WEFT_OK;
    case WFI_JSON_FALSE: *cell = (wfi_cell_text){"false", 5}; return WEFT_OK;
    case WFI_JSON_STRING: *type = WEFT_ATTRIBUTE_TIME; return wfi_json_text(j, v, room, &cell->text, &cell->length);
    default:
        return wfi_json_wrongf(j, wfi_json_place(v),
                               "%s, where a column of edges has a number, a string, true or false",
                               wfi_json_kind_name(v->kind));
    }
}

weft_status wfi_json_direction(wfi_json *j, const wfi_json_value *v, bool *directed) {
    *directed = v->kind == WFI_JSON_STRING && is_direction(v, "Directed");
    if (*directed || (v->kind == WFI_JSON_STRING && is_direction(v, "Undirected"))) return WEFT_OK;
    return wfi_json_wrong(
        j, wfi_json_place(v),
        "expected \"Directed\" or \"Undirected\", as in the rows before (or say `direction=directed`)");
}
