/* Permutation of the vertices: rows are copied in the new order, targets renumbered and sorted. File ids move with
 * their vertices, with an index by id. */
#include "attributes/attributes.h"
#include "attributes/edge_columns.h"
#include "attributes/sides.h"
#include "core/scan.h"
#include "graph/build.h"
#include "graph/edges.h"

#include <string.h>

static weft_status invert(weft_ctx *ctx, weft_vid n, const weft_vid *order, weft_vid **place) {
    if (wfi_alloc(ctx, place, n)) return WEFT_ENOMEM;
    memset(*place, 0xff, n * sizeof **place);
    for (weft_vid k = 0; k < n; k++) {
        if (order[k] >= n || (*place)[order[k]] != WEFT_NO_VERTEX) {
            wfi_free(*place);
            *place = NULL;
            return wfi_fail(ctx, WEFT_EINVAL, "the order is not a permutation: place %u holds %u", k, order[k]);
        }
        (*place)[order[k]] = k;
    }
    return WEFT_OK;
}

/* Renumbers the arcs of rows [from, to). False on a request to stop. */
static bool rename_rows(weft_ctx *ctx, const weft_graph *g, const weft_vid *place, weft_vid from, weft_vid to,
                        wfi_piece *piece) {
    size_t each = wfi_weight_bytes(g->weight_type);
    uint64_t at = 0;
    if (each)
        memcpy(piece->weights, (const char *)g->out.weights + g->out.offsets[from] * each, (size_t)piece->count * each);
    for (weft_vid u = from; u < to; u++)
        for (weft_eid e = g->out.offsets[u]; e < g->out.offsets[u + 1]; e++, at++) {
            if (at % WFI_POLL_EVERY == 0 && wfi_cancelled(ctx)) return false;
            piece->narrow[2 * at] = place[u];
            piece->narrow[2 * at + 1] = place[g->out.targets[e]];
        }
    return true;
}

static weft_status relabelled_rows(weft_ctx *ctx, const weft_graph *g, const weft_vid *place, weft_graph *fresh,
                                   wfi_records *records) {
    enum { PARTS = 64 };
    wfi_edges edges = {0};
    weft_status st = WEFT_OK;
    weft_vid first[PARTS + 1];
    _Atomic bool stop = false;
    for (int p = 0; p <= PARTS; p++) first[p] = (weft_vid)((uint64_t)g->n * (uint64_t)p / PARTS);
    for (int p = 0; p < PARTS && !st; p++) {
        wfi_piece *unused;
        st = wfi_edges_add(ctx, &edges, g->out.offsets[first[p + 1]] - g->out.offsets[first[p]], g->weight_type,
                           &unused);
    }
    if (!st) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(wfi_threads(ctx))
        for (int p = 0; p < PARTS; p++)
            if (!atomic_load(&stop) && !rename_rows(ctx, g, place, first[p], first[p + 1], &edges.pieces[p]))
                atomic_store(&stop, true);
        if (atomic_load(&stop)) st = wfi_fail_cancelled(ctx);
    }
    if (!st) {
        wfi_build as_it_is = {.directed = true, .params = WEFT_BUILD_DEFAULTS};
        as_it_is.params.duplicates = WEFT_DUPLICATES_KEEP;
        wfi_row_counts counts;
        wfi_row_plan plan = {0, g->n, g->n, &as_it_is, g->weight_type};
        st = wfi_rows_with_records(ctx, &edges, wfi_edge_column_count(g) > 0, &plan, &fresh->out, &counts, records);
    }
    wfi_edges_free(&edges);
    return st;
}

static weft_status relabelled_numbers(weft_ctx *ctx, const weft_graph *g, const weft_vid *order, wfi_ids *ids) {
    ids->kind = WEFT_IDS_SPARSE;
    if (wfi_alloc(ctx, &ids->number, g->n)) return WEFT_ENOMEM;
    for (weft_vid k = 0; k < g->n; k++) ids->number[k] = weft_graph_id(g, order[k]);
    return WEFT_OK;
}

static weft_status relabelled_names(weft_ctx *ctx, const weft_graph *g, const weft_vid *order, wfi_ids *ids) {
    ids->kind = WEFT_IDS_STRING;
    if (wfi_alloc(ctx, &ids->start, (size_t)g->n + 1) || wfi_alloc(ctx, &ids->text, (size_t)g->ids.start[g->n]))
        return WEFT_ENOMEM;
    uint64_t used = 0;
    for (weft_vid k = 0; k < g->n; k++) {
        uint64_t from = g->ids.start[order[k]], length = g->ids.start[order[k] + 1] - from;
        ids->start[k] = used;
        memcpy(ids->text + used, g->ids.text + from, length);
        used += length;
    }
    ids->start[g->n] = used;
    return WEFT_OK;
}

static weft_status relabelled_ids(weft_ctx *ctx, const weft_graph *g, const weft_vid *order, const weft_vid *place,
                                  wfi_ids *ids) {
    weft_status st =
        g->ids.kind == WEFT_IDS_STRING ? relabelled_names(ctx, g, order, ids) : relabelled_numbers(ctx, g, order, ids);
    if (!st) st = wfi_alloc(ctx, &ids->by_id, g->n);
    for (weft_vid k = 0; k < g->n && !st; k++) ids->by_id[k] = place[g->ids.by_id ? g->ids.by_id[k] : k];
    return st;
}

weft_status weft_graph_relabel(weft_ctx *ctx, const weft_graph *g, const weft_vid *order, weft_graph **out) {
    if (out) *out = NULL;
    WFI_BEGIN_OR_RETURN(ctx);
    WFI_NEED_ROWS_OR_RETURN(ctx, g);
    WFI_NEED_OR_RETURN(ctx, out);
    if (g->n) WFI_NEED_OR_RETURN(ctx, order);
    weft_vid *place = NULL;
    wfi_records records = {0};
    weft_graph *fresh = NULL;
    weft_status st = invert(ctx, g->n, order, &place);
    if (st) goto done;
    fresh = wfi_graph_new(ctx);
    if (!fresh) {
        st = WEFT_ENOMEM;
        goto done;
    }
    wfi_graph_copy_facts(g, fresh);
    st = relabelled_rows(ctx, g, place, fresh, &records);
    if (!st) st = relabelled_ids(ctx, g, order, place, &fresh->ids);
    if (!st) st = wfi_graph_copy_ambiguous(ctx, g, fresh);
    if (!st) st = wfi_vertex_data_copy(ctx, g, order, fresh);
    if (!st) st = wfi_edge_data_copy(ctx, g, records.number, fresh); /* record numbers are arc positions here */
    if (!st) st = wfi_sides_copy(ctx, g, order, fresh);
    if (st) goto done;
    *out = fresh;
    fresh = NULL;
done:
    weft_graph_free(fresh);
    wfi_records_free(&records);
    wfi_free(place);
    return st;
}
