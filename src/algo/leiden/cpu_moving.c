/* Communities on CPU cores: moving (community.h).
 * Method: the vertices of a class are found by their flags, in spans of about equal numbers of arcs, which threads take
 * in turn.  Each vertex sums its row by community (engines/sparse_accumulator/sparse_accumulator.h) and notes its
 * target.  After all have decided, they move: masses are added by atomics, which is exact.  Then their neighbours
 * become active.  A turn with few arcs is done by one thread. */
#include "algo/leiden/cpu.h"
#include "core/append_buffer.h"

#include <float.h>
#include <math.h>

weft_status wfi_leiden_cpu_moving(void *machine_) {
    wfi_leiden_cpu *m = machine_;
    const wfi_sum_rows *r = m->rows;
#pragma omp parallel for schedule(static) num_threads(wfi_leiden_cpu_for_vertices(m))
    for (weft_vid v = 0; v < r->n; v++)
        m->active[v] = r->end[v] > r->begin[v] && !wfi_mass_is_empty(wfi_mass_at(m->level, v));
    m->awake = r->room;
    return WEFT_OK;
}

/* The target of v, by the state before the turn.  Loop invariants are copied to locals, since for the compiler the
 * slots of a table may alias them.  plain: 32-bit sums in an array and one mass, the usual case, compiled
 * separately. */
static inline __attribute__((always_inline)) weft_vid decide_by(wfi_leiden_cpu *m, weft_vid v, uint64_t tie,
                                                                wfi_accumulator t, const bool plain) {
    wfi_sum_rows r = *m->rows;
    wfi_masses total = m->total;
    const weft_vid *member = m->member, own = member[v];
    const double rate = m->rate;
    const bool two = !plain && m->two;
    if (plain) {
        r.heavy = NULL;
        total.in = NULL;
        wfi_accumulator_plain(&t);
    }
    wfi_pull_mass mine = wfi_mass_at(m->level, v), company = wfi_mass_without(wfi_mass_at(&total, own), mine);
    double advantage;
    wfi_community_best best = {-DBL_MAX, 0, WEFT_NO_VERTEX};
    weft_eid e = r.begin[v], end = r.end[v];
    for (; end - e > WFI_LEIDEN_BATCH; e += WFI_LEIDEN_BATCH) {
        weft_vid key[WFI_LEIDEN_BATCH];
        for (unsigned i = 0; i < WFI_LEIDEN_BATCH; i++) key[i] = member[r.targets[e + i]];
        wfi_accumulator_expect(&t, key, WFI_LEIDEN_BATCH);
        for (unsigned i = 0; i < WFI_LEIDEN_BATCH; i++) __builtin_prefetch(&total.out[key[i]]);
        for (unsigned i = 0; i < WFI_LEIDEN_BATCH; i++) /* a loop adds nothing to v's own community */
            wfi_accumulator_add(&t, key[i], r.targets[e + i] == v ? 0 : wfi_sum_weight(&r, e + i));
    }
    for (; e < end; e++) wfi_accumulator_add(&t, member[r.targets[e]], r.targets[e] == v ? 0 : wfi_sum_weight(&r, e));
    for (uint32_t i = 0; i < t.count; i++) {
        weft_vid to;
        uint64_t sum = wfi_accumulator_take(&t, i, &to);
        double gain = (double)sum - wfi_community_penalty(rate, two, mine, wfi_mass_at(&total, to));
        best.own = to == own ? sum : best.own;
        gain = to == own ? -INFINITY : gain; /* excludes v's own community without a branch */
        if (gain >= best.gain) wfi_community_consider(&best, gain, to, tie);
    }
    double stay = (double)best.own - wfi_community_penalty(rate, two, mine, company);
    weft_vid to = wfi_community_decide(&best, stay, v, !wfi_mass_is_empty(company),
                                       wfi_mass_is_empty(wfi_mass_at(&total, v)), &advantage);
    if (m->task->cpm) m->gain[v] = advantage;
    m->slack[v] = to == WEFT_NO_VERTEX ? wfi_community_slack(&best, stay) : 0;
    return to;
}

static weft_vid decide(wfi_leiden_cpu *m, weft_vid v, uint64_t tie, const wfi_accumulator *t) {
    return t->narrow && !m->two ? decide_by(m, v, tie, *t, true) : decide_by(m, v, tie, *t, false);
}

static inline void activate(wfi_leiden_cpu *m, wfi_community_keys keys, weft_vid v) {
    __atomic_store_n(&m->active[v], (uint8_t)(1 + wfi_community_class(keys, v)), __ATOMIC_RELAXED);
}

/* Returns the number of arcs of the vertices that become active.  Two steps: a branch that waits for a distant read
 * would keep the following reads from starting. */
static uint64_t mark_neighbours(wfi_leiden_cpu *m, wfi_community_keys keys, weft_vid v) {
    const wfi_sum_rows *r = m->rows;
    uint64_t woken = 0;
    const weft_vid *member = m->member, own = member[v], from = m->target[v];
    for (weft_eid e = r->begin[v], end = r->end[v]; e < end; e += WFI_LEIDEN_BATCH) {
        weft_vid asleep[WFI_LEIDEN_BATCH];
        uint64_t more[WFI_LEIDEN_BATCH];
        unsigned count = (unsigned)wfi_min_u64(WFI_LEIDEN_BATCH, end - e), some = 0;
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

/* Draws the lots of CPM among the vertices that want to move; losers stay active.  Returns how many move. */
static weft_vid draw_lots(wfi_leiden_cpu *m, wfi_community_keys keys, weft_vid movers) {
    int threads = wfi_threads_for(m->ctx, movers, WFI_LEIDEN_CHUNK);
    weft_vid left = 0;
#pragma omp parallel num_threads(threads)
    {
        wfi_mass_batch b;
        wfi_mass_batch_begin(&b, &m->incoming);
#pragma omp for schedule(static)
        for (weft_vid i = 0; i < movers; i++)
            wfi_mass_batch_add(&b, m->target[m->movers[i]], wfi_mass_at(m->level, m->movers[i]));
        wfi_mass_batch_end(&b);
    }
#pragma omp parallel for schedule(static) num_threads(threads)
    for (weft_vid i = 0; i < movers; i++) {
        weft_vid v = m->movers[i];
        wfi_pull_mass mine = wfi_mass_at(m->level, v),
                      others = wfi_mass_without(wfi_mass_at(&m->incoming, m->target[v]), mine);
        double crowd = wfi_community_penalty(m->rate, m->two, mine, others);
        if (!wfi_community_moves(m->gain[v], crowd, keys.tie, v)) activate(m, keys, v);
    }
    for (weft_vid i = 0; i < movers; i++) {
        weft_vid v = m->movers[i];
        m->incoming.out[m->target[v]] = 0;
        m->movers[left] = v;
        left += !m->active[v];
        if (m->active[v]) m->awake += m->rows->end[v] - m->rows->begin[v];
    }
    return left;
}

/* Does `byte` occur among the next FLAGS bytes?  Vectorised by compilers. */
enum { FLAGS = 64 };
static inline bool is_among(const uint8_t *bytes, uint8_t byte) {
    bool is = false;
    for (int i = 0; i < FLAGS; i++) is |= bytes[i] == byte;
    return is;
}

/* The decisions of one class. */
static weft_vid decide_all(wfi_leiden_cpu *m, wfi_community_keys keys, unsigned class) {
    uint64_t movers = 0, seen = 0;
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : seen) \
    num_threads(wfi_leiden_cpu_for_some(m, m->rows->n / FLAGS + m->awake / keys.classes))
    for (int span = 0; span < m->spans; span++) {
        weft_vid end = m->cut[span + 1];
        wfi_append_buffer found;
        wfi_append_buffer_open(&found, m->movers, &movers);
        for (weft_vid v = wfi_leiden_cpu_stop(m) ? end : m->cut[span]; v < end; v++) {
            if (v % FLAGS == 0 && end - v >= FLAGS && !is_among(m->active + v, (uint8_t)(1 + class))) v += FLAGS - 1;
            if (m->active[v] != 1 + class) continue;
            m->active[v] = 0;
            m->target[v] = wfi_leiden_cpu_choose(m, v, wfi_community_tie(keys.tie, m->task->cpm, v), decide);
            if (m->target[v] != WEFT_NO_VERTEX) wfi_append(&found, v);
            seen += m->rows->end[v] - m->rows->begin[v];
        }
        wfi_append_buffer_flush(&found);
    }
    m->awake -= seen;
    return (weft_vid)movers;
}

/* One turn: the decisions of a class, then its moves. */
static weft_vid turn(wfi_leiden_cpu *m, wfi_community_keys keys, unsigned class) {
    weft_vid movers = decide_all(m, keys, class);
    uint64_t woken = 0;
    if (movers && m->task->cpm) movers = draw_lots(m, keys, movers);
    if (!movers) return 0;
#pragma omp parallel num_threads(wfi_threads_for(m->ctx, movers, WFI_LEIDEN_FAR_CHUNK))
    {
        wfi_mass_batch b;
        wfi_mass_batch_begin(&b, &m->total);
#pragma omp for schedule(static)
        for (weft_vid i = 0; i < movers; i++) {
            weft_vid v = m->movers[i], from = m->member[v];
            wfi_pull_mass mine = wfi_mass_at(m->level, v), none = {0, 0};
            wfi_mass_batch_add(&b, m->target[v], mine);
            wfi_mass_batch_add(&b, from, wfi_mass_without(none, mine));
            m->member[v] = m->target[v];
            m->target[v] = from;
        }
        wfi_mass_batch_end(&b);
    }
#pragma omp parallel for schedule(dynamic, wfi_leiden_cpu_at_once(m, movers)) reduction(+ : woken) \
    num_threads(wfi_threads_for(m->ctx, movers, WFI_LEIDEN_ROW_CHUNK))
    for (weft_vid i = 0; i < movers; i++)
        if (!wfi_leiden_cpu_stop_at(m, i)) woken += mark_neighbours(m, keys, m->movers[i]);
    m->awake += woken;
    return movers;
}

weft_status wfi_leiden_cpu_round(void *machine_, wfi_community_keys keys, uint64_t *moved) {
    wfi_leiden_cpu *m = machine_;
    *moved = 0;
#pragma omp parallel for schedule(static) num_threads(wfi_leiden_cpu_for_vertices(m))
    for (weft_vid v = 0; v < m->rows->n; v++)
        if (m->active[v]) activate(m, keys, v);
    for (unsigned class = 0; class < keys.classes; class ++) *moved += turn(m, keys, class);
    return wfi_leiden_cpu_status(m);
}
