/* A grid of ranks (2-D partition, spread.h): which one a run takes, and what travels in it.
 * Method: in each step an expand along columns, where ranks exchange the values of their vertices, and a fold along
 * rows, where they add up what each has found for their vertices.  That is values of rows - 1 other ranks and sums for
 * columns - 1, where in one column it is values of all others: fewer bytes from nine ranks or so on.  But the arcs have
 * to be sent to their blocks first. */
#ifndef WFI_GRID_H
#define WFI_GRID_H

#include "ranks/spread.h"

WFI_C_BEGIN

/* What a run on a grid sends: in each of `iterations` a value of each vertex and a sum. */
typedef struct wfi_grid_load {
    uint64_t value, sum; /* bytes */
    double iterations;
} wfi_grid_load;

/* The grid that the context wants, or the one that is sooner done by the model (predict.h), from now on the spread's;
 * why: a sentence that goes on from "16 ranks: ".  load NULL: one column is all there is.  All ranks call it. */
weft_status wfi_grid_pick(weft_ctx *ctx, wfi_spread *s, const wfi_grid_load *load, char *why, size_t room);

/* wfi_spread_allgather along the column. */
weft_status wfi_grid_gather(weft_ctx *ctx, const wfi_spread *s, const wfi_part *part, void *all, size_t each);

/* sums: `each` bytes for each incoming row of the part; those of other ranks' vertices go to these.  come: what came
 * for this rank's, for each column of the grid a sum for each vertex of its range. */
weft_status wfi_grid_give_sums(weft_ctx *ctx, const wfi_spread *s, const wfi_part *part, const void *sums, size_t each,
                               void *come);

/* Values, and sums, that this rank sends in these calls for all its parts; and room for the sums of one part, and for
 * those that come. */
uint64_t wfi_grid_values(const wfi_spread *s);
uint64_t wfi_grid_sums(const wfi_spread *s);
uint64_t wfi_grid_sums_room(const wfi_spread *s);
uint64_t wfi_grid_come_room(const wfi_spread *s);

WFI_C_END
#endif
