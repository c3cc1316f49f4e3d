/* clustering: the share of pairs of a vertex's neighbours that are joined.
 * Loops and repeated edges do not count.  Undirected: c(v) = 2T / (d(d-1)).  Directed, either
 *   ldbc      arcs among the neighbours / d(d-1), where a neighbour is one by an arc in or out [1], or
 *   fagiolo   directed triangles / possible ones: S / (t(t-1) - 2b), where t counts arcs in and out, b neighbours by
 *             arcs both ways, and S adds for each triangle the product of the numbers of arcs on its sides
 *             [2].
 * A vertex with fewer than two neighbours has 0, and counts in the average.
 * [1] "The LDBC Graphalytics Benchmark", arXiv:2011.15028, section 2.3.5.
 * [2] Fagiolo, "Clustering in complex directed networks", Phys. Rev. E 76, 2007.
 * Needs: any graph; a directed one gets its transpose.
 * Method: the forward algorithm on the degree-ordered orientation gives the triangles of each vertex
 * (engines/triangles/triangles.c if every edge counts once, clustering_directed.c otherwise), as exact integers; one
 * division makes the coefficient, so its bits depend on nothing else.  If the oriented copy of an undirected graph
 * would exceed the memory limit, the graph's own rows are intersected.
 * Ranks add up the same sums (ranks/triangles.c).
 * Encoding: the average adds coefficients in fixed point (engines/triangles/triangles.h). */
#include "algo/clustering/clustering.h"
#include "graph/rows.h"
#include "ranks/device_steps.h"

#include <stdio.h>

enum { SHARE = 1 << 14 };

typedef struct arrays {
    double *column;
    uint64_t *sums; /* sums by rank; lean: by vertex */
    wfi_oriented o; /* lean: only the degrees, by vertex */
    wfi_orienting orienting;
    wfi_triangle_scratch scratch; /* undirected */
    uint32_t *marks;              /* directed */
} arrays;

static void lay_out(wfi_workspace *w, const weft_ctx *ctx, const weft_graph *g, int method, arrays *a) {
    uint64_t most = wfi_oriented_most(g);
    wfi_column(w, "coefficient", WEFT_F64, g->n, &a->column);
    wfi_array(w, &a->sums, g->n);
    if (method == WFI_CLUSTERING_LEAN) {
        a->o = (wfi_oriented){.n = g->n};
        wfi_array(w, &a->o.degree, g->n);
        return;
    }
    wfi_oriented_lay_out(w, ctx, g, g->directed, &a->o, &a->orienting);
    if (g->directed)
        wfi_array(w, &a->marks, (uint64_t)wfi_clustering_sums_threads(ctx, most) * g->n);
    else
        wfi_triangles_lay_out(w, ctx, g->n, most, false, &a->scratch);
}

static void plan_cpu(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    const weft_clustering_params *p = params;
    arrays a;
    wfi_workspace *w = &choice->space;
    if (p->weights) {
        wfi_clustering_plan_weighted(ctx, g, choice);
        return;
    }
    bool transpose = wfi_need_in(w, ctx, g);
    choice->method = wfi_clustering_method_of(g, p);
    snprintf(choice->reason, sizeof choice->reason, "%s%s",
             g->directed ? "directed: each edge remembers whether it has arcs one way or both"
                         : "undirected: the coefficient follows from triangles and degree",
             transpose ? "; the transpose is built first" : "");
    lay_out(w, ctx, g, choice->method, &a);
    if (g->directed || wfi_oriented_fits(ctx, choice, WFI_CLUSTERING_LEAN)) return;
    lay_out(w, ctx, g, WFI_CLUSTERING_LEAN, &a);
}

weft_status wfi_clustering_scalars(weft_ctx *ctx, uint64_t n, const wfi_clustering_totals *t, weft_result *result) {
    return WFI_TELL(ctx, result, WFI_F64("average", wfi_clustering_average(t, n)),
                    WFI_F64("transitivity", wfi_clustering_transitivity(t)));
}

/* From sums to coefficients, and their averages. */
static weft_status finish(const wfi_job *job, const arrays *a, weft_directed_mode mode, uint64_t total) {
    weft_ctx *ctx = job->ctx;
    const weft_graph *g = job->g;
    const wfi_oriented *o = &a->o;
    uint64_t upper = 0, lower = 0, wedges = 0;
#pragma omp parallel num_threads(wfi_threads_for(ctx, g->n, SHARE)) reduction(+ : upper, lower, wedges)
    {
        wfi_clustering_totals mine = {0, 0, 0, 0};
#pragma omp for schedule(static)
        for (weft_vid r = 0; r < o->n; r++) {
            uint64_t both = o->reciprocal ? o->reciprocal[r] : 0;
            double c = wfi_clustering_coefficient(o->degree[r], both, a->sums[r], g->directed, mode);
            a->column[o->vertex ? o->vertex[r] : r] = c;
            wfi_clustering_add(&mine, c, o->degree[r]);
        }
        upper += mine.upper, lower += mine.lower, wedges += mine.wedges;
    }
    wfi_clustering_totals totals = {total, wedges, upper, lower};
    return wfi_clustering_scalars(ctx, g->n, &totals, job->result);
}

/* Degrees by vertex, the only part of the oriented view that the lean method needs. */
static void count_neighbours(weft_ctx *ctx, const weft_graph *g, uint32_t *degrees) {
#pragma omp parallel for schedule(dynamic, 256) num_threads(wfi_threads_for(ctx, g->n + g->arcs, SHARE))
    for (weft_vid v = 0; v < g->n; v++) {
        uint32_t degree = 0;
        for (wfi_merger m = wfi_neighbours(g, v); wfi_next_neighbour(&m);) degree++;
        degrees[v] = degree;
    }
}

static weft_status run_cpu(wfi_job *job) {
    weft_ctx *ctx = job->ctx;
    const weft_graph *g = job->g;
    weft_directed_mode mode = (weft_directed_mode)((const weft_clustering_params *)job->params)->directed_mode;
    uint64_t total = 0;
    if (((const weft_clustering_params *)job->params)->weights) return wfi_clustering_run_weighted(job);
    bool lean = job->choice->method == WFI_CLUSTERING_LEAN;
    arrays a;
    lay_out(job->space, ctx, g, job->choice->method, &a);
    weft_status st = job->space->status;
    if (!st && !lean) st = wfi_oriented_make(ctx, job->space, g, g->directed, &a.orienting, &a.o);
    if (!st && lean) count_neighbours(ctx, g, a.o.degree);
    if (!st && lean)
        st = wfi_count_triangles_lean(ctx, g, a.sums, &total);
    else if (!st && g->directed)
        st = wfi_clustering_sums(ctx, &a.o, mode, a.marks, a.sums, &total);
    else if (!st)
        st = wfi_count_triangles(ctx, &a.o, &a.scratch, a.sums, NULL, &total);
    return st ? st : finish(job, &a, mode, total);
}

/* --- ranks ---------------------------------------------------------------------------- */

typedef struct rank_arrays {
    double *column;
    wfi_rank_triangles c;
} rank_arrays;

static wfi_triangle_rule rule_of(const weft_graph *g, const weft_clustering_params *p) {
    if (!g->directed) return WFI_TRIANGLE_ONE;
    return p->directed_mode == WEFT_DIRECTED_LDBC ? WFI_TRIANGLE_OPPOSITE : WFI_TRIANGLE_PRODUCT;
}

static void lay_out_ranks(wfi_workspace *w, const weft_ctx *ctx, const wfi_spread *s, wfi_triangle_rule rule,
                          rank_arrays *a) {
    wfi_column(w, "coefficient", WEFT_F64, s->vertices, &a->column);
    wfi_array(w, &a->c.sum, s->vertices);
    wfi_rank_triangles_lay_out(w, ctx, s, rule, &a->c);
}

/* gpu: the steps of a search on GPUs; NULL: on CPU cores. */
static void plan_ranks_with(const weft_ctx *ctx, const wfi_spread *spread, const void *params, wfi_choice *choice,
                            wfi_rank_triangles_gpu *gpu) {
    choice->method = WFI_CLUSTERING_FETCHED;
    choice->space.needs_in = true;
    rank_arrays a = {.c = {.gpu = gpu}};
    wfi_triangle_rule rule = rule_of(spread->g, params);
    lay_out_ranks(&choice->space, ctx, spread, rule, &a);
    choice->sends = wfi_rank_triangles_sends(spread, rule, &a.c);
}

static weft_status run_ranks_with(wfi_job *job, wfi_rank_triangles_gpu *gpu) {
    wfi_spread *s = job->spread;
    const weft_graph *g = s->g;
    weft_directed_mode mode = (weft_directed_mode)((const weft_clustering_params *)job->params)->directed_mode;
    wfi_triangle_rule rule = rule_of(g, job->params);
    wfi_clustering_totals mine = {0, 0, 0, 0};
    rank_arrays a = {.c = {.gpu = gpu}};
    lay_out_ranks(job->space, job->ctx, s, rule, &a);
    weft_status st = wfi_agree(job->ctx, job->space->status);
    if (!st) st = wfi_rank_triangles_run(job->ctx, job->space, s, rule, &a.c);
    for (weft_vid k = 0; k < s->vertices && !st; k++) {
        uint64_t degree = a.c.degree[s->part[0].first + k], both = rule ? a.c.reciprocal[k] : 0;
        a.column[k] = wfi_clustering_coefficient(degree, both, a.c.sum[k], g->directed, mode);
        wfi_clustering_add(&mine, a.column[k], degree);
    }
    uint64_t sum[] = {mine.wedges, mine.upper, mine.lower};
    if (!st) st = wfi_allreduce(job->ctx, sum, 3, WFI_SUM);
    wfi_clustering_totals all = {a.c.triangles, sum[0], sum[1], sum[2]};
    return st ? st : wfi_clustering_scalars(job->ctx, g->n, &all, job->result);
}

/* --- the descriptor ------------------------------------------------------------------- */

static weft_status validate(weft_ctx *ctx, const weft_graph *g, const void *given) {
    const weft_clustering_params *p = given;
    if (!p->weights) wfi_note_weights_unused(ctx, g, "clustering");
    if (p->weights && g->directed && p->directed_mode == WEFT_DIRECTED_LDBC)
        return wfi_fail(ctx, WEFT_EINVAL, "clustering: weights of a directed graph need `directed-mode=fagiolo`");
    if (p->directed_mode == WEFT_DIRECTED_LDBC || p->directed_mode == WEFT_DIRECTED_FAGIOLO)
        return wfi_check_weights(ctx, g, "clustering", p->weights);
    return wfi_fail(ctx, WEFT_EINVAL, "clustering: directed-mode is %d, but must be 0 (ldbc) or 1 (fagiolo)",
                    p->directed_mode);
}

static const char *serves_ranks(const void *given) {
    return ((const weft_clustering_params *)given)->weights ? "weighted triangles are summed on one machine's CPU cores"
                                                            : NULL;
}

/* The sort keys of a directed graph's edges have one more bit there. */
static const char *serves_cuda(const weft_graph *g, const void *given) {
    if (serves_ranks(given)) return serves_ranks(given);
    return g->directed && g->n > INT32_MAX ? "the GPU handles directed graphs with fewer than 2^31 vertices" : NULL;
}

static void plan_ranks(const weft_ctx *ctx, const wfi_spread *spread, const void *params, wfi_choice *choice) {
    plan_ranks_with(ctx, spread, params, choice, NULL);
}

static weft_status run_ranks(wfi_job *job) { return run_ranks_with(job, NULL); }

#ifdef WEFT_HAVE_CUDA
/* On the GPUs of ranks (ranks/device_triangles.cu). */
static void plan_ranks_cuda(const weft_ctx *ctx, const wfi_spread *spread, const void *params, wfi_choice *choice) {
    wfi_device_triangles d = {.gpu = wfi_device_triangles_steps, .device = &choice->device};
    plan_ranks_with(ctx, spread, params, choice, &d.gpu);
}

static weft_status run_ranks_cuda(wfi_job *job) {
    wfi_device_triangles d = {.gpu = wfi_device_triangles_steps, .device = job->device, .status = wfi_open_device(job)};
    return run_ranks_with(job, &d.gpu);
}
#endif

static const weft_param_info params[] = {
    {"directed-mode", WEFT_PARAM_CHOICE, offsetof(weft_clustering_params, directed_mode), "ldbc", 0, 0, "ldbc|fagiolo",
     "what counts in a directed graph: arcs among the neighbours, or directed triangles"},
    {"weights", WEFT_PARAM_BOOL, offsetof(weft_clustering_params, weights), "no", 0, 1, NULL,
     "a triangle counts as the geometric mean of its weights, divided by the largest weight"},
};
static const weft_result_info results[] = {
    {"coefficient", WEFT_F64, WEFT_SHAPE_VERTICES, "share of the pairs of neighbours that are joined"},
    {"average", WEFT_F64, WEFT_SHAPE_SCALAR, "mean coefficient over all vertices"},
    {"transitivity", WEFT_F64, WEFT_SHAPE_SCALAR, "3 x triangles / wedges of the undirected view"},
};

static const char *const methods[] = {
    "triangles, oriented by degree", "arcs opposite each corner", "directed triangles",
    "triangles, rows as they are",   "triangles, fetched rows",   "weighted triangles",
};

const wfi_algorithm wfi_algorithm_clustering = {
    WFI_DESCRIBE(clustering, (const weft_clustering_params)WEFT_CLUSTERING_DEFAULTS, results, methods),
    WFI_PARAMS(params),
    .info.help = "clustering coefficient of each vertex, their average, and transitivity",
    .info.top_by = "coefficient",
    .info.weights = "weights",
    .info.model = "none: the entries compared depend on the graph and on the method",
    .validate = validate,
    WFI_ON_CPU(plan_cpu, run_cpu),
    WFI_ON_RANKS(plan_ranks, run_ranks),
    .work = wfi_work_of_triangles,
    .serves_ranks = serves_ranks,
    .serves_cuda = serves_cuda,
    WFI_ON_CUDA(wfi_clustering_plan_cuda, wfi_clustering_cuda),
    WFI_ON_RANKS_CUDA(plan_ranks_cuda, run_ranks_cuda),
    .follower = &wfi_follow_clustering,
};
