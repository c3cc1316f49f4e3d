/* distances: independent searches from every vertex of the component, or from a sample if there are too many; and
 * relations between the numbers of the result. */
#include "weft/distances.h"
#include "checks.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Limit of the arcs visited, and minimum number of searches: a quarter of a second. */
enum { LEAST_SEARCHES = 16 };
static const double MOST_ARCS = 1e8;

typedef struct recomputation {
    weft_csr out, in;
    int sides; /* rows to search: 1 outgoing, 2 incoming, 3 both */
    check_watch *watch;
    uint32_t *level; /* of the current search */
    weft_vid *queue;
    uint64_t *count; /* number of ordered pairs at each distance */
} recomputation;

static void reset(recomputation *a) {
    for (weft_vid v = 0; v < a->out.vertices; v++) a->level[v] = WEFT_UNREACHED;
}

/* Returns the number of reached vertices, ignoring those reached since the last forget(). */
static weft_vid search(recomputation *a, weft_vid from, int sides) {
    weft_vid end = 1;
    a->level[from] = 0;
    a->queue[0] = from;
    for (weft_vid at = 0; at < end && !check_stops(a->watch, at); at++) {
        weft_vid v = a->queue[at];
        for (int side = 0; side < 2; side++) {
            const weft_csr *rows = side ? &a->in : &a->out;
            if (!(sides >> side & 1)) continue;
            for (weft_eid e = rows->offsets[v]; e < rows->offsets[v + 1]; e++) {
                weft_vid u = rows->targets[e];
                if (a->level[u] != WEFT_UNREACHED) continue;
                a->level[u] = a->level[v] + 1;
                a->queue[end++] = u;
            }
        }
    }
    return end;
}

/* Lists the largest component in `members`, in search order from its smallest vertex; returns its size. */
static weft_vid largest(recomputation *a, weft_vid *members) {
    weft_vid n = a->out.vertices, size = 0;
    reset(a);
    for (weft_vid v = 0; v < n && !a->watch->stopped; v++) {
        if (a->level[v] != WEFT_UNREACHED) continue;
        weft_vid reached = search(a, v, 3);
        if (reached <= size) continue;
        size = reached;
        memcpy(members, a->queue, size * sizeof *members);
    }
    return size;
}

static uint64_t scalar(const weft_result *r, const char *name) {
    const weft_scalar *s = weft_result_scalar(r, name);
    return s ? s->value.u64 : UINT64_MAX;
}

static int fail(recomputation *a, const char *what, uint64_t got, uint64_t want) {
    return check_wrong(a->watch, "%s is %" PRIu64 ", found %" PRIu64, what, got, want);
}

/* Compares the scalars with the columns, and the columns with each other. */
static int figures_fit(recomputation *a, const weft_result *r, const weft_vid *members, weft_vid size) {
    const uint32_t *low = weft_result_u32(r, "eccentricity"), *high = weft_result_u32(r, "at_most");
    uint64_t inside = 0, open = 0, diameter = 0, diameter_most = 0;
    for (weft_vid v = 0; v < a->out.vertices; v++) {
        if ((low[v] == WEFT_UNREACHED) != (high[v] == WEFT_UNREACHED))
            return fail(a, "at_most of a vertex", high[v], low[v]);
        if (low[v] == WEFT_UNREACHED) continue;
        inside++;
        if (low[v] > high[v]) return fail(a, "eccentricity above at_most: it", low[v], high[v]);
        open += low[v] != high[v];
        if (low[v] > diameter) diameter = low[v];
        if (high[v] > diameter_most) diameter_most = high[v];
    }
    for (weft_vid i = 0; i < size; i++)
        if (low[members[i]] == WEFT_UNREACHED)
            return fail(a, "the eccentricity of a vertex of the component", WEFT_UNREACHED, 0);
    if (inside != size) return fail(a, "the number of eccentricities", inside, size);
    const struct {
        const char *name;
        uint64_t want;
    } all[] = {{"diameter", diameter}, {"diameter_at_most", diameter_most}, {"open", open}, {"vertices", size}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (scalar(r, all[i].name) != all[i].want) return fail(a, all[i].name, scalar(r, all[i].name), all[i].want);
    return 1;
}

/* roots[v] = 1 if v reaches all others; known for every vertex if `sure`, else for some, which then only bound the
 * result. */
static int radius_fits(recomputation *a, const weft_result *r, const uint8_t *roots, weft_vid size, int sure) {
    const uint32_t *low = weft_result_u32(r, "eccentricity"), *high = weft_result_u32(r, "at_most");
    uint64_t least = size ? WEFT_NO_VALUE : 0, least_possible = least, told = scalar(r, "radius"),
             told_possible = scalar(r, "radius_at_least");
    for (weft_vid v = 0; v < a->out.vertices; v++) {
        if (!roots[v]) continue;
        if (high[v] < least) least = high[v];
        if (low[v] < least_possible) least_possible = low[v];
    }
    if (sure ? told != least : told > least) return fail(a, "radius", told, least);
    if (sure ? told_possible != least_possible : told_possible > least_possible)
        return fail(a, "radius_at_least", told_possible, least_possible);
    return 1;
}

static int distribution_fits(recomputation *a, const weft_result *r, uint64_t diameter) {
    const uint32_t *distance = weft_result_u32(r, "distance");
    const uint64_t *pairs = weft_result_u64(r, "pairs");
    uint64_t ways = a->sides == 3 ? 2 : 1, reached = 0;
    double all = 0, sum = 0, below = 0, effective = 0;
    for (uint64_t d = 1; d <= diameter; d++) {
        if (distance[d - 1] != d || pairs[d - 1] != a->count[d] / ways)
            return fail(a, "pairs of a distance", pairs[d - 1], a->count[d] / ways);
        reached += a->count[d];
        all += (double)pairs[d - 1];
        sum += (double)pairs[d - 1] * (double)d;
    }
    uint64_t size = scalar(r, "vertices"), unreachable = size * (size - 1) - reached;
    if (scalar(r, "unreachable_pairs") != unreachable)
        return fail(a, "unreachable_pairs", scalar(r, "unreachable_pairs"), unreachable);
    for (uint64_t d = 1; d <= diameter && below < 0.9 * all; d++) {
        double here = (double)pairs[d - 1];
        effective = (double)d - 1 + fmin(1, (0.9 * all - below) / here);
        below += here;
    }
    double told = weft_result_scalar(r, "effective_diameter")->value.f64,
           mean = weft_result_scalar(r, "mean_distance")->value.f64;
    if (!(fabs(told - effective) <= 1e-9 * (1 + effective)))
        return fail(a, "a thousandth of effective_diameter", (uint64_t)(told * 1000), (uint64_t)(effective * 1000));
    if (!(fabs(mean - (all > 0 ? sum / all : 0)) <= 1e-9 * (1 + mean)))
        return fail(a, "a thousandth of mean_distance", (uint64_t)(mean * 1000), (uint64_t)(sum / all * 1000));
    return 1;
}

static int compare(recomputation *a, const weft_result *r, weft_vid *members, uint8_t *roots) {
    const uint32_t *low = weft_result_u32(r, "eccentricity"), *high = weft_result_u32(r, "at_most");
    const weft_column *pairs = weft_result_column(r, "pairs"), *distance = weft_result_column(r, "distance");
    weft_vid n = a->out.vertices, size = largest(a, members);
    if (a->watch->stopped || !figures_fit(a, r, members, size)) return 0;
    double arcs = (double)a->out.arcs + (double)a->in.arcs + n;
    weft_vid searches = size;
    if (arcs * size > MOST_ARCS) searches = (weft_vid)fmin(size, fmax(LEAST_SEARCHES, MOST_ARCS / arcs));
    memset(a->count, 0, ((size_t)n + 1) * sizeof *a->count);
    memset(roots, 0, n);
    for (weft_vid i = 0; i < searches && !a->watch->stopped; i++) {
        weft_vid v = members[(uint64_t)i * size / searches];
        reset(a);
        weft_vid end = search(a, v, a->sides);
        uint32_t ecc = a->level[a->queue[end - 1]];
        roots[v] = end == size;
        if (ecc < low[v] || ecc > high[v]) return fail(a, "eccentricity of a vertex", low[v], ecc);
        for (weft_vid k = 1; k < end; k++) a->count[a->level[a->queue[k]]]++;
    }
    if (a->watch->stopped) return 0;
    uint64_t diameter = scalar(r, "diameter");
    if (pairs->length != distance->length || (pairs->length && pairs->length != diameter))
        return fail(a, "the length of the table", pairs->length, diameter);
    int whole = searches == size;
    if (!radius_fits(a, r, roots, size, whole)) return 0;
    if (whole && pairs->length && !distribution_fits(a, r, diameter)) return 0;
    return check_right(a->watch, "%s %u eccentricit%s searched again%s", whole ? "all" : "of", whole ? size : searches,
                       size == 1 ? "y" : "ies", whole ? ", and the distribution" : ", evenly chosen");
}

int weft_check_distances(check_watch *w, const weft_graph *g, const void *params, const weft_result *result) {
    const weft_distances_params *p = params;
    int way = !weft_graph_directed(g)          ? WEFT_SIDE_BOTH
              : p->direction == WEFT_SIDE_AUTO ? WEFT_SIDE_OUT
                                               : (int)p->direction;
    if (p->weights) return check_distances_by_weights(w, g, way, result);
    /* The values of the directions are the bits of `sides`. */
    recomputation a = {.out = check_out(w, g), .sides = way, .watch = w};
    size_t n = a.out.vertices;
    if (!weft_result_u32(result, "eccentricity") || !weft_result_u32(result, "at_most") ||
        weft_result_column(result, "eccentricity")->length != n || weft_result_column(result, "at_most")->length != n ||
        !weft_result_column(result, "distance") || !weft_result_column(result, "pairs") ||
        !weft_result_scalar(result, "effective_diameter") || !weft_result_scalar(result, "mean_distance"))
        return check_wrong(w, "the result lacks a column or a scalar");
    a.in = check_in(w, g);
    a.level = check_take(w, n, sizeof *a.level);
    a.queue = check_take(w, n, sizeof *a.queue);
    a.count = check_take(w, n, sizeof *a.count);
    weft_vid *members = check_take(w, n, sizeof *members);
    uint8_t *roots = check_take(w, n, 1);
    return !w->status && compare(&a, result, members, roots);
}
