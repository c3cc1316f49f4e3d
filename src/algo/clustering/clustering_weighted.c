/* clustering with weights, on CPU cores [1]: instead of 1, each triangle counts as the geometric mean of its three
 * weights, divided by the largest weight of the graph.  In a directed graph a side has the sum of the cube roots of its
 * weights both ways, which makes Fagiolo's weighted triangles [2].  Parallel arcs are one, with the sum of their
 * weights.
 * Method: the neighbours of each vertex are copied once, ascending, each with its cube root; for each edge the entries
 * of the shorter of the two rows are looked up in the longer one by galloping search.  Every corner finds its triangles
 * by itself and adds them in the order of its row, in f64: so the bits do not depend on threads.
 * [1] Onnela, Saramaki, Kertesz, Kaski, "Intensity and coherence of motifs in weighted complex networks",
 *     Phys. Rev. E 71, 2005.
 * [2] Fagiolo, "Clustering in complex directed networks", Phys. Rev. E 76, 2007. */
#include "algo/clustering/clustering.h"
#include "core/search.h"
#include "graph/rows.h"

#include <stdio.h>

enum { SHARE = 1 << 12, ROWS_AT_ONCE = 64, PATIENCE = 1 << 18 };

typedef struct weighted {
    weft_ctx *ctx;
    const weft_graph *g;
    double *column;
    uint64_t *offsets; /* n + 1: of the neighbours of each vertex */
    weft_vid *targets;
    double *root;
    uint32_t *both; /* neighbours by arcs there and back; NULL: undirected */
    double largest;
    bool stop; /* atomic */
} weighted;

static void lay_out(wfi_workspace *w, const weft_graph *g, weighted *a) {
    uint64_t most = g->directed ? 2 * g->arcs : g->arcs;
    wfi_column(w, "coefficient", WEFT_F64, g->n, &a->column);
    wfi_array(w, &a->offsets, (uint64_t)g->n + 1);
    wfi_array_within(w, &a->targets, most);
    wfi_array_within(w, &a->root, most);
    a->both = NULL;
    if (g->directed) wfi_array(w, &a->both, g->n);
}

void wfi_clustering_plan_weighted(const weft_ctx *ctx, const weft_graph *g, wfi_choice *choice) {
    weighted a;
    bool transpose = wfi_need_in(&choice->space, ctx, g);
    choice->method = WFI_CLUSTERING_WEIGHTED;
    snprintf(choice->reason, sizeof choice->reason, "the neighbours of each vertex are copied with their cube roots%s",
             transpose ? "; the transpose is built first" : "");
    lay_out(&choice->space, g, &a);
}

static bool stops(weighted *a) {
    if (wfi_cancelled(a->ctx)) __atomic_store_n(&a->stop, true, __ATOMIC_RELAXED);
    return __atomic_load_n(&a->stop, __ATOMIC_RELAXED);
}

static weft_status refuse_negative(weighted *a) {
    const wfi_view *out = &a->g->out;
    weft_eid first = a->g->arcs;
#pragma omp parallel for schedule(static) reduction(min \
                                                    : first) num_threads(wfi_threads_for(a->ctx, a->g->arcs, 1 << 16))
    for (weft_eid e = 0; e < a->g->arcs; e++)
        if (wfi_weight_at(a->g->weight_type, out->weights, e) < 0 && e < first) first = e;
    return first < a->g->arcs ? wfi_refuse_weight(a->ctx, "clustering", a->g, first) : WEFT_OK;
}

/* The cube root of x in 0 ... 1, by Newton's method from a third of the exponent: without libm, so the same
 * everywhere. */
static double cube_root(double x) {
    union {
        double real;
        uint64_t bits;
    } guess = {x};
    if (!(x > 0)) return 0;
    if (x < 0x1p-900) return cube_root(x * 0x1p600) * 0x1p-200;
    guess.bits = guess.bits / 3 + UINT64_C(0x2a9f7893782da1ce);
    double y = guess.real;
    for (int i = 0; i < 5; i++) y = (2 * y + x / (y * y)) / 3;
    return y;
}

/* The sum of the weights of a row's arcs to one target, from *e on; *e moves behind them. */
static double take_parallel(const wfi_view *rows, weft_eid *e, weft_eid end, weft_vid target) {
    double sum = 0;
    for (; *e < end && rows->targets[*e] == target; ++*e) sum += wfi_weight_at(rows->type, rows->weights, *e);
    return sum;
}

/* The neighbours of v other than v: written to the arrays (fill), or counted together with the largest weight. */
static uint32_t merge_row(weighted *a, weft_vid v, bool fill, double *largest) {
    const weft_graph *g = a->g;
    const wfi_view *out = &g->out, *in = g->directed ? &g->in : NULL;
    weft_eid i = out->offsets[v], i_end = out->offsets[v + 1], j = in ? in->offsets[v] : 0,
             j_end = in ? in->offsets[v + 1] : 0;
    uint32_t count = 0, both = 0;
    while (i < i_end || j < j_end) {
        weft_vid x = i < i_end ? out->targets[i] : WEFT_NO_VERTEX, y = j < j_end ? in->targets[j] : WEFT_NO_VERTEX;
        weft_vid t = x < y ? x : y;
        double there = take_parallel(out, &i, i_end, t), back = in ? take_parallel(in, &j, j_end, t) : 0;
        if (!fill) *largest = there > *largest ? there : *largest;
        if (t == v) continue;
        both += x == y;
        if (fill) {
            a->targets[a->offsets[v] + count] = t;
            a->root[a->offsets[v] + count] = cube_root(there / a->largest) + (in ? cube_root(back / a->largest) : 0);
        }
        count++;
    }
    if (a->both) a->both[v] = both;
    return count;
}

/* All rows, counted or filled. */
static weft_status merge_rows(weighted *a, bool fill) {
    weft_vid n = a->g->n;
    double largest = 0;
#pragma omp parallel for schedule(dynamic, ROWS_AT_ONCE) reduction(max        \
                                                                   : largest) \
    num_threads(wfi_threads_for(a->ctx, n + a->g->arcs, SHARE))
    for (weft_vid v = 0; v < n; v++) {
        if (v % ROWS_AT_ONCE == 0) stops(a);
        if (__atomic_load_n(&a->stop, __ATOMIC_RELAXED)) continue;
        uint32_t count = merge_row(a, v, fill, &largest);
        if (!fill) a->offsets[v + 1] = count;
    }
    if (__atomic_load_n(&a->stop, __ATOMIC_RELAXED)) return wfi_fail_cancelled(a->ctx);
    if (fill) return WEFT_OK;
    a->largest = largest;
    a->offsets[0] = 0;
    for (weft_vid v = 0; v < n; v++) a->offsets[v + 1] += a->offsets[v];
    return WEFT_OK;
}

/* The first position from `at` on with a target >= t. */
static uint64_t seek(const weft_vid *targets, uint64_t at, uint64_t end, weft_vid t) {
    uint64_t step = 1;
    while (step < end - at && targets[at + step] < t) {
        at += step;
        step *= 2;
    }
    uint64_t high = end - at < step ? end : at + step;
    WFI_BISECT(at, high, middle, targets[middle] < t);
    return at;
}

/* The sum over the triangles of v with the neighbour at place i and a later one. */
static double sum_beyond(const weighted *a, weft_vid v, uint64_t i, uint64_t *found) {
    const weft_vid *t = a->targets, j = t[i];
    uint64_t x = i + 1, x_end = a->offsets[v + 1];
    uint64_t y_end = a->offsets[j + 1], y = seek(t, a->offsets[j], y_end, j + 1);
    bool mine = x_end - x < y_end - y; /* iterate over the shorter row */
    double sum = 0;
    while (x < x_end && y < y_end) {
        if (mine)
            y = seek(t, y, y_end, t[x]);
        else
            x = seek(t, x, x_end, t[y]);
        if (x < x_end && y < y_end && t[x] == t[y]) {
            sum += a->root[x] * a->root[y];
            ++*found;
            x++;
            y++;
        } else if (mine) {
            x++;
        } else {
            y++;
        }
    }
    return sum * a->root[i];
}

static double coefficient(weighted *a, weft_vid v, uint64_t *found) {
    uint64_t degree = a->offsets[v + 1] - a->offsets[v], both = a->both ? a->both[v] : 0, ends = degree + both,
             work = 0;
    double sum = 0;
    for (uint64_t i = a->offsets[v]; i + 1 < a->offsets[v + 1]; i++) {
        sum += sum_beyond(a, v, i, found);
        work += 16 + (a->offsets[v + 1] - i);
        if (work < PATIENCE) continue;
        work = 0;
        if (stops(a)) break;
    }
    double pairs = a->both ? (double)(ends * (ends - 1) - 2 * both) : (double)(degree * (degree - 1)) / 2;
    return sum > 0 ? sum / pairs : 0;
}

weft_status wfi_clustering_run_weighted(wfi_job *job) {
    weighted a = {.ctx = job->ctx, .g = job->g};
    weft_vid n = job->g->n;
    uint64_t upper = 0, lower = 0, wedges = 0, triangles = 0;
    lay_out(job->space, job->g, &a);
    weft_status st = job->space->status;
    if (!st) st = refuse_negative(&a);
    if (!st) st = merge_rows(&a, false);
    if (!st) st = merge_rows(&a, true);
    if (st) return st;
    int threads = wfi_threads_for(a.ctx, n + job->g->arcs, SHARE);
#pragma omp parallel num_threads(threads) reduction(+ : upper, lower, wedges, triangles)
    {
        wfi_clustering_totals mine = {0, 0, 0, 0};
#pragma omp for schedule(dynamic, ROWS_AT_ONCE)
        for (weft_vid v = 0; v < n; v++) {
            if (v % ROWS_AT_ONCE == 0) stops(&a);
            if (__atomic_load_n(&a.stop, __ATOMIC_RELAXED)) continue;
            a.column[v] = coefficient(&a, v, &mine.triangles);
            wfi_clustering_add(&mine, a.column[v], a.offsets[v + 1] - a.offsets[v]);
        }
        upper += mine.upper, lower += mine.lower, wedges += mine.wedges, triangles += mine.triangles;
    }
    if (a.stop) return wfi_fail_cancelled(a.ctx);
    wfi_clustering_totals totals = {triangles / 3, wedges, upper, lower};
    return wfi_clustering_scalars(a.ctx, n, &totals, job->result);
}
