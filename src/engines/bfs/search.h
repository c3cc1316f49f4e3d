/* One search on CPU cores: levels and smallest parents of all vertices, by hops from a source.  Needs: rows that
 * ascend.  Encoding: a vertex is in one of three states.  If its bit in `visited` is set, its level and parent are
 * final.  If the bit is clear but it has a parent, the current step has found it, and the parent may still fall.
 * Otherwise it is not found.  The frontier is the window [from, to) of `queue`, or the bits of `front`. */
#ifndef WFI_BFS_SEARCH_H
#define WFI_BFS_SEARCH_H

#include "core/workspace.h"
#include "graph/graph.h"

enum { WFI_SEARCH_MOST_HUBS = 1 << 10 };

typedef struct wfi_search {
    weft_ctx *ctx;
    const char *name;         /* name for progress */
    const wfi_view *out, *in; /* `in` is NULL if there is no transpose: then every step goes top-down */
    weft_vid n;
    weft_eid arcs;

    uint32_t *level; /* n each */
    weft_vid *parent;
    weft_vid *queue; /* n: a vertex enters it at most once */
    uint64_t *visited, *front, *next;
    size_t words; /* words of each bitmap */

    uint64_t from, to; /* the frontier's window of the queue */
    bool front_made;   /* `front` has the frontier's bits */
    uint64_t hub_arcs; /* all threads share a row longer than this */
    uint64_t grain;    /* items of a chunk of work */
    weft_vid hubs[WFI_SEARCH_MOST_HUBS], hub;
    uint64_t hub_count;
    uint32_t depth; /* level of the vertices that the current step finds */
    uint64_t found, found_arcs;
    uint64_t reached, distances; /* so far: vertices, and the sum of their levels */
    const weft_vid *targets;     /* the search ends once all of them are reached; the first `met` are */
    size_t target_count, met;
    int stop;

    /* All threads write these fields: they are kept off the cache lines of the others, and of each other. */
    char apart[64];
    uint64_t cursor; /* the next chunk of work */
    char between[64];
    uint64_t tail; /* end of the queue: of the vertices that the step found */
} wfi_search;

/* Sets all but the arrays and the targets.  both_ways: the incoming rows are at hand, and will be used. */
void wfi_search_open(wfi_search *s, weft_ctx *ctx, const weft_graph *g, bool both_ways, const char *name);
/* Declares the queue and the bitmaps; level and parent belong to the caller. */
void wfi_search_lay_out(wfi_workspace *w, weft_vid n, bool both_ways, wfi_search *s);
/* Searches from all sources at once.  Fills level and parent, which need not be initialised.  *depth is the level of
 * the last vertex found. */
weft_status wfi_search_from(wfi_search *s, const weft_vid *sources, size_t count, uint64_t max_depth, uint64_t *depth);

/* The steps of a search, each done by wfi_threads_for(ctx, work, ...) threads.
 * begin makes the sources, some of which may be the same, the frontier; found and found_arcs are its size and its
 * out-arcs. */
void wfi_search_begin(wfi_search *s, const weft_vid *sources, size_t count);
/* Top-down: the frontier's out-arcs give the new vertices [to, tail) their parents; these become the frontier, and
 * found and found_arcs its size and its out-arcs. */
void wfi_search_push(wfi_search *s, uint64_t frontier_arcs);
/* Bottom-up: each unvisited vertex looks for its first in-neighbour in `front`; `front` becomes the set of new
 * vertices. */
void wfi_search_pull(wfi_search *s);
void wfi_search_queue_to_front(wfi_search *s);
/* Also sets found_arcs. */
void wfi_search_front_to_queue(wfi_search *s);

#endif
