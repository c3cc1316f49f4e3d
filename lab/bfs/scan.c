/* Rung 1: no frontier.  Every level looks at all vertices for those that the level before reached. */
#include "afford.h"
#include "bfs.h"

/* --- excerpt --- */
static uint64_t step(search *s, uint32_t level) {
    uint64_t found = 0;
    for (weft_vid u = 0; u < s->n; u++) {
        if (s->level[u] != level) continue;
        for (weft_eid e = s->out.offsets[u]; e < s->out.offsets[u + 1]; e++)
            found += (uint64_t)bfs_reach(s, u, s->out.targets[e], level);
    }
    return found;
}
/* --- end --- */

static weft_status run(lab_run *r) {
    search s;
    weft_status st = bfs_open(r, 0, &s);
    if (st) return st;
    lab_reads(r, &r->out);
    uint32_t level = 0;
    while (s.n && level < s.depth && !lab_stopped(r) && step(&s, level)) level++;
    return bfs_close(&s, 4.0 * s.n * (level + 1) + 8.0 * bfs_arcs_out(&s.out, s.level) + 24.0 * s.n);
}

/* The number of levels decides, and only the answer tells it. */
static const char *serves(lab_run *r) {
    if (bfs_serves(r)) return bfs_serves(r);
    double depth = lab_known(r, "depth");
    return lab_too_slow(r, 1e-9 * depth * r->out.vertices + 5e-9 * (double)r->out.arcs);
}

const lab_rung bfs_scan = {
    .name = "scan",
    .title = "no frontier: every level looks at all vertices",
    .changed = "The start, as on the first GPUs (Harish and Narayanan, 2007): the level of a vertex is all there is, "
               "and each level passes over "
               "all of them to find its own.",
    .wins = "Graphs of few levels: the pass is in order, and so are the rows it reads, because it meets the "
            "vertices of a level by number. On a million random vertices it was ahead of the queue in every run, "
            "by 1.5 to 4.8 times.",
    .loses = "Deep graphs: n looks a level. A path costs n^2 / 2.",
    .model = "4 n a level (levels) + 8 an arc followed (target, its level) + 24 a vertex (offsets, level and parent "
             "written)",
    .source = "lab/bfs/scan.c",
    .device = LAB_CPU,
    .serves = serves,
    .run = run,
};
