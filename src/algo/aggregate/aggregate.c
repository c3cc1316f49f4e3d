/* aggregate: descriptor, validation and plan.  Definition: docs/algo; order of the sums: aggregate_cpu.c. */
#include "algo/aggregate/aggregate.h"
#include "algo/aggregate/aggregate_cpu.h"
#include "ranks/spread.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

static weft_status check_matrix(weft_ctx *ctx, const weft_graph *g, const weft_matrix *x, const char *what) {
    if (x->type != WEFT_F32 && x->type != WEFT_F16 && x->type != WEFT_BF16)
        return wfi_fail(ctx, WEFT_EINVAL, "aggregate: unknown type of the %s", what);
    if (x->rows != g->n)
        return wfi_fail(ctx, WEFT_EINVAL, "aggregate: the %s have %" PRIu64 " rows, but the graph has %u vertices",
                        what, x->rows, g->n);
    if (!x->width) return wfi_fail(ctx, WEFT_EINVAL, "aggregate: the %s have no columns", what);
    if (g->n && (!x->data || x->width > SIZE_MAX / sizeof(float) / g->n))
        return wfi_fail(ctx, WEFT_EINVAL, "aggregate: %u x %" PRIu64 " %s are too many for memory", g->n, x->width,
                        what);
    return WEFT_OK;
}

static bool is_given(const weft_matrix *x) { return x && (x->data || x->width); }

static weft_status validate(weft_ctx *ctx, const weft_graph *g, const void *params) {
    const weft_aggregate_params *p = params;
    bool back_max = p->backward && p->op == WEFT_AGGREGATE_MAX;
    if ((unsigned)p->op > WEFT_AGGREGATE_MAX || (unsigned)p->normalize > WEFT_NORMALIZE_GCN)
        return wfi_fail(ctx, WEFT_EINVAL, "aggregate: op or normalize has an unknown value");
    if (p->normalize && p->op == WEFT_AGGREGATE_MAX)
        return wfi_fail(ctx, WEFT_EINVAL, "aggregate: gcn is a weighted sum and cannot be combined with the maximum");
    if (p->features_on_device && wfi_device(ctx) != WEFT_DEVICE_CUDA)
        return wfi_fail(ctx, WEFT_EINVAL, "aggregate: features on the GPU require WEFT_DEVICE_CUDA");
    if (!is_given(p->features))
        return wfi_fail(ctx, WEFT_EINVAL, "aggregate needs features: a matrix with a row for each vertex");
    if (g->weight_type != WEFT_WEIGHT_NONE && g->arcs && !wfi_ctx_weights_noted(ctx))
        wfi_note(ctx, "aggregate: the weights of the graph are not used; every arc counts once");
    weft_status st = check_matrix(ctx, g, p->features, "features");
    if (st) return st;
    if (is_given(p->forward) && !back_max)
        return wfi_fail(ctx, WEFT_EINVAL, "aggregate: forward features are only for the gradient of a maximum");
    if (!back_max) return WEFT_OK;
    if (!is_given(p->forward))
        return wfi_fail(ctx, WEFT_EINVAL,
                        "aggregate: the gradient of a maximum needs forward: the features that it was taken of");
    st = check_matrix(ctx, g, p->forward, "forward features");
    if (!st && p->forward->width != p->features->width)
        st = wfi_fail(ctx, WEFT_EINVAL,
                      "aggregate: the forward features have %" PRIu64 " columns, but their gradient has %" PRIu64,
                      p->forward->width, p->features->width);
    return st;
}

wfi_aggregate_method wfi_aggregate_method_of(const weft_aggregate_params *p) {
    if (wfi_aggregate_is_back_max(p)) return WFI_AGGREGATE_WINNERS;
    if (p->backward) return WFI_AGGREGATE_BACKWARD;
    return p->op == WEFT_AGGREGATE_MAX ? WFI_AGGREGATE_MAXIMA : WFI_AGGREGATE_SUMS;
}

static void plan_cpu(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    const weft_aggregate_params *p = params;
    bool back_max = wfi_aggregate_is_back_max(p), at_hand = wfi_in_at_hand(g);
    bool transpose = (!p->backward || back_max) && wfi_need_in(&choice->space, ctx, g);
    bool *counts = WFI_DECIDED(bool, choice);
    *counts = wfi_aggregate_scales(p) && p->backward && !at_hand;
    choice->method = (int)wfi_aggregate_method_of(p);
    snprintf(choice->reason, sizeof choice->reason, "%s",
             !g->directed               ? "undirected: the rows list the neighbours"
             : transpose                ? "the rows of incoming arcs have to be built"
             : p->backward && !back_max ? "the gradient follows the outgoing arcs"
                                        : "the rows of incoming arcs are available");
    wfi_aggregate_space(&choice->space, g->n, g->n, p, *counts);
}

/* Each rank has all features, and sums of its own rows. */
void wfi_aggregate_plan_ranks(const weft_ctx *ctx, const wfi_spread *spread, const void *params, wfi_choice *choice) {
    const weft_aggregate_params *p = params;
    (void)ctx;
    choice->space.needs_in = !p->backward || wfi_aggregate_is_back_max(p);
    choice->counts_in = *WFI_DECIDED(bool, choice) = wfi_aggregate_scales(p) && p->backward;
    choice->sends = wfi_aggregate_scales(p) ? sizeof(float) * wfi_spread_copies(spread) : 0;
    if (wfi_aggregate_is_back_max(p)) choice->sends = wfi_aggregate_back_max_sends(p) * wfi_spread_copies(spread);
    choice->method = (int)wfi_aggregate_method_of(p);
    wfi_aggregate_space(&choice->space, spread->g->n, spread->vertices, p, choice->counts_in);
}

void wfi_aggregate_column(wfi_workspace *w, weft_vid n, const weft_aggregate_params *p, void *place) {
    wfi_column_matrix(w, "f", p->features->type, n, p->features->width, place);
}

weft_status wfi_aggregate_scalars(wfi_job *job) {
    const weft_aggregate_params *p = job->params;
    return WFI_TELL(job->ctx, job->result, WFI_U64("rows", job->g->n), WFI_U64("width", p->features->width));
}

static uint64_t bytes_a_vertex(const void *params) {
    const weft_aggregate_params *p = params;
    return p->features ? wfi_matrix_bytes(p->features->type) * p->features->width : 0;
}

static const char *serves_cuda(const weft_graph *g, const void *params) {
    const weft_aggregate_params *p = params;
    (void)g;
    return p->features && p->features->width > UINT32_MAX / 2 ? "only the CPU handles this many columns" : NULL;
}

/* A pass is over 16 columns, each 4 bytes. */
static void work(const weft_graph *g, const void *params, wfi_work *work) {
    uint64_t bytes = bytes_a_vertex(params);
    (void)g;
    *work = (wfi_work){.passes = bytes ? (double)bytes / 64 : 1, .levels = 1};
}

static double model_bytes(const weft_graph *g, const void *params, const weft_result *result) {
    const weft_aggregate_params *p = params;
    (void)result;
    if (p->backward && p->op == WEFT_AGGREGATE_MAX) return 0; /* it depends on the positions of the maxima */
    double vector = (double)(p->features->width * (p->features->type == WEFT_F32 ? 4 : 2));
    return (4 + vector) * (double)g->arcs + (8 + vector) * g->n;
}

#define FIELD(name) offsetof(weft_aggregate_params, name)
static const weft_param_info params_info[] = {
    {"features", WEFT_PARAM_MATRIX, FIELD(features), NULL, 0, 0, NULL,
     "a NumPy file of f4, f8, f2 or bf16 (as V2) with a row for each vertex, in the order in which results list them"},
    {"op", WEFT_PARAM_CHOICE, FIELD(op), "mean", 0, 0, "sum|mean|max", "how the neighbours' vectors are combined"},
    {"self-loop", WEFT_PARAM_BOOL, FIELD(self_loop), "no", 0, 1, NULL,
     "count a vertex without a loop among its own neighbours"},
    {"normalize", WEFT_PARAM_CHOICE, FIELD(normalize), "none", 0, 0, "none|gcn",
     "gcn: the sum of x[u] / sqrt(d[u] d[v]) instead of the mean, d = number of in-neighbours"},
    {"backward", WEFT_PARAM_BOOL, FIELD(backward), "no", 0, 1, NULL,
     "take the features as the gradient with respect to a result, and return the gradient with respect to its input"},
    {"forward", WEFT_PARAM_MATRIX, FIELD(forward), "", 0, 0, NULL,
     "for `backward` `op=max`: the features that the maximum was taken of"},
};
static const weft_result_info results[] = {
    {"f", WEFT_F32, WEFT_SHAPE_VERTICES,
     "the result, with the width and type of the features: columns f0, f1, ..., or a 2-D array in .npy"},
    {"rows", WEFT_U64, WEFT_SHAPE_SCALAR, "number of rows: one for each vertex"},
    {"width", WEFT_U64, WEFT_SHAPE_SCALAR, "number of columns"},
};

static const char *const methods[] = {
    "row sums in blocks",
    "row sums in blocks, backward",
    "row maxima",
    "winners, then row sums in blocks",
    "pieces of rows",
    "pieces of rows, backward",
    "maxima of pieces of rows",
    "winners, then pieces of rows",
};

const wfi_algorithm wfi_algorithm_aggregate = {
    WFI_DESCRIBE(aggregate, (const weft_aggregate_params)WEFT_AGGREGATE_DEFAULTS, results, methods),
    WFI_PARAMS(params_info),
    .info.help = "mean, sum or maximum of the neighbours' feature vectors, as in a graph neural network",
    .info.top_by = "f0",
    .info.model = "4 an arc (target) and 8 a vertex (offset), and a vector of features an arc and a vertex",
    .model_bytes = model_bytes,
    .validate = validate,
    WFI_ON_CPU(plan_cpu, wfi_aggregate_cpu),
    WFI_ON_RANKS(wfi_aggregate_plan_ranks, wfi_aggregate_cpu),
    .serves_cuda = serves_cuda,
    WFI_ON_CUDA(wfi_aggregate_plan_cuda, wfi_aggregate_cuda),
    WFI_ON_RANKS_CUDA(wfi_aggregate_plan_ranks_cuda, wfi_aggregate_ranks_cuda),
    .work = work,
    .bytes_a_vertex = bytes_a_vertex,
    .sends_exactly = true,
};
