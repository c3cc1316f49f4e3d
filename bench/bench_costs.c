/* Measures the constants of --device auto on this machine, and prints them as rows of src/run/costs.c; without a GPU
 * only those of the CPU, and in any case what PageRank's choice of method goes by (pagerank/pagerank_pick.c).
 *
 *   bench_costs [ALGORITHM ...]     all of them, some minutes, if none is named
 *
 * Method: a tiny graph gives the fixed cost of a run, an R-MAT graph of 2^20 vertices the cost of an arc, two grids the
 * costs of a level and of an arc in a deep search.  Graphs are undirected, for algorithms that take no others directed
 * and without loops.  Each time is the median of RUNS runs after a warm-up.  Upload and layout are the first run on the
 * GPU less a later one.  What is slow on purpose is asked for less: `lighter` below. */
#include "algo/pagerank/pagerank.h"
#include "core/context.h"
#include "cuda/device.h"
#include "ranks/spread.h"
#include "run/costs.h"
#include "run/method.h"
#include "weft/betweenness.h"
#include "weft/closeness.h"
#include "weft/harmonic.h"
#include "weft/pagerank.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 5, WIDTH = 16, FEW = 16, PATIENCE_MS = 10000 };
enum { TINY, LARGE, NEAR, FAR, GRAPHS };

typedef struct times {
    double first, later, arcs; /* ms */
    wfi_work work;
} times;

static weft_ctx *ctx;
static weft_graph *graphs[2][GRAPHS]; /* undirected, directed */

static void must(weft_status st, const char *what) {
    if (!st) return;
    fprintf(stderr, "bench_costs: %s: %s\n", what, weft_ctx_message(ctx));
    exit(1);
}

static weft_graph *make(bool directed, const char *kind, uint64_t size) {
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    weft_graph *g = NULL;
    build.direction = directed ? WEFT_DIRECTED : WEFT_UNDIRECTED;
    if (directed) build.loops = WEFT_LOOPS_DROP;
    p.degree = directed ? 2 * WIDTH : WIDTH; /* about as many arcs */
    p.scale = size;
    p.rows = p.columns = size;
    must(weft_generate(ctx, kind, &p, &build, &g), kind);
    return g;
}

static weft_graph *graph_of(const wfi_algorithm *a, int which) {
    bool directed = a->directed_only != NULL;
    weft_graph **g = &graphs[directed][which];
    if (*g) return *g;
    if (which == TINY || which == LARGE) return *g = make(directed, "rmat", which == TINY ? 8 : 20);
    return *g = make(directed, "grid", which == NEAR ? 256 : 1024);
}

static void set(void *params, const weft_algorithm_info *a, const char *name, uint64_t value) {
    for (size_t i = 0; i < a->param_count; i++) {
        const weft_param_info *p = weft_algorithm_param_at(a, i);
        if (strcmp(p->name, name)) continue;
        if (p->type == WEFT_PARAM_U64)
            memcpy((char *)params + p->offset, &value, sizeof value);
        else
            memcpy((char *)params + p->offset, &(int){(int)value}, sizeof(int));
    }
}

/* Parameters that measure the algorithm and not a short cut, and that end on a large graph. */
static void lighter(const weft_algorithm_info *a, void *params) {
    static weft_vid few[FEW];
    for (weft_vid v = 0; v < FEW; v++) few[v] = v;
    if (!strcmp(a->name, "betweenness")) {
        ((weft_betweenness_params *)params)->sources = few;
        ((weft_betweenness_params *)params)->source_count = FEW;
    } else if (!strcmp(a->name, "closeness")) {
        ((weft_closeness_params *)params)->of = few;
        ((weft_closeness_params *)params)->of_count = FEW;
    } else if (!strcmp(a->name, "harmonic")) {
        ((weft_harmonic_params *)params)->of = few;
        ((weft_harmonic_params *)params)->of_count = FEW;
    } else if (!strcmp(a->name, "cycle")) {
        set(params, a, "general", 1);
    } else if (!strcmp(a->name, "eigenvector")) {
        set(params, a, "max_iterations", 30);
    } else if (!strcmp(a->name, "layout")) {
        set(params, a, "steps", 5);
    } else if (!strcmp(a->name, "similarity")) {
        set(params, a, "edges", 1);
    }
}

/* A matrix that must be given has WIDTH columns of zeros. */
static void *params_for(const wfi_algorithm *a, const weft_graph *g, weft_matrix *matrix) {
    char *params = malloc(a->info.params_size);
    if (!params) exit(1);
    memcpy(params, a->info.params_standard, a->info.params_size);
    lighter(&a->info, params);
    for (size_t i = 0; i < a->info.param_count; i++) {
        const weft_param_info *p = &a->params[i];
        if (p->type != WEFT_PARAM_MATRIX || p->standard) continue;
        weft_vid n = g->n;
        *matrix = (weft_matrix){sizeof *matrix, calloc((size_t)n * WIDTH + 1, sizeof(float)), n, WIDTH, WEFT_F32};
        memcpy(params + p->offset, &matrix, sizeof matrix);
    }
    return params;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The passes and levels that the run made, where its result tells. */
static wfi_work work_done(const wfi_algorithm *a, const weft_graph *g, const void *params, const weft_result *r) {
    const weft_scalar *levels = weft_result_scalar(r, "levels");
    double iterations = wfi_iterations_of(r);
    wfi_work work = wfi_work_of(a, g, params);
    if (levels && levels->value.u64) work.levels = (double)levels->value.u64;
    return iterations > 0 ? (wfi_work){.passes = iterations, .levels = iterations} : work;
}

static times time_runs(const wfi_algorithm *a, int which, weft_device device) {
    double ms[RUNS + 1], begun = wfi_now_ms();
    weft_graph *g = graph_of(a, which);
    weft_matrix matrix = WEFT_MATRIX_DEFAULTS;
    void *params = params_for(a, g, &matrix);
    weft_plan *plan = NULL;
    times t = {.arcs = (double)g->arcs};
    int later = 0;
    if (g->mirror) g->mirror_free(g->mirror); /* the first run brings the graph to the GPU */
    g->mirror = NULL;
    weft_ctx_set_device(ctx, device);
    must(weft_plan_new(ctx, a->info.name, g, params, &plan), a->info.name);
    for (int i = 0; i <= RUNS && !(i > 1 && wfi_now_ms() - begun > PATIENCE_MS); later = i++) {
        weft_result *r = NULL;
        double begin = wfi_now_ms();
        must(weft_plan_run(plan, &r), a->info.name);
        ms[i] = wfi_now_ms() - begin;
        t.work = work_done(a, g, params, r);
        weft_result_free(r);
    }
    weft_plan_free(plan);
    free(params);
    free((void *)(uintptr_t)matrix.data);
    t.first = ms[0];
    qsort(ms + 1, (size_t)later, sizeof *ms, by_size);
    t.later = ms[1 + later / 2];
    return t;
}

static uint64_t whole(double x) { return x > 0 ? (uint64_t)x : 0; }

/* The costs of a level and of a deep arc, from both grids: two equations.  Where one would be below 0, the other has
 * all of the time. */
static void solve_deep(const times t[GRAPHS], wfi_cost *c) {
    double near = fmax(0, t[NEAR].later - t[TINY].later), far = fmax(0, t[FAR].later - t[TINY].later);
    double scale = t[NEAR].work.levels * t[FAR].arcs - t[FAR].work.levels * t[NEAR].arcs;
    double level = (near * t[FAR].arcs - far * t[NEAR].arcs) / scale;
    double arc = (t[NEAR].work.levels * far - t[FAR].work.levels * near) / scale;
    if (level < 0) arc = far / t[FAR].arcs;
    if (arc < 0) level = far / t[FAR].work.levels;
    c->level_ns = whole(level * 1e6);
    c->deep_fs = whole(arc * 1e12);
}

static wfi_cost cost_on(const wfi_algorithm *a, weft_device device) {
    times t[GRAPHS];
    bool deep = wfi_work_of(a, graph_of(a, FAR), a->info.params_standard).deep;
    for (int i = 0; i < (deep ? GRAPHS : NEAR); i++) t[i] = time_runs(a, i, device);
    double arcs = t[LARGE].work.passes * t[LARGE].arcs;
    wfi_cost c = {.fixed_ns = whole(t[TINY].later * 1e6),
                  .arc_fs = whole((t[LARGE].later - t[TINY].later) / arcs * 1e12)};
    c.deep_fs = c.arc_fs;
    if (deep) solve_deep(t, &c);
    if (device == WEFT_DEVICE_CUDA) c.first_fs = whole((t[LARGE].first - t[LARGE].later) / t[LARGE].arcs * 1e12);
    return c;
}

static void print_cost(wfi_cost c) {
    printf(", {%llu, %llu, %llu, %llu, %llu}", (unsigned long long)c.fixed_ns, (unsigned long long)c.arc_fs,
           (unsigned long long)c.deep_fs, (unsigned long long)c.level_ns, (unsigned long long)c.first_fs);
}

/* --- PageRank's sweeps ------------------------------------------------------------------------ */

/* The least of RUNS: other work of the machine makes a run longer, never shorter. */
static double sweep_ms(wfi_spread *of, wfi_pagerank_method method, uint64_t iterations) {
    weft_pagerank_params p = WEFT_PAGERANK_DEFAULTS;
    wfi_choice choice = {.method = (int)method};
    double least = (double)INFINITY;
    p.iterations = iterations;
    wfi_pagerank_space(&choice.space, of->g, &p, wfi_threads(ctx), method);
    for (int i = 0; i <= RUNS; i++) {
        wfi_workspace w = choice.space;
        wfi_pool *pool = wfi_pool_new(ctx);
        double begin = wfi_now_ms();
        must(wfi_workspace_take(ctx, &w), "memory");
        w.pool = pool;
        w.result = wfi_result_new(ctx, NULL);
        must(wfi_pagerank_cpu(&(wfi_job){.ctx = ctx,
                                         .g = of->g,
                                         .params = &p,
                                         .choice = &choice,
                                         .space = &w,
                                         .result = w.result,
                                         .spread = of}),
             "pagerank");
        wfi_give_grown(&w);
        wfi_workspace_give(&w);
        if (i) least = fmin(least, wfi_now_ms() - begin);
        weft_result_free(w.result);
        wfi_pool_release(pool);
    }
    return least;
}

/* With 2 and with 6 iterations: the difference is their arcs; what tiles take more besides is the sorting. */
static void print_sweeps(const weft_graph *g, int threads) {
    wfi_spread *of = NULL;
    double arc[2], rest[2], fs = 1e12 * threads / (double)g->arcs;
    must(weft_ctx_set_threads(ctx, threads), "threads");
    must(wfi_spread_new(ctx, g, 0, &of), "spread");
    must(wfi_spread_need_in(ctx, of), "rows");
    for (int m = WFI_PULL; m <= WFI_TILED; m++) {
        double two = sweep_ms(of, (wfi_pagerank_method)m, 2), six = sweep_ms(of, (wfi_pagerank_method)m, 6);
        arc[m] = fmax(0, (six - two) / 4);
        rest[m] = two - 2 * arc[m];
    }
    wfi_spread_free(of);
    printf("/* wfi_sweep_costs, %d threads: {%llu, %llu, %llu} */\n", threads,
           (unsigned long long)whole(arc[WFI_PULL] * fs), (unsigned long long)whole(arc[WFI_TILED] * fs),
           (unsigned long long)whole((rest[WFI_TILED] - rest[WFI_PULL]) * fs));
}

static bool is_wanted(const char *name, int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], name)) return true;
    return argc == 1;
}

int main(int argc, char **argv) {
    char none[256];
    must(weft_ctx_new(&ctx), "context");
    int threads = wfi_threads(ctx);
    bool gpu = wfi_cuda_devices(none, sizeof none);
    if (gpu) {
        double begin = wfi_now_ms();
        must(wfi_cuda_ready(ctx), "GPU");
        printf("/* .threads = %d, .context_ns = %.0f */\n", threads, (wfi_now_ms() - begin) * 1e6);
    } else {
        printf("/* .threads = %d; no GPU: %s */\n", threads, none);
    }
    for (size_t i = 0; i < wfi_algorithm_total; i++) {
        const wfi_algorithm *a = wfi_algorithms[i];
        if (!is_wanted(a->info.name, argc, argv)) continue;
        printf("    {\"%s\"", a->info.name);
        print_cost(cost_on(a, WEFT_DEVICE_CPU));
        print_cost(gpu && a->run_cuda ? cost_on(a, WEFT_DEVICE_CUDA) : (wfi_cost){0});
        printf("},\n");
        fflush(stdout);
    }
    weft_graph *g = graph_of(&(wfi_algorithm){.directed_only = NULL}, LARGE);
    print_sweeps(g, threads < 2 ? 1 : 2);
    if (threads > 2) print_sweeps(g, threads);
    for (int i = 0; i < 2 * GRAPHS; i++) weft_graph_free(graphs[i / GRAPHS][i % GRAPHS]);
    weft_ctx_free(ctx);
    return 0;
}
