/* Vertices of two kinds: a bipartite graph has a side for each vertex, and names for both; its edges go from one side
 * to the other.  One block of wfi_take, the graph's own.  A graph of one kind has none.
 *
 * Where an id occurs on both sides (user 1, item 1) ids are names that begin with the side's: user_id:1, item_id:1. */
#ifndef WFI_ATTRIBUTES_SIDES_H
#define WFI_ATTRIBUTES_SIDES_H

#include "graph/edges.h"
#include "weft_experimental.h"

typedef struct wfi_sides {
    const char *name[2];
    uint8_t *second; /* a bit for each vertex: it is on the second side */
    size_t bytes;    /* of the bits */
} wfi_sides;

enum { WFI_SIDE_NAME_MOST = 255 };
enum { WFI_SIDES_AS_FILE, WFI_SIDES_TWO, WFI_SIDES_ONE }; /* weft_read_params.sides */

static inline size_t wfi_side_bytes(weft_vid n) { return ((size_t)n + 7) / 8; }
static inline int wfi_side_of(const wfi_sides *s, weft_vid v) { return s->second[v >> 3] >> (v & 7) & 1; }
static inline void wfi_put_second(wfi_sides *s, weft_vid v) { s->second[v >> 3] |= (uint8_t)(1u << (v & 7)); }

/* Is an undirected edge of u listed with its other end first, which is on the first side? */
static inline bool wfi_sides_turn(const weft_graph *g, weft_vid u) {
    return g->sides && !g->directed && wfi_side_of(g->sides, u);
}

/* All on the first side.  WEFT_EINPUT if a name is empty or has more than WFI_SIDE_NAME_MOST bytes. */
weft_status wfi_sides_new(weft_ctx *ctx, weft_vid n, const char *first, const char *second, wfi_sides **out);
/* fresh, a graph whose vertex v is vertex row[v] of g (NULL: v), gets g's sides. */
weft_status wfi_sides_carry(weft_ctx *ctx, const weft_graph *g, const weft_vid *row, weft_graph *fresh);
/* The first arc within a side, by source; the number of arcs if there is none. */
weft_eid wfi_sides_first_within(weft_ctx *ctx, const weft_graph *g, const wfi_sides *s);

/* --- from edges (sides_split.c): sources are on the first side, targets on the second ------------------------- */

typedef struct wfi_side_split {
    const char *name[2];
    uint8_t *role; /* of each vertex: 1 a source, 2 a target; NULL: sides share ids */
    wfi_ids ids;   /* until the graph has them */
} wfi_side_split;

/* Before wfi_graph_build: edges and *build become those of the bipartite graph.  WEFT_EINPUT: a vertex that is on no
 * side, or a table of vertices beside sides that share ids. */
weft_status wfi_split_edges(weft_ctx *ctx, wfi_edges *edges, wfi_build *build, bool nodes, wfi_side_split *split);
/* After it. */
weft_status wfi_split_finish(weft_ctx *ctx, const wfi_side_split *split, weft_graph *g);
void wfi_split_free(wfi_side_split *split);

/* --- as attributes (sides_columns.c): what documents have ------------------------------------------------------ */

/* Sides from the attribute `bipartite` (0 and 1, as NetworkX has it), named by the text `side`; where they are asked
 * for (`insists`) also from the truth values of `type`, as igraph has them.  These attributes become the sides.
 * Nothing is done where there are none.  *within: an arc within a side, or the number of arcs. */
weft_status wfi_sides_from_columns(weft_ctx *ctx, weft_graph *g, bool insists, weft_eid *within);
/* The other way, for a graph with sides: *out has both attributes.  Attributes of these names step aside, and a warning
 * says so of the format. */
weft_status wfi_sides_to_columns(weft_ctx *ctx, const weft_graph *g, const char *format, weft_graph **out);

#endif
