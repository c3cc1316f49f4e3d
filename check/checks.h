/* Declarations shared by verifiers: their table, a watch per call, weights of arcs, and the undirected simple view of
 * a graph. A verifier checks a result against the definition, not against another implementation, and uses the public
 * API only. */
#ifndef WEFT_CHECKS_H
#define WEFT_CHECKS_H

#include "weft/check.h"

#include <stdatomic.h>

/* State of one call of a verifier, shared by its threads: cancellation, allocations, report. */
typedef struct check_watch {
    weft_ctx *ctx;
    weft_check_report *report;
    atomic_int stopped;
    weft_status status;         /* a failure makes the verdict meaningless */
    struct check_block *blocks; /* blocks of check_take */
} check_watch;

/* A verifier: 1 if the result is right. Params are complete, and the graph's rows exist (check_out). */
typedef int check_function(check_watch *w, const weft_graph *g, const void *params, const weft_result *result);
typedef check_function *check_fn;

/* weft_check_<algorithm> of check/<algorithm>.c, or NULL. The table is generated (cmake/WeftLists.cmake). */
check_fn check_find(const char *algorithm);

/* Set the report's message: check_right, what was checked, returns 1; check_wrong, the fault, returns 0. */
int check_right(const check_watch *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
int check_wrong(const check_watch *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Allocates `count` elements and one more, zeroed; weft_check frees them. NULL, with the status set, if memory runs
 * out. */
void *check_take(check_watch *w, size_t count, size_t each);

/* True if the context's cancel callback requests a stop, and from then on. Verifiers call it for step i of loops over
 * rows or vertices; it polls at every 1024th step. */
static inline int check_stops(check_watch *w, uint64_t i) {
    int stopped = atomic_load_explicit(&w->stopped, memory_order_relaxed);
    if (stopped || i % 1024) return stopped;
    if (weft_ctx_cancelled(w->ctx)) atomic_store_explicit(&w->stopped, 1, memory_order_relaxed);
    return atomic_load_explicit(&w->stopped, memory_order_relaxed);
}

/* Rows of the graph. Cannot fail, because weft_check has made them. */
static inline weft_csr check_out(const check_watch *w, const weft_graph *g) {
    weft_csr rows = {.size = sizeof rows};
    weft_graph_out(w->ctx, g, &rows);
    return rows;
}

/* Rows of the transpose; sets the status on failure. */
static inline weft_csr check_in(check_watch *w, const weft_graph *g) {
    weft_csr rows = {.size = sizeof rows};
    if (!w->status) w->status = weft_graph_in(w->ctx, g, &rows);
    return rows;
}

/* --- arcs ---------------------------------------------------------------------------- */

/* Weight of an arc as double; 1 in an unweighted graph. */
static inline double check_weight(const weft_graph *g, const weft_csr *rows, weft_eid e) {
    switch (weft_graph_weight_type(g)) {
    case WEFT_WEIGHT_NONE: break;
    case WEFT_WEIGHT_U32: return ((const uint32_t *)rows->weights)[e];
    case WEFT_WEIGHT_F32: return (double)((const float *)rows->weights)[e];
    case WEFT_WEIGHT_F64: return ((const double *)rows->weights)[e];
    }
    return 1;
}

/* Id of a vertex for messages: check_id(g, v).text. */
typedef struct check_name {
    char text[128];
} check_name;
static inline check_name check_id(const weft_graph *g, weft_vid v) {
    check_name name = {"no vertex"};
    if (v < weft_graph_vertices(g)) weft_graph_id_text(g, v, name.text, sizeof name.text);
    return name;
}

/* The smallest vertex of maximum out-degree, the default source of searches. */
static inline weft_vid check_max_out_degree_vertex(const weft_csr *out) {
    weft_vid best = 0;
    for (weft_vid v = 1; v < out->vertices; v++)
        if (out->offsets[v + 1] - out->offsets[v] > out->offsets[best + 1] - out->offsets[best]) best = v;
    return best;
}

/* Root in a disjoint-set forest, with path halving. */
static inline weft_vid check_root(weft_vid *parent, weft_vid v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
}

/* Neumaier's compensated sum of nonnegative terms: the rounding error of *sum accumulates in *lost. */
static inline void check_add(double *sum, double *lost, double x) {
    double to = *sum + x;
    *lost += *sum >= x ? (*sum - to) + x : (x - to) + *sum;
    *sum = to;
}

/* Comparison for qsort. */
int check_by_vertex(const void *a, const void *b);
int check_by_u64(const void *a, const void *b);

/* cycle.c, also for toposort. Checks that the column is a cycle: distinct vertices, with an arc from each to the next
 * and from the last to the first. */
int check_cycle(check_watch *w, const weft_graph *g, const weft_column *cycle);

/* edges.c. Checks that the column has a value of that type per edge, and that `source` and `target` are the edges in
 * their order. Returns 0 on a fault, with a message, or if stopped. */
int check_edges(check_watch *w, const weft_graph *g, const weft_result *result, const char *name, weft_type type);

/* communities.c, for leiden and louvain. Checks that the column `community` is a partition of the reported quality;
 * also that little is left to gain (OPTIMISED); also that communities are connected (CONNECTED). */
typedef enum check_demand { CHECK_RECOUNTED, CHECK_OPTIMISED, CHECK_CONNECTED } check_demand;
int check_communities(check_watch *w, const weft_graph *g, const struct weft_leiden_params *params,
                      const weft_result *result, check_demand demand);
check_function check_partition; /* demands CHECK_RECOUNTED only */

/* nearness.c, for closeness and harmonic. Checks the column's values against distances. */
typedef struct check_nearness_question {
    const char *column;
    int harmonic, factor, weights, estimate; /* factor: closeness is scaled, harmonic centrality normalised */
    weft_side direction;
    const weft_vid *of, *sources; /* NULL: all vertices */
    size_t of_count, source_count;
    uint64_t registers, first;
} check_nearness_question;
int check_nearness(check_watch *w, const weft_graph *g, const check_nearness_question *q, const weft_result *result);

/* distances_weights.c. sides: 1 for distances along arcs, 2 against them, 3 in any direction. */
int check_distances_by_weights(check_watch *w, const weft_graph *g, int sides, const weft_result *result);

/* --- the undirected simple view ------------------------------------------------------- */

/* Neighbour lists without loops and repeats. */
typedef struct check_simple {
    weft_vid n;
    uint64_t *offsets; /* n + 1 */
    weft_vid *targets; /* ascending in each row; both ends of every edge */
    uint64_t *wedges;  /* n + 1: number of pairs of neighbours of all previous vertices */
    check_watch *watch;
} check_simple;

/* Returns 0 if memory runs out or the watch was stopped. */
int check_simple_make(const weft_graph *g, check_watch *watch, check_simple *s);

uint64_t check_simple_degree(const check_simple *s, weft_vid v);
/* Number of common neighbours. Lists them in `list`, ascending, unless it is NULL; it must hold the smaller
 * neighbourhood. */
uint64_t check_simple_common(const check_simple *s, weft_vid u, weft_vid v, weft_vid *list);

/* Selects the k-th vertex to recount: all vertices in order if the graph is small enough, else pseudorandom ones.
 * Returns 0 once enough work was done or the watch was stopped; *spent must start as 0. */
int check_simple_pick(const check_simple *s, uint64_t k, uint64_t *spent, weft_vid *v);
/* True if check_simple_pick selects every vertex. */
int check_simple_exact(const check_simple *s);

/* True if the share of closed wedges is plausible: within six standard deviations of a sample of random wedges. */
int check_simple_closed(const check_simple *s, double share);

#endif
