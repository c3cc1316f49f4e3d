/* NetworkX's graphs for the backend: rows in NetworkX's own order, with the graph's own node objects.
 *
 * Many answers depend on the order in which neighbours were added (trees, paths, orders), which the library does not
 * keep, since its rows ascend.  Those answers are computed here, in the order of the dicts (nx/bfs.c, nx/dijkstra.c,
 * nx/order.c); all others by the library, on a graph that is made of these rows when it is first needed
 * (nx/graph.c). */
#ifndef WEFT_NX_GRAPH_H
#define WEFT_NX_GRAPH_H

#include "nx/index.h"

/* One direction.  Parallel edges are adjacent. */
typedef struct nx_rows {
    uint64_t *offsets; /* n + 1 */
    weft_vid *targets;
    double *weights;   /* NULL: none */
    uint8_t *is_float; /* of each weight; NULL: all are ints, or all are floats (nx_graph.all_float) */
} nx_rows;

typedef struct nx_graph {
    PyObject_HEAD binding_state *state;
    PyObject **node; /* the graph's own objects, in its order */
    nx_index index;  /* node -> number */
    uint64_t n, arcs;
    nx_rows out, in;    /* in: in NetworkX's order, by set_incoming(); an undirected graph has only out */
    nx_rows transposed; /* incoming arcs by source, if their order does not matter */
    bool directed, multigraph;
    bool all_float, any_bool;
    bool any_given;        /* whether some edge has the attribute; unknown if the default is a float */
    double least, largest; /* of the weights; 0 without weights */
    const char *odd;       /* the reason why the requested attribute gives no weights; NULL: it does */
    PyObject *made[2];     /* graphs of the library: library() of nx/graph.c */
} nx_graph;

extern PyType_Spec nx_graph_spec;
/* A new graph without nodes, for module functions that return a graph. */
nx_graph *nx_new(binding_state *state);
void nx_free_rows(nx_rows *rows);

/* convert(nodes, adjacency, directed, multigraph, attribute or None, default) -> NxGraph.  NotImplementedError: not
 * plain dicts. */
PyObject *nx_convert(PyObject *module, PyObject *args);
/* gates({function: (argument to check, defaults)}, can_run in Python, {function: sizes}, should_run in Python, exact
 * classes, class of converted graphs) -> (can_run, should_run): nx/gate.c. */
PyObject *nx_gates(PyObject *module, PyObject *args);
/* The fault of a weight, or NULL; never runs foreign code. */
const char *nx_weight_of(PyObject *value, double *weight, bool *is_float);
/* The method set_incoming(predecessors): rows of incoming arcs in NetworkX's order; False if they are not the
 * transpose. */
PyObject *nx_set_incoming(PyObject *self, PyObject *predecessors);
/* False (NotImplementedError is set) if there are no rows of incoming arcs. */
bool nx_need_incoming(nx_graph *g);
/* Rows of incoming arcs in any order, without weights; NULL: an exception is set. */
const nx_rows *nx_transposed(nx_graph *g);
/* Makes such rows anew, by source; with weights if they are wanted and exist. */
bool nx_transpose(const nx_graph *g, bool weights, nx_rows *to);

/* Memory for count + 1 entries, to be freed by free(); NULL without an exception if there is none (nx/memory.c). */
void *nx_take(uint64_t count, size_t width);
void *nx_take_zeros(uint64_t count, size_t width);

/* nx_index_find() among the graph's nodes. */
static inline int64_t nx_number_of(nx_graph *g, PyObject *node) {
    return nx_index_find(&g->index, g->node, g->n, node);
}
/* The same for an argument that must be in the graph: KeyError. */
bool nx_require(nx_graph *g, PyObject *node, weft_vid *v);

static inline const nx_rows *nx_side(const nx_graph *g, bool reverse) {
    return reverse && g->directed ? &g->in : &g->out;
}
static inline PyObject *nx_node(const nx_graph *g, weft_vid v) {
    Py_INCREF(g->node[v]);
    return g->node[v];
}
/* Appends and drops the reference; false: an exception is set. */
static inline bool nx_append(PyObject *list, PyObject *item) {
    int failed = !item || PyList_Append(list, item);
    Py_XDECREF(item);
    return !failed;
}

/* References to an answer's objects, one for each node, while the answer is made.  The answer holds them too, but only
 * as long as its keys stay distinct: if nodes change their equality, a dict replaces one by another. */
PyObject **nx_hold(uint64_t count);
/* Frees the array and its references; NULL is allowed. */
void nx_release(PyObject **held, uint64_t count);

/* The minimum weight of the arcs to one neighbour, which begin at *e; the first of equal weights, as with min().  1
 * without weights. */
static inline double nx_shortest(const nx_rows *rows, bool all_float, uint64_t *e, uint64_t end, bool *is_float) {
    weft_vid w = rows->targets[*e];
    double least = rows->weights ? rows->weights[*e] : 1;
    *is_float = all_float || (rows->is_float && rows->is_float[*e]);
    while (++*e < end && rows->targets[*e] == w) {
        if (!rows->weights || rows->weights[*e] >= least) continue;
        least = rows->weights[*e];
        *is_float = all_float || (rows->is_float && rows->is_float[*e]);
    }
    return least;
}
static inline PyObject *nx_number(double value, bool is_float) {
    return is_float ? PyFloat_FromDouble(value) : PyLong_FromLongLong((long long)value);
}

/* For functions that only prefetch.  GCC (12) considers such a function free of effects and drops the calls, unless it
 * must inline them. */
#define NX_FETCHES static inline __attribute__((always_inline))

/* Nodes lie anywhere in memory: prefetches the nodes after position i of an order, and further ahead their pointers. */
enum { NX_AHEAD = 16 };
NX_FETCHES void nx_fetch_node(const nx_graph *g, const weft_vid *order, uint64_t count, uint64_t i) {
    if (i + 2 * NX_AHEAD < count) __builtin_prefetch(&g->node[order[i + 2 * NX_AHEAD]]);
    if (i + NX_AHEAD < count) __builtin_prefetch(g->node[order[i + NX_AHEAD]], 1);
}

/* Long loops let Python check for signals from time to time; a step may wait for memory several times, some 200 ns.
 * The GIL is held: walking rows is short compared with the library's work. */
enum { NX_POLL_EVERY = 1 << 18 };
typedef struct nx_clock {
    uint64_t steps;
} nx_clock;
static inline bool nx_go_on(nx_clock *clock, uint64_t steps) {
    clock->steps += steps;
    if (clock->steps < NX_POLL_EVERY) return true;
    clock->steps = 0;
    return PyErr_CheckSignals() == 0;
}

/* Methods: nx/bfs.c, nx/dijkstra.c, nx/order.c, nx/dfs.c, nx/results.c, nx/dicts.c, nx/copies.c, nx/edges.c. */
PyObject *nx_bfs(PyObject *self, PyObject *args);
PyObject *nx_edge_arrays(PyObject *self, PyObject *by_id);
PyObject *nx_predecessor(PyObject *self, PyObject *args);
PyObject *nx_labeled_edges(PyObject *self, PyObject *sources);
PyObject *nx_bidirectional(PyObject *self, PyObject *args);
PyObject *nx_dijkstra(PyObject *self, PyObject *args);
PyObject *nx_bidirectional_dijkstra(PyObject *self, PyObject *args);
PyObject *nx_bellman_ford(PyObject *self, PyObject *args);
PyObject *nx_strong(PyObject *self, PyObject *none);
PyObject *nx_generations(PyObject *self, PyObject *none);
PyObject *nx_kosaraju(PyObject *self, PyObject *source);
PyObject *nx_between(PyObject *self, PyObject *groups);
PyObject *nx_cycle(PyObject *self, PyObject *starts);
PyObject *nx_longest(PyObject *self, PyObject *none);
PyObject *nx_degrees(PyObject *self, PyObject *side);
PyObject *nx_dict_of(PyObject *self, PyObject *args);
PyObject *nx_groups(PyObject *self, PyObject *components);
PyObject *nx_neighbour_sums(PyObject *self, PyObject *args);
PyObject *nx_dicts(PyObject *self, PyObject *attribute);
PyObject *nx_arrays(PyObject *self, PyObject *none);
PyObject *nx_with_weight(PyObject *self, PyObject *weight);
PyObject *nx_reversed(PyObject *self, PyObject *none);

#endif
