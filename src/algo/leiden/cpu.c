/* Communities on CPU cores: levels, contraction and labels (community.h). */
#include "algo/leiden/cpu.h"
#include "core/atomic_min.h"
#include "core/scan.h"
#include "engines/union_find/forest.h"
#include "graph/rows.h"

#include <string.h>

/* Rows are cut into spans of equal cost (graph/rows.h): some 32 spans for each thread, each of a cost of SPAN_LEAST or
 * more, and more spans if each would cost more than SPAN_MOST. */
enum { SPANS_EACH = 32, SPAN_LEAST = 1 << 12, SPAN_MOST = 1 << 20 };

static bool two_masses(const wfi_community_task *t) { return t->g->directed && !t->cpm; }

static void lay_out_masses(wfi_workspace *w, uint64_t n, bool two, wfi_masses *m) {
    wfi_array(w, &m->out, n);
    m->in = NULL;
    if (two) wfi_array(w, &m->in, n);
}

static void lay_out(wfi_workspace *w, const weft_ctx *ctx, wfi_leiden_cpu *m) {
    const weft_graph *g = m->task->g;
    const uint64_t n = g->n, arcs = wfi_community_arcs(g);
    m->two = two_masses(m->task);
    m->wide = wfi_community_is_wide(m->task);
    m->threads = m->tallies.threads = wfi_threads_for(ctx, n + arcs, WFI_LEIDEN_ROW_CHUNK);
    lay_out_masses(w, n, g->directed, &m->strength);
    m->graph_mass = m->strength;
    if (m->task->cpm) lay_out_masses(w, n, false, &m->graph_mass);
    for (int i = 0; i < 2; i++) {
        lay_out_masses(w, n, m->two, &m->mass[i]);
        wfi_array(w, &m->community[i], n);
        wfi_sum_rows_lay_out(w, g->n, arcs, m->wide, &m->coarse[i]);
    }
    lay_out_masses(w, n, m->two, &m->total);
    if (m->task->cpm) {
        lay_out_masses(w, n, false, &m->incoming);
        wfi_array(w, &m->gain, n);
    }
    wfi_array(w, &m->cut, (uint64_t)m->threads * SPANS_EACH + (arcs + WFI_ROW_COST * n) / SPAN_MOST + 2);
    wfi_array(w, &m->active, n);
    wfi_array(w, &m->slack, n);
    wfi_array(w, &m->target, n);
    wfi_array(w, &m->movers, n);
    wfi_array(w, &m->vertex_of, n);
    wfi_array(w, &m->part, n + 1);
    wfi_array(w, &m->first, n + 1);
    wfi_array(w, &m->stored, m->task->iterations ? 0 : n);
    if (m->task->refine) {
        wfi_array(w, &m->set, n);
        lay_out_masses(w, n, m->two, &m->set_mass);
        wfi_array(w, &m->bound, n);
        wfi_array(w, &m->grown, n);
    }
    m->tallies.wide = m->wide;
    wfi_accumulators_lay_out(w, g->n, arcs, &m->tallies);
    wfi_array(w, &m->graph.heavy, m->task->weights ? arcs : 0);
    wfi_array(w, &m->graph.targets, g->directed ? arcs : 0);
    wfi_array(w, &m->graph.begin, g->directed ? n + 1 : 0);
}

/* --- shared by all steps --- */

void wfi_leiden_cpu_take_rows(wfi_leiden_cpu *m, wfi_sum_rows *rows) {
    uint64_t work = wfi_cost_before(rows->begin, rows->n);
    m->rows = rows;
    m->spans = (int)wfi_min_u64(work / SPAN_LEAST + 1, (uint64_t)m->threads * SPANS_EACH + work / SPAN_MOST);
    for (int i = 0; i <= m->spans; i++)
        m->cut[i] = wfi_chunk_of_rows(rows->begin, 0, rows->n, (unsigned)m->spans, (unsigned)i);
}

void wfi_leiden_cpu_add_up(wfi_leiden_cpu *m, const weft_vid *label, const wfi_masses *each, weft_vid count,
                           const wfi_masses *to) {
    weft_vid n = m->rows->n;
#pragma omp parallel num_threads(wfi_leiden_cpu_for_vertices(m))
    {
        wfi_mass_batch b;
        wfi_mass_batch_begin(&b, to);
#pragma omp for schedule(static)
        for (weft_vid c = 0; c < count; c++) {
            to->out[c] = 0;
            if (to->in) to->in[c] = 0;
        }
#pragma omp for schedule(static)
        for (weft_vid v = 0; v < n; v++)
            if (!wfi_mass_is_empty(wfi_mass_at(each, v))) wfi_mass_batch_add(&b, label[v], wfi_mass_at(each, v));
        wfi_mass_batch_end(&b);
    }
}

void wfi_leiden_cpu_find_least(wfi_leiden_cpu *m, weft_vid n, const weft_vid *key, const weft_vid *value,
                               weft_vid *least) {
    int threads = wfi_threads_for(m->ctx, n, WFI_LEIDEN_CHUNK);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (weft_vid v = 0; v < n; v++) least[v] = WEFT_NO_VERTEX;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (weft_vid v = 0; v < n; v++) {
        if (value[v] == WEFT_NO_VERTEX) continue;
        wfi_atomic_min_u32(&least[key[v]], value[v]);
    }
}

void wfi_leiden_cpu_name_after_least(wfi_leiden_cpu *m, const weft_vid *key) {
    weft_vid n = m->task->g->n, *label = m->columns.label, *least = m->target;
    int threads = wfi_threads_for(m->ctx, n, WFI_LEIDEN_CHUNK);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (weft_vid v = 0; v < n; v++) m->part[v] = wfi_leiden_cpu_takes_part(m, v) ? v : WEFT_NO_VERTEX;
    wfi_leiden_cpu_find_least(m, n, key, m->part, least);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (weft_vid v = 0; v < n; v++) label[v] = wfi_leiden_cpu_takes_part(m, v) ? least[key[v]] : v;
}

/* --- a level --- */

static weft_status open_graph(void *machine_, weft_vid *open) {
    wfi_leiden_cpu *m = machine_;
    weft_vid n = m->task->g->n, count = 0;
    wfi_leiden_cpu_take_rows(m, &m->graph);
    m->level = &m->graph_mass;
    m->turn = 0;
    m->member = m->community[0];
#pragma omp parallel for schedule(static) reduction(+ : count) num_threads(wfi_leiden_cpu_for_vertices(m))
    for (weft_vid v = 0; v < n; v++) {
        m->member[v] = m->columns.label[v];
        m->vertex_of[v] = wfi_leiden_cpu_takes_part(m, v) ? v : WEFT_NO_VERTEX;
        count += wfi_leiden_cpu_takes_part(m, v);
    }
    wfi_leiden_cpu_add_up(m, m->member, m->level, n, &m->total);
    *open = count;
    return WEFT_OK;
}

/* --- contraction --- */

/* part[v]: the number of v's set, numbered in the order of the sets' names.  Returns the number of sets. */
static weft_vid number_parts(wfi_leiden_cpu *m, const weft_vid *name) {
    weft_vid n = m->rows->n, count = 0, *number = m->first;
#pragma omp parallel for schedule(static) num_threads(wfi_leiden_cpu_for_vertices(m))
    for (weft_vid v = 0; v < n; v++) number[v] = 0;
#pragma omp parallel for schedule(static) num_threads(wfi_leiden_cpu_for_vertices(m))
    for (weft_vid v = 0; v < n; v++)
        if (!wfi_mass_is_empty(wfi_mass_at(m->level, v))) __atomic_store_n(&number[name[v]], 1, __ATOMIC_RELAXED);
    for (weft_vid v = 0; v < n; v++) {
        weft_vid is = number[v];
        number[v] = count;
        count += is;
    }
#pragma omp parallel for schedule(static) num_threads(wfi_leiden_cpu_for_vertices(m))
    for (weft_vid v = 0; v < n; v++)
        m->part[v] = wfi_mass_is_empty(wfi_mass_at(m->level, v)) ? WEFT_NO_VERTEX : number[name[v]];
    return count;
}

/* Communities of the next level, each named after its smallest vertex of that level. */
static void carry_communities(wfi_leiden_cpu *m, weft_vid *next) {
    weft_vid n = m->rows->n, *least = m->target;
    wfi_leiden_cpu_find_least(m, n, m->member, m->part, least);
#pragma omp parallel for schedule(static) num_threads(wfi_leiden_cpu_for_vertices(m))
    for (weft_vid v = 0; v < n; v++)
        if (m->part[v] != WEFT_NO_VERTEX) wfi_store_relaxed(&next[m->part[v]], least[m->member[v]]);
}

static weft_status contract(void *machine_, weft_vid *n, weft_vid *open) {
    wfi_leiden_cpu *m = machine_;
    const wfi_sum_rows *from = m->rows;
    int next = m->turn ^ 1;
    weft_vid parts = number_parts(m, m->task->refine ? m->set : m->member);
    *n = parts;
    if (parts == from->n || !parts) return *n = from->n, WEFT_OK;
    wfi_sum_rows *to = &m->coarse[next];
    wfi_masses *mass = &m->mass[next];
    weft_vid *member = m->community[next];
    carry_communities(m, member);
    weft_status st = wfi_contract(m->ctx, from, m->part, parts, &m->tallies, m->first, m->movers, to, open);
    if (st) return st;
    wfi_leiden_cpu_add_up(m, m->part, m->level, parts, mass);
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(m->ctx, m->task->g->n, WFI_LEIDEN_CHUNK))
    for (weft_vid v = 0; v < m->task->g->n; v++)
        if (m->vertex_of[v] != WEFT_NO_VERTEX) m->vertex_of[v] = m->part[m->vertex_of[v]];
    wfi_leiden_cpu_take_rows(m, to);
    m->level = mass;
    m->turn = next;
    m->member = member;
    wfi_leiden_cpu_add_up(m, m->member, m->level, parts, &m->total);
    return WEFT_OK;
}

static weft_status keep(void *machine_, unsigned level) {
    wfi_leiden_cpu *m = machine_;
    memcpy(m->columns.level[level], m->vertex_of, m->task->g->n * sizeof *m->vertex_of);
    return WEFT_OK;
}

/* --- labels ---------------------------------------------------------------------------------------------- */

static weft_status close_level(void *machine_) {
    wfi_leiden_cpu *m = machine_;
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(m->ctx, m->task->g->n, WFI_LEIDEN_CHUNK))
    for (weft_vid v = 0; v < m->task->g->n; v++)
        if (m->vertex_of[v] != WEFT_NO_VERTEX) m->columns.label[v] = m->member[m->vertex_of[v]];
    return WEFT_OK;
}

static weft_status store(void *machine_) {
    wfi_leiden_cpu *m = machine_;
    memcpy(m->stored, m->columns.label, m->task->g->n * sizeof *m->stored);
    return WEFT_OK;
}

static weft_status restore(void *machine_) {
    wfi_leiden_cpu *m = machine_;
    memcpy(m->columns.label, m->stored, m->task->g->n * sizeof *m->stored);
    return WEFT_OK;
}

static weft_status name(void *machine_, bool split) {
    wfi_leiden_cpu *m = machine_;
    weft_vid n = m->task->g->n, *label = m->columns.label, *parent = m->target;
    const wfi_sum_rows *r = &m->graph;
    if (!split) return wfi_leiden_cpu_name_after_least(m, label), wfi_leiden_cpu_status(m);
#pragma omp parallel for schedule(static) num_threads(wfi_leiden_cpu_for_graph(m))
    for (weft_vid v = 0; v < n; v++) parent[v] = v;
    wfi_leiden_cpu_take_rows(m, &m->graph);
#pragma omp parallel for schedule(dynamic, 1) num_threads(wfi_leiden_cpu_for_graph(m))
    for (int span = 0; span < m->spans; span++)
        for (weft_vid v = m->cut[span]; v < m->cut[span + 1] && !wfi_leiden_cpu_stop_at(m, v); v++)
            for (weft_eid e = r->begin[v]; e < r->end[v] && wfi_leiden_cpu_takes_part(m, v); e++)
                if (r->targets[e] < v && label[r->targets[e]] == label[v] && wfi_sum_weight(r, e))
                    wfi_join(parent, v, r->targets[e]);
#pragma omp parallel for schedule(static) num_threads(wfi_leiden_cpu_for_graph(m))
    for (weft_vid v = 0; v < n; v++) label[v] = wfi_root_of(parent, v);
    return wfi_leiden_cpu_status(m);
}

static weft_status measure(void *machine_, wfi_community_sums *sums) {
    wfi_leiden_cpu *m = machine_;
    const weft_graph *g = m->task->g;
    const wfi_sum_rows *r = &m->graph;
    const weft_vid *label = m->columns.label;
    uint64_t inside = 0, total = 0;
    weft_vid *size = m->target;
    *sums = (wfi_community_sums){.unit = m->unit};
    wfi_leiden_cpu_take_rows(m, &m->graph);
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : inside, total) num_threads(wfi_leiden_cpu_for_graph(m))
    for (int span = 0; span < m->spans; span++)
        for (weft_vid v = m->cut[span]; v < m->cut[span + 1] && !wfi_leiden_cpu_stop_at(m, v); v++)
            for (weft_eid e = r->begin[v]; e < r->end[v]; e++) {
                uint64_t weight = wfi_sum_weight(r, e);
                if (r->targets[e] == v && !g->directed) weight *= 2;
                total += weight;
                if (label[r->targets[e]] == label[v]) inside += weight;
            }
    wfi_masses by = {m->mass[0].out, g->directed ? m->mass[1].out : NULL};
    wfi_leiden_cpu_add_up(m, label, &m->strength, g->n, &by);
    memset(size, 0, g->n * sizeof *size);
    for (weft_vid v = 0; v < g->n && !wfi_leiden_cpu_stop_at(m, v); v++) size[label[v]]++;
    uint64_t square[4] = {0}, pairs[4] = {0}, count = 0, largest = 0;
#pragma omp parallel for schedule(static) reduction(+ : square, pairs, count) reduction(max : largest) \
    num_threads(wfi_threads_for(m->ctx, g->n, WFI_LEIDEN_CHUNK))
    for (weft_vid c = 0; c < g->n; c++) {
        if (!size[c]) continue;
        wfi_community_product(square, by.out[c], g->directed ? by.in[c] : by.out[c]);
        wfi_community_product(pairs, size[c], (uint64_t)size[c] - 1);
        count++;
        largest = wfi_max_u64(largest, size[c]);
    }
    memcpy(sums->square, square, sizeof square);
    memcpy(sums->pairs, pairs, sizeof pairs);
    sums->count = count;
    sums->largest = largest;
    sums->inside = inside;
    sums->total = total;
    return wfi_leiden_cpu_status(m);
}

static const wfi_community_steps steps = {wfi_leiden_cpu_begin,
                                          open_graph,
                                          wfi_leiden_cpu_moving,
                                          wfi_leiden_cpu_round,
                                          wfi_leiden_cpu_refining,
                                          wfi_leiden_cpu_refine_round,
                                          contract,
                                          keep,
                                          close_level,
                                          measure,
                                          store,
                                          restore,
                                          name};

void wfi_community_space_cpu(wfi_workspace *w, const weft_ctx *ctx, const wfi_community_task *task) {
    wfi_leiden_cpu m = {.task = task};
    lay_out(w, ctx, &m);
}

weft_status wfi_community_cpu(weft_ctx *ctx, const wfi_community_task *task, wfi_workspace *space,
                              const wfi_community_columns *columns, wfi_community_found *found) {
    wfi_leiden_cpu m = {.ctx = ctx, .task = task, .columns = *columns};
    lay_out(space, ctx, &m);
    return space->status ? space->status : wfi_community_run(ctx, task, &steps, &m, found);
}
