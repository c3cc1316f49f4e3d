/* cycle: is there one, and which?  The cheapest proof that will do: a loop, ids that are an order already, peeling. */
#include "algo/cycle/cycle.h"
#include "graph/kahn.h"

#include <stdio.h>

static weft_status validate(weft_ctx *ctx, const weft_graph *g, const void *params) {
    (void)params;
    if (g->directed) return WEFT_OK;
    return wfi_fail(ctx, WEFT_EINVAL,
                    "cycle needs a directed graph: each edge of an undirected one goes there and back, a cycle of two");
}

static void plan_cpu(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    (void)params;
    wfi_id_order order = g->self_loops ? WFI_IDS_MIXED : wfi_ids_along_arcs(ctx, g);
    const char *reason = "ids neither rise nor fall along all arcs: what peeling leaves has the cycle";
    choice->method = "peel sources, search what is left";
    choice->host_bytes = 12ull * g->n; /* counters, queue, one more for the search */
    if (g->self_loops) {
        choice->method = "find a loop";
        reason = "the graph has a loop, the shortest cycle there is";
        choice->host_bytes = 4;
    } else if (order != WFI_IDS_MIXED) {
        choice->method = "look at the ids";
        reason = order == WFI_IDS_RISE ? "ids rise along every arc: they are a topological order"
                                       : "ids fall along every arc: backwards they are a topological order";
        choice->host_bytes = 0;
    }
    snprintf(choice->reason, sizeof choice->reason, "%s", reason);
}

static const weft_result_info results[] = {
    {"cycle", WEFT_VERTEX, 2, "vertices of the shortest cycle found, in order; empty when there is none"},
    {"acyclic", WEFT_U64, 0, "1: there is no cycle; 0: there is"},
    {"length", WEFT_U64, 0, "vertices on the cycle"},
};
static const weft_cycle_params standard = WEFT_CYCLE_DEFAULTS;

const wfi_algorithm wfi_algorithm_cycle = {
    .info = {.name = "cycle",
             .help = "is the graph acyclic?  If not, a short cycle",
             .params_size = sizeof standard,
             .params_standard = &standard,
             .results = results,
             .result_count = sizeof results / sizeof *results,
             .top_by = "cycle",
             .verdict = "acyclic",
             .on_cpu = 1},
    .validate = validate,
    .plan_cpu = plan_cpu,
    .run_cpu = wfi_cycle_cpu,
};

weft_status weft_cycle(weft_ctx *ctx, const weft_graph *g, const weft_cycle_params *params, weft_result **out) {
    return wfi_run(ctx, "cycle", g, params, out);
}
