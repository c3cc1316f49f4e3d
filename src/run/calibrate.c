/* weft_calibrate: measures the parameters of the cost model in auto.h: PageRank's two methods on the CPU
 * (pagerank/pagerank_pick.c); with a GPU also each algorithm that has a GPU version, on both devices.
 * Method: undirected graphs; directed ones without loops for algorithms that take no others.  A tiny graph gives the
 * fixed cost of a run, an R-MAT graph the cost of an arc, two grids of large diameter the costs of a level and of an
 * arc in a deep search.  Each time is the median of at most RUNS runs after a warm-up.  Upload and layout are the first
 * run on the GPU after its copy of the graph was dropped, less a later one.  What the very first run takes more than
 * the next (kernels are loaded then) counts as start-up of the context.
 * Time: the algorithms share a first part of it, with the small R-MAT graph; those that this suffices for are measured.
 * PageRank's methods and, the quickest first, algorithms on the large graph have the rest: an arc there costs what it
 * costs in graphs that fit in no cache.  Who has used up a share is stopped, as on the caller's request. */
#include "run/calibrate.h"
#include "core/context.h"
#include "core/machine.h"
#include "cuda/device.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 5, WIDTH = 16, TINY_SCALE = 8, SMALL_SCALE = 16, LARGE_SCALE = 20, SIDE = 1024, SECONDS = 20 };
enum { TINY = WFI_TIMED_TINY, LARGE = WFI_TIMED_LARGE, NEAR = WFI_TIMED_NEAR, FAR = WFI_TIMED_FAR, SMALL = WFI_TIMED };
enum { GRAPHS = SMALL + 1, SHALLOW = NEAR };

/* Parts of the time after which the first round of algorithms and PageRank's methods end. */
static const double first_part = 0.4, sweeps_part = 0.7;

/* The cancel callback while it is measured: the caller's, and the end of a share. */
typedef struct watch {
    weft_cancel_fn asked;
    void *user;
    double until;        /* by wfi_now_ms */
    _Atomic int stopped; /* the caller asked */
} watch;

typedef struct entry {
    const wfi_algorithm *a;
    wfi_times cpu[WFI_TIMED], other[WFI_TIMED];
    double expected; /* ms of its turn with the large graph */
    bool measured;
} entry;

typedef struct bench {
    weft_ctx *ctx;
    const wfi_calibration *c;
    watch watch;
    weft_graph *undirected[GRAPHS], *directed[GRAPHS];
    weft_graph *const *g; /* those of the algorithm that is measured */
    uint64_t done, total;
    double patience; /* ms for one graph on one device */
    entry at[WFI_FIGURES_MOST];
    size_t count;
} bench;

/* --- time ---------------------------------------------------------------------------------------- */

static int is_over(void *watch_) {
    watch *w = watch_;
    if (w->asked && w->asked(w->user)) atomic_store(&w->stopped, 1);
    return atomic_load(&w->stopped) || wfi_now_ms() >= w->until;
}

/* A share that was used up is no failure. */
static bool ran_out(const bench *b, weft_status *st) {
    bool out = *st == WEFT_ECANCELLED && !atomic_load(&b->watch.stopped);
    if (out) {
        *st = WEFT_OK;
        wfi_message_clear(b->ctx);
    }
    return out;
}

/* --- graphs -------------------------------------------------------------------------------------- */

static weft_status make_rmat(weft_ctx *ctx, weft_direction direction, int scale, weft_graph **g) {
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    build.direction = direction;
    if (direction == WEFT_DIRECTED) build.loops = WEFT_LOOPS_DROP;
    p.degree = direction == WEFT_DIRECTED ? 2 * WIDTH : WIDTH; /* about as many arcs */
    p.scale = (uint64_t)scale;
    return weft_generate(ctx, "rmat", &p, &build, g);
}

static weft_status make_grid(weft_ctx *ctx, weft_direction direction, uint64_t side, weft_graph **g) {
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    build.direction = direction;
    if (direction == WEFT_DIRECTED) build.loops = WEFT_LOOPS_DROP;
    p.rows = p.columns = side;
    return weft_generate(ctx, "grid", &p, &build, g);
}

/* All but the large one. */
static weft_status make_graphs(const bench *b, weft_direction direction, weft_graph *g[GRAPHS]) {
    weft_status st = make_rmat(b->ctx, direction, TINY_SCALE, &g[TINY]);
    if (!st) st = make_rmat(b->ctx, direction, b->c->small, &g[SMALL]);
    if (!st) st = make_grid(b->ctx, direction, b->c->side / 4, &g[NEAR]);
    if (!st) st = make_grid(b->ctx, direction, b->c->side, &g[FAR]);
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

/* With the first run, which brings what later ones find there. */
static weft_status time_runs(bench *b, const wfi_algorithm *a, int graph, weft_device device, wfi_times *t) {
    double ms[RUNS + 1], begun = wfi_now_ms();
    weft_plan *plan = NULL;
    const weft_graph *g = b->g[graph];
    char *params = NULL;
    weft_matrix matrix = WEFT_MATRIX_DEFAULTS;
    int later = 0;
    t->arcs = (double)g->arcs;
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
        later = i;
        if (i && wfi_now_ms() - begun > b->patience) break;
        if (!st && wfi_cancelled(b->ctx)) st = wfi_fail_cancelled(b->ctx);
    }
    weft_plan_free(plan);
    WFI_FREE(params, (void *)(uintptr_t)matrix.data);
    if (st) return st;
    t->first = ms[0];
    qsort(ms + 1, (size_t)later, sizeof *ms, by_size);
    t->later = ms[1 + later / 2];
    return WEFT_OK;
}

static uint64_t positive(double x) { return x > 0 ? (uint64_t)x : 0; }

/* level and deep from both grids: two equations.  Where one would be below 0, the other has it all. */
static void solve_deep(const wfi_times t[WFI_TIMED], wfi_cost *c) {
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

wfi_cost wfi_cost_of(const wfi_times t[WFI_TIMED], bool deep) {
    double arcs = t[LARGE].work.passes * t[LARGE].arcs;
    double arc = fmax(0, t[LARGE].later - t[TINY].later) / arcs;
    wfi_cost c = {.fixed_ns = positive(t[TINY].later * 1e6), .arc_fs = positive(arc * 1e12)};
    c.deep_fs = c.arc_fs;
    if (deep) solve_deep(t, &c);
    return c;
}

/* --- algorithms ----------------------------------------------------------------------------------- */

/* The grids are for those that search. */
static bool is_deep(const bench *b, const wfi_algorithm *a) {
    return wfi_work_of(a, b->undirected[FAR], a->info.params_standard).deep;
}

/* On both devices; a turn that is stopped leaves the times of a smaller graph. */
static weft_status time_graph(bench *b, entry *e, int graph, int as) {
    wfi_times cpu, other;
    b->g = e->a->directed_only ? b->directed : b->undirected;
    if (!b->g[graph] || wfi_cancelled(b->ctx)) return wfi_fail_cancelled(b->ctx);
    weft_status st = time_runs(b, e->a, graph, WEFT_DEVICE_CPU, &cpu);
    drop_mirror(b->g[graph]);
    if (!st) st = time_runs(b, e->a, graph, b->c->other, &other);
    if (st) return st;
    e->cpu[as] = cpu;
    e->other[as] = other;
    return WEFT_OK;
}

/* What decides whether it is measured; the share is dealt out to graphs and devices. */
static weft_status first_turn(bench *b, entry *e, double share) {
    const int graphs[] = {TINY, SMALL, NEAR, FAR}, as[] = {TINY, LARGE, NEAR, FAR};
    weft_status st = WEFT_OK;
    int count = is_deep(b, e->a) ? 4 : 2;
    b->patience = share / (2 * count);
    for (int i = 0; i < count && !st; i++) st = time_graph(b, e, graphs[i], as[i]);
    e->measured = !st;
    return st;
}

/* Not begun if it would not end. */
static weft_status large_turn(bench *b, entry *e, double share) {
    b->patience = share / 2;
    return e->measured && e->expected < share ? time_graph(b, e, LARGE, LARGE) : WEFT_OK;
}

typedef weft_status turn_fn(bench *b, entry *e, double share);

/* Each its turn, in the order of the entries: of the time that is left, as much as each of the others. */
static weft_status take_turns(bench *b, turn_fn *turn, double until) {
    weft_status st = WEFT_OK;
    for (size_t i = 0; i < b->count && !st; i++) {
        double begin = wfi_now_ms(), share = (until - begin) / (double)(b->count - i);
        b->watch.until = begin + share;
        wfi_progress(b->ctx, "calibrating", b->done++, b->total);
        st = turn(b, &b->at[i], share);
        ran_out(b, &st);
    }
    return st;
}

static int by_expected(const void *a_, const void *b_) {
    const entry *a = a_, *b = b_;
    if (a->expected != b->expected) return a->expected < b->expected ? -1 : 1;
    return strcmp(a->a->info.name, b->a->info.name);
}

static void expect(bench *b) {
    for (size_t i = 0; i < b->count; i++) {
        entry *e = &b->at[i];
        const weft_graph *large = e->a->directed_only ? b->directed[LARGE] : b->undirected[LARGE];
        double times = large && e->measured ? (double)large->arcs / e->cpu[LARGE].arcs : (double)INFINITY;
        e->expected = 2 * times * (e->cpu[LARGE].later + e->other[LARGE].later); /* a warm-up and a run */
    }
    qsort(b->at, b->count, sizeof *b->at, by_expected);
}

static bool is_served(const bench *b, const wfi_algorithm *a) {
    if (b->c->other != WEFT_DEVICE_CUDA) return true;
    return a->run_cuda && !(a->serves_cuda && a->serves_cuda(b->undirected[TINY], a->info.params_standard));
}

/* The algorithms that run on both devices; graphs for those that take directed ones only. */
static weft_status list(bench *b) {
    bool directed = false;
    b->watch.until = (double)INFINITY;
    weft_status st = make_rmat(b->ctx, WEFT_UNDIRECTED, TINY_SCALE, &b->undirected[TINY]);
    for (size_t i = 0; i < wfi_algorithm_total && b->count < WFI_FIGURES_MOST && !st; i++) {
        if (!is_served(b, wfi_algorithms[i])) continue;
        b->at[b->count++] = (entry){.a = wfi_algorithms[i]};
        directed = directed || wfi_algorithms[i]->directed_only;
    }
    weft_graph_free(b->undirected[TINY]);
    b->undirected[TINY] = NULL;
    b->total = 2 * b->count;
    if (!st) st = make_graphs(b, WEFT_UNDIRECTED, b->undirected);
    return st || !directed ? st : make_graphs(b, WEFT_DIRECTED, b->directed);
}

/* Their costs, in the order of all algorithms. */
static void keep(const bench *b, double ready, wfi_figures *f) {
    double loading = 0;
    for (size_t i = 0; i < wfi_algorithm_total; i++)
        for (size_t k = 0; k < b->count; k++) {
            const entry *e = &b->at[k];
            if (e->a != wfi_algorithms[i] || !e->measured) continue;
            wfi_costs *to = &f->at[f->count++];
            bool deep = is_deep(b, e->a);
            snprintf(to->algorithm, sizeof to->algorithm, "%s", e->a->info.name);
            to->cpu = wfi_cost_of(e->cpu, deep);
            to->gpu = wfi_cost_of(e->other, deep);
            to->gpu.first_fs = positive((e->other[LARGE].first - e->other[LARGE].later) / e->other[LARGE].arcs * 1e12);
            loading += fmax(0, e->other[TINY].first - e->other[TINY].later);
        }
    if (f->count) f->context_ns = positive((ready + loading / (double)f->count) * 1e6);
}

static weft_status measure_sweeps(bench *b, double until, wfi_figures *f) {
    b->watch.until = until;
    weft_status st = make_rmat(b->ctx, WEFT_UNDIRECTED, b->c->large, &b->undirected[LARGE]);
    if (!st) st = wfi_measure_sweeps(b->ctx, b->undirected[LARGE], &f->few, &f->many);
    ran_out(b, &st);
    return st;
}

static weft_status measure_large(bench *b, double until) {
    weft_status st = WEFT_OK;
    b->watch.until = until;
    if (b->directed[TINY]) st = make_rmat(b->ctx, WEFT_DIRECTED, b->c->large, &b->directed[LARGE]);
    if (ran_out(b, &st)) b->directed[LARGE] = NULL;
    if (st) return st;
    expect(b);
    return take_turns(b, large_turn, until);
}

static weft_status measure_all(bench *b, wfi_figures *f) {
    weft_machine machine = {.size = sizeof machine};
    double begin = wfi_now_ms(), ms = b->c->seconds * 1e3, ready = 0;
    weft_status st = WEFT_OK;
    if (b->c->costs && b->c->other == WEFT_DEVICE_CUDA) {
        st = wfi_cuda_ready(b->ctx);
        ready = fmax(wfi_now_ms() - begin, wfi_cuda_context_ms(b->ctx));
        if (!st) st = wfi_cuda_describe(b->ctx, &machine, 0);
    }
    if (b->c->costs && !st) st = list(b);
    if (b->c->costs && !st) st = take_turns(b, first_turn, begin + first_part * ms);
    if (!st) st = measure_sweeps(b, begin + (b->c->costs ? sweeps_part : 1) * ms, f);
    if (b->c->costs && !st) st = measure_large(b, begin + ms);
    if (st) return st;
    keep(b, ready, f);
    if (f->count) snprintf(f->gpu, sizeof f->gpu, "%.*s", (int)sizeof f->gpu - 1, machine.gpu);
    return WEFT_OK;
}

weft_status wfi_calibrate(weft_ctx *ctx, const wfi_calibration *c, wfi_figures *f) {
    weft_device asked = wfi_device(ctx);
    bench b = {.ctx = ctx, .c = c};
    *f = (wfi_figures){.threads = (uint64_t)wfi_threads(ctx)};
    wfi_cpu_name("/proc/cpuinfo", f->cpu, sizeof f->cpu);
    b.watch.asked = wfi_ctx_cancel(ctx, &b.watch.user);
    weft_ctx_set_cancel(ctx, is_over, &b.watch);
    weft_status st = measure_all(&b, f);
    weft_ctx_set_cancel(ctx, b.watch.asked, b.watch.user);
    wfi_set_device(ctx, asked);
    for (int i = 0; i < GRAPHS; i++) {
        weft_graph_free(b.undirected[i]);
        weft_graph_free(b.directed[i]);
    }
    return st;
}

/* --- for callers ----------------------------------------------------------------------------------- */

weft_status weft_calibrate(weft_ctx *ctx, double seconds, char *path, size_t room) {
    WFI_BEGIN_OR_RETURN(ctx);
    if (!path || !room) return wfi_fail(ctx, WEFT_EINVAL, "weft_calibrate needs room for the name of the file");
    char none[256], place[WFI_FIGURES_PATH], source[WFI_FIGURES_SOURCE];
    wfi_calibration c = {.seconds = seconds > 0 ? seconds : SECONDS,
                         .other = WEFT_DEVICE_CUDA,
                         .small = SMALL_SCALE,
                         .large = LARGE_SCALE,
                         .side = SIDE};
    wfi_figures figures;
    path[0] = '\0';
    if (!(seconds >= 0)) return wfi_fail(ctx, WEFT_EINVAL, "weft_calibrate was given %g seconds", seconds);
    const char *nowhere = wfi_figures_path(place, sizeof place);
    if (nowhere) return wfi_fail(ctx, WEFT_EIO, "no place for the calibration: %s", nowhere);
    if (strlen(place) >= room)
        return wfi_fail(ctx, WEFT_EINVAL,
                        "weft_calibrate was given %zu bytes for the name of the file, which takes %zu", room,
                        strlen(place) + 1);
    memcpy(path, place, strlen(place) + 1);
    weft_status st = wfi_figures_try(ctx, path);
    c.costs = !st && wfi_cuda_devices(none, sizeof none);
    if (!st) st = wfi_calibrate(ctx, &c, &figures);
    if (!st) st = wfi_figures_write(ctx, path, &figures);
    if (st) return st;
    wfi_figures_settle(&figures, source, sizeof source);
    wfi_figures_use(&figures, source);
    return WEFT_OK;
}

weft_status weft_calibrated(weft_ctx *ctx, const char *algorithm, int *measured) {
    if (measured) *measured = 0;
    WFI_BEGIN_WITH_OR_RETURN(ctx, measured);
    wfi_figures figures;
    char source[WFI_FIGURES_SOURCE];
    wfi_figures_now(&figures, source, sizeof source);
    const wfi_sweep_costs *sweeps = wfi_threads(ctx) < WFI_MSBFS_THREADS ? &figures.few : &figures.many;
    *measured = algorithm ? wfi_figures_measured(&figures, algorithm) : sweeps->pull_fs > 0;
    return WEFT_OK;
}

weft_status weft_break_even(weft_ctx *ctx, const char *algorithm, int warm, uint64_t *arcs) {
    if (arcs) *arcs = UINT64_MAX;
    WFI_BEGIN_WITH_OR_RETURN(ctx, algorithm, arcs);
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
