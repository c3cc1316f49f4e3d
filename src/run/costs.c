/* The constants of --device auto, and the linear model that they are the parameters of (costs.h). */
#include "run/costs.h"
#include "run/method.h"

#include <math.h>
#include <string.h>

/* Rows as bench/bench_costs.c prints them: CPU {fixed_ns, arc_fs, deep_fs, level_ns, first_fs}, then GPU.  The arc of
 * bfs is from long series instead (bench/results/gpu-vs-cpu-h200.md): five runs put it too high. */
static const wfi_costs h200[] = {
    {"pagerank", {81000, 223000, 223000, 0, 0}, {213000, 6750, 6750, 0, 1010000}},
    {"ppr", {20000, 700000, 700000, 0, 0}, {700000, 25000, 25000, 40000, 125000}},
    {"hits", {151000, 606000, 606000, 0, 0}, {738000, 19800, 19800, 0, 125000}},
    {"eigenvector", {151000, 303000, 303000, 0, 0}, {738000, 9900, 9900, 0, 125000}},
    {"katz", {151000, 303000, 303000, 0, 0}, {738000, 9900, 9900, 0, 125000}},
    {"betweenness", {20000, 220000, 1000000, 0, 0}, {200000, 15000, 150000, 15000, 250000}},
    {"closeness", {20000, 400000, 400000, 0, 0}, {500000, 12000, 12000, 0, 125000}},
    {"harmonic", {20000, 400000, 400000, 0, 0}, {500000, 12000, 12000, 0, 125000}},
    {"bfs", {5900, 96000, 4700000, 6650, 0}, {111000, 22500, 132000, 4070, 113000}},
    {"sssp", {29200, 983000, 6330000, 6100, 0}, {146000, 66400, 350000, 3560, 123000}},
    {"components", {24600, 135000, 135000, 0, 0}, {74800, 11300, 11300, 0, 115000}},
    {"mst", {30000, 2000000, 2000000, 0, 0}, {300000, 60000, 60000, 0, 125000}},
    {"bicomponents", {20000, 12000000, 12000000, 0, 0}, {800000, 300000, 300000, 0, 125000}},
    {"triangles", {139000, 6130000, 6130000, 0, 0}, {82000, 130000, 130000, 0, 180000}},
    {"clustering", {143000, 6050000, 6050000, 0, 0}, {80800, 132000, 132000, 0, 178000}},
    {"similarity", {20000, 20000000, 20000000, 0, 0}, {300000, 1000000, 1000000, 0, 180000}},
    {"leiden", {100000, 1000000, 1000000, 20000, 0}, {1000000, 50000, 50000, 15000, 125000}},
    {"louvain", {100000, 1000000, 1000000, 20000, 0}, {1000000, 50000, 50000, 15000, 125000}},
    {"labelprop", {136000, 625000, 625000, 0, 0}, {434000, 9910, 9910, 0, 126000}},
    {"toposort", {23400, 2280000, 12600000, 0, 0}, {201000, 352000, 1410000, 1690, 210000}},
    {"cycle", {18500, 2340000, 13600000, 0, 0}, {172000, 517000, 1090000, 2140, 109000}},
    {"bipartite", {20000, 48000000, 48000000, 0, 0}, {300000, 60000, 60000, 0, 125000}},
    {"kcore", {45300, 3540000, 3540000, 0, 0}, {392000, 184000, 184000, 0, 122000}},
    {"truss", {100000, 30000000, 30000000, 0, 0}, {300000, 2000000, 2000000, 0, 180000}},
    {"degree", {4800, 21400, 21400, 0, 0}, {90500, 46400, 46400, 0, 113000}},
    {"mixing", {143000, 6300000, 6300000, 0, 0}, {300000, 150000, 150000, 0, 178000}},
    {"distances", {20000, 3000000, 3000000, 0, 0}, {0}},
    {"layout", {200000, 4000000, 4000000, 0, 0}, {1000000, 300000, 300000, 100000, 125000}},
    {"aggregate", {22500, 466000, 466000, 0, 0}, {56500, 146000, 146000, 0, 156000}},
};

/* The only class so far: other machines are estimated by it, with the CPU's costs scaled to the threads in use. */
static const wfi_machine_costs built_in = {
    .machine = "an H200 and 16 Xeon cores",
    .threads = 16,
    .context_ns = 231000000,
    .count = WFI_LENGTH(h200),
    .at = h200,
};

static const wfi_machine_costs *in_use = &built_in;

const wfi_machine_costs *wfi_machine_costs_here(void) { return in_use; }

void wfi_machine_costs_pretend(const wfi_machine_costs *costs) { in_use = costs ? costs : &built_in; }

const wfi_costs *wfi_costs_find(const wfi_machine_costs *m, const char *algorithm) {
    for (size_t i = 0; i < m->count; i++)
        if (!strcmp(m->at[i].algorithm, algorithm)) return &m->at[i];
    return NULL;
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

wfi_estimate wfi_estimate_run(const wfi_machine_costs *m, const wfi_situation *s) {
    const wfi_costs *found = wfi_costs_find(m, s->algorithm), *c = found ? found : m->at;
    double slower = s->threads > 0 ? (double)m->threads / s->threads : 1; /* threads share arcs, not levels */
    wfi_estimate e = {.cpu = run_ms(&c->cpu, s, slower * or_one(s->work.cpu_dearer)), .work = gpu_run_ms(&c->gpu, s)};
    if (!s->started) e.start = (double)m->context_ns * 1e-6;
    /* Words of an arc: first_fs is of arcs without weights. */
    double words = 1 + (double)s->weight_bytes / sizeof(weft_vid);
    if (!s->mirrored) e.upload = (double)s->arcs * (double)c->gpu.first_fs * 1e-12 * words;
    e.gpu = e.start + e.upload + e.work;
    return e;
}

/* --- the work of a run ------------------------------------------------------------------------ */

/* With few arcs per vertex a graph is a road map or a grid, about as deep as it is wide; others have few levels. */
void wfi_work_of_search(const weft_graph *g, const void *params, wfi_work *work) {
    (void)params;
    bool deep = g->arcs < 6 * (uint64_t)g->n;
    *work = (wfi_work){.passes = 1, .levels = deep ? 1.5 * sqrt((double)g->n) : 8, .deep = deep};
}

/* The cost of an arc grows with the rows at its ends; the constants are of a graph with 30 arcs per vertex. */
void wfi_work_of_triangles(const weft_graph *g, const void *params, wfi_work *work) {
    (void)params;
    double times = g->n ? (double)g->arcs / g->n / 30 : 1;
    *work = (wfi_work){.passes = fmin(fmax(times, 1), 10), .levels = 1};
}

wfi_work wfi_work_of(const wfi_algorithm *a, const weft_graph *g, const void *params) {
    wfi_work work = {.passes = 1, .levels = 1};
    if (a->operators && a->operators->factor > 0) work = wfi_method_work(a->operators, params);
    if (a->work) a->work(g, params, &work);
    return work;
}
