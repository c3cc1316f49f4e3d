/* What verifiers share: their table, a watch over each call, weights of arcs, and the undirected simple view of a
 * graph.  Each checks a result against the definition, on the public API only, and not against another answer. */
#ifndef WEFT_CHECKS_H
#define WEFT_CHECKS_H

#include "weft_check.h"

#include <stdatomic.h>

/* One call of a verifier: what ends it early, what it took, and what it says.  Shared by its threads. */
typedef struct check_watch {
    weft_ctx *ctx;
    weft_check_report *report;
    atomic_int stopped;
    weft_status status;         /* a failure: what was found until then means nothing */
    struct check_block *blocks; /* check_take */
} check_watch;

/* Each algorithm's verifier: 1 if the result is right.  Params are complete; the rows of the graph are there
 * (check_out). */
typedef int check_function(check_watch *w, const weft_graph *g, const void *params, const weft_result *result);
typedef check_function *check_fn;

/* weft_check_<algorithm> of check/<algorithm>.c, NULL if there is none.  The table is generated
 * (cmake/WeftLists.cmake). */
check_fn check_find(const char *algorithm);

/* The report's message: what was checked, and 1; or what was found wrong, and 0. */
int check_right(const check_watch *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
int check_wrong(const check_watch *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Room for `count` elements and one more, zeroed; weft_check frees it.  NULL: there is none, as the status says. */
void *check_take(check_watch *w, size_t count, size_t each);

/* Verifiers end early when the context's cancel callback asks for it: the loops that pass over a graph ask now and
 * then.  Once stopped it stays so.  For step i of a loop whose steps are some rows or vertices: asks at every 1024th. */
static inline int check_stops(check_watch *w, uint64_t i) {
    int stopped = atomic_load_explicit(&w->stopped, memory_order_relaxed);
    if (stopped || i % 1024) return stopped;
    if (weft_ctx_cancelled(w->ctx)) atomic_store_explicit(&w->stopped, 1, memory_order_relaxed);
    return atomic_load_explicit(&w->stopped, memory_order_relaxed);
}

/* The rows of a graph.  weft_check has asked for them before, and they are kept: this cannot fail. */
static inline weft_csr check_out(const check_watch *w, const weft_graph *g) {
    weft_csr rows = {.size = sizeof rows};
    weft_graph_out(w->ctx, g, &rows);
    return rows;
}

/* Those of its transpose, which may fail, as the status says. */
static inline weft_csr check_in(check_watch *w, const weft_graph *g) {
    weft_csr rows = {.size = sizeof rows};
    if (!w->status) w->status = weft_graph_in(w->ctx, g, &rows);
    return rows;
}

/* --- arcs ---------------------------------------------------------------------------- */

/* The weight of an arc, of whatever type; without weights 1. */
static inline double check_weight(const weft_graph *g, const weft_csr *rows, weft_eid e) {
    switch (weft_graph_weight_type(g)) {
    case WEFT_WEIGHT_NONE: break;
    case WEFT_WEIGHT_U32: return ((const uint32_t *)rows->weights)[e];
    case WEFT_WEIGHT_F32: return (double)((const float *)rows->weights)[e];
    case WEFT_WEIGHT_F64: return ((const double *)rows->weights)[e];
    }
    return 1;
}

/* The id of a vertex, for a message: check_id(g, v).text. */
typedef struct check_name {
    char text[128];
} check_name;
static inline check_name check_id(const weft_graph *g, weft_vid v) {
    check_name name = {"no vertex"};
    if (v < weft_graph_vertices(g)) weft_graph_id_text(g, v, name.text, sizeof name.text);
    return name;
}

/* The vertex with the most arcs out, of several the smallest: where a search begins if nobody says. */
static inline weft_vid check_busiest(const weft_csr *out) {
    weft_vid best = 0;
    for (weft_vid v = 1; v < out->vertices; v++)
        if (out->offsets[v + 1] - out->offsets[v] > out->offsets[best + 1] - out->offsets[best]) best = v;
    return best;
}

/* Of a disjoint-set forest, with path halving. */
static inline weft_vid check_root(weft_vid *parent, weft_vid v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
}

/* Neumaier's sum of terms that are 0 or more: what rounding takes from *sum goes to *lost. */
static inline void check_add(double *sum, double *lost, double x) {
    double to = *sum + x;
    *lost += *sum >= x ? (*sum - to) + x : (x - to) + *sum;
    *sum = to;
}

/* For qsort. */
int check_by_vertex(const void *a, const void *b);
int check_by_u64(const void *a, const void *b);

/* cycle.c, for toposort too.  Is column `cycle` one: distinct vertices, an arc from each to the next and from the last
 * to the first? */
int check_cycle(check_watch *w, const weft_graph *g, const weft_column *cycle);

/* edges.c.  Has the column of that name a value of that type for each edge, and are `source` and `target` the edges in
 * their order?  0 if not, when the report says what is wrong, or if it was stopped. */
int check_edges(check_watch *w, const weft_graph *g, const weft_result *result, const char *name, weft_type type);

/* communities.c, for leiden and louvain: is the column `community` a partition as described, of the quality that the
 * result says; does it leave little to gain; are its groups connected?  Each demand has those before it. */
typedef enum check_demand { CHECK_RECOUNTED, CHECK_SETTLED, CHECK_CONNECTED } check_demand;
int check_communities(check_watch *w, const weft_graph *g, const weft_leiden_params *params, const weft_result *result,
                      check_demand demand);
check_function check_partition; /* the first demand alone */

/* nearness.c, for closeness and harmonic: are the values of the column what distances say? */
typedef struct check_nearness_question {
    const char *column;
    int harmonic, factor, weights, estimate; /* factor: closeness is scaled, or harmonic centrality normalised */
    weft_side direction;
    const weft_vid *of, *sources; /* NULL: all */
    size_t of_count, source_count;
    uint64_t registers, first;
} check_nearness_question;
int check_nearness(check_watch *w, const weft_graph *g, const check_nearness_question *q, const weft_result *result);

/* distances_weights.c.  sides: 1 for distances along arcs, 2 against them, 3 regardless of direction. */
int check_distances_by_weights(check_watch *w, const weft_graph *g, int sides, const weft_result *result);

/* --- the undirected simple view ------------------------------------------------------- */

/* Neighbour lists without loops and repeats, made plainly. */
typedef struct check_simple {
    weft_vid n;
    uint64_t *offsets; /* n + 1 */
    weft_vid *targets; /* ascending in each row, both ends of every edge */
    uint64_t *wedges;  /* n + 1: pairs of neighbours of the vertices before */
    check_watch *watch;
} check_simple;

/* 0 when there was no memory, or the watch was stopped. */
int check_simple_make(const weft_graph *g, check_watch *watch, check_simple *s);

uint64_t check_simple_degree(const check_simple *s, weft_vid v);
/* How many neighbours two vertices have in common.  list: which, ascending, if it is not NULL; it has room for those of
 * either. */
uint64_t check_simple_common(const check_simple *s, weft_vid u, weft_vid v, weft_vid *list);

/* The k-th vertex to recount: all in order when the graph is small enough, else at random by counter.  Returns 0 when
 * enough work was done, or the watch was stopped; *spent begins at 0. */
int check_simple_pick(const check_simple *s, uint64_t k, uint64_t *spent, weft_vid *v);
/* 1 if that recounts every vertex. */
int check_simple_exact(const check_simple *s);

/* Is a share of closed wedges believable?  Wedges drawn at random by counter must be closed as often, within six
 * standard deviations. */
int check_simple_closed(const check_simple *s, double share);

#endif
