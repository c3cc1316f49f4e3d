/* A graph from arrays of the caller's: what its files share.  Arrays are on the host. */
#ifndef WFI_ARRAYS_H
#define WFI_ARRAYS_H

#include "graph/edges.h"
#include "graph/elements.h"

/* weft_graph_from_arrays once `arrays` is complete and on the host. */
weft_status wfi_graph_from_arrays(weft_ctx *ctx, const weft_arrays *arrays, const weft_build_params *rules,
                                  weft_graph **out);
/* Is there what must be there, and does it have a type? */
weft_status wfi_arrays_check(weft_ctx *ctx, const weft_arrays *arrays);

/* Weights as a graph will hold them. */
typedef struct wfi_array_weights {
    weft_weight_type type;
    uint64_t inexact; /* whole numbers that are rounded */
} wfi_array_weights;
/* Finds the type, and the first weight that is not finite. */
weft_status wfi_array_weights_check(weft_ctx *ctx, const weft_arrays *a, wfi_array_weights *weights);
/* Entries from ... from+count-1. */
void wfi_array_weights_fill(const weft_arrays *a, weft_weight_type type, uint64_t from, uint64_t count, void *to);

/* The first entry that is no vertex below `vertices` is an error; `which` end it is. */
weft_status wfi_array_ids_check(weft_ctx *ctx, const weft_arrays *a, const void *ids, const char *which);

/* Rows that can be the graph's: *out stays NULL when they cannot, which is no failure.  `offsets` ascend, and the
 * targets are vertices. */
weft_status wfi_graph_of_rows(weft_ctx *ctx, const weft_arrays *a, const weft_eid *offsets,
                              const wfi_array_weights *weights, const wfi_build *build, weft_graph **out);

/* Of a graph whose edges were listed in both directions: is each arc there, with its weight, the other way round? */
weft_status wfi_graph_check_symmetric(weft_ctx *ctx, const weft_graph *g);

#endif
