/* Rung 4: the question turned around.  Every vertex that is not reached yet looks for a parent among its in-neighbours. */
#include "afford.h"
#include "bfs.h"

/* In-rows ascend: the first neighbour of the right level is the smallest parent, and the rest of the row is not read. */
/* --- excerpt --- */
static uint64_t step(search *s, uint32_t level, double *looked) {
    uint64_t found = 0;
    for (weft_vid v = 0; v < s->n; v++) {
        if (s->level[v] != WEFT_UNREACHED) continue;
        weft_eid e = s->in.offsets[v];
        while (e < s->in.offsets[v + 1] && s->level[s->in.targets[e]] != level) e++;
        *looked += (double)(e - s->in.offsets[v] + 1);
        if (e == s->in.offsets[v + 1]) continue;
        s->level[v] = level + 1;
        s->parent[v] = s->in.targets[e];
        found++;
    }
    return found;
}
/* --- end --- */

static weft_status run(lab_run *r) {
    search s;
    weft_status st = bfs_open(r, 0, &s);
    if (st) return st;
    lab_reads(r, &r->in);
    uint32_t level = 0;
    double looked = 0;
    while (s.n && level < s.depth && !lab_stopped(r) && step(&s, level, &looked)) level++;
    return bfs_close(&s, 8 * looked + 4.0 * s.n * (level + 1) + 24.0 * s.n);
}

/* At worst every level reads every arc of what it does not reach. */
static const char *serves(lab_run *r) {
    if (bfs_serves(r)) return bfs_serves(r);
    double depth = lab_known(r, "depth");
    return lab_too_slow(r, (depth + 1) * (1e-9 * r->out.vertices + 1.5e-9 * (double)r->out.arcs));
}

const lab_rung bfs_bottom_up = {
    .name = "bottom-up",
    .title = "bottom-up: who is not reached looks for a parent",
    .against = "scan",
    .changed = "The question is turned around: a vertex without a level looks through its in-neighbours for one that "
               "the level before reached, and "
               "stops at the first (Beamer, Asanovic and Patterson, 2012).",
    .wins = "The broad middle of a graph with hubs: nearly every vertex finds a parent after a few looks, and the arcs "
            "between reached vertices are "
            "not read at all. Nobody writes to a vertex but itself: no atomics.",
    .loses = "The first levels and the last, where there is hardly a parent to find and whole rows are read in vain; "
             "deep graphs read all arcs in every "
             "level. What is not reachable at all is asked again each time.",
    .model = "8 for each in-neighbour looked at + 4 n a level + 24 a vertex",
    .source = "lab/bfs/bottom_up.c",
    .device = LAB_CPU,
    .serves = serves,
    .run = run,
};
