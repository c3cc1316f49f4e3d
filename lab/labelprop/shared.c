/* Label propagation's ladder: the steps and the answer.
 * A step that gives the labels of one step before stands still for ever, one that gives those of two steps before alternates for ever: the rest
 * of the steps is then known. */
#include "labelprop.h"
#include "weft/labelprop.h"

#include <string.h>

static const weft_eid *no_arcs(lab_run *r) { return lab_take(r, ((size_t)r->out.vertices + 1) * sizeof(weft_eid)); }

double labelprop_arcs(const lab_run *r) {
    return (double)r->out.arcs + (weft_graph_directed(r->g) ? (double)r->in.arcs : 0);
}

uint64_t labelprop_largest(const lab_run *r) {
    uint64_t largest = 0;
    int directed = weft_graph_directed(r->g);
    for (weft_vid v = 0; v < r->out.vertices; v++) {
        uint64_t around = r->out.offsets[v + 1] - r->out.offsets[v];
        if (directed) around += r->in.offsets[v + 1] - r->in.offsets[v];
        if (around > largest) largest = around;
    }
    return largest;
}

static weft_status open_labels(lab_run *r, size_t extra_bytes, labels *q) {
    *q = (labels){.r = r, .out = r->out, .in = r->in, .n = r->out.vertices, .around = labelprop_arcs(r)};
    if (!weft_graph_directed(r->g)) q->in = (weft_csr){.vertices = q->n, .offsets = no_arcs(r)};
    lab_reads(r, &r->out);
    lab_reads(r, &r->in);
    q->largest = labelprop_largest(r);
    q->extra = lab_take(r, extra_bytes);
    return q->in.offsets && q->extra ? WEFT_OK : WEFT_ENOMEM;
}

/* Three labellings in turn: now, next, and that of the step before, which next overwrites in its turn.  Returns the number of the step that
 * repeated, or all of them; *last is the labelling after all steps. */
static uint64_t all_steps(const labels *q, uint64_t steps, labelprop_next_fn next_of, weft_vid *turn[3],
                          const weft_vid **last) {
    weft_vid *now = turn[0], *next = turn[1], *before = turn[2];
    size_t bytes = q->n * sizeof *now;
    *last = now;
    for (uint64_t i = 1; i <= steps && !lab_stopped(q->r); i++) {
        for (weft_vid v = 0; v < q->n && !(v % 64 == 63 && lab_stopped(q->r)); v++) next[v] = next_of(q, now, v);
        *last = next;
        if (!memcmp(next, now, bytes)) return i;
        if (i > 1 && !memcmp(next, before, bytes)) {
            *last = (steps - i) % 2 ? now : next;
            return i;
        }
        weft_vid *free_again = before;
        before = now;
        now = next;
        next = free_again;
    }
    return steps;
}

weft_status labelprop_answer(lab_run *r, const weft_vid *label, uint64_t steps, double bytes_an_arc,
                             double bytes_a_vertex) {
    size_t n = r->out.vertices;
    double around = labelprop_arcs(r);
    lab_turn(r, LAB_UNTIMED);
    if (lab_stopped(r)) return WEFT_ECANCELLED;
    char *seen = lab_take(r, n + 1);
    uint64_t communities = 0;
    if (!seen) return WEFT_ENOMEM;
    for (size_t v = 0; v < n; v++)
        if (!seen[label[v]]) seen[label[v]] = 1, communities++;
    lab_column(r, "label", WEFT_VERTEX, label, n);
    lab_u64(r, "communities", communities);
    lab_u64(r, "iterations", steps);
    r->edges = (double)steps * around;
    r->bytes = (double)steps * (bytes_an_arc * around + bytes_a_vertex * (double)n);
    return WEFT_OK;
}

weft_status labelprop_run(lab_run *r, size_t extra_bytes, labelprop_next_fn next, double bytes_an_arc,
                          double bytes_a_vertex) {
    labels q;
    weft_vid *turn[3];
    const weft_vid *last;
    size_t n = r->out.vertices;
    weft_status st = open_labels(r, extra_bytes, &q);
    for (size_t i = 0; i < 3; i++) turn[i] = lab_take(r, (n + 1) * sizeof *turn[i]);
    if (st || !turn[0] || !turn[1] || !turn[2]) return WEFT_ENOMEM;
    lab_turn(r, LAB_KERNELS);
    for (weft_vid v = 0; v < q.n; v++) turn[0][v] = v;
    uint64_t done = all_steps(&q, ((const weft_labelprop_params *)r->params)->max_iterations, next, turn, &last);
    return labelprop_answer(r, last, done, bytes_an_arc, bytes_a_vertex);
}
