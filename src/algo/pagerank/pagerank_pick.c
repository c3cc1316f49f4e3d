/* The method of PageRank on CPU cores, pull or tiles, by a cost model.
 * Method: pulling reads a random share for each arc, which is cheap while the shares fit a core's own cache and
 * expensive when they exceed the last level cache; tiles read in order, but the arcs must be sorted into them first,
 * which takes some iterations to pay off.  Their number depends on the machine: a large last level cache behind many
 * cores serves random reads nearly as fast as the memory delivers tiles.
 * The model's costs are measured on an R-MAT graph, pulled and by tiles, with FEW and with MANY iterations after a
 * warm-up run: the difference between MANY and FEW is the cost of arcs; the remaining cost of tiles is the sorting.
 * Encoding: femtoseconds of a thread for an arc, with two threads and with all. */
#include "algo/pagerank/pagerank.h"
#include "ranks/spread.h"

#include <math.h>

/* Measured on kron and urand graphs of 2^20 and 2^22 vertices, with 2 threads and with all (bench/NOTES.md): Sapphire
 * Rapids with 2 MiB of L2, Neoverse-V1 with 1 MiB. */
#if defined __x86_64__
static const wfi_sweep_costs few_threads = {2700000, 1750000, 4800000}, many_threads = {4100000, 3300000, 8500000};
#else
static const wfi_sweep_costs few_threads = {2600000, 1100000, 2200000}, many_threads = {2600000, 1100000, 2200000};
#endif

enum { USUAL_L2 = 1 << 20, USUAL_L3 = 32 << 20, BEYOND_L3 = 3 /* factor of the cost of a pulled arc */ };

wfi_sweep_costs wfi_sweep_costs_usual(int threads) { return threads < WFI_MSBFS_THREADS ? few_threads : many_threads; }

wfi_sweep_costs wfi_sweep_costs_here(int threads) {
    wfi_figures figures;
    char source[WFI_FIGURES_SOURCE];
    wfi_figures_now(&figures, source, sizeof source);
    wfi_sweep_costs measured = threads < WFI_MSBFS_THREADS ? figures.few : figures.many;
    return measured.pull_fs ? measured : wfi_sweep_costs_usual(threads);
}

/* With sweeping in parts, an undirected graph, which begins near its final ranks, takes a third of the iterations of a
 * directed graph. */
static double expected_passes(const weft_graph *g, const weft_pagerank_params *p) {
    if (p->iterations) return (double)p->iterations;
    if (!(p->tolerance > 0 && p->tolerance < 1 && p->damping > 0 && p->damping < 1)) return (double)p->max_iterations;
    double passes = 1 + log(p->tolerance) / log(p->damping) / (g->directed ? 4 : 12);
    return fmin(passes, (double)p->max_iterations);
}

static bool sorting_pays(const wfi_pagerank_machine *m, const weft_graph *g, const weft_pagerank_params *p) {
    if (!wfi_in_at_hand(g)) return true; /* pulling would first need the transpose, which costs more */
    double pull = (double)m->costs.pull_fs;
    uint64_t last = wfi_max_u64(m->caches->l3 ? m->caches->l3 : USUAL_L3, m->caches->l2);
    if (g->n > last / sizeof(float)) pull *= BEYOND_L3;
    return expected_passes(g, p) * (pull - (double)m->costs.tile_fs) > (double)m->costs.sort_fs;
}

wfi_pagerank_method wfi_pagerank_pick(const wfi_pagerank_machine *m, const weft_graph *g, const weft_pagerank_params *p,
                                      const char **why) {
    if (p->weights || p->precision != WEFT_PRECISION_F32) {
        *why = "8-byte contributions are pulled";
        return WFI_PULL;
    }
    if (g->n <= (m->caches->l2 ? m->caches->l2 : USUAL_L2) / 2 / sizeof(float)) {
        *why = "the contributions fit in a core's cache";
        return WFI_PULL;
    }
    if (g->arcs / 4 < g->n) {
        *why = "fewer than 4 arcs a vertex";
        return WFI_PULL;
    }
    if (!sorting_pays(m, g, p)) {
        *why = "too few iterations to pay for sorting the arcs into tiles";
        return WFI_PULL;
    }
    wfi_workspace tiled = {0};
    wfi_pagerank_space(&tiled, g, p, m->threads, WFI_TILED);
    if (wfi_workspace_bytes(&tiled) > m->bytes_left) {
        *why = "tiles would be over the memory limit";
        return WFI_PULL;
    }
    *why = "the contributions are larger than a core's cache: arcs sorted into tiles, 4 bytes an arc";
    return WFI_TILED;
}

/* --- measuring ------------------------------------------------------------------- */

enum { RUNS = 3, FEW = 2, MANY = 6 };

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

/* The minimum of RUNS runs: other load can only make a run longer. */
static weft_status time_method(weft_ctx *ctx, const weft_graph *g, wfi_pagerank_method method, uint64_t iterations,
                               double *least) {
    weft_pagerank_params p = WEFT_PAGERANK_DEFAULTS;
    wfi_choice choice = {.variant = (int)method};
    wfi_spread *whole;
    weft_status st = wfi_spread_new(ctx, g, 0, &whole);
    if (!st) st = wfi_spread_need_in(ctx, whole);
    p.iterations = iterations;
    wfi_pagerank_space(&choice.space, g, &p, wfi_threads(ctx), method);
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
    const double fs = 1e12 * threads / arcs; /* femtoseconds of a thread for each millisecond of all */
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

weft_status wfi_measure_sweeps(weft_ctx *ctx, const weft_graph *g, wfi_sweep_costs *few, wfi_sweep_costs *many) {
    int threads = wfi_threads(ctx);
    wfi_progress(ctx, "calibrating the cores", 0, 0);
    weft_status st = measure(ctx, g, threads < 2 ? threads : 2, few);
    if (!st && threads < WFI_MSBFS_THREADS) *many = *few;
    if (!st && threads >= WFI_MSBFS_THREADS) st = measure(ctx, g, threads, many);
    return st;
}
