/* From rows to NetworkX's dicts, when a graph that was made here is first looked at.  The opposite direction is
 * nx/convert.c.  Both ends of an edge share its data, as in NetworkX. */
#include "nx/build.h"

#include <stdlib.h>

static PyObject *data_of(const nx_graph *g, uint64_t e, PyObject *attribute) {
    PyObject *data = PyDict_New();
    if (!data || !g->out.weights) return data;
    bool is_float = g->all_float || (g->out.is_float && g->out.is_float[e]);
    PyObject *value = nx_number(g->out.weights[e], is_float);
    if (!value || PyDict_SetItem(data, attribute, value)) Py_CLEAR(data);
    Py_XDECREF(value);
    return data;
}

/* {node: {}} for all nodes; row[v] also holds the inner dicts, if row is not NULL. */
static PyObject *empty_rows(const nx_graph *g, PyObject **row) {
    PyObject *all = PyDict_New();
    for (uint64_t v = 0; all && v < g->n; v++) {
        PyObject *one = PyDict_New();
        if (!one || PyDict_SetItem(all, g->node[v], one)) Py_CLEAR(all);
        if (row)
            row[v] = one;
        else
            Py_XDECREF(one);
    }
    return all;
}

/* Sets an arc whose data are shared with another entry, as in NetworkX: the other direction of an undirected edge, or
 * an arc at its target. */
static bool share(const nx_graph *g, PyObject *const *from, PyObject *to, weft_vid u, weft_vid v) {
    PyObject *data = PyDict_GetItemWithError(from[u], g->node[v]);
    if (!data && !PyErr_Occurred()) PyErr_SetString(PyExc_RuntimeError, "rows are not symmetric");
    Py_XINCREF(data);
    bool good = data && !PyDict_SetItem(to, g->node[u], data);
    Py_XDECREF(data);
    return good;
}

static bool fill_out(const nx_graph *g, PyObject **row, PyObject *attribute) {
    nx_clock clock = {0};
    for (uint64_t u = 0; u < g->n; u++) {
        for (uint64_t e = g->out.offsets[u]; e < g->out.offsets[u + 1]; e++) {
            weft_vid v = g->out.targets[e];
            if (!g->directed && v < u) {
                if (!share(g, row, row[u], v, (weft_vid)u)) return false;
                continue;
            }
            PyObject *data = data_of(g, e, attribute);
            bool good = data && !PyDict_SetItem(row[u], g->node[v], data);
            Py_XDECREF(data);
            if (!good) return false;
        }
        if (!nx_go_on(&clock, 8 * (g->out.offsets[u + 1] - g->out.offsets[u]) + 8)) return false;
    }
    return true;
}

static bool fill_in(const nx_graph *g, PyObject **out, PyObject **in) {
    for (uint64_t v = 0; v < g->n; v++)
        for (uint64_t e = g->in.offsets[v]; e < g->in.offsets[v + 1]; e++)
            if (!share(g, out, in[v], g->in.targets[e], (weft_vid)v)) return false;
    return true;
}

/* dicts(attribute) -> (nodes, adjacency, predecessors or None): NetworkX's _node, _adj and _pred.  No multigraphs. */
PyObject *nx_dicts(PyObject *self, PyObject *attribute) {
    nx_graph *g = (nx_graph *)self;
    if (g->multigraph || !nx_need_incoming(g)) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_NotImplementedError, "multigraphs are not supported");
        return NULL;
    }
    int collecting = PyGC_Disable(); /* there is no garbage, and there may be millions of dicts to visit */
    PyObject **out = nx_hold(g->n), **in = out ? nx_hold(g->n) : NULL, *result = NULL;
    PyObject *nodes = NULL, *adjacency = NULL, *predecessors = NULL;
    if (in && (nodes = empty_rows(g, NULL)) && (adjacency = empty_rows(g, out)) && fill_out(g, out, attribute)) {
        if (!g->directed)
            result = Py_BuildValue("(OOO)", nodes, adjacency, Py_None);
        else if ((predecessors = empty_rows(g, in)) && fill_in(g, out, in))
            result = Py_BuildValue("(OOO)", nodes, adjacency, predecessors);
    }
    Py_XDECREF(nodes);
    Py_XDECREF(adjacency);
    Py_XDECREF(predecessors);
    nx_release(out, g->n);
    nx_release(in, g->n);
    if (collecting) PyGC_Enable();
    return result;
}
