/* triangles: how many triangles each vertex is a corner of, each edge a side of, and how many there are.
 * The graph is seen as undirected and simple: directions, loops and repeated edges do not count. */
#include "algo/triangles/triangles.h"
#include "algo/triangles/triangles_cuda.h"

#include <stddef.h>

static const weft_param_info params_info[] = {
    {"edges", WEFT_PARAM_BOOL, offsetof(weft_triangles_params, edges), "no", 0, 1, NULL,
     "rows are edges: the support of each, which is the number of triangles that contain it"},
};
static const weft_result_info results[] = {
    {"triangles", WEFT_U64, WEFT_SHAPE_VERTICES, "number of triangles that the vertex is part of"},
    {"source", WEFT_VERTEX, WEFT_SHAPE_EDGES, "with `edges`: one end of the edge"},
    {"target", WEFT_VERTEX, WEFT_SHAPE_EDGES, "with `edges`: the other end"},
    {"support", WEFT_U64, WEFT_SHAPE_EDGES, "with `edges`: number of triangles that contain both; 0 for a loop"},
    {"triangles", WEFT_U64, WEFT_SHAPE_SCALAR, "number of triangles in the graph"},
};
static const weft_triangles_params standard = WEFT_TRIANGLES_DEFAULTS;

static const char *const methods[] = {
    "orient by degree, hubs in a bit matrix",
    "intersect rows as they are",
    "orient by degree, fetch rows",
    "orient by degree",
};

static const char *serves_ranks(const void *params) {
    return ((const weft_triangles_params *)params)->edges ? "the support of edges is counted on one rank only" : NULL;
}

extern const struct wfi_follower wfi_follow_triangles; /* src/dynamic */

const wfi_algorithm wfi_algorithm_triangles = {
    WFI_DESCRIBE(triangles, standard, results, methods),
    WFI_PARAMS(params_info),
    .info.help = "number of triangles at each vertex, on request at each edge, and in total",
    .info.top_by = "triangles",
    .info.model = "none: how far rows are compared depends on the graph and on the method",
    .info.on_cuda = WFI_HAVE_CUDA,
    .info.on_ranks = 1,
    .cpu_cost = {139000, 6130000, 6130000, 0, 0},
    .gpu_cost = {82000, 130000, 130000, 0, 180000},
    .plan_cpu = wfi_triangles_plan_cpu,
    .run_cpu = wfi_triangles_run_cpu,
    .on_request = (const char *const[]){"source", "target", "support", NULL},
    .serves_ranks = serves_ranks,
    .plan_ranks = wfi_triangles_plan_ranks,
    .run_ranks = wfi_triangles_run_ranks,
    .work = wfi_work_of_triangles,
    .plan_cuda = WFI_WITH_CUDA(wfi_triangles_plan_cuda),
    .run_cuda = WFI_WITH_CUDA(wfi_triangles_cuda),
    .plan_ranks_cuda = WFI_WITH_CUDA(wfi_triangles_plan_ranks_cuda),
    .run_ranks_cuda = WFI_WITH_CUDA(wfi_triangles_ranks_cuda),
    .follower = &wfi_follow_triangles,
};
