/* BFS, rung 3: each level as rung 1 or as rung 2, whichever looks at less. */
#include "searches.h"

typedef struct state {
    searches s;
    push_room room;
    unsigned char *bits;
} state;

/* --- excerpt --- */
/* By arcs going down, by vertices coming back: the figures are Beamer's. */
static bool is_broad(const searches *s, const search_level *now) {
    return 14 * now->arcs > now->arcs_unfound && 24 * now->all > s->n;
}

static uint64_t step(crew_rank *me, void *given, const search_level *now) {
    const state *t = given;
    if (is_broad(&t->s, now)) return pull_level(me, &t->s, t->bits + (size_t)me->rank * (t->s.n / 8 + 1), now);
    return push_level(me, &t->s, &t->room, now);
}
/* --- end --- */

static void work(crew_rank *me, void *given) { searches_loop(me, &((state *)given)->s, step, given); }

static weft_status run(lab_run *r) {
    state t;
    crew_grid grid = crew_in_one_column(r);
    weft_status st = searches_open(r, grid, 1, &t.s);
    t.bits = pull_take(r);
    if (st || !t.bits || !push_take(r, &t.room)) return st ? st : WEFT_ENOMEM;
    lab_reads(r, &r->out);
    lab_reads(r, &r->in);
    return searches_close(&t.s, crew_run(r, grid, work, NULL, &t, searches_answer(&t.s)));
}

const lab_rung ranks_bfs_directions = {
    .name = "1d-directions",
    .title = "1-D, each level in the better direction",
    .against = "1d-pull",
    .changed = "Broad levels from the bottom up, the others from the top down (Beamer, Asanovic and Patterson, SC "
               "2012). All ranks know how broad a level is from the sum that tells them whether it is the last.",
    .wins = "Bytes and arcs on graphs with hubs: two or three levels are bits, and the others are short lists.",
    .loses = "Memory: rows in both directions. And grids or roads, where no level is broad, and it is rung 1.",
    .source = "lab/ranks/bfs_directions.c",
    .device = LAB_CPU,
    .serves = searches_serve,
    .run = run,
};
