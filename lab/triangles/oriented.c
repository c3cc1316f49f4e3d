/* Rung 6: every edge points from the end of lower degree to that of higher degree, and rows of such arcs are intersected. */
#include "triangles.h"

typedef struct forward {
    weft_eid *offsets;
    weft_vid *targets; /* ascending */
} forward;

/* By degree, then by number. */
static int ranks_below(const simple *s, weft_vid u, weft_vid v) {
    weft_eid a = triangles_degree(s, u), b = triangles_degree(s, v);
    return a != b ? a < b : u < v;
}

static void orient(const simple *s, const forward *f) {
    weft_eid at = 0;
    for (weft_vid u = 0; u < s->n && !(u % 4096 == 0 && lab_stopped(s->r)); u++) {
        for (weft_eid e = s->offsets[u]; e < s->offsets[u + 1]; e++)
            if (ranks_below(s, u, s->targets[e])) f->targets[at++] = s->targets[e];
        f->offsets[u + 1] = at;
    }
}

/* --- excerpt --- */
/* What the forward rows of u and v have in common closes a triangle: u is its lowest corner, v the next. */
static void meet(const simple *s, const forward *f, weft_vid u, weft_vid v) {
    weft_eid i = f->offsets[u], k = f->offsets[v];
    while (i < f->offsets[u + 1] && k < f->offsets[v + 1]) {
        weft_vid a = f->targets[i], b = f->targets[k];
        if (a == b) {
            s->count[u]++;
            s->count[v]++;
            s->count[a]++;
        }
        i += a <= b;
        k += b <= a;
    }
}
/* --- end --- */

static weft_status run(lab_run *r) {
    simple s;
    size_t n = r->out.vertices, edges = weft_graph_edges(r->g);
    weft_status st = triangles_open(r, (n + 1) * sizeof(weft_eid) + edges * sizeof(weft_vid), &s);
    if (st) return st;
    forward f = {s.extra, (weft_vid *)((weft_eid *)s.extra + n + 1)};
    orient(&s, &f);
    double walked = 0;
    for (weft_vid u = 0; u < s.n && !(u % 16 == 0 && lab_stopped(r)); u++)
        for (weft_eid e = f.offsets[u]; e < f.offsets[u + 1]; e++) {
            weft_vid v = f.targets[e];
            meet(&s, &f, u, v);
            walked += (double)(f.offsets[u + 1] - f.offsets[u] + f.offsets[v + 1] - f.offsets[v]);
        }
    return triangles_close(&s, 4 * walked + 16.0 * (double)edges);
}

/* Forward rows are at most sqrt(2 m) long. */
static const char *serves(lab_run *r) {
    double m = (double)weft_graph_edges(r->g), root = 1;
    while (root * root < 2 * m) root *= 1.1;
    return triangles_serves(r, 4 * m, 0.2e-9 * m * root);
}

const lab_rung triangles_oriented = {
    .name = "oriented",
    .title = "oriented by degree, forward rows intersected",
    .against = "binary",
    .changed = "Each edge is kept once, at its end of lower degree, and for each such arc the two forward rows are "
               "merged: a triangle is met "
               "once, at its lowest corner, and not three times.",
    .wins = "Hubs: their rows become short (no forward row is longer than sqrt(2m)), and m sqrt(m) bounds the work on "
            "any graph.",
    .loses = "Nothing here; on many cores the three counters must be shared, and very unequal rows are better searched "
             "than merged.",
    .model = "16 an edge (orienting) + 4 for each entry of the two forward rows of every arc (an upper bound: a merge "
             "may end early)",
    .source = "lab/triangles/oriented.c",
    .device = LAB_CPU,
    .serves = serves,
    .run = run,
};
