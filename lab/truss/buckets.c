/* Rung 2: triangles are counted once; edges go one at a time, the one of the fewest first. */
#include "truss.h"

/* Edges by support, as in a counting sort: those of support s lie from begin[s] on. */
typedef struct buckets {
    uint32_t *support, *order, *begin;
    uint64_t *place;
    uint32_t level;
} buckets;

static void count_one(void *user, uint32_t a, uint32_t b) {
    (void)a, (void)b;
    ++*(uint32_t *)user;
}

/* --- excerpt --- */
/* Edge e changes places with the first of its bucket, whose border moves up by one: it is in the bucket below. */
static void lower(buckets *q, uint32_t e) {
    if (q->support[e] <= q->level) return;
    uint32_t *first = &q->begin[q->support[e]--], other = q->order[*first];
    q->order[q->place[e]] = other;
    q->place[other] = q->place[e];
    q->order[*first] = e;
    q->place[e] = (*first)++;
}

static void lose(void *user, uint32_t a, uint32_t b) {
    lower(user, a);
    lower(user, b);
}

static bool take_all(trusses *t, buckets *q) {
    for (uint64_t i = 0; i < t->edges; i++) {
        uint32_t e = q->order[i];
        if (i % 256 == 0 && lab_stopped(t->r)) return false;
        if (t->number[e]) continue;
        q->level = q->support[e];
        truss_triangles(t, e, lose, q);
        t->number[e] = q->level + 2;
    }
    return true;
}
/* --- end --- */

static bool count_all(trusses *t, buckets *q) {
    for (uint64_t e = 0; e < t->edges; e++) {
        if (e % 256 == 0 && lab_stopped(t->r)) return false;
        if (!t->number[e]) truss_triangles(t, e, count_one, &q->support[e]);
        q->begin[q->support[e] + 1]++;
    }
    for (weft_vid s = 0; s < t->n; s++) q->begin[s + 1] += q->begin[s];
    for (uint64_t e = 0; e < t->edges; e++) {
        q->place[e] = q->begin[q->support[e]]++;
        q->order[q->place[e]] = (uint32_t)e;
    }
    for (weft_vid s = t->n; s > 0; s--) q->begin[s] = q->begin[s - 1];
    q->begin[0] = 0;
    return true;
}

static weft_status peel(trusses *t) {
    size_t edges = (size_t)t->edges + 1;
    buckets q = {.support = lab_take(t->r, edges * sizeof *q.support),
                 .order = lab_take(t->r, edges * sizeof *q.order),
                 .begin = lab_take(t->r, (t->n + (size_t)2) * sizeof *q.begin),
                 .place = lab_take(t->r, edges * sizeof *q.place)};
    if (!q.support || !q.order || !q.begin || !q.place) return WEFT_ENOMEM;
    return count_all(t, &q) && take_all(t, &q) ? WEFT_OK : WEFT_ECANCELLED;
}

static weft_status run(lab_run *r) { return truss_run(r, peel); }

const lab_rung truss_buckets = {
    .name = "buckets",
    .title = "CPU: count once, then one edge at a time from buckets",
    .against = "recount",
    .changed = "Triangles are counted once. The edge of the fewest goes, and the two other sides of each of its "
               "triangles lose one; buckets say which edge has the fewest.",
    .wins = "Everything but one small k: each triangle is met when the first of its sides goes, and never again.",
    .loses = "To threads: edges go one after the other. And hubs: both rows of an edge are read, however long one is.",
    .source = "lab/truss/buckets.c",
    .device = LAB_CPU,
    .serves = truss_serves,
    .run = run,
};
