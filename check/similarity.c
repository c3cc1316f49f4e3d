/* similarity: rows are in order, and values are recomputed on the simple view, with marked neighbours and the
 * logarithm of libm. For a vertex with a list of most similar vertices, all vertices that share a neighbour with it
 * are evaluated: none without a row may precede the last row. Of many rows or vertices an even sample is checked. */
#include "weft/similarity.h"
#include "checks.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Limit of the neighbours read. */
static const double MOST_READ = 1e8;
/* Tolerance between sums in fixed point and sums of doubles. */
static const double CLOSE = 1e-9;

typedef struct recomputation {
    const weft_graph *g;
    const weft_similarity_params *p;
    check_simple s;
    check_watch *watch;
    const weft_vid *source, *target; /* the table */
    const double *value;
    size_t rows;
    uint64_t *size; /* per vertex: number of neighbours that count */
    double *sum;    /* by vertex, for one vertex at a time: common neighbours, counted or weighted; 0 between uses */
    double read;
} recomputation;

static int fail(recomputation *a, const char *what, weft_vid u, weft_vid v, double got, double want) {
    return check_wrong(a->watch, "vertices %s and %s: %s: %.17g, computed %.17g", check_id(a->g, u).text,
                       check_id(a->g, v).text, what, got, want);
}

static uint64_t degree(const recomputation *a, weft_vid v) { return a->s.offsets[v + 1] - a->s.offsets[v]; }

static int counts(const recomputation *a, weft_vid v) {
    return !a->p->most_degree || degree(a, v) <= a->p->most_degree;
}

/* --- values ---------------------------------------------------------------------------------- */

static int weighs(const recomputation *a) {
    return a->p->measure == WEFT_SIMILARITY_ADAMIC_ADAR || a->p->measure == WEFT_SIMILARITY_RESOURCE_ALLOCATION;
}

static double part_of(const recomputation *a, weft_vid w) {
    double d = (double)degree(a, w);
    return !weighs(a) ? 1 : a->p->measure == WEFT_SIMILARITY_RESOURCE_ALLOCATION ? 1 / d : d > 1 ? 1 / log(d) : 0;
}

static double over(double x, double y) { return y > 0 ? x / y : 0; }

static double value_of(const recomputation *a, double common, weft_vid u, weft_vid v) {
    double x = (double)a->size[u], y = (double)a->size[v];
    switch ((weft_similarity_measure)a->p->measure) {
    case WEFT_SIMILARITY_JACCARD: return over(common, x + y - common);
    case WEFT_SIMILARITY_OVERLAP: return over(common, x < y ? x : y);
    case WEFT_SIMILARITY_COSINE: return over(common, sqrt(x * y));
    case WEFT_SIMILARITY_SORENSEN: return over(2 * common, x + y);
    case WEFT_SIMILARITY_PREFERENTIAL_ATTACHMENT: return x * y;
    case WEFT_SIMILARITY_COMMON:
    case WEFT_SIMILARITY_ADAMIC_ADAR:
    case WEFT_SIMILARITY_RESOURCE_ALLOCATION: break;
    }
    return common;
}

/* Measures that count must match exactly. */
static int is_right(const recomputation *a, double got, double want) {
    return weighs(a) ? fabs(got - want) <= CLOSE * want : !(got < want) && !(got > want);
}

/* --- rows of pairs and edges ------------------------------------------------------------------ */

static double value_again(recomputation *a, weft_vid u, weft_vid v) {
    const check_simple *s = &a->s;
    double common = 0;
    for (uint64_t i = s->offsets[u]; i < s->offsets[u + 1]; i++) a->sum[s->targets[i]] = counts(a, s->targets[i]);
    for (uint64_t i = s->offsets[v]; i < s->offsets[v + 1]; i++)
        if (a->sum[s->targets[i]] > 0) common += part_of(a, s->targets[i]);
    for (uint64_t i = s->offsets[u]; i < s->offsets[u + 1]; i++) a->sum[s->targets[i]] = 0;
    return value_of(a, common, u, v);
}

static int values_right(recomputation *a) {
    size_t checked = 0, step = 1;
    for (size_t i = 0; i < a->rows; i++) a->read += (double)(2 * degree(a, a->source[i]) + degree(a, a->target[i]));
    while (a->read / (double)step > MOST_READ) step++;
    for (size_t i = 0; i < a->rows && !check_stops(a->watch, i); i += step) {
        weft_vid u = a->source[i], v = a->target[i];
        double want = u == v ? 0 : value_again(a, u, v);
        if (!is_right(a, a->value[i], want)) return fail(a, "the similarity is wrong", u, v, a->value[i], want);
        checked++;
    }
    return check_right(a->watch, "%s%zu row%s computed again", checked == a->rows ? "all " : "", checked,
                       checked == 1 ? "" : "s");
}

static int pairs_listed(recomputation *a) {
    size_t i = 0;
    while (i < a->rows && i < a->p->pair_count && a->source[i] == a->p->pairs[2 * i] &&
           a->target[i] == a->p->pairs[2 * i + 1])
        i++;
    if (i == a->rows && i == a->p->pair_count) return 1;
    return check_wrong(a->watch, "row %zu is not the pair in its place", i + 1);
}

/* Edges of a directed graph are its arcs; of an undirected one, its arcs to vertices not below the source. */
static int edges_listed(recomputation *a) {
    weft_csr out = check_out(a->watch, a->g);
    size_t i = 0;
    for (weft_vid u = 0; u < out.vertices && !check_stops(a->watch, u); u++)
        for (weft_eid e = out.offsets[u]; e < out.offsets[u + 1]; e++) {
            weft_vid v = out.targets[e];
            if (!weft_graph_directed(a->g) && v < u) continue;
            if (i == a->rows || a->source[i] != u || a->target[i] != v)
                return fail(a, "the edge is not in its place, which is row", u, v, (double)i + 1, (double)i + 1);
            i++;
        }
    return i == a->rows || fail(a, "more rows than edges", 0, 0, (double)a->rows, (double)i);
}

/* --- the most similar ------------------------------------------------------------------------- */

/* Sets a->sum for all vertices that share a neighbour with u. */
static void walk(recomputation *a, weft_vid u) {
    const check_simple *s = &a->s;
    for (uint64_t i = s->offsets[u]; i < s->offsets[u + 1]; i++) {
        weft_vid w = s->targets[i];
        if (!counts(a, w)) continue;
        for (uint64_t k = s->offsets[w]; k < s->offsets[w + 1]; k++) a->sum[s->targets[k]] += part_of(a, w);
        a->read += (double)degree(a, w);
    }
    a->sum[u] = 0;
    for (uint64_t i = s->offsets[u]; a->p->unjoined && i < s->offsets[u + 1]; i++) a->sum[s->targets[i]] = 0;
    a->read += a->s.n;
}

static int precedes(const recomputation *a, size_t i, size_t k) {
    return a->value[i] > a->value[k] || (!(a->value[i] < a->value[k]) && a->target[i] < a->target[k]);
}

/* Checks that the rows from ... end - 1 are all rows of u. */
static int best_right(recomputation *a, weft_vid u, size_t from, size_t end) {
    double least = end - from == a->p->per_vertex ? a->value[end - 1] : 0;
    int right = 1;
    walk(a, u);
    for (size_t i = from; i < end && right; i++) {
        weft_vid v = a->target[i];
        double want = a->sum[v] > 0 ? value_of(a, a->sum[v], u, v) : 0;
        right = want > 0 && is_right(a, a->value[i], want);
        if (!right) fail(a, "the similarity is wrong", u, v, a->value[i], want);
        a->sum[v] = 0;
    }
    for (weft_vid v = 0; v < a->s.n; v++) {
        double x = a->sum[v] > 0 ? value_of(a, a->sum[v], u, v) : 0;
        if (weighs(a)) x -= CLOSE * least;
        if (right && x > 0 && (x > least || (!(x < least) && v < a->target[end - 1])))
            right = fail(a, "it has no row, but precedes the last row", u, v, least, x);
        a->sum[v] = 0;
    }
    return right;
}

static int best_listed(recomputation *a) {
    uint64_t count = a->p->of ? a->p->of_count : a->s.n, checked = 0;
    uint64_t step = 1 + (uint64_t)((double)count * a->s.n / MOST_READ);
    size_t from = 0;
    for (uint64_t i = 0; i < count && !check_stops(a->watch, i); i++) {
        weft_vid u = a->p->of ? a->p->of[i] : (weft_vid)i;
        size_t end = from; /* the same vertex may follow itself */
        while (end < a->rows && a->source[end] == u && end - from < a->p->per_vertex &&
               (end == from || precedes(a, end - 1, end)))
            end++;
        if (i % step == 0 && a->read < MOST_READ) {
            if (!best_right(a, u, from, end)) return 0;
            checked++;
        }
        from = end;
    }
    if (from < a->rows)
        return fail(a, "an extra row, or a row out of order", a->source[from], a->target[from], a->value[from], 0);
    return check_right(a->watch, "rows of %s%" PRIu64 " vert%s found again", checked == count ? "all " : "", checked,
                       checked == 1 ? "ex" : "ices");
}

/* --- all ------------------------------------------------------------------------------------- */

static int has_table(recomputation *a, const weft_result *result) {
    const weft_column *c = weft_result_column(result, "similarity");
    const weft_scalar *pairs = weft_result_scalar(result, "pairs"), *hubs = weft_result_scalar(result, "hubs");
    uint64_t passed_over = 0;
    int good = c && pairs && hubs;
    a->source = weft_result_u32(result, "source");
    a->target = weft_result_u32(result, "target");
    a->value = weft_result_f64(result, "similarity");
    good = good && a->source && a->target && a->value && weft_result_column(result, "source")->length == c->length &&
           weft_result_column(result, "target")->length == c->length && pairs->value.u64 == c->length;
    a->rows = good ? c->length : 0;
    for (size_t i = 0; i < a->rows; i++) good = good && a->source[i] < a->s.n && a->target[i] < a->s.n;
    for (weft_vid v = 0; v < a->s.n; v++) passed_over += (uint64_t)!counts(a, v);
    good = good && hubs->value.u64 == passed_over;
    return good || check_wrong(a->watch, "a column, a scalar or a vertex is missing or wrong");
}

static int compare(recomputation *a, const weft_result *result) {
    const check_simple *s = &a->s;
    if (!has_table(a, result)) return 0;
    for (weft_vid v = 0; v < s->n; v++)
        for (uint64_t i = s->offsets[v]; i < s->offsets[v + 1]; i++) a->size[v] += (uint64_t)counts(a, s->targets[i]);
    if (!a->p->pairs && !a->p->edges) return best_listed(a);
    return (a->p->pairs ? pairs_listed(a) : edges_listed(a)) && values_right(a);
}

int weft_check_similarity(check_watch *w, const weft_graph *g, const void *params, const weft_result *result) {
    recomputation a = {.g = g, .p = params, .watch = w};
    if (!check_simple_make(g, w, &a.s)) return 0;
    a.size = check_take(w, a.s.n, sizeof *a.size);
    a.sum = check_take(w, a.s.n, sizeof *a.sum);
    return !w->status && compare(&a, result);
}
