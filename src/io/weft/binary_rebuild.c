/* A stored graph under other build rules than those it was stored with: its arcs become a list of edges and go through
 * wfi_graph_build like those of any other file.  The arcs must have been checked (wfi_weft_verify). */
#include "attributes/attributes.h"
#include "attributes/sides.h"
#include "io/io.h"
#include "io/weft/binary.h"

#include <string.h>

static weft_status copy_array(weft_ctx *ctx, const void *from, uint64_t bytes, void **to) {
    *to = NULL;
    if (!from) return WEFT_OK;
    *to = wfi_take(ctx, (size_t)bytes, 1);
    if (!*to) return WEFT_ENOMEM;
    memcpy(*to, from, (size_t)bytes);
    return WEFT_OK;
}

static weft_status copy_ids(weft_ctx *ctx, const weft_graph *from, wfi_ids *to) {
    const wfi_ids *ids = &from->ids;
    uint64_t n = from->n;
    void *number = NULL, *start = NULL, *text = NULL, *by_id = NULL;
    weft_status st = copy_array(ctx, ids->number, n * sizeof *ids->number, &number);
    if (!st) st = copy_array(ctx, ids->start, (n + 1) * sizeof *ids->start, &start);
    if (!st) st = copy_array(ctx, ids->text, ids->start ? ids->start[n] : 0, &text);
    if (!st) st = copy_array(ctx, ids->by_id, n * sizeof *ids->by_id, &by_id);
    *to =
        (wfi_ids){.kind = ids->kind, .base = ids->base, .number = number, .start = start, .text = text, .by_id = by_id};
    return st;
}

static weft_status build_again(weft_ctx *ctx, const weft_graph *old, const weft_build_params *params,
                               const wfi_edge_choice *choice, weft_graph **out) {
    weft_graph *made = NULL;
    wfi_edges edges = {0};
    wfi_ids ids = {0};
    wfi_build build = {.numbering = WFI_VERTICES,
                       .vertices = old->n,
                       .ids = &ids,
                       .directed = wfi_resolve_directed(params->direction, old->directed),
                       .mirrored = !old->directed,
                       .records = choice->condition ? 0 : old->records,
                       .params = *params,
                       .format = old->format,
                       .label = old->label};
    weft_status st = copy_ids(ctx, old, &ids);
    if (!st) st = wfi_edge_choice_list(ctx, old, choice, &edges);
    if (!st) st = wfi_graph_build(ctx, &edges, &build, &made);
    if (!st) st = wfi_vertex_data_copy(ctx, old, NULL, made);
    if (!st) st = wfi_sides_copy(ctx, old, NULL, made);
    wfi_edges_free(&edges);
    wfi_ids_free(&ids);
    if (st) {
        weft_graph_free(made);
        return st;
    }
    made->self_loops_dropped += old->self_loops_dropped;
    made->duplicates_dropped += old->duplicates_dropped;
    if (choice->condition) made->records = made->edges;
    *out = made;
    return WEFT_OK;
}

weft_status wfi_weft_rebuild(weft_ctx *ctx, const weft_build_params *params, wfi_edge_choice *choice, weft_graph **g) {
    weft_graph *made;
    weft_status st = build_again(ctx, *g, params, choice, &made);
    if (st) return st;
    weft_graph_free(*g);
    *g = made;
    return WEFT_OK;
}

weft_status weft_graph_filter_edges(weft_ctx *ctx, const weft_graph *g, const char *condition,
                                    const weft_read_params *given, weft_graph **out) {
    if (out) *out = NULL;
    WFI_BEGIN_WITH_OR_RETURN(ctx, out);
    WFI_NEED_ROWS_OR_RETURN(ctx, g);
    WFI_NEED_OR_RETURN(ctx, condition);
    wfi_edge_choice choice;
    weft_read_params params = WEFT_READ_DEFAULTS;
    params.duplicates = WEFT_DUPLICATES_KEEP;
    weft_status st = wfi_sized_in(ctx, "weft_read_params", given, &params, sizeof params);
    weft_build_params rules = wfi_read_rules(&params);
    if (!st) st = wfi_build_rules(ctx, &rules, &rules);
    if (st) return st;
    params.edges_where = condition;
    st = wfi_edge_choice_open(ctx, g, &params, &choice);
    if (!st) st = build_again(ctx, g, &rules, &choice, out);
    wfi_edge_choice_close(&choice);
    if (st) return st;
    if (!given || params.direction == WEFT_AS_FILE) (*out)->direction_from = g->direction_from;
    (*out)->direction_doubt = g->direction_doubt;
    (*out)->format = "memory";
    if (!(st = wfi_graph_copy_ambiguous(ctx, g, *out))) return WEFT_OK;
    weft_graph_free(*out);
    *out = NULL;
    return st;
}
