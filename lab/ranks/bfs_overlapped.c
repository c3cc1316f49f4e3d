/* BFS, rung 6: rung 5 in parts of the frontier.  One thread of a rank talks (the next part is expanded, the part before is folded) while another follows
 * the arcs of this part. */
#include "grid_search.h"

enum { PARTS = CUT_MOST_PARTS };

typedef struct state {
    grid_search g;
    search_level now[LAB_MOST_RANKS]; /* what the thread that talks says to the other of its rank */
    bool over[LAB_MOST_RANKS];
} state;

/* --- excerpt --- */
/* Expanded: 0, 1, then one for each part that was folded: at most two parts are between the two threads. */
static uint64_t talk_level(crew_rank *me, state *t, const search_level *now, uint64_t parts_before) {
    grid_expand(me, &t->g, 0, now);
    crew_step(me, CREW_TALKS);
    for (int p = 0; p < PARTS; p++) {
        if (p + 1 < PARTS) {
            grid_expand(me, &t->g, p + 1, now);
            crew_step(me, CREW_TALKS);
        }
        crew_await(me, CREW_COMPUTES, parts_before + (uint64_t)p + 1);
        grid_fold(me, &t->g, p, now->level);
    }
    return grid_turn(me, &t->g);
}

static void talk(crew_rank *me, void *given) {
    state *t = given;
    uint64_t parts = 0;
    grid_search_begin(me, &t->g);
    t->over[me->rank] = false;
    for (search_level now = searches_begin(me, &t->g.s); searches_next(me, &t->g.s, &now); now.level++) {
        t->now[me->rank] = now;
        now.count = talk_level(me, t, &now, parts);
        parts += PARTS;
    }
    t->over[me->rank] = true;
    crew_step(me, CREW_TALKS);
}

static void compute(crew_rank *me, void *given) {
    const state *t = given;
    for (uint64_t parts = 0;; parts++) {
        crew_await(me, CREW_TALKS, parts + 1);
        if (t->over[me->rank]) return;
        grid_follow(me, &t->g, (int)(parts % PARTS), t->now[me->rank].level);
        crew_step(me, CREW_COMPUTES);
    }
}
/* --- end --- */

static weft_status run(lab_run *r) {
    state t;
    weft_status st = grid_search_open(r, PARTS, &t.g);
    if (st) return st;
    return searches_close(&t.g.s, crew_run(r, crew_grid_of(r), talk, compute, &t, searches_answer(&t.g.s)));
}

const lab_rung ranks_bfs_overlapped = {
    .name = "overlapped",
    .title = "2-D compressed, in four parts of the frontier at once",
    .against = "2d-compressed",
    .changed = "Each rank's sources are in four parts. While one thread follows the arcs of a part, another expands "
               "the next one and folds the one before.",
    .wins = "Broad levels over a network where sending takes about as long as following arcs.",
    .loses = "Levels of a few vertices, which are all delay: four times as many messages, each for a handful. A "
             "vertex is told again if a later part has a smaller parent for it, and bits of four parts are four "
             "lists where one list would do: some more bytes.",
    .source = "lab/ranks/bfs_overlapped.c",
    .device = LAB_CPU,
    .serves = searches_serve,
    .run = run,
};
