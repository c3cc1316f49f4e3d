/* Shortest paths of a graph without weights, CPU: direction-optimising breadth-first search (engines/bfs), whose levels
 * become distances.  Its parents are the same: the smallest tight predecessor is the smallest in-neighbour one level
 * above. */
#include "algo/sssp/sssp.h"
#include "engines/bfs/search.h"

#include <math.h>
#include <stdio.h>

/* The search needs parents even if they are not asked for. */
static void lay_out(wfi_workspace *w, const weft_graph *g, const weft_sssp_params *params, bool both_ways,
                    wfi_sssp_columns *c, wfi_search *s) {
    wfi_sssp_columns_lay_out(w, g->n, params, c);
    s->parent = c->parent;
    if (!params->parents) wfi_array(w, &s->parent, g->n);
    wfi_array(w, &s->level, g->n);
    wfi_search_lay_out(w, g->n, both_ways, s);
}

/* The method says whether incoming rows are used: only if they exist, since one search would not pay for a
 * transpose. */
void wfi_sssp_unit_plan(const weft_graph *g, const weft_sssp_params *params, wfi_choice *choice) {
    wfi_sssp_columns c;
    wfi_search s;
    bool both_ways = wfi_in_at_hand(g) != NULL;
    choice->method = both_ways ? WFI_SSSP_UNIT_BOTH_WAYS : WFI_SSSP_UNIT_TOP_DOWN;
    snprintf(choice->reason, sizeof choice->reason, "no weights: every arc counts 1, and distances are levels; %s",
             !g->directed ? "undirected: the rows serve both directions"
             : both_ways  ? "the transpose is available"
                          : "directed without a transpose, which one search would not pay for");
    lay_out(&choice->space, g, params, both_ways, &c, &s);
}

static void measure(weft_ctx *ctx, weft_vid n, const uint32_t *level, double *distance) {
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(ctx, n, 1 << 14))
    for (weft_vid v = 0; v < n; v++) distance[v] = level[v] == WEFT_UNREACHED ? (double)INFINITY : level[v];
}

weft_status wfi_sssp_unit_cpu(wfi_job *job, const wfi_sssp_ends *ends) {
    const weft_graph *g = job->g;
    bool both_ways = job->choice->method == WFI_SSSP_UNIT_BOTH_WAYS;
    uint64_t depth = 0;
    wfi_sssp_columns c;
    wfi_search s;
    wfi_search_open(&s, job->ctx, g, both_ways, "shortest paths");
    s.targets = ends->targets;
    s.target_count = ends->target_count;
    lay_out(job->space, g, job->params, both_ways, &c, &s);
    weft_status st = job->space->status;
    if (!st && g->n) st = wfi_search_from(&s, ends->sources, ends->source_count, UINT64_MAX, &depth);
    if (st) return st;
    measure(job->ctx, g->n, s.level, c.distance);
    return wfi_sssp_scalars(job->ctx, s.reached, (double)depth, false, job->result);
}
