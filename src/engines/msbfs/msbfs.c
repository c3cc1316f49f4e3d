/* See msbfs.h.
 * Method: each level in the cheaper of two directions [1].  Top-down: each vertex of the last level gives its bits to
 * its neighbours, except those that every source has reached.  Bottom-up, if most arcs are ahead: each vertex that some
 * source has not reached takes the bits of its neighbours, until it has all missing bits.
 * [1] Beamer, Asanovic, Patterson, "Direction-Optimizing Breadth-First Search", SC 2012. */
#include "engines/msbfs/msbfs.h"
#include "core/poll.h"

#include <string.h>

#define INLINE static inline __attribute__((always_inline))

enum { WAITS = 0, MET, CLOSED }; /* marks: met in this step; reached by all */
enum {
    WORDS = WFI_MSBFS_WORDS,
    UNIT = 256,        /* vertices that a thread takes at once */
    POLL = 1 << 16,    /* arcs */
    AHEAD = 8,         /* distance of prefetches, in arcs */
    LOOK = 8,          /* arcs between two tests whether a vertex has all missing bits */
    GIVING_DEARER = 2, /* the cost of an arc top-down, relative to an arc bottom-up */
};

/* --- memory --------------------------------------------------------------------------- */

void wfi_msbfs_lay_out(wfi_workspace *w, uint64_t most, int at_once, wfi_msbfs *m) {
    uint64_t all = most * (uint64_t)at_once;
    wfi_array_within(w, &m->seen, all);
    wfi_array_within(w, &m->now, all);
    wfi_array_within(w, &m->next, all);
    wfi_array_within(w, &m->level, all);
    wfi_array_within(w, &m->met, all);
    wfi_array_within(w, &m->mark, all);
}

uint64_t wfi_msbfs_bytes(uint64_t most) {
    wfi_workspace w = {0};
    wfi_msbfs m;
    wfi_msbfs_lay_out(&w, most, 1, &m);
    return wfi_workspace_bytes(&w);
}

wfi_msbfs wfi_msbfs_ready(const wfi_msbfs *all, uint64_t most, int i) {
    wfi_msbfs m = *all;
    uint64_t from = most * (uint64_t)i;
    m.seen += from;
    m.now += from;
    m.next += from;
    m.level += from;
    m.met += from;
    m.mark += from;
    atomic_init(&m.stop, false);
    m.unpolled = 0;
    bool filled =
        wfi_fill_bytes(m.ctx, m.now, 0, m.n * sizeof *m.now) && wfi_fill_bytes(m.ctx, m.next, 0, m.n * sizeof *m.next);
    if (!filled) atomic_store(&m.stop, true);
    return m;
}

/* --- work, shared out ------------------------------------------------------------------ */

static bool stops(wfi_msbfs *m) {
    if (!atomic_load_explicit(&m->stop, memory_order_relaxed) && wfi_cancelled(m->ctx))
        atomic_store_explicit(&m->stop, true, memory_order_relaxed);
    return atomic_load_explicit(&m->stop, memory_order_relaxed);
}

static bool stops_after(wfi_msbfs *m, uint64_t arcs) {
    m->unpolled += arcs;
    if (m->unpolled < POLL) return atomic_load_explicit(&m->stop, memory_order_relaxed);
    m->unpolled = 0;
    return stops(m);
}

/* Calls `unit` for ranges of 0 ... end - 1; it returns the number of arcs it read. */
static void each_unit(wfi_msbfs *m, uint64_t end, uint64_t (*unit)(wfi_msbfs *m, uint64_t from, uint64_t to)) {
    if (m->threads == 1 || end <= UNIT) {
        for (uint64_t i = 0, arcs = 0; i < end && !stops_after(m, arcs + UNIT); i += UNIT)
            arcs = unit(m, i, wfi_min_u64(i + UNIT, end));
        return;
    }
#pragma omp parallel for schedule(dynamic, 1) num_threads(m->threads)
    for (uint64_t i = 0; i < end; i += UNIT)
        if (!stops(m)) unit(m, i, wfi_min_u64(i + UNIT, end));
}

static uint64_t length(const wfi_view *rows, weft_vid v) { return rows->offsets[v + 1] - rows->offsets[v]; }

/* The cost of a bottom-up visit of v, which a closed vertex does not need. */
static uint64_t behind(const wfi_msbfs *m, weft_vid v) { return length(m->back ? m->back : m->along, v) + 1; }

/* --- a level --------------------------------------------------------------------------- */

/* Adds the arrived bits to v; the new ones are its bits of the next level.  Returns whether there are new ones. */
INLINE bool add_bits(wfi_msbfs *m, weft_vid v, const uint64_t *came, uint64_t *closed) {
    uint64_t *seen = m->seen[v], *next = m->next[v], any = 0, lacks = 0;
    for (int k = 0; k < WORDS; k++) {
        uint64_t fresh = came[k] & ~seen[k];
        seen[k] |= fresh;
        next[k] = fresh;
        any |= fresh;
        lacks |= m->all[k] & ~seen[k];
    }
    m->mark[v] = lacks ? WAITS : CLOSED;
    if (!lacks) *closed += behind(m, v);
    return any != 0;
}

static void find(wfi_msbfs *m, const weft_vid *vertex, uint64_t count, uint64_t closed) {
    if (closed) atomic_fetch_sub_explicit(&m->open, closed, memory_order_relaxed);
    if (!count) return;
    uint64_t at = atomic_fetch_add_explicit(&m->found, count, memory_order_relaxed);
    memcpy(m->met + at, vertex, count * sizeof *vertex);
}

/* Bottom-up step for the open vertices among from ... to - 1. */
static uint64_t look_back(wfi_msbfs *m, uint64_t from, uint64_t to) {
    weft_vid vertex[UNIT];
    uint64_t count = 0, closed = 0, arcs = 0;
    const weft_vid *target = m->back->targets;
    for (weft_vid v = (weft_vid)from; v < to; v++) {
        if (m->mark[v] == CLOSED) continue;
        wfi_msbfs_bits came = {0};
        weft_eid e = m->back->offsets[v], end = m->back->offsets[v + 1];
        arcs += end - e;
        for (uint64_t lacks = 1; e < end && lacks;) {
            weft_eid here = e, last = wfi_min_u64(e + LOOK, end);
            for (; e < last; e++) {
                const uint64_t *bits = m->now[target[e]];
                if (e + AHEAD < end) __builtin_prefetch(m->now[target[e + AHEAD]]);
                for (int k = 0; k < WORDS; k++) came[k] |= bits[k];
            }
            if (last == end || last - here < LOOK) break;
            lacks = 0;
            for (int k = 0; k < WORDS; k++) lacks |= m->all[k] & ~(came[k] | m->seen[v][k]);
        }
        if (add_bits(m, v, came, &closed)) vertex[count++] = v;
    }
    find(m, vertex, count, closed);
    return arcs;
}

/* Top-down step from the last level; `met` lists the vertices that get bits, new or not. */
static void give(wfi_msbfs *m, uint64_t size) {
    uint64_t met = 0;
    const weft_vid *target = m->along->targets;
    for (uint64_t i = 0; i < size; i++) {
        weft_vid v = m->level[i];
        wfi_msbfs_bits bits;
        weft_eid e = m->along->offsets[v], end = m->along->offsets[v + 1];
        if (stops_after(m, end - e + 1)) break;
        memcpy(bits, m->now[v], sizeof bits);
        for (; e < end; e++) {
            weft_vid u = target[e];
            if (e + AHEAD < end) __builtin_prefetch(m->next[target[e + AHEAD]], 1);
            if (e % POLL == 0 && stops(m)) break;
            if (m->mark[u] == CLOSED) continue;
            if (m->mark[u] == WAITS) m->met[met++] = u;
            m->mark[u] = MET;
            for (int k = 0; k < WORDS; k++) m->next[u][k] |= bits[k];
        }
    }
    atomic_store_explicit(&m->found, met, memory_order_relaxed);
}

/* Reduces `met` to the vertices with new bits: the next level. */
static void finish_met(wfi_msbfs *m) {
    uint64_t met = atomic_load_explicit(&m->found, memory_order_relaxed), count = 0, closed = 0;
    for (uint64_t i = 0; i < met; i++) {
        weft_vid v = m->met[i];
        if (i % POLL == POLL - 1 && stops(m)) break;
        m->met[count] = v;
        count += add_bits(m, v, m->next[v], &closed);
    }
    atomic_store_explicit(&m->found, count, memory_order_relaxed);
    atomic_fetch_sub_explicit(&m->open, closed, memory_order_relaxed);
}

static uint64_t leave(wfi_msbfs *m, uint64_t from, uint64_t to) {
    for (uint64_t i = from; i < to; i++) memset(m->now[m->level[i]], 0, sizeof(wfi_msbfs_bits));
    return 0;
}

static uint64_t arcs_ahead(const wfi_msbfs *m, uint64_t size) {
    uint64_t arcs = 0;
    for (uint64_t i = 0; i < size; i++) arcs += length(m->along, m->level[i]);
    return arcs;
}

/* Replaces a level of `size` vertices by the next one; returns its size. */
static uint64_t step(wfi_msbfs *m, uint64_t size) {
    uint64_t ahead = arcs_ahead(m, size), open = atomic_load_explicit(&m->open, memory_order_relaxed);
    atomic_store_explicit(&m->found, 0, memory_order_relaxed);
    if (ahead && open && (!m->back || ahead * (uint64_t)m->threads * GIVING_DEARER < open)) {
        give(m, size);
        finish_met(m);
    } else if (ahead && open) {
        each_unit(m, m->n, look_back);
    }
    each_unit(m, size, leave);
    wfi_msbfs_bits *bits = m->now;
    weft_vid *list = m->level;
    m->now = m->next;
    m->next = bits;
    m->level = m->met;
    m->met = list;
    return atomic_load_explicit(&m->found, memory_order_relaxed);
}

static void report(wfi_msbfs *m, uint32_t distance, uint64_t size) {
    const wfi_msbfs_bits *now = (const wfi_msbfs_bits *)m->now;
    if (m->threads == 1 || size <= UNIT) {
        for (uint64_t i = 0; i < size && (!i || !stops(m)); i += POLL)
            m->came(m->user, distance, m->level + i, wfi_min_u64(POLL, size - i), now);
        return;
    }
#pragma omp parallel for schedule(dynamic, 1) num_threads(m->threads)
    for (uint64_t i = 0; i < size; i += UNIT)
        if (i % POLL ? !atomic_load_explicit(&m->stop, memory_order_relaxed) : !stops(m))
            m->came(m->user, distance, m->level + i, wfi_min_u64(UNIT, size - i), now);
}

bool wfi_msbfs_run(wfi_msbfs *m, const weft_vid *sources, unsigned count) {
    uint64_t size = count, closed = 0;
    if (!wfi_fill_bytes(m->ctx, m->seen, 0, m->n * sizeof *m->seen)) atomic_store(&m->stop, true);
    if (atomic_load_explicit(&m->stop, memory_order_relaxed)) return false;
    memset(m->mark, WAITS, m->n);
    memset(m->all, 0, sizeof m->all);
    atomic_store(&m->open, (m->back ? m->back->offsets[m->n] : m->along->offsets[m->n]) + m->n);
    for (unsigned i = 0; i < count; i++) m->all[i / 64] |= (uint64_t)1 << i % 64;
    for (unsigned i = 0; i < count; i++) {
        wfi_msbfs_bits own = {0};
        own[i / 64] = (uint64_t)1 << i % 64;
        add_bits(m, sources[i], own, &closed);
        memcpy(m->now[sources[i]], own, sizeof own);
        memset(m->next[sources[i]], 0, sizeof own);
        m->level[i] = sources[i];
    }
    atomic_fetch_sub(&m->open, closed);
    for (uint32_t distance = 1; size; distance++) {
        size = step(m, size);
        if (atomic_load_explicit(&m->stop, memory_order_relaxed)) return false;
        if (size) report(m, distance, size);
    }
    return !stops(m);
}

uint64_t wfi_msbfs_order(weft_ctx *ctx, const wfi_view *rows, unsigned group, uint8_t *wanted, weft_vid *order) {
    uint64_t end = 0;
    wfi_polling poll = {.ctx = ctx};
    const uint8_t *found = wanted;
    while (rows->n && (found = memchr(found, 1, rows->n - (size_t)(found - wanted)))) { /* skips millions of zeros to
                                                                                         * the next of a few */
        weft_vid v = (weft_vid)(found - wanted);
        wanted[v] = 0;
        order[end++] = v;
        for (uint64_t at = end - 1; at < end && end % group; at++)
            for (weft_eid e = rows->offsets[order[at]]; e < rows->offsets[order[at] + 1] && end % group; e++) {
                weft_vid u = rows->targets[e];
                if (wfi_poll(&poll, 1)) return 0;
                if (!wanted[u]) continue;
                wanted[u] = 0;
                order[end++] = u;
            }
    }
    return end;
}
