/* Rung 1: for every vertex and every pair of its neighbours, look through the row of one for the other. */
#include "triangles.h"

/* --- excerpt --- */
static int is_in_row(const simple *s, weft_vid u, weft_vid w) {
    for (weft_eid e = s->offsets[u]; e < s->offsets[u + 1]; e++)
        if (s->targets[e] == w) return 1;
    return 0;
}

static void count_at(const simple *s, weft_vid v) {
    weft_eid end = s->offsets[v + 1];
    for (weft_eid i = s->offsets[v]; i < end && !triangles_stopped(s, end - i); i++)
        for (weft_eid k = i + 1; k < end; k++) s->count[v] += (uint64_t)is_in_row(s, s->targets[i], s->targets[k]);
}
/* --- end --- */

static weft_status run(lab_run *r) {
    simple s;
    weft_status st = triangles_open(r, 0, &s);
    if (st) return st;
    for (weft_vid v = 0; v < s.n && !(v % 16 == 0 && lab_stopped(r)); v++) count_at(&s, v);
    return triangles_close(&s, 4 * triangles_searched(r));
}

static const char *serves(lab_run *r) { return triangles_serves(r, 0, 0.6e-9 * triangles_searched(r)); }

const lab_rung triangles_linear = {
    .name = "linear",
    .title = "per vertex, pairs of neighbours, linear search",
    .changed = "The blog's countTriangles: for each pair (u, w) of neighbours of a vertex, walk through the row of u "
               "until w is found. "
               "Every triangle is found at each of its three corners.",
    .wins = "Short rows: a row of eight is one cache line and is read faster than it is searched cleverly.",
    .loses = "Hubs: degree squared pairs, each with a walk of up to a whole row. A vertex of degree 1000 costs a "
             "million times one of degree 10.",
    .model = "4 bytes for each entry of a row walked: for each pair, up to the degree of the smaller neighbour (an "
             "upper bound: a walk "
             "that finds ends early)",
    .source = "lab/triangles/linear.c",
    .device = LAB_CPU,
    .serves = serves,
    .run = run,
};
