/* The caller's rows as the graph's rows, copied or kept in place. Needs: checked offsets and targets. Rows qualify if
 * each one ascends and the build rules leave every arc unchanged; other rows are converted to edges (arrays.c). */
#include "graph/arrays.h"

/* Properties of the rows. */
typedef struct facts {
    bool ascending;
    uint64_t loops, repeated; /* arcs u -> u; arcs equal to their predecessor */
} facts;

enum { ROWS = 1 << 12 };

static inline weft_vid target_at(const weft_arrays *a, weft_eid e) {
    int64_t id = 0;
    if (a->id_type == WEFT_U32 || a->id_type == WEFT_I32) {
        weft_vid v;
        memcpy(&v, (const char *)a->targets + e * sizeof v, sizeof v);
        return v;
    }
    wfi_elements_i64(a->targets, a->id_type, e, 1, &id);
    return (weft_vid)id;
}

static facts look_at(weft_ctx *ctx, const weft_arrays *a, const weft_eid *offsets, bool *stop) {
    bool ascending = true, stopped = false;
    uint64_t loops = 0, repeated = 0, n = a->vertices;
#pragma omp parallel for schedule(dynamic, 1) reduction(&& : ascending) reduction(|| : stopped) reduction(+ : loops, repeated) num_threads(wfi_threads_for(ctx, n, ROWS))
    for (uint64_t first = 0; first < n; first += ROWS) {
        if (wfi_cancelled(ctx)) stopped = true;
        if (stopped || !ascending) continue;
        for (uint64_t v = first, end = wfi_min_u64(n, first + ROWS); v < end; v++) {
            weft_vid before = 0;
            for (weft_eid e = offsets[v]; e < offsets[v + 1]; e++) {
                weft_vid u = target_at(a, e);
                loops += u == v;
                if (e > offsets[v]) {
                    ascending = ascending && before <= u;
                    repeated += before == u;
                }
                before = u;
            }
        }
    }
    *stop = stopped;
    return (facts){ascending, loops, repeated};
}

/* True if the array has the graph's representation and can be kept. */
static bool same_bits(weft_type given, weft_weight_type kept) {
    switch (kept) {
    case WEFT_WEIGHT_NONE: return false;
    case WEFT_WEIGHT_U32: return given == WEFT_U32 || given == WEFT_I32; /* checked: no weight is negative */
    case WEFT_WEIGHT_F32: return given == WEFT_F32;
    case WEFT_WEIGHT_F64: return given == WEFT_F64;
    }
    return false;
}

static bool aligned(const void *array, size_t bytes) { return array && (uintptr_t)array % bytes == 0; }

static weft_status take_offsets(weft_ctx *ctx, const weft_arrays *a, const weft_eid *offsets, weft_graph *g) {
    if (a->release && offsets == a->offsets) {
        g->lent.offsets = offsets;
        g->out.offsets = offsets;
        return WEFT_OK;
    }
    if (wfi_alloc(ctx, &g->out.offsets, (size_t)a->vertices + 1)) return WEFT_ENOMEM;
    memcpy(wfi_own_offsets(&g->out), offsets, ((size_t)a->vertices + 1) * sizeof *offsets);
    return WEFT_OK;
}

static weft_status take_targets(weft_ctx *ctx, const weft_arrays *a, weft_graph *g) {
    bool narrow = a->id_type == WEFT_U32 || a->id_type == WEFT_I32;
    if (a->release && narrow && aligned(a->targets, sizeof(weft_vid))) {
        g->lent.targets = a->targets;
        g->out.targets = a->targets;
        return WEFT_OK;
    }
    weft_vid *targets;
    if (wfi_alloc(ctx, &targets, (size_t)a->edges)) return WEFT_ENOMEM;
    g->out.targets = targets;
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(ctx, a->edges, 1 << 16))
    for (weft_eid e = 0; e < a->edges; e++) targets[e] = target_at(a, e);
    return WEFT_OK;
}

static weft_status take_weights(weft_ctx *ctx, const weft_arrays *a, weft_weight_type type, weft_graph *g) {
    size_t each = wfi_weight_bytes(type);
    g->weight_type = g->out.type = a->edges ? type : WEFT_WEIGHT_NONE;
    if (g->weight_type == WEFT_WEIGHT_NONE) return WEFT_OK;
    if (a->release && same_bits(a->weight_type, type) && aligned(a->weights, each)) {
        g->lent.weights = a->weights;
        g->out.weights = a->weights;
        return WEFT_OK;
    }
    g->out.weights = wfi_take(ctx, (size_t)a->edges, each);
    if (!g->out.weights) return WEFT_ENOMEM;
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(ctx, a->edges, 1 << 16))
    for (weft_eid e = 0; e < a->edges; e += WFI_ELEMENTS)
        wfi_array_weights_fill(a, type, e, wfi_min_u64(a->edges - e, WFI_ELEMENTS),
                               wfi_own_weights(&g->out) + e * each);
    return WEFT_OK;
}

weft_status wfi_graph_of_rows(weft_ctx *ctx, const weft_arrays *a, const weft_eid *offsets,
                              const wfi_array_weights *weights, const wfi_build *build, weft_graph **out) {
    bool stop;
    facts f = look_at(ctx, a, offsets, &stop);
    if (stop) return wfi_fail_cancelled(ctx);
    bool drops = (f.loops && build->params.loops == WEFT_LOOPS_DROP) ||
                 (f.repeated && build->params.duplicates != WEFT_DUPLICATES_KEEP);
    if (!f.ascending || drops || wfi_rules_change_weights(&build->params, weights->type)) return WEFT_OK;
    weft_graph *g = wfi_graph_new(ctx);
    if (!g) return WEFT_ENOMEM;
    g->n = (weft_vid)a->vertices;
    g->out = wfi_view_of(g->n, WEFT_WEIGHT_NONE);
    g->arcs = g->records = a->edges;
    g->directed = build->directed;
    g->direction_from = wfi_direction_from(build);
    g->self_loops = f.loops;
    g->edges = g->directed ? g->arcs : (g->arcs - f.loops) / 2 + f.loops;
    weft_status st = take_offsets(ctx, a, offsets, g);
    if (!st) st = take_targets(ctx, a, g);
    if (!st) st = take_weights(ctx, a, weights->type, g);
    if (!st && build->mirrored) st = wfi_graph_check_symmetric(ctx, g);
    if (st) {
        weft_graph_free(g);
        return st;
    }
    if (g->lent.offsets || g->lent.targets || g->lent.weights) {
        g->lent.release = a->release;
        g->lent.user = a->user;
    }
    *out = g;
    return WEFT_OK;
}

/* --- symmetry ---------------------------------------------------------------------- */

/* Position of the reverse of arc e = (u, v): for the k-th arc u -> v the k-th arc v -> u; UINT64_MAX if there is
 * none. */
static weft_eid counterpart(const weft_graph *g, weft_vid u, weft_eid e, uint64_t k) {
    weft_eid first;
    weft_vid v = g->out.targets[e];
    if (!weft_graph_has_arc(g, v, u, &first) || first + k >= g->out.offsets[v + 1] || g->out.targets[first + k] != u)
        return UINT64_MAX;
    return first + k;
}

static bool same_weight(const weft_graph *g, weft_eid a, weft_eid b) {
    return g->weight_type == WEFT_WEIGHT_NONE ||
           wfi_weight_at(g->weight_type, g->out.weights, a) == wfi_weight_at(g->weight_type, g->out.weights, b);
}

/* First arc of the row without an equal reverse; the row's end if there is none. */
static weft_eid first_alone(const weft_graph *g, weft_vid u) {
    uint64_t k = 0;
    for (weft_eid e = g->out.offsets[u]; e < g->out.offsets[u + 1]; e++) {
        k = e > g->out.offsets[u] && g->out.targets[e - 1] == g->out.targets[e] ? k + 1 : 0;
        weft_eid other = counterpart(g, u, e, k);
        if (other == UINT64_MAX || !same_weight(g, e, other)) return e;
    }
    return g->out.offsets[u + 1];
}

weft_status wfi_graph_check_symmetric(weft_ctx *ctx, const weft_graph *g) {
    weft_vid row = WEFT_NO_VERTEX;
    bool stop = false;
#pragma omp parallel for schedule(dynamic, 256) reduction(min                      \
                                                          : row) reduction(||      \
                                                                           : stop) \
    num_threads(wfi_threads_for(ctx, g->arcs + g->n, 1 << 14))
    for (weft_vid u = 0; u < g->n; u++) {
        if (u % 4096 == 0 && wfi_cancelled(ctx)) stop = true;
        if (!stop && u < row && first_alone(g, u) < g->out.offsets[u + 1]) row = u;
    }
    if (stop) return wfi_fail_cancelled(ctx);
    if (row == WEFT_NO_VERTEX) return WEFT_OK;
    char from[128], to[128];
    weft_graph_id_text(g, row, from, sizeof from);
    weft_graph_id_text(g, g->out.targets[first_alone(g, row)], to, sizeof to);
    return wfi_fail(ctx, WEFT_EINVAL, "not symmetric: the edge from %s to %s has no reverse edge with the same weight",
                    from, to);
}
