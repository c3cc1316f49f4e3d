/* Communities: the choice of one vertex, rounds, iterations, and the answer (leiden.h). */
#include "leiden.h"
#include "weft/leiden.h"

#include <string.h>

static const weft_leiden_params *params_of(const leiden *q) { return q->r->params; }

const char *leiden_serves(lab_run *r) {
    const weft_leiden_params *p = r->params;
    if (weft_graph_directed(r->g)) return "this rung is about undirected graphs; the library's takes directed ones too";
    if (p->weights || p->objective != WEFT_OBJECTIVE_MODULARITY)
        return "this rung is about modularity without weights; the library's knows weights and CPM";
    if (p->initial || p->levels || !p->iterations)
        return "this rung has no initial communities, no columns of levels, and a number of iterations";
    return r->out.arcs < (uint64_t)1 << 31 ? NULL : "this rung counts with 32 bits: fewer than 2^30 edges";
}

weft_status leiden_check_louvain(weft_ctx *ctx, const weft_graph *g, const void *params, const weft_result *result,
                                 weft_check_report *report) {
    return weft_check(ctx, "louvain", g, params, result, report);
}

/* --- moving -------------------------------------------------------------------------------------------------- */

weft_vid leiden_list_active(leiden *q) {
    weft_vid count = 0;
    for (weft_vid v = 0; v < q->level.n; v++)
        if (q->active[v]) q->list[count++] = v;
    return count;
}

weft_vid leiden_choose(const leiden *q, weft_vid v, uint64_t key, leiden_tally *t) {
    const leiden_level *l = &q->level;
    uint32_t mass = l->mass[v];
    weft_vid own = q->community[v], to = own;
    for (weft_eid e = l->offsets[v]; e < l->offsets[v + 1]; e++) {
        weft_vid c = q->community[l->targets[e]];
        if (l->targets[e] == v) continue;
        if (!t->arcs[c]) t->touched[t->count++] = c;
        t->arcs[c] += leiden_arcs(l, e);
    }
    double best = leiden_gain(q->rate, t->arcs[own], mass, q->total[own] - mass);
    for (weft_vid i = 0; i < t->count; i++) {
        weft_vid c = t->touched[i];
        double gain = leiden_gain(q->rate, t->arcs[c], mass, q->total[c]);
        t->arcs[c] = 0;
        if (c == own || !(to == own ? gain > best : leiden_better(key, gain, c, best, to))) continue;
        best = gain;
        to = c;
    }
    t->count = 0;
    return best < 0 && q->total[own] > mass && !q->total[v] ? v : to;
}

void leiden_wake(leiden *q, weft_vid v) {
    for (weft_eid e = q->level.offsets[v]; e < q->level.offsets[v + 1]; e++) {
        weft_vid u = q->level.targets[e];
        if (q->community[u] != q->community[v]) __atomic_store_n(&q->active[u], 1, __ATOMIC_RELAXED);
    }
}

weft_status leiden_rounds(leiden *q, leiden_round_fn *round) {
    uint64_t seed = leiden_hash(leiden_hash(params_of(q)->seed + 1) ^ ++q->stage << 32);
    for (uint64_t i = 0, moved = q->open; i < LEIDEN_ROUNDS && 1000 * moved > 3 * (uint64_t)q->open; i++) {
        if (leiden_stops(q, 0)) break;
        moved = round(q, leiden_hash(seed ^ i));
    }
    return q->stopped ? WEFT_ECANCELLED : WEFT_OK;
}

/* --- the whole run ------------------------------------------------------------------------------------------- */

static weft_status take_all(leiden *q) {
    leiden_room *o = &q->room;
    lab_run *r = q->r;
    size_t n = (size_t)r->out.vertices + 1, arcs = r->out.arcs + 1;
    weft_vid **of_vertices[] = {&q->community, &q->goes,  &q->set,    &q->inside, &q->label,
                                &q->list,      &o->first, &o->number, &o->member};
    weft_vid *all = lab_take(r, sizeof of_vertices / sizeof *of_vertices * n * sizeof *all);
    for (size_t i = 0; all && i < sizeof of_vertices / sizeof *of_vertices; i++) *of_vertices[i] = all + i * n;
    q->total = lab_take(r, n * sizeof *q->total);
    q->active = lab_take(r, n);
    o->mass = lab_take(r, n * sizeof *o->mass);
    bool there = all && q->total && q->active && o->mass;
    for (int i = 0; i < 2 && there; i++) {
        o->rows[i].offsets = lab_take(r, n * sizeof *o->rows[i].offsets);
        o->rows[i].targets = lab_take(r, arcs * sizeof *o->rows[i].targets);
        o->rows[i].arcs = lab_take(r, arcs * sizeof *o->rows[i].arcs);
        o->rows[i].mass = lab_take(r, n * sizeof *o->rows[i].mass);
        there = o->rows[i].offsets && o->rows[i].targets && o->rows[i].arcs && o->rows[i].mass;
    }
    q->tally = lab_take(r, (size_t)r->threads * sizeof *q->tally);
    uint32_t *counters = lab_take(r, 2 * n * (size_t)r->threads * sizeof *counters);
    if (q->way->refine) {
        q->sets = (leiden_sets){lab_take(r, n * sizeof(uint32_t)), lab_take(r, n * sizeof(int64_t)), lab_take(r, n)};
        there = there && q->sets.mass && q->sets.bound && q->sets.grown;
    }
    if (!there || !q->tally || !counters) return WEFT_ENOMEM;
    for (size_t i = 0; i < (size_t)r->threads; i++)
        q->tally[i] = (leiden_tally){counters + 2 * n * i, counters + 2 * n * i + n, 0};
    return WEFT_OK;
}

/* Modularity of the labels, in integers up to the last division: all ends together are below 2^32, their square
 * below 2^64. */
static void answer(leiden *q) {
    const weft_csr *g = &q->r->out;
    uint64_t all = 0, inside = 0, square = 0, count = 0, largest = 0;
    memset(q->total, 0, g->vertices * sizeof *q->total);
    memset(q->list, 0, g->vertices * sizeof *q->list);
    for (weft_vid v = 0; v < g->vertices; v++) {
        for (weft_eid e = g->offsets[v]; e < g->offsets[v + 1]; e++)
            if (q->label[g->targets[e]] == q->label[v]) inside += g->targets[e] == v ? 2 : 1;
        q->total[q->label[v]] += q->room.mass[v];
        q->list[q->label[v]]++;
        all += q->room.mass[v];
    }
    for (weft_vid c = 0; c < g->vertices; c++) {
        square += (uint64_t)q->total[c] * q->total[c];
        count += q->list[c] > 0;
        if (q->list[c] > largest) largest = q->list[c];
    }
    double ends = (double)all, modularity = 0, quality = 0;
    if (all) {
        modularity = (double)inside / ends - (double)square / ends / ends;
        quality = (double)inside / ends - params_of(q)->resolution * ((double)square / ends / ends);
    }
    lab_column(q->r, "community", WEFT_VERTEX, q->label, g->vertices);
    lab_f64(q->r, "modularity", modularity);
    lab_f64(q->r, "quality", quality);
    lab_u64(q->r, "count", count);
    lab_u64(q->r, "largest", largest);
    lab_u64(q->r, "levels", q->levels);
    lab_u64(q->r, "iterations", params_of(q)->iterations);
    q->r->edges = (double)params_of(q)->iterations * (double)g->arcs;
}

static weft_status iterate(leiden *q) {
    weft_status st;
    leiden_open_graph(q);
    q->levels = 0;
    do {
        st = q->way->move(q);
        if (q->way->refine)
            q->way->refine(q);
        else
            memcpy(q->set, q->community, q->level.n * sizeof *q->set);
    } while (!st && !q->stopped && leiden_contract(q));
    leiden_close_graph(q);
    return q->stopped ? WEFT_ECANCELLED : st;
}

weft_status leiden_run(lab_run *r, const leiden_way *way) {
    leiden q = {.r = r, .way = way};
    uint64_t ends = 0;
    weft_status st = take_all(&q);
    if (st) return st;
    lab_reads(r, &r->out);
    lab_turn(r, LAB_KERNELS);
    for (weft_vid v = 0; v < r->out.vertices; v++) {
        q.label[v] = v;
        q.room.mass[v] = (uint32_t)(r->out.offsets[v + 1] - r->out.offsets[v]);
        for (weft_eid e = r->out.offsets[v]; e < r->out.offsets[v + 1]; e++) q.room.mass[v] += r->out.targets[e] == v;
        ends += q.room.mass[v];
    }
    q.rate = ends ? params_of(&q)->resolution / (double)ends : 0;
    for (uint64_t i = 0; i < params_of(&q)->iterations && !st; i++) st = iterate(&q);
    if (st) return st;
    leiden_open_graph(&q);
    st = way->move(&q);
    leiden_close_graph(&q);
    if (!st && way->split) way->split(&q);
    lab_turn(r, LAB_UNTIMED);
    if (st || q.stopped) return st ? st : WEFT_ECANCELLED;
    answer(&q);
    return WEFT_OK;
}
