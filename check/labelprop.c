/* labelprop: on small graphs all steps are repeated. On large ones, a run that ended early must be stationary or
 * alternate; of other runs only the range of labels is checked. Communities are counted. */
#include "weft/labelprop.h"
#include "checks.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Largest product of arcs and steps for a full repetition. */
#define SMALL ((uint64_t)1 << 28)

/* Label of an arc's other end, and the weight of its vote. */
typedef struct ballot {
    weft_vid label;
    uint64_t votes;
} ballot;

typedef struct rerun {
    const weft_graph *g;
    weft_csr out, in;
    int directed;
    ballot *around;           /* elements for the largest neighbourhood */
    double unit;              /* votes per weight; 0: every arc has one vote */
    weft_vid *before, *a, *b; /* n labels each */
    const weft_vid *label;    /* of the result */
    check_watch *watch;
} rerun;

static uint64_t degree_of(const rerun *q, weft_vid v) {
    uint64_t degree = q->out.offsets[v + 1] - q->out.offsets[v];
    return q->directed ? degree + q->in.offsets[v + 1] - q->in.offsets[v] : degree;
}

static int by_label(const void *a, const void *b) {
    weft_vid x = ((const ballot *)a)->label, y = ((const ballot *)b)->label;
    return (x > y) - (x < y);
}

static size_t collect(const rerun *q, const weft_csr *rows, const weft_vid *label, weft_vid v, size_t size) {
    for (weft_eid e = rows->offsets[v]; e < rows->offsets[v + 1]; e++) {
        uint64_t votes = q->unit > 0 ? (uint64_t)(check_weight(q->g, rows, e) * q->unit) : 1;
        if (votes) q->around[size++] = (ballot){label[rows->targets[e]], votes};
    }
    return size;
}

static double row_sum(const rerun *q, const weft_csr *rows, weft_vid v) {
    double sum = 0;
    for (weft_eid e = rows->offsets[v]; e < rows->offsets[v + 1]; e++) sum += check_weight(q->g, rows, e);
    return sum;
}

/* The power of two that scales the weights around each vertex to at most 2^62. */
static double find_unit(const rerun *q) {
    double largest = 0;
    int scale;
    for (weft_vid v = 0; v < q->out.vertices && !check_stops(q->watch, v); v++)
        largest = fmax(largest, row_sum(q, &q->out, v) + (q->directed ? row_sum(q, &q->in, v) : 0));
    (void)frexp(largest, &scale);
    return ldexp(1, 62 - scale);
}

static weft_vid next_label(const rerun *q, const weft_vid *label, weft_vid v) {
    uint64_t most = 0, run = 0;
    weft_vid best = label[v];
    size_t size = collect(q, &q->out, label, v, 0);
    if (q->directed) size = collect(q, &q->in, label, v, size);
    qsort(q->around, size, sizeof *q->around, by_label);
    for (size_t i = 0; i < size; i++) {
        run = i && q->around[i].label == q->around[i - 1].label ? run + q->around[i].votes : q->around[i].votes;
        if (run <= most) continue;
        most = run;
        best = q->around[i].label;
    }
    return best;
}

/* Returns true if a label changed. */
static int step(const rerun *q, const weft_vid *label, weft_vid *next) {
    int changed = 0;
    for (weft_vid v = 0; v < q->out.vertices && !check_stops(q->watch, v); v++) {
        next[v] = next_label(q, label, v);
        changed |= next[v] != label[v];
    }
    return changed;
}

static int vertex_wrong(const weft_graph *g, weft_vid v, weft_vid got, weft_vid want, check_watch *w) {
    return check_wrong(w, "vertex %s has label %s, but it should be %s", check_id(g, v).text, check_id(g, got).text,
                       check_id(g, want).text);
}

static int same(const rerun *q, const weft_vid *want) {
    for (weft_vid v = 0; v < q->out.vertices; v++)
        if (q->label[v] != want[v]) return vertex_wrong(q->g, v, q->label[v], want[v], q->watch);
    return 1;
}

/* The count of iterations ends at the first step that gives the labels of one or two steps before; later steps may
 * follow. */
static int redo(const rerun *q, uint64_t steps, uint64_t done) {
    uint64_t first_repeat = 0;
    weft_vid *a = q->a, *b = q->b;
    size_t bytes = q->out.vertices * sizeof *a;
    for (weft_vid v = 0; v < q->out.vertices; v++) a[v] = v;
    for (uint64_t i = 1; i <= steps; i++) {
        memcpy(q->before, b, i > 1 ? bytes : 0); /* labels two steps ago */
        int changed = step(q, a, b);
        if (q->watch->stopped) return 0; /* b is incomplete */
        if (!first_repeat && (!changed || (i > 1 && !memcmp(q->before, b, bytes)))) first_repeat = i;
        weft_vid *swap = a;
        a = b;
        b = swap;
        if (!changed) break;
    }
    if (done == (first_repeat ? first_repeat : steps)) return same(q, a);
    return check_wrong(q->watch, "iterations is %" PRIu64 ", but labels repeat in step %" PRIu64, done, first_repeat);
}

/* True if two further steps lead back to the labels. */
static int repeats(const rerun *q) {
    step(q, q->label, q->a);
    step(q, q->a, q->b);
    return !q->watch->stopped && same(q, q->b);
}

static int labels_are_vertices(const weft_graph *g, const weft_vid *label, check_watch *w) {
    for (weft_vid v = 0; v < weft_graph_vertices(g); v++)
        if (label[v] >= weft_graph_vertices(g)) return vertex_wrong(g, v, label[v], v, w);
    return 1;
}

static int scalars_right(const weft_graph *g, const weft_result *result, const weft_vid *label, uint64_t steps,
                         weft_vid *mark, check_watch *w) {
    const weft_scalar *communities = weft_result_scalar(result, "communities"),
                      *done = weft_result_scalar(result, "iterations");
    uint64_t count = 0;
    memset(mark, 0, weft_graph_vertices(g) * sizeof *mark);
    for (weft_vid v = 0; v < weft_graph_vertices(g); v++)
        if (!mark[label[v]]++) count++;
    if (communities && done && communities->value.u64 == count && done->value.u64 <= steps) return 1;
    return check_wrong(w, "%" PRIu64 " labels occur, but the result has a different count", count);
}

int weft_check_labelprop(check_watch *w, const weft_graph *g, const void *params, const weft_result *result) {
    const weft_labelprop_params *p = params;
    const weft_vid *label = weft_result_u32(result, "label");
    weft_vid n = weft_graph_vertices(g);
    if (!label || weft_result_column(result, "label")->length != n)
        return check_wrong(w, "the labels are missing or of another length");
    rerun q = {.g = g,
               .out = check_out(w, g),
               .in = check_in(w, g),
               .directed = weft_graph_directed(g),
               .label = label,
               .watch = w};
    if (w->status) return 0;
    if (p->weights) q.unit = find_unit(&q);
    uint64_t largest = 1, work = q.out.arcs + n;
    for (weft_vid v = 0; v < n; v++) largest = degree_of(&q, v) > largest ? degree_of(&q, v) : largest;
    q.a = check_take(w, n, sizeof *q.a);
    q.b = check_take(w, n, sizeof *q.b);
    q.around = check_take(w, largest, sizeof *q.around);
    q.before = check_take(w, n, sizeof *q.before);
    if (w->status) return 0;
    const weft_scalar *done = weft_result_scalar(result, "iterations");
    int early = done && done->value.u64 < p->max_iterations, small = p->max_iterations <= SMALL / (work ? work : 1);
    return labels_are_vertices(g, label, w) && scalars_right(g, result, label, p->max_iterations, q.a, w) &&
           (!small || redo(&q, p->max_iterations, done->value.u64)) && (!early || repeats(&q)) &&
           check_right(w, "%s, communities counted",
                       small   ? "all steps done again"
                       : early ? "two more steps lead back to the same labels"
                               : "labels are vertices (too large to do the steps again)");
}
