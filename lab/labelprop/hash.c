/* Rung 4: counters in a hash table as large as the vertex needs. */
#include "labelprop.h"

#include <string.h>

typedef struct slot {
    weft_vid label;
    uint32_t count; /* 0 = empty */
} slot;

/* A power of two of at least twice the labels. */
static size_t slots_for(uint64_t labels_around) {
    size_t slots = 4;
    while (slots < 2 * labels_around) slots *= 2;
    return slots;
}

/* --- excerpt --- */
static weft_vid next_label(const labels *q, const weft_vid *label, weft_vid v) {
    slot *table = q->extra;
    uint64_t around = labelprop_degree(q, v), mask = slots_for(around) - 1;
    uint32_t most = 0;
    weft_vid best = label[v];
    memset(table, 0, (mask + 1) * sizeof *table);
    for (uint64_t i = 0; i < around; i++) {
        weft_vid l = labelprop_around(q, label, v, i);
        uint64_t at = (l * 0x9e3779b97f4a7c15u >> 32) & mask;
        while (table[at].count && table[at].label != l) at = (at + 1) & mask;
        table[at].label = l;
        uint32_t count = ++table[at].count;
        if (count > most || (count == most && l < best)) {
            most = count;
            best = l;
        }
    }
    return best;
}
/* --- end --- */

static weft_status run(lab_run *r) {
    return labelprop_run(r, slots_for(labelprop_largest(r)) * sizeof(slot), next_label, 40, 12);
}

const lab_rung labelprop_hash = {
    .name = "hash",
    .title = "counters in a hash table as large as the row needs",
    .against = "touched",
    .changed = "Counters live in a table of twice the row's length, cleared for each vertex. The winner is kept while "
               "counting: a label that ends with the most "
               "passes every other on its way, so the last to take the lead is right.",
    .wins = "Long rows with many labels, and many threads: the table fits the row, not the graph, and stays near.",
    .loses = "Short rows, to sorting; and on one core with counters in the cache, to the array.",
    .model = "a step: 40 an arc (target, label, two slots cleared, one there and back) + 12 n",
    .source = "lab/labelprop/hash.c",
    .device = LAB_CPU,
    .run = run,
};
