/* triangles: how many triangles each vertex is a corner of, and how many there are.
 * The graph is seen as undirected and simple: directions, loops and repeated edges do not count. */
#include "algo/triangles/triangles_cpu.h"
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

const wfi_algorithm wfi_algorithm_triangles = {
    .info = {.name = "triangles",
             .help = "number of triangles at each vertex, and in total",
             .params_size = sizeof standard,
             .params_standard = &standard,
             .result_count = sizeof results / sizeof *results,
             .top_by = "triangles",
             .model = "none: how far rows are compared depends on the graph and on the method",
             .methods = methods,
             .method_count = sizeof methods / sizeof *methods,
#ifdef WEFT_HAVE_CUDA
             .on_cuda = 1,
#endif
             .on_cpu = 1,
             .on_ranks = 1},
    .results = results,
    .cpu_cost = {139000, 6130000, 6130000, 0, 0},
    .gpu_cost = {82000, 130000, 130000, 0, 180000},
    .plan_cpu = wfi_triangles_plan_cpu,
    .run_cpu = wfi_triangles_run_cpu,
    .plan_ranks = wfi_triangles_plan_ranks,
    .run_ranks = wfi_triangles_run_ranks,
    .work = wfi_work_of_triangles,
#ifdef WEFT_HAVE_CUDA
    .plan_cuda = wfi_triangles_plan_cuda,
    .run_cuda = wfi_triangles_cuda,
    .plan_ranks_cuda = wfi_triangles_plan_ranks_cuda,
    .run_ranks_cuda = wfi_triangles_ranks_cuda,
#endif
};

weft_status weft_triangles(weft_ctx *ctx, const weft_graph *g, const weft_triangles_params *params, weft_result **out) {
    return wfi_run(ctx, "triangles", g, params, out);
}
