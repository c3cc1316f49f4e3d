/* Lists of edges, as accepted by add_edges_from(), to rows; and the kind of data that the edges of a graph have.
 * Data are simple if no edge has any, or if all have one attribute of the same name, an int (no bool) or a float
 * each. */
#include "nx/build.h"

#include <math.h>
#include <stdlib.h>

static bool refuse(const char *why) {
    PyErr_SetString(PyExc_NotImplementedError, why);
    return false;
}

typedef struct uniform {
    PyObject *name; /* held; NULL: edges have no data */
    bool begun;
} uniform;

/* Reads an edge's data; the value is 1 without data.  False: not simple, or an exception. */
static bool take_data(uniform *u, PyObject *data, double *weight, bool *is_float) {
    PyObject *key, *value;
    Py_ssize_t place = 0, size = PyDict_CheckExact(data) ? PyDict_Size(data) : -1;
    *weight = 1;
    *is_float = false;
    if (size < 0 || size > 1) return refuse("edges have more than one attribute");
    if (u->begun && (size == 1) != (u->name != NULL)) return refuse("only some edges have data");
    u->begun = true;
    if (!size) return true;
    PyDict_Next(data, &place, &key, &value);
    if (!PyUnicode_CheckExact(key)) return refuse("an attribute's name is not a string");
    if (!u->name) {
        Py_INCREF(key);
        u->name = key;
    }
    if (u->name != key && PyUnicode_Compare(u->name, key)) return refuse("edges have different attributes");
    if (PyBool_Check(value) || nx_weight_of(value, weight, is_float))
        return refuse("an attribute is not a plain number");
    return true;
}

/* nx_uniform(adjacency) -> the name, None without data; NotImplementedError: data are not simple. */
PyObject *nx_uniform(PyObject *module, PyObject *adjacency) {
    PyObject *node, *row, *other, *data;
    Py_ssize_t place = 0, inner;
    uniform u = {NULL, false};
    double weight;
    bool is_float, good = PyDict_CheckExact(adjacency) ? true : refuse("not a plain dict");
    (void)module;
    while (good && PyDict_Next(adjacency, &place, &node, &row)) { /* no foreign code runs here */
        if (!PyDict_CheckExact(row)) good = refuse("not a plain dict");
        for (inner = 0; good && PyDict_Next(row, &inner, &other, &data);)
            good = take_data(&u, data, &weight, &is_float);
    }
    if (!good) Py_CLEAR(u.name);
    if (!good) return NULL;
    if (u.name) return u.name;
    Py_RETURN_NONE;
}

/* --- lists of edges ---------------------------------------------------------------------------------------- */

typedef struct pairs {
    PyObject *numbers, *nodes; /* {node: number}, [node] */
    uniform data;
    weft_vid *from, *to;
    double *weights;
    uint64_t count;
    bool any_float, any_whole;
} pairs;

static bool number_node(pairs *p, PyObject *node, weft_vid *v) {
    if (node == Py_None) return refuse("None cannot be a node");
    if (nx_is_nan(node)) return refuse("a node is not a number");
    PyObject *known = PyDict_GetItemWithError(p->numbers, node);
    if (known) {
        *v = (weft_vid)PyLong_AsUnsignedLong(known);
        /* NetworkX shows 1.0 where an edge had 1.0, though the node is 1 */
        return Py_TYPE(node) == Py_TYPE(PyList_GetItem(p->nodes, *v)) ? true : refuse("equal nodes of different types");
    }
    if (PyErr_Occurred()) return PyErr_ExceptionMatches(PyExc_TypeError) ? refuse("a node cannot be hashed") : false;
    Py_ssize_t next = PyList_Size(p->nodes);
    PyObject *number = PyLong_FromSsize_t(next);
    bool good = number && !PyDict_SetItem(p->numbers, node, number) && !PyList_Append(p->nodes, node);
    Py_XDECREF(number);
    *v = (weft_vid)next;
    return good;
}

static bool take_edge(pairs *p, PyObject *edge) {
    Py_ssize_t size = PyTuple_CheckExact(edge) ? PyTuple_Size(edge) : -1;
    if (size != 2 && size != 3) return refuse("an edge is not a tuple of two nodes, and data");
    if (!number_node(p, PyTuple_GetItem(edge, 0), &p->from[p->count]) ||
        !number_node(p, PyTuple_GetItem(edge, 1), &p->to[p->count]))
        return false;
    bool is_float = false;
    if (size == 2) {
        if (p->data.begun && p->data.name) return refuse("only some edges have data");
        p->data.begun = true;
    } else if (!take_data(&p->data, PyTuple_GetItem(edge, 2), &p->weights[p->count], &is_float)) {
        return false;
    }
    *(is_float ? &p->any_float : &p->any_whole) = true;
    p->count++;
    return true;
}

static bool take_edges(pairs *p, PyObject *list) {
    nx_clock clock = {0};
    Py_ssize_t size = PyList_Size(list);
    if ((uint64_t)size >= WEFT_NO_VERTEX / 2) return refuse("too many edges");
    for (Py_ssize_t i = 0; i < size; i++) {
        PyObject *edge =
            i < PyList_Size(list) ? PyList_GetItem(list, i) : NULL; /* hashing a node may change the list */
        if (!edge) return refuse("the list changed while it was read");
        Py_INCREF(edge);
        bool good = take_edge(p, edge);
        Py_DECREF(edge);
        if (!good || !nx_go_on(&clock, 8)) return false;
    }
    return !p->any_float || !p->any_whole ? true : refuse("some weights are ints and some are floats");
}

/* nx_pairs(list, directed) -> (NxGraph, attribute or None) */
PyObject *nx_pairs(PyObject *module, PyObject *args) {
    PyObject *list, *rows = NULL, *result = NULL;
    int directed;
    if (!PyArg_ParseTuple(args, "O!p", &PyList_Type, &list, &directed)) return NULL;
    size_t room = (size_t)PyList_Size(list) + 1;
    pairs p = {.numbers = PyDict_New(),
               .nodes = PyList_New(0),
               .from = malloc(room * sizeof *p.from),
               .to = malloc(room * sizeof *p.to),
               .weights = malloc(room * sizeof *p.weights)};
    if (!p.from || !p.to || !p.weights) PyErr_NoMemory();
    if (p.numbers && p.nodes && !PyErr_Occurred() && take_edges(&p, list)) {
        nx_edges edges = {p.from, p.to, p.data.name ? p.weights : NULL, p.any_float, p.count};
        rows = nx_build_rows(binding_of(module), p.nodes, (uint64_t)PyList_Size(p.nodes), &edges, directed);
    }
    if (rows) result = Py_BuildValue("(NO)", rows, p.data.name ? p.data.name : Py_None);
    Py_XDECREF(p.numbers);
    Py_XDECREF(p.nodes);
    Py_XDECREF(p.data.name);
    free(p.from);
    free(p.to);
    free(p.weights);
    return result;
}
