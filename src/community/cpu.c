/* Communities on CPU cores: the steps of community.h.
 * Method: the vertices of a class are found by their flags, in spans of about as many arcs that threads take as they
 * come; each tallies its row by community (ops/tally.h) and notes where it goes.  When all have decided, they move:
 * masses are added with atomics, which is exact.  Then their neighbours become active.  What has few arcs to look at is
 * done by one thread. */
#include "community/bodies.h"
#include "core/finds.h"
#include "core/lower.h"
#include "core/scan.h"
#include "core/search.h"
#include "ops/quotient.h"
#include "shared/parts/forest.h"
#include "shared/pull/takes.h"

#include <float.h>
#include <math.h>
#include <omp.h>
#include <string.h>

enum { ROWS_AT_ONCE = 256, ARCS_AT_ONCE = 1 << 16 };
/* Shares of a thread: vertices of a simple loop, arcs or movers whose places are far apart, rows to tally; none is less
 * than LEAST. */
enum { EACH = 1 << 13, FAR_EACH = 1 << 10, LEAST = 1 << 7 };
/* Spans of rows: so many that each thread comes back some 32 times, none of less than SPAN_LEAST rows and arcs, and more
 * where they would have over SPAN_MOST. */
enum { SPANS_EACH = 32, SPAN_LEAST = 1 << 12, SPAN_MOST = 1 << 20 };

typedef struct masses {
    uint64_t *out, *in; /* in: NULL where there is one mass only */
} masses;

typedef struct machine {
    weft_ctx *ctx;
    const wfi_community_task *task;
    wfi_community_columns columns;
    double unit, rate;
    bool two, wide; /* two masses; weights of 64 bits */
    int threads;

    wfi_sum_rows graph, coarse[2]; /* the graph's rows, and those of levels in turn */
    wfi_sum_rows *rows;            /* of this level, ... */
    weft_vid *cut;                 /* ... in spans: where each begins */
    int spans;
    masses strength;            /* of the graph's vertices; 0: it has no arcs that count, and stays out of it */
    masses graph_mass, mass[2]; /* of vertices: the graph's, and those of levels in turn */
    masses *now;
    weft_vid *community[2], *member; /* of this level's vertices, in turn */
    int turn;
    masses total;    /* of communities */
    masses incoming; /* CPM: of those who would join them in a turn; 0 between turns */
    double *more;    /* CPM: what a vertex would gain */
    uint8_t *active; /* 0, or 1 + the class of this round */
    uint64_t awake;  /* arcs of those that are */
    uint64_t *slack; /* wfi_community_slack, less what went over since; 0 of a vertex that has moved */
    weft_vid *goes;  /* of those who have moved: where they come from */
    weft_vid *movers;
    weft_vid *set; /* of refinement: each vertex's set, named after a member */
    masses set_mass;
    uint64_t *bound; /* weight between a set and the rest of its community */
    uint8_t *grown;  /* has it several members? */
    weft_vid *alone; /* those that could still join a set, ... */
    uint64_t count;  /* ... and how many they are */
    weft_vid *part, *at, *stored, *first;
    wfi_tallies tallies;
    bool stop;
} machine;

static bool two_masses(const wfi_community_task *t) { return t->g->directed && !t->cpm; }

static void lay_out_masses(wfi_workspace *w, uint64_t n, bool two, masses *m) {
    wfi_array(w, &m->out, n);
    m->in = NULL;
    if (two) wfi_array(w, &m->in, n);
}

static void lay_out(wfi_workspace *w, const weft_ctx *ctx, machine *m) {
    const weft_graph *g = m->task->g;
    const uint64_t n = g->n, arcs = wfi_community_arcs(g);
    m->two = two_masses(m->task);
    m->wide = wfi_community_is_wide(m->task);
    m->threads = m->tallies.threads = wfi_threads_for(ctx, n + arcs, LEAST);
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
        wfi_array(w, &m->more, n);
    }
    wfi_array(w, &m->cut, (uint64_t)m->threads * SPANS_EACH + (n + arcs) / SPAN_MOST + 2);
    wfi_array(w, &m->active, n);
    wfi_array(w, &m->slack, n);
    wfi_array(w, &m->goes, n);
    wfi_array(w, &m->movers, n);
    wfi_array(w, &m->at, n);
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
    wfi_tallies_lay_out(w, g->n, arcs, &m->tallies);
    wfi_array(w, &m->graph.heavy, m->task->weights ? arcs : 0);
    wfi_array(w, &m->graph.targets, g->directed ? arcs : 0);
    wfi_array(w, &m->graph.begin, g->directed ? n + 1 : 0);
}

static inline wfi_pull_mass mass_at(const masses *m, weft_vid v) {
    return (wfi_pull_mass){m->out[v], m->in ? m->in[v] : 0};
}

static inline wfi_pull_mass mass_without(wfi_pull_mass all, wfi_pull_mass part) {
    return (wfi_pull_mass){all.out - part.out, all.in - part.in};
}

static inline void mass_add(const masses *m, weft_vid v, wfi_pull_mass more) {
    __atomic_fetch_add(&m->out[v], more.out, __ATOMIC_RELAXED);
    if (m->in) __atomic_fetch_add(&m->in[v], more.in, __ATOMIC_RELAXED);
}

/* What a thread adds to masses, some of it kept back, so that threads do not contend for a large community. */
enum { KEPT_BACK = 128 };
typedef struct batch {
    const masses *to;
    weft_vid at[KEPT_BACK];
    wfi_pull_mass sum[KEPT_BACK];
} batch;

static inline void batch_begin(batch *b, const masses *to) {
    b->to = to;
    for (int i = 0; i < KEPT_BACK; i++) b->at[i] = WEFT_NO_VERTEX;
}

static inline void batch_add(batch *b, weft_vid v, wfi_pull_mass more) {
    unsigned i = v % KEPT_BACK;
    if (b->at[i] != v) {
        if (b->at[i] != WEFT_NO_VERTEX) mass_add(b->to, b->at[i], b->sum[i]);
        b->at[i] = v;
        b->sum[i] = (wfi_pull_mass){0, 0};
    }
    b->sum[i].out += more.out;
    b->sum[i].in += more.in;
}

static inline void batch_end(batch *b) {
    for (int i = 0; i < KEPT_BACK; i++)
        if (b->at[i] != WEFT_NO_VERTEX) mass_add(b->to, b->at[i], b->sum[i]);
}

static inline bool is_empty(wfi_pull_mass m) { return !(m.out | m.in); }

static bool stops(machine *m) {
    if (wfi_cancelled(m->ctx)) __atomic_store_n(&m->stop, true, __ATOMIC_RELAXED);
    return __atomic_load_n(&m->stop, __ATOMIC_RELAXED);
}

/* For each row of a loop: asked at every 256th. */
static inline bool stops_at(machine *m, weft_vid v) {
    return v % ROWS_AT_ONCE ? __atomic_load_n(&m->stop, __ATOMIC_RELAXED) : stops(m);
}

static weft_status status_of(machine *m) {
    return __atomic_load_n(&m->stop, __ATOMIC_RELAXED) ? wfi_fail_cancelled(m->ctx) : WEFT_OK;
}

/* Threads for something done for each vertex of the level, for so many arcs that are looked at, and for all of the
 * level's. */
static int for_vertices(const machine *m) { return wfi_threads_for(m->ctx, m->rows->n, EACH); }
static int for_some(const machine *m, uint64_t arcs) { return wfi_threads_for(m->ctx, arcs, FAR_EACH); }
static int for_arcs(const machine *m) { return for_some(m, m->rows->room); }
static int for_graph(const machine *m) { return for_some(m, m->graph.room); }
/* Of a list of vertices: so many at once, since those with long rows lie beside each other. */
static int at_once(const machine *m, uint64_t count) {
    return (int)wfi_min_u64(64, count / (8 * (unsigned)m->threads) + 1);
}

/* These are the level's rows. */
static void take_rows(machine *m, wfi_sum_rows *rows) {
    uint64_t work = rows->begin[rows->n] + rows->n;
    m->rows = rows;
    m->spans = (int)wfi_min_u64(work / SPAN_LEAST + 1, (uint64_t)m->threads * SPANS_EACH + work / SPAN_MOST);
    for (int i = 0; i <= m->spans; i++) m->cut[i] = wfi_even_cut(rows->begin, rows->n, (unsigned)i, (unsigned)m->spans);
}

/* --- the graph ------------------------------------------------------------------------------------------- */

/* The unit in which all weights together stay below 2^62, and as large as can be. */
static weft_status find_unit(machine *m) {
    const weft_graph *g = m->task->g;
    double most = 0;
    uint64_t sum = 0, slots = 2 * wfi_community_arcs(g);
    weft_eid bad = UINT64_MAX;
    int scale, threads = wfi_threads_for(m->ctx, g->arcs, EACH);
    m->unit = 1;
    if (!m->task->weights) return WEFT_OK;
#pragma omp parallel for schedule(static) reduction(max : most) reduction(min : bad) num_threads(threads)
    for (weft_eid first = 0; first < g->arcs; first += ARCS_AT_ONCE) {
        weft_eid end = wfi_min_u64(g->arcs, first + ARCS_AT_ONCE);
        for (weft_eid e = stops(m) ? end : first; e < end; e++) {
            double w = wfi_weight_at(g->weight_type, g->out.weights, e);
            if (!WFI_SHARES_TAKE(w) && e < bad) bad = e;
            most = most < w ? w : most;
        }
    }
    if (status_of(m)) return WEFT_ECANCELLED;
    if (bad != UINT64_MAX) return wfi_refuse_share(m->ctx, m->task->algorithm, g, bad);
    (void)frexp(most, &scale);
    m->unit = ldexp(1, 61 - scale - (int)wfi_bits(slots));
#pragma omp parallel for schedule(static) reduction(+ : sum) num_threads(threads)
    for (weft_eid first = 0; first < g->arcs; first += ARCS_AT_ONCE) {
        weft_eid end = wfi_min_u64(g->arcs, first + ARCS_AT_ONCE);
        for (weft_eid e = stops(m) ? end : first; e < end; e++)
            sum += wfi_community_whole(wfi_weight_at(g->weight_type, g->out.weights, e), m->unit);
    }
    if (most > 0) m->unit = ldexp(m->unit, 60 - (int)wfi_bits(sum + slots));
    return status_of(m);
}

/* Of a directed graph both rows of a vertex, one after the other. */
static void join_rows(machine *m) {
    const weft_graph *g = m->task->g;
    const wfi_view *sides[] = {&g->out, &g->in};
#pragma omp parallel for schedule(dynamic, ROWS_AT_ONCE) num_threads(for_graph(m))
    for (weft_vid v = 0; v < g->n; v++) {
        weft_eid at = g->out.offsets[v] + g->in.offsets[v];
        if (stops_at(m, v)) continue;
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

static uint64_t count_vanished(machine *m) {
    const weft_graph *g = m->task->g;
    uint64_t count = 0;
    if (!m->task->weights) return 0;
#pragma omp parallel for schedule(dynamic, ROWS_AT_ONCE) reduction(+ : count) num_threads(for_graph(m))
    for (weft_vid v = 0; v < g->n; v++) {
        if (stops_at(m, v)) continue;
        for (weft_eid e = g->out.offsets[v]; e < g->out.offsets[v + 1]; e++) {
            double w = wfi_weight_at(g->weight_type, g->out.weights, e);
            if (w > 0 && !wfi_community_whole(w, m->unit)) count += g->directed || v <= g->out.targets[e];
        }
    }
    return count;
}

/* Strengths: in an undirected graph a loop counts at both of its ends. */
static void add_strengths(machine *m) {
    const weft_graph *g = m->task->g;
#pragma omp parallel for schedule(dynamic, 1) num_threads(for_graph(m))
    for (int span = 0; span < m->spans; span++)
        for (weft_vid v = m->cut[span]; v < m->cut[span + 1] && !stops_at(m, v); v++) {
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

static inline bool takes_part(const machine *m, weft_vid v) {
    return m->strength.out[v] || (m->strength.in && m->strength.in[v]);
}

/* least[x]: the smallest value[v] of the v that have key x; WEFT_NO_VERTEX is no value. */
static void find_least(machine *m, weft_vid n, const weft_vid *key, const weft_vid *value, weft_vid *least) {
    int threads = wfi_threads_for(m->ctx, n, EACH);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (weft_vid v = 0; v < n; v++) least[v] = WEFT_NO_VERTEX;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (weft_vid v = 0; v < n; v++) {
        if (value[v] == WEFT_NO_VERTEX) continue;
        wfi_lower_u32(&least[key[v]], value[v]);
    }
}

/* A label becomes the smallest vertex that has the same key and takes part. */
static void name_after_least(machine *m, const weft_vid *key) {
    weft_vid n = m->task->g->n, *label = m->columns.label, *least = m->goes;
    int threads = wfi_threads_for(m->ctx, n, EACH);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (weft_vid v = 0; v < n; v++) m->part[v] = takes_part(m, v) ? v : WEFT_NO_VERTEX;
    find_least(m, n, key, m->part, least);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (weft_vid v = 0; v < n; v++) label[v] = takes_part(m, v) ? least[key[v]] : v;
}

static weft_status begin(void *machine_, uint64_t *vanished) {
    machine *m = machine_;
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
#pragma omp parallel for schedule(static) num_threads(for_graph(m))
            for (weft_eid first = 0; first < g->arcs; first += ARCS_AT_ONCE) {
                weft_eid end = wfi_min_u64(g->arcs, first + ARCS_AT_ONCE);
                for (weft_eid e = stops(m) ? end : first; e < end; e++)
                    m->graph.heavy[e] = wfi_community_whole(wfi_weight_at(g->weight_type, g->out.weights, e), m->unit);
            }
        }
    } else {
        join_rows(m);
    }
    if (!t->weights) m->graph.heavy = NULL;
    m->graph.end = m->graph.begin + 1;
    if ((st = status_of(m))) return st;
    *vanished = count_vanished(m);
    take_rows(m, &m->graph);
    add_strengths(m);
    if ((st = status_of(m))) return st;
#pragma omp parallel for schedule(static) reduction(+ : total) num_threads(wfi_threads_for(m->ctx, g->n, EACH))
    for (weft_vid v = 0; v < g->n; v++) {
        total += m->strength.out[v];
        if (t->cpm) m->graph_mass.out[v] = takes_part(m, v);
        m->columns.label[v] = v;
    }
    /* A directed graph has each arc in two rows, so that its weight is `total`. */
    if (t->cpm)
        m->rate = t->resolution * m->unit * (g->directed ? 2 : 1);
    else
        m->rate = total ? t->resolution / (double)total : 0;
    if (t->initial) name_after_least(m, t->initial);
    wfi_tallies_begin(&m->tallies, g->n);
    if (t->cpm) memset(m->incoming.out, 0, g->n * sizeof *m->incoming.out);
    return status_of(m);
}

/* --- a level --------------------------------------------------------------------------------------------- */

/* Masses of communities, or of the `count` parts of a partition, from those of their vertices. */
static void add_up(machine *m, const weft_vid *label, const masses *each, weft_vid count, const masses *to) {
    weft_vid n = m->rows->n;
#pragma omp parallel num_threads(for_vertices(m))
    {
        batch b;
        batch_begin(&b, to);
#pragma omp for schedule(static)
        for (weft_vid c = 0; c < count; c++) {
            to->out[c] = 0;
            if (to->in) to->in[c] = 0;
        }
#pragma omp for schedule(static)
        for (weft_vid v = 0; v < n; v++)
            if (!is_empty(mass_at(each, v))) batch_add(&b, label[v], mass_at(each, v));
        batch_end(&b);
    }
}

static weft_status open_graph(void *machine_, weft_vid *open) {
    machine *m = machine_;
    weft_vid n = m->task->g->n, count = 0;
    take_rows(m, &m->graph);
    m->now = &m->graph_mass;
    m->turn = 0;
    m->member = m->community[0];
#pragma omp parallel for schedule(static) reduction(+ : count) num_threads(for_vertices(m))
    for (weft_vid v = 0; v < n; v++) {
        m->member[v] = m->columns.label[v];
        m->at[v] = takes_part(m, v) ? v : WEFT_NO_VERTEX;
        count += takes_part(m, v);
    }
    add_up(m, m->member, m->now, n, &m->total);
    *open = count;
    return WEFT_OK;
}

static weft_status moving(void *machine_) {
    machine *m = machine_;
    const wfi_sum_rows *r = m->rows;
#pragma omp parallel for schedule(static) num_threads(for_vertices(m))
    for (weft_vid v = 0; v < r->n; v++) m->active[v] = r->end[v] > r->begin[v] && !is_empty(mass_at(m->now, v));
    m->awake = r->room;
    return WEFT_OK;
}

/* Keys are read some at a time, and what they lead to is asked for, so that many reads are under way. */
enum { AT_ONCE = 32 };

/* Where v goes, by what it sees.  What loops read again and again is in locals: the compiler must think that a table's
 * slots may lie anywhere.  plain: an array of 32 bits, one mass: the form that most rows have, compiled on its own. */
static inline __attribute__((always_inline)) weft_vid decide_by(machine *m, weft_vid v, uint64_t tie, wfi_tally t,
                                                                const bool plain) {
    wfi_sum_rows r = *m->rows;
    masses total = m->total;
    const weft_vid *member = m->member, own = member[v];
    const double rate = m->rate;
    const bool two = !plain && m->two;
    if (plain) {
        r.heavy = NULL;
        total.in = NULL;
        wfi_tally_plain(&t);
    }
    wfi_pull_mass mine = mass_at(m->now, v), company = mass_without(mass_at(&total, own), mine);
    double more;
    wfi_community_best best = {0, 0, WEFT_NO_VERTEX};
    weft_eid e = r.begin[v], end = r.end[v];
    for (; end - e > AT_ONCE; e += AT_ONCE) {
        weft_vid key[AT_ONCE];
        for (unsigned i = 0; i < AT_ONCE; i++) key[i] = member[r.targets[e + i]];
        wfi_tally_expect(&t, key, AT_ONCE);
        for (unsigned i = 0; i < AT_ONCE; i++) __builtin_prefetch(&total.out[key[i]]);
        for (unsigned i = 0; i < AT_ONCE; i++) /* a loop adds nothing to v's own community */
            wfi_tally_add(&t, key[i], r.targets[e + i] == v ? 0 : wfi_sum_weight(&r, e + i));
    }
    for (; e < end; e++) wfi_tally_add(&t, member[r.targets[e]], r.targets[e] == v ? 0 : wfi_sum_weight(&r, e));
    best.gain = -DBL_MAX;
    for (uint32_t i = 0; i < t.count; i++) {
        weft_vid to;
        uint64_t sum = wfi_tally_take(&t, i, &to);
        double gain = (double)(int64_t)sum - wfi_community_penalty(rate, two, mine, mass_at(&total, to));
        best.own = to == own ? sum : best.own;
        gain = to == own ? -INFINITY : gain;
        if (gain >= best.gain) wfi_community_consider(&best, gain, to, tie);
    }
    double stay = (double)best.own - wfi_community_penalty(rate, two, mine, company);
    weft_vid to = wfi_community_decide(&best, stay, v, !is_empty(company), is_empty(mass_at(&total, v)), &more);
    if (m->task->cpm) m->more[v] = more;
    m->slack[v] = to == WEFT_NO_VERTEX ? wfi_community_slack(&best, stay) : 0;
    return to;
}

static weft_vid decide(machine *m, weft_vid v, uint64_t tie, const wfi_tally *t) {
    return t->narrow && !m->two ? decide_by(m, v, tie, *t, true) : decide_by(m, v, tie, *t, false);
}

typedef weft_vid choose_fn(machine *m, weft_vid v, uint64_t key, const wfi_tally *t);

/* The choice of a row, whatever its length. */
static inline __attribute__((always_inline)) weft_vid choose(machine *m, weft_vid v, uint64_t key, choose_fn *by) {
    uint64_t arcs = m->rows->end[v] - m->rows->begin[v];
    wfi_tally t = wfi_tally_for(&m->tallies, omp_get_thread_num(), m->rows->n, arcs);
    weft_vid to;
    if (!wfi_tally_is_long(&m->tallies, m->rows->n, arcs)) return by(m, v, key, &t);
#pragma omp critical(wfi_long_tally)
    to = by(m, v, key, &t);
    return to;
}

static inline void activate(machine *m, wfi_community_keys keys, weft_vid v) {
    __atomic_store_n(&m->active[v], (uint8_t)(1 + wfi_community_class(keys, v)), __ATOMIC_RELAXED);
}

/* Returns the arcs of those that become active.  In two steps: a branch that waits for what is far away would keep the
 * reads that follow from being under way. */
static uint64_t mark_neighbours(machine *m, wfi_community_keys keys, weft_vid v) {
    const wfi_sum_rows *r = m->rows;
    uint64_t woken = 0;
    const weft_vid *member = m->member, own = member[v], from = m->goes[v];
    for (weft_eid e = r->begin[v], end = r->end[v]; e < end; e += AT_ONCE) {
        weft_vid asleep[AT_ONCE];
        uint64_t more[AT_ONCE];
        unsigned count = (unsigned)wfi_min_u64(AT_ONCE, end - e), some = 0;
        for (unsigned i = 0; i < count; i++) {
            weft_vid u = asleep[some] = r->targets[e + i];
            more[some] = wfi_sum_weight(r, e + i) << (member[u] == from);
            some += (member[u] != own) & !__atomic_load_n(&m->active[u], __ATOMIC_RELAXED);
        }
        for (unsigned i = 0; i < some; i++) __builtin_prefetch(&m->slack[asleep[i]], 1);
        for (unsigned i = 0; i < some; i++)
            if (__atomic_fetch_sub(&m->slack[asleep[i]], more[i], __ATOMIC_RELAXED) < more[i]) {
                activate(m, keys, asleep[i]);
                woken += r->end[asleep[i]] - r->begin[asleep[i]];
            }
    }
    return woken;
}

/* Of those who would move, the ones who do.  The others stay active. */
static weft_vid draw_lots(machine *m, wfi_community_keys keys, weft_vid movers) {
    int threads = wfi_threads_for(m->ctx, movers, EACH);
    weft_vid left = 0;
#pragma omp parallel num_threads(threads)
    {
        batch b;
        batch_begin(&b, &m->incoming);
#pragma omp for schedule(static)
        for (weft_vid i = 0; i < movers; i++) batch_add(&b, m->goes[m->movers[i]], mass_at(m->now, m->movers[i]));
        batch_end(&b);
    }
#pragma omp parallel for schedule(static) num_threads(threads)
    for (weft_vid i = 0; i < movers; i++) {
        weft_vid v = m->movers[i];
        wfi_pull_mass mine = mass_at(m->now, v), others = mass_without(mass_at(&m->incoming, m->goes[v]), mine);
        double crowd = wfi_community_penalty(m->rate, m->two, mine, others);
        if (!wfi_community_goes(m->more[v], crowd, keys.tie, v)) activate(m, keys, v);
    }
    for (weft_vid i = 0; i < movers; i++) {
        weft_vid v = m->movers[i];
        m->incoming.out[m->goes[v]] = 0;
        m->movers[left] = v;
        left += !m->active[v];
        if (m->active[v]) m->awake += m->rows->end[v] - m->rows->begin[v];
    }
    return left;
}

/* Is it one of so many bytes?  Compilers look at many of them at once. */
enum { FLAGS = 64 };
static inline bool is_among(const uint8_t *bytes, uint8_t byte) {
    bool is = false;
    for (int i = 0; i < FLAGS; i++) is |= bytes[i] == byte;
    return is;
}

/* One class decides, ... */
static weft_vid decide_all(machine *m, wfi_community_keys keys, unsigned class) {
    uint64_t movers = 0, seen = 0;
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : seen) \
    num_threads(for_some(m, m->rows->n / FLAGS + m->awake / keys.classes))
    for (int span = 0; span < m->spans; span++) {
        weft_vid end = m->cut[span + 1];
        wfi_finds found;
        wfi_finds_open(&found, m->movers, &movers);
        for (weft_vid v = stops(m) ? end : m->cut[span]; v < end; v++) {
            if (v % FLAGS == 0 && end - v >= FLAGS && !is_among(m->active + v, (uint8_t)(1 + class))) v += FLAGS - 1;
            if (m->active[v] != 1 + class) continue;
            m->active[v] = 0;
            m->goes[v] = choose(m, v, wfi_community_tie(keys.tie, m->task->cpm, v), decide);
            if (m->goes[v] != WEFT_NO_VERTEX) wfi_find(&found, v);
            seen += m->rows->end[v] - m->rows->begin[v];
        }
        wfi_finds_flush(&found);
    }
    m->awake -= seen;
    return (weft_vid)movers;
}

/* ... and moves. */
static weft_vid turn(machine *m, wfi_community_keys keys, unsigned class) {
    weft_vid movers = decide_all(m, keys, class);
    uint64_t woken = 0;
    if (movers && m->task->cpm) movers = draw_lots(m, keys, movers);
    if (!movers) return 0;
#pragma omp parallel num_threads(wfi_threads_for(m->ctx, movers, FAR_EACH))
    {
        batch b;
        batch_begin(&b, &m->total);
#pragma omp for schedule(static)
        for (weft_vid i = 0; i < movers; i++) {
            weft_vid v = m->movers[i], from = m->member[v];
            wfi_pull_mass mine = mass_at(m->now, v), none = {0, 0};
            batch_add(&b, m->goes[v], mine);
            batch_add(&b, from, mass_without(none, mine));
            m->member[v] = m->goes[v];
            m->goes[v] = from;
        }
        batch_end(&b);
    }
#pragma omp parallel for schedule(dynamic, at_once(m, movers)) reduction(+ : woken) \
    num_threads(wfi_threads_for(m->ctx, movers, LEAST))
    for (weft_vid i = 0; i < movers; i++)
        if (!stops_at(m, i)) woken += mark_neighbours(m, keys, m->movers[i]);
    m->awake += woken;
    return movers;
}

static weft_status round_of_moves(void *machine_, wfi_community_keys keys, uint64_t *moved) {
    machine *m = machine_;
    *moved = 0;
#pragma omp parallel for schedule(static) num_threads(for_vertices(m))
    for (weft_vid v = 0; v < m->rows->n; v++)
        if (m->active[v]) activate(m, keys, v);
    for (unsigned class = 0; class < keys.classes; class ++) *moved += turn(m, keys, class);
    return status_of(m);
}

/* --- refinement ------------------------------------------------------------------------------------------ */

/* Is set x bound to the rest of its community by no less than random edges would? */
static inline bool is_well_connected(const machine *m, weft_vid x) {
    wfi_pull_mass mine = mass_at(&m->set_mass, x), rest = mass_without(mass_at(&m->total, m->member[x]), mine);
    return (double)m->bound[x] >= wfi_community_penalty(m->rate, m->two, mine, rest);
}

static weft_status refining(void *machine_) {
    machine *m = machine_;
    const wfi_sum_rows *r = m->rows;
    m->alone = m->part;
    m->count = 0;
#pragma omp parallel for schedule(dynamic, 1) num_threads(for_arcs(m))
    for (int span = 0; span < m->spans; span++) {
        wfi_finds alone;
        wfi_finds_open(&alone, m->alone, &m->count);
        for (weft_vid v = m->cut[span]; v < m->cut[span + 1] && !stops_at(m, v); v++) {
            const weft_vid own = m->member[v];
            uint64_t within = 0;
            for (weft_eid e = r->begin[v]; e < r->end[v]; e++) {
                weft_vid u = r->targets[e];
                within += (uint64_t)((u != v) & (m->member[u] == own)) * wfi_sum_weight(r, e);
            }
            m->set[v] = v;
            m->goes[v] = WEFT_NO_VERTEX;
            m->set_mass.out[v] = m->now->out[v];
            if (m->two) m->set_mass.in[v] = m->now->in[v];
            m->bound[v] = within;
            m->grown[v] = 0;
            if (within && is_well_connected(m, v)) wfi_find(&alone, v);
        }
        wfi_finds_flush(&alone);
    }
    return status_of(m);
}

/* The set that a tail joins.  plain: as in decide_by. */
static inline __attribute__((always_inline)) weft_vid join_set_by(machine *m, weft_vid v, uint64_t seed, wfi_tally t,
                                                                  const bool plain) {
    wfi_sum_rows r = *m->rows;
    const weft_vid *member = m->member, *set = m->set, own = member[v];
    const uint8_t *grown = m->grown;
    if (plain) {
        r.heavy = NULL;
        wfi_tally_plain(&t);
    }
    wfi_pull_mass mine = mass_at(m->now, v);
    wfi_community_best best = {0, 0, WEFT_NO_VERTEX};
    for (weft_eid e = r.begin[v], end = r.end[v]; e < end; e += AT_ONCE) {
        weft_vid key[AT_ONCE];
        unsigned count = (unsigned)wfi_min_u64(AT_ONCE, end - e), some = 0;
        uint64_t weight[AT_ONCE];
        for (unsigned i = 0; i < count; i++) {
            weft_vid u = r.targets[e + i];
            key[some] = set[u];
            weight[some] = wfi_sum_weight(&r, e + i);
            some += (u != v) & (member[u] == own);
        }
        wfi_tally_expect(&t, key, some);
        for (unsigned i = 0; i < some; i++)
            if (grown[key[i]] || wfi_community_head(seed, key[i])) wfi_tally_add(&t, key[i], weight[i]);
    }
    for (uint32_t i = 0; i < t.count; i++) {
        weft_vid x;
        uint64_t sum = wfi_tally_take(&t, i, &x);
        double gain = (double)sum - wfi_community_penalty(m->rate, m->two, mine, mass_at(&m->set_mass, x));
        if (gain >= 0 && sum && is_well_connected(m, x)) wfi_community_consider(&best, gain, x, wfi_splitmix(seed));
    }
    return best.to;
}

static weft_vid join_set(machine *m, weft_vid v, uint64_t seed, const wfi_tally *t) {
    return t->narrow ? join_set_by(m, v, seed, *t, true) : join_set_by(m, v, seed, *t, false);
}

/* What a joiner changes: weight that led out of it, less twice what leads to the set, of which other joiners of the
 * round add their half. */
static void join(machine *m, weft_vid v) {
    const wfi_sum_rows *r = m->rows;
    weft_vid x = m->goes[v];
    uint64_t more = m->bound[v];
    for (weft_eid e = r->begin[v]; e < r->end[v]; e++) {
        weft_vid u = r->targets[e];
        bool there = (u != v) & (m->set[u] == x), with = m->goes[u] == x;
        more -= (uint64_t)there * (2u - with) * wfi_sum_weight(r, e);
    }
    __atomic_fetch_add(&m->bound[x], more, __ATOMIC_RELAXED);
}

/* Those that nobody has joined, and that have joined nobody, are fewer every round. */
static weft_status refine_round(void *machine_, wfi_community_keys keys, uint64_t *candidates) {
    machine *m = machine_;
    const weft_vid *alone = m->alone;
    weft_vid *next = m->alone == m->part ? m->first : m->part;
    uint64_t left = 0, movers = 0;
#pragma omp parallel num_threads(wfi_threads_for(m->ctx, m->count, LEAST))
    {
        wfi_finds found, still;
        wfi_finds_open(&found, m->movers, &movers);
        wfi_finds_open(&still, next, &left);
#pragma omp for schedule(dynamic, at_once(m, m->count))
        for (uint64_t i = 0; i < m->count; i++) {
            weft_vid v = alone[i];
            if (stops_at(m, (weft_vid)i) || m->set[v] != v || m->grown[v]) continue;
            wfi_find(&still, v);
            if (wfi_community_head(keys.seed, v)) continue;
            m->goes[v] = choose(m, v, keys.seed, join_set);
            if (m->goes[v] != WEFT_NO_VERTEX) wfi_find(&found, v);
        }
        wfi_finds_flush(&found);
        wfi_finds_flush(&still);
    }
    m->alone = next;
    m->count = *candidates = left;
    int threads = wfi_threads_for(m->ctx, movers, LEAST);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (uint64_t i = 0; i < movers; i++) {
        weft_vid v = m->movers[i], x = m->goes[v];
        m->set[v] = x;
        mass_add(&m->set_mass, x, mass_at(m->now, v));
        __atomic_store_n(&m->grown[x], 1, __ATOMIC_RELAXED);
    }
#pragma omp parallel for schedule(dynamic, at_once(m, movers)) num_threads(threads)
    for (uint64_t i = 0; i < movers; i++)
        if (!stops_at(m, (weft_vid)i)) join(m, m->movers[i]);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (uint64_t i = 0; i < movers; i++) m->goes[m->movers[i]] = WEFT_NO_VERTEX;
    return status_of(m);
}

/* --- contraction ----------------------------------------------------------------------------------------- */

/* part[v]: the number of its set, counted in the order of their names.  Returns how many there are. */
static weft_vid number_parts(machine *m, const weft_vid *name) {
    weft_vid n = m->rows->n, count = 0, *number = m->first;
#pragma omp parallel for schedule(static) num_threads(for_vertices(m))
    for (weft_vid v = 0; v < n; v++) number[v] = 0;
#pragma omp parallel for schedule(static) num_threads(for_vertices(m))
    for (weft_vid v = 0; v < n; v++)
        if (!is_empty(mass_at(m->now, v))) __atomic_store_n(&number[name[v]], 1, __ATOMIC_RELAXED);
    for (weft_vid v = 0; v < n; v++) {
        weft_vid is = number[v];
        number[v] = count;
        count += is;
    }
#pragma omp parallel for schedule(static) num_threads(for_vertices(m))
    for (weft_vid v = 0; v < n; v++) m->part[v] = is_empty(mass_at(m->now, v)) ? WEFT_NO_VERTEX : number[name[v]];
    return count;
}

/* Communities of the next level: named after the smallest vertex of it in each. */
static void carry_communities(machine *m, weft_vid *next) {
    weft_vid n = m->rows->n, *least = m->goes;
    find_least(m, n, m->member, m->part, least);
#pragma omp parallel for schedule(static) num_threads(for_vertices(m))
    for (weft_vid v = 0; v < n; v++)
        if (m->part[v] != WEFT_NO_VERTEX) wfi_poke(&next[m->part[v]], least[m->member[v]]);
}

static weft_status contract(void *machine_, weft_vid *n, weft_vid *open) {
    machine *m = machine_;
    const wfi_sum_rows *from = m->rows;
    int next = m->turn ^ 1;
    weft_vid parts = number_parts(m, m->task->refine ? m->set : m->member);
    *n = parts;
    if (parts == from->n || !parts) return *n = from->n, WEFT_OK;
    wfi_sum_rows *to = &m->coarse[next];
    masses *mass = &m->mass[next];
    weft_vid *member = m->community[next];
    carry_communities(m, member);
    weft_status st = wfi_contract(m->ctx, from, m->part, parts, &m->tallies, m->first, m->movers, to, open);
    if (st) return st;
    add_up(m, m->part, m->now, parts, mass);
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(m->ctx, m->task->g->n, EACH))
    for (weft_vid v = 0; v < m->task->g->n; v++)
        if (m->at[v] != WEFT_NO_VERTEX) m->at[v] = m->part[m->at[v]];
    take_rows(m, to);
    m->now = mass;
    m->turn = next;
    m->member = member;
    add_up(m, m->member, m->now, parts, &m->total);
    return WEFT_OK;
}

static weft_status keep(void *machine_, unsigned level) {
    machine *m = machine_;
    memcpy(m->columns.level[level], m->at, m->task->g->n * sizeof *m->at);
    return WEFT_OK;
}

/* --- labels ---------------------------------------------------------------------------------------------- */

static weft_status close_level(void *machine_) {
    machine *m = machine_;
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(m->ctx, m->task->g->n, EACH))
    for (weft_vid v = 0; v < m->task->g->n; v++)
        if (m->at[v] != WEFT_NO_VERTEX) m->columns.label[v] = m->member[m->at[v]];
    return WEFT_OK;
}

static weft_status store(void *machine_) {
    machine *m = machine_;
    memcpy(m->stored, m->columns.label, m->task->g->n * sizeof *m->stored);
    return WEFT_OK;
}

static weft_status restore(void *machine_) {
    machine *m = machine_;
    memcpy(m->columns.label, m->stored, m->task->g->n * sizeof *m->stored);
    return WEFT_OK;
}

static weft_status name(void *machine_, bool split) {
    machine *m = machine_;
    weft_vid n = m->task->g->n, *label = m->columns.label, *parent = m->goes;
    const wfi_sum_rows *r = &m->graph;
    if (!split) return name_after_least(m, label), status_of(m);
#pragma omp parallel for schedule(static) num_threads(for_graph(m))
    for (weft_vid v = 0; v < n; v++) parent[v] = v;
    take_rows(m, &m->graph);
#pragma omp parallel for schedule(dynamic, 1) num_threads(for_graph(m))
    for (int span = 0; span < m->spans; span++)
        for (weft_vid v = m->cut[span]; v < m->cut[span + 1] && !stops_at(m, v); v++)
            for (weft_eid e = r->begin[v]; e < r->end[v] && takes_part(m, v); e++)
                if (r->targets[e] < v && label[r->targets[e]] == label[v] && wfi_sum_weight(r, e))
                    wfi_join(parent, v, r->targets[e]);
#pragma omp parallel for schedule(static) num_threads(for_graph(m))
    for (weft_vid v = 0; v < n; v++) label[v] = wfi_root_of(parent, v);
    return status_of(m);
}

static weft_status measure(void *machine_, wfi_community_sums *sums) {
    machine *m = machine_;
    const weft_graph *g = m->task->g;
    const wfi_sum_rows *r = &m->graph;
    const weft_vid *label = m->columns.label;
    uint64_t inside = 0, total = 0;
    weft_vid *size = m->goes;
    *sums = (wfi_community_sums){.unit = m->unit};
    take_rows(m, &m->graph);
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : inside, total) num_threads(for_graph(m))
    for (int span = 0; span < m->spans; span++)
        for (weft_vid v = m->cut[span]; v < m->cut[span + 1] && !stops_at(m, v); v++)
            for (weft_eid e = r->begin[v]; e < r->end[v]; e++) {
                uint64_t weight = wfi_sum_weight(r, e);
                if (r->targets[e] == v && !g->directed) weight *= 2;
                total += weight;
                if (label[r->targets[e]] == label[v]) inside += weight;
            }
    masses by = {m->mass[0].out, g->directed ? m->mass[1].out : NULL};
    add_up(m, label, &m->strength, g->n, &by);
    memset(size, 0, g->n * sizeof *size);
    for (weft_vid v = 0; v < g->n && !stops_at(m, v); v++) size[label[v]]++;
    uint64_t square[4] = {0}, pairs[4] = {0}, count = 0, largest = 0;
#pragma omp parallel for schedule(static) reduction(+ : square, pairs, count) reduction(max : largest) \
    num_threads(wfi_threads_for(m->ctx, g->n, EACH))
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
    return status_of(m);
}

static const wfi_community_steps steps = {begin, open_graph,  moving,  round_of_moves, refining, refine_round, contract,
                                          keep,  close_level, measure, store,          restore,  name};

void wfi_community_space_cpu(wfi_workspace *w, const weft_ctx *ctx, const wfi_community_task *task) {
    machine m = {.task = task};
    lay_out(w, ctx, &m);
}

weft_status wfi_community_cpu(weft_ctx *ctx, const wfi_community_task *task, wfi_workspace *space,
                              const wfi_community_columns *columns, wfi_community_found *found) {
    machine m = {.ctx = ctx, .task = task, .columns = *columns};
    lay_out(space, ctx, &m);
    return space->status ? space->status : wfi_community_run(ctx, task, &steps, &m, found);
}
