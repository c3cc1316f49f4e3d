/* A graph from edges: numbering, weights of one type, rows, and the counts people are told. */
#include "graph/build.h"
#include "core/sized.h"

#include <math.h>

/* All pieces get the same weight type: floats if any has floats, none if any non-empty piece has none. */
static weft_status settle_weights(weft_ctx *ctx, wfi_edges *edges, weft_weight_type *type) {
    bool any_float = false, any = false, all = true;
    for (size_t i = 0; i < edges->count; i++) {
        const wfi_piece *p = &edges->pieces[i];
        if (!p->count) continue;
        any = true;
        all = all && p->weights;
        any_float = any_float || (p->weights && p->weight_type == WEFT_WEIGHT_F32);
    }
    *type = !any || !all ? WEFT_WEIGHT_NONE : any_float ? WEFT_WEIGHT_F32 : WEFT_WEIGHT_U32;
    uint64_t inexact = 0;
    for (size_t i = 0; i < edges->count; i++) {
        wfi_piece *p = &edges->pieces[i];
        inexact += p->inexact;
        if (!p->weights || *type != WEFT_WEIGHT_F32 || p->weight_type == WEFT_WEIGHT_F32) continue;
        for (uint64_t k = 0; k < p->count; k++) {
            uint32_t whole = p->weights[k];
            float real = (float)whole;
            inexact += (double)real != (double)whole;
            __builtin_memcpy(&p->weights[k], &real, sizeof real);
        }
        p->weight_type = WEFT_WEIGHT_F32;
    }
    if (inexact)
        wfi_warn(ctx, "%llu integer weights above 2^24 were rounded to 32-bit floats", (unsigned long long)inexact);
    return WEFT_OK;
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
    weft_status st = WEFT_ENOMEM;
    weft_graph *g = wfi_graph_new(ctx);
    if (!g) goto done;
    g->directed = build->directed;
    g->format = build->format ? build->format : "memory";
    g->label = build->label;
    g->records = build->records ? build->records : wfi_edges_total(edges);
    st = settle_weights(ctx, edges, &g->weight_type);
    if (st) goto done;
    st = wfi_number_vertices(ctx, edges, build, &g->n, &g->ids);
    if (st) goto done;
    bool mirror = !build->directed && !build->mirrored;
    wfi_row_counts counts;
    st = wfi_rows_from_edges(ctx, edges, g->n, mirror, &build->params, g->weight_type, &g->out, &counts);
    if (st) goto done;
    count_edges(g, &counts, mirror || !build->directed);
    *out = g;
    g = NULL;
done:
    weft_graph_free(g);
    wfi_edges_free(edges);
    wfi_tell_threads(ctx);
    return st;
}

weft_status wfi_build_rules(weft_ctx *ctx, const weft_build_params *given, weft_build_params *p) {
    weft_build_params full = WEFT_BUILD_DEFAULTS;
    weft_status st = wfi_sized_in(ctx, "weft_build_params", given, &full, sizeof full);
    *p = full;
    if (st) return st;
    if ((unsigned)p->direction > WEFT_UNDIRECTED || (unsigned)p->duplicates > WEFT_DUPLICATES_SUM ||
        (unsigned)p->loops > WEFT_LOOPS_DROP)
        return wfi_fail(ctx, WEFT_EINVAL, "weft_build_params: invalid direction, duplicates or loops");
    return WEFT_OK;
}

static weft_status check_ends(weft_ctx *ctx, const weft_vid *ends, uint64_t count, uint64_t vertices,
                              const char *which) {
    for (uint64_t i = 0; i < count; i++)
        if (ends[i] >= vertices)
            return wfi_fail(ctx, WEFT_EINVAL, "edge %llu: %s %u is not below the number of vertices, %llu",
                            (unsigned long long)i, which, ends[i], (unsigned long long)vertices);
    return WEFT_OK;
}

static weft_status check_weights(weft_ctx *ctx, const void *weights, weft_weight_type type, uint64_t count) {
    if (!weights || type != WEFT_WEIGHT_F32) return WEFT_OK;
    const float *w = weights;
    for (uint64_t i = 0; i < count; i++)
        if (!isfinite(w[i]))
            return wfi_fail(ctx, WEFT_EINVAL, "edge %llu: the weight is not finite", (unsigned long long)i);
    return WEFT_OK;
}

/* In pieces, so that threads can share them. */
static weft_status pieces_of(weft_ctx *ctx, uint64_t count, const weft_vid *sources, const weft_vid *targets,
                             const uint32_t *weights, weft_weight_type type, wfi_edges *edges) {
    enum { EDGES_PER_PIECE = 1 << 18 };
    for (uint64_t from = 0; from < count; from += EDGES_PER_PIECE) {
        wfi_piece *piece;
        uint64_t here = wfi_min_u64(count - from, EDGES_PER_PIECE);
        if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        if (wfi_edges_add(ctx, edges, here, weights != NULL, type, &piece)) return WEFT_ENOMEM;
        for (uint64_t i = 0; i < here; i++) {
            piece->narrow[2 * i] = sources[from + i];
            piece->narrow[2 * i + 1] = targets[from + i];
        }
        if (weights) __builtin_memcpy(piece->weights, weights + from, here * sizeof *weights);
    }
    return WEFT_OK;
}

weft_status weft_graph_from_edges(weft_ctx *ctx, uint64_t vertices, uint64_t count, const weft_vid *sources,
                                  const weft_vid *targets, const void *weights, weft_weight_type weight_type,
                                  const weft_build_params *params, weft_graph **out) {
    if (out) *out = NULL;
    WFI_BEGIN(ctx);
    WFI_NEED(ctx, out);
    weft_build_params rules;
    weft_status st = wfi_build_rules(ctx, params, &rules);
    if (st) return st;
    if (count) WFI_NEED(ctx, sources);
    if (count) WFI_NEED(ctx, targets);
    if (count && !weights && weight_type != WEFT_WEIGHT_NONE)
        return wfi_fail(ctx, WEFT_EINVAL,
                        "weft_graph_from_edges: weights is NULL, but weight_type is not "
                        "WEFT_WEIGHT_NONE");
    if (vertices >= WEFT_NO_VERTEX) return wfi_fail(ctx, WEFT_EINVAL, "at most 2^32-2 vertices");
    if (weights && weight_type != WEFT_WEIGHT_U32 && weight_type != WEFT_WEIGHT_F32)
        return wfi_fail(ctx, WEFT_EINVAL, "weights need a type: WEFT_WEIGHT_U32 or WEFT_WEIGHT_F32");
    st = check_ends(ctx, sources, count, vertices, "source");
    if (!st) st = check_ends(ctx, targets, count, vertices, "target");
    if (!st) st = check_weights(ctx, weights, weight_type, count);
    if (st) return st;

    double start = wfi_now_ms();
    wfi_edges edges = {0};
    st = pieces_of(ctx, count, sources, targets, weights, weight_type, &edges);
    if (st) {
        wfi_edges_free(&edges);
        return st;
    }
    wfi_build build = {.numbering = WFI_VERTICES, .vertices = vertices, .params = rules};
    build.directed = wfi_resolve_directed(build.params.direction, true);
    st = wfi_graph_build(ctx, &edges, &build, out);
    if (!st) (*out)->load_ms = wfi_now_ms() - start;
    return st;
}
