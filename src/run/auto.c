/* The cost model of auto.h: pure functions of measured parameters and the size of the run. */
#include "run/auto.h"
#include "run/method.h"

#include <math.h>
#include <string.h>

/* An algorithm that has not been measured costs what the first one does. */
static const wfi_costs *costs_of(const wfi_figures *f, const char *algorithm) {
    for (size_t i = 0; i < f->count; i++)
        if (!strcmp(f->at[i].algorithm, algorithm)) return &f->at[i];
    return &f->at[0];
}

static double run_ms(const wfi_cost *c, const wfi_situation *s, double slower) {
    double arcs = s->work.passes * (double)s->arcs * (double)(s->work.deep ? c->deep_fs : c->arc_fs) * 1e-12 * slower;
    return (double)c->fixed_ns * 1e-6 + arcs + s->work.levels * (double)c->level_ns * 1e-6;
}

static double or_one(double times) { return times > 0 ? times : 1; }

static double gpu_run_ms(const wfi_cost *c, const wfi_situation *s) {
    wfi_situation there = *s;
    there.work.passes /= or_one(s->work.gpu_at_once);
    there.work.levels /= or_one(s->work.gpu_at_once);
    return run_ms(c, &there, 1);
}

wfi_estimate wfi_estimate_run(const wfi_figures *f, const wfi_situation *s) {
    const wfi_costs *c = costs_of(f, s->algorithm);
    double slower = s->threads > 0 ? (double)f->threads / s->threads : 1; /* arcs are shared, levels are not */
    wfi_estimate e = {.cpu = run_ms(&c->cpu, s, slower * or_one(s->work.cpu_dearer)), .work = gpu_run_ms(&c->gpu, s)};
    if (!s->started) e.start = (double)f->context_ns * 1e-6;
    double words =
        1 + (double)s->weight_bytes / sizeof(weft_vid); /* of an arc; the figures are of arcs without weights */
    if (!s->mirrored) e.bring = (double)s->arcs * (double)c->gpu.first_fs * 1e-12 * words;
    e.gpu = e.start + e.bring + e.work;
    return e;
}

uint64_t wfi_break_even(const wfi_figures *f, const char *algorithm, wfi_work work, int threads, bool warm) {
    for (double arcs = 1000; arcs < 1e13; arcs *= 1.01) {
        wfi_situation s = {.algorithm = algorithm,
                           .arcs = (uint64_t)arcs,
                           .work = work,
                           .threads = threads,
                           .started = warm,
                           .mirrored = warm};
        wfi_estimate e = wfi_estimate_run(f, &s);
        if (e.gpu < e.cpu) return s.arcs;
    }
    return UINT64_MAX;
}

/* Few arcs a vertex: a road map or a grid, about as deep as it is wide; else a handful of levels. */
void wfi_work_of_search(const weft_graph *g, const void *params, wfi_work *work) {
    (void)params;
    bool deep = g && g->arcs < 6 * (uint64_t)g->n;
    *work = (wfi_work){.passes = 1, .levels = deep ? 1.5 * sqrt((double)g->n) : 8, .deep = deep};
}

/* An arc costs what the rows at its ends are long; the figures are of a graph with 30 arcs a vertex. */
void wfi_work_of_triangles(const weft_graph *g, const void *params, wfi_work *work) {
    (void)params;
    double times = g && g->n ? (double)g->arcs / g->n / 30 : 1;
    *work = (wfi_work){.passes = fmin(fmax(times, 1), 10), .levels = 1};
}

wfi_work wfi_work_of(const wfi_algorithm *a, const weft_graph *g, const void *params) {
    wfi_work work = {.passes = 1, .levels = 1};
    if (a->operators && a->operators->factor > 0) work = wfi_method_work(a->operators, params);
    if (a->work) a->work(g, params, &work);
    return work;
}
