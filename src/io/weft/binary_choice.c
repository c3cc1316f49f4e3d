/* A choice of a stored graph's edges and of their columns: see binary.h. */
#include "attributes/attributes.h"
#include "core/search.h"
#include "io/io.h"
#include "io/text/edges_where.h"
#include "io/weft/binary.h"
#include "stream/numbers.h"

#include <string.h>

/* Collects the names in `keep`, or of all columns. */
static weft_status name_kept(weft_ctx *ctx, const weft_graph *g, const char *keep, wfi_edge_choice *c) {
    const wfi_vertex_data *d = g->attributes;
    weft_status st = WEFT_OK;
    uint32_t number;
    if (!keep)
        for (size_t i = 0; i < wfi_edge_column_count(g) && !st; i++)
            st = wfi_names_number(ctx, c->names, d->names[d->count + i], strlen(d->names[d->count + i]), &number);
    for (const char *p = keep && *keep ? keep : NULL; p && !st;) { /* "": none */
        size_t length = strcspn(p, ",");
        if (!length) return wfi_fail(ctx, WEFT_EINVAL, "`keep` names columns of edges, as in amount,date");
        st = wfi_names_number(ctx, c->names, p, length, &number);
        p = p[length] ? p + length + 1 : NULL;
    }
    c->kept = c->names->count;
    return st;
}

/* Weights as they were written: 32-bit floats by their fewest digits, so that 0.7 is 0.7. */
static weft_status take_weights(weft_ctx *ctx, const weft_graph *g, wfi_edge_choice *c) {
    if (wfi_alloc(ctx, &c->weights, (size_t)g->arcs)) return WEFT_ENOMEM;
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(ctx, g->arcs, 1 << 14))
    for (weft_eid e = 0; e < g->arcs; e++) {
        c->weights[e] = wfi_weight_at(g->weight_type, g->out.weights, e);
        if (g->weight_type != WEFT_WEIGHT_F32) continue;
        char text[32];
        const char *p = text;
        text[wfi_print_f32(text, ((const float *)g->out.weights)[e])] = '\0';
        wfi_scan_f64(&p, &c->weights[e]);
    }
    return WEFT_OK;
}

static weft_status find_column(weft_ctx *ctx, const weft_graph *g, wfi_edge_choice *c, size_t i) {
    size_t at, length = (size_t)(c->names->start[i + 1] - c->names->start[i]);
    char name[WFI_COLUMN_NAME_MOST + 1];
    if (length > WFI_COLUMN_NAME_MOST) length = WFI_COLUMN_NAME_MOST;
    memcpy(name, c->names->text + c->names->start[i], length);
    name[length] = '\0';
    if (wfi_edge_column_named(g, name, &at)) {
        c->from[i] = wfi_column_as_source(g->attributes, at);
        return WEFT_OK;
    }
    if (i < c->kept || strcmp(name, "weight") || g->weight_type == WEFT_WEIGHT_NONE)
        return wfi_fail_no_edge_column(ctx, g, name);
    weft_status st = take_weights(ctx, g, c);
    c->from[i] = (wfi_column_source){.name = "weight", .type = WEFT_ATTRIBUTE_REAL, .values = c->weights};
    return st;
}

weft_status wfi_edge_choice_open(weft_ctx *ctx, const weft_graph *g, const weft_read_params *params,
                                 wfi_edge_choice *c) {
    *c = (wfi_edge_choice){.names = wfi_names_new(ctx)};
    if (!c->names) return WEFT_ENOMEM;
    weft_status st = name_kept(ctx, g, params->keep, c);
    size_t at;
    bool columns = wfi_edge_column_named(g, "true", &at) || wfi_edge_column_named(g, "false", &at);
    if (!st && params->edges_where)
        st = wfi_edges_where_read(ctx, params->edges_where, c->names, columns, &c->condition);
    if (!st) st = wfi_alloc_zeroed(ctx, &c->from, c->names->count);
    if (!st) st = wfi_alloc(ctx, &c->rule, c->kept);
    if (!st) st = wfi_edge_rules_read(ctx, params->merge, c->names, c->kept, c->rule);
    for (size_t i = 0; i < c->names->count && !st; i++) st = find_column(ctx, g, c, i);
    return st || !c->condition ? st : wfi_edges_where_bind(ctx, c->condition, c->from, g->arcs);
}

void wfi_edge_choice_close(wfi_edge_choice *c) {
    wfi_names_free(c->names);
    WFI_FREE(c->condition, c->from, c->rule, c->weights);
}

/* --- listing --------------------------------------------------------------------------------------- */

static weft_status ask_of_all(weft_ctx *ctx, const weft_graph *g, const wfi_edge_choice *c, uint64_t **row,
                              uint64_t *count) {
    uint8_t *stays;
    enum { PART = 1 << 14 };
    if (wfi_alloc(ctx, &stays, (size_t)g->arcs)) return WEFT_ENOMEM;
    uint64_t all = 0, at = 0;
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : all) num_threads(wfi_threads_for(ctx, g->arcs, PART))
    for (weft_eid first = 0; first < g->arcs; first += PART)
        for (weft_eid e = first; e < g->arcs && e < first + PART && (e > first || !wfi_cancelled(ctx)); e++)
            all += stays[e] = wfi_edges_where_holds(c->condition, c->from, e);
    weft_status st = wfi_cancelled(ctx) ? wfi_fail_cancelled(ctx) : wfi_alloc(ctx, row, (size_t)all);
    for (weft_eid e = 0; e < g->arcs && !st; e++) {
        if (e % WFI_POLL_EVERY == 0 && wfi_cancelled(ctx)) st = wfi_fail_cancelled(ctx);
        if (stays[e]) (*row)[at++] = e;
    }
    *count = all;
    wfi_free(stays);
    return st;
}

/* Arc row[k] becomes edge k. */
static void put_arcs(weft_ctx *ctx, const weft_graph *g, const uint64_t *row, wfi_piece *piece) {
    size_t each = wfi_weight_bytes(g->weight_type);
#pragma omp parallel for num_threads(wfi_threads(ctx)) schedule(dynamic, 4096)
    for (weft_vid v = 0; v < g->n; v++) {
        uint64_t k = row ? wfi_lower_bound_u64(row, 0, piece->count, g->out.offsets[v]) : g->out.offsets[v];
        for (; k < piece->count && (row ? row[k] : k) < g->out.offsets[v + 1]; k++) {
            uint64_t e = row ? row[k] : k;
            piece->narrow[2 * k] = v;
            piece->narrow[2 * k + 1] = g->out.targets[e];
            if (each) memcpy((char *)piece->weights + k * each, (const char *)g->out.weights + e * each, each);
        }
    }
}

weft_status wfi_edge_choice_list(weft_ctx *ctx, const weft_graph *g, const wfi_edge_choice *c, wfi_edges *edges) {
    uint64_t *row = NULL, count = g->arcs;
    wfi_piece *piece;
    weft_status st = c->condition ? ask_of_all(ctx, g, c, &row, &count) : WEFT_OK;
    if (!st) st = wfi_edges_add(ctx, edges, count, g->weight_type, &piece);
    if (!st) put_arcs(ctx, g, row, piece);
    if (!st && c->kept) st = wfi_edge_columns_new(ctx, c->kept, &edges->columns);
    if (st || !c->kept) {
        wfi_free(row);
        return st;
    }
    memcpy(edges->columns->from, c->from, c->kept * sizeof *c->from);
    memcpy(edges->columns->rule, c->rule, c->kept * sizeof *c->rule);
    edges->columns->row = row;
    if (row) wfi_edge_columns_own(edges->columns, row);
    return WEFT_OK;
}
