/* Public calls for attributes: reading, formatting as text, and adding them to a graph that shares rows and ids with
 * another. */
#include "attributes/attributes.h"
#include "attributes/sides.h"
#include "graph/edges.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- reading ------------------------------------------------------------------------------------- */

size_t weft_graph_attributes(const weft_graph *g) {
    return g && !wfi_graph_ready(NULL, g) && g->attributes ? g->attributes->count : 0;
}

static weft_status show(weft_ctx *ctx, const wfi_vertex_data *c, size_t i, weft_attribute *to) {
    const wfi_column_entry *e = &c->entries[i];
    weft_attribute a = {.size = sizeof a,
                        .name = c->names[i],
                        .type = (weft_attribute_type)e->type,
                        .form = (weft_time_form)e->form,
                        .count = wfi_column_rows(c, i),
                        .missing = e->missing,
                        .values = wfi_column_values(c, i),
                        .valid = wfi_column_valid(c, i)};
    if (a.type == WEFT_ATTRIBUTE_TEXT) {
        a.text_count = c->texts;
        a.text_starts = c->starts;
        a.text = c->text;
    }
    return wfi_sized_out(ctx, "weft_attribute", &a, sizeof a, to);
}

weft_status weft_graph_attribute_at(weft_ctx *ctx, const weft_graph *g, size_t i, weft_attribute *attribute) {
    WFI_BEGIN_OR_RETURN(ctx);
    WFI_NEED_GRAPH_OR_RETURN(ctx, g);
    WFI_NEED_OR_RETURN(ctx, attribute);
    if (i < weft_graph_attributes(g)) return show(ctx, g->attributes, i, attribute);
    return wfi_fail(ctx, WEFT_ENOTFOUND, "no attribute %zu: the graph has %zu", i, weft_graph_attributes(g));
}

weft_status weft_graph_attribute(weft_ctx *ctx, const weft_graph *g, const char *name, weft_attribute *attribute) {
    WFI_BEGIN_OR_RETURN(ctx);
    WFI_NEED_GRAPH_OR_RETURN(ctx, g);
    WFI_NEED_OR_RETURN(ctx, name);
    WFI_NEED_OR_RETURN(ctx, attribute);
    for (size_t i = 0; i < weft_graph_attributes(g); i++)
        if (!strcmp(g->attributes->names[i], name)) return show(ctx, g->attributes, i, attribute);
    return wfi_fail(ctx, WEFT_ENOTFOUND, "no attribute '%s' in this graph", name);
}

size_t weft_attribute_text(const weft_attribute *attribute, uint64_t v, char *buffer, size_t size, int *missing) {
    char value[64];
    const char *text = value;
    size_t length = 0;
    const weft_attribute *a = attribute;
    bool there = a && a->values && v < a->count && wfi_has_bit(a->valid, v);
    if (missing) *missing = !there;
    if (there) switch (a->type) {
        case WEFT_ATTRIBUTE_WHOLE:
            length = (size_t)snprintf(value, sizeof value, "%lld", (long long)((const int64_t *)a->values)[v]);
            break;
        case WEFT_ATTRIBUTE_REAL: {
            wfi_weight_text t = wfi_weight_value_text(WEFT_WEIGHT_F64, ((const double *)a->values)[v]);
            length = strlen(t.text);
            memcpy(value, t.text, length);
            break;
        }
        case WEFT_ATTRIBUTE_BOOL:
            text = ((const uint8_t *)a->values)[v] ? "true" : "false";
            length = strlen(text);
            break;
        case WEFT_ATTRIBUTE_TEXT: {
            uint32_t number = ((const uint32_t *)a->values)[v];
            text = a->text + a->text_starts[number];
            length = (size_t)(a->text_starts[number + 1] - a->text_starts[number]);
            break;
        }
        case WEFT_ATTRIBUTE_TIME: length = wfi_time_print(value, ((const int64_t *)a->values)[v], a->form); break;
        }
    if (buffer && size) {
        size_t fits = length < size ? length : size - 1;
        memcpy(buffer, text, fits);
        buffer[fits] = '\0';
    }
    return length;
}

/* --- columns of edges ----------------------------------------------------------------------------- */

size_t weft_graph_edge_columns(const weft_graph *g) {
    return g && !wfi_graph_ready(NULL, g) ? wfi_edge_column_count(g) : 0;
}

weft_status weft_graph_edge_column_at(weft_ctx *ctx, const weft_graph *g, size_t i, weft_attribute *column) {
    WFI_BEGIN_OR_RETURN(ctx);
    WFI_NEED_GRAPH_OR_RETURN(ctx, g);
    WFI_NEED_OR_RETURN(ctx, column);
    if (i < weft_graph_edge_columns(g)) return show(ctx, g->attributes, g->attributes->count + i, column);
    return wfi_fail(ctx, WEFT_ENOTFOUND, "no column of edges %zu: the graph has %zu", i, weft_graph_edge_columns(g));
}

weft_status weft_graph_edge_column(weft_ctx *ctx, const weft_graph *g, const char *name, weft_attribute *column) {
    WFI_BEGIN_OR_RETURN(ctx);
    WFI_NEED_GRAPH_OR_RETURN(ctx, g);
    WFI_NEED_OR_RETURN(ctx, name);
    WFI_NEED_OR_RETURN(ctx, column);
    size_t i;
    if (wfi_edge_column_named(g, name, &i)) return show(ctx, g->attributes, i, column);
    return wfi_fail_no_edge_column(ctx, g, name);
}

/* --- adding -------------------------------------------------------------------------------------- */

static weft_status check_values(weft_ctx *ctx, const weft_attribute *a) {
    for (uint64_t v = 0; v < a->count; v++) {
        if (v % WFI_POLL_EVERY == 0 && wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        if (!wfi_has_bit(a->valid, v)) continue;
        if (a->type == WEFT_ATTRIBUTE_BOOL && ((const uint8_t *)a->values)[v] > 1)
            return wfi_fail(ctx, WEFT_EINVAL, "attribute '%s': value %llu is neither 0 nor 1", a->name,
                            (unsigned long long)v);
        if (a->type == WEFT_ATTRIBUTE_TEXT && ((const uint32_t *)a->values)[v] >= a->text_count)
            return wfi_fail(ctx, WEFT_EINVAL, "attribute '%s': value %llu is text %u of %llu", a->name,
                            (unsigned long long)v, ((const uint32_t *)a->values)[v], (unsigned long long)a->text_count);
    }
    return WEFT_OK;
}

/* rows: required number of values; row: unit of the rows, for messages. */
static weft_status check_attribute(weft_ctx *ctx, const weft_attribute *a, uint64_t rows, const char *row) {
    if (!a->name || !*a->name) return wfi_fail(ctx, WEFT_EINVAL, "an attribute without a name");
    if (strlen(a->name) > WFI_COLUMN_NAME_MOST)
        return wfi_fail(ctx, WEFT_EINVAL, "the name of an attribute has more than %d bytes", WFI_COLUMN_NAME_MOST);
    if (!wfi_attribute_bytes((uint32_t)a->type) || (unsigned)a->form > WEFT_TIME_UTC ||
        (a->form && a->type != WEFT_ATTRIBUTE_TIME))
        return wfi_fail(ctx, WEFT_EINVAL, "attribute '%s': invalid type or form", a->name);
    if (a->count != rows)
        return wfi_fail(ctx, WEFT_EINVAL, "attribute '%s' has %llu values, the graph %llu %s", a->name,
                        (unsigned long long)a->count, (unsigned long long)rows, row);
    if (a->count && !a->values) return wfi_fail(ctx, WEFT_EINVAL, "attribute '%s': values is NULL", a->name);
    if (a->type == WEFT_ATTRIBUTE_TEXT && a->text_count) {
        if (!a->text_starts || (!a->text && a->text_starts[a->text_count] > a->text_starts[0]))
            return wfi_fail(ctx, WEFT_EINVAL, "attribute '%s': its pool of texts is NULL", a->name);
        for (uint64_t i = 0; i < a->text_count; i++)
            if (a->text_starts[i] > a->text_starts[i + 1])
                return wfi_fail(ctx, WEFT_EINVAL, "attribute '%s': text %llu ends before it begins", a->name,
                                (unsigned long long)i);
    }
    return check_values(ctx, a);
}

static wfi_column_source as_source(const weft_attribute *a) {
    return (wfi_column_source){.name = a->name,
                               .type = a->type,
                               .form = a->form,
                               .values = a->values,
                               .valid = a->valid,
                               .starts = a->text_starts,
                               .text = a->text,
                               .texts = a->text_count};
}

/* Validated copies of the new columns, of vertices or of edges; each name has the number of its column. */
typedef struct new_columns {
    bool of_edges;
    uint64_t *record; /* source row of each arc for edge columns; NULL: the arc's number */
    weft_attribute *given;
    uint8_t *used; /* true if the column replaces one of the graph */
    wfi_names *names;
    size_t count;
} new_columns;

static weft_status take_columns(weft_ctx *ctx, const weft_graph *g, const weft_attribute *const *attributes,
                                new_columns *to) {
    for (size_t i = 0; i < to->count; i++) {
        weft_attribute *a = &to->given[i];
        uint32_t number = 0;
        if (!attributes[i]) return wfi_fail(ctx, WEFT_EINVAL, "attribute %zu of the list is NULL", i);
        *a = (weft_attribute)WEFT_ATTRIBUTE_DEFAULTS;
        weft_status st = wfi_sized_in(ctx, "weft_attribute", attributes[i], a, sizeof *a);
        if (!st && to->of_edges) st = check_attribute(ctx, a, g->edges, "edges");
        if (!st && !to->of_edges) st = check_attribute(ctx, a, g->n, "vertices");
        if (!st) st = wfi_names_number(ctx, to->names, a->name, strlen(a->name), &number);
        if (!st && number < i) st = wfi_fail(ctx, WEFT_EINVAL, "attribute '%s' is given twice", a->name);
        if (st) return st;
    }
    return WEFT_OK;
}

/* Columns of the graph in their order, replaced or kept, then new ones. */
static weft_status join(weft_ctx *ctx, const weft_graph *g, new_columns *by, weft_graph *fresh) {
    const wfi_vertex_data *old = g->attributes;
    size_t had = !old ? 0 : by->of_edges ? old->edge_count : old->count, first = old && by->of_edges ? old->count : 0;
    size_t all = 0;
    wfi_column_source *from;
    weft_status st = wfi_alloc(ctx, &from, had + by->count);
    for (size_t i = first; i < first + had && !st; i++) {
        uint32_t number = 0;
        st = wfi_names_number(ctx, by->names, old->names[i], strlen(old->names[i]), &number);
        bool replaced = !st && number < by->count;
        from[all] = replaced ? as_source(&by->given[number]) : wfi_column_as_source(old, i);
        if (replaced) from[all].record = by->record;
        if (replaced) by->used[number] = 1;
        all++;
    }
    for (size_t i = 0; i < by->count && !st; i++) {
        if (by->used[i]) continue;
        from[all] = as_source(&by->given[i]);
        from[all++].record = by->record;
    }
    if (!st) st = by->of_edges ? wfi_vertex_data_copy(ctx, g, NULL, fresh) : wfi_edge_data_copy(ctx, g, NULL, fresh);
    if (!st && all)
        st = by->of_edges ? wfi_edge_data_replace(ctx, fresh, from, all)
                          : wfi_vertex_data_replace(ctx, fresh, from, all);
    wfi_free(from);
    return st;
}

/* Sets the edge number of each arc of an undirected graph. Edges are numbered in the row of their smaller end; in
 * that order, the reverse arcs of each row come in the row's own order, because rows ascend. */
static weft_status number_edges(weft_ctx *ctx, const weft_graph *g, new_columns *by) {
    const weft_eid *offsets = g->out.offsets;
    weft_eid *next;
    uint64_t edge = 0;
    weft_status st = wfi_alloc(ctx, &by->record, (size_t)g->arcs);
    if (!st) st = wfi_alloc(ctx, &next, g->n);
    if (st) return st;
    for (weft_vid v = 0; v < g->n; v++) next[v] = offsets[v];
    for (weft_vid u = 0; u < g->n; u++)
        for (weft_eid e = offsets[u]; e < offsets[u + 1]; e++) {
            weft_vid v = g->out.targets[e];
            if (v < u) continue;
            by->record[e] = edge;
            if (v > u) by->record[next[v]++] = edge;
            edge++;
        }
    wfi_free(next);
    return WEFT_OK;
}

static weft_status add_columns(weft_ctx *ctx, const weft_graph *g, const weft_attribute *const *attributes,
                               new_columns by, weft_graph **out) {
    size_t count = by.count;
    weft_graph *fresh = NULL;
    weft_status st = wfi_alloc(ctx, &by.given, count);
    if (!st && by.of_edges && !g->directed) st = number_edges(ctx, g, &by);
    if (!st) st = wfi_alloc_zeroed(ctx, &by.used, count);
    if (!st && !(by.names = wfi_names_new(ctx))) st = WEFT_ENOMEM;
    if (!st) st = take_columns(ctx, g, attributes, &by);
    if (!st && !(fresh = wfi_graph_shell(ctx, g))) st = WEFT_ENOMEM;
    if (!st) st = wfi_graph_copy_ambiguous(ctx, g, fresh);
    if (!st) st = wfi_sides_copy(ctx, g, NULL, fresh);
    if (!st) st = join(ctx, g, &by, fresh);
    WFI_FREE(by.given, by.used, by.record);
    wfi_names_free(by.names);
    if (st)
        weft_graph_free(fresh);
    else
        *out = fresh;
    return st;
}

weft_status weft_graph_with_attributes(weft_ctx *ctx, const weft_graph *g, const weft_attribute *const *attributes,
                                       size_t count, weft_graph **out) {
    if (out) *out = NULL;
    WFI_BEGIN_OR_RETURN(ctx);
    WFI_NEED_OR_RETURN(ctx, out);
    WFI_NEED_ROWS_OR_RETURN(ctx, g);
    if (count) WFI_NEED_OR_RETURN(ctx, attributes);
    return add_columns(ctx, g, attributes, (new_columns){.count = count}, out);
}

weft_status weft_graph_with_edge_columns(weft_ctx *ctx, const weft_graph *g, const weft_attribute *const *columns,
                                         size_t count, weft_graph **out) {
    if (out) *out = NULL;
    WFI_BEGIN_OR_RETURN(ctx);
    WFI_NEED_OR_RETURN(ctx, out);
    WFI_NEED_ROWS_OR_RETURN(ctx, g);
    if (count) WFI_NEED_OR_RETURN(ctx, columns);
    return add_columns(ctx, g, columns, (new_columns){.of_edges = true, .count = count}, out);
}

/* --- weights ------------------------------------------------------------------------------------ */

/* u32 if all values fit, else f64. */
static weft_status make_weights(weft_ctx *ctx, const wfi_column_source *c, weft_graph *g) {
    const int64_t *whole = c->type == WEFT_ATTRIBUTE_WHOLE ? c->values : NULL;
    _Atomic bool small = whole != NULL;
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(ctx, g->arcs, 1 << 14))
    for (weft_eid e = 0; e < g->arcs; e++)
        if (whole && (uint64_t)whole[e] > UINT32_MAX) atomic_store_explicit(&small, false, memory_order_relaxed);
    bool narrow = small;
    g->weight_type = narrow ? WEFT_WEIGHT_U32 : WEFT_WEIGHT_F64;
    g->out.type = g->in.type = g->weight_type;
    char *weights = wfi_take(ctx, (size_t)g->arcs, wfi_weight_bytes(g->weight_type));
    if (!weights) return WEFT_ENOMEM;
    g->out.weights = weights;
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(ctx, g->arcs, 1 << 14))
    for (weft_eid e = 0; e < g->arcs; e++)
        if (narrow)
            ((uint32_t *)(void *)weights)[e] = (uint32_t)whole[e];
        else
            ((double *)(void *)weights)[e] = whole ? (double)whole[e] : ((const double *)c->values)[e];
    for (weft_eid e = 0; e < g->arcs && c->type == WEFT_ATTRIBUTE_REAL; e++) /* weights must be finite */
        if (!isfinite(((const double *)c->values)[e])) return wfi_fail_weight(ctx, c->name, g, e, "weights are finite");
    return WEFT_OK;
}

/* Fails for the arc without a value in the column. */
static weft_status refuse_missing(weft_ctx *ctx, const weft_graph *g, const char *column, weft_eid arc) {
    char from[128], to[128];
    weft_vid u = 0;
    while (g->out.offsets[u + 1] <= arc) u++;
    weft_graph_id_text(g, u, from, sizeof from);
    weft_graph_id_text(g, g->out.targets[arc], to, sizeof to);
    return wfi_fail(ctx, WEFT_EINVAL, "column '%s': the edge %s %s %s %s has no value, and every edge needs a weight",
                    column, g->directed ? "from" : "between", from, g->directed ? "to" : "and", to);
}

/* Finds the column; fails unless it has a number for every edge. */
static weft_status find_weights(weft_ctx *ctx, const weft_graph *g, const char *column, wfi_column_source *found) {
    size_t i;
    if (!wfi_edge_column_named(g, column, &i)) return wfi_fail_no_edge_column(ctx, g, column);
    wfi_column_source from = wfi_column_as_source(g->attributes, i);
    if (from.type != WEFT_ATTRIBUTE_WHOLE && from.type != WEFT_ATTRIBUTE_REAL)
        return wfi_fail(ctx, WEFT_EINVAL, "column '%s' does not hold numbers, which weights must be", column);
    weft_eid none = 0;
    while (none < g->arcs && wfi_has_bit(from.valid, none)) none++;
    if (none < g->arcs) return refuse_missing(ctx, g, column, none);
    *found = from;
    return WEFT_OK;
}

weft_status weft_graph_weighted_by(weft_ctx *ctx, const weft_graph *g, const char *column, weft_graph **out) {
    if (out) *out = NULL;
    WFI_BEGIN_OR_RETURN(ctx);
    WFI_NEED_OR_RETURN(ctx, out);
    WFI_NEED_ROWS_OR_RETURN(ctx, g);
    wfi_column_source from = {0};
    weft_status st = column ? find_weights(ctx, g, column, &from) : WEFT_OK;
    if (st) return st;
    weft_graph *fresh = wfi_graph_shell(ctx, g);
    if (!fresh) return WEFT_ENOMEM;
    fresh->out.weights = NULL;
    fresh->in = wfi_view_of(g->n, WEFT_WEIGHT_NONE); /* the old transpose has the old weights */
    if (column)
        st = make_weights(ctx, &from, fresh);
    else
        fresh->weight_type = fresh->out.type = WEFT_WEIGHT_NONE;
    if (!st) st = wfi_sides_copy(ctx, g, NULL, fresh);
    if (!st) st = wfi_vertex_data_copy(ctx, g, NULL, fresh);
    if (!st) st = wfi_edge_data_copy(ctx, g, NULL, fresh);
    if (st)
        weft_graph_free(fresh);
    else
        *out = fresh;
    return st;
}

weft_status weft_graph_without_attributes(weft_ctx *ctx, const weft_graph *g, weft_graph **out) {
    if (out) *out = NULL;
    WFI_BEGIN_OR_RETURN(ctx);
    WFI_NEED_OR_RETURN(ctx, out);
    WFI_NEED_ROWS_OR_RETURN(ctx, g);
    weft_graph *fresh = wfi_graph_shell(ctx, g);
    weft_status st = fresh ? wfi_graph_copy_ambiguous(ctx, g, fresh) : WEFT_ENOMEM;
    if (!st) st = wfi_sides_copy(ctx, g, NULL, fresh);
    if (st)
        weft_graph_free(fresh);
    else
        *out = fresh;
    return st;
}
