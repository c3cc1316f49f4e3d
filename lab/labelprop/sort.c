/* Rung 3: the labels around a vertex are sorted, and the longest run wins. */
#include "labelprop.h"

/* Shell's sort, gaps by 4/9 as Tokuda has them: no memory, no recursion, good to some thousand. */
static void sort_labels(weft_vid *x, size_t count) {
    size_t gap = 1;
    while (gap < count / 2) gap = gap * 9 / 4 + 1;
    for (;; gap = gap * 4 / 9 ? gap * 4 / 9 : 1) {
        for (size_t i = gap; i < count; i++) {
            weft_vid moving = x[i];
            size_t k = i;
            for (; k >= gap && x[k - gap] > moving; k -= gap) x[k] = x[k - gap];
            x[k] = moving;
        }
        if (gap == 1) return;
    }
}

/* --- excerpt --- */
static weft_vid next_label(const labels *q, const weft_vid *label, weft_vid v) {
    weft_vid *around = q->extra, best = label[v];
    size_t count = labelprop_degree(q, v), run = 0, most = 0;
    for (size_t i = 0; i < count; i++) around[i] = labelprop_around(q, label, v, i);
    sort_labels(around, count);
    for (size_t i = 0; i < count; i++) {
        run = i && around[i] == around[i - 1] ? run + 1 : 1;
        if (run <= most) continue; /* of equal runs the first, which is the smallest label */
        most = run;
        best = around[i];
    }
    return best;
}
/* --- end --- */

static weft_status run(lab_run *r) {
    return labelprop_run(r, (labelprop_largest(r) + 1) * sizeof(weft_vid), next_label, 16, 12);
}

const lab_rung labelprop_sort = {
    .name = "sort",
    .title = "labels around a vertex sorted, the longest run",
    .against = "array",
    .changed = "The labels around a vertex are copied and sorted; equal ones stand together, and the longest run wins. "
               "Room is as large as the largest degree.",
    .wins = "Short rows: ten labels are sorted in registers and the nearest cache. No counters, so that any number of "
            "threads can do it.",
    .loses = "Hubs: d log d and more, where counting takes d.",
    .model = "a step: 16 an arc (target, label, copy written and read; the sorting stays in the cache) + 12 n",
    .source = "lab/labelprop/sort.c",
    .device = LAB_CPU,
    .run = run,
};
