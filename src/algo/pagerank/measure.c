/* What an arc costs PageRank's two methods on this machine's cores, for pick.c.
 * Method: an R-MAT graph, pulled and from tiles, with FEW and with MANY iterations, after a run that does not count.
 * What more iterations take more is their arcs; what tiles take more besides is the sorting.  With two threads, and
 * with all. */
#include "algo/pagerank/pagerank.h"
#include "ranks/spread.h"

#include <math.h>

enum { RUNS = 3, FEW = 2, MANY = 6, WIDTH = 16 };

static weft_status run_once(weft_ctx *ctx, wfi_spread *whole, const weft_pagerank_params *p, const wfi_choice *choice,
                            double *ms) {
    wfi_workspace w = choice->space;
    wfi_pool *pool = wfi_pool_new(ctx);
    weft_result *r = wfi_result_new(ctx, NULL);
    weft_status st = pool && r ? WEFT_OK : WEFT_ENOMEM;
    double begin = wfi_now_ms();
    if (!st) st = wfi_workspace_take(ctx, &w);
    if (!st) {
        w.result = r;
        w.pool = pool;
        st = wfi_pagerank_cpu(&(wfi_job){
            .ctx = ctx, .g = whole->g, .params = p, .choice = choice, .space = &w, .result = r, .spread = whole});
        wfi_give_grown(&w);
        wfi_workspace_give(&w);
    }
    *ms = wfi_now_ms() - begin;
    weft_result_free(r);
    wfi_pool_release(pool);
    return st;
}

/* The least of RUNS: what else the machine does makes a run longer, never shorter. */
static weft_status time_method(weft_ctx *ctx, const weft_graph *g, wfi_pagerank_method method, uint64_t iterations,
                               double *least) {
    weft_pagerank_params p = WEFT_PAGERANK_DEFAULTS;
    wfi_choice choice = {.variant = (int)method};
    wfi_spread *whole;
    weft_status st = wfi_spread_new(ctx, g, 0, &whole);
    if (!st) st = wfi_spread_need_in(ctx, whole);
    p.iterations = iterations;
    wfi_pagerank_space(&choice.space, g->n, g->arcs, &p, wfi_threads(ctx), method);
    *least = INFINITY;
    for (int i = 0; i <= RUNS && !st; i++) {
        double ms;
        st = run_once(ctx, whole, &p, &choice, &ms);
        if (i) *least = fmin(*least, ms);
        if (!st && wfi_cancelled(ctx)) st = wfi_fail_cancelled(ctx);
    }
    wfi_spread_free(whole);
    return st;
}

wfi_sweep_costs wfi_sweep_costs_of(const double ms[2][2], double arcs, int threads) {
    const double fs = 1e12 * threads / arcs; /* of a thread, for a ms of all */
    double arc[2], rest[2];
    for (int i = 0; i < 2; i++) {
        arc[i] = fmax(0, (ms[i][1] - ms[i][0]) / (MANY - FEW));
        rest[i] = ms[i][0] - FEW * arc[i];
    }
    return (wfi_sweep_costs){(uint64_t)(arc[WFI_PULL] * fs), (uint64_t)(arc[WFI_TILED] * fs),
                             (uint64_t)(fmax(0, rest[WFI_TILED] - rest[WFI_PULL]) * fs)};
}

static weft_status measure(weft_ctx *ctx, const weft_graph *g, int threads, wfi_sweep_costs *costs) {
    double ms[2][2];
    int before = weft_ctx_threads(ctx);
    weft_status st = weft_ctx_set_threads(ctx, threads);
    for (int method = WFI_PULL; method <= WFI_TILED && !st; method++) {
        st = time_method(ctx, g, (wfi_pagerank_method)method, FEW, &ms[method][0]);
        if (!st) st = time_method(ctx, g, (wfi_pagerank_method)method, MANY, &ms[method][1]);
    }
    if (!st) *costs = wfi_sweep_costs_of(ms, (double)g->arcs, threads);
    weft_status restored = weft_ctx_set_threads(ctx, before);
    return st ? st : restored;
}

weft_status wfi_measure_sweeps(weft_ctx *ctx, int scale, wfi_sweep_costs *few, wfi_sweep_costs *many) {
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    weft_graph *g = NULL;
    int threads = wfi_threads(ctx);
    build.direction = WEFT_UNDIRECTED; /* its rows are their own transpose */
    p.degree = WIDTH;
    p.scale = (uint64_t)scale;
    wfi_progress(ctx, "calibrating the cores", 0, 0);
    weft_status st = weft_generate(ctx, "rmat", &p, &build, &g);
    if (!st) st = measure(ctx, g, threads < 2 ? threads : 2, few);
    *many = *few;
    if (!st && threads >= WFI_MANY_THREADS) st = measure(ctx, g, threads, many);
    weft_graph_free(g);
    return st;
}
