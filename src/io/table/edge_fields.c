/* See edge_fields.h. */
#include "io/table/edge_fields.h"

#include <stdio.h>
#include <string.h>

static weft_status read_keep(weft_ctx *ctx, const char *list, wfi_edge_fields *f) {
    uint32_t number;
    weft_status st = WEFT_OK;
    for (const char *p = list && *list ? list : NULL; p && !st;) { /* "": none */
        size_t length = strcspn(p, ",");
        if (!length) return wfi_fail(ctx, WEFT_EINVAL, "`keep` names columns of edges, as in amount,date");
        st = wfi_names_number(ctx, f->names, p, length, &number);
        p = p[length] ? p + length + 1 : NULL;
    }
    f->kept = f->names->count;
    return st;
}

/* columns: the table has a column called true or false. */
static weft_status open_fields(weft_ctx *ctx, const weft_read_params *params, bool columns, wfi_edge_fields *f) {
    f->params = params;
    if (!(f->names = wfi_names_new(ctx))) return WEFT_ENOMEM;
    weft_status st = read_keep(ctx, params->keep, f);
    if (!st && params->edges_where)
        st = wfi_edges_where_read(ctx, params->edges_where, f->names, columns, &f->condition);
    if (st) return st;
    f->count = f->names->count;
    if (wfi_alloc(ctx, &f->rule, f->kept) || wfi_alloc_zeroed(ctx, &f->types, f->count) ||
        wfi_alloc(ctx, &f->column, f->count))
        return WEFT_ENOMEM;
    return wfi_edge_rules_read(ctx, params->merge, f->names, f->kept, f->rule);
}

weft_status wfi_edge_fields_open(weft_ctx *ctx, const weft_read_params *params, wfi_edge_fields **out) {
    *out = NULL;
    if ((!params->keep || !*params->keep) && !params->edges_where)
        return params->merge
                   ? wfi_fail(ctx, WEFT_EINVAL, "`merge` has rules for columns that `keep` names; there is none")
                   : WEFT_OK;
    wfi_edge_fields *f = wfi_take_zeroed(ctx, 1, sizeof *f);
    if (!f) return WEFT_ENOMEM;
    weft_status st = open_fields(ctx, params, false, f);
    if (st)
        wfi_edge_fields_free(f);
    else
        *out = f;
    return st;
}

static void free_words(wfi_edge_fields *f) {
    wfi_names_free(f->names);
    WFI_FREE(f->condition, f->rule, f->types, f->column);
    f->names = NULL;
    f->condition = NULL;
    f->rule = NULL;
    f->types = NULL;
    f->column = NULL;
}

void wfi_edge_fields_free(wfi_edge_fields *f) {
    if (!f) return;
    free_words(f);
    wfi_names_free(f->titles);
    WFI_FREE(f->field, f->asks);
    wfi_free(f);
}

/* In a table with a column called true or false these words are columns, as in conditions on vertices. */
static weft_status read_again(weft_ctx *ctx, const wfi_columns *columns, wfi_edge_fields *f) {
    bool called = false;
    for (size_t i = 0; i < columns->count; i++) {
        const wfi_column *c = &columns->column[i];
        called = called || (c->name && c->name_length == 4 && !memcmp(c->name, "true", 4)) ||
                 (c->name && c->name_length == 5 && !memcmp(c->name, "false", 5));
    }
    if (!called || !f->condition || !f->condition->truths) return WEFT_OK;
    free_words(f);
    return open_fields(ctx, f->params, true, f);
}

bool wfi_value_is_weight(const weft_read_params *params) {
    for (const char *p = params->keep; p && *p; p += *p == ',') {
        size_t length = strcspn(p, ",");
        if (length == 5 && !memcmp(p, "value", length)) return false;
        p += length;
    }
    return true;
}

void wfi_note_value_is_weight(weft_ctx *ctx, const wfi_source *source) {
    wfi_note(ctx, "%s: the weight of an edge is its \"value\" (`keep=value` makes it a column)",
             wfi_source_name(source));
}

/* The title, or what the caller calls it where there is none; by the number of the field. */
static weft_status entitle(weft_ctx *ctx, const wfi_columns *columns, wfi_edge_fields *f) {
    if (f->titles) return WEFT_OK;
    if (!(f->titles = wfi_names_new(ctx))) return WEFT_ENOMEM;
    weft_status st = WEFT_OK;
    for (size_t i = 0; i < f->kept && !st; i++) {
        const wfi_column *c = &columns->column[f->column[i]];
        const char *title = c->name_length ? c->name : f->names->text + f->names->start[i];
        size_t length = c->name_length ? c->name_length : (size_t)(f->names->start[i + 1] - f->names->start[i]);
        uint32_t number;
        if (length > WFI_COLUMN_NAME_MOST || memchr(title, '\0', length))
            st = wfi_fail(ctx, WEFT_EINPUT, "the name of a column of edges has a NUL or more than 65535 bytes");
        if (!st) st = wfi_names_number(ctx, f->titles, title, length, &number);
        if (!st && number != i)
            st = wfi_fail(ctx, WEFT_EINPUT, "two columns of edges are called '%.*s'", (int)wfi_min_u64(length, 40),
                          title);
    }
    if (!st) return WEFT_OK;
    wfi_names_free(f->titles); /* a second attempt starts without them */
    f->titles = NULL;
    return st;
}

weft_status wfi_edge_fields_find(weft_ctx *ctx, const wfi_source *source, const wfi_columns *columns,
                                 wfi_edge_fields *f) {
    weft_status st = read_again(ctx, columns, f);
    if (st) return st;
    wfi_free(f->field);
    if (wfi_alloc(ctx, &f->field, columns->count)) return WEFT_ENOMEM;
    f->columns = (int)columns->count;
    f->last = -1;
    for (size_t c = 0; c < columns->count; c++) f->field[c] = -1;
    for (size_t i = 0; i < f->count && !st; i++) {
        char name[256];
        snprintf(name, sizeof name, "%.*s", (int)wfi_min_u64(f->names->start[i + 1] - f->names->start[i], 255),
                 f->names->text + f->names->start[i]);
        st = wfi_columns_find(columns, i < f->kept ? "`keep`" : "`edges_where`", name, &f->column[i]);
        if (st) return st;
        int *field = &f->field[f->column[i]];
        if (*field >= 0)
            return wfi_fail(ctx, WEFT_EINVAL, "%s: one column of edges is called by two names; the second is '%s'",
                            wfi_source_name(source), name);
        *field = (int)i;
        if (f->column[i] > f->last) f->last = f->column[i];
    }
    return entitle(ctx, columns, f);
}

bool wfi_edge_fields_keep(const wfi_edge_fields *f, int column) {
    return f && f->field[column] >= 0 && (size_t)f->field[column] < f->kept;
}

weft_status wfi_edge_fields_settle(weft_ctx *ctx, const wfi_source *source, wfi_edge_fields *f, wfi_edges *edges) {
    if (!f) return WEFT_OK;
    if (f->condition)
        wfi_note(ctx, "%s: edges left out by the condition: %llu", wfi_source_name(source),
                 (unsigned long long)f->left_out);
    if (!f->kept || !f->titles) return WEFT_OK;
    return wfi_edge_cells_settle(ctx, edges, &f->titles, f->kept, f->types, f->rule, f->decimal);
}
