/* distances by weights: independent searches from every vertex of the component, or from a sample if there are too
 * many; the scalars and the distribution follow from them. */
#include "checks.h"

#include <math.h>
#include <string.h>

enum { LEAST_SEARCHES = 16, MOST_CLASSES = 64 };
static const double MOST_ARCS = 2.5e7;

typedef struct recomputation {
    const weft_graph *g;
    weft_csr out, in;
    int sides; /* rows to search: 1 outgoing, 2 incoming, 3 both */
    check_watch *watch;
    double *length;
    weft_vid *queue;
    uint8_t *waits;
    uint64_t count[MOST_CLASSES];
    double width, longest, sum; /* of the counted pairs */
    uint64_t reached;
} recomputation;

/* Bellman-Ford with a queue: a vertex with a shorter distance relaxes its arcs, until no distance changes. */
static void search(recomputation *a, weft_vid from) {
    weft_vid n = a->out.vertices, waiting = 1, at = 0;
    for (weft_vid v = 0; v < n; v++) a->length[v] = (double)INFINITY;
    memset(a->waits, 0, n);
    a->queue[0] = from;
    a->length[from] = 0;
    for (uint64_t step = 0; waiting && !check_stops(a->watch, step); step++, waiting--) {
        weft_vid u = a->queue[at];
        at = at + 1 < n ? at + 1 : 0;
        a->waits[u] = 0;
        for (int side = 0; side < 2; side++) {
            const weft_csr *rows = side ? &a->in : &a->out;
            if (!(a->sides >> side & 1)) continue;
            for (weft_eid e = rows->offsets[u]; e < rows->offsets[u + 1]; e++) {
                weft_vid v = rows->targets[e];
                double far = a->length[u] + check_weight(a->g, rows, e);
                if (!(far < a->length[v])) continue;
                a->length[v] = far;
                if (a->waits[v]) continue;
                a->waits[v] = 1;
                a->queue[((uint64_t)at + waiting - 1) % n] = v; /* u is still counted but has left its place */
                waiting++;
            }
        }
    }
}

/* Marks the weak component of v; returns its size. */
static weft_vid flood(recomputation *a, weft_vid v, uint8_t *mark) {
    weft_vid end = 1;
    a->queue[0] = v;
    mark[v] = 1;
    for (weft_vid at = 0; at < end && !check_stops(a->watch, at); at++)
        for (int side = 0; side < 2; side++) {
            const weft_csr *rows = side ? &a->in : &a->out;
            for (weft_eid e = rows->offsets[a->queue[at]]; e < rows->offsets[a->queue[at] + 1]; e++) {
                weft_vid u = rows->targets[e];
                if (mark[u]) continue;
                mark[u] = 1;
                a->queue[end++] = u;
            }
        }
    return end;
}

/* Marks the largest component, of several the one with the smallest vertex; returns its size. */
static weft_vid largest(recomputation *a, uint8_t *inside, uint8_t *seen) {
    weft_vid n = a->out.vertices, most = 0, first = 0;
    memset(seen, 0, n);
    memset(inside, 0, n);
    for (weft_vid v = 0; v < n && !a->watch->stopped; v++) {
        weft_vid size = seen[v] ? 0 : flood(a, v, seen);
        if (size > most) most = size, first = v;
    }
    if (most) flood(a, first, inside);
    return most;
}

static int fail(recomputation *a, const char *what, double got, double want) {
    return check_wrong(a->watch, "%s is %.17g, found %.17g", what, got, want);
}

/* The largest distance from v; *root is NaN unless v reaches the whole component. */
static double search_from(recomputation *a, weft_vid v, weft_vid size, double *root) {
    double most = 0;
    weft_vid reached = 1;
    search(a, v);
    for (weft_vid u = 0; u < a->out.vertices; u++) {
        double length = a->length[u];
        if (u == v || isinf(length)) continue;
        reached++;
        most = fmax(most, length);
        if (a->sides == 3 && u < v) continue;
        a->longest = fmax(a->longest, length);
        a->sum += length;
        if (a->width > 0 && length / a->width < MOST_CLASSES) a->count[(int)(length / a->width)]++;
        if (!(a->width > 0)) a->count[0]++;
    }
    a->reached += reached - 1;
    *root = reached == size ? most : (double)NAN;
    return most;
}

static int distribution_fits(recomputation *a, const weft_result *r) {
    const weft_column *length = weft_result_column(r, "length"), *pairs = weft_result_column(r, "pairs");
    const double *from = length->data;
    const uint64_t *count = pairs->data;
    uint64_t all = a->sides == 3 ? a->reached / 2 : a->reached, told = 0;
    double before = 0, effective = 0, mean = all ? a->sum / (double)all : 0;
    if (length->length != pairs->length || length->length > MOST_CLASSES)
        return fail(a, "the length of the table", (double)pairs->length, MOST_CLASSES);
    if (a->longest > 0 && !(a->longest / a->width >= MOST_CLASSES / 2.0 && a->longest / a->width < MOST_CLASSES))
        return fail(a, "class_width", a->width, a->longest / MOST_CLASSES);
    for (size_t k = 0; k < pairs->length; k++) {
        if (from[k] < (double)k * a->width || from[k] > (double)k * a->width || count[k] != a->count[k])
            return fail(a, "pairs of a class", (double)count[k], (double)a->count[k]);
        if (before < 0.9 * (double)all && count[k])
            effective = ((double)k + fmin(1, (0.9 * (double)all - before) / (double)count[k])) * a->width;
        before += (double)count[k];
        told += count[k];
    }
    if (told != all) return fail(a, "the number of pairs", (double)told, (double)all);
    effective = fmin(effective, weft_result_scalar(r, "weighted_diameter")->value.f64);
    double shown = weft_result_scalar(r, "effective_diameter")->value.f64;
    if (!(fabs(shown - effective) <= 1e-9 * effective)) return fail(a, "effective_diameter", shown, effective);
    shown = weft_result_scalar(r, "mean_distance")->value.f64;
    return fabs(shown - mean) <= 1e-9 * mean ? 1 : fail(a, "mean_distance", shown, mean);
}

static int figures_fit(recomputation *a, const weft_result *r, weft_vid size, double diameter, double radius) {
    double shown = weft_result_scalar(r, "weighted_diameter")->value.f64;
    uint64_t pairs = (uint64_t)size * (size ? size - 1 : 0);
    if (shown < diameter || shown > diameter) return fail(a, "weighted_diameter", shown, diameter);
    if (!size) radius = 0;
    shown = weft_result_scalar(r, "weighted_radius")->value.f64;
    if (isnan(shown) != isnan(radius) || shown < radius || shown > radius)
        return fail(a, "weighted_radius", shown, radius);
    uint64_t unreachable = weft_result_scalar(r, "unreachable_pairs")->value.u64;
    if (unreachable != pairs - a->reached)
        return fail(a, "unreachable_pairs", (double)unreachable, (double)(pairs - a->reached));
    return distribution_fits(a, r);
}

static int compare(recomputation *a, const weft_result *r, uint8_t *inside, uint8_t *seen) {
    const double *got = weft_result_f64(r, "weighted_eccentricity");
    weft_vid n = a->out.vertices, size = largest(a, inside, seen), at = 0, searched = 0;
    double arcs = (double)a->out.arcs + (double)a->in.arcs + n + 1, diameter = 0, radius = (double)NAN, root;
    weft_vid searches = (weft_vid)fmin(size, fmax(LEAST_SEARCHES, MOST_ARCS / arcs));
    a->width = weft_result_scalar(r, "class_width")->value.f64;
    if (weft_result_scalar(r, "vertices")->value.u64 != size)
        return fail(a, "vertices", (double)weft_result_scalar(r, "vertices")->value.u64, size);
    for (weft_vid v = 0; v < n && !a->watch->stopped; v++) {
        if (isnan(got[v]) != !inside[v]) return fail(a, "the value of a vertex", got[v], inside[v]);
        if (!inside[v]) continue;
        diameter = fmax(diameter, got[v]);
        weft_vid i = at++;
        if ((uint64_t)i * searches / size == (uint64_t)(i + 1) * searches / size) continue; /* evenly spaced */
        double most = search_from(a, v, size, &root);
        if (got[v] < most || got[v] > most) return fail(a, "weighted_eccentricity", got[v], most);
        radius = fmin(radius, root);
        searched++;
    }
    if (a->watch->stopped) return 0;
    int whole = searched == size;
    if (whole && !figures_fit(a, r, size, diameter, radius)) return 0;
    return check_right(a->watch, "%s %u eccentricit%s searched again%s", whole ? "all" : "of", searched,
                       searched == 1 ? "y" : "ies", whole ? ", and the distribution" : ", evenly chosen");
}

int check_distances_by_weights(check_watch *w, const weft_graph *g, int sides, const weft_result *result) {
    static const char *const scalars[] = {"weighted_diameter",  "weighted_radius", "class_width",      "vertices",
                                          "effective_diameter", "mean_distance",   "unreachable_pairs"};
    recomputation a = {.g = g, .out = check_out(w, g), .sides = sides, .watch = w};
    size_t n = a.out.vertices;
    int there = weft_result_f64(result, "weighted_eccentricity") && weft_result_f64(result, "length") &&
                weft_result_u64(result, "pairs") && weft_result_column(result, "weighted_eccentricity")->length == n;
    for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++)
        there = there && weft_result_scalar(result, scalars[i]);
    if (!there) return check_wrong(w, "the result lacks a column or a scalar");
    a.in = check_in(w, g);
    a.length = check_take(w, n, sizeof *a.length);
    a.queue = check_take(w, n, sizeof *a.queue);
    a.waits = check_take(w, n, 1);
    uint8_t *inside = check_take(w, n, 1), *seen = check_take(w, n, 1);
    return !w->status && compare(&a, result, inside, seen);
}
