/* Rung 1: the definition, for each k: count, take away, count again. */
#include "truss.h"

static void count_one(void *user, uint32_t a, uint32_t b) {
    (void)a, (void)b;
    ++*(uint32_t *)user;
}

/* --- excerpt --- */
/* Edges that are in too few triangles for the k-truss: noted first, gone together. */
static uint64_t take_away(trusses *t, uint32_t k, uint8_t *goes) {
    uint64_t gone = 0;
    for (uint64_t e = 0; e < t->edges; e++) {
        uint32_t triangles = 0;
        if (e % 256 == 0 && lab_stopped(t->r)) return 0;
        if (t->number[e]) continue;
        truss_triangles(t, e, count_one, &triangles);
        goes[e] = triangles + 2 < k;
    }
    for (uint64_t e = 0; e < t->edges; e++) {
        if (t->number[e] || !goes[e]) continue;
        t->number[e] = k - 1;
        gone++;
    }
    return gone;
}

static weft_status peel(trusses *t) {
    uint8_t *goes = lab_take(t->r, (size_t)t->edges + 1);
    if (!goes) return WEFT_ENOMEM;
    uint64_t left = t->edges - t->loops, gone;
    for (uint32_t k = 3; left && !lab_stopped(t->r); k++)
        while ((gone = take_away(t, k, goes))) left -= gone;
    return lab_stopped(t->r) ? WEFT_ECANCELLED : WEFT_OK;
}
/* --- end --- */

static weft_status run(lab_run *r) { return truss_run(r, peel); }

const lab_rung truss_recount = {
    .name = "recount",
    .title = "CPU: for each k, count and take away until nothing goes",
    .changed = "The definition: the k-truss is what is left of the one before when edges of fewer than k - 2 triangles "
               "go, again and again. This is what NetworkX does for one k.",
    .wins = "One small k, where two or three rounds suffice.",
    .loses = "All numbers: every round counts all triangles again, and there are more rounds than levels.",
    .source = "lab/truss/recount.c",
    .device = LAB_CPU,
    .serves = truss_serves,
    .run = run,
};
