/* A grid of ranks (2-D partition, spread.h): its choice, and its communication.
 * Method: each step has an expand along columns, in which ranks exchange the values of their vertices, and a fold along
 * rows, in which they add up their partial sums for each other's vertices.  A rank gets values of rows - 1 other ranks
 * and sums for columns - 1, while with one column it gets values of all others: fewer bytes from about nine ranks on.
 * But the arcs have to be sent to their blocks first. */
#ifndef WFI_GRID_H
#define WFI_GRID_H

#include "ranks/spread.h"

WFI_C_BEGIN

/* The communication of a run on a grid: in each of `iterations` a value of each vertex and a sum. */
typedef struct wfi_grid_load {
    uint64_t value, sum; /* bytes */
    double iterations;
} wfi_grid_load;

/* Sets the spread's grid: the grid that the context asks for, or the faster one by the model (cost.h); why: a
 * sentence that continues "16 ranks: ".  load NULL: only one column is possible.  Collective. */
weft_status wfi_grid_pick(weft_ctx *ctx, wfi_spread *s, const wfi_grid_load *load, char *why, size_t size);

/* wfi_spread_allgather along the column. */
weft_status wfi_grid_gather(weft_ctx *ctx, const wfi_spread *s, const wfi_part *part, void *all, size_t each);

/* sums: `each` bytes for each incoming row of the part; the sums of other ranks' vertices are sent to them.  received:
 * the sums received, for each column of the grid a sum for each vertex of this rank's range. */
weft_status wfi_grid_send_sums(weft_ctx *ctx, const wfi_spread *s, const wfi_part *part, const void *sums, size_t each,
                               void *received);

/* Values, and sums, that this rank sends in these calls for all its parts; and the capacities for the sums of one part,
 * and for the received sums. */
uint64_t wfi_grid_values(const wfi_spread *s);
uint64_t wfi_grid_sums(const wfi_spread *s);
uint64_t wfi_grid_sums_capacity(const wfi_spread *s);
uint64_t wfi_grid_received_capacity(const wfi_spread *s);

WFI_C_END
#endif
