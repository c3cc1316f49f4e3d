/* Rung 1: one source after another, as it was published. */
#include "betweenness.h"

typedef struct search {
    uint32_t *level;
    double *paths, *depends;
    weft_vid *queue;
    weft_vid *before; /* for each vertex, in the places of its incoming row: those from which it is reached */
    weft_eid *count;  /* how many */
} search;

/* --- excerpt --- */
static void from_source(between *b, const search *s, weft_vid source) {
    weft_vid end = 0;
    for (weft_vid v = 0; v < b->n; v++) s->level[v] = WEFT_UNREACHED, s->paths[v] = s->depends[v] = 0, s->count[v] = 0;
    s->level[source] = 0;
    s->paths[source] = 1;
    s->queue[end++] = source;
    for (weft_vid at = 0; at < end; at++) {
        weft_vid u = s->queue[at];
        for (weft_eid e = b->out->offsets[u]; e < b->out->offsets[u + 1]; e++) {
            weft_vid v = b->out->targets[e];
            if (s->level[v] == WEFT_UNREACHED) {
                s->level[v] = s->level[u] + 1;
                s->queue[end++] = v;
            }
            if (s->level[v] != s->level[u] + 1) continue;
            s->paths[v] += s->paths[u];
            s->before[b->in->offsets[v] + s->count[v]++] = u;
        }
    }
    while (end-- > 1) {
        weft_vid v = s->queue[end];
        for (weft_eid i = 0; i < s->count[v]; i++) {
            weft_vid u = s->before[b->in->offsets[v] + i];
            s->depends[u] += s->paths[u] / s->paths[v] * (1 + s->depends[v]);
        }
        b->sum[v] += s->depends[v];
    }
}
/* --- end --- */

static weft_status search_all(between *b) {
    size_t n = b->n + (size_t)1;
    search s = {lab_take(b->r, n * 4),
                lab_take(b->r, n * 8),
                lab_take(b->r, n * 8),
                lab_take(b->r, n * 4),
                lab_take(b->r, (b->r->out.arcs + 1) * 4),
                lab_take(b->r, n * 8)};
    if (!s.level || !s.paths || !s.depends || !s.queue || !s.before || !s.count) return WEFT_ENOMEM;
    lab_turn(b->r, LAB_KERNELS);
    for (weft_vid v = 0; v < b->n && !between_stops(b); v++) from_source(b, &s, v);
    return WEFT_OK;
}

static weft_status run(lab_run *r) { return between_run(r, 1, search_all); }

const lab_rung between_brandes = {
    .name = "brandes",
    .title = "CPU: one source after another, with lists of predecessors",
    .changed = "Brandes' algorithm as it was published: a queue, a list of predecessors for each vertex, and back.",
    .wins = "Small graphs: it looks at each arc once on the way out, and back only at those of shortest paths.",
    .loses = "Everything larger: one core works, and waits for memory.",
    .source = "lab/betweenness/brandes.c",
    .device = LAB_CPU,
    .serves = between_serves,
    .run = run,
};
