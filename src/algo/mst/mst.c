/* mst: minimum or maximum spanning forest: descriptor, threshold of light edges, and the end of a run.
 * Directions do not count and loops are ignored; the edges of a directed graph are its arcs.  Edges of equal weight are
 * ordered by source, target and position among parallel edges: a total order, so that the forest is unique [1].  The
 * sum of its weights is a pair of doubles, which keeps the rounding errors (Knuth's two-sum), in an order that depends
 * only on the number of edges.
 * [1] Kruskal, "On the Shortest Spanning Subtree of a Graph", Proc. AMS 7, 1956. */
#include "algo/mst/mst.h"
#include "weft/mst.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SAMPLES = 1 << 8, LIGHT = 3, FEW = 4, SLICES = 256, SHARE = 1 << 14 };

/* --- light edges --------------------------------------------------------------------------- */

static int by_place(const void *a, const void *b) {
    const wfi_mst_place *x = a, *y = b;
    if (x->order != y->order) return x->order < y->order ? -1 : 1;
    return (x->arc > y->arc) - (x->arc < y->arc);
}

static wfi_mst_place last_light(const weft_graph *g, bool maximum) {
    wfi_mst_place sample[SAMPLES], all = {UINT64_MAX, UINT64_MAX};
    uint64_t wanted = LIGHT * (uint64_t)g->n;
    if (g->edges <= FEW * (uint64_t)g->n || g->arcs < SAMPLES) return all;
    for (uint64_t i = 0; i < SAMPLES; i++) {
        weft_eid arc = (weft_eid)((double)g->arcs / SAMPLES * ((double)i + 0.5));
        sample[i] = (wfi_mst_place){wfi_mst_order(g->weight_type, g->out.weights, arc, maximum), arc};
    }
    qsort(sample, SAMPLES, sizeof *sample, by_place);
    return sample[(uint64_t)((double)wanted / (double)g->edges * SAMPLES)];
}

/* --- the plan ------------------------------------------------------------------------------ */

static const char *const methods[] = {
    "light edges first, then those between trees",
    "all edges at once",
};

void wfi_mst_describe_plan(const weft_graph *g, const void *params, wfi_choice *choice) {
    wfi_mst_place *last = WFI_DECIDED(wfi_mst_place, choice);
    *last = last_light(g, ((const weft_mst_params *)params)->maximum);
    bool all = last->order == UINT64_MAX;
    choice->method = all; /* the second one */
    snprintf(choice->reason, sizeof choice->reason, "%s",
             all ? "few edges a vertex: each round shortens their list"
                 : "many edges a vertex: most lie within a tree once some three a vertex are done");
}

/* --- the end ------------------------------------------------------------------------------- */

static uint64_t rows_most(const weft_graph *g) { return g->n ? wfi_min_u64(g->n - 1, g->edges) : 0; }

void wfi_mst_rows_lay_out(wfi_workspace *w, const weft_graph *g) {
    for (int i = 0; i < 2; i++) wfi_growth(w, rows_most(g) * sizeof(weft_vid));
    wfi_growth(w, rows_most(g) * sizeof(double));
}

weft_status wfi_mst_rows_grow(wfi_workspace *w, uint64_t count, wfi_mst_rows *rows) {
    wfi_grown_column(w, "source", WEFT_VERTEX, count, &rows->source);
    wfi_grown_column(w, "target", WEFT_VERTEX, count, &rows->target);
    wfi_grown_column(w, "weight", WEFT_F64, count, &rows->weight);
    return w->status;
}

/* A number as an unevaluated sum: `rest` is the rounding error of `sum`. */
typedef struct pair {
    double sum, rest;
} pair;

static pair add(pair to, double x) {
    double sum = to.sum + x, shifted = sum - to.sum;
    to.rest += (to.sum - (sum - shifted)) + (x - shifted);
    to.sum = sum;
    return to;
}

/* Sum of the values times `scale`, a power of two. */
static double sum_of(weft_ctx *ctx, const double *x, uint64_t count, double scale) {
    pair slice[SLICES], all = {0, 0};
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(ctx, count, SHARE))
    for (uint64_t s = 0; s < SLICES; s++) {
        uint64_t size = count / SLICES + 1, end = wfi_min_u64((s + 1) * size, count);
        slice[s] = (pair){0, 0};
        for (uint64_t i = s * size; i < end; i++) slice[s] = add(slice[s], x[i] * scale);
    }
    for (int s = 0; s < SLICES; s++) {
        all = add(all, slice[s].sum);
        all.rest += slice[s].rest;
    }
    return all.sum + all.rest;
}

weft_status wfi_mst_end(wfi_job *job, const wfi_mst_rows *rows, uint64_t count) {
    weft_ctx *ctx = job->ctx;
    double sum = sum_of(ctx, rows->weight, count, 1);
    if (!isfinite(sum)) sum = sum_of(ctx, rows->weight, count, 0x1p-64) * 0x1p64; /* a partial sum overflowed */
    return WFI_TELL(job->ctx, job->result, WFI_F64("weight", sum), WFI_U64("edges", count),
                    WFI_U64("trees", job->g->n - count));
}

/* --- descriptor ---------------------------------------------------------------------------- */

/* The reader kept the lightest of parallel edges in a file, which is right for a minimum only. */
static weft_status validate(weft_ctx *ctx, const weft_graph *g, const void *params) {
    return ((const weft_mst_params *)params)->maximum ? wfi_graph_refuse_ambiguous(ctx, "mst", g) : WEFT_OK;
}

static const weft_param_info params_info[] = {
    {"maximum", WEFT_PARAM_BOOL, offsetof(weft_mst_params, maximum), "no", 0, 1, NULL,
     "the largest weights instead of the smallest"},
};
static const weft_result_info results[] = {
    {"source", WEFT_VERTEX, WEFT_SHAPE_TABLE, "edges of the forest by source, then target: one end"},
    {"target", WEFT_VERTEX, WEFT_SHAPE_TABLE, "the other end"},
    {"weight", WEFT_F64, WEFT_SHAPE_TABLE, "weight of the edge; 1 in a graph without weights"},
    {"weight", WEFT_F64, WEFT_SHAPE_SCALAR, "sum of the weights of the forest"},
    {"edges", WEFT_U64, WEFT_SHAPE_SCALAR, "number of edges of the forest"},
    {"trees", WEFT_U64, WEFT_SHAPE_SCALAR, "number of trees: one for each component"},
};
const wfi_algorithm wfi_algorithm_mst = {
    WFI_DESCRIBE(mst, (const weft_mst_params)WEFT_MST_DEFAULTS, results, methods),
    WFI_PARAMS(params_info),
    .info.help = "minimum or maximum spanning forest: the lightest edges that connect all",
    .info.top_by = "weight",
    .info.weights = "",
    .info.model = "none: how many edges are left after each round depends on the graph",
    .validate = validate,
    .least_weights = true,
    WFI_ON_CPU(wfi_mst_plan_cpu, wfi_mst_cpu),
    WFI_ON_CUDA(wfi_mst_plan_cuda, wfi_mst_cuda),
};
