/* aggregate: every value is recomputed from the definition, pushed along the outgoing arcs in double (backwards:
 * pulled along them), some columns at a time. A maximum must be exact. A sum in f32 may differ by its accumulated
 * rounding: with the terms t, the number of additions that a term passes through (at most a block and the blocks of
 * the row, and some for the factors) times 2^-24 times the sum of |t|. If the finite terms alone overflow f32,
 * infinity and NaN are accepted. A 2-byte result must lie between the ends of that interval, rounded to its type.
 * Threads: each one passes over every arc and takes the arcs that end at its own vertices, so the terms of a vertex
 * come in the same order for any number of threads. */
#include "weft/aggregate.h"
#include "checks.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <omp.h>

enum { COLUMNS = 8, BLOCK = 256, FACTORS = 8, SMALL = 1 << 14 /* number of arcs below which threads do not pay */ };

typedef struct cell {
    double value, size; /* sum or maximum; sum of the absolute values of the finite terms */
    double best;        /* backward of max: the maximum, and the vertex it comes from */
    weft_vid winner;
} cell;

typedef struct definition {
    const weft_graph *g;
    const weft_aggregate_params *p;
    const void *result;
    uint64_t *degree; /* number of in-neighbours, including the vertex itself if it joins itself */
    cell *cells;      /* COLUMNS per vertex */
    int threads;
    check_watch *watch;
    weft_csr out; /* fetched once, because a context serves one thread at a time */
} definition;

/* One thread of `of`. */
typedef struct worker {
    uint64_t number, of;
} worker;

/* --- numbers ------------------------------------------------------------------------- */

static double half_value(uint16_t bits) {
    int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double size = exponent == 31  ? (fraction ? (double)NAN : (double)INFINITY)
                  : exponent == 0 ? ldexp(fraction, -24)
                                  : ldexp(1024 + fraction, exponent - 25);
    return bits & 0x8000 ? -size : size;
}

static double upper_value(uint16_t bits) {
    int exponent = bits >> 7 & 255, fraction = bits & 127;
    double size = exponent == 255 ? (fraction ? (double)NAN : (double)INFINITY)
                  : exponent == 0 ? ldexp(fraction, -133)
                                  : ldexp(128 + fraction, exponent - 134);
    return bits & 0x8000 ? -size : size;
}

static double number(weft_type type, const void *data, size_t i) {
    if (type == WEFT_F16) return half_value(((const uint16_t *)data)[i]);
    if (type == WEFT_BF16) return upper_value(((const uint16_t *)data)[i]);
    return (double)((const float *)data)[i];
}

/* Rounds to the type, ties to even. */
static double rounded(weft_type type, double x) {
    int digits = type == WEFT_F16 ? 11 : 8, least = type == WEFT_F16 ? -24 : -133, exponent;
    double limit = type == WEFT_F16 ? 0x1p16 : 0x1p128;
    if (type == WEFT_F32 || !isfinite(x) || x == 0) return x;
    frexp(x, &exponent);
    int unit = exponent - digits > least ? exponent - digits : least;
    double near = ldexp(nearbyint(ldexp(x, -unit)), unit);
    return fabs(near) >= limit ? copysign((double)INFINITY, x) : near;
}

/* --- the definition ------------------------------------------------------------------- */

static int is_max(const definition *d) { return d->p->op == WEFT_AGGREGATE_MAX; }
static int is_mean(const definition *d) { return !d->p->normalize && d->p->op == WEFT_AGGREGATE_MEAN; }
static int is_back_max(const definition *d) { return d->p->backward && is_max(d); }

/* Factor of gcn's normalisation for a vertex at either end of an arc. */
static double root(const definition *d, weft_vid v) {
    if (!d->p->normalize) return 1;
    return d->degree[v] ? 1 / sqrt((double)d->degree[v]) : 0;
}

/* Factor of v's vector before the sum. */
static double factor(const definition *d, weft_vid v) {
    if (d->p->backward && is_mean(d)) return d->degree[v] ? 1 / (double)d->degree[v] : 0;
    return root(d, v);
}

/* Factor of the sum at v. */
static double share(const definition *d, weft_vid v) {
    if (!d->p->backward && is_mean(d) && d->degree[v]) return 1 / (double)d->degree[v];
    return root(d, v);
}

static int joins_itself(const definition *d, weft_vid v) {
    return d->p->self_loop && !weft_graph_has_arc(d->g, v, v, NULL);
}

/* True if v belongs to this thread. Hubs are often adjacent, so the bits of v are mixed before vertices are
 * distributed. */
static int is_mine(worker me, weft_vid v) {
    uint32_t mixed = v * 2654435761u;
    return mixed * me.of >> 32 == me.number;
}

static void count_neighbours(const definition *d) {
    weft_csr out = d->out;
    for (weft_eid e = 0; e < out.arcs && !check_stops(d->watch, e); e++) d->degree[out.targets[e]]++;
    for (weft_vid v = 0; v < out.vertices; v++) d->degree[v] += joins_itself(d, v) ? 1 : 0;
}

/* Number of terms of the sum at v. */
static uint64_t terms(const definition *d, weft_vid v) {
    weft_csr out = d->out;
    if (!d->p->backward) return d->degree[v];
    return out.offsets[v + 1] - out.offsets[v] + (joins_itself(d, v) ? 1 : 0);
}

/* Adds the vector of `from` at `to`. */
static void add_vector(const definition *d, weft_vid from, weft_vid to, size_t column, size_t columns) {
    double s = factor(d, from);
    for (size_t c = 0; c < columns; c++) {
        cell *at = &d->cells[(size_t)to * COLUMNS + c];
        if (is_back_max(d) && d->cells[(size_t)from * COLUMNS + c].winner != to) continue;
        double x =
            number(d->p->features->type, d->p->features->data, (size_t)from * d->p->features->width + column + c) * s;
        if (is_max(d) && !d->p->backward)
            at->value = isnan(at->value) || isnan(x) ? (double)NAN : fmax(at->value, x);
        else
            at->value += x;
        if (isfinite(x)) at->size += fabs(x);
    }
}

/* Compares u's forward values with the best ones seen at v. */
static void compare_best(const definition *d, weft_vid u, weft_vid v, size_t column, size_t columns) {
    for (size_t c = 0; c < columns; c++) {
        cell *at = &d->cells[(size_t)v * COLUMNS + c];
        double x = number(d->p->forward->type, d->p->forward->data, (size_t)u * d->p->forward->width + column + c);
        if (at->winner != WEFT_NO_VERTEX && (isnan(at->best) || x <= at->best)) continue;
        at->best = x;
        at->winner = u;
    }
}

/* Sources come in ascending order at every target; a vertex that joins itself comes last. */
static void find_winners(const definition *d, worker me, size_t column, size_t columns) {
    weft_csr out = d->out;
    for (weft_vid u = 0; u < out.vertices && !check_stops(d->watch, u); u++)
        for (weft_eid e = out.offsets[u]; e < out.offsets[u + 1]; e++)
            if (is_mine(me, out.targets[e])) compare_best(d, u, out.targets[e], column, columns);
    for (weft_vid v = 0; v < out.vertices; v++)
        if (is_mine(me, v) && joins_itself(d, v)) compare_best(d, v, v, column, columns);
}

/* Adds up one thread's share of all sums. */
static void add_up(const definition *d, worker me, size_t column, size_t columns) {
    weft_csr out = d->out;
    for (weft_vid u = 0; u < out.vertices && !check_stops(d->watch, u); u++) {
        int mine = is_mine(me, u);
        if (d->p->backward && !mine) continue;
        for (weft_eid e = out.offsets[u]; e < out.offsets[u + 1]; e++) {
            weft_vid v = out.targets[e];
            int parallel = e > out.offsets[u] && out.targets[e - 1] == v;
            if (is_back_max(d) && parallel) continue; /* the maximum belongs to a single arc */
            if (d->p->backward)
                add_vector(d, v, u, column, columns);
            else if (is_mine(me, v))
                add_vector(d, u, v, column, columns);
        }
        if (mine && joins_itself(d, u)) add_vector(d, u, u, column, columns);
    }
}

static void compute(const definition *d, size_t column, size_t columns) {
    size_t count = (size_t)weft_graph_vertices(d->g) * COLUMNS;
    double start = is_max(d) && !d->p->backward ? (double)-INFINITY : 0;
#pragma omp parallel num_threads(d->threads)
    {
        worker me = {(uint64_t)omp_get_thread_num(), (uint64_t)omp_get_num_threads()};
#pragma omp for
        for (size_t i = 0; i < count; i++) d->cells[i] = (cell){start, 0, 0, WEFT_NO_VERTEX};
        if (is_back_max(d)) find_winners(d, me, column, columns);
#pragma omp barrier
        add_up(d, me, column, columns);
    }
}

/* --- the comparison ---------------------------------------------------------------------- */

/* True if `got` is a possible result of the terms of vertex v. */
static int fits(const definition *d, weft_vid v, cell want, double got, double *expected) {
    double count = (double)terms(d, v), of_sum = share(d, v);
    weft_type type = d->p->features->type;
    *expected = count > 0 ? want.value * of_sum : 0;
    if (is_max(d) && !d->p->backward) return isnan(*expected) ? isnan(got) : got == *expected;
    if (want.size >= (double)FLT_MAX && !isfinite(got)) return 1;
    if (!isfinite(*expected)) return isnan(*expected) ? isnan(got) : got == *expected;
    double additions = fmin(count, BLOCK) + count / BLOCK + FACTORS;
    double slack = additions * (FLT_EPSILON / 2) * want.size * of_sum + (count + 1) * 0x1p-149;
    return got >= rounded(type, *expected - slack) && got <= rounded(type, *expected + slack);
}

/* The first wrong column at v, with both values; `columns` if all are right. */
static size_t wrong_at(const definition *d, weft_vid v, size_t column, size_t columns, double *got, double *expected) {
    size_t row = (size_t)v * (size_t)d->p->features->width, c = 0;
    for (; c < columns; c++) {
        *got = number(d->p->features->type, d->result, row + column + c);
        if (!fits(d, v, d->cells[(size_t)v * COLUMNS + c], *got, expected)) break;
    }
    return c;
}

static int columns_right(const definition *d, size_t column, size_t columns) {
    weft_vid n = weft_graph_vertices(d->g), first = n;
    double got, expected;
    compute(d, column, columns);
    if (check_stops(d->watch, 0)) return 0;
#pragma omp parallel for num_threads(d->threads) private(got, expected) reduction(min : first)
    for (weft_vid v = 0; v < n; v++)
        if (v < first && wrong_at(d, v, column, columns, &got, &expected) < columns) first = v;
    if (first == n) return 1;
    size_t c = wrong_at(d, first, column, columns, &got, &expected);
    return check_wrong(d->watch, "vertex %s: f%zu is %.9g, but must be %.9g", check_id(d->g, first).text, column + c,
                       got, expected);
}

static int shape_right(const definition *d, const weft_result *result) {
    const weft_column *f = weft_result_column(result, "f");
    const weft_scalar *rows = weft_result_scalar(result, "rows"), *width = weft_result_scalar(result, "width");
    uint64_t n = weft_graph_vertices(d->g), wide = d->p->features->width;
    if (f && f->type == d->p->features->type && f->length == n && f->width == wide && rows && rows->value.u64 == n &&
        width && width->value.u64 == wide)
        return 1;
    return check_wrong(
        d->watch, "the result is not a matrix of %" PRIu64 " x %" PRIu64 " numbers of the features' type", n, wide);
}

int weft_check_aggregate(check_watch *w, const weft_graph *g, const void *params, const weft_result *result) {
    definition d = {.g = g, .p = params, .watch = w, .out = check_out(w, g)};
    size_t n = weft_graph_vertices(g), width = (size_t)d.p->features->width;
    if (!shape_right(&d, result)) return 0;
    d.result = weft_result_column(result, "f")->data;
    d.degree = check_take(w, n, sizeof *d.degree);
    d.cells = check_take(w, n * COLUMNS, sizeof *d.cells);
    if (w->status) return 0;
    d.threads = weft_graph_arcs(g) < SMALL ? 1 : weft_ctx_threads(w->ctx);
    count_neighbours(&d);
    for (size_t column = 0; column < width; column += COLUMNS)
        if (!columns_right(&d, column, width - column < COLUMNS ? width - column : COLUMNS)) return 0;
    return check_right(w, "all %zu x %zu values recomputed in double%s", n, width,
                       is_max(&d) && !d.p->backward ? "" : ", within the roundings of f32");
}
