/* Rows from edges in the order in which NetworkX would add them, for graphs that are made here: by readers, from lists,
 * from arrays.
 * A neighbour is at the position of its edge's first occurrence; a repeated edge replaces the weight, as in add_edge().
 * Directed graphs have their incoming rows as well.  No multigraphs. */
#include "nx/build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool no_memory(void) {
    PyErr_NoMemory();
    return false;
}

static uint64_t each_way(bool both, weft_vid u, weft_vid v) { return both && u != v ? 2 : 1; }

static bool open_rows(nx_rows *rows, uint64_t n, uint64_t arcs, bool weights) {
    rows->offsets = nx_take_zeros(n + 1, sizeof *rows->offsets);
    rows->targets = nx_take(arcs, sizeof *rows->targets);
    if (weights) rows->weights = nx_take(arcs, sizeof *rows->weights);
    return rows->offsets && rows->targets && (!weights || rows->weights) ? true : no_memory();
}

/* Writes arcs in the order of edges, row by row, repeated arcs included; afterwards offsets[v + 1] is the end of row
 * v. */
static void deal(const nx_edges *edges, const weft_vid *from, const weft_vid *to, bool both, nx_rows *rows) {
    uint64_t *end = rows->offsets + 1; /* one behind, so that it moves up while rows are filled */
    for (uint64_t e = 0; e < edges->count; e++) {
        weft_vid ends[2] = {from[e], to[e]};
        for (uint64_t way = 0; way < each_way(both, from[e], to[e]); way++) {
            uint64_t at = end[ends[way]]++;
            rows->targets[at] = ends[1 - way];
            if (rows->weights) rows->weights[at] = edges->weights[e];
        }
    }
}

/* Keeps each neighbour once, at its first position, with its last weight. */
static void drop_repeated(uint64_t n, nx_rows *rows, uint64_t *place) {
    uint64_t kept = 0, from = 0;
    for (uint64_t v = 0; v < n; v++) {
        uint64_t begin = kept, to = rows->offsets[v + 1];
        for (uint64_t e = from; e < to; e++) {
            weft_vid w = rows->targets[e];
            bool again =
                place[w] > begin; /* place is one more than the entry, and entries of earlier rows are below begin */
            uint64_t at = again ? place[w] - 1 : kept++;
            rows->targets[at] = w;
            if (rows->weights) rows->weights[at] = rows->weights[e];
            place[w] = at + 1;
        }
        from = to;
        rows->offsets[v] = begin;
    }
    rows->offsets[n] = kept;
}

static bool fill(uint64_t n, const nx_edges *edges, const weft_vid *from, const weft_vid *to, bool both,
                 nx_rows *rows) {
    uint64_t arcs = 0;
    for (uint64_t e = 0; e < edges->count; e++) arcs += each_way(both, from[e], to[e]);
    uint64_t *place = calloc(n + 1, sizeof *place);
    bool good = place ? open_rows(rows, n, arcs, edges->weights != NULL) : no_memory();
    if (good) {
        for (uint64_t e = 0; e < edges->count; e++) {
            rows->offsets[from[e] + 2]++;
            if (both && from[e] != to[e]) rows->offsets[to[e] + 2]++;
        }
        for (uint64_t v = 0; v < n; v++) rows->offsets[v + 2] += rows->offsets[v + 1];
        deal(edges, from, to, both, rows);
        drop_repeated(n, rows, place);
    }
    free(place);
    return good;
}

static bool take_nodes(nx_graph *g, PyObject *nodes, uint64_t n) {
    bool plain = true;
    g->node = nx_take(n, sizeof *g->node);
    if (!g->node) return no_memory();
    for (uint64_t i = 0; i < n; i++) {
        PyObject *node = nodes ? PyList_GetItem(nodes, (Py_ssize_t)i) : PyLong_FromUnsignedLongLong(i);
        if (!node) return false;
        if (nodes) {
            Py_INCREF(node);
            plain = plain && nx_is_number(node, i);
        }
        g->node[g->n++] = node;
    }
    return plain ? true : nx_index_fill(&g->index, g->node, g->n);
}

static void look_at_weights(nx_graph *g, bool all_float) {
    g->all_float = g->out.weights && g->arcs && all_float;
    for (uint64_t e = 0; g->out.weights && e < g->arcs; e++) {
        if (g->out.weights[e] < g->least) g->least = g->out.weights[e];
        if (g->out.weights[e] > g->largest) g->largest = g->out.weights[e];
    }
}

PyObject *nx_build_rows(binding_state *state, PyObject *nodes, uint64_t n, const nx_edges *edges, bool directed) {
    if (n >= WEFT_NO_VERTEX) {
        PyErr_SetString(PyExc_NotImplementedError, "at most 2^32-2 nodes");
        return NULL;
    }
    nx_graph *g = nx_new(state);
    if (!g) return NULL;
    g->directed = directed;
    if (!take_nodes(g, nodes, n) || !fill(n, edges, edges->from, edges->to, !directed, &g->out) ||
        (directed && !fill(n, edges, edges->to, edges->from, false, &g->in))) {
        Py_DECREF((PyObject *)g);
        return NULL;
    }
    g->arcs = g->out.offsets[n];
    look_at_weights(g, edges->all_float);
    return (PyObject *)g;
}

/* --- from arrays --------------------------------------------------------------------------------------- */

static bool same_size(const Py_buffer *view, uint64_t count, size_t width) {
    if ((uint64_t)view->len == count * width) return true;
    PyErr_SetString(PyExc_ValueError, "arrays of the same length are needed");
    return false;
}

static bool below(const weft_vid *ids, uint64_t count, uint64_t n) {
    for (uint64_t i = 0; i < count; i++)
        if (ids[i] >= n) {
            PyErr_SetString(PyExc_ValueError, "an edge has an end that is not a node");
            return false;
        }
    return true;
}

static bool finite_weights(const nx_edges *edges) {
    for (uint64_t e = 0; edges->weights && e < edges->count; e++)
        if (isnan(edges->weights[e]) || (!edges->all_float && fabs(edges->weights[e]) > 0x1p53)) {
            PyErr_SetString(PyExc_NotImplementedError, "a weight is not a number, or an integer beyond 2^53");
            return false;
        }
    return true;
}

/* nx_build(nodes: a list, or the number of nodes 0 ... n-1; sources, targets: u32, or i64 with nodes None; weights: f64
 * or None; whether they are floats; directed) -> NxGraph */
PyObject *nx_build(PyObject *module, PyObject *args) {
    PyObject *nodes, *weights, *result = NULL;
    Py_buffer from, to, w = {.buf = NULL};
    int all_float, directed;
    if (!PyArg_ParseTuple(args, "Oy*y*Opp", &nodes, &from, &to, &weights, &all_float, &directed)) return NULL;
    size_t width = nodes == Py_None ? sizeof(int64_t) : sizeof(weft_vid);
    uint64_t count = (uint64_t)from.len / width;
    nx_names names = {.used = 0};
    nx_edges edges = {.count = count, .all_float = all_float};
    if (weights != Py_None && PyObject_GetBuffer(weights, &w, PyBUF_C_CONTIGUOUS)) goto done;
    edges.weights = w.buf;
    if (!same_size(&to, count, width) || (w.buf && !same_size(&w, count, sizeof(double))) || !finite_weights(&edges))
        goto done;
    if (nodes == Py_None) {
        weft_vid *ends = malloc((2 * count + 1) * sizeof *ends);
        bool good = ends && nx_names_open(&names);
        for (uint64_t e = 0; good && e < count; e++)
            good = nx_name_integer(&names, ((const int64_t *)from.buf)[e], &ends[e]) &&
                   nx_name_integer(&names, ((const int64_t *)to.buf)[e], &ends[count + e]);
        PyObject *list = good ? nx_names_list(&names) : NULL;
        edges.from = ends;
        edges.to = ends ? ends + count : NULL;
        if (list) result = nx_build_rows(binding_of(module), list, names.used, &edges, directed);
        if (!good && !PyErr_Occurred()) PyErr_NoMemory();
        Py_XDECREF(list);
        free(ends);
        goto done;
    }
    edges.from = from.buf;
    edges.to = to.buf;
    bool listed = PyList_Check(nodes);
    unsigned long long n = listed ? (unsigned long long)PyList_Size(nodes) : PyLong_AsUnsignedLongLong(nodes);
    if (PyErr_Occurred() || !below(edges.from, count, n) || !below(edges.to, count, n)) goto done;
    result = nx_build_rows(binding_of(module), listed ? nodes : NULL, n, &edges, directed);
done:
    nx_names_close(&names);
    PyBuffer_Release(&from);
    PyBuffer_Release(&to);
    if (w.buf) PyBuffer_Release(&w);
    return result;
}
