/* clustering on CPU cores.  Needs: any graph; a directed one gets its transpose.
 * Method: the forward algorithm on the degree-ordered orientation gives the triangles of each vertex
 * (shared/triangles/triangles.c when every edge counts once, clustering_directed.c otherwise), as exact integers; one
 * division makes the coefficient, so its bits depend on nothing else.  Where the oriented copy of an undirected graph
 * would be over the memory limit, its rows are intersected as they are.
 * Encoding: the average adds coefficients in fixed point (shared/triangles/coefficient.h). */
#include "algo/clustering/clustering.h"
#include "graph/rows.h"
#include "shared/triangles/triangles.h"

#include <stdio.h>

enum { SHARE = 1 << 14 };
enum { ORIENTED = 0, LEAN };

typedef struct arrays {
    double *column;
    uint64_t *sums; /* by rank; lean: by vertex */
    wfi_oriented o; /* lean: only the degrees, by vertex */
    wfi_orienting orienting;
    wfi_triangle_scratch scratch; /* undirected */
    uint32_t *marks;              /* directed */
} arrays;

static void lay_out(wfi_workspace *w, const weft_ctx *ctx, const weft_graph *g, int method, arrays *a) {
    uint64_t most = wfi_oriented_most(g);
    wfi_column(w, "coefficient", WEFT_F64, g->n, &a->column);
    wfi_array(w, &a->sums, g->n);
    if (method == LEAN) {
        a->o = (wfi_oriented){.n = g->n};
        wfi_array(w, &a->o.degree, g->n);
        return;
    }
    wfi_oriented_lay_out(w, ctx, g, g->directed, &a->o, &a->orienting);
    if (g->directed)
        wfi_array(w, &a->marks, (uint64_t)wfi_clustering_sums_threads(ctx, most) * g->n);
    else
        wfi_triangles_lay_out(w, ctx, g->n, most, false, &a->scratch);
}

void wfi_clustering_plan_cpu(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    const weft_clustering_params *p = params;
    arrays a;
    wfi_workspace *w = &choice->space;
    bool transpose = wfi_need_in(w, ctx, g);
    choice->method = !g->directed                             ? "triangles, oriented by degree"
                     : p->directed_mode == WEFT_DIRECTED_LDBC ? "arcs opposite each corner"
                                                              : "directed triangles";
    choice->variant = ORIENTED;
    snprintf(choice->reason, sizeof choice->reason, "%s%s",
             g->directed ? "directed: each edge remembers whether it has arcs one way or both"
                         : "undirected: the coefficient follows from triangles and degree",
             transpose ? "; the transpose is built first" : "");
    lay_out(w, ctx, g, ORIENTED, &a);
    if (g->directed || wfi_workspace_fits(w, ctx)) return;
    char needed[24];
    choice->variant = LEAN;
    choice->method = "triangles, rows as they are";
    snprintf(
        choice->reason, sizeof choice->reason,
        "edges oriented by degree would need %s, over the memory limit; rows as they are need no copy, but more time",
        wfi_size_text(needed, wfi_workspace_bytes(w)));
    *w = (wfi_workspace){0};
    lay_out(w, ctx, g, LEAN, &a);
}

weft_status wfi_clustering_scalars(weft_ctx *ctx, uint64_t n, const wfi_clustering_totals *t, weft_result *result) {
    weft_status st = wfi_result_scalar_f64(ctx, result, "average", wfi_clustering_average(t, n));
    return st ? st : wfi_result_scalar_f64(ctx, result, "transitivity", wfi_clustering_transitivity(t));
}

/* From sums to coefficients, and their averages. */
static weft_status finish(const wfi_job *job, const arrays *a, weft_directed_mode mode, uint64_t total) {
    weft_ctx *ctx = job->ctx;
    const weft_graph *g = job->g;
    const wfi_oriented *o = &a->o;
    uint64_t upper = 0, lower = 0, wedges = 0;
#pragma omp parallel num_threads(wfi_threads_for(ctx, g->n, SHARE)) reduction(+ : upper, lower, wedges)
    {
        wfi_clustering_totals mine = {0, 0, 0, 0};
#pragma omp for schedule(static)
        for (weft_vid r = 0; r < o->n; r++) {
            uint64_t both = o->reciprocal ? o->reciprocal[r] : 0;
            double c = wfi_clustering_coefficient(o->degree[r], both, a->sums[r], g->directed, mode);
            a->column[o->vertex ? o->vertex[r] : r] = c;
            wfi_clustering_add(&mine, c, o->degree[r]);
        }
        upper += mine.upper, lower += mine.lower, wedges += mine.wedges;
    }
    wfi_clustering_totals totals = {total, wedges, upper, lower};
    return wfi_clustering_scalars(ctx, g->n, &totals, job->result);
}

/* The oriented view of which only the degrees are there, by vertex. */
static void count_neighbours(weft_ctx *ctx, const weft_graph *g, uint32_t *degrees) {
#pragma omp parallel for schedule(dynamic, 256) num_threads(wfi_threads_for(ctx, g->n + g->arcs, SHARE))
    for (weft_vid v = 0; v < g->n; v++) {
        wfi_merger m = wfi_neighbours(g, v);
        weft_vid t;
        unsigned ways;
        uint32_t degree = 0;
        while (wfi_next_neighbour(&m, &t, &ways)) degree++;
        degrees[v] = degree;
    }
}

weft_status wfi_clustering_run_cpu(wfi_job *job) {
    weft_ctx *ctx = job->ctx;
    const weft_graph *g = job->g;
    weft_directed_mode mode = (weft_directed_mode)((const weft_clustering_params *)job->params)->directed_mode;
    uint64_t total = 0;
    bool lean = job->choice->variant == LEAN;
    arrays a;
    lay_out(job->space, ctx, g, job->choice->variant, &a);
    weft_status st = job->space->status;
    if (!st && !lean) st = wfi_oriented_make(ctx, job->space, g, g->directed, &a.orienting, &a.o);
    if (!st && lean) count_neighbours(ctx, g, a.o.degree);
    if (!st && lean)
        st = wfi_count_triangles_lean(ctx, g, a.sums, &total);
    else if (!st && g->directed)
        st = wfi_clustering_sums(ctx, &a.o, mode, a.marks, a.sums, &total);
    else if (!st)
        st = wfi_count_triangles(ctx, &a.o, &a.scratch, a.sums, NULL, &total);
    return st ? st : finish(job, &a, mode, total);
}
