/* Rung 2: rung 1 with a frontier: vertices that a level reaches are put in a list, and the next level reads only that. */
#include "bfs.h"

/* --- excerpt --- */
static weft_vid step(search *s, weft_vid count, uint32_t level) {
    weft_vid found = 0;
    for (weft_vid i = 0; i < count && !(i % 8192 == 8191 && lab_stopped(s->r)); i++) {
        weft_vid u = s->frontier[i];
        for (weft_eid e = s->out.offsets[u]; e < s->out.offsets[u + 1]; e++)
            if (bfs_reach(s, u, s->out.targets[e], level)) s->next[found++] = s->out.targets[e];
    }
    return found;
}
/* --- end --- */

static weft_status run(lab_run *r) {
    search s;
    weft_status st = bfs_open(r, 0, &s);
    if (st) return st;
    lab_reads(r, &r->out);
    weft_vid count = s.n ? 1 : 0;
    for (uint32_t level = 0; count && level < s.depth; level++) {
        if (level % 64 == 0 && lab_stopped(r)) break;
        count = step(&s, count, level);
        weft_vid *swap = s.frontier;
        s.frontier = s.next;
        s.next = swap;
    }
    return bfs_close(&s, 8.0 * bfs_arcs_out(&s.out, s.level) + 32.0 * s.n);
}

const lab_rung bfs_queue = {
    .name = "queue",
    .title = "a frontier, appended to",
    .against = "scan",
    .changed = "What a level reaches is appended to a list that the next level reads. (The blog's kernel adds to the "
               "list's length and then "
               "writes at whatever the length has become, and looks and marks in two steps: threads overwrite each "
               "other's places, and a "
               "vertex gets in twice. An appending thread must keep the number that its own addition gave.)",
    .wins = "Deep graphs: O(n + m), however many levels there are.",
    .loses = "Broad levels: vertices stand in the order in which they were found, so that their rows lie anywhere; "
             "a scan takes them by number. And most arcs of a broad level lead to vertices that are reached "
             "already. On many cores all append at one place.",
    .model = "8 an arc followed + 32 a vertex (frontier written and read, offsets, level and parent)",
    .source = "lab/bfs/queue.c",
    .device = LAB_CPU,
    .serves = bfs_serves,
    .run = run,
};
