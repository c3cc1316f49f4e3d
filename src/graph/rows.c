/* Rows (CSR) from edges, and the transpose of rows.
 *
 * Method: propagation blocking [1]. Arcs are first scattered into bins of neighbouring rows, through a
 * write-combining cache line per bin; bins are small enough to be radix-sorted by (row, target) inside a core's
 * cache. Parallel arcs are merged, and the rows are copied to their final positions. Every memory stream is
 * sequential; a scatter directly into the rows would miss the cache on nearly every arc.
 * Encoding: an arc in a bin is one key, (row within the bin << target_bits) | target, in 32 bits if that fits.
 * Same result for any number of threads: tasks are runs of pieces in file order, each bin lists task 0's arcs first,
 * and the sort is stable, so that equal keys stay in file order.
 * Bytes per arc, unweighted with 32-bit keys: 4 read (edge), 4+4 bins, 4..12 sort in cache, 4+4 final copy.
 * [1] Beamer, Asanovic, Patterson, "Reducing Pagerank communication via propagation blocking", IPDPS 2017. */
#include "core/memory.h"
#include "core/scan.h"
#include "core/search.h"
#include "core/workspace.h"
#include "graph/build.h"

#include <math.h>
#include <omp.h>
#include <string.h>

enum {
    RADIX_BITS = 11,
    MOST_PASSES = 6,
    INSERTION_BELOW = 48,
    ARCS_PER_BIN = 1 << 15,
    MOST_BINS = 2048,
    STAGE_BYTES = 64,
    SCATTER_POLL = 1 << 12 /* arcs */
};

typedef struct layout {
    unsigned shift, target_bits; /* bin of row u = u >> shift */
    uint64_t row_mask;
    uint64_t row_base; /* vertex of row 0 */
    size_t bins;
    bool mirror, drop_loops;
    bool undirected; /* pairs of vertices are inspected in the row of the smaller one only */
    weft_weight_type type;
    weft_duplicates duplicates;
} layout;

/* Accumulator for the weights of parallel arcs. */
typedef struct merged_weight {
    uint64_t least, most;
    uint64_t whole, count;
    double real;
} merged_weight;

static double value_of(const layout *l, uint64_t bits) {
    uint32_t low = (uint32_t)bits;
    float narrow;
    double wide;
    memcpy(&narrow, &low, sizeof narrow);
    memcpy(&wide, &bits, sizeof wide);
    switch (l->type) {
    case WEFT_WEIGHT_NONE:
    case WEFT_WEIGHT_U32: return low;
    case WEFT_WEIGHT_F32: return (double)narrow;
    case WEFT_WEIGHT_F64: return wide;
    }
    return 0;
}

static merged_weight merge_start(const layout *l, uint64_t bits) {
    return (merged_weight){bits, bits, bits, 1, value_of(l, bits)};
}

static void merge_next(const layout *l, merged_weight *m, uint64_t bits) {
    if (value_of(l, bits) < value_of(l, m->least)) m->least = bits;
    if (value_of(l, bits) > value_of(l, m->most)) m->most = bits;
    m->whole += bits;
    m->count++;
    m->real += value_of(l, bits);
}

/* The sum, or the mean for WEFT_DUPLICATES_MEAN; false on overflow. */
static bool merged_sum(const layout *l, const merged_weight *m, uint64_t *bits) {
    double real = l->duplicates == WEFT_DUPLICATES_MEAN ? m->real / (double)m->count : m->real;
    float sum = (float)real;
    uint32_t narrow;
    memcpy(&narrow, &sum, sizeof sum);
    switch (l->type) {
    case WEFT_WEIGHT_NONE: return true;
    case WEFT_WEIGHT_U32: *bits = m->whole; return m->whole <= UINT32_MAX;
    case WEFT_WEIGHT_F32: *bits = narrow; return isfinite(sum);
    case WEFT_WEIGHT_F64: memcpy(bits, &real, sizeof *bits); return isfinite(real);
    }
    return false;
}

static bool merge_end(const layout *l, const merged_weight *m, uint64_t *bits) {
    switch (l->duplicates) {
    case WEFT_DUPLICATES_MAX: *bits = m->most; return true;
    case WEFT_DUPLICATES_SUM:
    case WEFT_DUPLICATES_COUNT: /* every weight is 1 (build.c) */
    case WEFT_DUPLICATES_MEAN: return merged_sum(l, m, bits);
    case WEFT_DUPLICATES_DROP:
    case WEFT_DUPLICATES_MIN:
    case WEFT_DUPLICATES_REFUSE:
    case WEFT_DUPLICATES_KEEP: break;
    }
    *bits = m->least;
    return true;
}

void wfi_parallel_edges_add(wfi_parallel_edges *to, const wfi_parallel_edges *from) {
    uint64_t pairs = to->pairs + from->pairs;
    if (from->pairs && (!to->pairs || from->first < to->first)) *to = *from;
    to->pairs = pairs;
}

/* Range of the weights of parallel arcs listed in one direction; empty if low > high. */
typedef struct weight_range {
    double low, high;
} weight_range;

static void widen(weight_range *r, double w) {
    if (w < r->low) r->low = w;
    if (w > r->high) r->high = w;
}

static bool differ_within(const weight_range *r) { return r->low < r->high; }
static bool differ_between(const weight_range *a, const weight_range *b) {
    bool both = a->low <= a->high && b->low <= b->high;
    return both && (a->low < b->low || a->low > b->low || a->high < b->high || a->high > b->high);
}

static inline size_t digit_of(uint64_t key, unsigned from, unsigned to) {
    return (size_t)(key >> from) & (((size_t)1 << (to - from)) - 1);
}

static void places_from_counts(size_t *place, unsigned bits) {
    size_t sum = 0;
    for (size_t d = 0; d < (size_t)1 << bits; d++) {
        size_t here = place[d];
        place[d] = sum;
        sum += here;
    }
}

/* One build: its tasks, and the number of arcs of each task for each bin. */
typedef struct job {
    weft_ctx *ctx;
    layout l;
    const struct kernels *k;
    size_t tasks;
    uint64_t *cursor; /* [task][bin]: counts, then first positions */
    uint64_t *start;  /* bins + 1 */
    size_t *left;     /* arcs per bin after merging */
    void *bins;
    unsigned sort_from; /* keys are already sorted by the bits below this */
} job;

static uint64_t *cursor_of(const job *j, size_t task) { return j->cursor + task * j->l.bins; }

/* The loops of rows_kernel.h for one kind of arc: scatter pieces or rows [from, to) to the bins of a task; sort and
 * merge a bin; copy a bin to its rows. */
typedef struct kernels {
    size_t arc_bytes;
    weft_status (*scatter_pieces)(const job *j, const wfi_edges *edges, size_t from, size_t to, size_t task);
    weft_status (*scatter_rows)(const job *j, const wfi_view *rows, weft_vid from, weft_vid to, size_t task);
    weft_status (*sort_and_merge)(const job *j, size_t bin, void *spare, uint64_t *degrees, wfi_row_counts *counts);
    void (*place)(const job *j, size_t bin, const wfi_view *rows, weft_eid to);
} kernels;

#define ARC        uint32_t
#define BITS       uint32_t
#define KEY(a)     ((uint64_t)(a))
#define BACK       0u
#define IS_BACK(a) ((void)(a), false)
#define MAKE(k, w) ((void)(w), (uint32_t)(k))
#define WEIGHT(a)  ((void)(a), 0u)
#define KERNEL(f)  short_##f
#include "graph/rows_kernel.h"

#define ARC        uint64_t
#define BITS       uint32_t
#define KEY(a)     (a)
#define BACK       0u
#define IS_BACK(a) ((void)(a), false)
#define MAKE(k, w) ((void)(w), (k))
#define WEIGHT(a)  ((void)(a), 0u)
#define KERNEL(f)  long_##f
#include "graph/rows_kernel.h"

/* Key bit of a weighted arc: the edge is undirected and was listed from the target to the row. */
#define LISTED_BACK ((uint64_t)1 << 63)

typedef struct __attribute__((packed, aligned(4))) weighted_arc {
    uint64_t key;
    uint32_t weight;
} weighted_arc;
#define ARC        weighted_arc
#define BITS       uint32_t
#define KEY(a)     ((a).key & ~LISTED_BACK)
#define BACK       LISTED_BACK
#define IS_BACK(a) ((a).key >> 63)
#define MAKE(k, w) ((weighted_arc){(k), (w)})
#define WEIGHT(a)  ((a).weight)
#define KERNEL(f)  weighted_##f
#include "graph/rows_kernel.h"

typedef struct double_arc {
    uint64_t key, weight;
} double_arc;
#define ARC        double_arc
#define BITS       uint64_t
#define KEY(a)     ((a).key & ~LISTED_BACK)
#define BACK       LISTED_BACK
#define IS_BACK(a) ((a).key >> 63)
#define MAKE(k, w) ((double_arc){(k), (w)})
#define WEIGHT(a)  ((a).weight)
#define KERNEL(f)  double_##f
#include "graph/rows_kernel.h"

/* Layout for `rows` rows of a graph of n vertices. */
static layout layout_of_rows(weft_vid rows, weft_vid n, uint64_t arcs, weft_weight_type type) {
    layout l = {.target_bits = n > 1 ? wfi_bits(n - 1) : 1, .type = type};
    uint64_t wanted = wfi_min_u64(arcs / ARCS_PER_BIN + 1, MOST_BINS);
    while (rows && (uint64_t)(rows - 1) >> l.shift >= wanted && l.shift + l.target_bits < 63)
        l.shift++; /* the key's highest bit is LISTED_BACK */
    l.bins = rows ? (size_t)((rows - 1) >> l.shift) + 1 : 1;
    l.row_mask = ((uint64_t)1 << l.shift) - 1;
    return l;
}

static layout choose_layout(weft_vid n, uint64_t arcs, weft_weight_type type) {
    return layout_of_rows(n, n, arcs, type);
}

static const kernels *choose_kernels(const layout *l) {
    if (l->type != WEFT_WEIGHT_NONE) return wfi_weight_bytes(l->type) == 8 ? &double_table : &weighted_table;
    return l->shift + l->target_bits <= 32 ? &short_table : &long_table;
}

static weft_status job_open(job *j, size_t tasks) {
    j->tasks = tasks;
    if (wfi_alloc_zeroed(j->ctx, &j->cursor, tasks * j->l.bins) || wfi_alloc(j->ctx, &j->start, j->l.bins + 1) ||
        wfi_alloc(j->ctx, &j->left, j->l.bins))
        return WEFT_ENOMEM;
    return WEFT_OK;
}

static void job_close(job *j) { WFI_FREE(j->cursor, j->start, j->left, j->bins); }

/* Turns counts into positions: by bin, then by task. */
static weft_status job_allot(job *j) {
    uint64_t sum = 0;
    for (size_t b = 0; b < j->l.bins; b++) {
        j->start[b] = sum;
        for (size_t t = 0; t < j->tasks; t++) {
            uint64_t *c = &j->cursor[t * j->l.bins + b], here = *c;
            *c = sum;
            sum += here;
        }
    }
    j->start[j->l.bins] = sum;
    j->bins = wfi_take(j->ctx, (size_t)sum, j->k->arc_bytes);
    if (!j->bins) return WEFT_ENOMEM;
    /* Prefaults: otherwise the first arcs of all bins would fault in all pages without a poll. */
    wfi_touch(j->ctx, &(wfi_span){j->bins, (size_t)sum * j->k->arc_bytes}, 1);
    return WEFT_OK;
}

/* Sorts and merges every bin; sets degrees[v] for all rows. */
static weft_status merge_bins(job *j, weft_vid n, uint64_t *degrees, wfi_row_counts *counts) {
    _Atomic int status = WEFT_OK;
    uint64_t arcs = 0, loops = 0, duplicate_arcs = 0, duplicate_loops = 0;
#pragma omp parallel num_threads(wfi_threads_for(j->ctx, j->l.bins, 1)) reduction(+ : arcs, loops, duplicate_arcs, duplicate_loops)
    {
        void *spare = NULL;
        size_t spare_capacity = 0;
        wfi_row_counts mine = {0};
#pragma omp for schedule(dynamic, 1)
        for (size_t b = 0; b < j->l.bins; b++) {
            if (atomic_load(&status)) continue;
            size_t count = (size_t)(j->start[b + 1] - j->start[b]);
            weft_vid first = (weft_vid)((uint64_t)b << j->l.shift);
            uint64_t rows = wfi_min_u64((uint64_t)n - first, j->l.row_mask + 1);
            memset(degrees + first, 0, rows * sizeof *degrees);
            if (count > spare_capacity) {
                wfi_free(spare);
                spare = wfi_take(j->ctx, count, j->k->arc_bytes);
                spare_capacity = spare ? count : 0;
            }
            weft_status st = count > spare_capacity ? WEFT_ENOMEM : j->k->sort_and_merge(j, b, spare, degrees, &mine);
            if (!st && wfi_cancelled(j->ctx)) st = wfi_fail_cancelled(j->ctx);
            wfi_keep_status(&status, st);
            if (!st) arcs += j->left[b];
            if (omp_get_thread_num() == 0) wfi_progress(j->ctx, "sorting rows", b, j->l.bins);
        }
        wfi_free(spare);
        loops += mine.loops;
        duplicate_arcs += mine.duplicate_arcs;
        duplicate_loops += mine.duplicate_loops;
#pragma omp critical(wfi_parallel_edges)
        {
            wfi_parallel_edges_add(&counts->repeated, &mine.repeated);
            wfi_parallel_edges_add(&counts->parallel, &mine.parallel);
            wfi_parallel_edges_add(&counts->opposite, &mine.opposite);
        }
    }
    counts->arcs = arcs;
    counts->loops = loops;
    counts->duplicate_arcs = duplicate_arcs;
    counts->duplicate_loops = duplicate_loops;
    return (weft_status)atomic_load(&status);
}

static bool stopped(weft_ctx *ctx, _Atomic int *status) {
    if (wfi_cancelled(ctx)) wfi_keep_status(status, wfi_fail_cancelled(ctx));
    return atomic_load(status) != WEFT_OK;
}

/* Copies merged bins to the graph's arrays. Short arcs without any merged ones are already in the layout of targets:
 * the bins become the targets. */
static weft_status emit_rows(job *j, weft_vid n, weft_eid arcs, wfi_view *rows) {
    if (j->k == &short_table && arcs == j->start[j->l.bins]) {
        rows->targets = j->bins;
    } else if (wfi_alloc(j->ctx, &rows->targets, (size_t)arcs)) {
        return WEFT_ENOMEM;
    }
    _Atomic int status = WEFT_OK;
    if (j->l.type != WEFT_WEIGHT_NONE) {
        rows->weights = wfi_take(j->ctx, (size_t)arcs, wfi_weight_bytes(j->l.type));
        if (!rows->weights) return WEFT_ENOMEM;
    }
#pragma omp parallel for schedule(dynamic, 4) num_threads(wfi_threads_for(j->ctx, j->l.bins, 1))
    for (size_t b = 0; b < j->l.bins; b++) {
        if (stopped(j->ctx, &status)) continue;
        uint64_t first = (uint64_t)b << j->l.shift;
        weft_eid to = first < n ? rows->offsets[first] : arcs;
        j->k->place(j, b, rows, to);
    }
    if (rows->targets == j->bins) j->bins = NULL;
    return (weft_status)atomic_load(&status);
}

static weft_status job_finish(job *j, weft_vid n, wfi_view *rows, wfi_row_counts *counts) {
    weft_eid *offsets;
    weft_status st = wfi_alloc(j->ctx, &offsets, (size_t)n + 1);
    rows->offsets = offsets;
    if (!st) st = merge_bins(j, n, offsets, counts);
    if (!st) wfi_exclusive_scan(j->ctx, offsets, n);
    if (!st) st = emit_rows(j, n, counts->arcs, rows);
    return st;
}

static void rows_discard(wfi_view *rows) {
    WFI_FREE(rows->offsets, rows->targets, rows->weights);
    rows->offsets = NULL;
    rows->targets = NULL;
    rows->weights = NULL;
}

/* --- in tasks -------------------------------------------------------------- */

static void free_pieces(wfi_edges *edges) {
    for (size_t i = 0; i < edges->count; i++) {
        wfi_piece *p = &edges->pieces[i];
        WFI_FREE(p->narrow, p->weights, p->back);
        p->narrow = NULL;
        p->weights = NULL;
        p->back = NULL;
    }
}

/* Input: pieces of edges, or the rows of the other direction. */
typedef struct material {
    wfi_edges *edges;
    const wfi_view *rows;     /* NULL if there are edges */
    size_t *first;            /* task t has the pieces, or rows, first[t] ... first[t + 1] - 1 */
    _Atomic uint64_t dropped; /* number of dropped loops */
} material;

static weft_status count_pieces(const job *j, material *m, size_t task) {
    const layout *l = &j->l;
    uint64_t dropped = 0, *bins = cursor_of(j, task);
    for (size_t i = m->first[task]; i < m->first[task + 1]; i++) {
        const uint32_t *ends = m->edges->pieces[i].narrow;
        for (uint64_t k = 0; k < m->edges->pieces[i].count; k++) {
            if (k % WFI_POLL_EVERY == 0 && wfi_cancelled(j->ctx)) return wfi_fail_cancelled(j->ctx);
            uint32_t u = ends[2 * k], v = ends[2 * k + 1];
            if (u == v && l->drop_loops) {
                dropped++;
                continue;
            }
            bins[u >> l->shift]++;
            if (l->mirror && u != v) bins[v >> l->shift]++;
        }
    }
    atomic_fetch_add(&m->dropped, dropped);
    return WEFT_OK;
}

static weft_status count_targets(const job *j, material *m, size_t task) {
    const wfi_view *rows = m->rows;
    uint64_t *bins = cursor_of(j, task);
    weft_eid to = rows->offsets[m->first[task + 1]];
    for (weft_eid e = rows->offsets[m->first[task]]; e < to;) {
        if (wfi_cancelled(j->ctx)) return wfi_fail_cancelled(j->ctx);
        for (weft_eid stop = wfi_min_u64(e + WFI_POLL_EVERY, to); e < stop; e++) bins[rows->targets[e] >> j->l.shift]++;
    }
    return WEFT_OK;
}

static weft_status scatter(const job *j, material *m, size_t task) {
    size_t from = m->first[task], to = m->first[task + 1];
    return m->edges ? j->k->scatter_pieces(j, m->edges, from, to, task)
                    : j->k->scatter_rows(j, m->rows, (weft_vid)from, (weft_vid)to, task);
}

static weft_status each_task(const job *j, material *m, weft_status (*run)(const job *j, material *m, size_t task)) {
    _Atomic int status = WEFT_OK, done = 0;
#pragma omp parallel num_threads((int)j->tasks)
    {
#pragma omp for schedule(static, 1) nowait
        for (size_t t = 0; t < j->tasks; t++) wfi_keep_status(&status, run(j, m, t));
        wfi_share_done(j->ctx, &done);
    }
    return (weft_status)atomic_load(&status);
}

/* Makes n rows by the job's layout. st: status of opening the job and assigning tasks. */
static weft_status make_rows(job *j, weft_status st, material *m, weft_vid n, wfi_view *rows, wfi_row_counts *counts) {
    if (!st) wfi_progress(j->ctx, m->edges ? "building rows" : "transposing", 0, 0);
    if (!st) st = each_task(j, m, m->edges ? count_pieces : count_targets);
    if (!st) st = job_allot(j);
    if (!st) st = each_task(j, m, scatter);
    if (!st && m->edges) free_pieces(m->edges);
    if (!st) st = job_finish(j, n, rows, counts);
    counts->loops_dropped = atomic_load(&m->dropped);
    if (st) rows_discard(rows);
    wfi_free(m->first);
    job_close(j);
    return st;
}

/* --- from edges ----------------------------------------------------------- */

/* Splits the pieces into runs of about equal numbers of edges: task t gets first[t] ... first[t+1] - 1. */
static weft_status share_pieces(weft_ctx *ctx, const wfi_edges *edges, size_t tasks, size_t **first) {
    if (wfi_alloc(ctx, first, tasks + 1)) return WEFT_ENOMEM;
    uint64_t total = wfi_edges_total(edges), seen = 0;
    size_t piece = 0;
    for (size_t t = 0; t < tasks; t++) {
        (*first)[t] = piece;
        uint64_t goal = (uint64_t)((double)total * (double)(t + 1) / (double)tasks);
        while (piece < edges->count && (seen < goal || t + 1 == tasks)) seen += edges->pieces[piece++].count;
    }
    (*first)[tasks] = edges->count;
    return WEFT_OK;
}

static weft_status rows_of_edges(weft_ctx *ctx, wfi_edges *edges, weft_vid n, const layout *l, wfi_view *rows,
                                 wfi_row_counts *counts) {
    job j = {.ctx = ctx, .l = *l, .k = choose_kernels(l)};
    material m = {.edges = edges};
    *counts = (wfi_row_counts){0};
    weft_status st = job_open(&j, (size_t)wfi_threads_for(ctx, edges->count, 1));
    if (!st) st = share_pieces(ctx, edges, j.tasks, &m.first);
    return make_rows(&j, st, &m, n, rows, counts);
}

weft_status wfi_rows_from_edges(weft_ctx *ctx, wfi_edges *edges, const wfi_row_plan *plan, wfi_view *rows,
                                wfi_row_counts *counts) {
    const wfi_build *build = plan->build;
    uint64_t total = wfi_edges_total(edges);
    bool mirror = wfi_build_mirrors(build);
    layout l = choose_layout(plan->n, mirror ? 2 * total : total, plan->type);
    l.mirror = mirror;
    l.undirected = !build->directed;
    l.drop_loops = build->params.loops == WEFT_LOOPS_DROP;
    l.duplicates = build->params.duplicates;
    *rows = wfi_view_of(plan->n, plan->type);
    return rows_of_edges(ctx, edges, plan->n, &l, rows, counts);
}

weft_status wfi_rows_from_arcs(weft_ctx *ctx, wfi_edges *arcs, const wfi_row_plan *plan, wfi_view *rows,
                               wfi_row_counts *counts) {
    layout l = layout_of_rows(plan->end - plan->first, plan->n, wfi_edges_total(arcs), plan->type);
    l.row_base = plan->first;
    l.undirected = !plan->build->directed;
    l.duplicates = plan->build->params.duplicates;
    *rows = (wfi_view){.first = plan->first, .count = plan->end - plan->first, .n = plan->n, .type = plan->type};
    return rows_of_edges(ctx, arcs, plan->end - plan->first, &l, rows, counts);
}

/* --- transpose -------------------------------------------------------------- */

weft_status wfi_transpose(weft_ctx *ctx, weft_vid n, weft_eid arcs, weft_weight_type type, const wfi_view *rows,
                          wfi_view *out) {
    job j = {.ctx = ctx, .l = choose_layout(n, arcs, type)};
    material m = {.rows = rows};
    wfi_row_counts counts = {0};
    *out = wfi_view_of(n, type);
    j.l.duplicates = WEFT_DUPLICATES_KEEP;
    j.k = choose_kernels(&j.l);
    j.sort_from = j.l.target_bits; /* sources arrive in ascending order */
    weft_status st = job_open(&j, (size_t)wfi_threads_for(ctx, arcs, ARCS_PER_BIN));
    if (!st) st = wfi_alloc(ctx, &m.first, j.tasks + 1);
    for (size_t t = 1; t < j.tasks && !st; t++) /* first row that begins at or after the task's share of arcs */
        m.first[t] = wfi_lower_bound_u64(rows->offsets, 0, n, (weft_eid)((double)arcs * (double)t / (double)j.tasks));
    if (!st) m.first[0] = 0, m.first[j.tasks] = n;
    return make_rows(&j, st, &m, n, out, &counts);
}

uint64_t wfi_rows_bytes(weft_vid n, weft_eid arcs, weft_weight_type type) {
    uint64_t weights = type == WEFT_WEIGHT_NONE ? 0 : wfi_taken_bytes(wfi_weight_bytes(type) * arcs);
    return wfi_taken_bytes(8 * ((uint64_t)n + 1)) + wfi_taken_bytes(4 * arcs) + weights;
}

uint64_t wfi_transpose_bytes(const weft_ctx *ctx, weft_vid n, weft_eid arcs, weft_weight_type type) {
    layout l = choose_layout(n, arcs, type);
    const kernels *k = choose_kernels(&l);
    uint64_t tasks = (uint64_t)wfi_threads_for(ctx, arcs, ARCS_PER_BIN),
             threads = (uint64_t)wfi_threads_for(ctx, l.bins, 1);
    uint64_t rows = wfi_rows_bytes(n, arcs, type), bins = wfi_taken_bytes(k->arc_bytes * arcs),
             none = wfi_taken_bytes(0);
    /* cursor, start, left, first; the sums of a scan */
    uint64_t tables = 5 * none + 8 * (tasks + 2) * (l.bins + 1) + 8 * (tasks + 1) + 8 * threads;
    uint64_t lines = tasks * (2 * none + (STAGE_BYTES + 4) * (uint64_t)l.bins); /* stage and filled of each writer */
    /* Sorting needs a copy of a bin per thread; the sizes of the largest bins are unknown here, so all arcs count. */
    uint64_t offsets = wfi_taken_bytes(8 * ((uint64_t)n + 1));
    uint64_t merging = offsets + bins + threads * none + k->arc_bytes * arcs;
    uint64_t copying = k == &short_table ? rows : rows + bins;
    return tables + wfi_max_u64(wfi_max_u64(bins + lines, merging), copying);
}
