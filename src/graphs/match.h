/* Graphs matched by their ids: declarations shared by this room's files. */
#ifndef WFI_GRAPHS_MATCH_H
#define WFI_GRAPHS_MATCH_H

#include "core/search.h"
#include "graph/graph.h"

#include <string.h>

/* Fails unless the graphs can be matched: all directed or all undirected, and all ids numbers or all names. Graphs
 * without vertices match any ids. */
weft_status wfi_check_matchable(weft_ctx *ctx, const char *what, const weft_graph *const *graphs, size_t count);

/* The graph with its vertices in the order of their ids: *copy, or the graph itself if *copy is NULL. Vertex v of it
 * is vertex wfi_original_vertex(g, v) of g. */
weft_status wfi_sorted_by_id(weft_ctx *ctx, const weft_graph *g, weft_graph **copy);
static inline weft_vid wfi_original_vertex(const weft_graph *g, weft_vid v) {
    return g->ids.by_id ? g->ids.by_id[v] : v;
}

static inline int64_t wfi_id_number(const weft_graph *g, weft_vid v) {
    return g->ids.kind == WEFT_IDS_DENSE ? g->ids.base + (int64_t)v : g->ids.number[v];
}

/* Compares the id of u in a with that of v in b: below, equal to or above 0. */
static inline int wfi_id_order(const weft_graph *a, weft_vid u, const weft_graph *b, weft_vid v) {
    if (a->ids.kind != WEFT_IDS_STRING) {
        int64_t x = wfi_id_number(a, u), y = wfi_id_number(b, v);
        return (x > y) - (x < y);
    }
    uint64_t x = a->ids.start[u + 1] - a->ids.start[u], y = b->ids.start[v + 1] - b->ids.start[v];
    int order = memcmp(a->ids.text + a->ids.start[u], b->ids.text + b->ids.start[v], (size_t)wfi_min_u64(x, y));
    return order ? order : (x > y) - (x < y);
}

/* Blocks of rows of about equal cost: block i has the rows first[i] ... first[i + 1] - 1. */
typedef struct wfi_row_blocks {
    weft_vid *first;
    size_t count;
} wfi_row_blocks;
weft_status wfi_cut_rows(weft_ctx *ctx, const weft_graph *g, wfi_row_blocks *blocks);

/* --- a row and the row of the same vertex in another graph --------------------------------------------- */

typedef struct wfi_row_pair {
    const weft_vid *x, *y;
    weft_eid x_at, x_end, y_at, y_end;
    const weft_vid *match; /* match in y of the vertices of x; ascending, apart from WEFT_NO_VERTEX */
} wfi_row_pair;

/* Parallel arcs of a row. */
typedef struct wfi_arc_run {
    weft_eid at;
    uint64_t count;
} wfi_arc_run;

/* Needs both graphs in the order of ids. For undirected graphs, only arcs to vertices >= u. */
static inline wfi_row_pair wfi_pair_rows(const weft_graph *x, const weft_graph *y, const weft_vid *match, weft_vid u) {
    wfi_row_pair p = {.x = x->out.targets, .y = y->out.targets, .match = match};
    weft_vid other = match[u];
    p.x_at = x->out.offsets[u];
    p.x_end = x->out.offsets[u + 1];
    if (other != WEFT_NO_VERTEX) {
        p.y_at = y->out.offsets[other];
        p.y_end = y->out.offsets[other + 1];
    }
    if (!x->directed) p.x_at = wfi_lower_bound_u32(p.x, p.x_at, p.x_end, u);
    return p;
}

/* Galloping search: advances in y's row to the first target that is not below `target`; the row may be much longer. */
static inline void wfi_skip_below(wfi_row_pair *p, weft_vid target) {
    uint64_t step = 1;
    while (p->y_at + step < p->y_end && p->y[p->y_at + step] < target) {
        p->y_at += step;
        step *= 2;
    }
    p->y_at = wfi_lower_bound_u32(p->y, p->y_at, wfi_min_u64(p->y_at + step, p->y_end), target);
}

/* Takes the next target of x's row, with its arcs there and those to the matching vertex in y's row; false at the
 * end. */
static inline bool wfi_next_run(wfi_row_pair *p, wfi_arc_run *x, wfi_arc_run *y) {
    if (p->x_at == p->x_end) return false;
    weft_vid target = p->x[p->x_at], other = p->match[target];
    x->at = p->x_at;
    while (p->x_at < p->x_end && p->x[p->x_at] == target) p->x_at++;
    x->count = p->x_at - x->at;
    *y = (wfi_arc_run){p->y_at, 0};
    if (other == WEFT_NO_VERTEX || p->y_at == p->y_end) return true;
    if (p->y[p->y_at] < other) wfi_skip_below(p, other);
    y->at = p->y_at;
    while (p->y_at < p->y_end && p->y[p->y_at] == other) p->y_at++;
    y->count = p->y_at - y->at;
    return true;
}

#endif
