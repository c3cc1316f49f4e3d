/* kcore: the core number of each vertex, the degeneracy, and the k-core on request.
 * The k-core is the largest set of vertices of which each has k neighbours in the set; the core number is the largest
 * such k.  Neighbours: arcs without direction, each once, loops not counted; or arcs in, out or both, by `mode`. */
#include "algo/kcore/kcore.h"
#include "run/method.h"
#include "weft/kcore.h"

static void plan_cpu(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    const weft_kcore_params *p = params;
    wfi_need_both(ctx, g, choice);
    wfi_kcore_space(&choice->space, g->n, p->k);
}

static weft_status validate(weft_ctx *ctx, const weft_graph *g, const void *params) {
    (void)g;
    if ((unsigned)((const weft_kcore_params *)params)->mode <= WEFT_CORE_ALL) return WEFT_OK;
    return wfi_fail(ctx, WEFT_EINVAL, "kcore: no such mode");
}

static const char *serves_cuda(const weft_graph *g, const void *params) {
    bool arcs = g->directed && ((const weft_kcore_params *)params)->mode != WEFT_CORE_NEIGHBOURS;
    return arcs ? "arcs in, out or both are counted on the CPU" : NULL;
}

static const weft_param_info params_info[] = {
    {"k", WEFT_PARAM_U64, offsetof(weft_kcore_params, k), "0", 0, 4294967295.0, NULL,
     "also list the vertices of the k-core; 0 = do not"},
    {"mode", WEFT_PARAM_CHOICE, offsetof(weft_kcore_params, mode), "neighbours", 0, 0, "neighbours|out|in|all",
     "what counts within the core of a directed graph: neighbours without direction, arcs in, arcs out, or both"},
};
static const weft_result_info results[] = {
    {"core", WEFT_U32, WEFT_SHAPE_VERTICES, "core number: the largest k for which the vertex is in the k-core"},
    {"members", WEFT_VERTEX, WEFT_SHAPE_TABLE, "vertices of the k-core for this `k`, in ascending order"},
    {"degeneracy", WEFT_U64, WEFT_SHAPE_SCALAR, "the largest core number"},
};

static const char *const methods[] = {
    "peel in rounds of rising k",
    "peel in waves of rising k",
};

const wfi_algorithm wfi_algorithm_kcore = {
    WFI_DESCRIBE(kcore, (const weft_kcore_params)WEFT_KCORE_DEFAULTS, results, methods),
    WFI_PARAMS(params_info),
    .info.help = "core number of each vertex and the degeneracy",
    .info.top_by = "core",
    .info.model = "none: the number of reads of a row depends on the graph and on the method",
    .validate = validate,
    WFI_ON_CPU(plan_cpu, wfi_kcore_cpu),
    .operators = &wfi_kcore_on_ranks,
    WFI_ON_RANKS(wfi_method_plan_ranks, wfi_method_run_cpu),
    .serves_cuda = serves_cuda,
    WFI_ON_CUDA(wfi_kcore_plan_cuda, wfi_kcore_cuda),
    WFI_ON_RANKS_CUDA(wfi_method_plan_ranks_cuda, wfi_method_run_ranks_cuda),
    .follower = &wfi_follow_kcore,
};
