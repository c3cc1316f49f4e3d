/* pagerank: descriptor, validation and plan; shared by all back ends: parts, the caller's vectors, initial ranks, and
 * the final scalars.  The definition is in docs/algo, the method in pagerank_cpu.c. */
#include "algo/pagerank/pagerank.h"
#include "ranks/grid.h"
#include "weft/pagerank.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

/* --- shared by back ends ------------------------------------------------------------ */

bool wfi_pagerank_by_degree(const weft_graph *g, const weft_pagerank_params *p) {
    return !p->iterations && !g->directed && g->arcs && !p->restart && !p->weights;
}

/* Without restarts the stationary distribution of the walk on an undirected graph is proportional to the degree.  The
 * ranks of vertices without arcs, the teleport that they add to, and the ranks of vertices of pairs are known in closed
 * form; the remainder is shared in proportion to the degree, so that the sum of the initial ranks is the final sum.  No
 * rank leaves a pair, so an error of its sum would fade only with the damping: an R-MAT graph of 2^20 vertices has 378
 * vertices in pairs, and without their ranks it takes 21 iterations instead of 10 to reach 1e-6. */
wfi_pagerank_beginning wfi_pagerank_begin(const weft_graph *g, const weft_pagerank_params *p, weft_vid alone,
                                          weft_vid paired) {
    double n = (double)g->n, d = p->damping, a = (double)alone, two = (double)paired, arcs = (double)g->arcs - two;
    bool drop = p->dangling == WEFT_DANGLING_DROP;
    if (!wfi_pagerank_by_degree(g, p)) return (wfi_pagerank_beginning){1 / n, 0, 0};
    double mean = drop ? 1 / n : 1 / (n - d * a), flat = (1 - d) * mean, rest = n - a - two;
    double joined = (drop ? (n - a) / n : 1 - a * flat) - two * mean;
    return (wfi_pagerank_beginning){flat, arcs > 0 ? (joined - rest * flat) / arcs : 0, mean};
}

weft_status wfi_pagerank_scalars(weft_ctx *ctx, const weft_pagerank_params *p, uint64_t iterations, double residual,
                                 double sum, weft_result *result) {
    if (!p->iterations && !(residual <= p->tolerance))
        wfi_warn(ctx, "pagerank: after %llu iteration%s the ranks still change by %.3g, more than the tolerance %.3g",
                 (unsigned long long)iterations, iterations == 1 ? "" : "s", residual, p->tolerance);
    return WFI_TELL(ctx, result, WFI_U64("iterations", iterations), WFI_F64("residual", residual), WFI_F64("sum", sum));
}

weft_status wfi_pagerank_sum(weft_ctx *ctx, const weft_graph *g, const char *name, const double *weight, double *sum) {
    *sum = 0;
    /* Sequential, since the sum must not depend on the threads. */
    for (weft_vid v = 0; v < g->n; v++) {
        if (!(weight[v] >= 0 && isfinite(weight[v])))
            return wfi_fail(ctx, WEFT_EINVAL, "pagerank: %s[%u] is %g, but must be a number of 0 or more", name, v,
                            weight[v]);
        *sum += weight[v];
    }
    if (!g->n || (*sum > 0 && isfinite(*sum))) return WEFT_OK;
    return wfi_fail(ctx, WEFT_EINVAL, "pagerank: %s: the weights sum to %g; they must have a finite sum above 0", name,
                    *sum);
}

weft_status wfi_pagerank_fill_restart(weft_ctx *ctx, const weft_graph *g, const weft_pagerank_params *params,
                                      double *restart) {
    double sum;
    weft_status st = wfi_pagerank_sum(ctx, g, "restart", params->restart, &sum);
    for (weft_vid v = 0; !st && v < g->n; v++) restart[v] = params->restart[v] / sum;
    return st;
}

void wfi_pagerank_columns(wfi_workspace *w, weft_vid n, const weft_pagerank_params *params, void *rank,
                          double **restart) {
    wfi_column(w, "rank", params->precision == WEFT_PRECISION_F64 ? WEFT_F64 : WEFT_F32, n, rank);
    *restart = NULL;
    if (params->restart) wfi_array(w, restart, n);
}

/* --- the descriptor ----------------------------------------------------------------- */

static weft_status validate(weft_ctx *ctx, const weft_graph *g, const void *params) {
    const weft_pagerank_params *p = params;
    if ((unsigned)p->dangling > WEFT_DANGLING_DROP || (unsigned)p->precision > WEFT_PRECISION_F16)
        return wfi_fail(ctx, WEFT_EINVAL, "pagerank: invalid dangling or precision");
    if (p->dangling_to && p->dangling == WEFT_DANGLING_DROP)
        return wfi_fail(ctx, WEFT_EINVAL, "pagerank: dangling rank is either dropped or goes to dangling_to");
    if (p->precision == WEFT_PRECISION_F16)
        return wfi_fail(ctx, WEFT_EINVAL,
                        "pagerank: f16 is refused: half precision does not converge on some graphs; use f32; "
                        "the lab has it as a rung");
    if (wfi_check_weights(ctx, g, "pagerank", p->weights)) return WEFT_EINVAL;
    if (!p->weights) wfi_note_weights_unused(ctx, g, "pagerank");
    return WEFT_OK;
}

static void plan_cpu(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    const weft_pagerank_params *p = params;
    const char *why;
    int threads = wfi_threads(ctx);
    wfi_pagerank_machine machine = {wfi_caches_here(), wfi_sweep_costs_of(threads), threads, wfi_plan_room(ctx)};
    wfi_pagerank_method method = wfi_pagerank_pick(&machine, g, p, &why);
    bool tiled = method == WFI_TILED, transpose = !tiled && wfi_need_in(&choice->space, ctx, g);
    choice->method = (int)method;
    snprintf(choice->reason, sizeof choice->reason, "%s%s", why,
             tiled          ? ""
             : !g->directed ? "; undirected: the rows are their own transpose"
             : transpose    ? "; the rows of incoming arcs will be made"
                            : "; the rows of incoming arcs are available");
    wfi_pagerank_space(&choice->space, g, p, threads, method);
}

/* The bound on the error falls by the factor `damping` in each iteration; on real graphs, four times as fast. */
static void work(const weft_graph *g, const void *params, wfi_work *to) {
    const weft_pagerank_params *p = params;
    (void)g;
    double enough = p->tolerance > 0 && p->tolerance < 1 && p->damping > 0 && p->damping < 1
                        ? 1 + log(p->tolerance) / log(p->damping) / 4
                        : (double)p->max_iterations;
    double passes = p->iterations ? (double)p->iterations : fmin(enough, (double)p->max_iterations);
    *to = (wfi_work){.passes = passes, .levels = passes};
}

/* Ranks have a part of each block of vertices that is swept at once. */
static weft_vid rank_block(const weft_graph *g, const void *params) {
    return wfi_pagerank_part(g->n, ((const weft_pagerank_params *)params)->iterations > 0);
}

static void grid_load(const weft_graph *g, const void *params, wfi_grid_load *load) {
    wfi_work w;
    work(g, params, &w);
    wfi_pagerank_load(params, load);
    load->iterations = w.passes;
}

static const char *serves_cuda(const weft_graph *g, const void *params) {
    const weft_pagerank_params *p = params;
    if (p->nstart || p->dangling_to) return "`nstart` and `dangling_to` run on the CPU";
    return g->n >= (weft_vid)1 << 31 ? "2^31 vertices or more are ranked on the CPU" : NULL;
}

static uint64_t bytes_a_vertex(const void *params) {
    return ((const weft_pagerank_params *)params)->precision == WEFT_PRECISION_F64 ? sizeof(double) : sizeof(float);
}

static double model_bytes(const weft_graph *g, const void *params, const weft_result *result) {
    const weft_pagerank_params *p = params;
    if (p->weights || p->precision != WEFT_PRECISION_F32) return 0;
    return wfi_iterations_of(result) * (8.0 * (double)g->arcs + 20.0 * g->n);
}

#define FIELD(name) offsetof(weft_pagerank_params, name)
static const weft_param_info params_info[] = {
    {"damping", WEFT_PARAM_F64, FIELD(damping), "0.85", 0, 1, NULL,
     "share of rank that follows arcs; the rest restarts"},
    {"tolerance", WEFT_PARAM_F64, FIELD(tolerance), "1e-6", 0, 2, NULL,
     "stop when the ranks change by no more than this in total (L1)"},
    {"max-iterations", WEFT_PARAM_U64, FIELD(max_iterations), "100", 1, 1e9, NULL, "maximum number of iterations"},
    {"iterations", WEFT_PARAM_U64, FIELD(iterations), "0", 0, 1e9, NULL,
     "exact number of iterations, regardless of the tolerance; 0 = until the tolerance is met"},
    {"personalize", WEFT_PARAM_WEIGHTS, FIELD(restart), "", 0, 0, NULL,
     "vertices (1,2,3 or random:K) or a file of lines 'id [weight]': restarts go there instead of everywhere"},
    {"weights", WEFT_PARAM_BOOL, FIELD(weights), "no", 0, 1, NULL,
     "rank leaves along arcs in proportion to their weights"},
    {"dangling", WEFT_PARAM_CHOICE, FIELD(dangling), "redistribute", 0, 0, "redistribute|drop",
     "what happens to the rank of vertices without outgoing arcs: it restarts, or is lost"},
    {"precision", WEFT_PARAM_CHOICE, FIELD(precision), "f32", 0, 0, "f32|f64",
     "precision of ranks and shares; half precision exists only in the lab"},
    {"nstart", WEFT_PARAM_WEIGHTS, FIELD(nstart), "", 0, 0, NULL, "likewise: the initial ranks, up to a factor"},
    {"dangling-to", WEFT_PARAM_WEIGHTS, FIELD(dangling_to), "", 0, 0, NULL,
     "likewise: the destination of the rank of vertices without outgoing arcs, instead of restarts"},
};

static const weft_result_info results[] = {
    {"rank", WEFT_F32, WEFT_SHAPE_VERTICES,
     "share of the time a random surfer spends at the vertex (f64 with `precision=f64`)"},
    {"iterations", WEFT_U64, WEFT_SHAPE_SCALAR, "number of iterations done"},
    {"residual", WEFT_F64, WEFT_SHAPE_SCALAR, "total change of the ranks in the last iteration (L1)"},
    {"sum", WEFT_F64, WEFT_SHAPE_SCALAR, "sum of the ranks: 1 unless dangling rank is dropped"},
};

static const char *const methods[] = {
    "pull",
    "tiles",
    "pull by degree",
    "pull, arcs streamed",
};

const wfi_algorithm wfi_algorithm_pagerank = {
    WFI_DESCRIBE(pagerank, (const weft_pagerank_params)WEFT_PAGERANK_DEFAULTS, results, methods),
    WFI_PARAMS(params_info),
    .info.help = "importance of each vertex: how often a random surfer visits it",
    .info.top_by = "rank",
    .info.weights = "weights",
    .info.model = "in an iteration 8 an arc (target, share), 20 a vertex (offset, rank read and written, share)",
    .info.checkpoints = 1,
    .info.on_grid = 1,
    .model_bytes = model_bytes,
    .validate = validate,
    WFI_ON_CPU(plan_cpu, wfi_pagerank_cpu),
    .rank_block = rank_block,
    .grid_load = grid_load,
    WFI_ON_RANKS(wfi_pagerank_plan_ranks, wfi_pagerank_cpu),
    .bytes_a_vertex = bytes_a_vertex,
    .work = work,
    .serves_cuda = serves_cuda,
    WFI_ON_CUDA(wfi_pagerank_plan_cuda, wfi_pagerank_cuda),
    WFI_ON_RANKS_CUDA(wfi_pagerank_plan_ranks_cuda, wfi_pagerank_ranks_cuda),
    WFI_STREAMED(wfi_pagerank_plan_stream, wfi_pagerank_stream),
    .follower = &wfi_follow_pagerank,
    .sends_exactly = true,
};
