/* The first K vertices by closeness, or by harmonic centrality, by hops (near.h), from pruned searches [1].
 * Method: a search from each vertex, those with most arcs first, as threads come.  While it goes on, the vertex has at
 * most what it would have if all vertices that the level at hand may still lead to were one hop farther, and all
 * others of its component two.  Once K values are known, a search ends as soon as that is less than the least of them,
 * or equal and the vertex's number is greater.  Where searches look at more arcs than many at once would (hops.c), in
 * graphs without hubs for one, they give up.
 * The bound is made of the same integers as the value, and rounded as it is: so what is left out has no place among
 * the first, whatever the order in which threads come, and values have the bits of a full run.
 * [1] Bergamini, Borassi, Crescenzi, Marino, Meyerhenke, "Computing top-k closeness centrality faster in unweighted
 *     graphs", TKDD 13(5), 2019. */
#include "algo/closeness/near.h"
#include "core/poll.h"

#include <math.h>
#include <omp.h>
#include <string.h>

enum { BUCKETS = 4096, LOOK = 256 /* arcs between two looks at the bound */ };

/* What many searches at once would look at, in arcs of one that goes alone. */
static uint64_t patience(const wfi_closeness *t) { return 4 * (t->g->arcs + t->g->n) * (t->g->n / WFI_MSBFS + 1); }

void wfi_closeness_best_lay_out(wfi_workspace *w, const wfi_closeness *t, wfi_closeness_best *b) {
    b->most = wfi_min_u64(t->first, t->g->n);
    wfi_array_within(w, &b->at, b->most);
}

void wfi_closeness_first_lay_out(wfi_workspace *w, const weft_ctx *ctx, const wfi_closeness *t,
                                 wfi_closeness_first *f) {
    uint64_t n = t->g->n;
    f->threads = wfi_threads(ctx);
    wfi_array(w, &f->order, n);
    wfi_array(w, &f->others, n);
    wfi_array(w, &f->seen, n * (uint64_t)f->threads);
    wfi_array_within(w, &f->queue, n * (uint64_t)f->threads);
}

/* --- the best so far, a heap with the worst in front ---------------------------------------- */

static bool is_worse(wfi_closeness_ranked a, wfi_closeness_ranked b) {
    return a.value < b.value || (a.value == b.value && a.v > b.v);
}

static void offer(wfi_closeness_best *b, double value, weft_vid v) {
    wfi_closeness_ranked mine = {value, v};
    uint64_t at = b->count;
    if (b->count < b->most) {
        for (b->count++; at && is_worse(mine, b->at[(at - 1) / 2]); at = (at - 1) / 2) b->at[at] = b->at[(at - 1) / 2];
    } else if (b->most && is_worse(b->at[0], mine)) {
        at = 0;
        for (uint64_t child; (child = 2 * at + 1) < b->count; at = child) {
            if (child + 1 < b->count && is_worse(b->at[child + 1], b->at[child])) child++;
            if (!is_worse(b->at[child], mine)) break;
            b->at[at] = b->at[child];
        }
    } else {
        return;
    }
    b->at[at] = mine;
}

static void tell(const wfi_closeness *t, const wfi_closeness_best *b) {
    for (weft_vid v = 0; v < t->g->n; v++) t->value[v] = (double)NAN;
    for (uint64_t i = 0; i < b->count; i++) t->value[b->at[i].v] = b->at[i].value;
}

uint64_t wfi_closeness_keep_first(const wfi_closeness *t, wfi_closeness_best *b) {
    b->count = 0;
    for (weft_vid v = 0; v < t->g->n; v++)
        if (wfi_closeness_asked(t, v)) offer(b, t->value[v], v);
    tell(t, b);
    return b->count;
}

/* --- a search -------------------------------------------------------------------------------- */

typedef struct pruning {
    const wfi_closeness *t;
    wfi_closeness_scale scale;
    wfi_closeness_best *best;
    const weft_vid *others;
    bool both_ways;                /* each row but the first has an arc to what was met before */
    _Atomic double least;          /* of the first K; below 0: they are not known yet */
    _Atomic uint64_t looked, most; /* arcs */
    _Atomic bool stop, gave_up;
} pruning;

/* What v has at most if `found` others, by their sum, are known, up to `next` are `hops` away, and no more than
 * `others` are reached.  Where fewer may be, the most is at an end of a stretch in which the sum grows evenly. */
static double bound(const pruning *p, wfi_closeness_sum found, uint64_t next, uint32_t hops, uint64_t others) {
    uint64_t rest = others - found.reached, near = wfi_min_u64(next, rest);
    wfi_closeness_sum with_next = found;
    wfi_closeness_add(&with_next, wfi_closeness_worth(p->t->harmonic, hops), near);
    wfi_closeness_sum all = with_next;
    wfi_closeness_add(&all, wfi_closeness_worth(p->t->harmonic, hops + 1), rest - near);
    double value = wfi_closeness_value_of(p->scale, all);
    if (p->t->harmonic || p->both_ways) return value;
    value = fmax(value, wfi_closeness_value_of(p->scale, with_next));
    return fmax(value, wfi_closeness_value_of(p->scale, found)) * (1 + 0x1p-48); /* more than rounding may hide */
}

static bool is_beaten(pruning *p, weft_vid v, double most) {
    double least = atomic_load_explicit(&p->least, memory_order_relaxed);
    if (least < 0 || most > least) return false;
    if (most < least) return true;
    bool beaten;
#pragma omp critical(wfi_closeness_first)
    beaten = is_worse((wfi_closeness_ranked){most, v}, p->best->at[0]);
    return beaten;
}

static void take(pruning *p, weft_vid v, double value) {
#pragma omp critical(wfi_closeness_first)
    {
        offer(p->best, value, v);
        if (p->best->count == p->best->most) atomic_store(&p->least, p->best->at[0].value);
    }
}

/* What row u may lead to at most that was not met before. */
static uint64_t ahead(const pruning *p, weft_vid u, bool first) {
    uint64_t length = p->t->back->offsets[u + 1] - p->t->back->offsets[u];
    return p->both_ways && !first && length ? length - 1 : length;
}

/* seen[u] == mark: u was met. */
static void search(pruning *p, wfi_polling *poll, weft_vid v, uint32_t mark, uint32_t *seen, weft_vid *queue) {
    const wfi_view *rows = p->t->back;
    wfi_closeness_sum sum = {0, 0};
    uint64_t end = 1, looked = 0, since = LOOK, left = ahead(p, v, true), after = 0;
    queue[0] = v;
    seen[v] = mark;
    uint32_t hops = 1;
    wfi_closeness_wide each = wfi_closeness_worth(p->t->harmonic, hops);
    for (uint64_t at = 0, last = 1; at < end; at++) {
        if (at == last) {
            each = wfi_closeness_worth(p->t->harmonic, ++hops);
            left = after;
            after = 0;
            last = end;
        }
        if (since >= LOOK || at + 1 == last) {
            looked += since;
            since = 0;
            if (is_beaten(p, v, bound(p, sum, left, hops, p->others[v]))) goto done;
        }
        weft_vid u = queue[at];
        uint64_t before = end;
        left -= ahead(p, u, at == 0);
        for (weft_eid e = rows->offsets[u]; e < rows->offsets[u + 1]; e++) {
            weft_vid w = rows->targets[e];
            if (e % WFI_POLL_WORK == 0 && wfi_poll(poll, WFI_POLL_WORK)) return; /* within a long row, too */
            if (seen[w] == mark) continue;
            seen[w] = mark;
            queue[end++] = w;
            after += ahead(p, w, false);
        }
        if (wfi_poll(poll, rows->offsets[u + 1] - rows->offsets[u] + 1)) return;
        wfi_closeness_add(&sum, each, end - before);
        since += rows->offsets[u + 1] - rows->offsets[u] + 1;
    }
    take(p, v, wfi_closeness_value_of(p->scale, sum));
done:
    if (atomic_fetch_add_explicit(&p->looked, looked, memory_order_relaxed) > p->most) atomic_store(&p->gave_up, true);
}

/* --- all of them -------------------------------------------------------------------------------- */

/* Those with most arcs first, of as many the smallest. */
static void put_in_order(const wfi_closeness *t, weft_vid *order) {
    uint64_t begin[BUCKETS + 1] = {0};
    const weft_eid *offsets = t->back->offsets;
    for (weft_vid v = 0; v < t->g->n; v++) begin[BUCKETS - wfi_min_u64(offsets[v + 1] - offsets[v], BUCKETS - 1)]++;
    for (int i = 1; i <= BUCKETS; i++) begin[i] += begin[i - 1];
    for (weft_vid v = 0; v < t->g->n; v++)
        order[begin[BUCKETS - wfi_min_u64(offsets[v + 1] - offsets[v], BUCKETS - 1) - 1]++] = v;
}

/* others[v]: how many more vertices its weak component has.  False: the caller wants to stop. */
static bool measure_components(weft_ctx *ctx, const wfi_closeness *t, uint32_t *seen, weft_vid *queue,
                               weft_vid *others) {
    const wfi_view *rows[2] = {t->back, t->along};
    wfi_polling poll = {.ctx = ctx, .stop = wfi_cancelled(ctx)};
    for (weft_vid v = 0; v < t->g->n; v++) {
        uint64_t end = 1;
        if (seen[v]) continue;
        seen[v] = 1;
        queue[0] = v;
        for (uint64_t at = 0; at < end; at++) {
            if (wfi_poll(&poll, 1)) return false;
            for (int side = 0; side < 1 + t->g->directed; side++)
                for (weft_eid e = rows[side]->offsets[queue[at]]; e < rows[side]->offsets[queue[at] + 1]; e++) {
                    weft_vid u = rows[side]->targets[e];
                    if (wfi_poll(&poll, 1)) return false;
                    if (seen[u]) continue;
                    seen[u] = 1;
                    queue[end++] = u;
                }
        }
        for (uint64_t i = 0; i < end; i++) others[queue[i]] = (weft_vid)(end - 1);
    }
    return true;
}

weft_status wfi_closeness_by_pruning(weft_ctx *ctx, const wfi_closeness *t, const wfi_closeness_first *f,
                                     wfi_closeness_best *best, bool *found) {
    weft_vid n = t->g->n;
    pruning p = {
        .t = t, .scale = wfi_closeness_scale_of(t), .best = best, .others = f->others, .both_ways = !t->g->directed};
    _Atomic uint64_t done = 0;
    atomic_init(&p.least, -1);
    atomic_init(&p.most, patience(t));
    best->count = 0;
    memset(f->seen, 0, (size_t)n * (size_t)f->threads * sizeof *f->seen);
    put_in_order(t, f->order);
    if (!measure_components(ctx, t, f->seen, f->queue, f->others)) return wfi_fail_cancelled(ctx);
    wfi_progress(ctx, t->name, 0, n);
#pragma omp parallel num_threads(f->threads)
    {
        size_t from = (size_t)omp_get_thread_num() * n;
        wfi_polling poll = {.ctx = ctx};
#pragma omp for schedule(dynamic, 1)
        for (weft_vid i = 0; i < n; i++) {
            uint64_t now = atomic_fetch_add_explicit(&done, 1, memory_order_relaxed);
            if (atomic_load_explicit(&p.stop, memory_order_relaxed) ||
                atomic_load_explicit(&p.gave_up, memory_order_relaxed))
                continue;
            if (now % 64 == 0 && omp_get_thread_num() == 0) wfi_progress(ctx, t->name, now, n);
            search(&p, &poll, f->order[i], i + 2, f->seen + from, f->queue + from);
            if (wfi_poll(&poll, 1)) atomic_store(&p.stop, true);
        }
    }
    if (atomic_load(&p.stop)) return wfi_fail_cancelled(ctx);
    *found = !atomic_load(&p.gave_up);
    if (*found) tell(t, best);
    return WEFT_OK;
}
