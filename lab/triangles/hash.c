/* Rung 3: rung 2 with one hash table of all edges, so that a question costs one look however long the rows are. */
#include "triangles.h"

typedef struct table {
    uint64_t *slot; /* an edge as smaller end * 2^32 + larger end; 0 = empty (there are no loops) */
    uint64_t mask;
} table;

/* At least twice as many slots as edges, a power of two. */
static uint64_t slots_for(uint64_t edges) {
    uint64_t slots = 16;
    while (slots < 2 * edges) slots *= 2;
    return slots;
}

/* --- excerpt --- */
/* The upper half of a product by 2^64 / golden ratio, in which both ends have a say: neighbouring keys fall far apart. */
static uint64_t place_of(const table *t, uint64_t key) { return (key * 0x9e3779b97f4a7c15u >> 32) & t->mask; }

static void insert(const table *t, uint64_t key) {
    uint64_t at = place_of(t, key);
    while (t->slot[at]) at = (at + 1) & t->mask;
    t->slot[at] = key;
}

static int holds(const table *t, weft_vid u, weft_vid w) { /* u < w: rows are sorted */
    uint64_t key = (uint64_t)u << 32 | w, at = place_of(t, key);
    while (t->slot[at] && t->slot[at] != key) at = (at + 1) & t->mask;
    return t->slot[at] == key;
}
/* --- end --- */

static void fill(const simple *s, const table *t) {
    for (weft_vid u = 0; u < s->n && !(u % 4096 == 0 && lab_stopped(s->r)); u++)
        for (weft_eid e = s->offsets[u]; e < s->offsets[u + 1]; e++)
            if (u < s->targets[e]) insert(t, (uint64_t)u << 32 | s->targets[e]);
}

static void count_at(const simple *s, const table *t, weft_vid v) {
    weft_eid end = s->offsets[v + 1];
    for (weft_eid i = s->offsets[v]; i < end && !triangles_stopped(s, end - i); i++)
        for (weft_eid k = i + 1; k < end; k++) s->count[v] += (uint64_t)holds(t, s->targets[i], s->targets[k]);
}

static weft_status run(lab_run *r) {
    simple s;
    uint64_t slots = slots_for(weft_graph_edges(r->g));
    weft_status st = triangles_open(r, slots * sizeof(uint64_t), &s);
    if (st) return st;
    table t = {s.extra, slots - 1};
    fill(&s, &t);
    for (weft_vid v = 0; v < s.n && !(v % 16 == 0 && lab_stopped(r)); v++) count_at(&s, &t, v);
    return triangles_close(&s, triangles_pairs(r) * (4 + 8) + 12.0 * (double)weft_graph_edges(r->g));
}

static const char *serves(lab_run *r) {
    return triangles_serves(r, 8.0 * (double)slots_for(weft_graph_edges(r->g)), 12e-9 * triangles_pairs(r));
}

const lab_rung triangles_hash = {
    .name = "hash",
    .title = "a hash table of all edges",
    .against = "binary",
    .changed = "All edges go into one open-addressed table, built inside the timed part, and a pair is looked up with "
               "one question: the "
               "blog's third strategy. (The blog keeps hash(u,v) -> 1, which counts two edges of one hash as one "
               "another; here the slot "
               "holds the edge itself.)",
    .wins = "While the table fits in a cache: a look instead of log d steps.",
    .loses = "Large graphs: 16 to 32 bytes per edge, and each look misses every cache, while a search in a row stays "
             "near it. The number of "
             "pairs is as bad as it was.",
    .model = "12 for each pair (neighbour, slot) + 12 for each edge inserted",
    .source = "lab/triangles/hash.c",
    .device = LAB_CPU,
    .serves = serves,
    .run = run,
};
