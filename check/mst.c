/* mst: the rows are edges of the graph in their order, with their weights; they contain no cycle; there are as many
 * trees as components; and every other edge is the last one, by weight and then edge order, on the cycle that it
 * would close. Rows are joined in that order by union by size without path compression, and each link is stamped: the
 * last edge on the path between two vertices is then the latest stamp among some log n links above them.
 * The sum of weights is recomputed with a compensated sum in row order. */
#include "weft/mst.h"
#include "checks.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* weight: negated for a maximum spanning tree. */
typedef struct place {
    double weight;
    weft_eid arc;
} place;

typedef struct forest {
    const weft_graph *g;
    weft_csr out;
    check_watch *watch;
    const weft_vid *source, *target;
    const double *weight;
    uint64_t rows;
    double sign;
    place *order;              /* of the rows */
    weft_vid *up;              /* n: parent in its tree */
    uint64_t *made, *vertices; /* n: stamp of the link to the parent; number of vertices below a root */
} forest;

static int compare(place a, place b) {
    if (a.weight < b.weight || a.weight > b.weight) return a.weight < b.weight ? -1 : 1;
    return (a.arc > b.arc) - (a.arc < b.arc);
}

static int by_place(const void *a, const void *b) { return compare(*(const place *)a, *(const place *)b); }

static place place_of(const forest *f, weft_eid arc) {
    return (place){f->sign * check_weight(f->g, &f->out, arc), arc};
}

static int wrong_row(const forest *f, uint64_t row, const char *what) {
    return check_wrong(f->watch, "row %" PRIu64 " %s", row, what);
}

/* Finds the arc of each row: the first of that weight between its ends. */
static int find_arcs(forest *f) {
    weft_eid before = 0;
    for (uint64_t i = 0; i < f->rows && !check_stops(f->watch, i); i++) {
        weft_vid u = f->source[i], v = f->target[i];
        if (u >= f->out.vertices || v >= f->out.vertices) return wrong_row(f, i, "names an unknown vertex");
        weft_eid low = f->out.offsets[u], end = f->out.offsets[u + 1], high = end;
        while (low < high) {
            weft_eid middle = low + (high - low) / 2;
            if (f->out.targets[middle] < v)
                low = middle + 1;
            else
                high = middle;
        }
        while (low < end && f->out.targets[low] == v &&
               (check_weight(f->g, &f->out, low) < f->weight[i] || check_weight(f->g, &f->out, low) > f->weight[i]))
            low++;
        if (low == end || f->out.targets[low] != v) return wrong_row(f, i, "is not an edge of that weight");
        if (!weft_graph_directed(f->g) && u > v) return wrong_row(f, i, "begins with its larger end");
        if (i && low <= before) return wrong_row(f, i, "does not come after the one before it");
        before = low;
        f->order[i] = place_of(f, low);
    }
    return 1;
}

static weft_vid root_of(const forest *f, weft_vid v) {
    while (f->up[v] != v) v = f->up[v];
    return v;
}

static weft_vid source_of(const weft_csr *out, weft_eid arc) {
    weft_vid low = 0, high = out->vertices - 1;
    while (low < high) {
        weft_vid middle = low + (high - low) / 2;
        if (out->offsets[middle + 1] <= arc)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int join_all(forest *f) {
    for (weft_vid v = 0; v < f->out.vertices; v++) {
        f->up[v] = v;
        f->made[v] = UINT64_MAX;
        f->vertices[v] = 1;
    }
    for (uint64_t i = 0; i < f->rows && !check_stops(f->watch, i); i++) {
        weft_eid arc = f->order[i].arc;
        weft_vid a = root_of(f, source_of(&f->out, arc)), b = root_of(f, f->out.targets[arc]);
        if (a == b)
            return check_wrong(f->watch, "the edge %u %u closes a cycle", source_of(&f->out, arc), f->out.targets[arc]);
        weft_vid large = f->vertices[a] < f->vertices[b] ? b : a, small = large == a ? b : a;
        f->up[small] = large;
        f->made[small] = i;
        f->vertices[large] += f->vertices[small];
    }
    return 1;
}

/* The stamp at which u and v came into the same tree: the latest link on their paths to the common ancestor; stamps
 * ascend upwards. UINT64_MAX: never. */
static uint64_t joined_at(const forest *f, weft_vid u, weft_vid v) {
    uint64_t last = UINT64_MAX;
    while (u != v) {
        weft_vid *lower = f->made[u] < f->made[v] ? &u : &v;
        last = f->made[*lower];
        if (last == UINT64_MAX) return last;
        *lower = f->up[*lower];
    }
    return last;
}

static int others_are_last(const forest *f) {
    for (weft_vid u = 0; u < f->out.vertices && !check_stops(f->watch, u); u++)
        for (weft_eid e = f->out.offsets[u]; e < f->out.offsets[u + 1]; e++) {
            weft_vid v = f->out.targets[e];
            if (v == u || (!weft_graph_directed(f->g) && v < u)) continue;
            uint64_t row = joined_at(f, u, v);
            if (row != UINT64_MAX && compare(place_of(f, e), f->order[row]) >= 0) continue;
            return check_wrong(
                f->watch,
                row == UINT64_MAX ? "the edge %u %u joins two trees" : "the edge %u %u belongs into the forest", u, v);
        }
    return 1;
}

/* Sum of the weights times `scale`, a power of two; *size: sum of their absolute values. */
static double sum_of(const forest *f, double scale, double *size) {
    double sum = 0, rest = 0;
    *size = 0;
    for (uint64_t i = 0; i < f->rows; i++) {
        double x = f->weight[i] * scale, next = sum + x;
        rest += fabs(sum) >= fabs(x) ? (sum - next) + x : (x - next) + sum;
        sum = next;
        *size += fabs(x);
    }
    return sum + rest;
}

static int sums_right(const forest *f, const weft_result *result) {
    double size, sum = sum_of(f, 1, &size);
    if (!isfinite(sum)) sum = sum_of(f, 0x1p-64, &size) * 0x1p64; /* an intermediate sum overflowed */
    double said = weft_result_scalar(result, "weight")->value.f64;
    uint64_t edges = weft_result_scalar(result, "edges")->value.u64,
             trees = weft_result_scalar(result, "trees")->value.u64;
    if (edges == f->rows && trees == f->out.vertices - f->rows && (said == sum || fabs(said - sum) <= 1e-15 * size))
        return 1;
    return check_wrong(f->watch,
                       "%" PRIu64 " edges, %" PRIu64 " trees or the sum %.17g do not fit the %" PRIu64
                       " rows, whose sum is %.17g",
                       edges, trees, said, f->rows, sum);
}

int weft_check_mst(check_watch *w, const weft_graph *g, const void *params, const weft_result *result) {
    const weft_column *source = weft_result_column(result, "source"), *target = weft_result_column(result, "target"),
                      *weight = weft_result_column(result, "weight");
    if (!source || !target || !weight || !weft_result_f64(result, "weight") || source->length != target->length ||
        source->length != weight->length || !weft_result_scalar(result, "weight") ||
        !weft_result_scalar(result, "edges") || !weft_result_scalar(result, "trees"))
        return check_wrong(w, "a column or a scalar is missing, or of another length");
    forest f = {.g = g,
                .out = check_out(w, g),
                .watch = w,
                .source = source->data,
                .target = target->data,
                .weight = weight->data,
                .rows = source->length,
                .sign = ((const weft_mst_params *)params)->maximum ? -1 : 1};
    size_t n = f.out.vertices;
    f.order = check_take(w, f.rows, sizeof *f.order);
    f.up = check_take(w, n, sizeof *f.up);
    f.made = check_take(w, n, sizeof *f.made);
    f.vertices = check_take(w, n, sizeof *f.vertices);
    if (w->status || !find_arcs(&f)) return 0;
    qsort(f.order, f.rows, sizeof *f.order, by_place);
    return join_all(&f) && others_are_last(&f) && sums_right(&f, result) &&
           check_right(w, "%" PRIu64 " edges without a cycle, all others come last on the cycle that they would close",
                       f.rows);
}
