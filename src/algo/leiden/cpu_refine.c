/* Communities on CPU cores: refinement (community.h).
 * Method: a list of the vertices that could still join a set, which shrinks every round; tails sum their rows by
 * set. */
#include "algo/leiden/cpu.h"
#include "core/append_buffer.h"

/* Is set x connected to the rest of its community by at least the weight expected of random edges? */
static inline bool is_well_connected(const wfi_leiden_cpu *m, weft_vid x) {
    wfi_pull_mass mine = wfi_mass_at(&m->set_mass, x),
                  rest = wfi_mass_without(wfi_mass_at(&m->total, m->member[x]), mine);
    return (double)m->bound[x] >= wfi_community_penalty(m->rate, m->two, mine, rest);
}

weft_status wfi_leiden_cpu_refining(void *machine_) {
    wfi_leiden_cpu *m = machine_;
    const wfi_sum_rows *r = m->rows;
    m->alone = m->part;
    m->count = 0;
#pragma omp parallel for schedule(dynamic, 1) num_threads(wfi_leiden_cpu_for_arcs(m))
    for (int span = 0; span < m->spans; span++) {
        wfi_append_buffer alone;
        wfi_append_buffer_open(&alone, m->alone, &m->count);
        for (weft_vid v = m->cut[span]; v < m->cut[span + 1] && !wfi_leiden_cpu_stop_at(m, v); v++) {
            const weft_vid own = m->member[v];
            uint64_t within = 0;
            for (weft_eid e = r->begin[v]; e < r->end[v]; e++) {
                weft_vid u = r->targets[e];
                within += (uint64_t)((u != v) & (m->member[u] == own)) * wfi_sum_weight(r, e);
            }
            m->set[v] = v;
            m->target[v] = WEFT_NO_VERTEX;
            m->set_mass.out[v] = m->level->out[v];
            if (m->two) m->set_mass.in[v] = m->level->in[v];
            m->bound[v] = within;
            m->grown[v] = 0;
            if (within && is_well_connected(m, v)) wfi_append(&alone, v);
        }
        wfi_append_buffer_flush(&alone);
    }
    return wfi_leiden_cpu_status(m);
}

/* The set that a tail joins.  plain: as in decide_by. */
static inline __attribute__((always_inline)) weft_vid join_set_by(wfi_leiden_cpu *m, weft_vid v, uint64_t seed,
                                                                  wfi_accumulator t, const bool plain) {
    wfi_sum_rows r = *m->rows;
    const weft_vid *member = m->member, *set = m->set, own = member[v];
    const uint8_t *grown = m->grown;
    if (plain) {
        r.heavy = NULL;
        wfi_accumulator_plain(&t);
    }
    wfi_pull_mass mine = wfi_mass_at(m->level, v);
    wfi_community_best best = {0, 0, WEFT_NO_VERTEX};
    for (weft_eid e = r.begin[v], end = r.end[v]; e < end; e += WFI_LEIDEN_BATCH) {
        weft_vid key[WFI_LEIDEN_BATCH];
        unsigned count = (unsigned)wfi_min_u64(WFI_LEIDEN_BATCH, end - e), some = 0;
        uint64_t weight[WFI_LEIDEN_BATCH];
        for (unsigned i = 0; i < count; i++) {
            weft_vid u = r.targets[e + i];
            key[some] = set[u];
            weight[some] = wfi_sum_weight(&r, e + i);
            some += (u != v) & (member[u] == own);
        }
        wfi_accumulator_expect(&t, key, some);
        for (unsigned i = 0; i < some; i++)
            if (grown[key[i]] || wfi_community_head(seed, key[i])) wfi_accumulator_add(&t, key[i], weight[i]);
    }
    for (uint32_t i = 0; i < t.count; i++) {
        weft_vid x;
        uint64_t sum = wfi_accumulator_take(&t, i, &x);
        double gain = (double)sum - wfi_community_penalty(m->rate, m->two, mine, wfi_mass_at(&m->set_mass, x));
        if (gain >= 0 && sum && is_well_connected(m, x)) wfi_community_consider(&best, gain, x, wfi_splitmix(seed));
    }
    return best.to;
}

static weft_vid join_set(wfi_leiden_cpu *m, weft_vid v, uint64_t seed, const wfi_accumulator *t) {
    return t->narrow ? join_set_by(m, v, seed, *t, true) : join_set_by(m, v, seed, *t, false);
}

/* Updates bound of the joined set: plus the weight out of the joiner, less twice the weight to the set, of which other
 * joiners of the round contribute their half. */
static void join(wfi_leiden_cpu *m, weft_vid v) {
    const wfi_sum_rows *r = m->rows;
    weft_vid x = m->target[v];
    uint64_t more = m->bound[v];
    for (weft_eid e = r->begin[v]; e < r->end[v]; e++) {
        weft_vid u = r->targets[e];
        bool there = (u != v) & (m->set[u] == x), with = m->target[u] == x;
        more -= (uint64_t)there * (2u - with) * wfi_sum_weight(r, e);
    }
    __atomic_fetch_add(&m->bound[x], more, __ATOMIC_RELAXED);
}

/* One round; the list of single vertices, which no vertex has joined, shrinks. */
weft_status wfi_leiden_cpu_refine_round(void *machine_, wfi_community_keys keys, uint64_t *candidates) {
    wfi_leiden_cpu *m = machine_;
    const weft_vid *alone = m->alone;
    weft_vid *next = m->alone == m->part ? m->first : m->part;
    uint64_t left = 0, movers = 0;
#pragma omp parallel num_threads(wfi_threads_for(m->ctx, m->count, WFI_LEIDEN_ROW_CHUNK))
    {
        wfi_append_buffer found, still;
        wfi_append_buffer_open(&found, m->movers, &movers);
        wfi_append_buffer_open(&still, next, &left);
#pragma omp for schedule(dynamic, wfi_leiden_cpu_at_once(m, m->count))
        for (uint64_t i = 0; i < m->count; i++) {
            weft_vid v = alone[i];
            if (wfi_leiden_cpu_stop_at(m, (weft_vid)i) || m->set[v] != v || m->grown[v]) continue;
            wfi_append(&still, v);
            if (wfi_community_head(keys.seed, v)) continue;
            m->target[v] = wfi_leiden_cpu_choose(m, v, keys.seed, join_set);
            if (m->target[v] != WEFT_NO_VERTEX) wfi_append(&found, v);
        }
        wfi_append_buffer_flush(&found);
        wfi_append_buffer_flush(&still);
    }
    m->alone = next;
    m->count = *candidates = left;
    int threads = wfi_threads_for(m->ctx, movers, WFI_LEIDEN_ROW_CHUNK);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (uint64_t i = 0; i < movers; i++) {
        weft_vid v = m->movers[i], x = m->target[v];
        m->set[v] = x;
        wfi_mass_add(&m->set_mass, x, wfi_mass_at(m->level, v));
        __atomic_store_n(&m->grown[x], 1, __ATOMIC_RELAXED);
    }
#pragma omp parallel for schedule(dynamic, wfi_leiden_cpu_at_once(m, movers)) num_threads(threads)
    for (uint64_t i = 0; i < movers; i++)
        if (!wfi_leiden_cpu_stop_at(m, (weft_vid)i)) join(m, m->movers[i]);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (uint64_t i = 0; i < movers; i++) m->target[m->movers[i]] = WEFT_NO_VERTEX;
    return wfi_leiden_cpu_status(m);
}
