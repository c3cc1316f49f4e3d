/* Arrays of the library as NetworkX's dicts and sets, and counts that need no library: degrees, sums over
 * neighbours. */
#include "nx/graph.h"

#include <stdlib.h>
#include <string.h>

/* Counts distinct neighbours other than the node itself. */
static void count_neighbours(const nx_graph *g, uint64_t *degree) {
    for (uint64_t v = 0; v < g->n; v++) {
        degree[v] = 0;
        for (uint64_t e = g->out.offsets[v]; e < g->out.offsets[v + 1]; e++)
            degree[v] +=
                g->out.targets[e] != v && (e == g->out.offsets[v] || g->out.targets[e] != g->out.targets[e - 1]);
    }
}

static void count_edges(const nx_graph *g, long which, uint64_t *degree) {
    for (uint64_t v = 0; v < g->n; v++) degree[v] = which == 1 ? 0 : g->out.offsets[v + 1] - g->out.offsets[v];
    if (g->directed && which)
        for (uint64_t e = 0; e < g->arcs; e++) degree[g->out.targets[e]]++;
    if (!g->directed) /* the row has the loop once */
        for (uint64_t v = 0; v < g->n; v++)
            for (uint64_t e = g->out.offsets[v]; e < g->out.offsets[v + 1]; e++) degree[v] += g->out.targets[e] == v;
}

/* degrees(side): 0 out, 1 in, 2 both (an undirected graph: 2, where a loop counts twice), 3 neighbours; an array of
 * u64. */
PyObject *nx_degrees(PyObject *self, PyObject *side) {
    nx_graph *g = (nx_graph *)self;
    long which = PyLong_AsLong(side);
    if (which == -1 && PyErr_Occurred()) return NULL;
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(g->n * sizeof(uint64_t)));
    if (!bytes) return NULL;
    uint64_t *degree = (uint64_t *)(void *)PyBytes_AsString(bytes);
    if (which == 3)
        count_neighbours(g, degree);
    else
        count_edges(g, g->directed ? which : 0, degree);
    PyObject *view = PyMemoryView_FromObject(bytes);
    PyObject *cast = view ? PyObject_CallMethod(view, "cast", "s", "Q") : NULL;
    Py_XDECREF(view);
    Py_DECREF(bytes);
    return cast;
}

/* neighbour_sums(array of u64, incoming) -> bytes of u64: for each node the sum over its neighbours, each once. */
PyObject *nx_neighbour_sums(PyObject *self, PyObject *args) {
    nx_graph *g = (nx_graph *)self;
    Py_buffer view;
    int incoming;
    if (!PyArg_ParseTuple(args, "y*p", &view, &incoming)) return NULL;
    PyObject *bytes = NULL;
    const nx_rows *rows = incoming ? nx_transposed(g) : &g->out;
    if (rows && (uint64_t)view.len == g->n * sizeof(uint64_t))
        bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(g->n * sizeof(uint64_t)));
    else if (!PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, "an array with an entry for each node is needed");
    if (bytes) {
        const uint64_t *value = view.buf;
        uint64_t *sum = (uint64_t *)(void *)PyBytes_AsString(bytes);
        for (uint64_t v = 0; v < g->n; v++) {
            sum[v] = 0;
            for (uint64_t e = rows->offsets[v]; e < rows->offsets[v + 1]; e++)
                if (e == rows->offsets[v] || rows->targets[e] != rows->targets[e - 1])
                    sum[v] += value[rows->targets[e]];
        }
    }
    PyBuffer_Release(&view);
    PyObject *cast = NULL, *whole = bytes ? PyMemoryView_FromObject(bytes) : NULL;
    if (whole) cast = PyObject_CallMethod(whole, "cast", "s", "Q");
    Py_XDECREF(whole);
    Py_XDECREF(bytes);
    return cast;
}

static PyObject *value_at(const Py_buffer *view, char format, uint64_t i, bool scaled, double scale) {
    double real;
    switch (format) {
    case 'd': real = ((const double *)view->buf)[i]; return PyFloat_FromDouble(scaled ? real * scale : real);
    case 'f': real = (double)((const float *)view->buf)[i]; return PyFloat_FromDouble(scaled ? real * scale : real);
    case 'I': {
        uint32_t whole = ((const uint32_t *)view->buf)[i];
        return scaled ? PyFloat_FromDouble((double)whole * scale) : PyLong_FromUnsignedLong(whole);
    }
    default: {
        uint64_t whole = ((const uint64_t *)view->buf)[i];
        return scaled ? PyFloat_FromDouble((double)whole * scale) : PyLong_FromUnsignedLongLong(whole);
    }
    }
}

/* dict_of(array, scale or None) -> {node: value * scale}; the array has an entry for each node. */
PyObject *nx_dict_of(PyObject *self, PyObject *args) {
    nx_graph *g = (nx_graph *)self;
    PyObject *source, *factor = Py_None, *dict = NULL;
    Py_buffer view;
    if (!PyArg_ParseTuple(args, "O|O", &source, &factor)) return NULL;
    double scale = factor == Py_None ? 1 : PyFloat_AsDouble(factor);
    if (PyErr_Occurred() || PyObject_GetBuffer(source, &view, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT)) return NULL;
    char format = view.format ? view.format[0] : 'B';
    if (!strchr("dfIQ", format) || (uint64_t)(view.len / view.itemsize) != g->n)
        PyErr_SetString(PyExc_ValueError, "an array of numbers with an entry for each node is needed");
    else
        dict = PyDict_New();
    nx_clock clock = {0};
    for (uint64_t i = 0; dict && i < g->n; i++) {
        PyObject *value = value_at(&view, format, i, factor != Py_None, scale);
        if (!value || PyDict_SetItem(dict, g->node[i], value) || !nx_go_on(&clock, 1)) Py_CLEAR(dict);
        Py_XDECREF(value);
    }
    PyBuffer_Release(&view);
    return dict;
}

/* groups(array of u32: the smallest node of each node's component) -> list of sets, in the order of these nodes. */
PyObject *nx_groups(PyObject *self, PyObject *components) {
    nx_graph *g = (nx_graph *)self;
    Py_buffer view;
    if (PyObject_GetBuffer(components, &view, PyBUF_C_CONTIGUOUS)) return NULL;
    PyObject *list = PyList_New(0), **of = nx_hold(g->n);
    const uint32_t *component = view.buf;
    if (list && of && (uint64_t)view.len != g->n * sizeof *component)
        PyErr_SetString(PyExc_ValueError, "an entry for each node is needed");
    nx_clock clock = {0};
    for (uint64_t v = 0; !PyErr_Occurred() && v < g->n; v++) {
        uint32_t c = component[v];
        if (c == v && (!(of[c] = PySet_New(NULL)) || PyList_Append(list, of[c]))) break;
        if (c > v || !of[c]) {
            PyErr_SetString(PyExc_ValueError, "components are named by their smallest node");
            break;
        }
        if (PySet_Add(of[c], g->node[v]) || !nx_go_on(&clock, 1)) break;
    }
    nx_release(of, g->n);
    PyBuffer_Release(&view);
    if (PyErr_Occurred()) Py_CLEAR(list);
    return list;
}
