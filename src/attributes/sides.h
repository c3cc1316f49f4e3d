/* Sides of a bipartite graph: one of two kinds per vertex, and names of both; edges join different sides. One block
 * of wfi_take, owned by the graph. Other graphs have none.
 *
 * If an id occurs on both sides (user 1, item 1), ids become names with the side's name as prefix: user_id:1,
 * item_id:1. */
#ifndef WFI_ATTRIBUTES_SIDES_H
#define WFI_ATTRIBUTES_SIDES_H

#include "graph/edges.h"
#include "weft/experimental.h"

typedef struct wfi_sides {
    const char *name[2];
    uint8_t *second; /* a bit per vertex: on the second side */
    size_t bytes;    /* bytes of the bitmap */
} wfi_sides;

enum { WFI_SIDE_NAME_MOST = 255 };
enum { WFI_SIDES_AS_FILE, WFI_SIDES_TWO, WFI_SIDES_ONE }; /* weft_read_params.sides */

static inline size_t wfi_side_bytes(weft_vid n) { return ((size_t)n + 7) / 8; }
static inline int wfi_side_of(const wfi_sides *s, weft_vid v) { return s->second[v >> 3] >> (v & 7) & 1; }
static inline void wfi_set_second_side(wfi_sides *s, weft_vid v) { s->second[v >> 3] |= (uint8_t)(1u << (v & 7)); }

/* True if undirected edges of u are listed with their other end, on the first side, first. */
static inline bool wfi_sides_reversed(const weft_graph *g, weft_vid u) {
    return g->sides && !g->directed && wfi_side_of(g->sides, u);
}

/* All vertices on the first side. WEFT_EINPUT for names that are equal, empty or longer than WFI_SIDE_NAME_MOST
 * bytes. */
weft_status wfi_sides_new(weft_ctx *ctx, weft_vid n, const char *first, const char *second, wfi_sides **out);
/* Copies g's sides to `fresh`, with vertex v from vertex row[v] (NULL: v). */
weft_status wfi_sides_copy(weft_ctx *ctx, const weft_graph *g, const weft_vid *row, weft_graph *fresh);
/* First arc within a side, in row order; the number of arcs if there is none. */
weft_eid wfi_sides_first_within(weft_ctx *ctx, const weft_graph *g, const wfi_sides *s);

/* --- from edges (sides_split.c): sources are on the first side, targets on the second -------------------------- */

typedef struct wfi_side_split {
    const char *name[2];
    uint8_t *role; /* per vertex, 1: source, 2: target; NULL: the sides share ids */
    wfi_ids ids;   /* owned until the graph takes them over */
} wfi_side_split;

/* Before wfi_graph_build: rewrites edges and *build for the bipartite graph. WEFT_EINPUT for a vertex without an
 * edge, and for a table of vertices (`nodes`) if the sides share ids. */
weft_status wfi_split_edges(weft_ctx *ctx, wfi_edges *edges, wfi_build *build, bool nodes, wfi_side_split *split);
/* After wfi_graph_build: sets the graph's sides. */
weft_status wfi_split_finish(weft_ctx *ctx, const wfi_side_split *split, weft_graph *g);
void wfi_split_free(wfi_side_split *split);

/* --- as attributes (sides_columns.c), for document formats ------------------------------------------------------- */

/* Makes sides from the attribute `bipartite` (0 and 1, as in NetworkX), named by the text attribute `side`; if
 * `insists`, also from the booleans of `type`, as in igraph. Removes these attributes; does nothing without them.
 * *within: an arc within a side, or the number of arcs. */
weft_status wfi_sides_from_columns(weft_ctx *ctx, weft_graph *g, bool insists, weft_eid *within);
/* The inverse, for a graph with sides: *out has both attributes. The graph's own attributes of these names are
 * renamed, with a warning that names the format. */
weft_status wfi_sides_to_columns(weft_ctx *ctx, const weft_graph *g, const char *format, weft_graph **out);

#endif
