/* A converted graph's edges as arrays for the library's constructors: edges(by_id) -> (sources, targets, weights or
 * None, ids or None), bytes.  An undirected edge is listed once, from the node that comes first, as in NetworkX's
 * edges().  by_id: nodes are integers of 64 bits, and so are sources, targets and ids; otherwise sources and targets
 * are numbers of 32 bits, without ids.  Weights are doubles, or integers of 64 bits if all are ints. */
#include "nx/graph.h"

static PyObject *room(uint64_t count, size_t width) {
    return count < PY_SSIZE_T_MAX / width ? PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(count * width))
                                          : PyErr_NoMemory();
}

/* The integer of each node; NULL: OverflowError or TypeError is set. */
static PyObject *ids_of(const nx_graph *g) {
    PyObject *ids = room(g->n, sizeof(int64_t));
    int64_t *id = ids ? (int64_t *)(void *)PyBytes_AsString(ids) : NULL;
    for (uint64_t v = 0; ids && v < g->n; v++) {
        if (nx_whole(g->node[v], &id[v])) continue;
        PyErr_SetString(PyExc_TypeError, "a node is no integer of 64 bits");
        Py_CLEAR(ids);
    }
    return ids;
}

static uint64_t count_edges(const nx_graph *g) {
    uint64_t count = 0;
    for (uint64_t u = 0; u < g->n; u++)
        for (uint64_t e = g->out.offsets[u]; e < g->out.offsets[u + 1]; e++)
            count += g->directed || g->out.targets[e] >= u;
    return count;
}

typedef struct edge_arrays {
    void *from, *to, *weight;
    const int64_t *id; /* NULL: numbers */
} edge_arrays;

static void put_edge(const nx_graph *g, const edge_arrays *a, uint64_t at, uint64_t u, uint64_t e) {
    weft_vid v = g->out.targets[e];
    bool whole = !g->all_float && !g->out.is_float;
    if (a->id) {
        ((int64_t *)a->from)[at] = a->id[u];
        ((int64_t *)a->to)[at] = a->id[v];
    } else {
        ((weft_vid *)a->from)[at] = (weft_vid)u;
        ((weft_vid *)a->to)[at] = v;
    }
    if (!a->weight) return;
    if (whole)
        ((int64_t *)a->weight)[at] = (int64_t)g->out.weights[e];
    else
        ((double *)a->weight)[at] = g->out.weights[e];
}

PyObject *nx_edge_arrays(PyObject *self, PyObject *by_id) {
    const nx_graph *g = (nx_graph *)self;
    int wanted = PyObject_IsTrue(by_id);
    if (wanted < 0) return NULL;
    uint64_t count = count_edges(g), at = 0;
    size_t width = wanted ? sizeof(int64_t) : sizeof(weft_vid);
    PyObject *ids = wanted ? ids_of(g) : NULL, *result = NULL;
    PyObject *from = room(count, width), *to = room(count, width), *weights = g->out.weights ? room(count, 8) : NULL;
    if ((!wanted || ids) && from && to && (!g->out.weights || weights)) {
        edge_arrays a = {PyBytes_AsString(from), PyBytes_AsString(to), weights ? PyBytes_AsString(weights) : NULL,
                         ids ? (const int64_t *)(const void *)PyBytes_AsString(ids) : NULL};
        for (uint64_t u = 0; u < g->n; u++)
            for (uint64_t e = g->out.offsets[u]; e < g->out.offsets[u + 1]; e++)
                if (g->directed || g->out.targets[e] >= u) put_edge(g, &a, at++, u, e);
        result = Py_BuildValue("(OOOO)", from, to, weights ? weights : Py_None, ids ? ids : Py_None);
    }
    Py_XDECREF(ids);
    Py_XDECREF(from);
    Py_XDECREF(to);
    Py_XDECREF(weights);
    return result;
}
