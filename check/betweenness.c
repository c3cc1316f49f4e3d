/* betweenness: shortest paths are counted again by simple searches, with counts up to 2^16000, from every source if
 * that is affordable, else from some: then each value must be at least the contribution of these sources. If all
 * paths were counted by hops, the column must also add up to the number of inner vertices of all shortest paths. In
 * an undirected graph leaves have 0.
 * Sampled: values are counts of paths and differ from the contributions of all sources by at most the error; in a
 * large graph random sources replace all, and their own error, by Hoeffding's bound, is added. */
#include "weft/betweenness.h"
#include "checks.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Limit of the arcs visited by searches, and number of vertices up to which all sources are searched. */
static const double MOST_ARCS = 2e8;
enum { SMALL = 2000, LEAST_SEARCHES = 8 };
static const double CLOSE = 1e-9;

typedef struct waiting {
    double length;
    weft_vid vertex;
} waiting;

typedef struct recomputation {
    const weft_graph *g;
    weft_csr out;
    const weft_betweenness_params *p;
    check_watch *watch;
    uint8_t *is_source, *is_target;
    double *length;  /* current search: distance from the source; below 0: not reached */
    weft_vid *queue; /* current search: vertices by distance */
    waiting *heap;   /* by weights: discovered vertices, with outdated entries */
    size_t waits;
    long double *count, *dependency; /* current search: number of paths, and dependency of the source on each vertex */
    double *vertex, *arc;            /* sums */
    double distances;                /* sum of (distance - 1) over all pairs */
    uint64_t sources, counted;       /* number of sources, and of those searched */
    int beyond;                      /* a count overflowed: only distances are valid */
} recomputation;

static double weight_of(const recomputation *a, weft_eid e) {
    return a->p->weights ? check_weight(a->g, &a->out, e) : 1;
}

static void count_from(recomputation *a, weft_vid v, weft_vid w) {
    a->count[w] += a->count[v];
    if (!(a->count[w] < 0x1p16000L)) a->beyond = 1;
}

static weft_vid search(recomputation *a, weft_vid s) {
    weft_vid end = 1;
    a->length[s] = 0;
    a->count[s] = 1;
    a->queue[0] = s;
    for (weft_vid at = 0; at < end && !check_stops(a->watch, at); at++) {
        weft_vid v = a->queue[at];
        for (weft_eid e = a->out.offsets[v]; e < a->out.offsets[v + 1]; e++) {
            weft_vid w = a->out.targets[e];
            if (a->length[w] < 0) {
                a->length[w] = a->length[v] + 1;
                a->count[w] = 0;
                a->queue[end++] = w;
            }
            if (a->length[w] == a->length[v] + 1) count_from(a, v, w);
        }
    }
    return end;
}

static void heap_push(recomputation *a, double length, weft_vid vertex) {
    size_t at = a->waits++;
    for (; at && a->heap[(at - 1) / 2].length > length; at = (at - 1) / 2) a->heap[at] = a->heap[(at - 1) / 2];
    a->heap[at] = (waiting){length, vertex};
}

static waiting heap_pop(recomputation *a) {
    waiting first = a->heap[0], last = a->heap[--a->waits];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < a->waits; at = child) {
        child += child + 1 < a->waits && a->heap[child + 1].length < a->heap[child].length;
        if (a->heap[child].length >= last.length) break;
        a->heap[at] = a->heap[child];
    }
    a->heap[at] = last;
    return first;
}

/* search by weights; each arc adds at most one heap entry. */
static weft_vid search_by_weights(recomputation *a, weft_vid s) {
    weft_vid end = 0;
    a->length[s] = 0;
    a->count[s] = 1;
    a->waits = 0;
    heap_push(a, 0, s);
    while (a->waits && !check_stops(a->watch, end)) {
        waiting next = heap_pop(a);
        weft_vid v = next.vertex;
        if (next.length > a->length[v]) continue;
        a->queue[end++] = v;
        for (weft_eid e = a->out.offsets[v]; e < a->out.offsets[v + 1]; e++) {
            weft_vid w = a->out.targets[e];
            double length = next.length + weight_of(a, e);
            if (a->length[w] < 0 || length < a->length[w]) {
                a->length[w] = length;
                a->count[w] = 0;
                heap_push(a, length, w);
            }
            if (length == a->length[w]) count_from(a, v, w);
        }
    }
    return end;
}

/* Accumulates dependencies backwards from the farthest of the `end` reached vertices. */
static void accumulate(recomputation *a, weft_vid s, weft_vid end) {
    for (weft_vid at = end; at-- > 0 && !check_stops(a->watch, at);) {
        weft_vid v = a->queue[at];
        a->dependency[v] = 0;
        for (weft_eid e = a->out.offsets[v]; e < a->out.offsets[v + 1]; e++) {
            weft_vid w = a->out.targets[e];
            if (a->length[w] != a->length[v] + weight_of(a, e)) continue;
            long double share = a->count[v] / a->count[w] * (a->dependency[w] + (a->is_target[w] ? 1 : 0));
            a->dependency[v] += share;
            a->arc[e] += (double)share;
        }
        if (v != s) a->vertex[v] += (double)a->dependency[v];
        if (a->p->endpoints) a->vertex[v] += v == s ? end - 1 : 1;
        if (v != s && a->is_target[v]) a->distances += a->length[v] - 1;
    }
    for (weft_vid i = 0; i < end; i++) a->length[a->queue[i]] = -1;
}

static void count_paths_from(recomputation *a, weft_vid s) {
    accumulate(a, s, a->p->weights ? search_by_weights(a, s) : search(a, s));
    a->counted++;
}

/* Normalisation: by the number of counted pairs, or by half for unordered pairs. */
static double factor(const recomputation *a, int ends, int is_source) {
    double n = (double)a->out.vertices - !ends, sampled = (double)a->sources - (is_source && !ends);
    int sample = a->p->sources && !a->p->targets;
    if (n < 2) return 1;
    return (a->p->normalized ? 1 / (n * (n - 1)) : weft_graph_directed(a->g) ? 1 : 0.5) * (sample ? n / sampled : 1);
}

static int fail(recomputation *a, const char *what, weft_vid v, double got, double want) {
    return check_wrong(a->watch, "%s of %s is %.17g, counted %.17g", what, check_id(a->g, v).text, got, want);
}

static int near(const recomputation *a, double got, double want) {
    if (isnan(want)) return isnan(got);
    if (a->counted < a->sources) return got >= want * (1 - CLOSE) - CLOSE && got < INFINITY;
    return fabs(got - want) <= CLOSE * (fabs(want) + (a->p->normalized ? 1e-12 : 1));
}

static int vertices_right(recomputation *a, const double *got) {
    double sum = 0;
    for (weft_vid v = 0; v < a->out.vertices; v++) {
        double times = factor(a, a->p->endpoints, a->is_source[v]), want = a->vertex[v] * times;
        if (a->p->sources && !a->p->targets && a->sources == 1 && a->is_source[v] && !a->p->endpoints &&
            a->out.vertices > 2)
            want = (double)NAN;
        if (!a->beyond && !near(a, got[v], want)) return fail(a, "betweenness", v, got[v], want);
        if (!(got[v] >= 0 || isnan(want))) return fail(a, "betweenness", v, got[v], 0);
        if (!isnan(want)) sum += got[v] / times;
    }
    if (a->counted < a->sources || a->p->endpoints || a->p->weights || a->sources < 2) return 1;
    if (fabs(sum - a->distances) <= 1e-9 * (a->distances + 1)) return 1;
    return check_wrong(a->watch, "the column adds up to %.17g, but shortest paths have %.17g inner vertices", sum,
                       a->distances);
}

/* Leaves of an undirected graph are on no path between others. */
static int leaves_right(recomputation *a, const double *got) {
    for (weft_vid v = 0; v < a->out.vertices && !weft_graph_directed(a->g) && !a->p->endpoints; v++)
        if (a->out.offsets[v + 1] - a->out.offsets[v] == 1 && got[v] > 0) return fail(a, "betweenness", v, got[v], 0);
    return 1;
}

/* The reverse arc, v -> u, of the same edge as arc e = (u, v). */
static weft_eid other_arc(const recomputation *a, weft_vid u, weft_eid e) {
    weft_eid twins = 0, back = a->out.offsets[a->out.targets[e]], end = a->out.offsets[a->out.targets[e] + 1];
    while (e - twins > a->out.offsets[u] && a->out.targets[e - twins - 1] == a->out.targets[e]) twins++;
    while (back < end) { /* first arc with target >= u */
        weft_eid mid = back + (end - back) / 2;
        if (a->out.targets[mid] < u)
            back = mid + 1;
        else
            end = mid;
    }
    return back + twins;
}

static int edges_right(recomputation *a, const weft_result *result) {
    const double *got = weft_result_f64(result, "edge_betweenness");
    uint64_t at = 0;
    if (!check_edges(a->watch, a->g, result, "edge_betweenness", WEFT_F64)) return 0;
    for (weft_vid u = 0; u < a->out.vertices && !check_stops(a->watch, u); u++)
        for (weft_eid e = a->out.offsets[u]; e < a->out.offsets[u + 1]; e++) {
            weft_vid v = a->out.targets[e];
            if (!weft_graph_directed(a->g) && v < u) continue;
            double want = a->arc[e];
            if (!weft_graph_directed(a->g) && u != v) want += a->arc[other_arc(a, u, e)];
            want *= factor(a, 1, 0);
            if (!a->beyond && !near(a, got[at], want)) return fail(a, "edge_betweenness of an edge", u, got[at], want);
            at++;
        }
    return 1;
}

/* Number of sources that are affordable. */
static uint64_t most_searches(const recomputation *a) {
    uint64_t most = (uint64_t)fmax(LEAST_SEARCHES, MOST_ARCS / ((double)a->out.arcs + a->out.vertices + 1));
    return a->out.vertices <= SMALL || most > a->sources ? a->sources : most;
}

static int compare(recomputation *a, const weft_result *result) {
    const double *got = weft_result_f64(result, "betweenness");
    weft_vid n = a->out.vertices;
    uint64_t most = most_searches(a), at = 0;
    for (weft_vid v = 0; v < n && !a->watch->stopped; v++) {
        if (!a->is_source[v]) continue;
        if (at * most / a->sources != (at + 1) * most / a->sources) count_paths_from(a, v); /* evenly spaced */
        at++;
    }
    if (a->watch->stopped || !vertices_right(a, got) || !leaves_right(a, got)) return 0;
    if (a->p->edges && !edges_right(a, result)) return 0;
    return check_right(a->watch, "paths from %s%" PRIu64 " source%s counted again%s",
                       a->counted == a->sources ? "all " : "", a->counted, a->counted == 1 ? "" : "s",
                       a->beyond ? ", except for their numbers, which are too large" : "");
}

/* --- sampled paths ----------------------------------------------------------------------- */

/* SplitMix64: fixed pseudorandom sources. */
static uint64_t scattered(uint64_t x) {
    x += 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

/* Value of a single sampled path. */
static double value_of_path(const recomputation *a, uint64_t samples) {
    double n = a->out.vertices, pairs = a->p->normalized ? n / (n - 2) : n * (n - 1);
    return pairs / (a->p->normalized || weft_graph_directed(a->g) ? 1 : 2) / (double)samples;
}

static int are_counts(recomputation *a, const double *got, uint64_t samples) {
    double unit = samples ? value_of_path(a, samples) : 1;
    for (weft_vid v = 0; v < a->out.vertices; v++) {
        double count = got[v] / unit;
        if (!(count >= 0 && count <= (double)samples && fabs(count - round(count)) <= 1e-6))
            return fail(a, "betweenness, in paths that were drawn,", v, count, round(count));
    }
    return 1;
}

/* Compares normalised values; `slack` is the uncertainty of the true ones. */
static int within_error(recomputation *a, const double *got, double error, double slack, uint64_t samples) {
    double n = a->out.vertices, sources = (double)a->counted;
    double to_normalised = n / (n - 2) / (value_of_path(a, samples) * (double)samples);
    for (weft_vid v = 0; v < a->out.vertices; v++) {
        double want = a->vertex[v] / sources * n / ((n - 1) * (n - 2)), dependency = got[v] * to_normalised;
        if (!(fabs(dependency - want) <= error + slack + 1e-12))
            return fail(a, "normalised betweenness", v, dependency, want);
    }
    return 1;
}

/* Vertices reported as certain ranks have the largest true values, in that order. */
static int order_right(recomputation *a, const double *got, uint64_t apart) {
    for (uint64_t i = 0; i < apart && i < a->out.vertices; i++) {
        weft_vid first = WEFT_NO_VERTEX;
        for (weft_vid v = 0; v < a->out.vertices; v++)
            if (!a->is_source[v] && (first == WEFT_NO_VERTEX || got[v] > got[first])) first = v;
        a->is_source[first] = 1; /* already ranked */
        for (weft_vid v = 0; v < a->out.vertices; v++)
            if (!a->is_source[v] && a->vertex[v] > a->vertex[first] * (1 + CLOSE))
                return fail(a, "a vertex whose rank is certain: betweenness", first, a->vertex[first], a->vertex[v]);
    }
    return 1;
}

static int compare_sampled(recomputation *a, const weft_result *result) {
    const double *got = weft_result_f64(result, "betweenness");
    const weft_scalar *samples = weft_result_scalar(result, "samples"), *error = weft_result_scalar(result, "error");
    const weft_scalar *apart = weft_result_scalar(result, "apart");
    double n = a->out.vertices, bound = error ? error->value.f64 : 1, slack = 0;
    uint64_t most = most_searches(a), known = apart ? apart->value.u64 : 0;
    int all = most == a->sources, early = a->p->apart && known >= a->p->apart;
    if (!samples || !error || !weft_result_scalar(result, "confidence") || (apart != NULL) != (a->p->apart > 0) ||
        !(bound >= 0 && (bound <= a->p->error || early)))
        return check_wrong(a->watch, "it lacks a scalar, or misses the requested error");
    if (!are_counts(a, got, samples->value.u64) || !leaves_right(a, got)) return 0;
    for (uint64_t i = 0; i < most && samples->value.u64 && !a->watch->stopped; i++)
        count_paths_from(a, (weft_vid)(all ? i : scattered(i) % a->out.vertices));
    if (!all) slack = sqrt(log(2e9 * n) / (2 * (double)most)) * n / (n - 2);
    if (a->watch->stopped || (samples->value.u64 && !within_error(a, got, bound, slack, samples->value.u64))) return 0;
    memset(a->is_source, 0, a->out.vertices);
    if (all && !order_right(a, got, known)) return 0;
    return check_right(a->watch, "within %.3g of the contributions of paths from %s%" PRIu64 " source%s", bound + slack,
                       all ? "all " : "", most, most == 1 ? "" : "s");
}

static void mark(recomputation *a) {
    weft_vid n = a->out.vertices;
    memset(a->is_source, !a->p->sources, n);
    memset(a->is_target, !a->p->targets, n);
    for (size_t i = 0; i < a->p->source_count; i++) a->is_source[a->p->sources[i]] = 1;
    for (size_t i = 0; i < a->p->target_count; i++) a->is_target[a->p->targets[i]] = 1;
    for (weft_vid v = 0; v < n; v++) a->sources += a->is_source[v];
}

int weft_check_betweenness(check_watch *w, const weft_graph *g, const void *params, const weft_result *result) {
    recomputation a = {.g = g, .out = check_out(w, g), .p = params, .watch = w};
    size_t n = a.out.vertices;
    const weft_scalar *sources = weft_result_scalar(result, "sources");
    int sampled = a.p->error > 0;
    if (!weft_result_f64(result, "betweenness") || weft_result_column(result, "betweenness")->length != n ||
        (sources != NULL) == sampled)
        return check_wrong(w, "the result lacks its column or its scalar");
    a.is_source = check_take(w, n, 1);
    a.is_target = check_take(w, n, 1);
    a.length = check_take(w, n, sizeof *a.length);
    a.heap = check_take(w, a.p->weights ? a.out.arcs : 0, sizeof *a.heap);
    a.queue = check_take(w, n, sizeof *a.queue);
    a.count = check_take(w, n, sizeof *a.count);
    a.dependency = check_take(w, n, sizeof *a.dependency);
    a.vertex = check_take(w, n, sizeof *a.vertex);
    a.arc = check_take(w, a.out.arcs, sizeof *a.arc);
    if (w->status) return 0;
    mark(&a);
    for (weft_vid v = 0; v < n; v++) a.length[v] = -1;
    if (sampled) return compare_sampled(&a, result);
    if (sources->value.u64 == a.sources) return compare(&a, result);
    return check_wrong(w, "sources is %" PRIu64 ", there are %" PRIu64, sources->value.u64, a.sources);
}
