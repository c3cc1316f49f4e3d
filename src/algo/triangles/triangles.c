/* triangles: how many triangles each vertex is a corner of, and how many there are.
 * The graph is seen as undirected and simple: directions, loops and repeated edges do not count. */
#include "algo/triangles/triangles.h"
#include "algo/triangles/triangles_cuda.h"

static const weft_result_info results[] = {
    {"triangles", WEFT_U64, 1, "number of triangles that the vertex is part of"},
    {"triangles", WEFT_U64, 0, "number of triangles in the graph"},
};
static const weft_triangles_params standard = WEFT_TRIANGLES_DEFAULTS;

static const char *const methods[] = {
    "orient by degree, hubs in a bit matrix",
    "intersect rows as they are",
    "orient by degree, fetch rows",
};

extern const struct wfi_follower wfi_follow_triangles; /* src/dynamic */

const wfi_algorithm wfi_algorithm_triangles = {
    WFI_DESCRIBE(triangles, standard, results, methods),
    .info.help = "number of triangles at each vertex, and in total",
    .info.top_by = "triangles",
    .info.model = "none: how far rows are compared depends on the graph and on the method",
    .info.on_cuda = WFI_HAVE_CUDA,
    .info.on_ranks = 1,
    .cpu_cost = {139000, 6130000, 6130000, 0, 0},
    .gpu_cost = {82000, 130000, 130000, 0, 180000},
    .plan_cpu = wfi_triangles_plan_cpu,
    .run_cpu = wfi_triangles_run_cpu,
    .plan_ranks = wfi_triangles_plan_ranks,
    .run_ranks = wfi_triangles_run_ranks,
    .work = wfi_work_of_triangles,
    .plan_cuda = WFI_WITH_CUDA(wfi_triangles_plan_cuda),
    .run_cuda = WFI_WITH_CUDA(wfi_triangles_cuda),
    .plan_ranks_cuda = WFI_WITH_CUDA(wfi_triangles_plan_ranks_cuda),
    .run_ranks_cuda = WFI_WITH_CUDA(wfi_triangles_ranks_cuda),
    .follower = &wfi_follow_triangles,
};
