/* Which rank has what: vertices in ranges of about as many arcs, and blocks of arcs in the grid. */
#ifndef WEFT_LAB_CUT_H
#define WEFT_LAB_CUT_H

#include "crew.h"

enum { CUT_MOST_PARTS = 4 };

/* Rank k has the vertices start[k * parts] ... start[(k + 1) * parts] - 1, in so many parts.  Ranges begin at multiples of eight, so that bits of
 * vertices are whole bytes. */
typedef struct cut {
    crew_grid grid;
    int parts;
    weft_vid start[LAB_MOST_RANKS * CUT_MOST_PARTS + 1];
} cut;

void cut_vertices(const lab_run *r, crew_grid grid, int parts, cut *c);
static inline weft_vid cut_first(const cut *c, int rank) { return c->start[rank * c->parts]; }
static inline weft_vid cut_count(const cut *c, int rank) { return cut_first(c, rank + 1) - cut_first(c, rank); }
/* First vertices of all ranks, and the end. */
void cut_starts(const cut *c, uint64_t start[LAB_MOST_RANKS + 1]);

/* The arcs from the sources of a column of the grid to the targets of a row: those of the rank where they meet.  `rows` are the side that
 * the CSR has rows for, `entries` the other.  Both sides are listed by part, then by owner, then by number; an owner's place is its place in the
 * row or column, as the comm counts. */
typedef struct block_side {
    weft_vid count;
    weft_vid *id;
    uint64_t *start; /* parts x owners + 1 places in id */
    int parts, owners;
} block_side;

typedef struct block {
    block_side rows, entries;
    weft_eid *offsets;
    weft_vid *entry; /* places in entries.id */
} block;

typedef struct block_order {
    bool sources;               /* rows are sources (the CSR is r->out), else targets (r->in) */
    bool needed_only;           /* vertices without an arc in the block are not listed */
    int row_parts, entry_parts; /* the cut's, or 1 */
} block_order;

/* One for each rank. */
weft_status cut_blocks(lab_run *r, const cut *c, block_order order, block *blocks);

#endif
