/* Rung 1: a counter for every label there can be, cleared for every vertex and searched from end to end. */
#include "afford.h"
#include "labelprop.h"
#include "weft/labelprop.h"

#include <string.h>

/* --- excerpt --- */
static weft_vid next_label(const labels *q, const weft_vid *label, weft_vid v) {
    uint32_t *count = q->extra, most = 0;
    weft_vid best = label[v];
    memset(count, 0, q->n * sizeof *count);
    for (uint64_t i = 0; i < labelprop_degree(q, v); i++) count[labelprop_around(q, label, v, i)]++;
    for (weft_vid l = 0; l < q->n; l++)
        if (count[l] > most) {
            most = count[l];
            best = l;
        }
    return best;
}
/* --- end --- */

static weft_status run(lab_run *r) {
    return labelprop_run(r, ((size_t)r->out.vertices + 1) * sizeof(uint32_t), next_label, 16,
                         12 + 8.0 * r->out.vertices);
}

static const char *serves(lab_run *r) {
    double n = r->out.vertices, steps = (double)((const weft_labelprop_params *)r->params)->max_iterations;
    return lab_too_slow(r, steps * (1e-9 * n * n + 2e-9 * labelprop_arcs(r)));
}

const lab_rung labelprop_array = {
    .name = "array",
    .title = "a counter for every label, searched from end to end",
    .changed = "The blog's kernel: label_count[MAX_LABELS], zero at first, a counter for each label around the vertex, "
               "and the largest. The blog leaves open what "
               "happens when there are more labels than MAX_LABELS (it writes behind the array); labels begin as "
               "vertices, so here there are n.",
    .wins = "A handful of labels. Searching upwards with > also gives the smallest of equal labels for free.",
    .loses = "Everything else: n counters cleared and searched for a vertex with ten neighbours. On a GPU the array "
             "does not even fit in registers.",
    .model = "a step: 8 n^2 (counters cleared and searched) + 16 an arc (target, label, counter there and back) + 12 n",
    .source = "lab/labelprop/array.c",
    .device = LAB_CPU,
    .serves = serves,
    .run = run,
};
