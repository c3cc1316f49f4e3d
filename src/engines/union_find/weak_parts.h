/* Weak components as a permutation: each is a range of one list of all vertices, in breadth-first order from its
 * smallest vertex, so that neighbours lie near each other; and the rows of such ranges as simple graphs of their
 * own. */
#ifndef WFI_UNION_FIND_WEAK_PARTS_H
#define WFI_UNION_FIND_WEAK_PARTS_H

#include "core/workspace.h"
#include "graph/graph.h"

typedef struct wfi_weak_parts {
    weft_vid *order; /* all vertices, component after component, in the order of their smallest vertices */
    weft_vid *place; /* position of a vertex in its component, from 0 */
    weft_eid *offsets;
    weft_vid *targets;
} wfi_weak_parts;

void wfi_weak_parts_lay_out(wfi_workspace *w, const weft_graph *g, wfi_weak_parts *p);

/* Fills order and place.  Needs: the transpose of a directed graph. */
weft_status wfi_weak_parts_find(weft_ctx *ctx, const weft_graph *g, const wfi_weak_parts *p);

/* The end of the component that begins at order[first]. */
weft_vid wfi_part_end(const wfi_weak_parts *p, weft_vid n, weft_vid first);

/* Rows of `count` vertices from order[first] on, whole components: offsets[0] ... offsets[count], targets by their
 * positions, not ascending.  Rows of outgoing arcs, of incoming arcs, or of both (WEFT_SIDE_BOTH: the undirected
 * view). */
weft_status wfi_weak_parts_rows(weft_ctx *ctx, const weft_graph *g, const wfi_weak_parts *p, weft_side side,
                                weft_vid first, weft_vid count);

#endif
