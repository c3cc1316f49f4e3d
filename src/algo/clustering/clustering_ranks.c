/* clustering on ranks.  Needs: incoming rows of a directed graph.
 * Method: sums over the triangles of each vertex, which are exact integers (ranks/triangles.c); the coefficients, and
 * the average in fixed point, from these as on one machine. */
#include "algo/clustering/clustering.h"
#include "ranks/triangles.h"

typedef struct arrays {
    double *column;
    wfi_rank_triangles c;
} arrays;

static wfi_triangle_rule rule_of(const weft_graph *g, const weft_clustering_params *p) {
    if (!g->directed) return WFI_TRIANGLE_ONE;
    return p->directed_mode == WEFT_DIRECTED_LDBC ? WFI_TRIANGLE_OPPOSITE : WFI_TRIANGLE_PRODUCT;
}

static void lay_out(wfi_workspace *w, const weft_ctx *ctx, const wfi_spread *s, wfi_triangle_rule rule, arrays *a) {
    wfi_column(w, "coefficient", WEFT_F64, s->vertices, &a->column);
    wfi_array(w, &a->c.sum, s->vertices);
    wfi_rank_triangles_lay_out(w, ctx, s, rule, &a->c);
}

void wfi_clustering_plan_ranks_with(const weft_ctx *ctx, const wfi_spread *spread, const void *params,
                                    wfi_choice *choice, wfi_rank_triangles_gpu *gpu) {
    choice->method = "triangles, fetched rows";
    choice->space.needs_in = true;
    arrays a = {.c = {.gpu = gpu}};
    wfi_triangle_rule rule = rule_of(spread->g, params);
    lay_out(&choice->space, ctx, spread, rule, &a);
    choice->sends = wfi_rank_triangles_sends(spread, rule, &a.c);
}

void wfi_clustering_plan_ranks(const weft_ctx *ctx, const wfi_spread *spread, const void *params, wfi_choice *choice) {
    wfi_clustering_plan_ranks_with(ctx, spread, params, choice, NULL);
}

weft_status wfi_clustering_run_ranks_with(wfi_job *job, wfi_rank_triangles_gpu *gpu) {
    wfi_spread *s = job->spread;
    const weft_graph *g = s->g;
    weft_directed_mode mode = (weft_directed_mode)((const weft_clustering_params *)job->params)->directed_mode;
    wfi_triangle_rule rule = rule_of(g, job->params);
    wfi_clustering_totals mine = {0, 0, 0, 0};
    arrays a = {.c = {.gpu = gpu}};
    lay_out(job->space, job->ctx, s, rule, &a);
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

weft_status wfi_clustering_run_ranks(wfi_job *job) { return wfi_clustering_run_ranks_with(job, NULL); }
