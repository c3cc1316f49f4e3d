/* cycle: is there one, and which?  The cheapest proof that will do: a loop, ids that are an order already, peeling. */
#include "algo/cycle/cycle.h"
#include "graph/kahn.h"
#include "graph/watch.h"

#include <stdio.h>

static weft_status validate(weft_ctx *ctx, const weft_graph *g, const void *params) {
    (void)params;
    if (g->directed) return WEFT_OK;
    return wfi_fail(ctx, WEFT_EINVAL,
                    "cycle needs a directed graph: each edge of an undirected one goes there and back, a cycle of two");
}

/* Dense from 1/32 on, where a row of bits is no longer than a row of targets: there watching beats counting on one
 * thread, 2 times at a density of 1/4 and 1.2 at 1/32.  One thread takes longer to make the bits than to watch the rows, 28 ms
 * against 21 for 10 000 vertices and 1/4, but it is work that threads share; from 1/8 on two are enough (bench/NOTES.md). */
enum { DENSE = 32, VERY_DENSE = 8, FEWEST = 256 };

wfi_cycle_method wfi_cycle_pick(weft_vid n, weft_eid arcs, int threads, uint64_t room, uint64_t *bytes,
                                const char **why) {
    uint64_t all = (uint64_t)n * n, peeling = 8ull * n + wfi_cycle_in_leftover_bytes(n);
    uint64_t bits = wfi_max_u64(wfi_watch_bytes(n, true), peeling),
             rows = wfi_max_u64(wfi_watch_bytes(n, false), peeling);
    bool dense = n >= FEWEST && arcs >= all / DENSE, very = dense && threads > 1 && arcs >= all / VERY_DENSE;
    *bytes = bits;
    *why = "dense: threads share the making of a bit matrix, in which 64 arcs are looked at together";
    if (very && bits <= room) return WFI_CYCLE_BITS;
    *bytes = rows;
    *why = very ? "dense, but a bit matrix would be over the memory limit: each arc is looked at once at most"
                : "dense: each arc is looked at once at most, and nothing is counted";
    if (dense && rows <= room) return WFI_CYCLE_WATCH;
    *bytes = peeling;
    *why = dense ? "dense, but only counters are within the memory limit: what peeling leaves has the cycle"
                 : "ids neither rise nor fall along all arcs: what peeling leaves has the cycle";
    return WFI_CYCLE_PEEL;
}

static void plan_cpu(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    static const char *const methods[] = {"peel sources, search what is left", "peel sinks, watching one successor",
                                          "peel sinks in a bit matrix"};
    (void)params;
    wfi_id_order order = g->self_loops ? WFI_IDS_MIXED : wfi_ids_along_arcs(ctx, g);
    const char *reason;
    wfi_cycle_method method =
        wfi_cycle_pick(g->n, g->arcs, wfi_threads(ctx), wfi_plan_room(ctx), &choice->host_bytes, &reason);
    choice->variant = (int)method;
    choice->method = methods[method];
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
    .run_cpu_as = wfi_cycle_cpu,
};

weft_status weft_cycle(weft_ctx *ctx, const weft_graph *g, const weft_cycle_params *params, weft_result **out) {
    return wfi_run(ctx, "cycle", g, params, out);
}
