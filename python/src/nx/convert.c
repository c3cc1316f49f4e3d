/* From NetworkX's dicts to rows.
 * Needs: plain dicts, as in NetworkX's four classes themselves; anything else is refused with NotImplementedError, and
 * NetworkX does the work.  Nodes are any hashable objects: looking one up may run their code, which may change the
 * dicts being walked.  So every visited object is held by a reference, nothing is written beyond the capacity counted
 * first, and a dict that does not yield its number of entries is an error, as in NetworkX.
 * Graphs with nodes of a simple kind take a faster way (nx/plain.c); this way is for all others. */
#include "nx/walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool not_plain(const char *what) {
    PyErr_Format(PyExc_NotImplementedError, "%s is not a plain dict", what);
    return false;
}

static bool changed(void) {
    PyErr_SetString(PyExc_RuntimeError, "dictionary changed size during iteration");
    return false;
}

static bool no_node(void) {
    PyErr_SetString(PyExc_NotImplementedError, "a neighbour is not a node of the graph");
    return false;
}

/* --- weights --------------------------------------------------------------------------------------- */

static const long long LARGEST_WHOLE = 1LL << 53; /* beyond it not every integer is a double */

const char *nx_weight_of(PyObject *value, double *weight, bool *is_float) {
    if (PyFloat_CheckExact(value)) {
        *weight = PyFloat_AsDouble(value);
        *is_float = true;
        return isnan(*weight) ? "a weight is not a number" : NULL;
    }
    if (!PyLong_CheckExact(value) && !PyBool_Check(value))
        return value == Py_None ? "a weight is None" : "a weight is neither an int nor a float";
    int overflow;
    long long whole = PyLong_AsLongLongAndOverflow(value, &overflow);
    *weight = (double)whole;
    *is_float = false;
    return overflow || whole > LARGEST_WHOLE || whole < -LARGEST_WHOLE ? "a weight is an integer beyond 2^53" : NULL;
}

static void drop_weights(nx_walk *w, const char *why) {
    w->g->odd = why;
    w->attribute = NULL;
    free(w->to->weights);
    free(w->to->is_float);
    w->to->weights = NULL;
    w->to->is_float = NULL;
}

const char *nx_read_value(nx_walk *w, PyObject *value, double *weight, bool *is_float) {
    *weight = w->missing;
    *is_float = w->missing_float;
    if (value) {
        const char *odd = nx_weight_of(value, weight, is_float);
        if (PyBool_Check(value)) w->g->any_bool = true;
        w->g->any_given = true;
        if (odd) return odd;
    }
    (*is_float ? &w->any_float : &w->any_whole)[0] = true;
    if (*weight < w->g->least) w->g->least = *weight;
    if (*weight > w->g->largest) w->g->largest = *weight;
    return NULL;
}

static bool take_weight(nx_walk *w, PyObject *data) {
    if (!PyDict_CheckExact(data)) return not_plain("the data of an edge");
    PyObject *value = PyDict_GetItemWithError(data, w->attribute);
    if (!value && PyErr_Occurred()) return false;
    double weight;
    bool is_float;
    const char *odd = nx_read_value(w, value, &weight, &is_float);
    if (odd) {
        drop_weights(w, odd);
    } else {
        w->to->weights[w->at] = weight;
        w->to->is_float[w->at] = is_float;
    }
    return true;
}

/* --- the walk ---------------------------------------------------------------------------------------- */

static bool put(nx_walk *w, weft_vid v, PyObject *data) {
    if (w->at == w->room) return changed();
    w->to->targets[w->at] = v;
    if (w->attribute && !take_weight(w, data)) return false;
    w->at++;
    return true;
}

static bool put_parallel(nx_walk *w, weft_vid v, PyObject *keys) {
    if (!PyDict_CheckExact(keys)) return not_plain("the edges between two nodes");
    PyObject *key, *data;
    Py_ssize_t place = 0, size = PyDict_Size(keys), seen = 0;
    while (PyDict_Next(keys, &place, &key, &data)) {
        Py_INCREF(data);
        bool good = put(w, v, data);
        Py_DECREF(data);
        if (!good) return false;
        seen++;
    }
    return seen == size && PyDict_Size(keys) == size ? true : changed();
}

/* Entries are held and prefetched in batches: they lie anywhere in memory, and several cache misses at once take as
 * long as one. */
enum { TOGETHER = 32 };
typedef struct batch {
    PyObject *key[TOGETHER], *data[TOGETHER];
    int count;
} batch;

static bool put_batch(nx_walk *w, const batch *b, bool look_inside) {
    bool good = true;
    for (int i = 0; i < b->count; i++) {
        int64_t v = good ? nx_number_of(w->g, b->key[i]) : -2;
        if (v == -1) no_node();
        good =
            v >= 0 && (w->g->multigraph ? put_parallel(w, (weft_vid)v, b->data[i]) : put(w, (weft_vid)v, b->data[i]));
        Py_DECREF(b->key[i]);
        if (look_inside) Py_DECREF(b->data[i]);
    }
    return good;
}

static bool walk_row(nx_walk *w, PyObject *row, nx_clock *clock) {
    Py_ssize_t place = 0, size = PyDict_Size(row), seen = 0;
    bool look_inside = w->g->multigraph || w->attribute; /* otherwise the data of edges are not read */
    for (bool more = true; more;) {
        batch b;
        for (b.count = 0; b.count < TOGETHER; b.count++) {
            more = PyDict_Next(row, &place, &b.key[b.count], &b.data[b.count]);
            if (!more) break;
            Py_INCREF(b.key[b.count]);
            if (look_inside) Py_INCREF(b.data[b.count]);
        }
        seen += b.count;
        if (!put_batch(w, &b, look_inside) || !nx_go_on(clock, (uint64_t)b.count + 1)) return false;
    }
    return seen == size && PyDict_Size(row) == size ? true : changed();
}

/* Walks the rows of all nodes, in their order; adjacency mostly has the same order, so that its next entry is the right
 * one. */
static bool walk_rows(nx_walk *w, PyObject *adjacency) {
    PyObject *key, *row;
    Py_ssize_t place = 0;
    nx_clock clock = {0};
    for (uint64_t u = 0; u < w->g->n; u++) {
        w->to->offsets[u] = w->at;
        if (!PyDict_Next(adjacency, &place, &key, &row)) return changed();
        if (key != w->g->node[u]) {
            row = PyDict_GetItemWithError(adjacency, w->g->node[u]);
            if (!row) {
                if (!PyErr_Occurred()) PyErr_SetString(PyExc_NotImplementedError, "a node has no neighbours' dict");
                return false;
            }
        }
        if (!PyDict_CheckExact(row)) return not_plain("a node's neighbours");
        Py_INCREF(row);
        bool good = walk_row(w, row, &clock);
        Py_DECREF(row);
        if (!good) return false;
    }
    w->to->offsets[w->g->n] = w->at;
    return true;
}

/* Counts the current entries of all rows. */
static bool count_room(nx_walk *w, PyObject *adjacency) {
    PyObject *key, *row, *other, *keys;
    Py_ssize_t place = 0, inner;
    nx_clock clock = {0};
    while (PyDict_Next(adjacency, &place, &key, &row)) {
        if (!PyDict_CheckExact(row)) return not_plain("a node's neighbours");
        uint64_t size = (uint64_t)PyDict_Size(row), count = w->g->multigraph ? 0 : size;
        for (inner = 0; w->g->multigraph && PyDict_Next(row, &inner, &other, &keys);) {
            if (!PyDict_CheckExact(keys)) return not_plain("the edges between two nodes");
            count += (uint64_t)PyDict_Size(keys);
        }
        w->room += count;
        if (size > w->longest) w->longest = size;
        if (!nx_go_on(&clock, w->g->multigraph ? size + 1 : 1)) return false;
    }
    return true;
}

static bool fill(nx_walk *w, PyObject *adjacency) {
    nx_rows *to = w->to;
    if (!PyDict_CheckExact(adjacency)) return not_plain("the adjacency");
    if (!count_room(w, adjacency)) return false;
    if (PyDict_Size(adjacency) != (Py_ssize_t)w->g->n) return changed();
    to->offsets = nx_take(w->g->n, sizeof *to->offsets);
    to->targets = nx_take(w->room, sizeof *to->targets);
    if (w->attribute) {
        to->weights = nx_take(w->room, sizeof *to->weights);
        to->is_float = nx_take(w->room, 1);
    }
    if (!to->offsets || !to->targets || (w->attribute && (!to->weights || !to->is_float))) {
        PyErr_NoMemory();
        return false;
    }
    nx_walk before = *w; /* a failed attempt of the faster way is undone */
    double least = w->g->least, largest = w->g->largest;
    switch (nx_walk_plain(w, adjacency)) {
    case NX_DONE: break;
    case NX_FAILED: return false;
    case NX_ODD:
        *w = before;
        w->g->least = least;
        w->g->largest = largest;
        w->g->any_bool = w->g->any_given = false;
        if (!walk_rows(w, adjacency)) return false;
    }
    return w->at == w->room ? true : changed();
}

/* --- nodes --------------------------------------------------------------------------------------------- */

static bool take_nodes(nx_graph *g, PyObject *nodes) {
    PyObject *key, *data;
    Py_ssize_t place = 0, size = PyDict_Size(nodes);
    nx_clock clock = {0};
    bool plain = true;
    if ((uint64_t)size >= WEFT_NO_VERTEX) {
        PyErr_SetString(PyExc_NotImplementedError, "at most 2^32-2 nodes");
        return false;
    }
    g->node = nx_take((uint64_t)size, sizeof *g->node);
    if (!g->node) {
        PyErr_NoMemory();
        return false;
    }
    while (g->n < (uint64_t)size && PyDict_Next(nodes, &place, &key, &data)) {
        plain = plain && nx_is_number(key, g->n);
        Py_INCREF(key);
        g->node[g->n++] = key;
        if (!plain && nx_is_nan(key)) {
            PyErr_SetString(PyExc_NotImplementedError, "a node is not a number");
            return false;
        }
        if (!nx_go_on(&clock, 1)) return false;
    }
    return plain ? true : nx_index_fill(&g->index, g->node, g->n);
}

/* --- the functions of the module ----------------------------------------------------------------------- */

static bool ask_weights(nx_walk *w, PyObject *attribute, PyObject *standard) {
    if (attribute == Py_None) return true;
    const char *odd = nx_weight_of(standard, &w->missing, &w->missing_float);
    w->g->odd = odd;
    if (!odd) w->attribute = attribute;
    return true;
}

static void settle_weights(nx_walk *w) {
    nx_graph *g = w->g;
    if (!w->attribute) return;
    g->all_float = w->any_float && !w->any_whole;
    if (w->any_float && !w->missing_float) g->any_given = true; /* floats are not always read by nx_read_value() */
    if (w->any_float && w->any_whole) return;
    free(w->to->is_float);
    w->to->is_float = NULL;
}

PyObject *nx_convert(PyObject *module, PyObject *args) {
    PyObject *nodes, *adjacency, *attribute, *standard;
    int directed, multigraph;
    if (!PyArg_ParseTuple(args, "OOppOO", &nodes, &adjacency, &directed, &multigraph, &attribute, &standard))
        return NULL;
    if (!PyDict_CheckExact(nodes)) {
        not_plain("the dict of nodes");
        return NULL;
    }
    nx_graph *g = nx_new(binding_of(module));
    if (!g) return NULL;
    g->directed = directed;
    g->multigraph = multigraph;
    nx_walk w = {.g = g, .to = &g->out};
    if (!take_nodes(g, nodes) || !ask_weights(&w, attribute, standard) || !fill(&w, adjacency)) {
        Py_DECREF((PyObject *)g);
        return NULL;
    }
    settle_weights(&w);
    g->arcs = w.at;
    return (PyObject *)g;
}

/* Is `in` the transpose of out?  Compares in-degrees, then sums of a hash of the arcs. */
static bool is_transpose(const nx_graph *g, const nx_rows *in) {
    uint64_t *next = calloc(g->n + 1, sizeof *next);
    bool same = next != NULL;
    for (uint64_t e = 0; same && e < g->arcs; e++) next[g->out.targets[e]]++;
    for (uint64_t v = 0; same && v < g->n; v++) same = next[v] == in->offsets[v + 1] - in->offsets[v];
    free(next);
    uint64_t sum = 0, other = 0; /* of a hash of the arcs */
    for (uint64_t v = 0; same && v < g->n; v++) {
        for (uint64_t e = g->out.offsets[v]; e < g->out.offsets[v + 1]; e++)
            sum += (v * 0x9e3779b97f4a7c15u) ^ (g->out.targets[e] * 0xc2b2ae3d27d4eb4fu);
        for (uint64_t e = in->offsets[v]; e < in->offsets[v + 1]; e++)
            other += (in->targets[e] * 0x9e3779b97f4a7c15u) ^ (v * 0xc2b2ae3d27d4eb4fu);
    }
    return same && sum == other;
}

PyObject *nx_set_incoming(PyObject *self, PyObject *args) {
    nx_graph *g = (nx_graph *)self;
    PyObject *predecessors, *attribute, *standard;
    if (!PyArg_ParseTuple(args, "OOO", &predecessors, &attribute, &standard)) return NULL;
    if (!g->directed || g->in.offsets) Py_RETURN_TRUE;
    nx_rows rows = {NULL, NULL, NULL, NULL};
    double least = g->least, largest = g->largest;
    nx_walk w = {.g = g, .to = &rows};
    bool good = (!g->out.weights || ask_weights(&w, attribute, standard)) && fill(&w, predecessors);
    if (good) good = w.at == g->arcs && is_transpose(g, &rows) && !g->out.weights == !rows.weights;
    if (good && !g->out.is_float) free(rows.is_float), rows.is_float = NULL;
    g->least = least;
    g->largest = largest;
    if (good && !g->in.offsets) {
        g->in = rows;
        Py_RETURN_TRUE;
    }
    nx_free_rows(&rows);
    if (PyErr_Occurred()) return NULL;
    Py_RETURN_FALSE;
}

bool nx_need_incoming(nx_graph *g) {
    if (!g->directed || g->in.offsets) return true;
    PyErr_SetString(PyExc_NotImplementedError, "the order of incoming edges is not known");
    return false;
}

const nx_rows *nx_transposed(nx_graph *g) {
    if (!g->directed) return &g->out;
    if (g->in.offsets) return &g->in;
    if (g->transposed.offsets) return &g->transposed;
    return nx_transpose(g, false, &g->transposed) ? &g->transposed : NULL;
}
