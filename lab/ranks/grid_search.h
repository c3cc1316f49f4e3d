/* A search in a grid that says nothing twice and everything as short as it can, in parts or as a whole: what BFS' rungs 5 and 6 share.
 * A level, for each part of the sources: expand (along the column), follow (the block's arcs), fold (along the row). */
#ifndef WEFT_LAB_GRID_SEARCH_H
#define WEFT_LAB_GRID_SEARCH_H

#include "searches.h"

/* One rank's, of its block. */
typedef struct grid_rank {
    const block *b;
    /* For each row of the block: who is in the frontier, coded as it came and as places. */
    uint32_t *heard;
    weft_vid *places;
    uint64_t counts[CUT_MOST_PARTS][LAB_MOST_RANKS]; /* of what was heard, by owner */
    /* For each entry: its smallest parent, and the part of which level found it last (0 = none has). */
    weft_vid *parent;
    uint32_t *found_in;
    /* What a part found: places from the owner's first on, by owner; the messages made of them.  Two sets, for two parts at once. */
    weft_vid *found[2];
    uint32_t *message[2];
    uint64_t found_count[2][LAB_MOST_RANKS];
    /* For each of the rank's own vertices: a list of them; what comes, from each of the row. */
    weft_vid *own, *next;
    uint32_t *incoming;
    uint64_t next_count;
} grid_rank;

typedef struct grid_search {
    searches s;
    int parts;
    block blocks[LAB_MOST_RANKS];
    grid_rank *rank;
} grid_search;

weft_status grid_search_open(lab_run *r, int parts, grid_search *g);
/* Before the first level. */
void grid_search_begin(const crew_rank *me, const grid_search *g);
/* The frontier's part, told along the column. */
void grid_expand(crew_rank *me, const grid_search *g, int part, const search_level *now);
/* The arcs out of it, and the message that says what they found.  No talk. */
void grid_follow(const crew_rank *me, const grid_search *g, int part, uint32_t level);
/* The message goes along the row; what comes is reached, and kept for the next frontier. */
void grid_fold(crew_rank *me, const grid_search *g, int part, uint32_t level);
/* The next frontier takes the place of this one. */
uint64_t grid_turn(const crew_rank *me, const grid_search *g);

#endif
