/* Rows as arrays for other libraries, and copies of a graph: with another weight, or reversed. */
#include "nx/graph.h"

#include <stdlib.h>
#include <string.h>

static PyObject *numbers(const void *data, size_t bytes, const char *format) {
    PyObject *copy = PyBytes_FromStringAndSize(data, (Py_ssize_t)bytes);
    PyObject *view = copy ? PyMemoryView_FromObject(copy) : NULL;
    PyObject *cast = view ? PyObject_CallMethod(view, "cast", "s", format) : NULL;
    Py_XDECREF(view);
    Py_XDECREF(copy);
    return cast;
}

/* arrays() -> (offsets, targets, weights or None) as u64, u32 and f64: copies */
PyObject *nx_arrays(PyObject *self, PyObject *none) {
    const nx_graph *g = (nx_graph *)self;
    (void)none;
    PyObject *offsets = numbers(g->out.offsets, (g->n + 1) * sizeof *g->out.offsets, "Q");
    PyObject *targets = numbers(g->out.targets, g->arcs * sizeof *g->out.targets, "I");
    PyObject *weights = g->out.weights ? numbers(g->out.weights, g->arcs * sizeof *g->out.weights, "d") : NULL;
    PyObject *all = offsets && targets && (weights || !g->out.weights)
                        ? PyTuple_Pack(3, offsets, targets, weights ? weights : Py_None)
                        : NULL;
    Py_XDECREF(offsets);
    Py_XDECREF(targets);
    Py_XDECREF(weights);
    return all;
}

static void *copy_of(const void *data, size_t bytes) {
    void *copy = nx_take(bytes, 1);
    if (copy && bytes) memcpy(copy, data, bytes);
    return copy;
}

/* A graph with the same nodes, without rows. */
static nx_graph *same_nodes(const nx_graph *g) {
    nx_graph *copy = nx_new(g->state);
    if (!copy) return NULL;
    copy->directed = g->directed;
    copy->multigraph = g->multigraph;
    copy->arcs = g->arcs;
    copy->node = copy_of(g->node, g->n * sizeof *g->node);
    if (!copy->node || !nx_index_copy(&g->index, &copy->index)) {
        if (!copy->node) PyErr_NoMemory();
        Py_DECREF((PyObject *)copy);
        return NULL;
    }
    for (; copy->n < g->n; copy->n++) Py_INCREF(copy->node[copy->n]);
    return copy;
}

static bool copy_rows(const nx_graph *g, const nx_rows *from, nx_rows *to, bool weights) {
    if (!from->offsets) return true;
    to->offsets = copy_of(from->offsets, (g->n + 1) * sizeof *to->offsets);
    to->targets = copy_of(from->targets, g->arcs * sizeof *to->targets);
    weights = weights && from->weights;
    if (weights) to->weights = copy_of(from->weights, g->arcs * sizeof *to->weights);
    if (weights && from->is_float) to->is_float = copy_of(from->is_float, g->arcs);
    if (to->offsets && to->targets && (!weights || (to->weights && (!from->is_float || to->is_float)))) return true;
    PyErr_NoMemory();
    return false;
}

static bool same_weight(nx_graph *g, nx_rows *rows, double weight) {
    if (!rows->offsets) return true;
    rows->weights = nx_take(g->arcs, sizeof *rows->weights);
    for (uint64_t e = 0; rows->weights && e < g->arcs; e++) rows->weights[e] = weight;
    if (!rows->weights) PyErr_NoMemory();
    return rows->weights != NULL;
}

/* with_weight(number or None) */
PyObject *nx_with_weight(PyObject *self, PyObject *weight) {
    const nx_graph *g = (nx_graph *)self;
    double value = 0;
    bool is_float = false, weighted = weight != Py_None;
    const char *odd = weighted ? nx_weight_of(weight, &value, &is_float) : NULL;
    nx_graph *copy = same_nodes(g);
    bool good = copy && copy_rows(g, &g->out, &copy->out, false) && copy_rows(g, &g->in, &copy->in, false);
    if (good && weighted && !odd) good = same_weight(copy, &copy->out, value) && same_weight(copy, &copy->in, value);
    if (!good) {
        Py_XDECREF((PyObject *)copy);
        return NULL;
    }
    copy->odd = odd;
    copy->all_float = weighted && g->arcs && is_float;
    if (weighted && !odd && g->arcs) {
        copy->least = value < 0 ? value : 0;
        copy->largest = value > 0 ? value : 0;
    }
    return (PyObject *)copy;
}

static void *room_for(bool wanted, uint64_t count, size_t width) { return wanted ? nx_take(count, width) : NULL; }

bool nx_transpose(const nx_graph *g, bool weights, nx_rows *to) {
    const nx_rows *from = &g->out;
    bool values = weights && from->weights, kinds = weights && from->is_float;
    nx_rows rows = {.offsets = nx_take_zeros(g->n + 1, sizeof *rows.offsets),
                    .targets = room_for(true, g->arcs, sizeof *rows.targets),
                    .weights = room_for(values, g->arcs, sizeof *rows.weights),
                    .is_float = room_for(kinds, g->arcs, sizeof *rows.is_float)};
    if (!rows.offsets || !rows.targets || (values && !rows.weights) || (kinds && !rows.is_float)) {
        nx_free_rows(&rows);
        PyErr_NoMemory();
        return false;
    }
    for (uint64_t e = 0; e < g->arcs; e++) rows.offsets[from->targets[e] + 2]++;
    for (uint64_t v = 0; v < g->n; v++) rows.offsets[v + 2] += rows.offsets[v + 1];
    for (uint64_t u = 0; u < g->n; u++)
        for (uint64_t e = from->offsets[u]; e < from->offsets[u + 1]; e++) {
            uint64_t at = rows.offsets[from->targets[e] + 1]++;
            rows.targets[at] = (weft_vid)u;
            if (values) rows.weights[at] = from->weights[e];
            if (kinds) rows.is_float[at] = from->is_float[e];
        }
    *to = rows;
    return true;
}

/* reversed(): the rows of NetworkX's reverse(), which adds arcs in the order of the original's. */
PyObject *nx_reversed(PyObject *self, PyObject *none) {
    const nx_graph *g = (nx_graph *)self;
    nx_graph *copy = same_nodes(g);
    (void)none;
    if (!copy || !nx_transpose(g, true, &copy->out) || !copy_rows(g, &g->out, &copy->in, true)) {
        Py_XDECREF((PyObject *)copy);
        return NULL;
    }
    copy->all_float = g->all_float;
    copy->least = g->least;
    copy->largest = g->largest;
    copy->odd = g->odd;
    return (PyObject *)copy;
}
