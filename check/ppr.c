/* ppr: rows are in order, and the ranks of each seed are recomputed by power iteration, pushed along the outgoing
 * arcs in f64, with an error bound of its own. No rank may differ by more than both errors, and no vertex without a
 * row may exceed the last row by more than that. Of many seeds an even sample is checked. */
#include "weft/ppr.h"
#include "checks.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Limit of the arcs visited by iterations, and minimum number of seeds checked. */
static const double MOST_ARCS = 3e8;
enum { LEAST_SEEDS = 2, MOST_STEPS = 20000 };

typedef struct recomputation {
    const weft_graph *g;
    weft_csr out;
    const weft_ppr_params *p;
    check_watch *watch;
    const weft_vid *seeds; /* as given, or the default seed */
    uint64_t seed_count;
    const weft_vid *seed, *vertex; /* the table */
    const double *rank;
    size_t rows;
    double error; /* as reported */
    double *now, *next, *leaves;
    size_t *row; /* row + 1 of each vertex for the current seed; 0: none */
    double spent;
} recomputation;

static int fail(recomputation *a, const char *what, weft_vid seed, weft_vid v, double got, double want) {
    return check_wrong(a->watch, "seed %s, vertex %s: %s: %.17g, computed %.17g", check_id(a->g, seed).text,
                       check_id(a->g, v).text, what, got, want);
}

static double weight_of(const recomputation *a, weft_eid e) {
    return a->p->weights ? check_weight(a->g, &a->out, e) : 1;
}

/* next = (1 - d) e + d (P now + dangling e); returns the L1 change. */
static double step(recomputation *a, weft_vid seed) {
    double d = a->p->damping, change = 0, dangling = 0;
    weft_vid n = a->out.vertices;
    memset(a->next, 0, n * sizeof *a->next);
    for (weft_vid u = 0; u < n && !check_stops(a->watch, u); u++) {
        if (!(a->now[u] > 0)) continue;
        if (!(a->leaves[u] > 0)) dangling += a->now[u];
        for (weft_eid e = a->out.offsets[u]; a->leaves[u] > 0 && e < a->out.offsets[u + 1]; e++)
            a->next[a->out.targets[e]] += d * a->now[u] * (weight_of(a, e) / a->leaves[u]);
    }
    a->next[seed] += 1 - d + d * dangling;
    for (weft_vid v = 0; v < n; v++) change += fabs(a->next[v] - a->now[v]);
    double *then = a->now;
    a->now = a->next;
    a->next = then;
    a->spent += (double)a->out.arcs + n;
    return change;
}

/* Sets a->now to the ranks of the seed. Returns a bound of their error. */
static double solve(recomputation *a, weft_vid seed) {
    double d = a->p->damping, enough = fmax(1e-3 * a->error, 1e-14), off = (double)INFINITY;
    memset(a->now, 0, a->out.vertices * sizeof *a->now);
    a->now[seed] = 1;
    for (uint64_t i = 0; i < MOST_STEPS && off > enough && !a->watch->stopped; i++) off = d / (1 - d) * step(a, seed);
    return off + 1e-12; /* rounding of sums */
}

/* Checks the rows from ... end - 1 of this seed. */
static int ranks_right(recomputation *a, weft_vid seed, size_t from, size_t end) {
    double last = end - from < a->p->per_seed ? 0 : a->rank[end - 1], off = solve(a, seed), slack = a->error + off;
    for (size_t i = from; i < end; i++)
        if (!(fabs(a->rank[i] - a->now[a->vertex[i]]) <= slack))
            return fail(a, "the rank is off by more than the error", seed, a->vertex[i], a->rank[i],
                        a->now[a->vertex[i]]);
    for (weft_vid v = 0; v < a->out.vertices; v++)
        if (!a->row[v] && a->now[v] > last + slack)
            return fail(a, "it has no row, but precedes the last row", seed, v, last, a->now[v]);
    return 1;
}

/* Rows of one seed: distinct vertices, descending ranks, ascending vertices of equal rank. */
static int order_right(recomputation *a, weft_vid seed, size_t from, size_t end) {
    int right = 1;
    for (size_t i = from; i < end && right; i++) {
        weft_vid v = a->vertex[i];
        if (v >= a->out.vertices || a->row[v])
            right = fail(a, "not a vertex, or a vertex with two rows", seed, 0, v, 0);
        if (right) a->row[v] = i + 1;
        if (right && !(a->rank[i] > 0 && a->rank[i] <= 1 + 1e-9))
            right = fail(a, "the rank does not lie between 0 and 1", seed, v, a->rank[i], 0);
        if (!right || i == from) continue;
        if (a->rank[i] > a->rank[i - 1] || (a->rank[i] == a->rank[i - 1] && v < a->vertex[i - 1]))
            right = fail(a, "the row comes too late", seed, v, a->rank[i], a->rank[i - 1]);
    }
    return right;
}

/* The end of the rows of the seed that begins at `from`. The same seed may follow itself: then a vertex repeats, or
 * there are more rows than a seed can have. */
static size_t rows_end(const recomputation *a, uint64_t i, size_t from) {
    size_t end = from;
    while (end < a->rows && end - from < a->p->per_seed && a->seed[end] == a->seeds[i]) {
        if (end > from && a->vertex[end] == a->vertex[from]) break;
        end++;
    }
    return end;
}

static int compare(recomputation *a) {
    size_t from = 0;
    uint64_t checked = 0, most = (uint64_t)(MOST_ARCS / 30 / ((double)a->out.arcs + a->out.vertices + 1));
    if (most < LEAST_SEEDS) most = LEAST_SEEDS;
    if (most > a->seed_count) most = a->seed_count;
    for (uint64_t i = 0; i < a->seed_count && !a->watch->stopped; i++) {
        size_t end = rows_end(a, i, from);
        int right = order_right(a, a->seeds[i], from, end);
        int chosen = i * most / a->seed_count != (i + 1) * most / a->seed_count; /* evenly spaced */
        if (right && chosen && a->p->damping < 1 && (checked < LEAST_SEEDS || a->spent < MOST_ARCS)) {
            right = ranks_right(a, a->seeds[i], from, end);
            checked++;
        }
        for (size_t r = from; r < end; r++)
            if (a->vertex[r] < a->out.vertices) a->row[a->vertex[r]] = 0;
        if (!right) return 0;
        from = end;
    }
    if (a->watch->stopped) return 0;
    if (from < a->rows) return fail(a, "a row without a seed", a->seed[from], a->vertex[from], a->rank[from], 0);
    return check_right(a->watch, "ranks of %s%" PRIu64 " seed%s computed again, to %.3g",
                       checked == a->seed_count ? "all " : "", checked, checked == 1 ? "" : "s", a->error);
}

/* Checks the scalars. */
static int scalars_right(recomputation *a, const weft_result *result) {
    const weft_scalar *seeds = weft_result_scalar(result, "seeds"), *residual = weft_result_scalar(result, "residual"),
                      *iterations = weft_result_scalar(result, "iterations"),
                      *error = weft_result_scalar(result, "error");
    const weft_ppr_params *p = a->p;
    uint64_t most = p->iterations ? p->iterations : p->max_iterations;
    if (!seeds || !iterations || !residual || !error) return check_wrong(a->watch, "a scalar is missing");
    a->error = error->value.f64;
    int right = seeds->value.u64 == a->seed_count && iterations->value.u64 <= most &&
                (!p->iterations || !a->seed_count || iterations->value.u64 == most);
    right = right && residual->value.f64 >= 0 && residual->value.f64 <= 2 &&
            (p->iterations || iterations->value.u64 == most || residual->value.f64 <= p->tolerance);
    right = right && (!a->seed_count || p->damping == 1 ||
                      a->error * (1 - p->damping) >= p->damping * residual->value.f64 * (1 - 1e-12));
    return right ||
           check_wrong(a->watch,
                       "seeds %" PRIu64 ", iterations %" PRIu64 ", residual %g and error %g do not go together",
                       seeds->value.u64, iterations->value.u64, residual->value.f64, a->error);
}

static int has_table(recomputation *a, const weft_result *result) {
    const weft_column *seed = weft_result_column(result, "seed"), *vertex = weft_result_column(result, "vertex"),
                      *rank = weft_result_column(result, "rank");
    if (!seed || !vertex || !rank || seed->length != vertex->length || seed->length != rank->length ||
        rank->type != WEFT_F64)
        return check_wrong(a->watch, "the result lacks a column of the table");
    a->rows = seed->length;
    a->seed = seed->data;
    a->vertex = vertex->data;
    a->rank = rank->data;
    return 1;
}

int weft_check_ppr(check_watch *w, const weft_graph *g, const void *params, const weft_result *result) {
    recomputation a = {.g = g, .out = check_out(w, g), .p = params, .watch = w};
    size_t n = a.out.vertices;
    weft_vid alone = check_max_out_degree_vertex(&a.out);
    a.seeds = a.p->seeds ? a.p->seeds : &alone;
    a.seed_count = !n ? 0 : a.p->seeds ? a.p->seed_count : 1;
    if (!has_table(&a, result) || !scalars_right(&a, result)) return 0;
    a.now = check_take(w, n, sizeof *a.now);
    a.next = check_take(w, n, sizeof *a.next);
    a.leaves = check_take(w, n, sizeof *a.leaves);
    a.row = check_take(w, n, sizeof *a.row);
    if (w->status) return 0;
    for (weft_vid v = 0; v < n; v++)
        for (weft_eid e = a.out.offsets[v]; e < a.out.offsets[v + 1]; e++) a.leaves[v] += weight_of(&a, e);
    return compare(&a);
}
