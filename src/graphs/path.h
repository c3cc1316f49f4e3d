/* Shortest paths between two vertices by bidirectional search: declarations shared by path*.c. */
#ifndef WFI_GRAPHS_PATH_H
#define WFI_GRAPHS_PATH_H

#include "core/heap.h"
#include "graph/graph.h"

/* A path and the distances of its vertices from the first. */
typedef struct wfi_path {
    weft_vid *vertices;
    double *distance;
    size_t count; /* 0: no path */
} wfi_path;
weft_status wfi_path_alloc(weft_ctx *ctx, size_t count, wfi_path *p);
void wfi_path_free(wfi_path *p);
static inline double wfi_path_length(const wfi_path *p) { return p->distance[p->count - 1]; }

/* State of one side of a search. By hops: a queue, written in order, so that a search touches memory in proportion to
 * the vertices it sees. By weights: arrays by vertex, marked with the search's number, so that they need not be
 * cleared for the next search. */
typedef struct wfi_path_side {
    const wfi_view *rows;
    weft_vid *queue;   /* hops: vertices in order of discovery */
    uint32_t *found;   /* hops: queue position of the predecessor; the end's is its own */
    size_t level, end; /* hops: begin and end of the queue's last level */
    uint64_t arcs;     /* hops: arcs of that level */
    uint32_t *seen;    /* weights: number of the search that saw the vertex */
    weft_vid *parent;  /* weights: next vertex towards the end; the end's is itself */
    double *distance;  /* weights */
    wfi_heap heap;     /* weights: discovered vertices, with outdated entries */
} wfi_path_side;

/* Searches in one graph, with memory for repeated use. */
typedef struct wfi_path_search {
    weft_ctx *ctx;
    const weft_graph *g;
    bool weights;
    uint64_t *marks; /* hops: two bits per vertex, one for each side; zero between searches */
    bool both;       /* search from both ends: incoming rows exist, and sums are exact in any order */
    uint32_t *shut;  /* vertices that paths must not pass: UINT32_MAX: in any search; else in the search of this
                      * number; NULL: none */
    uint32_t number; /* of the current search; 0: none yet */
    wfi_path_side side[2];
} wfi_path_search;

/* Sets distances along a path, summed in path order. */
void wfi_path_measure(const wfi_path_search *s, wfi_path *p);

/* Excludes v from the paths of the next search. */
static inline void wfi_path_shut_once(wfi_path_search *s, weft_vid v) {
    if (s->shut[v] != UINT32_MAX) s->shut[v] = s->number + 1;
}

/* Finds a shortest path that does not begin with an arc from -> barred[i]. Needs from != to. */
weft_status wfi_path_find(wfi_path_search *s, weft_vid from, weft_vid to, const weft_vid *barred, size_t barred_count,
                          wfi_path *path);

/* path_hops.c, path_lengths.c: find a path's vertices, without distances; count is 0 if there is no path. */
typedef struct wfi_path_bar {
    weft_vid from;
    const weft_vid *to;
    size_t count;
} wfi_path_bar;
weft_status wfi_path_by_hops(wfi_path_search *s, weft_vid from, weft_vid to, const wfi_path_bar *bar, wfi_path *path);
size_t wfi_path_mark_words(weft_vid n);
weft_status wfi_path_by_weights(wfi_path_search *s, weft_vid from, weft_vid to, const wfi_path_bar *bar,
                                wfi_path *path);

/* True if a search of this side may go from u to v. Side 1 traverses arcs in reverse. */
static inline bool wfi_path_may_go(const wfi_path_search *s, const wfi_path_bar *bar, int side, weft_vid u,
                                   weft_vid v) {
    if (s->shut && (s->shut[v] == UINT32_MAX || s->shut[v] == s->number)) return false;
    weft_vid tail = side ? v : u, head = side ? u : v;
    if (tail != bar->from) return true;
    for (size_t i = 0; i < bar->count; i++)
        if (bar->to[i] == head) return false;
    return true;
}

/* path_yen.c: finds the `most` shortest loopless paths, or all if there are fewer; ties by the order of vertices. On
 * failure, paths[0 ... *found) are complete and the caller frees them. */
weft_status wfi_path_several(wfi_path_search *s, weft_vid from, weft_vid to, size_t most, wfi_path *paths,
                             size_t *found);

#endif
