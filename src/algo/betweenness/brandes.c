/* From sources by hops, on CPU cores (brandes.h).
 * Method: out by levels, in the cheaper of two directions [1]: from the vertices of the last level, or, where most arcs
 * are still ahead, from every vertex that some lane has not reached.  Counts and shares are pulled along rows: first
 * the arcs that bring anything are listed, without a branch, then their lanes are added side by side.  Back along the
 * trail.
 * Threads have batches of their own, or share the rows of one.
 * Counts are doubles until one is beyond WFI_FAR_FROM; that batch, and those that follow, are done in far numbers,
 * whose bits are the same where both would do.
 * [1] Beamer, Asanovic, Patterson, "Direction-Optimizing Breadth-First Search", SC 2012. */
#include "algo/betweenness/brandes.h"
#include "core/poll.h"
#include "engines/msbfs/msbfs.h"

#include <omp.h>
#include <string.h>
#ifdef __AVX512F__
#include <immintrin.h>
#endif

#define INLINE static inline __attribute__((always_inline))

enum {
    B = WFI_LANES,
    UNIT = 128,      /* vertices that a thread takes at once */
    SHARE = 1 << 10, /* entries of a level, or arcs, from which on threads share it */
    POLL = 1 << 16,  /* arcs */
    AHEAD = 8,       /* rows of values that are asked for before they are added */
    OPEN_DEARER = 2  /* a look at a row from the far side, against one from the near side */
};

typedef struct team {
    weft_ctx *ctx;
    const wfi_brandes *f;
    const wfi_view *out, *in;
    wfi_lane_batch b;
    int threads;
    wfi_lane_set all;      /* lanes of the batch */
    _Atomic uint64_t end;  /* of the trail */
    _Atomic uint64_t open; /* arcs that enter vertices which some lane has not reached */
    _Atomic bool far;      /* a count is beyond doubles */
    _Atomic bool stop;
    uint64_t unpolled;
    uint64_t times[B]; /* how often each lane counts */
} team;

/* --- memory --------------------------------------------------------------------------- */

static uint64_t trail_most(const weft_graph *g) { return (uint64_t)g->n * B; }

void wfi_brandes_lay_out(wfi_workspace *w, const weft_graph *g, wfi_brandes *f) {
    uint64_t batches = (uint64_t)f->at_once, n = batches * g->n;
    wfi_lane_batch *b = &f->batch;
    wfi_array_within(w, &b->value, n);
    wfi_array_within(w, &b->exponent, n);
    wfi_array(w, &b->seen, n);
    wfi_array(w, &b->now, n);
    wfi_array(w, &b->next, n);
    wfi_array_within(w, &b->trail, batches * trail_most(g));
    wfi_array_within(w, &b->lanes, batches * trail_most(g));
    wfi_array_within(w, &b->level, batches * ((uint64_t)g->n + 2));
    wfi_array(w, &b->at_vertex, n);
    b->at_arc = NULL;
    if (f->arcs) wfi_array(w, &b->at_arc, batches * g->arcs);
}

uint64_t wfi_brandes_bytes(const weft_graph *g, bool arcs) {
    wfi_brandes f = {.at_once = 1, .arcs = arcs};
    wfi_workspace w = {0};
    wfi_brandes_lay_out(&w, g, &f);
    return wfi_workspace_bytes(&w);
}

static wfi_lane_batch batch_of(const wfi_brandes *f, int i) {
    const wfi_lane_batch *b = &f->batch;
    uint64_t n = f->g->n, from = (uint64_t)i * n, trail = (uint64_t)i * trail_most(f->g);
    return (wfi_lane_batch){b->value + from,     b->exponent + from,
                            b->seen + from,      b->now + from,
                            b->next + from,      b->trail + trail,
                            b->lanes + trail,    b->level + (uint64_t)i * (n + 2),
                            b->at_vertex + from, f->arcs ? b->at_arc + (uint64_t)i * f->g->arcs : NULL};
}

/* --- work of a level, shared out ------------------------------------------------------ */

static bool stops(team *t) {
    if (!atomic_load_explicit(&t->stop, memory_order_relaxed) && wfi_cancelled(t->ctx))
        atomic_store_explicit(&t->stop, true, memory_order_relaxed);
    return atomic_load_explicit(&t->stop, memory_order_relaxed);
}

/* A level of few vertices does not ask: the next one will. */
static bool stops_after(team *t, uint64_t work) {
    t->unpolled += work;
    if (t->unpolled < POLL) return atomic_load_explicit(&t->stop, memory_order_relaxed);
    t->unpolled = 0;
    return stops(t);
}

/* Calls `unit` for ranges of begin ... end - 1. */
static void each_unit(team *t, uint64_t begin, uint64_t end, void (*unit)(team *t, uint64_t from, uint64_t to)) {
    if (t->threads == 1 || end - begin <= SHARE) {
        for (uint64_t i = begin; i < end && !stops_after(t, UNIT * B); i += UNIT)
            unit(t, i, wfi_min_u64(i + UNIT, end));
        return;
    }
#pragma omp parallel for schedule(dynamic, 1) num_threads(t->threads)
    for (uint64_t i = begin; i < end; i += UNIT)
        if (!stops(t)) unit(t, i, wfi_min_u64(i + UNIT, end));
}

/* --- sums along a row ----------------------------------------------------------------- */

INLINE void expect(const double *value) {
    __builtin_prefetch(value);
    __builtin_prefetch(value + B / 2);
}

/* Of `count` arcs those whose other end has one of the lanes now. */
INLINE unsigned list_bringing(const weft_vid *target, unsigned count, const wfi_lane_set *now, wfi_lane_set want,
                              uint16_t *place) {
    unsigned found = 0;
    for (unsigned i = 0; i < count; i++) {
        place[found] = (uint16_t)i;
        found += (now[target[i]] & want) != 0;
    }
    return found;
}

/* With AVX-512 the set is a mask as it is: compilers make 20 instructions of the loop, where 4 do. */
INLINE void add_lanes(double *restrict sum, const double *restrict value, wfi_lane_set lanes) {
#ifdef __AVX512F__
    __m512d low = _mm512_load_pd(sum), high = _mm512_load_pd(sum + 8);
    low = _mm512_mask_add_pd(low, (__mmask8)lanes, low, _mm512_load_pd(value));
    high = _mm512_mask_add_pd(high, (__mmask8)(lanes >> 8), high, _mm512_load_pd(value + 8));
    _mm512_store_pd(sum, low);
    _mm512_store_pd(sum + 8, high);
#else
    for (int l = 0; l < B; l++) {
        double x = value[l]; /* whether it is wanted or not: so that lanes stay side by side */
        sum[l] += lanes >> l & 1 ? x : 0;
    }
#endif
}

INLINE wfi_wide_double far_at(const wfi_lane_batch *b, weft_vid v, int l) {
    return (wfi_wide_double){b->value[v][l], b->exponent[v][l]};
}

/* The sums along row v, of lanes `want`; returns the lanes to which anything was added.  One of the two arrays is
 * used. */
INLINE wfi_lane_set pull(const team *t, const wfi_view *rows, weft_vid v, wfi_lane_set want, bool far,
                         wfi_lane_values sum, wfi_wide_double *far_sum) {
    const wfi_lane_batch *b = &t->b;
    wfi_lane_set got = 0;
    for (weft_eid e = rows->offsets[v], end = rows->offsets[v + 1]; e < end; e += WFI_PIECE) {
        const weft_vid *target = rows->targets + e;
        uint16_t place[WFI_PIECE];
        _Alignas(64) wfi_lane_values part = {0};
        wfi_wide_double far_part[B] = {{0, 0}};
        unsigned found = list_bringing(target, (unsigned)wfi_min_u64(end - e, WFI_PIECE), b->now, want, place);
        for (unsigned i = 0; i < found && i < AHEAD; i++) expect(b->value[target[place[i]]]);
        for (unsigned i = 0; i < found; i++) {
            weft_vid u = target[place[i]];
            wfi_lane_set lanes = b->now[u] & want;
            if (i + AHEAD < found) expect(b->value[target[place[i + AHEAD]]]);
            got |= lanes;
            if (!far) add_lanes(part, b->value[u], lanes);
            for (unsigned left = far ? lanes : 0; left; left &= left - 1) {
                int l = __builtin_ctz(left);
                far_part[l] = wfi_wide_double_sum(far_part[l], far_at(b, u, l));
            }
        }
        for (int l = 0; l < B && !far; l++) sum[l] += part[l];
        for (unsigned left = far ? got : 0; left; left &= left - 1) {
            int l = __builtin_ctz(left);
            far_sum[l] = wfi_wide_double_sum(far_sum[l], far_part[l]);
        }
    }
    return got;
}

/* --- out ------------------------------------------------------------------------------ */

/* Counts of the lanes that reach v at the next level. */
INLINE wfi_lane_set count_paths(team *t, weft_vid v, wfi_lane_set want, bool far) {
    wfi_lane_values sum = {0};
    wfi_wide_double far_sum[B] = {{0, 0}};
    wfi_lane_set got = pull(t, t->in, v, want, far, sum, far_sum);
    bool beyond = false;
    for (unsigned left = got; left; left &= left - 1) { /* other lanes of v may be read meanwhile */
        int l = __builtin_ctz(left);
        t->b.value[v][l] = far ? far_sum[l].digits : sum[l];
        if (far) t->b.exponent[v][l] = far_sum[l].exponent;
        beyond |= sum[l] > WFI_FAR_FROM;
    }
    if (beyond) atomic_store_explicit(&t->far, true, memory_order_relaxed);
    return got;
}

/* Vertices that the last level leads to, by a vertex of which some lane has yet to come. */
INLINE void reach_open(team *t, uint64_t from, uint64_t to, bool far) {
    weft_vid vertex[UNIT];
    wfi_lane_set lanes[UNIT];
    uint64_t found = 0;
    for (weft_vid v = (weft_vid)from; v < to; v++) {
        wfi_lane_set want = t->all & (wfi_lane_set)~t->b.seen[v];
        if (!want || !(lanes[found] = count_paths(t, v, want, far))) continue;
        vertex[found++] = v;
    }
    if (!found) return;
    uint64_t at = atomic_fetch_add_explicit(&t->end, found, memory_order_relaxed);
    memcpy(t->b.trail + at, vertex, found * sizeof *vertex);
    memcpy(t->b.lanes + at, lanes, found * sizeof *lanes);
}
static void reach_open_near(team *t, uint64_t from, uint64_t to) { reach_open(t, from, to, false); }
static void reach_open_far(team *t, uint64_t from, uint64_t to) { reach_open(t, from, to, true); }

/* The same, of vertices that are known. */
INLINE void reach_known(team *t, uint64_t from, uint64_t to, bool far) {
    for (uint64_t i = from; i < to; i++) {
        weft_vid v = t->b.trail[i];
        t->b.lanes[i] = t->b.next[v];
        t->b.next[v] = 0;
        count_paths(t, v, t->b.lanes[i], far);
    }
}
static void reach_known_near(team *t, uint64_t from, uint64_t to) { reach_known(t, from, to, false); }
static void reach_known_far(team *t, uint64_t from, uint64_t to) { reach_known(t, from, to, true); }

/* Which vertices the level from ... to - 1 of the trail leads to, and in which lanes. */
static void look_ahead(team *t, uint64_t from, uint64_t to) {
    uint64_t end = to;
    for (uint64_t i = from; i < to; i++) {
        weft_vid v = t->b.trail[i];
        const weft_eid *row = t->out->offsets + v;
        if (stops_after(t, row[1] - row[0])) break;
        for (weft_eid e = row[0]; e < row[1]; e++) {
            weft_vid u = t->out->targets[e];
            wfi_lane_set fresh = t->b.lanes[i] & (wfi_lane_set)~t->b.seen[u];
            if (!fresh) continue;
            if (!t->b.next[u]) t->b.trail[end++] = u;
            t->b.next[u] |= fresh;
        }
    }
    atomic_store_explicit(&t->end, end, memory_order_relaxed);
}

static void leave(team *t, uint64_t from, uint64_t to) {
    for (uint64_t i = from; i < to; i++) t->b.now[t->b.trail[i]] = 0;
}

static void enter(team *t, uint64_t from, uint64_t to) {
    for (uint64_t i = from; i < to; i++) t->b.now[t->b.trail[i]] = t->b.lanes[i];
}

static void settle(team *t, uint64_t from, uint64_t to) {
    uint64_t closed = 0;
    for (uint64_t i = from; i < to; i++) {
        weft_vid v = t->b.trail[i];
        t->b.now[v] = t->b.lanes[i];
        t->b.seen[v] |= t->b.lanes[i];
        if (t->b.seen[v] == t->all) closed += t->in->offsets[v + 1] - t->in->offsets[v] + 1;
    }
    if (closed) atomic_fetch_sub_explicit(&t->open, closed, memory_order_relaxed);
}

static uint64_t arcs_of_level(const team *t, uint64_t from, uint64_t to) {
    uint64_t arcs = 0;
    for (uint64_t i = from; i < to; i++) arcs += t->out->offsets[t->b.trail[i] + 1] - t->out->offsets[t->b.trail[i]];
    return arcs;
}

/* All levels; returns how many there are. */
static uint64_t go_out(team *t, bool far) {
    uint64_t *level = t->b.level, depth = 0;
    for (; level[depth] < level[depth + 1]; depth++) {
        uint64_t from = level[depth], to = level[depth + 1];
        uint64_t ahead = arcs_of_level(t, from, to), open = atomic_load_explicit(&t->open, memory_order_relaxed);
        if (!ahead || !open) {
            level[depth + 2] = to;
        } else if (ahead * (uint64_t)t->threads < open * OPEN_DEARER / 4) {
            look_ahead(t, from, to);
            uint64_t end = atomic_load_explicit(&t->end, memory_order_relaxed);
            each_unit(t, to, end, far ? reach_known_far : reach_known_near);
            level[depth + 2] = end;
        } else {
            each_unit(t, 0, t->f->g->n, far ? reach_open_far : reach_open_near);
            level[depth + 2] = atomic_load_explicit(&t->end, memory_order_relaxed);
        }
        each_unit(t, from, to, leave);
        each_unit(t, to, level[depth + 2], settle);
        bool beyond = !far && atomic_load_explicit(&t->far, memory_order_relaxed);
        if (beyond || atomic_load_explicit(&t->stop, memory_order_relaxed)) break;
    }
    return depth;
}

/* --- back ----------------------------------------------------------------------------- */

INLINE double is_target(const team *t, weft_vid v) { return !t->f->targets || t->f->targets[v] ? 1 : 0; }

/* As often as lane l counts. */
INLINE void add_times(const team *t, wfi_wide_sum *sum, double x, int l) {
    wfi_wide_join(sum, wfi_wide_times(x, t->times[l]));
}

/* What the arcs of row v to the next level have of the paths of its lanes. */
INLINE void add_arcs(team *t, weft_vid v, wfi_lane_set want, bool far) {
    const wfi_lane_batch *b = &t->b;
    for (weft_eid e = t->out->offsets[v]; e < t->out->offsets[v + 1]; e++) {
        weft_vid w = t->out->targets[e];
        for (unsigned left = b->now[w] & want; left; left &= left - 1) {
            int l = __builtin_ctz(left);
            double has = far ? wfi_wide_double_value(wfi_wide_double_product(far_at(b, v, l), far_at(b, w, l)))
                             : b->value[v][l] * b->value[w][l];
            add_times(t, &b->at_arc[e], has, l);
        }
    }
}

/* The dependencies on v of its lanes, of which sum has the shares of the next level; and the shares of v. */
INLINE void depend(team *t, weft_vid v, wfi_lane_set lanes, wfi_lane_values sum) {
    double target = is_target(t, v), *value = t->b.value[v];
    wfi_wide_sum *to = &t->b.at_vertex[v];
    wfi_wide_sum all = *to;
    for (unsigned left = lanes; left; left &= left - 1) {
        int l = __builtin_ctz(left);
        double has = value[l] * sum[l];
        add_times(t, &all, has, l);
        value[l] = (target + has) / value[l];
    }
    *to = all;
}

INLINE void depend_far(team *t, weft_vid v, wfi_lane_set lanes, const wfi_wide_double *sum) {
    wfi_wide_double target = wfi_wide_double_of(is_target(t, v), 0);
    for (unsigned left = lanes; left; left &= left - 1) {
        int l = __builtin_ctz(left);
        wfi_wide_double count = far_at(&t->b, v, l), has = wfi_wide_double_product(count, sum[l]);
        add_times(t, &t->b.at_vertex[v], wfi_wide_double_value(has), l);
        wfi_wide_double share = wfi_wide_double_quotient(wfi_wide_double_sum(target, has), count);
        t->b.value[v][l] = share.digits;
        t->b.exponent[v][l] = share.exponent;
    }
}

INLINE void come_back(team *t, uint64_t from, uint64_t to, bool far) {
    for (uint64_t i = from; i < to; i++) {
        weft_vid v = t->b.trail[i];
        wfi_lane_set lanes = t->b.lanes[i];
        wfi_lane_values sum = {0};
        wfi_wide_double far_sum[B] = {{0, 0}};
        pull(t, t->out, v, lanes, far, sum, far_sum);
        if (t->b.at_arc) add_arcs(t, v, lanes, far);
        if (far)
            depend_far(t, v, lanes, far_sum);
        else
            depend(t, v, lanes, sum);
    }
}
static void come_back_near(team *t, uint64_t from, uint64_t to) { come_back(t, from, to, false); }
static void come_back_far(team *t, uint64_t from, uint64_t to) { come_back(t, from, to, true); }

/* From the sources nothing leads back any further: only their arcs have something. */
static void end_near(team *t, uint64_t from, uint64_t to) {
    for (uint64_t i = from; i < to && t->b.at_arc; i++) add_arcs(t, t->b.trail[i], t->b.lanes[i], false);
}
static void end_far(team *t, uint64_t from, uint64_t to) {
    for (uint64_t i = from; i < to && t->b.at_arc; i++) add_arcs(t, t->b.trail[i], t->b.lanes[i], true);
}

static void go_back(team *t, uint64_t depth, bool far) {
    const uint64_t *level = t->b.level;
    for (uint64_t d = depth; d-- > 0 && !atomic_load_explicit(&t->stop, memory_order_relaxed);) {
        if (d)
            each_unit(t, level[d], level[d + 1], far ? come_back_far : come_back_near);
        else
            each_unit(t, level[d], level[d + 1], far ? end_far : end_near);
        if (d + 1 < depth) each_unit(t, level[d + 1], level[d + 2], leave);
        if (d) each_unit(t, level[d], level[d + 1], enter);
    }
}

/* --- a batch -------------------------------------------------------------------------- */

static void count_ends(team *t, uint64_t depth) {
    const wfi_lane_batch *b = &t->b;
    uint64_t reached[B] = {0};
    for (uint64_t i = b->level[1]; i < b->level[depth]; i++)
        for (unsigned left = b->lanes[i]; left; left &= left - 1) {
            reached[__builtin_ctz(left)]++;
            b->at_vertex[b->trail[i]].whole++;
        }
    for (uint64_t i = 0; i < b->level[1]; i++) b->at_vertex[b->trail[i]].whole += reached[__builtin_ctz(b->lanes[i])];
}

/* How often the search of u counts: for itself and the trees that hang there. */
static uint64_t times_of(const wfi_brandes *f, weft_vid u) {
    uint64_t times = 1;
    const wfi_view *out = &f->g->out;
    for (weft_eid e = out->offsets[u]; f->folds.below && e < out->offsets[u + 1]; e++)
        times += f->folds.below[out->targets[e]];
    return times;
}

/* Between batches `now` and `next` are 0.  False: in doubles it cannot be done. */
static bool search(team *t, uint64_t first, bool far) {
    wfi_lane_batch *b = &t->b;
    unsigned lanes = (unsigned)wfi_min_u64(t->f->count - first, B);
    t->all = (wfi_lane_set)(((uint32_t)1 << lanes) - 1);
    memset(b->seen, 0, t->f->g->n * sizeof *b->seen);
    atomic_store(&t->far, false);
    atomic_store(&t->open, t->f->g->arcs + t->f->g->n);
    for (unsigned l = 0; l < lanes; l++) {
        weft_vid s = t->f->sources[first + l];
        t->times[l] = times_of(t->f, s);
        b->trail[l] = s;
        b->lanes[l] = (wfi_lane_set)(1u << l);
        b->value[s][l] = 1;
        if (far) b->exponent[s][l] = 0;
    }
    b->level[0] = 0;
    b->level[1] = lanes;
    atomic_store(&t->end, lanes);
    settle(t, 0, lanes);
    uint64_t depth = go_out(t, far);
    bool done = far || !atomic_load(&t->far);
    if (atomic_load(&t->stop)) return true;
    if (!done) { /* what is left at a level of which nothing came */
        each_unit(t, b->level[depth + 1], b->level[depth + 2], leave);
        return false;
    }
    go_back(t, depth, far);
    if (t->f->ends && !t->f->folds.below) count_ends(t, depth);
    return true;
}

void wfi_wide_sums_join(weft_ctx *ctx, wfi_wide_sum *sum, uint64_t count, int batches) {
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(ctx, count, 1 << 14))
    for (uint64_t i = 0; i < count; i++)
        for (int k = 1; k < batches; k++) wfi_wide_join(&sum[i], sum[(uint64_t)k * count + i]);
}

static void unfold(weft_ctx *ctx, const wfi_brandes *f) {
    const wfi_lane_batch *b = &f->batch;
    const wfi_view *out = &f->g->out;
#pragma omp parallel for schedule(dynamic, UNIT) num_threads(wfi_threads_for(ctx, f->g->n, 1 << 14))
    for (weft_vid v = 0; v < f->g->n; v++)
        wfi_pendant_vertex(&f->folds, v, wfi_pendant_arcs(&f->folds, out, v, 0, 1, b->at_arc), f->ends,
                           &b->at_vertex[v]);
}

weft_status wfi_brandes_run(weft_ctx *ctx, wfi_brandes *f) {
    const weft_graph *g = f->g;
    uint64_t batches = (f->count + B - 1) / B;
    _Atomic uint64_t done = 0;
    _Atomic bool stop = false, far = false;
    wfi_progress(ctx, "sources", 0, f->count);
#pragma omp parallel num_threads(f->at_once)
    {
        int me = omp_get_thread_num();
        team t = {.ctx = ctx, .f = f, .out = &g->out, .in = g->directed ? &g->in : &g->out, .b = batch_of(f, me)};
        t.threads = f->at_once > 1 ? 1 : wfi_threads(ctx);
        bool filled = wfi_fill_bytes(ctx, t.b.now, 0, g->n * sizeof *t.b.now) &&
                      wfi_fill_bytes(ctx, t.b.next, 0, g->n * sizeof *t.b.next) &&
                      wfi_fill_bytes(ctx, t.b.at_vertex, 0, g->n * sizeof *t.b.at_vertex) &&
                      (!f->arcs || wfi_fill_bytes(ctx, t.b.at_arc, 0, g->arcs * sizeof *t.b.at_arc));
        if (!filled) atomic_store(&stop, true);
#pragma omp for schedule(dynamic, 1)
        for (uint64_t k = 0; k < batches; k++) {
            if (atomic_load(&stop)) continue;
            if (atomic_load(&far) || !search(&t, k * B, false)) {
                atomic_store(&far, true);
                search(&t, k * B, true);
            }
            if (atomic_load(&t.stop)) atomic_store(&stop, true);
            uint64_t now = atomic_fetch_add(&done, B) + B;
            if (me == 0) wfi_progress(ctx, "sources", wfi_min_u64(now, f->count), f->count);
        }
    }
    if (atomic_load(&stop)) return wfi_fail_cancelled(ctx);
    wfi_wide_sums_join(ctx, f->batch.at_vertex, g->n, f->at_once);
    if (f->arcs) wfi_wide_sums_join(ctx, f->batch.at_arc, g->arcs, f->at_once);
    if (f->folds.below) unfold(ctx, f);
    return WEFT_OK;
}

static weft_vid next_wanted(const weft_graph *g, const uint8_t *wanted, weft_vid from) {
    const uint8_t *found = from < g->n ? memchr(wanted + from, 1, g->n - from) : NULL;
    return found ? (weft_vid)(found - wanted) : g->n;
}

uint64_t wfi_brandes_order(weft_ctx *ctx, const weft_graph *g, uint8_t *wanted, weft_vid *order) {
    for (weft_vid v = next_wanted(g, wanted, 0); v < g->n; v = next_wanted(g, wanted, v + 1))
        wanted[v] = g->out.offsets[v] < g->out.offsets[v + 1];
    return wfi_msbfs_order(ctx, &g->out, B, wanted, order);
}
