/* A stored graph under other build rules than it was stored with: its arcs become a list of edges and go through
 * wfi_graph_build like those of any other file.  The arcs must have been checked (wfi_weft_verify). */
#include "graph/attributes.h"
#include "graph/sides.h"
#include "io/io.h"
#include "io/weft/binary.h"

#include <string.h>

static void list_arcs(weft_ctx *ctx, const weft_graph *g, wfi_piece *piece) {
#pragma omp parallel for num_threads(wfi_threads(ctx)) schedule(dynamic, 4096)
    for (weft_vid v = 0; v < g->n; v++) {
        for (weft_eid i = g->out.offsets[v]; i < g->out.offsets[v + 1]; i++) {
            piece->narrow[2 * i] = v;
            piece->narrow[2 * i + 1] = g->out.targets[i];
        }
    }
    if (piece->weights) memcpy(piece->weights, g->out.weights, (size_t)g->arcs * wfi_weight_bytes(g->weight_type));
}

static weft_status copy_array(weft_ctx *ctx, const void *from, uint64_t bytes, void **to) {
    *to = NULL;
    if (!from) return WEFT_OK;
    *to = wfi_take(ctx, (size_t)bytes, 1);
    if (!*to) return WEFT_ENOMEM;
    memcpy(*to, from, (size_t)bytes);
    return WEFT_OK;
}

static weft_status copy_ids(weft_ctx *ctx, const weft_graph *from, weft_graph *to) {
    const wfi_ids *ids = &from->ids;
    uint64_t n = from->n;
    void *number = NULL, *start = NULL, *text = NULL, *by_id = NULL;
    weft_status st = copy_array(ctx, ids->number, n * sizeof *ids->number, &number);
    if (!st) st = copy_array(ctx, ids->start, (n + 1) * sizeof *ids->start, &start);
    if (!st) st = copy_array(ctx, ids->text, ids->start ? ids->start[n] : 0, &text);
    if (!st) st = copy_array(ctx, ids->by_id, n * sizeof *ids->by_id, &by_id);
    wfi_ids_free(&to->ids);
    to->ids =
        (wfi_ids){.kind = ids->kind, .base = ids->base, .number = number, .start = start, .text = text, .by_id = by_id};
    return st;
}

weft_status wfi_weft_rebuild(weft_ctx *ctx, const weft_build_params *params, weft_graph **g) {
    weft_graph *old = *g, *made = NULL;
    wfi_edges edges = {0};
    wfi_piece *piece;
    wfi_build build = {.numbering = WFI_VERTICES,
                       .vertices = old->n,
                       .id_base = old->ids.base,
                       .directed = wfi_resolve_directed(params->direction, old->directed),
                       .mirrored = !old->directed,
                       .records = old->records,
                       .params = *params,
                       .format = old->format,
                       .label = old->label};
    weft_status st = wfi_edges_add(ctx, &edges, old->arcs, old->weight_type, &piece);
    if (st) goto done;
    list_arcs(ctx, old, piece);
    st = wfi_graph_build(ctx, &edges, &build, &made);
    if (st) goto done;
    st = copy_ids(ctx, old, made);
    if (!st) st = wfi_vertex_data_carry(ctx, old, NULL, made);
    if (!st) st = wfi_sides_carry(ctx, old, NULL, made);
    if (st) goto done;
    made->self_loops_dropped += old->self_loops_dropped;
    made->duplicates_dropped += old->duplicates_dropped;
    weft_graph_free(old);
    *g = made;
    made = NULL;
done:
    weft_graph_free(made);
    wfi_edges_free(&edges);
    return st;
}
