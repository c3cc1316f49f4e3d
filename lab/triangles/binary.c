/* Rung 2: rung 1 with a binary search in the sorted row. */
#include "triangles.h"

#include <math.h>

/* --- excerpt --- */
static int is_in_row(const simple *s, weft_vid u, weft_vid w) {
    weft_eid low = s->offsets[u], high = s->offsets[u + 1];
    while (low < high) {
        weft_eid middle = low + (high - low) / 2;
        if (s->targets[middle] == w) return 1;
        if (s->targets[middle] < w)
            low = middle + 1;
        else
            high = middle;
    }
    return 0;
}
/* --- end --- */

static void count_at(const simple *s, weft_vid v) {
    weft_eid end = s->offsets[v + 1];
    for (weft_eid i = s->offsets[v]; i < end && !triangles_stopped(s, end - i); i++)
        for (weft_eid k = i + 1; k < end; k++) s->count[v] += (uint64_t)is_in_row(s, s->targets[i], s->targets[k]);
}

/* Steps of a search: the logarithm of the mean row that is searched. */
static double steps(const lab_run *r) {
    double pairs = triangles_pairs(r);
    return pairs > 0 ? log2(triangles_searched(r) / pairs + 2) : 1;
}

static weft_status run(lab_run *r) {
    simple s;
    weft_status st = triangles_open(r, 0, &s);
    if (st) return st;
    for (weft_vid v = 0; v < s.n && !(v % 16 == 0 && lab_stopped(r)); v++) count_at(&s, v);
    return triangles_close(&s, triangles_pairs(r) * (16 + 4 * steps(r)));
}

static const char *serves(lab_run *r) { return triangles_serves(r, 0, 3e-9 * triangles_pairs(r) * steps(r)); }

const lab_rung triangles_binary = {
    .name = "binary",
    .title = "sorted rows, binary search",
    .against = "linear",
    .changed =
        "Rows are sorted, and a search halves the row: the blog's first strategy. (Weft's rows are sorted anyway.)",
    .wins = "Long rows: log d steps and not d.",
    .loses = "Short rows: half of the branches are guessed wrong, where a walk guesses all but the last right.",
    .model = "for each pair two offsets (16) and 4 for each step, log2 of the mean row searched",
    .source = "lab/triangles/binary.c",
    .device = LAB_CPU,
    .serves = serves,
    .run = run,
};
