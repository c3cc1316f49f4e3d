/* Shortest paths from one vertex to another, by bidirectional search: what the files here share. */
#ifndef WFI_GRAPHS_PATH_H
#define WFI_GRAPHS_PATH_H

#include "core/heap.h"
#include "graph/graph.h"

/* A path: its vertices, and how far each is from the first. */
typedef struct wfi_path {
    weft_vid *vertices;
    double *distance;
    size_t count; /* 0: there is none */
} wfi_path;
weft_status wfi_path_alloc(weft_ctx *ctx, size_t count, wfi_path *p);
void wfi_path_free(wfi_path *p);
static inline double wfi_path_length(const wfi_path *p) { return p->distance[p->count - 1]; }

/* What is known from one end: by hops a queue, which is written in order, so that a search touches as much memory as it
 * sees vertices; by weights arrays by vertex, whose marks are the search's number, so that they need not be cleared for
 * the next one. */
typedef struct wfi_path_side {
    const wfi_view *rows;
    weft_vid *queue;   /* hops: as they were found */
    uint32_t *found;   /* hops: from which place of the queue; the end from its own */
    size_t level, end; /* hops: where the queue's last level begins, and ends */
    uint64_t arcs;     /* hops: of that level */
    uint32_t *seen;    /* weights: by the search of this number */
    weft_vid *parent;  /* weights: towards the end; the end is its own */
    double *distance;  /* weights */
    wfi_heap heap;     /* weights: those that wait, also in vain */
} wfi_path_side;

/* Searches in one graph; make it once, search often. */
typedef struct wfi_path_search {
    weft_ctx *ctx;
    const weft_graph *g;
    bool weights;
    uint64_t *marks; /* hops: two bits a vertex, one for each side, zero between searches */
    bool both;       /* from both ends: the rows of incoming arcs are available, and sums are exact in any order */
    uint32_t *shut;  /* no path passes: UINT32_MAX = in any search, else in that of this number; NULL: all are open */
    uint32_t number; /* of the search; 0 = none yet */
    wfi_path_side side[2];
} wfi_path_search;

/* Distances from vertices: along a path, always in the same order. */
void wfi_path_measure(const wfi_path_search *s, wfi_path *p);

/* No path passes v in the next search. */
static inline void wfi_path_shut_once(wfi_path_search *s, weft_vid v) {
    if (s->shut[v] != UINT32_MAX) s->shut[v] = s->number + 1;
}

/* A shortest path that does not begin with an arc from -> barred[i].  from and to differ. */
weft_status wfi_path_find(wfi_path_search *s, weft_vid from, weft_vid to, const weft_vid *barred, size_t barred_count,
                          wfi_path *path);

/* hops.c, lengths.c: the two ways to find a path; it has no distances yet, and no vertices where there is none. */
typedef struct wfi_path_bar {
    weft_vid from;
    const weft_vid *to;
    size_t count;
} wfi_path_bar;
weft_status wfi_path_by_hops(wfi_path_search *s, weft_vid from, weft_vid to, const wfi_path_bar *bar, wfi_path *path);
size_t wfi_path_mark_words(weft_vid n);
weft_status wfi_path_by_weights(wfi_path_search *s, weft_vid from, weft_vid to, const wfi_path_bar *bar,
                                wfi_path *path);

/* May a search of this side go from u to v?  Side 1 goes against the arcs. */
static inline bool wfi_path_may_go(const wfi_path_search *s, const wfi_path_bar *bar, int side, weft_vid u,
                                   weft_vid v) {
    if (s->shut && (s->shut[v] == UINT32_MAX || s->shut[v] == s->number)) return false;
    weft_vid tail = side ? v : u, head = side ? u : v;
    if (tail != bar->from) return true;
    for (size_t i = 0; i < bar->count; i++)
        if (bar->to[i] == head) return false;
    return true;
}

/* path_yen.c: the `most` shortest paths without a vertex twice, or as many as there are; ties by the vertices' order.
 * Frees nothing on failure: paths[0 ... *found) are whole. */
weft_status wfi_path_several(wfi_path_search *s, weft_vid from, weft_vid to, size_t most, wfi_path *paths,
                             size_t *found);

#endif
