/* Personalised PageRank on CPU cores (ppr.h).
 * Method: an iteration visits only the vertices that the seeds have reached, within k arcs in iteration k.  Threads
 * divide them. */
#include "algo/ppr/ppr.h"
#include "core/best.h"
#include "engines/fixed_sums/fixed_sums.h"

#include <math.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

enum {
    B = WFI_PPR_LANES,
    UNIT = 64,           /* vertices per chunk of a thread */
    SHARE = 256,         /* least number of vertices that is divided among threads */
    AHEAD = 12,          /* prefetch distance, in arcs */
    MANY = 16,           /* reached vertices are sorted from 1/MANY of the graph's vertices on */
    MUCH = 4,            /* seeds start beside others once 1/MUCH of the vertices are reached */
    LOOK_AFTER = 1 << 20 /* arcs between two polls of the cancel callback */
};

typedef wfi_ppr_totals totals;

typedef struct lanes {
    wfi_ppr_lanes all; /* must be the first member */
    weft_ctx *ctx;
    const weft_graph *g;
    wfi_ppr_row *share, *next;
    double *out_weight;   /* sums of rows; NULL: arcs are counted */
    weft_vid *reached;    /* reached vertices, in the order of their discovery, or sorted */
    uint8_t *mark;        /* 1: reached; 2: has been a seed */
    uint64_t known;       /* length of reached */
    uint64_t fresh;       /* begin of the vertices in `reached` whose arcs are not followed yet */
    _Atomic uint64_t end; /* of reached, while an iteration finds more */
    bool sorted;
    _Atomic bool stop;
} lanes;

static void lay_out(wfi_workspace *w, const weft_graph *g, const weft_ppr_params *p, lanes *b) {
    wfi_array(w, &b->share, g->n);
    wfi_array(w, &b->next, g->n);
    b->out_weight = NULL;
    if (p->weights) wfi_array(w, &b->out_weight, g->n);
    wfi_array_within(w, &b->reached, g->n);
    wfi_array(w, &b->mark, g->n);
}

static bool stops(lanes *b) {
    if (!atomic_load_explicit(&b->stop, memory_order_relaxed) && wfi_cancelled(b->ctx))
        atomic_store_explicit(&b->stop, true, memory_order_relaxed);
    return atomic_load_explicit(&b->stop, memory_order_relaxed);
}

/* Resets all vertices, or the listed ones, to not reached. */
static void clear(lanes *b, const weft_vid *list, uint64_t count) {
    enum { AT_ONCE = 1 << 12 };
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(b->ctx, count, AT_ONCE))
    for (uint64_t first = 0; first < count; first += AT_ONCE) {
        if (stops(b)) continue;
        for (uint64_t i = first, end = wfi_min_u64(first + AT_ONCE, count); i < end; i++) {
            uint64_t v = list ? list[i] : i;
            memset(b->share[v], 0, sizeof *b->share);
            memset(b->next[v], 0, sizeof *b->next);
            b->mark[v] = 0;
        }
    }
    b->known = b->fresh = 0;
    b->sorted = false;
    atomic_store(&b->end, 0);
}

static weft_status open_lanes(wfi_ppr_lanes *of) {
    lanes *b = (lanes *)of;
    clear(b, NULL, b->g->n);
    if (atomic_load(&b->stop)) return wfi_fail_cancelled(b->ctx);
    return b->out_weight ? wfi_row_sums(b->ctx, "ppr", b->g, &b->g->out, b->g->n, b->out_weight) : WEFT_OK;
}

/* --- reached vertices -------------------------------------------------------------------- */

static void put_reached(lanes *b, const weft_vid *vertex, unsigned count) {
    uint64_t at = atomic_fetch_add_explicit(&b->end, count, memory_order_relaxed);
    memcpy(b->reached + at, vertex, count * sizeof *vertex);
}

/* Adds the targets of v's arcs that were not reached before. */
static void reach_from(lanes *b, weft_vid v) {
    weft_vid found[UNIT];
    unsigned count = 0;
    for (weft_eid e = b->g->out.offsets[v], end = b->g->out.offsets[v + 1]; e < end; e++) {
        weft_vid u = b->g->out.targets[e];
        if (e % LOOK_AFTER == 0 && stops(b)) break;
        if (__atomic_load_n(&b->mark[u], __ATOMIC_RELAXED) || __atomic_exchange_n(&b->mark[u], 1, __ATOMIC_RELAXED))
            continue;
        found[count++] = u;
        if (count < UNIT) continue;
        put_reached(b, found, count);
        count = 0;
    }
    put_reached(b, found, count);
}

/* --- an iteration ----------------------------------------------------------------------- */

/* Number of v's outgoing arcs, or the sum of their weights. */
INLINE double leaves_of(const lanes *b, weft_vid v) {
    const weft_eid *row = b->g->out.offsets + v;
    return b->out_weight ? b->out_weight[v] : (double)(row[1] - row[0]);
}

/* Sums the shares along the incoming row of v. */
INLINE void pull(lanes *b, weft_vid v, bool weighted, double *restrict sum) {
    const wfi_view *in = b->g->directed ? &b->g->in : &b->g->out;
    weft_weight_type type = b->g->weight_type;
    weft_eid all = in->offsets[b->g->n];
    for (weft_eid e = in->offsets[v], end = in->offsets[v + 1], look = e + LOOK_AFTER; e < end; e += WFI_PPR_PIECE) {
        const weft_vid *source = in->targets + e;
        unsigned arcs = (unsigned)wfi_min_u64(end - e, WFI_PPR_PIECE);
        _Alignas(64) wfi_ppr_row part = {0};
        for (unsigned i = 0; i < arcs; i++) {
            const double *share = b->share[source[i]];
            double weight = weighted ? wfi_weight_at(type, in->weights, e + i) : 1;
            if (e + i + AHEAD < all) { /* goes on into the next rows */
                __builtin_prefetch(b->share[source[i + AHEAD]]);
                __builtin_prefetch(b->share[source[i + AHEAD]] + B / 2);
            }
#pragma omp simd
            for (int l = 0; l < B; l++) part[l] += weighted ? share[l] * weight : share[l];
        }
#pragma omp simd
        for (int l = 0; l < B; l++) sum[l] += part[l];
        if (e < look) continue;
        look += LOOK_AFTER;
        if (stops(b)) return;
    }
}

/* New ranks of v, and the shares from them. */
INLINE void finish_row(lanes *b, weft_vid v, double *restrict rank, totals *t) {
    double leaves = leaves_of(b, v), parts = leaves > 0 ? leaves : 1;
    const double *old = b->share[v];
    double *next = b->next[v];
#pragma omp simd
    for (int l = 0; l < B; l++) rank[l] *= b->all.damping[l];
    for (int l = 0; b->mark[v] == 2 && l < B; l++)
        if (b->all.seed[l] == v) rank[l] += b->all.returns[l];
#pragma omp simd
    for (int l = 0; l < B; l++) {
        t->change[l] += (uint64_t)(int64_t)(fabs(rank[l] - old[l] * parts) * WFI_PPR_ONE);
        next[l] = rank[l] / parts;
    }
    for (int l = 0; l < B && !(leaves > 0); l++) t->dangling[l] += (uint64_t)(int64_t)(rank[l] * WFI_PPR_ONE);
}

INLINE void iterate_unit(lanes *b, uint64_t from, uint64_t to, bool weighted, totals *t) {
    for (uint64_t i = from; i < to; i++) {
        weft_vid v = b->reached[i];
        _Alignas(64) wfi_ppr_row rank = {0};
        pull(b, v, weighted, rank);
        finish_row(b, v, rank, t);
        if (i >= b->fresh) reach_from(b, v);
    }
}

/* When an iteration reaches nothing new: sorts the reached vertices if they are many, since rows are faster to read in
 * order. */
static void sort_reached(lanes *b) {
    uint64_t at = 0;
    b->sorted = true;
    if (b->known < b->g->n / MANY) return;
    for (weft_vid v = 0; v < b->g->n; v++) {
        b->reached[at] = v;
        at += b->mark[v] != 0;
    }
}

static void join(totals *all, const totals *mine) {
#pragma omp critical(wfi_ppr_totals)
    for (int l = 0; l < B; l++) {
        all->change[l] += mine->change[l];
        all->dangling[l] += mine->dangling[l];
    }
}

static weft_status iterate(wfi_ppr_lanes *of, wfi_ppr_totals *all) {
    lanes *b = (lanes *)of;
    uint64_t known = b->known;
#pragma omp parallel num_threads(wfi_threads_for(b->ctx, known, SHARE))
    {
        totals mine = {{0}, {0}};
#pragma omp for schedule(dynamic, 1) nowait
        for (uint64_t from = 0; from < known; from += UNIT) {
            uint64_t to = wfi_min_u64(from + UNIT, known);
            if (stops(b)) continue;
            if (b->out_weight)
                iterate_unit(b, from, to, true, &mine);
            else
                iterate_unit(b, from, to, false, &mine);
        }
        join(all, &mine);
    }
    if (atomic_load(&b->stop)) return wfi_fail_cancelled(b->ctx);
    wfi_ppr_row *shares = b->share;
    b->share = b->next;
    b->next = shares;
    b->fresh = known;
    b->known = atomic_load(&b->end);
    if (b->fresh == b->known && !b->sorted) sort_reached(b);
    return WEFT_OK;
}

/* --- seeds ------------------------------------------------------------------------------ */

static weft_status start(wfi_ppr_lanes *of, weft_vid seed) {
    lanes *b = (lanes *)of;
    if (!b->mark[seed]) {
        put_reached(b, &seed, 1);
        b->known++;
        b->sorted = false;
    }
    b->mark[seed] = 2;
    return WEFT_OK;
}

/* When lanes visit much of the graph anyway, seeds start at once; before that they wait until all lanes are idle, so
 * that a round visits only vertices reached by its own seeds. */
static bool waits(const wfi_ppr_lanes *of) {
    const lanes *b = (const lanes *)of;
    return b->known < b->g->n / MUCH;
}

static void forget(wfi_ppr_lanes *of) {
    lanes *b = (lanes *)of;
    clear(b, b->reached, b->known);
}

/* --- best vertices ----------------------------------------------------------------------- */

static void find_best(lanes *b, wfi_ppr_best *best) {
    wfi_best kept = {best->vertex, best->rank, best->most, 0};
    for (uint64_t i = 0; i < b->known; i++) {
        weft_vid v = b->reached[i];
        if (i % LOOK_AFTER == 0 && stops(b)) return;
        double leaves = leaves_of(b, v), x = b->share[v][best->lane] * (leaves > 0 ? leaves : 1);
        if (x > 0) wfi_best_offer(&kept, x, v);
    }
    wfi_best_sort(&kept);
    best->found = kept.count;
}

static weft_status find_all_best(wfi_ppr_lanes *of, wfi_ppr_best *list, unsigned count) {
    lanes *b = (lanes *)of;
#pragma omp parallel for schedule(dynamic, 1) num_threads(wfi_threads_for(b->ctx, b->known *count, 1 << 14))
    for (unsigned i = 0; i < count; i++) find_best(b, &list[i]);
    return atomic_load(&b->stop) ? wfi_fail_cancelled(b->ctx) : WEFT_OK;
}

/* --- the run ---------------------------------------------------------------------------- */

static const wfi_ppr_engine on_cores = {open_lanes, start, iterate, find_all_best, waits, forget};

void wfi_ppr_plan_cpu(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    lanes b;
    wfi_ppr_table t;
    bool transpose = wfi_need_in(&choice->space, ctx, g);
    wfi_ppr_lay_out(&choice->space, g, params, &t);
    lay_out(&choice->space, g, params, &b);
    wfi_ppr_describe_plan(g, params,
                          !g->directed ? "undirected: the rows are their own transpose"
                          : transpose  ? "the rows of incoming arcs will be made"
                                       : "the rows of incoming arcs are available",
                          choice);
}

weft_status wfi_ppr_run_cpu(wfi_job *job) {
    lanes b = {.all = {.engine = &on_cores}, .ctx = job->ctx, .g = job->g};
    wfi_ppr_table t;
    wfi_ppr_lay_out(job->space, job->g, job->params, &t);
    lay_out(job->space, job->g, job->params, &b);
    return wfi_ppr_drive(job, &b.all, &t);
}
