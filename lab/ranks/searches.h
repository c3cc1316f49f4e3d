/* Breadth-first search on ranks, what the rungs share: each rank has the levels and parents of its own vertices, and its part of the frontier.
 *
 * Of several parents the smallest counts, so that every rung has the same answer on any number of ranks. */
#ifndef WEFT_LAB_SEARCHES_H
#define WEFT_LAB_SEARCHES_H

#include "cut.h"

typedef struct searches {
    lab_run *r;
    weft_vid n, source;
    uint64_t depth; /* levels to go at most */
    cut cut;
    /* Of all vertices; a rank touches those of its own, and has its frontier where they begin. */
    uint32_t *level;
    weft_vid *parent, *frontier;
} searches;

/* What all ranks know when a level begins. */
typedef struct search_level {
    uint32_t level;
    uint64_t count; /* of this rank's frontier */
    uint64_t all, arcs,
        arcs_unfound; /* of all ranks: vertices of the frontier, arcs out of them, arcs out of vertices not found yet */
} search_level;

/* v, a vertex of the rank's own, can be reached from u: true when it was not reached before. */
static inline bool searches_reach(const searches *s, weft_vid v, weft_vid u, uint32_t level) {
    if (s->level[v] == WEFT_UNREACHED) {
        s->level[v] = level + 1;
        s->parent[v] = u;
        return true;
    }
    if (s->level[v] == level + 1 && u < s->parent[v]) s->parent[v] = u;
    return false;
}

const char *searches_serve(lab_run *r);
weft_status searches_open(lab_run *r, crew_grid grid, int parts, searches *s);
weft_status searches_close(searches *s, weft_status st);
crew_answer searches_answer(const searches *s);
/* All levels of a rank.  step() has the rank's frontier at frontier + its first vertex, puts the next one in its place and returns its length. */
void searches_loop(crew_rank *me, const searches *s,
                   uint64_t (*step)(crew_rank *me, void *state, const search_level *now), void *state);
/* What the loop is made of: the start, and whether there is another level.  now.count is known. */
search_level searches_begin(crew_rank *me, const searches *s);
bool searches_next(crew_rank *me, const searches *s, search_level *now);

/* A level from the top down with a pair for each arc, as rung 1 does it; room: see push_take. */
typedef struct push_room {
    struct push_pair *out, *in; /* as many as there are arcs */
} push_room;
typedef struct push_pair {
    weft_vid target, parent;
} push_pair;
bool push_take(lab_run *r, push_room *room);
uint64_t push_level(crew_rank *me, const searches *s, const push_room *room, const search_level *now);

/* A level from the bottom up with everybody's bits, as rung 2 does it: bits for n vertices on each rank. */
unsigned char *pull_take(lab_run *r);
uint64_t pull_level(crew_rank *me, const searches *s, unsigned char *bits, const search_level *now);

extern const lab_rung ranks_bfs_push, ranks_bfs_pull, ranks_bfs_directions, ranks_bfs_2d, ranks_bfs_2d_compressed,
    ranks_bfs_overlapped, ranks_bfs_engine;

#endif
