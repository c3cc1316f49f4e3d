/* NumPy .npy, reading: an array of edges.
 * Two-dimensional arrays of integers of m x 2 (a row is an edge) or 2 x m (sources, then targets: PyG's edge_index); a
 * structured array is a table whose fields are columns, and so is a wider array if flags say which columns to take.
 * Needs: the file mapped, or all its bytes.  Elements are converted to edges in parallel. */
#include "io/array/array.h"
#include "io/io.h"
#include "io/text/words.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct reader {
    weft_ctx *ctx;
    wfi_source *source;
    const weft_read_params *params;
    wfi_table *table;
    wfi_array array;
} reader;

/* --- as a table ------------------------------------------------------------------------- */

typedef struct described {
    wfi_column column[WFI_NPY_FIELDS];
    char sample[WFI_NPY_FIELDS][32];
} described;

static void describe(described *d, size_t i, const wfi_lane *l) {
    wfi_column *c = &d->column[i];
    bool number = wfi_is_integer(&l->type) || l->type.kind == WFI_FLOAT;
    c->kind = !number ? WFI_COLUMN_TEXT : l->type.kind == WFI_FLOAT ? WFI_COLUMN_NUMBERS : WFI_COLUMN_INTEGERS;
    int64_t whole;
    double real;
    if (number && l->count && wfi_is_integer(&l->type) && wfi_lane_integers(l, 0, 1, &whole) == 1) {
        c->sample_length = (size_t)snprintf(d->sample[i], sizeof d->sample[i], "%" PRId64, whole);
    } else if (number && l->count) {
        wfi_lane_doubles(l, 0, 1, &real);
        c->sample_length = (size_t)snprintf(d->sample[i], sizeof d->sample[i], "%g", real);
    } else {
        c->sample_length = (size_t)snprintf(d->sample[i], sizeof d->sample[i], "(%s)", l->type.text);
    }
    c->sample = d->sample[i];
}

static wfi_lane lane_at(const reader *r, int i) {
    return r->array.npy.field_count ? wfi_lane_field(&r->array, (size_t)i) : wfi_lane_column(&r->array, (uint64_t)i);
}

static weft_status take_columns(reader *r, const wfi_columns *columns) {
    wfi_lane lanes[3];
    weft_weight_type type = WEFT_WEIGHT_NONE;
    uint64_t zeros;
    const int which[] = {columns->source, columns->target};
    for (int k = 0; k < 2; k++) {
        lanes[k] = lane_at(r, which[k]);
        if (wfi_is_integer(&lanes[k].type)) continue;
        char reason[160];
        snprintf(reason, sizeof reason,
                 "column %d has the type '%s': the ends of edges are whole numbers (.astype('int64'))", which[k] + 1,
                 lanes[k].type.text);
        return wfi_columns_refuse(columns, WFI_ASK_NOTHING, reason);
    }
    weft_status st = WEFT_OK;
    if (columns->weight >= 0) {
        lanes[2] = lane_at(r, columns->weight);
        st = wfi_lane_weight_type(r->ctx, &lanes[2], wfi_reads_doubles(r->params), &type, &zeros);
    }
    wfi_table_columns *kept = NULL;
    if (!st) st = wfi_columns_say(columns, !r->table->parts, &kept);
    if (!st) st = wfi_table_settle(r->ctx, r->source, r->table, false, columns->weight >= 0, kept);
    if (st) return st;
    return wfi_edges_from_lanes(r->ctx, &r->table->edges, &lanes[0], &lanes[1], columns->weight >= 0 ? &lanes[2] : NULL,
                                type);
}

/* refuse: the reason why columns cannot be chosen without flags, or NULL if they can. */
static weft_status read_table(reader *r, const char *refuse) {
    wfi_array *a = &r->array;
    described d;
    memset(&d, 0, sizeof d);
    wfi_columns columns = {.from = {r->ctx, r->source, r->params, 1},
                           .column = d.column,
                           .count = a->npy.field_count ? a->npy.field_count : (size_t)a->npy.shape[1]};
    for (size_t i = 0; i < columns.count; i++) {
        wfi_lane l = lane_at(r, (int)i);
        describe(&d, i, &l);
        if (!a->npy.field_count) continue;
        d.column[i].name = a->npy.fields[i].name;
        d.column[i].name_length = a->npy.fields[i].name_length;
    }
    if (refuse) return wfi_columns_refuse(&columns, WFI_ASK_ENDS, refuse);
    weft_status st = wfi_columns_choose(&columns);
    return st ? st : take_columns(r, &columns);
}

/* --- as pairs ---------------------------------------------------------------------------- */

static weft_status read_pairs(reader *r) {
    const wfi_array *a = &r->array;
    bool rows = a->npy.shape[1] == 2; /* a row is an edge */
    wfi_lane u = rows ? wfi_lane_column(a, 0) : wfi_lane_row(a, 0),
             v = rows ? wfi_lane_column(a, 1) : wfi_lane_row(a, 1);
    weft_status st = wfi_check_weights_wish(r->ctx, r->source, r->params, false,
                                            "a field named weight of a structured array would be one");
    if (!st && !r->table->parts)
        wfi_note(r->ctx, "%s: an array of %llu \u00d7 %llu: %s", wfi_source_name(r->source), (wfi_ull)a->npy.shape[0],
                 (wfi_ull)a->npy.shape[1],
                 rows ? "a row is an edge" : "the first row holds the sources, the second the targets");
    if (!st) st = wfi_table_settle(r->ctx, r->source, r->table, false, false, NULL);
    return st ? st : wfi_edges_from_lanes(r->ctx, &r->table->edges, &u, &v, NULL, WEFT_WEIGHT_NONE);
}

static weft_status read_array(reader *r) {
    const wfi_array *a = &r->array;
    const weft_read_params *p = r->params;
    bool flags = p->source_col || p->target_col || p->weight_col;
    if (a->npy.field_count) {
        if (a->npy.dimensions == 1) return read_table(r, NULL);
        return wfi_array_fail(a, a->npy.start, "a structured array of %u dimensions, expected one", a->npy.dimensions);
    }
    if (a->npy.dimensions != 2)
        return wfi_array_fail(a, a->npy.start,
                              "an array of %u dimension%s: edges are an array of m \u00d7 2 or 2 \u00d7 m",
                              a->npy.dimensions, a->npy.dimensions == 1 ? "" : "s");
    bool square = a->npy.shape[0] == a->npy.shape[1] && a->npy.shape[0] > 2;
    if (!wfi_is_integer(&a->npy.type))
        return wfi_array_fail(a, a->npy.start, "an array of type '%s': the ends of edges are whole numbers (%s)",
                              a->npy.type.text,
                              square ? "an adjacency matrix: scipy.sparse.save_npz" : ".astype('int64')");
    if (flags && a->npy.shape[1] >= 2 && a->npy.shape[1] <= WFI_NPY_FIELDS) return read_table(r, NULL);
    if (a->npy.shape[0] == 2 && a->npy.shape[1] == 2)
        return read_table(
            r, "an array of 2 \u00d7 2 may hold its edges as rows or as columns (edge_index): these flags take the "
               "rows; for the columns save it transposed (.T)");
    if (a->npy.shape[0] == 2 || a->npy.shape[1] == 2) return read_pairs(r);
    if (a->npy.shape[1] >= 3 && a->npy.shape[1] <= 8 && a->npy.shape[0])
        return read_table(r, "an array with more than two columns, and no names that identify the ends of the edges");
    return wfi_array_fail(a, a->npy.start,
                          "an array of %llu \u00d7 %llu: edges are an array of m \u00d7 2 or 2 \u00d7 m%s",
                          (wfi_ull)a->npy.shape[0], (wfi_ull)a->npy.shape[1],
                          square ? " (an adjacency matrix: scipy.sparse.save_npz)" : "");
}

weft_status wfi_gather_npy(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, wfi_table *table) {
    reader r = {.ctx = ctx, .source = source, .params = params, .table = table};
    wfi_array_origin origin = {.ctx = ctx, .file = wfi_source_name(source)};
    wfi_content content;
    weft_status st = wfi_content_open(ctx, source, &content);
    if (st) return st;
    st = wfi_array_read(&origin, content.data, content.bytes, &r.array);
    if (!st) st = read_array(&r);
    wfi_content_close(&content);
    return st;
}

int wfi_sniff_npy(const char *head, size_t bytes) { return bytes >= 6 && !memcmp(head, "\x93NUMPY", 6) ? 3 : 0; }
