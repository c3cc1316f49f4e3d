/* For closeness and harmonic: distances to or from vertices are found again by simple searches, for every vertex with
 * a value if that is affordable, else for an even sample. Values follow from them by the definition.
 * An estimate is recomputed from a search: sketches of its neighbourhoods, hop by hop, with this file's own hash and
 * estimator; the largest one must match the number of its vertices within 8 standard errors. */
#include "checks.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Limit of the arcs visited, and number of vertices up to which all are searched. */
static const double MOST_ARCS = 1e8;
enum { SMALL = 2000, LEAST_SEARCHES = 8, MOST_REGISTERS = 4096 };

typedef struct recomputation {
    const weft_graph *g;
    const check_nearness_question *q;
    weft_csr rows; /* rows that lead from a vertex to the vertices of its value */
    check_watch *watch;
    uint8_t *valued, *counted, *waits;
    double least; /* with `first`: the smallest value of the result; else NaN */
    double *distance;
    weft_vid *queue; /* by hops: vertices by distance */
} recomputation;

/* --- distances --------------------------------------------------------------------------- */

/* Search by hops; returns the number of reached vertices, including the source. */
static weft_vid search(recomputation *a, weft_vid from) {
    weft_vid end = 1;
    a->queue[0] = from;
    a->distance[from] = 0;
    for (weft_vid at = 0; at < end && !check_stops(a->watch, at); at++)
        for (weft_eid e = a->rows.offsets[a->queue[at]]; e < a->rows.offsets[a->queue[at] + 1]; e++) {
            weft_vid v = a->rows.targets[e];
            if (!isinf(a->distance[v])) continue;
            a->distance[v] = a->distance[a->queue[at]] + 1;
            a->queue[end++] = v;
        }
    return end;
}

/* Search by weights, Bellman-Ford with a queue: a vertex with a shorter distance relaxes its arcs, until no distance
 * changes. */
static void search_weights(recomputation *a, weft_vid from) {
    weft_vid n = a->rows.vertices, waiting = 1, at = 0;
    a->queue[0] = from;
    a->distance[from] = 0;
    for (uint64_t step = 0; waiting && !check_stops(a->watch, step); step++, waiting--) {
        weft_vid u = a->queue[at];
        at = at + 1 < n ? at + 1 : 0;
        a->waits[u] = 0;
        for (weft_eid e = a->rows.offsets[u]; e < a->rows.offsets[u + 1]; e++) {
            weft_vid v = a->rows.targets[e];
            double far = a->distance[u] + check_weight(a->g, &a->rows, e);
            if (!(far < a->distance[v])) continue;
            a->distance[v] = far;
            if (a->waits[v]) continue;
            a->waits[v] = 1;
            a->queue[((uint64_t)at + waiting - 1) % n] = v; /* u is still counted but has left its place */
            waiting++;
        }
    }
}

/* --- values ------------------------------------------------------------------------------ */

static double value_of(const recomputation *a, long double reached, long double sum) {
    long double others = (long double)a->rows.vertices - 1, value;
    if (!(sum > 0) || others < 1) return 0;
    if (a->q->harmonic) return (double)(a->q->factor ? sum / others : sum);
    value = reached / sum;
    return (double)(a->q->factor ? value * reached / others : value);
}

static double exact(recomputation *a, weft_vid from) {
    long double sum = 0, reached = 0;
    if (a->q->weights)
        search_weights(a, from);
    else
        search(a, from);
    for (weft_vid v = 0; v < a->rows.vertices; v++) {
        if (v == from || isinf(a->distance[v]) || !a->counted[v]) continue;
        reached++;
        if (!a->q->harmonic)
            sum += (long double)a->distance[v];
        else if (a->distance[v] > 0)
            sum += 1 / (long double)a->distance[v];
    }
    return value_of(a, reached, sum);
}

/* --- sketches ---------------------------------------------------------------------------- */

static void put(uint8_t *sketch, uint64_t registers, weft_vid v) {
    uint64_t x = v + 0x9e3779b97f4a7c15u;
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9u;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebu;
    x ^= x >> 31;
    uint8_t says = 1;
    while (says <= 50 && !(x >> (64 - says) & 1)) says++;
    if (says > sketch[x % registers]) sketch[x % registers] = says;
}

static long double size_of(const uint8_t *sketch, uint64_t registers) {
    long double m = (long double)registers, sum = 0, empty = 0;
    for (uint64_t i = 0; i < registers; i++)
        if (sketch[i])
            sum += ldexpl(1, -sketch[i]);
        else
            empty++;
    long double x = empty / m, power = x, times = 1, term = x;
    for (int i = 0; i < 64 && term > 0; i++, times *= 2) {
        sum += m * term;
        power *= power;
        term = power * times;
    }
    return m * m / (2 * logl(2) * sum);
}

/* Returns false if the estimate of the largest neighbourhood misses its size by more than the tolerance. */
static int estimated(recomputation *a, weft_vid from, double *value) {
    uint8_t sketch[MOST_REGISTERS] = {0};
    weft_vid end = search(a, from), at = 0;
    long double first = 0, size = 0, sum = 0;
    for (double hops = 0; at < end; hops++) {
        while (at < end && a->distance[a->queue[at]] <= hops) put(sketch, a->q->registers, a->queue[at++]);
        long double now = size_of(sketch, a->q->registers);
        if (hops < 1)
            first = now;
        else
            sum += a->q->harmonic ? (now - size) / (long double)hops : (now - size) * (long double)hops;
        size = now;
    }
    *value = value_of(a, size - first, sum);
    return fabsl(size / end - 1) <= 8 * 1.04L / sqrtl((long double)a->q->registers);
}

/* --- the comparison ---------------------------------------------------------------------------- */

/* A vertex with a value has the right one; a vertex without one (with `first`) would not belong to the first. */
static int vertex_right(recomputation *a, weft_vid v, double got) {
    double want, close = a->q->estimate ? 1e-9 : 1e-12 * (a->q->weights ? 1e3 : 1);
    int near = 1;
    for (weft_vid u = 0; u < a->rows.vertices; u++) a->distance[u] = (double)INFINITY;
    if (a->q->estimate)
        near = estimated(a, v, &want);
    else
        want = exact(a, v);
    if (a->watch->stopped) return 0;
    if (near && (isnan(got) ? want <= a->least * (1 + close) : fabs(got - want) <= close * want)) return 1;
    check_name name = check_id(a->g, v);
    if (!near)
        return check_wrong(a->watch, "the estimated number of vertices around %s is off by more than 8 standard errors",
                           name.text);
    if (isnan(got))
        return check_wrong(a->watch, "%s of %s is %.17g, which is among the first", a->q->column, name.text, want);
    return check_wrong(a->watch, "%s of %s is %.17g, found %.17g", a->q->column, name.text, got, want);
}

static int lists_fit(recomputation *a, const weft_result *result, uint64_t *asked) {
    const double *got = weft_result_f64(result, a->q->column);
    const weft_scalar *error = weft_result_scalar(result, "standard_error");
    weft_vid n = a->rows.vertices;
    uint64_t vertices = 0;
    memset(a->valued, !a->q->of, n);
    memset(a->counted, !a->q->sources, n);
    for (size_t i = 0; i < a->q->of_count; i++) a->valued[a->q->of[i]] = 1;
    for (size_t i = 0; i < a->q->source_count; i++) a->counted[a->q->sources[i]] = 1;
    for (weft_vid v = 0; v < n; v++) {
        int has = !isnan(got[v]);
        vertices += has ? 1 : 0;
        *asked += a->valued[v];
        if (has) a->least = fmin(a->least, got[v]);
        if (a->valued[v] == has || (a->valued[v] && a->q->first)) continue;
        return check_wrong(a->watch, "vertex %u has %s", v,
                           a->valued[v] ? "no value" : "a value, which was not requested");
    }
    if (vertices != (a->q->first && a->q->first < *asked ? a->q->first : *asked))
        return check_wrong(a->watch, "%" PRIu64 " vertices have a value", vertices);
    if (weft_result_scalar(result, "vertices")->value.u64 != vertices)
        return check_wrong(a->watch, "vertices is not %" PRIu64, vertices);
    if (!a->q->estimate == !error && (!error || fabs(error->value.f64 - 1.04 / sqrt((double)a->q->registers)) < 1e-12))
        return 1;
    return check_wrong(a->watch, "standard_error is not that of the registers");
}

static int compare(recomputation *a, const weft_result *result) {
    const double *got = weft_result_f64(result, a->q->column);
    a->least = (double)NAN;
    double arcs = ((double)a->rows.arcs + a->rows.vertices + 1) * (a->q->weights ? 4 : 1);
    uint64_t vertices = 0, at = 0, searched = 0;
    if (!lists_fit(a, result, &vertices)) return 0;
    uint64_t most = (uint64_t)fmax(LEAST_SEARCHES, MOST_ARCS / arcs);
    if (a->rows.vertices <= SMALL || most > vertices) most = vertices;
    for (weft_vid v = 0; v < a->rows.vertices && !a->watch->stopped; v++) {
        if (!a->valued[v]) continue;
        if (at * most / vertices != (at + 1) * most / vertices) { /* evenly spaced */
            if (!vertex_right(a, v, got[v])) return 0;
            searched++;
        }
        at++;
    }
    return check_right(a->watch, "%s%" PRIu64 " value%s found again by searches%s", searched == vertices ? "all " : "",
                       searched, searched == 1 ? "" : "s", searched == vertices ? "" : ", evenly chosen");
}

int check_nearness(check_watch *w, const weft_graph *g, const check_nearness_question *q, const weft_result *result) {
    recomputation a = {.g = g, .q = q, .rows = check_out(w, g), .watch = w};
    size_t n = a.rows.vertices;
    if (!weft_result_f64(result, q->column) || weft_result_column(result, q->column)->length != n ||
        !weft_result_scalar(result, "vertices"))
        return check_wrong(w, "the result lacks its column or a scalar");
    if (weft_graph_directed(g) && q->direction != WEFT_SIDE_OUT) a.rows = check_in(w, g);
    a.valued = check_take(w, n, 1);
    a.counted = check_take(w, n, 1);
    a.waits = check_take(w, n, 1);
    a.distance = check_take(w, n, sizeof *a.distance);
    a.queue = check_take(w, n, sizeof *a.queue);
    return !w->status && compare(&a, result);
}
