/* Tables of edges in a JSON document: an array of rows (pandas' orient="records", "values", "split", "table"), or an
 * object of columns (orient="columns", or arrays side by side).  The ends of the edges are the vertices. */
#include "io/json/jsondoc.h"

#include <string.h>

static uint64_t line_of(const wfi_json_doc *d, const char *at) {
    uint64_t line = 1;
    for (const char *p = d->text; (p = memchr(p, '\n', (size_t)(at - p))); p++) line++;
    return line;
}

static weft_status choose(wfi_json_doc *d, wfi_json_rows *r, const char *at) {
    wfi_columns_from from = {d->ctx, d->source, &d->params, line_of(d, at)};
    return wfi_json_rows_choose(r, &from, true, &d->kept);
}

static weft_status add_edge(wfi_json_doc *d, const wfi_json_value v[WFI_JSON_ROLES], const char *at) {
    bool directed;
    weft_status st = wfi_json_doc_edge(d, &v[WFI_JSON_SOURCE], &v[WFI_JSON_TARGET], at);
    if (!st && v[WFI_JSON_WEIGHT].kind) st = wfi_json_doc_weight(d, &v[WFI_JSON_WEIGHT]);
    if (st || !v[WFI_JSON_DIRECTION].kind) return st;
    st = wfi_json_direction(&d->j, &v[WFI_JSON_DIRECTION], &directed);
    if (!st) wfi_listing_direction(&d->listing, directed);
    return st;
}

static weft_status add_values(wfi_json_doc *d, const wfi_json_value *more) {
    weft_status st = WEFT_OK;
    for (size_t i = 0; more && i < d->listing.fields->count && !st; i++) st = wfi_json_doc_value(d, i, &more[i]);
    return st;
}

static weft_status warn_empty(const wfi_json_doc *d) {
    wfi_warn(d->ctx, "%s: no edges", wfi_source_name(d->source));
    return WEFT_OK;
}

/* --- rows -------------------------------------------------------------------------------------- */

static weft_status take_names(wfi_json_doc *d, wfi_json_rows *r, const wfi_json_value *names) {
    wfi_json_value v;
    bool first = true;
    weft_status st;
    d->j.p = names->end;
    while (!(st = wfi_json_doc_item(d, &first, &v)) && v.kind) {
        if (v.kind != WFI_JSON_STRING)
            return wfi_json_wrongf(&d->j, v.at, "the name of a column is %s, where a string was expected",
                                   wfi_json_kind_name(v.kind));
        st = wfi_json_rows_column(r, &d->j, &v);
        if (st) return st;
    }
    r->shape = WFI_JSON_ARRAY;
    return st;
}

/* As much as readers of lines see of a file. */
static weft_status look(wfi_json_doc *d, wfi_json_rows *r, const wfi_json_value *rows, const char **first_row) {
    wfi_json_value v;
    bool first = true;
    weft_status st = WEFT_OK;
    d->j.p = rows->end;
    *first_row = NULL;
    while (d->j.p - rows->end < WFI_HEAD_BYTES && !(st = wfi_json_doc_item(d, &first, &v)) && v.kind) {
        if (!*first_row) *first_row = v.at;
        st = wfi_json_rows_look(r, &d->j, &v);
        if (st) return st;
    }
    return st;
}

weft_status wfi_json_table_read(wfi_json_doc *d, const wfi_json_value *rows, const wfi_json_value *names) {
    wfi_json_rows r = {.fields = d->listing.fields};
    wfi_json_value row, v[WFI_JSON_ROLES], *more = NULL;
    const char *first_row;
    bool first = true;
    weft_status st = names->kind ? take_names(d, &r, names) : WEFT_OK;
    d->listing.ends_declare = true;
    if (!st) st = look(d, &r, rows, &first_row);
    if (!st && !first_row) {
        st = warn_empty(d);
        goto done;
    }
    if (!st) st = choose(d, &r, first_row);
    if (!st && r.fields) st = wfi_alloc(d->ctx, &more, r.fields->count);
    if (st) goto done;
    d->j.p = rows->end;
    while (!(st = wfi_json_doc_item(d, &first, &row)) && row.kind) {
        st = wfi_json_rows_read(&r, &d->j, &row, v, more);
        if (!st) st = add_edge(d, v, row.at);
        if (!st) st = add_values(d, more);
        if (st) break;
    }
done:
    wfi_free(more);
    wfi_json_rows_free(&r);
    return st;
}

/* --- columns ------------------------------------------------------------------------------------ */

/* A column while it is read. */
typedef struct series {
    wfi_json j;
    wfi_json_kind kind; /* OBJECT or ARRAY; NONE: there is no such column */
    bool first;
    wfi_json_value key, value;
} series;

static weft_status series_next(series *s) {
    if (s->kind == WFI_JSON_ARRAY) {
        weft_status st = wfi_json_item(&s->j, &s->first, &s->value);
        return st ? st : wfi_json_skip(&s->j, &s->value);
    }
    weft_status st = wfi_json_key(&s->j, &s->first, &s->key);
    s->value = s->key;
    if (!st && s->key.kind) st = wfi_json_next(&s->j, &s->value);
    return st ? st : wfi_json_skip(&s->j, &s->value);
}

/* An error of the column becomes one of the document. */
static weft_status series_fail(wfi_json_doc *d, const series *s, weft_status st) {
    if (st == WEFT_EINPUT) st = wfi_json_wrongf(&d->j, s->j.at, "%s", s->j.why);
    return st;
}

/* Names and places of the columns, with the first value of each. */
static weft_status find_columns(wfi_json_doc *d, wfi_json_rows *r, const wfi_json_value *object,
                                wfi_json_value **places) {
    wfi_json_value key, v;
    bool first = true;
    size_t room = 0;
    weft_status st;
    d->j.p = object->end;
    while (!(st = wfi_json_key(&d->j, &first, &key)) && key.kind) {
        st = wfi_json_next(&d->j, &v);
        if (!st) st = wfi_json_rows_column(r, &d->j, &key);
        if (st) return st;
        if (WFI_ROOM(d->ctx, *places, r->count - 1, room, 16)) return WEFT_ENOMEM;
        (*places)[r->count - 1] = v;
        series s = {.j = d->j, .kind = v.kind, .first = true};
        st = series_next(&s);
        if (st) return series_fail(d, &s, st);
        if (s.value.kind) wfi_json_rows_sample(r, r->count - 1, &s.value);
        st = wfi_json_skip(&d->j, &v);
        if (st) return st;
    }
    return st;
}

static weft_status check_row(wfi_json_doc *d, const series *a, const series *b) {
    if (!a->value.kind != !b->value.kind)
        return wfi_json_wrong(&d->j, b->value.at, "the columns have different numbers of rows");
    size_t length = (size_t)(a->key.end - a->key.at);
    if (a->kind == WFI_JSON_OBJECT && a->key.kind &&
        (length != (size_t)(b->key.end - b->key.at) || memcmp(a->key.at, b->key.at, length)))
        return wfi_json_wrong(
            &d->j, b->key.at,
            "the columns have different keys for their rows: orient=\"records\" makes a table that Weft reads");
    return WEFT_OK;
}

static weft_status read_rows(wfi_json_doc *d, series column[WFI_JSON_ROLES]) {
    for (;;) {
        wfi_json_value v[WFI_JSON_ROLES] = {0};
        if (++d->items % 4096 == 0 && wfi_cancelled(d->ctx)) return wfi_fail_cancelled(d->ctx);
        for (int i = 0; i < WFI_JSON_ROLES; i++) {
            if (!column[i].kind) continue;
            weft_status st = series_next(&column[i]);
            st = st ? series_fail(d, &column[i], st) : check_row(d, &column[0], &column[i]);
            if (st) return st;
            v[i] = column[i].value;
        }
        if (!v[WFI_JSON_SOURCE].kind) return WEFT_OK;
        weft_status st = add_edge(d, v, v[WFI_JSON_SOURCE].at);
        if (st) return st;
    }
}

weft_status wfi_json_columns_read(wfi_json_doc *d, const wfi_json_value *object) {
    wfi_json_rows r = {0};
    wfi_json_value *places = NULL;
    series column[WFI_JSON_ROLES] = {0};
    d->listing.ends_declare = true;
    if (d->listing.fields)
        return wfi_json_wrong(&d->j, object->at,
                              "`keep` and `edges_where` go with rows, and this is an object of columns: "
                              "orient=\"records\" makes a table that Weft reads");
    weft_status st = find_columns(d, &r, object, &places);
    if (!st) st = choose(d, &r, object->at);
    if (st) goto done;
    for (size_t i = 0; i < r.count; i++) {
        if (r.role[i] == WFI_JSON_NO_ROLE) continue;
        series *s = &column[r.role[i]];
        *s = (series){.j = d->j, .kind = places[i].kind, .first = true};
        s->j.p = places[i].end;
        if (s->kind != places[r.choice.source].kind) {
            st = wfi_json_wrong(&d->j, places[i].at, "one column is an array and another an object");
            goto done;
        }
    }
    st = read_rows(d, column);
    if (!st && !d->listing.edge_count) st = warn_empty(d);
done:
    wfi_json_rows_free(&r);
    wfi_free(places);
    return st;
}
