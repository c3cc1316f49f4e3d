/* All-pairs hop distances of a component: bit-parallel multi-source BFS (MS-BFS [1]).
 * Needs: a connected undirected graph.
 * Method: searches from 256 sources at once, a bit each [1]; threads take batches of sources.  Sources of a batch lie
 * near each other, so that a vertex is met at few different levels.
 * Encoding: seen[v] and visit[v] have a bit for each source that has reached v, before and at this level.  visit and
 * next are 0 between batches.
 * [1] Then et al., "The more the merrier: efficient multi-source graph traversal", PVLDB 8(4), 2014. */
#include "algo/distances/distances.h"

#include <omp.h>
#include <string.h>

enum { POLL = 1 << 17 /* arcs */ };

void wfi_all_pairs_lay_out(wfi_workspace *w, const weft_ctx *ctx, weft_vid most, wfi_all_pairs *a) {
    uint64_t batches = ((uint64_t)most + WFI_LANES - 1) / WFI_LANES;
    a->most = most;
    a->threads = (int)wfi_max_u64(1, wfi_min_u64((uint64_t)wfi_threads(ctx), batches));
    uint64_t all = (uint64_t)most * (uint64_t)a->threads;
    wfi_array_within(w, &a->batch, most);
    wfi_array_within(w, &a->count, (uint64_t)most + 1);
    wfi_array_within(w, &a->seen, all);
    wfi_array_within(w, &a->visit, all);
    wfi_array_within(w, &a->next, all);
    wfi_array_within(w, &a->now, all);
    wfi_array_within(w, &a->then, all);
    wfi_array_within(w, &a->touched, all);
}

/* Batches one after the other: each grows around its first source, among those that are in none yet, until it is
 * full. */
static void gather(const wfi_component *c, const wfi_all_pairs *a) {
    uint8_t *taken = a->touched;
    weft_vid end = 0, at = 0;
    memset(taken, 0, c->n);
    for (weft_vid v = 0; end < c->n; v++) {
        if (taken[v]) continue;
        taken[v] = 1;
        a->batch[end++] = v;
        for (at = end - 1; at < end && end % WFI_LANES; at++)
            for (weft_eid e = c->along.offsets[a->batch[at]]; e < c->along.offsets[a->batch[at] + 1] && end % WFI_LANES;
                 e++) {
                weft_vid u = c->along.targets[e];
                if (taken[u]) continue;
                taken[u] = 1;
                a->batch[end++] = u;
            }
    }
    memset(taken, 0, c->n);
}

/* One thread's part of the arrays. */
typedef struct lane {
    wfi_lanes *seen, *visit, *next;
    weft_vid *now, *then;
    uint8_t *touched;
} lane;

/* How many vertices are met; SIZE_MAX: the caller wants to stop. */
static size_t push_level(weft_ctx *ctx, const wfi_component *c, const lane *l, size_t count) {
    size_t met = 0;
    uint64_t unpolled = POLL;
    for (size_t i = 0; i < count; i++) {
        weft_vid v = l->now[i];
        unpolled += c->along.offsets[v + 1] - c->along.offsets[v] + 1;
        if (unpolled >= POLL && wfi_cancelled(ctx)) return SIZE_MAX;
        if (unpolled >= POLL) unpolled = 0;
        wfi_lanes x;
        memcpy(x, l->visit[v], sizeof x);
        memset(l->visit[v], 0, sizeof x);
        for (weft_eid e = c->along.offsets[v]; e < c->along.offsets[v + 1]; e++) {
            weft_vid u = c->along.targets[e];
            if (!l->touched[u]) l->then[met++] = u;
            l->touched[u] = 1;
            for (int k = 0; k < WFI_LANE_WORDS; k++) l->next[u][k] |= x[k];
        }
    }
    return met;
}

/* Those that a source meets for the first time make the next level; returns how many, and how many pairs they are. */
static size_t settle_level(const lane *l, size_t met, wfi_lanes any, uint64_t *pairs) {
    size_t count = 0;
    memset(any, 0, sizeof(wfi_lanes));
    *pairs = 0;
    for (size_t i = 0; i < met; i++) {
        weft_vid u = l->then[i];
        uint64_t fresh = 0;
        l->touched[u] = 0;
        for (int k = 0; k < WFI_LANE_WORDS; k++) {
            uint64_t bits = l->next[u][k] & ~l->seen[u][k];
            l->next[u][k] = 0;
            l->seen[u][k] |= bits;
            l->visit[u][k] = bits;
            any[k] |= bits;
            fresh |= bits;
            *pairs += (uint64_t)__builtin_popcountll(bits);
        }
        l->now[count] = u;
        count += fresh != 0;
    }
    return count;
}

/* False: the caller wants to stop. */
static bool search(weft_ctx *ctx, const wfi_component *c, const wfi_all_pairs *a, const lane *l, weft_vid first,
                   uint32_t *eccentricity) {
    size_t count = c->n - first < WFI_LANES ? c->n - first : WFI_LANES, lanes = count;
    const weft_vid *source = a->batch + first;
    memset(l->seen, 0, c->n * sizeof *l->seen);
    for (size_t i = 0; i < lanes; i++) {
        l->seen[source[i]][i / 64] |= (uint64_t)1 << i % 64;
        l->visit[source[i]][i / 64] |= (uint64_t)1 << i % 64;
        l->now[i] = source[i];
        eccentricity[source[i]] = 0;
    }
    for (uint32_t level = 1; count; level++) {
        wfi_lanes any;
        uint64_t pairs;
        size_t met = push_level(ctx, c, l, count);
        if (met == SIZE_MAX) return false;
        count = settle_level(l, met, any, &pairs);
        if (!count) break;
        __atomic_fetch_add(&a->count[level], pairs, __ATOMIC_RELAXED);
        for (size_t i = 0; i < lanes; i++)
            if (any[i / 64] >> i % 64 & 1) eccentricity[source[i]] = level;
    }
    return true;
}

weft_status wfi_all_pairs_run(weft_ctx *ctx, const wfi_component *c, const wfi_all_pairs *a, uint32_t *eccentricity) {
    _Atomic bool stop = false;
    _Atomic weft_vid done = 0;
    gather(c, a);
    memset(a->count, 0, ((size_t)c->n + 1) * sizeof *a->count);
#pragma omp parallel num_threads(a->threads)
    {
        size_t from = (size_t)omp_get_thread_num() * a->most;
        lane l = {a->seen + from, a->visit + from, a->next + from, a->now + from, a->then + from, a->touched + from};
        memset(l.visit, 0, c->n * sizeof *l.visit);
        memset(l.next, 0, c->n * sizeof *l.next);
        memset(l.touched, 0, c->n);
#pragma omp for schedule(dynamic, 1)
        for (weft_vid first = 0; first < c->n; first += WFI_LANES) {
            if (atomic_load(&stop)) continue;
            if (!search(ctx, c, a, &l, first, eccentricity)) atomic_store(&stop, true);
            weft_vid now = atomic_fetch_add(&done, WFI_LANES) + WFI_LANES;
            if (omp_get_thread_num() == 0) wfi_progress(ctx, "distances", now < c->n ? now : c->n, c->n);
        }
    }
    return atomic_load(&stop) ? wfi_fail_cancelled(ctx) : WEFT_OK;
}
