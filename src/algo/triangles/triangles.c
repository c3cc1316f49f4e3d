/* triangles: how many triangles each vertex is a corner of, and how many there are.
 * The graph is seen as undirected and simple: directions, loops and repeated edges do not count. */
#include "algo/triangles/triangles_cpu.h"

static const weft_result_info results[] = {
    {"triangles", WEFT_U64, 1, "triangles that the vertex is a corner of"},
    {"triangles", WEFT_U64, 0, "triangles of the graph"},
};
static const weft_triangles_params standard = WEFT_TRIANGLES_DEFAULTS;

const wfi_algorithm wfi_algorithm_triangles = {
    .info = {.name = "triangles",
             .help = "triangles through each vertex, and their total",
             .params_size = sizeof standard,
             .params_standard = &standard,
             .results = results,
             .result_count = sizeof results / sizeof *results,
             .top_by = "triangles",
             .on_cpu = 1},
    .plan_cpu = wfi_triangles_plan_cpu,
    .run_cpu_as = wfi_triangles_run_cpu,
};

weft_status weft_triangles(weft_ctx *ctx, const weft_graph *g, const weft_triangles_params *params, weft_result **out) {
    return wfi_run(ctx, "triangles", g, params, out);
}
