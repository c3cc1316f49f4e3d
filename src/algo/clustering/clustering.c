/* clustering: how nearly the neighbours of a vertex are all joined to each other.
 * Loops and repeated edges do not count.  Undirected: c(v) = 2T / (d(d-1)).  Directed, either
 *   ldbc     arcs among the neighbours / d(d-1), where a neighbour is one by an arc in or out [1], or
 *   fagiolo  directed triangles / possible ones: S / (t(t-1) - 2b), where t counts arcs in and out, b neighbours by
 *            arcs both ways, and S adds for each triangle the product of the numbers of arcs on its sides [2].
 * A vertex with fewer than two neighbours has 0, and counts in the average.
 * [1] "The LDBC Graphalytics Benchmark", arXiv:2011.15028, section 2.3.5.
 * [2] Fagiolo, "Clustering in complex directed networks", Phys. Rev. E 76, 2007. */
#include "algo/clustering/clustering.h"
#include "ranks/device_steps.h"

static weft_status validate(weft_ctx *ctx, const weft_graph *g, const void *given) {
    (void)g;
    const weft_clustering_params *p = given;
    if (p->directed_mode == WEFT_DIRECTED_LDBC || p->directed_mode == WEFT_DIRECTED_FAGIOLO) return WEFT_OK;
    return wfi_fail(ctx, WEFT_EINVAL, "clustering: directed-mode is %d, but must be 0 (ldbc) or 1 (fagiolo)",
                    p->directed_mode);
}

/* An edge of a directed graph takes a bit more in the keys that are sorted there. */
static const char *serves_cuda(const weft_graph *g, const void *given) {
    (void)given;
    return g->directed && g->n > INT32_MAX ? "the GPU handles directed graphs with fewer than 2^31 vertices" : NULL;
}

static void plan_ranks(const weft_ctx *ctx, const wfi_spread *spread, const void *params, wfi_choice *choice) {
    wfi_clustering_plan_ranks(ctx, spread, params, choice, NULL);
}

static weft_status run_ranks(wfi_job *job) { return wfi_clustering_run_ranks(job, NULL); }

#ifdef WEFT_HAVE_CUDA
/* On the GPUs of ranks (ranks/device_triangles.cu). */
static void plan_ranks_cuda(const weft_ctx *ctx, const wfi_spread *spread, const void *params, wfi_choice *choice) {
    wfi_device_triangles d = {.gpu = wfi_device_triangles_steps, .device = &choice->device};
    wfi_clustering_plan_ranks(ctx, spread, params, choice, &d.gpu);
}

static weft_status run_ranks_cuda(wfi_job *job) {
    wfi_device_triangles d = {.gpu = wfi_device_triangles_steps, .device = job->device, .status = wfi_open_device(job)};
    return wfi_clustering_run_ranks(job, &d.gpu);
}
#endif

static const weft_param_info params[] = {
    {"directed-mode", WEFT_PARAM_CHOICE, offsetof(weft_clustering_params, directed_mode), "ldbc", 0, 0, "ldbc|fagiolo",
     "what counts in a directed graph: arcs among the neighbours, or directed triangles"},
};
static const weft_result_info results[] = {
    {"coefficient", WEFT_F64, 1, "share of the pairs of neighbours that are joined"},
    {"average", WEFT_F64, 0, "mean coefficient over all vertices"},
    {"transitivity", WEFT_F64, 0, "3 x triangles / wedges of the undirected view"},
};
static const weft_clustering_params standard = WEFT_CLUSTERING_DEFAULTS;

static const char *const methods[] = {
    "triangles, oriented by degree", "arcs opposite each corner", "directed triangles",
    "triangles, rows as they are",   "triangles, fetched rows",
};

extern const struct wfi_follower wfi_follow_clustering; /* src/dynamic */

const wfi_algorithm wfi_algorithm_clustering = {
    WFI_DESCRIBE(clustering, standard, results, methods),
    WFI_PARAMS(params),
    .info.help = "clustering coefficient of each vertex, their average, and transitivity",
    .info.top_by = "coefficient",
    .info.model = "none: how far rows are compared depends on the graph and on the method",
    .info.on_cuda = WFI_HAVE_CUDA,
    .info.on_ranks = 1,
    .cpu_cost = {143000, 6050000, 6050000, 0, 0},
    .gpu_cost = {80800, 132000, 132000, 0, 178000},
    .validate = validate,
    .plan_cpu = wfi_clustering_plan_cpu,
    .run_cpu = wfi_clustering_run_cpu,
    .plan_ranks = plan_ranks,
    .run_ranks = run_ranks,
    .work = wfi_work_of_triangles,
    .serves_cuda = serves_cuda,
    .plan_cuda = WFI_WITH_CUDA(wfi_clustering_plan_cuda),
    .run_cuda = WFI_WITH_CUDA(wfi_clustering_cuda),
    .plan_ranks_cuda = WFI_WITH_CUDA(plan_ranks_cuda),
    .run_ranks_cuda = WFI_WITH_CUDA(run_ranks_cuda),
    .follower = &wfi_follow_clustering,
};
