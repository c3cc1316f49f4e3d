/* BFS, rung 2: everybody gets the frontier as bits, and each rank looks for parents of its own vertices. */
#include "searches.h"

#include <string.h>

typedef struct state {
    searches s;
    unsigned char *bits;
} state;

/* --- excerpt --- */
static bool is_set(const unsigned char *bits, weft_vid v) { return bits[v / 8] >> v % 8 & 1; }

static void share_bits(crew_rank *me, const searches *s, unsigned char *bits, uint64_t count) {
    weft_vid first = cut_first(&s->cut, me->rank), end = cut_first(&s->cut, me->rank + 1);
    uint64_t start[LAB_MOST_RANKS + 1];
    for (int k = 0; k <= me->ranks; k++) start[k] = ((uint64_t)cut_first(&s->cut, k) + 7) / 8;
    if (end > first) memset(bits + first / 8, 0, (end - first + 7) / 8);
    for (uint64_t i = 0; i < count; i++) {
        weft_vid v = s->frontier[first + i];
        bits[v / 8] = (unsigned char)(bits[v / 8] | 1u << v % 8);
    }
    crew_allgather(me, me->all, 1, bits, start);
}

uint64_t pull_level(crew_rank *me, const searches *s, unsigned char *bits, const search_level *now) {
    const weft_csr *in = &s->r->in;
    weft_vid first = cut_first(&s->cut, me->rank), end = cut_first(&s->cut, me->rank + 1);
    uint64_t found = 0;
    share_bits(me, s, bits, now->count);
    for (weft_vid v = first; v < end; v++) {
        if (s->level[v] != WEFT_UNREACHED) continue;
        weft_eid e = in->offsets[v];
        while (e < in->offsets[v + 1] && !is_set(bits, in->targets[e])) e++;
        if (e == in->offsets[v + 1]) continue; /* else the first parent, which is the smallest */
        s->level[v] = now->level + 1;
        s->parent[v] = in->targets[e];
        s->frontier[first + found++] = v;
    }
    return found;
}
/* --- end --- */

unsigned char *pull_take(lab_run *r) { return lab_take(r, ((size_t)r->out.vertices / 8 + 1) * (size_t)crew_ranks(r)); }

static uint64_t step(crew_rank *me, void *given, const search_level *now) {
    const state *t = given;
    return pull_level(me, &t->s, t->bits + (size_t)me->rank * (t->s.n / 8 + 1), now);
}

static void work(crew_rank *me, void *given) { searches_loop(me, &((state *)given)->s, step, given); }

static weft_status run(lab_run *r) {
    state t;
    crew_grid grid = crew_in_one_column(r);
    weft_status st = searches_open(r, grid, 1, &t.s);
    t.bits = pull_take(r);
    if (st || !t.bits) return st ? st : WEFT_ENOMEM;
    lab_reads(r, &r->in);
    return searches_close(&t.s, crew_run(r, grid, work, NULL, &t, searches_answer(&t.s)));
}

const lab_rung ranks_bfs_pull = {
    .name = "1d-pull",
    .title = "1-D bottom-up: the frontier as bits for everybody",
    .against = "1d-push",
    .changed = "A level is an allgather of n bits; then each rank looks for a parent of its vertices that have none, "
               "and stops at the first. Neither targets nor parents are sent.",
    .wins = "Broad levels: n / 8 bytes to each rank, and few arcs are looked at.",
    .loses = "Narrow levels and deep graphs: the same bits for one vertex, and all vertices without a parent are asked "
             "again.",
    .source = "lab/ranks/bfs_pull.c",
    .device = LAB_CPU,
    .serves = searches_serve,
    .run = run,
};
