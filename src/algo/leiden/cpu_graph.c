/* Communities on CPU cores: the graph's weights as integers, its rows and strengths, and the initial labels
 * (community.h). */
#include "algo/leiden/cpu.h"
#include "engines/fixed_sums/takes.h"

#include <math.h>
#include <string.h>

/* The largest unit with which the sum of all weights stays below 2^62. */
static weft_status find_unit(wfi_leiden_cpu *m) {
    const weft_graph *g = m->task->g;
    double most = 0;
    uint64_t sum = 0, slots = 2 * wfi_community_arcs(g);
    weft_eid bad = UINT64_MAX;
    int scale, threads = wfi_threads_for(m->ctx, g->arcs, WFI_LEIDEN_CHUNK);
    m->unit = 1;
    if (!m->task->weights) return WEFT_OK;
#pragma omp parallel for schedule(static) reduction(max : most) reduction(min : bad) num_threads(threads)
    for (weft_eid first = 0; first < g->arcs; first += WFI_LEIDEN_ARCS) {
        weft_eid end = wfi_min_u64(g->arcs, first + WFI_LEIDEN_ARCS);
        for (weft_eid e = wfi_leiden_cpu_stop(m) ? end : first; e < end; e++) {
            double w = wfi_weight_at(g->weight_type, g->out.weights, e);
            if (!WFI_SHARES_TAKE(w) && e < bad) bad = e;
            most = most < w ? w : most;
        }
    }
    if (wfi_leiden_cpu_status(m)) return WEFT_ECANCELLED;
    if (bad != UINT64_MAX) return wfi_refuse_share(m->ctx, m->task->algorithm, g, bad);
    (void)frexp(most, &scale);
    m->unit = ldexp(1, 61 - scale - (int)wfi_bits(slots));
#pragma omp parallel for schedule(static) reduction(+ : sum) num_threads(threads)
    for (weft_eid first = 0; first < g->arcs; first += WFI_LEIDEN_ARCS) {
        weft_eid end = wfi_min_u64(g->arcs, first + WFI_LEIDEN_ARCS);
        for (weft_eid e = wfi_leiden_cpu_stop(m) ? end : first; e < end; e++)
            sum += wfi_community_whole(wfi_weight_at(g->weight_type, g->out.weights, e), m->unit);
    }
    if (most > 0) m->unit = ldexp(m->unit, 60 - (int)wfi_bits(sum + slots));
    return wfi_leiden_cpu_status(m);
}

/* The rows of a directed graph: out-row and in-row of a vertex, one after the other. */
static void join_rows(wfi_leiden_cpu *m) {
    const weft_graph *g = m->task->g;
    const wfi_view *sides[] = {&g->out, &g->in};
#pragma omp parallel for schedule(dynamic, WFI_LEIDEN_POLL_ROWS) num_threads(wfi_leiden_cpu_for_graph(m))
    for (weft_vid v = 0; v < g->n; v++) {
        weft_eid at = g->out.offsets[v] + g->in.offsets[v];
        if (wfi_leiden_cpu_stop_at(m, v)) continue;
        m->graph.begin[v] = at;
        for (int side = 0; side < 2; side++)
            for (weft_eid e = sides[side]->offsets[v]; e < sides[side]->offsets[v + 1]; e++, at++) {
                m->graph.targets[at] = sides[side]->targets[e];
                if (m->task->weights)
                    m->graph.heavy[at] =
                        wfi_community_whole(wfi_weight_at(g->weight_type, sides[side]->weights, e), m->unit);
            }
    }
    m->graph.begin[g->n] = wfi_community_arcs(g);
}

static uint64_t count_vanished(wfi_leiden_cpu *m) {
    const weft_graph *g = m->task->g;
    uint64_t count = 0;
    if (!m->task->weights) return 0;
#pragma omp parallel for schedule(dynamic, WFI_LEIDEN_POLL_ROWS) reduction(+ : count) \
    num_threads(wfi_leiden_cpu_for_graph(m))
    for (weft_vid v = 0; v < g->n; v++) {
        if (wfi_leiden_cpu_stop_at(m, v)) continue;
        for (weft_eid e = g->out.offsets[v]; e < g->out.offsets[v + 1]; e++) {
            double w = wfi_weight_at(g->weight_type, g->out.weights, e);
            if (w > 0 && !wfi_community_whole(w, m->unit)) count += g->directed || v <= g->out.targets[e];
        }
    }
    return count;
}

/* Strengths; in an undirected graph a loop counts twice. */
static void add_strengths(wfi_leiden_cpu *m) {
    const weft_graph *g = m->task->g;
#pragma omp parallel for schedule(dynamic, 1) num_threads(wfi_leiden_cpu_for_graph(m))
    for (int span = 0; span < m->spans; span++)
        for (weft_vid v = m->cut[span]; v < m->cut[span + 1] && !wfi_leiden_cpu_stop_at(m, v); v++) {
            weft_eid e = m->graph.begin[v],
                     out = g->directed ? e + (g->out.offsets[v + 1] - g->out.offsets[v]) : m->graph.end[v];
            uint64_t sum[2] = {0, 0};
            for (; e < m->graph.end[v]; e++) {
                uint64_t weight = wfi_sum_weight(&m->graph, e);
                sum[e >= out] += m->graph.targets[e] == v && !g->directed ? 2 * weight : weight;
            }
            m->strength.out[v] = sum[0];
            if (g->directed) m->strength.in[v] = sum[1];
        }
}

weft_status wfi_leiden_cpu_begin(void *machine_, uint64_t *underflowed) {
    wfi_leiden_cpu *m = machine_;
    const wfi_community_task *t = m->task;
    const weft_graph *g = t->g;
    uint64_t total = 0;
    weft_status st = find_unit(m);
    if (st) return st;
    m->graph.n = g->n;
    m->graph.room = wfi_community_arcs(g);
    if (!g->directed) {
        m->graph.begin = (weft_eid *)(uintptr_t)g->out.offsets;
        m->graph.targets = (weft_vid *)(uintptr_t)g->out.targets;
        if (t->weights) {
#pragma omp parallel for schedule(static) num_threads(wfi_leiden_cpu_for_graph(m))
            for (weft_eid first = 0; first < g->arcs; first += WFI_LEIDEN_ARCS) {
                weft_eid end = wfi_min_u64(g->arcs, first + WFI_LEIDEN_ARCS);
                for (weft_eid e = wfi_leiden_cpu_stop(m) ? end : first; e < end; e++)
                    m->graph.heavy[e] = wfi_community_whole(wfi_weight_at(g->weight_type, g->out.weights, e), m->unit);
            }
        }
    } else {
        join_rows(m);
    }
    if (!t->weights) m->graph.heavy = NULL;
    m->graph.end = m->graph.begin + 1;
    if ((st = wfi_leiden_cpu_status(m))) return st;
    *underflowed = count_vanished(m);
    wfi_leiden_cpu_take_rows(m, &m->graph);
    add_strengths(m);
    if ((st = wfi_leiden_cpu_status(m))) return st;
#pragma omp parallel for schedule(static) reduction(+ : total) \
    num_threads(wfi_threads_for(m->ctx, g->n, WFI_LEIDEN_CHUNK))
    for (weft_vid v = 0; v < g->n; v++) {
        total += m->strength.out[v];
        if (t->cpm) m->graph_mass.out[v] = wfi_leiden_cpu_takes_part(m, v);
        m->columns.label[v] = v;
    }
    /* In a directed graph each arc is in two rows, and `total` counts both. */
    if (t->cpm)
        m->rate = t->resolution * m->unit * (g->directed ? 2 : 1);
    else
        m->rate = total ? t->resolution / (double)total : 0;
    if (t->initial) wfi_leiden_cpu_name_after_least(m, t->initial);
    wfi_accumulators_begin(&m->tallies, g->n);
    if (t->cpm) memset(m->incoming.out, 0, g->n * sizeof *m->incoming.out);
    return wfi_leiden_cpu_status(m);
}
