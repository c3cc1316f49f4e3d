/* Synchronous label propagation on CPU cores [1].  Needs: the transpose of a directed graph.
 * Method: every vertex takes the mode of its neighbours' labels: few are sorted, more are counted in a small hash table
 * of the thread, those of a hub by all threads together in one array of counters.  Once few vertices change, only their
 * neighbours are counted again (a frontier).
 * Encoding: a candidate is one number, (count << 32) | ~label, so the most frequent and then smallest label is a
 * maximum.  Labels alternate between two arrays: the one that a step writes still holds the labels of two steps ago,
 * so a two-cycle is seen by comparing before writing.
 * Ranks that share a run count for their own vertices, on cores or GPU; both arrays have the labels of all, which are
 * gathered after each step.
 * [1] Raghavan, Albert, Kumara, "Near linear time algorithm to detect community structures", Phys. Rev. E 76 (2007). */
#include "algo/checkpoint.h"
#include "algo/labelprop/labelprop.h"
#include "ranks/spread.h"

#include <omp.h>
#include <string.h>

enum {
    FEW = 16,      /* up to so many labels are sorted */
    HUB = 1 << 14, /* beyond so many all threads count together */
    ROWS_AT_ONCE = 128,
    HUB_SHARE = 1 << 12 /* arcs of a hub that are worth a thread */
};

typedef struct slot {
    weft_vid label;
    uint32_t count; /* 0 = free */
} slot;

/* A thread's own: slots, all free between vertices, and which of them are in use. */
typedef struct table {
    slot *slots;
    uint32_t *touched;
} table;

typedef struct spread {
    weft_vid *label, *other; /* of all vertices; they alternate.  The first is the column of a rank that has all */
    weft_ctx *ctx;
    const weft_graph *g;
    const wfi_spread *ranks;
    bool whole;               /* this rank has all vertices */
    wfi_labelprop_gpu *gpu;   /* that counts; NULL: CPU cores do */
    weft_vid *column;         /* of this rank's vertices */
    weft_vid mine, first;     /* vertices of this rank, and the first of them: row k is its row first + k */
    const wfi_view *out, *in; /* in is NULL: undirected */
    int threads;
    slot *slot_room; /* for all threads */
    uint32_t *touched_room;
    table *tables;
    uint32_t *counts; /* per label, zero between hubs; without places if there can be no hub */
    weft_vid *hubs, hub_count;
    uint8_t *active; /* whether a neighbour has changed; only valid when `sparse` */
    bool sparse;
    _Atomic bool cancelled;
} spread;

typedef struct tally {
    uint64_t changed, differs, volume; /* against one and two steps ago; arcs at those that changed */
} tally;

static uint64_t all_arcs(const weft_graph *g) { return g->directed ? 2 * g->arcs : g->arcs; }

/* Here and below a vertex is meant by its row. */
static uint64_t neighbours(const spread *s, weft_vid v) {
    return wfi_degree(s->out, v) + (s->in ? wfi_degree(s->in, v) : 0);
}

static uint64_t candidate(uint64_t count, weft_vid label) { return count << 32 | (uint32_t)~label; }
static weft_vid label_of(uint64_t best) { return (weft_vid) ~(uint32_t)best; }

static bool should_stop(spread *s) {
    if (wfi_cancelled(s->ctx)) atomic_store(&s->cancelled, true);
    return atomic_load_explicit(&s->cancelled, memory_order_relaxed);
}

/* --- counting the labels around one vertex ------------------------------------- */

static weft_vid count_few(const spread *s, const weft_vid *label, weft_vid v) {
    weft_vid around[FEW];
    uint32_t size = 0, run = 0;
    const wfi_view *sides[] = {s->out, s->in};
    for (int side = 0; side < 2 && sides[side]; side++)
        for (weft_eid e = sides[side]->offsets[v]; e < sides[side]->offsets[v + 1]; e++) {
            weft_vid x = label[sides[side]->targets[e]];
            uint32_t at = size++;
            for (; at && around[at - 1] > x; at--) around[at] = around[at - 1];
            around[at] = x;
        }
    uint64_t best = 0;
    for (uint32_t i = 0; i < size; i++) {
        run = i && around[i] == around[i - 1] ? run + 1 : 1;
        best = wfi_max_u64(best, candidate(run, around[i]));
    }
    return label_of(best);
}

static inline __attribute__((always_inline)) uint64_t count_row(const table *t, uint32_t mask, const weft_vid *label,
                                                                const wfi_view *rows, weft_vid v, uint32_t *used) {
    uint64_t best = 0;
    const weft_vid *from = rows->targets + rows->offsets[v], *to = rows->targets + rows->offsets[v + 1];
    for (; from < to; from++) {
        weft_vid x = label[*from];
        uint32_t at = (uint32_t)(x * 0x9e3779b1u) >> 7 & mask;
        while (t->slots[at].count && t->slots[at].label != x) at = (at + 1) & mask;
        if (!t->slots[at].count) t->touched[(*used)++] = at;
        t->slots[at].label = x;
        best = wfi_max_u64(best, candidate(++t->slots[at].count, x));
    }
    return best;
}

static weft_vid count_many(const spread *s, const table *t, const weft_vid *label, weft_vid v, uint64_t degree) {
    uint32_t mask = ((uint32_t)2 << wfi_bits(degree)) - 1, used = 0;
    uint64_t best = count_row(t, mask, label, s->out, v, &used);
    if (s->in) best = wfi_max_u64(best, count_row(t, mask, label, s->in, v, &used));
    for (uint32_t i = 0; i < used; i++) t->slots[t->touched[i]].count = 0;
    return label_of(best);
}

/* Equal labels in a row are added at once: when a community has won, all threads would hit one counter. */
static uint64_t count_part_of_hub(const spread *s, const weft_vid *label, const wfi_view *rows, weft_vid v,
                                  uint64_t part, uint64_t parts) {
    uint64_t best = 0, degree = wfi_degree(rows, v);
    const weft_vid *row = rows->targets + rows->offsets[v];
    uint64_t from = degree * part / parts, to = degree * (part + 1) / parts;
    for (uint64_t i = from; i < to;) {
        weft_vid x = label[row[i]];
        uint32_t run = 1;
        while (++i < to && label[row[i]] == x) run++;
        best = wfi_max_u64(best, candidate(__atomic_add_fetch(&s->counts[x], run, __ATOMIC_RELAXED), x));
    }
    return best;
}

static void forget_hub(const spread *s, const weft_vid *label, const wfi_view *rows, weft_vid v, int threads) {
    weft_eid from = rows->offsets[v], to = rows->offsets[v + 1];
#pragma omp parallel for schedule(static) num_threads(threads)
    for (weft_eid e = from; e < to; e++) __atomic_store_n(&s->counts[label[rows->targets[e]]], 0, __ATOMIC_RELAXED);
}

static weft_vid count_hub(const spread *s, const weft_vid *label, weft_vid v) {
    int threads = wfi_threads_for(s->ctx, neighbours(s, v), HUB_SHARE);
    uint64_t best = 0;
#pragma omp parallel for schedule(static, 1) num_threads(threads) reduction(max : best)
    for (int part = 0; part < threads; part++) {
        best = wfi_max_u64(best, count_part_of_hub(s, label, s->out, v, (uint64_t)part, (uint64_t)threads));
        if (s->in) best = wfi_max_u64(best, count_part_of_hub(s, label, s->in, v, (uint64_t)part, (uint64_t)threads));
    }
    forget_hub(s, label, s->out, v, threads);
    if (s->in) forget_hub(s, label, s->in, v, threads);
    return label_of(best);
}

/* --- a step ---------------------------------------------------------------------- */

/* Writes the new label over the one of two steps ago; now and next begin with this rank's first vertex. */
static void settle(const spread *s, const weft_vid *now, weft_vid *next, weft_vid v, weft_vid fresh, tally *t) {
    t->differs += fresh != next[v];
    if (fresh != now[v]) {
        t->changed++;
        t->volume += neighbours(s, v);
    }
    next[v] = fresh;
}

static tally step(spread *s, const weft_vid *label, weft_vid *fill) {
    uint64_t changed = 0, differs = 0, volume = 0;
    const weft_vid *now = label + s->first;
    weft_vid n = s->mine, *next = fill + s->first;
#pragma omp parallel num_threads(s->threads) reduction(+ : changed, differs, volume)
    {
        tally mine = {0, 0, 0};
        const table *t = &s->tables[omp_get_thread_num()];
#pragma omp for schedule(dynamic, ROWS_AT_ONCE)
        for (weft_vid v = 0; v < n; v++) {
            if (v % ROWS_AT_ONCE == 0) should_stop(s);
            uint64_t degree = neighbours(s, v);
            if (degree > HUB || atomic_load_explicit(&s->cancelled, memory_order_relaxed)) continue;
            weft_vid fresh = now[v];
            if (degree && (!s->sparse || s->active[v]))
                fresh = degree <= FEW ? count_few(s, label, v) : count_many(s, t, label, v, degree);
            settle(s, now, next, v, fresh, &mine);
        }
        changed += mine.changed, differs += mine.differs, volume += mine.volume;
    }
    tally all = {changed, differs, volume};
    for (weft_vid i = 0; i < s->hub_count && !should_stop(s); i++) {
        weft_vid v = s->hubs[i];
        settle(s, now, next, v, s->sparse && !s->active[v] ? now[v] : count_hub(s, label, v), &all);
    }
    return all;
}

static void mark_row(spread *s, const wfi_view *rows, weft_vid v) {
    for (weft_eid e = rows->offsets[v]; e < rows->offsets[v + 1]; e++)
        __atomic_store_n(&s->active[rows->targets[e]], 1, __ATOMIC_RELAXED);
}

/* Whoever has a neighbour that changed must be counted again; marking them costs a fraction of counting all.  Ranks
 * would have to tell each other: they count all. */
static void mark_active(spread *s, const weft_vid *before, const weft_vid *now, uint64_t volume) {
    weft_vid n = s->g->n;
    s->sparse = s->whole && !s->gpu && volume < all_arcs(s->g) / 4;
    if (!s->sparse) return;
    memset(s->active, 0, n);
#pragma omp parallel for schedule(dynamic, ROWS_AT_ONCE * 8) num_threads(s->threads)
    for (weft_vid v = 0; v < n; v++) {
        if (v % ROWS_AT_ONCE == 0) should_stop(s);
        if (before[v] == now[v] || atomic_load_explicit(&s->cancelled, memory_order_relaxed)) continue;
        mark_row(s, s->out, v);
        if (s->in) mark_row(s, s->in, v);
    }
}

/* --- the run ---------------------------------------------------------------------- */

static int threads_for(const weft_ctx *ctx, const weft_graph *g) { return wfi_threads_for(ctx, all_arcs(g), 1 << 14); }

/* The largest table that a vertex can need: count_many takes 2 to 4 slots a neighbour. */
static uint64_t slots_for(const weft_graph *g) { return (uint64_t)2 << wfi_bits(wfi_min_u64(all_arcs(g), HUB)); }

static uint64_t most_hubs(const weft_graph *g) { return wfi_min_u64(all_arcs(g) / HUB, g->n); }

static uint64_t most_touched(const weft_graph *g) { return wfi_min_u64(all_arcs(g), HUB); }

static void lay_out(wfi_workspace *w, const weft_graph *g, spread *s) {
    uint64_t threads = (uint64_t)s->threads;
    wfi_column(w, "label", WEFT_VERTEX, s->mine, &s->column);
    s->label = s->column;
    if (!s->whole) wfi_array(w, &s->label, g->n);
    wfi_array(w, &s->other, g->n);
    if (s->gpu) return;
    wfi_array(w, &s->active, s->whole ? g->n : 0);
    wfi_array(w, &s->tables, threads);
    wfi_array(w, &s->slot_room, threads * slots_for(g));
    wfi_array(w, &s->touched_room, threads * most_touched(g));
    wfi_array(w, &s->counts, most_hubs(g) ? g->n : 0);
    wfi_array(w, &s->hubs, most_hubs(g));
}

void wfi_labelprop_space(wfi_workspace *w, const weft_ctx *ctx, const weft_graph *g) {
    lay_out(w, g, &(spread){.mine = g->n, .whole = true, .threads = threads_for(ctx, g)});
}

static void plan_ranks(const wfi_spread *ranks, const weft_labelprop_params *params, spread *s, wfi_choice *choice) {
    s->whole = wfi_spread_is_whole(ranks);
    s->mine = ranks->vertices;
    choice->method = "synchronous counting";
    choice->space.needs_in = true;
    choice->sends = 0;
    choice->sends_each = sizeof(weft_vid) * wfi_spread_copies(ranks);
    choice->iterations = params->max_iterations;
    lay_out(&choice->space, ranks->g, s);
}

void wfi_labelprop_plan_ranks(const weft_ctx *ctx, const wfi_spread *ranks, const void *params, wfi_choice *choice) {
    plan_ranks(ranks, params, &(spread){.threads = threads_for(ctx, ranks->g)}, choice);
}

void wfi_labelprop_plan_counted(const wfi_spread *ranks, const weft_labelprop_params *params, wfi_choice *choice) {
    wfi_labelprop_gpu gpu = {.state = NULL};
    plan_ranks(ranks, params, &(spread){.gpu = &gpu}, choice);
}

/* Tables are empty, counters 0, the hubs listed. */
static void begin(spread *s) {
    const weft_graph *g = s->g;
    for (weft_vid v = 0; s->gpu && v < g->n; v++) s->label[v] = s->other[v] = v;
    if (s->gpu) {
        s->gpu->begin(s->gpu, s->label);
        return;
    }
    memset(s->slot_room, 0, (size_t)s->threads * slots_for(g) * sizeof *s->slot_room);
    for (size_t t = 0; t < (size_t)s->threads; t++)
        s->tables[t] = (table){s->slot_room + t * slots_for(g), s->touched_room + t * most_touched(g)};
    if (most_hubs(g)) memset(s->counts, 0, (size_t)g->n * sizeof *s->counts);
    for (weft_vid v = 0; v < s->mine && most_hubs(g); v++)
        if (neighbours(s, v) > HUB) s->hubs[s->hub_count++] = v;
#pragma omp parallel for schedule(static) num_threads(s->threads)
    for (weft_vid v = 0; v < g->n; v++) s->label[v] = s->other[v] = v;
}

static weft_status step_on_gpu(spread *s, uint64_t i, weft_vid *label, tally *t) {
    bool changed = false, differs = false;
    should_stop(s);
    weft_status st = s->gpu->step(s->gpu, i, label, &changed, &differs);
    *t = (tally){changed, differs, 0};
    return st;
}

/* Step i: the labels and counts of all ranks.  The request to stop, of any rank, is everybody's. */
static weft_status step_of_all(spread *s, uint64_t i, const weft_vid *now, weft_vid *label, tally *t) {
    weft_status st = WEFT_OK;
    if (s->gpu)
        st = step_on_gpu(s, i, label, t);
    else
        *t = step(s, now, label);
    uint64_t sum[] = {t->changed, t->differs, t->volume, atomic_load(&s->cancelled)};
    if (!s->gpu) st = wfi_spread_allgather(s->ctx, s->ranks, &s->ranks->part[0], label, sizeof *label);
    if (!st) st = wfi_allreduce(s->ctx, sum, 4, WFI_SUM);
    *t = (tally){sum[0], sum[1], sum[2]};
    atomic_store(&s->cancelled, sum[3] != 0);
    return st;
}

/* What a step needs of those before: the labels after one and two of them, and whether they repeat. */
static wfi_state state_of(weft_vid *now, weft_vid *before, bool repeats) {
    return (wfi_state){.column = {{now, sizeof *now, true}, {before, sizeof *before, true}}, .number = {repeats}};
}

/* *done: steps that were computed. */
static weft_status spread_labels(spread *s, wfi_checkpoint *checkpoint, uint64_t steps, uint64_t *done) {
    weft_vid *now = s->label, *next = s->other;
    uint64_t i;
    wfi_state state = state_of(now, next, false);
    weft_status st = wfi_checkpoint_resume(checkpoint, &state, &i);
    if (st) return st;
    bool repeats = state.number[0] != 0;
    while (i < steps && !repeats && !atomic_load(&s->cancelled)) {
        wfi_progress(s->ctx, "spreading labels", i, steps);
        tally t;
        st = step_of_all(s, i, now, next, &t);
        if (st) return st;
        weft_vid *before = now;
        now = next;
        next = before;
        i++;
        repeats = !t.changed || (i > 1 && !t.differs);
        state = state_of(now, next, repeats);
        if (!atomic_load(&s->cancelled)) st = wfi_checkpoint_reached(checkpoint, &state, i);
        if (st) return st;
        if (i < steps && !repeats) mark_active(s, before, now, t.volume);
    }
    if (atomic_load(&s->cancelled)) return wfi_fail_cancelled(s->ctx);
    /* now holds step i, next step i - 1; from here on they would alternate, so the asked-for step is one of them. */
    bool before = repeats && (steps - i) % 2;
    weft_vid *last = before ? next : now;
    if (s->gpu) st = s->gpu->end(s->gpu, before ? i - 1 : i, last);
    if (st) return st;
    if (last != s->label) memcpy(s->label, last, (size_t)s->g->n * sizeof *last);
    if (s->column != s->label && s->mine) memcpy(s->column, s->label + s->first, (size_t)s->mine * sizeof *last);
    *done = i;
    return WEFT_OK;
}

/* Labels are vertices: each that occurs is marked once. */
static uint64_t count_communities(weft_ctx *ctx, const weft_vid *label, weft_vid *mark, weft_vid n) {
    int threads = wfi_threads_for(ctx, n, 1 << 14);
    uint64_t count = 0;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (weft_vid v = 0; v < n; v++) mark[v] = 0;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (weft_vid v = 0; v < n; v++)
        if (!__atomic_load_n(&mark[label[v]], __ATOMIC_RELAXED)) __atomic_store_n(&mark[label[v]], 1, __ATOMIC_RELAXED);
#pragma omp parallel for schedule(static) num_threads(threads) reduction(+ : count)
    for (weft_vid v = 0; v < n; v++) count += mark[v];
    return count;
}

/* For this rank's part of the vertices. */
weft_status wfi_labelprop_with(wfi_job *job, wfi_labelprop_gpu *gpu) {
    const weft_labelprop_params *p = job->params;
    const weft_graph *g = job->g;
    const wfi_part *part = &job->spread->part[0];
    spread s = {.ctx = job->ctx,
                .g = g,
                .ranks = job->spread,
                .whole = wfi_spread_is_whole(job->spread),
                .gpu = gpu,
                .mine = job->spread->vertices,
                .first = part->first,
                .out = &part->out,
                .in = g->directed ? &part->in : NULL,
                .threads = threads_for(job->ctx, g)};
    uint64_t done = 0;
    lay_out(job->space, g, &s);
    weft_status st = wfi_agree(job->ctx, job->space->status);
    if (st) return st;
    begin(&s);
    st = spread_labels(&s, job->checkpoint, p->max_iterations, &done);
    if (!st)
        st = wfi_result_scalar_u64(job->ctx, job->result, "communities",
                                   count_communities(job->ctx, s.label, s.other, g->n));
    return st ? st : wfi_result_scalar_u64(job->ctx, job->result, "iterations", done);
}

weft_status wfi_labelprop_cpu(wfi_job *job) { return wfi_labelprop_with(job, NULL); }
