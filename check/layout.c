/* layout: there is no unique answer; any layout must satisfy: every position is finite, no two vertices share one,
 * weak components (found again here) are counted right and have disjoint boxes, and within a component edges are
 * short: their mean square is at most that of the distances between all its vertices. */
#include "checks.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SLACK = 1.1; /* in a complete graph both means are equal */

typedef struct part {
    double x0, x1, y0, y1;
    double x, y, squares; /* sums */
    double edges;         /* squares of edge lengths, both directions */
    uint64_t vertices, arcs;
} part;

typedef struct inquiry {
    weft_csr out;
    const float *x, *y;
    check_watch *watch;
    weft_vid *root; /* root, then number of the component */
    uint64_t *place;
    part *parts;
    uint64_t count;
} inquiry;

/* Components by union-find; each root is the smallest vertex. */
static void number_parts(inquiry *q) {
    weft_vid n = q->out.vertices;
    for (weft_vid v = 0; v < n; v++) q->root[v] = v;
    for (weft_vid v = 0; v < n && !check_stops(q->watch, v); v++)
        for (weft_eid e = q->out.offsets[v]; e < q->out.offsets[v + 1]; e++) {
            weft_vid a = check_root(q->root, v), b = check_root(q->root, q->out.targets[e]);
            if (a < b) q->root[b] = a;
            if (b < a) q->root[a] = b;
        }
    for (weft_vid v = 0; v < n && !q->watch->stopped; v++) {
        weft_vid r = check_root(q->root, v);
        q->root[v] = r; /* a root precedes the other members */
    }
    for (weft_vid v = 0; v < n && !q->watch->stopped; v++) {
        if (q->root[v] != v) {
            q->root[v] = q->root[q->root[v]];
            continue;
        }
        q->root[v] = (weft_vid)q->count;
        q->parts[q->count++] = (part){INFINITY, -INFINITY, INFINITY, -INFINITY, 0, 0, 0, 0, 0, 0};
    }
}

static int places_right(inquiry *q) {
    weft_vid n = q->out.vertices;
    for (weft_vid v = 0; v < n; v++) {
        float at[2] = {q->x[v] + 0.0f, q->y[v] + 0.0f}; /* 0 and -0 are the same position */
        if (!isfinite(at[0]) || !isfinite(at[1]))
            return check_wrong(q->watch, "vertex %u has no finite position: %g, %g", v, (double)at[0], (double)at[1]);
        memcpy(&q->place[v], at, sizeof at);
    }
    qsort(q->place, n, sizeof *q->place, check_by_u64);
    uint64_t same = 0;
    for (weft_vid v = 1; v < n; v++) same += q->place[v] == q->place[v - 1];
    return !same || check_wrong(q->watch, "%" PRIu64 " vertices share their position with another one", same);
}

static void measure_parts(inquiry *q) {
    for (weft_vid v = 0; v < q->out.vertices && !check_stops(q->watch, v); v++) {
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
    for (weft_vid v = 0; v < q->out.vertices && !q->watch->stopped; v++) {
        part *p = &q->parts[q->root[v]];
        double dx = (double)q->x[v] - p->x / (double)p->vertices, dy = (double)q->y[v] - p->y / (double)p->vertices;
        p->squares += dx * dx + dy * dy;
    }
}

/* The mean square of all pairwise distances is 2 n / (n - 1) times the mean square of distances from the centroid. */
static int edges_short(inquiry *q) {
    for (uint64_t k = 0; k < q->count; k++) {
        const part *p = &q->parts[k];
        if (!p->arcs) continue;
        double pairs = 2 * p->squares / (double)(p->vertices - 1), edges = p->edges / (double)p->arcs;
        if (edges <= SLACK * pairs) continue;
        return check_wrong(q->watch,
                           "edges of a component of %" PRIu64
                           " vertices are %.3g times as long as the distances between all of them",
                           p->vertices, sqrt(edges / pairs));
    }
    return 1;
}

static int by_left(const void *a, const void *b) {
    const part *x = a, *y = b;
    if (x->x0 != y->x0) return x->x0 > y->x0 ? 1 : -1;
    return (x->vertices < y->vertices) - (x->vertices > y->vertices);
}

/* Sweeps from left to right, larger components first: tests each box against boxes that begin before it ends. Single
 * vertices only meet single vertices, which have different positions. */
static int boxes_apart(inquiry *q) {
    qsort(q->parts, q->count, sizeof *q->parts, by_left);
    for (uint64_t i = 0; i < q->count && !check_stops(q->watch, i); i++) {
        if (q->parts[i].vertices == 1) continue;
        for (uint64_t k = i + 1; k < q->count && q->parts[k].x0 <= q->parts[i].x1; k++) {
            if (q->parts[k].y0 > q->parts[i].y1 || q->parts[k].y1 < q->parts[i].y0) continue;
            return check_wrong(q->watch, "components of %" PRIu64 " and %" PRIu64 " vertices overlap",
                               q->parts[i].vertices, q->parts[k].vertices);
        }
    }
    return 1;
}

static int all_right(inquiry *q, const weft_scalar *components) {
    number_parts(q);
    if (q->count != components->value.u64)
        return check_wrong(q->watch, "there are %" PRIu64 " components, the result says %" PRIu64, q->count,
                           components->value.u64);
    if (!places_right(q)) return 0;
    measure_parts(q);
    if (!edges_short(q) || !boxes_apart(q)) return 0;
    return check_right(q->watch, "all places finite and different, %" PRIu64 " component%s, edges short", q->count,
                       q->count == 1 ? "" : "s apart");
}

int weft_check_layout(check_watch *w, const weft_graph *g, const void *params, const weft_result *result) {
    const weft_column *x = weft_result_column(result, "x"), *y = weft_result_column(result, "y");
    const weft_scalar *components = weft_result_scalar(result, "components");
    inquiry q = {.out = check_out(w, g), .watch = w};
    (void)params;
    if (!x || !y || !components || x->length != q.out.vertices || y->length != q.out.vertices)
        return check_wrong(w, "the result lacks a column or a scalar");
    q.x = weft_result_f32(result, "x");
    q.y = weft_result_f32(result, "y");
    q.root = check_take(w, q.out.vertices, sizeof *q.root);
    q.place = check_take(w, q.out.vertices, sizeof *q.place);
    q.parts = check_take(w, q.out.vertices, sizeof *q.parts);
    return !w->status && all_right(&q, components);
}
