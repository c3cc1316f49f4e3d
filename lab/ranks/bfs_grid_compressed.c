/* BFS, rung 5: rung 4 that says nothing twice, and sets of vertices as lists or as bits, whichever is shorter. */
#include "grid_search.h"

/* --- excerpt --- */
static uint64_t step(crew_rank *me, void *given, const search_level *now) {
    const grid_search *g = given;
    grid_expand(me, g, 0, now);        /* a list, or a bit for each vertex of the rank */
    grid_follow(me, g, 0, now->level); /* only what this block has not told before */
    grid_fold(me, g, 0, now->level);   /* the set as list or bits, then 4 bytes a parent */
    return grid_turn(me, g);
}

static void work(crew_rank *me, void *given) {
    grid_search_begin(me, given);
    searches_loop(me, &((grid_search *)given)->s, step, given);
}
/* --- end --- */

static weft_status run(lab_run *r) {
    grid_search g;
    weft_status st = grid_search_open(r, 1, &g);
    if (st) return st;
    return searches_close(&g.s, crew_run(r, crew_grid_of(r), work, NULL, &g, searches_answer(&g.s)));
}

const lab_rung ranks_bfs_2d_compressed = {
    .name = "2d-compressed",
    .title = "2-D, nothing twice, lists or bits",
    .against = "2d",
    .changed = "Each rank remembers what its block has told, and never tells it again (the sieve of Lv et al., 2012). "
               "Frontiers and what is found are sets: as a list, or as bits where these are shorter; parents follow in "
               "the order of the set.",
    .wins = "Broad levels, and those after them: a block tells each target once in the whole search, so that along a "
            "row at most some 4 n (columns - 1) bytes travel.",
    .loses = "Deep graphs, whose lists are short as they are; the memory of what was told is 8 bytes for each target "
             "of the row.",
    .source = "lab/ranks/bfs_grid_compressed.c",
    .device = LAB_CPU,
    .serves = searches_serve,
    .run = run,
};
