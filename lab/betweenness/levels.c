/* Rung 2: all threads on one source, level by level. */
#include "betweenness.h"

#include <omp.h>

typedef struct search {
    uint32_t *level;
    double *paths, *share;
    weft_vid *trail, *begin; /* vertices by level, and where each level begins */
} search;

enum { SHARED = 512 }; /* vertices of a level from which on threads share it */

/* --- excerpt --- */
/* Which vertices the level leads to: one thread says so; then each adds up its own paths. */
static weft_vid next_level(between *b, const search *s, weft_vid from, weft_vid to, uint32_t depth) {
    weft_vid end = to;
    for (weft_vid i = from; i < to; i++)
        for (weft_eid e = b->out->offsets[s->trail[i]]; e < b->out->offsets[s->trail[i] + 1]; e++) {
            weft_vid v = b->out->targets[e];
            if (s->level[v] != WEFT_UNREACHED) continue;
            s->level[v] = depth + 1;
            s->trail[end++] = v;
        }
#pragma omp parallel for schedule(static) num_threads(b->r->threads) if (end - to > SHARED)
    for (weft_vid i = to; i < end; i++) {
        weft_vid v = s->trail[i];
        double paths = 0;
        for (weft_eid e = b->in->offsets[v]; e < b->in->offsets[v + 1]; e++)
            if (s->level[b->in->targets[e]] == depth) paths += s->paths[b->in->targets[e]];
        s->paths[v] = paths;
    }
    return end;
}

/* share(v) = (1 + what depends on v) / paths(v). */
static void level_back(between *b, const search *s, weft_vid from, weft_vid to, uint32_t depth) {
#pragma omp parallel for schedule(static) num_threads(b->r->threads) if (to - from > SHARED)
    for (weft_vid i = from; i < to; i++) {
        weft_vid v = s->trail[i];
        double shares = 0;
        for (weft_eid e = b->out->offsets[v]; e < b->out->offsets[v + 1]; e++)
            if (s->level[b->out->targets[e]] == depth + 1) shares += s->share[b->out->targets[e]];
        double depends = s->paths[v] * shares;
        s->share[v] = (1 + depends) / s->paths[v];
        b->sum[v] += depends;
    }
}
/* --- end --- */

static void from_source(between *b, const search *s, weft_vid source) {
    uint32_t depth = 0;
    for (weft_vid v = 0; v < b->n; v++) s->level[v] = WEFT_UNREACHED;
    s->level[source] = 0;
    s->paths[source] = 1;
    s->trail[0] = source;
    s->begin[0] = 0;
    s->begin[1] = 1;
    for (; s->begin[depth] < s->begin[depth + 1]; depth++)
        s->begin[depth + 2] = next_level(b, s, s->begin[depth], s->begin[depth + 1], depth);
    while (depth-- > 1) level_back(b, s, s->begin[depth], s->begin[depth + 1], depth);
}

static weft_status search_all(between *b) {
    size_t n = b->n + (size_t)3;
    search s = {lab_take(b->r, n * 4), lab_take(b->r, n * 8), lab_take(b->r, n * 8), lab_take(b->r, n * 4),
                lab_take(b->r, n * 4)};
    if (!s.level || !s.paths || !s.share || !s.trail || !s.begin) return WEFT_ENOMEM;
    lab_turn(b->r, LAB_KERNELS);
    for (weft_vid v = 0; v < b->n && !between_stops(b); v++) from_source(b, &s, v);
    return WEFT_OK;
}

static weft_status run(lab_run *r) { return between_run(r, 1, search_all); }

const lab_rung between_levels = {
    .name = "levels",
    .title = "CPU: level by level, threads share a level",
    .against = "brandes",
    .changed = "No lists of predecessors: the level says whose paths lead on. A vertex pulls what it needs along its "
               "rows, so that nobody writes where another one writes.",
    .wins = "Large, shallow graphs with many threads.",
    .loses =
        "Deep graphs: levels of a few vertices have nothing to share out. And one thread: rows are looked at again "
        "on both ways.",
    .source = "lab/betweenness/levels.c",
    .device = LAB_CPU,
    .serves = between_serves,
    .run = run,
};
