/* A graph from edges: numbering (number.c), one weight type, rows (rows.c), counts for reports. */
#include "graph/build.h"
#include "attributes/edge_columns.h"
#include "core/comm.h"
#include "graph/arrays.h"

/* Converts the u32 weights of a piece to floats in place; returns the number of rounded weights. */
static uint64_t become_floats(wfi_piece *p) {
    uint64_t inexact = 0;
    char *at = p->weights;
    for (uint64_t k = 0; k < p->count; k++, at += sizeof(float)) {
        uint32_t whole;
        __builtin_memcpy(&whole, at, sizeof whole);
        float real = (float)whole;
        inexact += (double)real != (double)whole;
        __builtin_memcpy(at, &real, sizeof real);
    }
    p->weight_type = WEFT_WEIGHT_F32;
    return inexact;
}

static weft_status become_doubles(weft_ctx *ctx, wfi_piece *p) {
    double *real;
    if (wfi_alloc(ctx, &real, p->count)) return WEFT_ENOMEM;
    for (uint64_t k = 0; k < p->count; k++) real[k] = wfi_weight_at(p->weight_type, p->weights, k);
    wfi_free(p->weights);
    p->weights = real;
    p->weight_type = WEFT_WEIGHT_F64;
    return WEFT_OK;
}

/* Gives every edge the weight 1, for WEFT_DUPLICATES_COUNT. */
static weft_status weigh_one(weft_ctx *ctx, wfi_edges *edges) {
    for (size_t i = 0; i < edges->count; i++) {
        wfi_piece *p = &edges->pieces[i];
        uint32_t *one;
        if (wfi_alloc(ctx, &one, (size_t)p->count)) return WEFT_ENOMEM;
        for (uint64_t k = 0; k < p->count; k++) one[k] = 1;
        wfi_free(p->weights);
        p->weights = one;
        p->weight_type = WEFT_WEIGHT_U32;
        p->inexact = 0;
    }
    return WEFT_OK;
}

/* Gives all pieces one weight type: the widest of all pieces, or f64 for means; none if a non-empty piece has no
 * weights. shared: over all ranks. */
static weft_status unify_weights(weft_ctx *ctx, wfi_edges *edges, bool shared, weft_duplicates rule,
                                 weft_weight_type *type) {
    uint64_t widest = WEFT_WEIGHT_NONE, all = true;
    for (size_t i = 0; i < edges->count; i++) {
        const wfi_piece *p = &edges->pieces[i];
        if (!p->count) continue;
        all = all && p->weights;
        if (p->weights && p->weight_type > widest) widest = p->weight_type;
    }
    uint64_t inexact = 0;
    if (rule == WEFT_DUPLICATES_MEAN && widest != WEFT_WEIGHT_NONE) widest = WEFT_WEIGHT_F64;
    weft_status st = shared ? wfi_allreduce(ctx, &all, 1, WFI_MIN) : WEFT_OK;
    if (shared && !st) st = wfi_allreduce(ctx, &widest, 1, WFI_MAX);
    *type = all ? (weft_weight_type)widest : WEFT_WEIGHT_NONE;
    for (size_t i = 0; i < edges->count && !st; i++) {
        wfi_piece *p = &edges->pieces[i];
        inexact += p->inexact;
        if (!p->weights || p->weight_type == *type) continue;
        if (*type == WEFT_WEIGHT_F32) inexact += become_floats(p);
        if (*type == WEFT_WEIGHT_F64) st = become_doubles(ctx, p);
    }
    if (shared) st = wfi_agree(ctx, st);
    if (shared && !st) st = wfi_allreduce(ctx, &inexact, 1, WFI_SUM);
    if (!st && (!shared || wfi_rank(ctx) == 0)) wfi_warn_rounded(ctx, inexact, *type);
    return st;
}

static void count_edges(weft_graph *g, const wfi_row_counts *counts, bool mirror) {
    g->arcs = counts->arcs;
    g->self_loops = counts->loops;
    g->self_loops_dropped = counts->loops_dropped;
    g->edges = g->directed ? counts->arcs : (counts->arcs - counts->loops) / 2 + counts->loops;
    g->duplicates_dropped = counts->duplicate_loops + (mirror ? counts->duplicate_arcs / 2 : counts->duplicate_arcs);
}

weft_status wfi_graph_build(weft_ctx *ctx, wfi_edges *edges, const wfi_build *build, weft_graph **out) {
    *out = NULL;
    wfi_records records = {0};
    weft_status st = WEFT_ENOMEM;
    weft_graph *g = wfi_graph_new(ctx);
    if (build->shared) st = wfi_agree(ctx, g ? WEFT_OK : WEFT_ENOMEM);
    if (!g || (build->shared && st)) goto done;
    g->directed = build->directed;
    g->direction_from = wfi_direction_from(build);
    g->format = build->format ? build->format : "memory";
    g->label = build->label;
    g->records = build->records ? build->records : wfi_edges_total(edges);
    weft_duplicates rule = build->params.duplicates;
    st = rule == WEFT_DUPLICATES_COUNT ? weigh_one(ctx, edges) : WEFT_OK;
    if (build->shared) st = wfi_agree(ctx, st);
    if (!st) st = unify_weights(ctx, edges, build->shared, rule, &g->weight_type);
    if (!st && build->shared && !build->records) st = wfi_allreduce(ctx, &g->records, 1, WFI_SUM);
    if (st) goto done;
    st = wfi_number_vertices(ctx, edges, build, &g->n, &g->ids);
    if (build->shared) st = wfi_agree_input(ctx, st);
    if (st) goto done;
    wfi_row_counts counts;
    wfi_row_plan plan = {0, g->n, g->n, build, g->weight_type};
    st = build->shared ? wfi_share_rows(ctx, edges, build, g, &counts)
                       : wfi_rows_with_records(ctx, edges, edges->columns, &plan, &g->out, &counts, &records);
    if (!st && counts.repeated.pairs) st = wfi_refuse_repeated(ctx, g, &counts.repeated);
    if (!st && !build->made) st = wfi_graph_find_ambiguous(ctx, g, &counts);
    if (build->shared) st = wfi_agree_input(ctx, st);
    if (st) goto done;
    count_edges(g, &counts, !build->directed);
    if (edges->columns) st = wfi_edge_columns_place(ctx, edges->columns, build, &records, g);
    if (st) goto done;
    *out = g;
    g = NULL;
done:
    weft_graph_free(g);
    wfi_edges_free(edges);
    wfi_records_free(&records);
    wfi_warn_threads(ctx);
    return st;
}

weft_status wfi_build_rules(weft_ctx *ctx, const weft_build_params *given, weft_build_params *p) {
    weft_build_params full = WEFT_BUILD_DEFAULTS;
    weft_status st = wfi_sized_in(ctx, "weft_build_params", given, &full, sizeof full);
    *p = full;
    if (st) return st;
    if ((unsigned)p->direction > WEFT_UNDIRECTED || (unsigned)p->duplicates > WEFT_DUPLICATES_COUNT ||
        (unsigned)p->loops > WEFT_LOOPS_DROP)
        return wfi_fail(ctx, WEFT_EINVAL, "weft_build_params: invalid direction, duplicates or loops");
    return WEFT_OK;
}

weft_status weft_graph_from_edges(weft_ctx *ctx, uint64_t vertices, uint64_t count, const weft_vid *sources,
                                  const weft_vid *targets, const void *weights, weft_weight_type weight_type,
                                  const weft_build_params *params, weft_graph **out) {
    if (out) *out = NULL;
    WFI_BEGIN_WITH_OR_RETURN(ctx, out);
    weft_build_params rules;
    weft_status st = wfi_build_rules(ctx, params, &rules);
    if (st) return st;
    if (count) WFI_NEED_OR_RETURN(ctx, sources, targets);
    if (count && !weights && weight_type != WEFT_WEIGHT_NONE)
        return wfi_fail(ctx, WEFT_EINVAL,
                        "weft_graph_from_edges: weights is NULL, but weight_type is not "
                        "WEFT_WEIGHT_NONE");
    if (vertices >= WEFT_NO_VERTEX) return wfi_fail(ctx, WEFT_EINVAL, "at most 2^32-2 vertices");
    if (weights && !wfi_weight_bytes(weight_type))
        return wfi_fail(ctx, WEFT_EINVAL, "weights need a type: WEFT_WEIGHT_U32, WEFT_WEIGHT_F32 or WEFT_WEIGHT_F64");
    weft_arrays arrays = WEFT_ARRAYS_DEFAULTS;
    arrays.vertices = vertices;
    arrays.edges = count;
    arrays.sources = sources;
    arrays.targets = targets;
    arrays.id_type = WEFT_U32;
    arrays.weights = count ? weights : NULL;
    arrays.weight_type = arrays.weights ? (weft_type)weight_type : WEFT_NONE;
    return wfi_graph_from_arrays(ctx, &arrays, &rules, out);
}
