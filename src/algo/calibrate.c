/* weft_calibrate: measures the parameters of the cost model in auto.h: PageRank's two methods on the CPU
 * (pagerank/pagerank_pick.c); with a GPU also each algorithm that has a GPU version, on both devices.
 * Method: undirected graphs; directed ones without loops for algorithms that take no others.  A tiny graph gives the
 * fixed cost of a run, R-MAT with some 31 million arcs the cost of an arc, two grids of large diameter the costs of a
 * level and of an arc in a deep search.  Each time is the median of RUNS runs after a warm-up.  Upload and layout are
 * the first run on the GPU after its copy of the graph was dropped, less a later one.  What the very first run takes
 * more than the next (kernels are loaded then) counts as start-up of the context. */
#include "algo/auto.h"
#include "core/machine.h"
#include "cuda/device.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 5, WIDTH = 16, TINY_SCALE = 8, LARGE_SCALE = 20, NEAR_SIDE = 256, FAR_SIDE = 1024 };
enum { TINY = WFI_TIMED_TINY, LARGE = WFI_TIMED_LARGE, NEAR = WFI_TIMED_NEAR, FAR = WFI_TIMED_FAR };
enum { GRAPHS = WFI_TIMED, SHALLOW = NEAR };

typedef struct bench {
    weft_ctx *ctx;
    weft_graph *undirected[GRAPHS], *directed[GRAPHS];
    weft_graph *const *g; /* those of the algorithm that is measured */
    uint64_t done, total;
} bench;

static weft_status make_graphs(weft_ctx *ctx, weft_direction direction, weft_graph *g[GRAPHS]) {
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    build.direction = direction;
    if (direction == WEFT_DIRECTED) build.loops = WEFT_LOOPS_DROP;
    p.degree = direction == WEFT_DIRECTED ? 32 : 16; /* about as many arcs */
    p.scale = TINY_SCALE;
    weft_status st = weft_generate(ctx, "rmat", &p, &build, &g[TINY]);
    p.scale = LARGE_SCALE;
    if (!st) st = weft_generate(ctx, "rmat", &p, &build, &g[LARGE]);
    p = (weft_generate_params)WEFT_GENERATE_DEFAULTS;
    p.rows = p.columns = NEAR_SIDE;
    if (!st) st = weft_generate(ctx, "grid", &p, &build, &g[NEAR]);
    p.rows = p.columns = FAR_SIDE;
    if (!st) st = weft_generate(ctx, "grid", &p, &build, &g[FAR]);
    return st;
}

static void drop_mirror(weft_graph *g) {
    if (g->mirror) g->mirror_free(g->mirror);
    g->mirror = NULL;
}

static int by_size(const void *a, const void *b) {
    double x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

static const void *params_of(const wfi_algorithm *a) {
    return a->calibrated_with ? a->calibrated_with : a->info.params_standard;
}

/* The passes that were really made, where the result tells. */
static void note_work(const wfi_algorithm *a, const weft_graph *g, const void *params, const weft_result *r,
                      wfi_work *work) {
    const weft_scalar *levels = weft_result_scalar(r, "levels");
    double iterations = wfi_iterations_of(r);
    *work = wfi_work_of(a, g, params);
    if (levels && levels->value.u64) work->levels = (double)levels->value.u64;
    if (iterations > 0) *work = (wfi_work){.passes = iterations, .levels = iterations};
}

/* Those it is calibrated with; a matrix that must be given has WIDTH columns of zeros, which are *matrix. */
static weft_status make_params(bench *b, const wfi_algorithm *a, const weft_graph *g, char **params,
                               weft_matrix *matrix) {
    const weft_algorithm_info *info = &a->info;
    weft_status st = wfi_alloc(b->ctx, params, info->params_size);
    if (!st) memcpy(*params, params_of(a), info->params_size);
    for (size_t i = 0; i < info->param_count && !st; i++) {
        const weft_param_info *p = &a->params[i];
        if (p->type != WEFT_PARAM_MATRIX || p->standard) continue;
        float *zeros = NULL;
        if (!matrix->data) st = wfi_alloc_zeroed(b->ctx, &zeros, (size_t)g->n * WIDTH);
        if (zeros) *matrix = (weft_matrix){sizeof *matrix, zeros, g->n, WIDTH, WEFT_F32};
        memcpy(*params + p->offset, &matrix, sizeof matrix);
    }
    return st;
}

static weft_status time_runs(bench *b, const wfi_algorithm *a, int graph, weft_device device, wfi_times *t) {
    double ms[RUNS + 1];
    weft_plan *plan = NULL;
    const weft_graph *g = b->g[graph];
    char *params = NULL;
    weft_matrix matrix = WEFT_MATRIX_DEFAULTS;
    t->arcs = (double)g->arcs;
    wfi_progress(b->ctx, "calibrating", b->done++, b->total);
    wfi_set_device(b->ctx, device);
    weft_status st = make_params(b, a, g, &params, &matrix);
    if (!st) st = weft_plan_new(b->ctx, a->info.name, g, params, &plan);
    for (int i = 0; i <= RUNS && !st; i++) {
        weft_result *r = NULL;
        double begin = wfi_now_ms();
        st = weft_plan_run(plan, &r);
        ms[i] = wfi_now_ms() - begin;
        if (!st) note_work(a, g, params, r, &t->work);
        weft_result_free(r);
        if (!st && wfi_cancelled(b->ctx)) st = wfi_fail_cancelled(b->ctx);
    }
    weft_plan_free(plan);
    WFI_FREE(params, (void *)(uintptr_t)matrix.data);
    if (st) return st;
    t->first = ms[0];
    qsort(ms + 1, RUNS, sizeof *ms, by_size);
    t->later = ms[1 + RUNS / 2];
    return WEFT_OK;
}

static uint64_t positive(double x) { return x > 0 ? (uint64_t)x : 0; }

/* level and deep from both grids: two equations.  Where one would be below 0, the other has it all. */
static void solve_deep(const wfi_times t[GRAPHS], wfi_cost *c) {
    double near = fmax(0, t[NEAR].later - t[TINY].later), far = fmax(0, t[FAR].later - t[TINY].later);
    double near_levels = t[NEAR].work.levels, far_levels = t[FAR].work.levels;
    double near_arcs = t[NEAR].arcs, far_arcs = t[FAR].arcs;
    double scale = near_levels * far_arcs - far_levels * near_arcs;
    double level = (near * far_arcs - far * near_arcs) / scale, arc = (near_levels * far - far_levels * near) / scale;
    if (level < 0) arc = far / far_arcs;
    if (arc < 0) level = far / far_levels;
    c->level_ns = positive(level * 1e6);
    c->deep_fs = positive(arc * 1e12);
}

wfi_cost wfi_cost_of(const wfi_times t[GRAPHS], bool deep) {
    double arcs = t[LARGE].work.passes * t[LARGE].arcs;
    double arc = fmax(0, t[LARGE].later - t[TINY].later) / arcs;
    wfi_cost c = {.fixed_ns = positive(t[TINY].later * 1e6), .arc_fs = positive(arc * 1e12)};
    c.deep_fs = c.arc_fs;
    if (deep) solve_deep(t, &c);
    return c;
}

/* The grids are for those that search. */
static int graphs_for(const bench *b, const wfi_algorithm *a) {
    return wfi_work_of(a, b->undirected[FAR], a->info.params_standard).deep ? GRAPHS : SHALLOW;
}

static weft_status measure(bench *b, const wfi_algorithm *a, wfi_costs *costs, double *loading) {
    wfi_times cpu[GRAPHS], gpu[GRAPHS];
    b->g = a->directed_only ? b->directed : b->undirected;
    int graphs = graphs_for(b, a);
    bool deep = graphs == GRAPHS;
    weft_status st = WEFT_OK;
    for (int i = 0; i < graphs && !st; i++) {
        st = time_runs(b, a, i, WEFT_DEVICE_CPU, &cpu[i]);
        drop_mirror(b->g[i]);
        if (!st) st = time_runs(b, a, i, WEFT_DEVICE_CUDA, &gpu[i]);
    }
    if (st) return st;
    snprintf(costs->algorithm, sizeof costs->algorithm, "%s", a->info.name);
    costs->cpu = wfi_cost_of(cpu, deep);
    costs->gpu = wfi_cost_of(gpu, deep);
    costs->gpu.first_fs = positive((gpu[LARGE].first - gpu[LARGE].later) / gpu[LARGE].arcs * 1e12);
    *loading += fmax(0, gpu[TINY].first - gpu[TINY].later);
    return WEFT_OK;
}

static bool measured(const wfi_algorithm *a, const weft_graph *g) {
    return a->run_cuda && !(a->serves_cuda && a->serves_cuda(g, a->info.params_standard));
}

static weft_status measure_all(bench *b, wfi_figures *f) {
    weft_machine machine = {.size = sizeof machine};
    double begin = wfi_now_ms(), loading = 0;
    weft_status st = wfi_cuda_ready(b->ctx);
    double ready = wfi_now_ms() - begin;
    if (!st) st = wfi_cuda_describe(b->ctx, &machine, 0);
    if (!st) st = make_graphs(b->ctx, WEFT_UNDIRECTED, b->undirected);
    if (!st) st = make_graphs(b->ctx, WEFT_DIRECTED, b->directed);
    if (st) return st;
    snprintf(f->gpu, sizeof f->gpu, "%.*s", (int)sizeof f->gpu - 1, machine.gpu);
    for (size_t i = 0; i < wfi_algorithm_total; i++)
        if (measured(wfi_algorithms[i], b->undirected[LARGE]))
            b->total += 2 * (uint64_t)graphs_for(b, wfi_algorithms[i]);
    for (size_t i = 0; i < wfi_algorithm_total && !st && f->count < WFI_FIGURES_MOST; i++)
        if (measured(wfi_algorithms[i], b->undirected[LARGE]))
            st = measure(b, wfi_algorithms[i], &f->at[f->count++], &loading);
    if (f->count)
        f->context_ns = positive((fmax(ready, wfi_cuda_context_ms(b->ctx)) + loading / (double)f->count) * 1e6);
    return st;
}

weft_status weft_calibrate(weft_ctx *ctx, char *path, size_t room) {
    WFI_BEGIN(ctx);
    if (!path || !room) return wfi_fail(ctx, WEFT_EINVAL, "weft_calibrate needs room for the name of the file");
    char none[256], place[WFI_FIGURES_PATH], source[WFI_FIGURES_SOURCE];
    bench b = {.ctx = ctx};
    wfi_figures figures = {.count = 0};
    weft_device asked = wfi_device(ctx);
    path[0] = '\0';
    const char *nowhere = wfi_figures_path(place, sizeof place);
    if (nowhere) return wfi_fail(ctx, WEFT_EIO, "no place for the calibration: %s", nowhere);
    if (strlen(place) >= room)
        return wfi_fail(ctx, WEFT_EINVAL,
                        "weft_calibrate was given %zu bytes for the name of the file, which takes %zu", room,
                        strlen(place) + 1);
    memcpy(path, place, strlen(place) + 1);
    wfi_cpu_name("/proc/cpuinfo", figures.cpu, sizeof figures.cpu);
    figures.threads = (uint64_t)wfi_threads(ctx);
    weft_status st = wfi_figures_try(ctx, path);
    if (!st) st = wfi_measure_sweeps(ctx, LARGE_SCALE, &figures.few, &figures.many);
    if (!st && wfi_cuda_devices(none, sizeof none)) st = measure_all(&b, &figures);
    wfi_set_device(ctx, asked);
    for (int i = 0; i < GRAPHS; i++) {
        weft_graph_free(b.undirected[i]);
        weft_graph_free(b.directed[i]);
    }
    if (!st) st = wfi_figures_write(ctx, path, &figures);
    wfi_figures_settle(&figures, source, sizeof source);
    if (!st) wfi_figures_use(&figures, source);
    return st;
}

weft_status weft_break_even(weft_ctx *ctx, const char *algorithm, int warm, uint64_t *arcs) {
    if (arcs) *arcs = UINT64_MAX;
    WFI_BEGIN_WITH(ctx, algorithm, arcs);
    wfi_figures figures;
    char source[WFI_FIGURES_SOURCE];
    for (size_t i = 0; i < wfi_algorithm_total; i++) {
        const wfi_algorithm *a = wfi_algorithms[i];
        if (strcmp(a->info.name, algorithm) != 0) continue;
        wfi_figures_now(&figures, source, sizeof source);
        if (a->run_cuda)
            *arcs = wfi_break_even(&figures, algorithm, wfi_work_of(a, NULL, a->info.params_standard), wfi_threads(ctx),
                                   warm != 0);
        return WEFT_OK;
    }
    return wfi_fail(ctx, WEFT_ENOTFOUND, "no algorithm is called '%s'", algorithm);
}
