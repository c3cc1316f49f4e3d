/* Weights as text and conversion to the type requested by weft_read_params.weight_type. Conversion to doubles is
 * exact; to floats it rounds to nearest; to whole numbers it must be exact. */
#include "core/comm.h"
#include "graph/ranks/share.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

wfi_weight_text wfi_weight_value_text(weft_weight_type type, double w) {
    wfi_weight_text t;
    bool single = type == WEFT_WEIGHT_F32;
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(t.text, sizeof t.text, "%.*g", digits, w);
        if ((single ? (double)strtof(t.text, NULL) : strtod(t.text, NULL)) == w) break;
    }
    return t;
}

wfi_weight_text wfi_weight_as_text(const weft_graph *g, weft_eid e) {
    return wfi_weight_value_text(g->weight_type, wfi_weight_at(g->weight_type, g->out.weights, e));
}

static bool fits(double w, weft_weight_type type) {
    switch (type) {
    case WEFT_WEIGHT_NONE:
    case WEFT_WEIGHT_F64: break;
    case WEFT_WEIGHT_U32: return w >= 0 && w <= UINT32_MAX && trunc(w) == w && !signbit(w);
    case WEFT_WEIGHT_F32: return isfinite((float)w) && ((float)w != 0 || w == 0);
    }
    return true;
}

/* Owned arcs of a distributed graph; all arcs of another. */
static void arcs_here(const weft_graph *g, weft_eid *begin, weft_eid *end) {
    const struct wfi_share *s = g->share;
    *begin = 0;
    *end = s ? 0 : g->arcs;
    if (!s || s->owned.first >= s->owned.end) return;
    *begin = g->out.offsets[s->owned.first];
    *end = g->out.offsets[s->owned.end];
}

/* First arc whose weight does not fit the type; g->arcs if all fit. *rounded: number of whole weights that a float
 * rounds. */
static weft_eid first_misfit(weft_ctx *ctx, const weft_graph *g, weft_weight_type type, uint64_t *rounded) {
    weft_eid first = g->arcs, begin, end;
    uint64_t inexact = 0;
    arcs_here(g, &begin, &end);
#pragma omp parallel for schedule(static) reduction(min : first) reduction(+ : inexact) num_threads(wfi_threads_for(ctx, end - begin, 1 << 16))
    for (weft_eid e = begin; e < end; e++) {
        double w = wfi_weight_at(g->weight_type, g->out.weights, e);
        if (!fits(w, type) && e < first) first = e;
        inexact += type == WEFT_WEIGHT_F32 && trunc(w) == w && (double)(float)w != w;
    }
    *rounded = inexact;
    return first;
}

static void put_weights(const weft_graph *g, const void *weights, weft_eid e, weft_weight_type type, void *to) {
    double w = wfi_weight_at(g->weight_type, weights, e);
    switch (type) {
    case WEFT_WEIGHT_NONE: break;
    case WEFT_WEIGHT_U32: ((uint32_t *)to)[e] = (uint32_t)w; break;
    case WEFT_WEIGHT_F32: ((float *)to)[e] = (float)w; break;
    case WEFT_WEIGHT_F64: ((double *)to)[e] = w; break;
    }
}

static weft_status convert(weft_ctx *ctx, const weft_graph *g, weft_weight_type type, const void **weights) {
    if (!*weights) return WEFT_OK;
    void *to = wfi_take(ctx, (size_t)g->arcs, wfi_weight_bytes(type));
    if (!to) return WEFT_ENOMEM;
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(ctx, g->arcs, 1 << 16))
    for (weft_eid e = 0; e < g->arcs; e++) put_weights(g, *weights, e, type, to);
    wfi_graph_free_array(g, *weights);
    *weights = to;
    return WEFT_OK;
}

static void put_here(const weft_graph *g, weft_eid first, weft_eid end, weft_weight_type type, void *to) {
    for (weft_eid e = first; e < end; e++) put_weights(g, g->out.weights, e, type, to);
}

void wfi_warn_rounded(weft_ctx *ctx, uint64_t count, weft_weight_type type) {
    bool narrow = type == WEFT_WEIGHT_F32;
    if (count)
        wfi_warn(ctx, "%llu integer weight%s above 2^%d %s rounded to %d-bit floats", (unsigned long long)count,
                 count == 1 ? "" : "s", narrow ? 24 : 53, count == 1 ? "was" : "were", narrow ? 32 : 64);
}

static weft_status refuse_misfit(weft_ctx *ctx, const char *where, const weft_graph *g, weft_eid arc,
                                 weft_weight_type type) {
    return wfi_fail_weight(ctx, where, g, arc,
                           type == WEFT_WEIGHT_U32 ? "with `weight_type=u32` weights are integers from 0 to 2^32-1"
                                                   : "that is too large or too small for `weight_type=f32`");
}

/* On ranks: each converts its own arcs; the first failure is reported to all. */
static weft_status shared_weights_as(weft_ctx *ctx, const char *where, weft_graph *g, weft_weight_type type) {
    uint64_t rounded;
    weft_eid misfit = first_misfit(ctx, g, type, &rounded);
    weft_status st = misfit < g->arcs ? refuse_misfit(ctx, where, g, misfit, type) : WEFT_OK;
    st = wfi_agree_input(ctx, st);
    if (!st) st = wfi_agree(ctx, wfi_share_change_weights(ctx, g, type, put_here));
    if (!st) st = wfi_allreduce(ctx, &rounded, 1, WFI_SUM);
    if (st) return st;
    if (wfi_rank(ctx) == 0) wfi_warn_rounded(ctx, rounded, type);
    g->weight_type = g->out.type = type;
    return WEFT_OK;
}

weft_status wfi_graph_weights_as(weft_ctx *ctx, const char *where, weft_graph *g, weft_weight_type type) {
    uint64_t rounded;
    if (type == WEFT_WEIGHT_NONE || g->weight_type == WEFT_WEIGHT_NONE || type == g->weight_type) return WEFT_OK;
    if (g->share) return shared_weights_as(ctx, where, g, type);
    weft_eid misfit = first_misfit(ctx, g, type, &rounded);
    if (misfit < g->arcs) return refuse_misfit(ctx, where, g, misfit, type);
    weft_status st = convert(ctx, g, type, &g->out.weights);
    if (!st) st = convert(ctx, g, type, &g->in.weights);
    if (st) return st;
    wfi_warn_rounded(ctx, rounded, type);
    g->weight_type = g->out.type = g->in.type = type;
    return WEFT_OK;
}
