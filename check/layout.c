/* layout: there is no one right answer, and the definition is what any layout must be: every place is finite, no two
 * vertices share one, weak components (found again here) are counted right and have boxes that do not overlap, and
 * within a component edges are short: their mean square is no larger than that of the distances between all its
 * vertices. */
#include "checks.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double SLACK = 1.1; /* in a complete graph both means are the same */

typedef struct part {
    double x0, x1, y0, y1;
    double x, y, squares; /* sums */
    double edges;         /* squares of edges, each both ways */
    uint64_t vertices, arcs;
} part;

typedef struct inquiry {
    weft_csr out;
    const float *x, *y;
    check_watch watch;
    weft_vid *root; /* then the number of the component */
    uint64_t *place;
    part *parts;
    uint64_t count;
    weft_check_report *report;
} inquiry;

static weft_vid find_root(weft_vid *root, weft_vid v) {
    while (root[v] != v) v = root[v] = root[root[v]];
    return v;
}

/* Components by union and find; each root has the smallest vertex. */
static void number_parts(inquiry *q) {
    weft_vid n = q->out.vertices;
    for (weft_vid v = 0; v < n; v++) q->root[v] = v;
    for (weft_vid v = 0; v < n && !check_stops(&q->watch, v); v++)
        for (weft_eid e = q->out.offsets[v]; e < q->out.offsets[v + 1]; e++) {
            weft_vid a = find_root(q->root, v), b = find_root(q->root, q->out.targets[e]);
            if (a < b) q->root[b] = a;
            if (b < a) q->root[a] = b;
        }
    for (weft_vid v = 0; v < n && !q->watch.stopped; v++) {
        weft_vid r = find_root(q->root, v);
        q->root[v] = r; /* roots are met before what they are the roots of */
    }
    for (weft_vid v = 0; v < n && !q->watch.stopped; v++) {
        if (q->root[v] != v) {
            q->root[v] = q->root[q->root[v]];
            continue;
        }
        q->root[v] = (weft_vid)q->count;
        q->parts[q->count++] = (part){INFINITY, -INFINITY, INFINITY, -INFINITY, 0, 0, 0, 0, 0, 0};
    }
}

static int by_value(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static int places_right(inquiry *q) {
    weft_vid n = q->out.vertices;
    for (weft_vid v = 0; v < n; v++) {
        float at[2] = {q->x[v] + 0.0f, q->y[v] + 0.0f}; /* 0 and -0 are one place */
        if (!isfinite(at[0]) || !isfinite(at[1])) {
            snprintf(q->report->message, sizeof q->report->message, "vertex %u is nowhere: %g, %g", v, (double)at[0],
                     (double)at[1]);
            return 0;
        }
        memcpy(&q->place[v], at, sizeof at);
    }
    qsort(q->place, n, sizeof *q->place, by_value);
    uint64_t same = 0;
    for (weft_vid v = 1; v < n; v++) same += q->place[v] == q->place[v - 1];
    if (same)
        snprintf(q->report->message, sizeof q->report->message, "%" PRIu64 " vertices are where another one is", same);
    return !same;
}

static void measure_parts(inquiry *q) {
    for (weft_vid v = 0; v < q->out.vertices && !check_stops(&q->watch, v); v++) {
        part *p = &q->parts[q->root[v]];
        double x = (double)q->x[v], y = (double)q->y[v];
        p->x0 = fmin(p->x0, x);
        p->x1 = fmax(p->x1, x);
        p->y0 = fmin(p->y0, y);
        p->y1 = fmax(p->y1, y);
        p->x += x;
        p->y += y;
        p->vertices++;
        for (weft_eid e = q->out.offsets[v]; e < q->out.offsets[v + 1]; e++) {
            weft_vid u = q->out.targets[e];
            double dx = (double)q->x[u] - x, dy = (double)q->y[u] - y;
            p->edges += dx * dx + dy * dy;
            p->arcs += u != v;
        }
    }
    for (weft_vid v = 0; v < q->out.vertices && !q->watch.stopped; v++) {
        part *p = &q->parts[q->root[v]];
        double dx = (double)q->x[v] - p->x / (double)p->vertices, dy = (double)q->y[v] - p->y / (double)p->vertices;
        p->squares += dx * dx + dy * dy;
    }
}

/* The mean square of the distances of all pairs is 2 n / (n - 1) times that of the distances from the mean. */
static int edges_short(inquiry *q) {
    for (uint64_t k = 0; k < q->count; k++) {
        const part *p = &q->parts[k];
        if (!p->arcs) continue;
        double pairs = 2 * p->squares / (double)(p->vertices - 1), edges = p->edges / (double)p->arcs;
        if (edges <= SLACK * pairs) continue;
        snprintf(q->report->message, sizeof q->report->message,
                 "edges of a component of %" PRIu64
                 " vertices are %.3g times as long as the distances between all of them",
                 p->vertices, sqrt(edges / pairs));
        return 0;
    }
    return 1;
}

static int by_left(const void *a, const void *b) {
    const part *x = a, *y = b;
    if (x->x0 != y->x0) return x->x0 > y->x0 ? 1 : -1;
    return (x->vertices < y->vertices) - (x->vertices > y->vertices);
}

/* From left to right, the larger first: each against those that begin before it ends.  A single vertex meets only such
 * ones, elsewhere. */
static int boxes_apart(inquiry *q) {
    qsort(q->parts, q->count, sizeof *q->parts, by_left);
    for (uint64_t i = 0; i < q->count && !check_stops(&q->watch, i); i++) {
        if (q->parts[i].vertices == 1) continue;
        for (uint64_t k = i + 1; k < q->count && q->parts[k].x0 <= q->parts[i].x1; k++) {
            if (q->parts[k].y0 > q->parts[i].y1 || q->parts[k].y1 < q->parts[i].y0) continue;
            snprintf(q->report->message, sizeof q->report->message,
                     "components of %" PRIu64 " and %" PRIu64 " vertices overlap", q->parts[i].vertices,
                     q->parts[k].vertices);
            return 0;
        }
    }
    return 1;
}

static int all_right(inquiry *q, const weft_scalar *components) {
    number_parts(q);
    if (q->count != components->value.u64) {
        snprintf(q->report->message, sizeof q->report->message,
                 "there are %" PRIu64 " components, the result says %" PRIu64, q->count, components->value.u64);
        return 0;
    }
    if (!places_right(q)) return 0;
    measure_parts(q);
    if (!edges_short(q) || !boxes_apart(q)) return 0;
    snprintf(q->report->message, sizeof q->report->message,
             "all places finite and different, %" PRIu64 " component%s, edges short", q->count,
             q->count == 1 ? "" : "s apart");
    return 1;
}

weft_status weft_check_layout(weft_ctx *ctx, const weft_graph *g, const void *params, const weft_result *result,
                              weft_check_report *report) {
    const weft_column *x = weft_result_column(result, "x"), *y = weft_result_column(result, "y");
    const weft_scalar *components = weft_result_scalar(result, "components");
    inquiry q = {.watch = {ctx, 0}, .report = report};
    (void)params;
    q.out = check_out(&q.watch, g);
    report->passed = 0;
    if (!x || !y || !components || x->length != q.out.vertices || y->length != q.out.vertices) {
        snprintf(report->message, sizeof report->message, "the result lacks a column or a scalar");
        return WEFT_OK;
    }
    q.x = weft_result_f32(result, "x");
    q.y = weft_result_f32(result, "y");
    size_t n = (size_t)q.out.vertices + 1;
    q.root = malloc(n * sizeof *q.root);
    q.place = malloc(n * sizeof *q.place);
    q.parts = malloc(n * sizeof *q.parts);
    weft_status st = q.root && q.place && q.parts ? WEFT_OK : WEFT_ENOMEM;
    if (!st) report->passed = all_right(&q, components);
    free(q.root);
    free(q.place);
    free(q.parts);
    return check_ended(&q.watch, st, &report->passed);
}
