/* Rung 3: rung 2 without appending: a prefix sum of degrees gives every frontier vertex its own places for what it finds, and a second
 * one closes the gaps. */
#include "bfs.h"

typedef struct room {
    weft_eid *place;  /* n + 1: where a frontier vertex may write */
    weft_vid *found;  /* as many as there are arcs: WEFT_NO_VERTEX = a gap */
    weft_vid *filled; /* per frontier vertex: how many it found */
} room;

/* --- excerpt --- */
static weft_vid step(search *s, const room *m, weft_vid count, uint32_t level) {
    m->place[0] = 0;
    for (weft_vid i = 0; i < count; i++) {
        weft_vid u = s->frontier[i];
        m->place[i + 1] = m->place[i] + s->out.offsets[u + 1] - s->out.offsets[u];
    }
    weft_vid done = 0; /* all, unless it is to stop: each has its own places, no two of these steps meet in found[] */
    for (; done < count && !(done % 8192 == 8191 && lab_stopped(s->r)); done++) {
        weft_vid u = s->frontier[done];
        weft_eid at = m->place[done];
        for (weft_eid e = s->out.offsets[u]; e < s->out.offsets[u + 1]; e++)
            if (bfs_reach(s, u, s->out.targets[e], level)) m->found[at++] = s->out.targets[e];
        m->filled[done] = (weft_vid)(at - m->place[done]);
    }
    weft_vid total = 0;
    for (weft_vid i = 0; i < done; i++) { /* the second sum, of what was found */
        for (weft_vid k = 0; k < m->filled[i]; k++) s->next[total + k] = m->found[m->place[i] + k];
        total += m->filled[i];
    }
    return total;
}
/* --- end --- */

static weft_status run(lab_run *r) {
    search s;
    size_t n = r->out.vertices;
    weft_status st = bfs_open(r, (n + 1) * sizeof(weft_eid) + (r->out.arcs + n) * sizeof(weft_vid), &s);
    if (st) return st;
    lab_reads(r, &r->out);
    room m = {.place = s.extra};
    m.found = (weft_vid *)(m.place + n + 1);
    m.filled = m.found + r->out.arcs;
    weft_vid count = s.n ? 1 : 0;
    for (uint32_t level = 0; count && level < s.depth; level++) {
        if (level % 64 == 0 && lab_stopped(r)) break;
        count = step(&s, &m, count, level);
        weft_vid *swap = s.frontier;
        s.frontier = s.next;
        s.next = swap;
    }
    return bfs_close(&s, 8.0 * bfs_arcs_out(&s.out, s.level) + 80.0 * s.n);
}

const lab_rung bfs_prefix_sum = {
    .name = "prefix-sum",
    .title = "a frontier, placed by prefix sums",
    .against = "queue",
    .changed = "A prefix sum of the frontier's degrees gives each of its vertices places of its own; what they found "
               "there is moved together by a "
               "second sum. Nobody waits for the end of a list (Merrill, Garland and Grimshaw, 2012).",
    .wins = "With thousands of threads: no append is contended, the next frontier stands in the same order every time, "
            "and the first sum also "
            "tells how to deal out the arcs evenly.",
    .loses = "On one core, which has nobody to wait for: three passes over the frontier, and room for as many finds as "
             "there are arcs.",
    .model =
        "8 an arc followed + 80 a vertex (frontier three times, two sums, finds written and moved, level and parent)",
    .source = "lab/bfs/prefix_sum.c",
    .device = LAB_CPU,
    .serves = bfs_serves,
    .run = run,
};
