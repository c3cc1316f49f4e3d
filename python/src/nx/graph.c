/* The type of converted graphs: nodes and their numbers, facts, and the library's graphs of the same rows. */
#include "nx/graph.h"

#include <stdlib.h>
#include <string.h>

nx_graph *nx_new(binding_state *state) {
    allocfunc alloc = (allocfunc)PyType_GetSlot(state->nx_graph, Py_tp_alloc);
    nx_graph *g = (nx_graph *)alloc(state->nx_graph, 0);
    if (g) g->state = state;
    return g;
}

static int traverse(PyObject *self, visitproc visit, void *arg) {
    nx_graph *g = (nx_graph *)self;
    Py_VISIT(Py_TYPE(self));
    for (uint64_t i = 0; i < g->n; i++) Py_VISIT(g->node[i]);
    return 0;
}

static int clear(PyObject *self) {
    nx_graph *g = (nx_graph *)self;
    uint64_t n = g->n;
    g->n = g->arcs = 0; /* releasing nodes may run code that reads the graph */
    for (uint64_t i = 0; i < n; i++) Py_DECREF(g->node[i]);
    for (size_t i = 0; i < sizeof g->made / sizeof *g->made; i++) Py_CLEAR(g->made[i]);
    return 0;
}

void nx_free_rows(nx_rows *rows) {
    free(rows->offsets);
    free(rows->targets);
    free(rows->weights);
    free(rows->is_float);
}

static void dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    nx_graph *g = (nx_graph *)self;
    PyObject_GC_UnTrack(self);
    clear(self);
    free(g->node);
    nx_index_free(&g->index);
    nx_free_rows(&g->out);
    nx_free_rows(&g->in);
    nx_free_rows(&g->transposed);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

/* --- nodes --------------------------------------------------------------------------------------- */

bool nx_require(nx_graph *g, PyObject *node, weft_vid *v) {
    Py_INCREF(node); /* its comparison may remove it from the list that holds it */
    int64_t at = nx_number_of(g, node);
    if (at == -1) PyErr_SetObject(PyExc_KeyError, node);
    Py_DECREF(node);
    if (at < 0) return false;
    *v = (weft_vid)at;
    return true;
}

/* number(node) -> int, or None: not in the graph. */
static PyObject *number(PyObject *self, PyObject *node) {
    int64_t at = nx_number_of((nx_graph *)self, node);
    if (at == -2 && PyErr_ExceptionMatches(PyExc_TypeError))
        PyErr_Clear(), at = -1; /* unhashable: as `in` of NetworkX */
    if (at == -2) return NULL;
    if (at == -1) Py_RETURN_NONE;
    return PyLong_FromLongLong(at);
}

/* As a dict: TypeError for unhashable objects. */
static int contains(PyObject *self, PyObject *node) {
    int64_t at = nx_number_of((nx_graph *)self, node);
    return at == -2 ? -1 : at >= 0;
}

static Py_ssize_t length(PyObject *self) { return (Py_ssize_t)((nx_graph *)self)->n; }

static PyObject *node_at(PyObject *self, Py_ssize_t i) {
    nx_graph *g = (nx_graph *)self;
    if (i >= 0 && (uint64_t)i < g->n) return nx_node(g, (weft_vid)i);
    PyErr_SetString(PyExc_IndexError, "no such node");
    return NULL;
}

/* neighbours(number, incoming) -> list of nodes, each once. */
static PyObject *neighbours(PyObject *self, PyObject *args) {
    nx_graph *g = (nx_graph *)self;
    unsigned long v;
    int incoming;
    if (!PyArg_ParseTuple(args, "kp", &v, &incoming)) return NULL;
    if (v >= g->n) return node_at(self, -1);
    if (incoming && !nx_need_incoming(g)) return NULL;
    const nx_rows *rows = nx_side(g, incoming);
    PyObject *list = PyList_New(0);
    for (uint64_t e = rows->offsets[v]; list && e < rows->offsets[v + 1]; e++) {
        if (e > rows->offsets[v] && rows->targets[e] == rows->targets[e - 1]) continue;
        if (PyList_Append(list, g->node[rows->targets[e]])) Py_CLEAR(list);
    }
    return list;
}

/* --- the library's graphs --------------------------------------------------------------------------- */

enum { PLAIN, SUMMED, KINDS };

static weft_status make(nx_graph *g, weft_ctx *ctx, int kind, const double *weights, weft_graph **out) {
    weft_arrays a = WEFT_ARRAYS_DEFAULTS;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    a.vertices = g->n;
    a.edges = g->arcs;
    a.offsets = g->out.offsets;
    a.offset_type = WEFT_U64;
    a.targets = g->out.targets;
    a.id_type = WEFT_U32;
    a.symmetric = !g->directed;
    if (kind == SUMMED) {
        a.weights = weights;
        a.weight_type = WEFT_F64;
    }
    build.direction = g->directed ? WEFT_DIRECTED : WEFT_UNDIRECTED;
    build.duplicates = kind == SUMMED ? WEFT_DUPLICATES_SUM : WEFT_DUPLICATES_DROP;
    return weft_graph_from_arrays(ctx, &a, &build, out);
}

/* library(kind, options): 0: parallel edges are merged, without weights; 1: with the sum of their weights (1 each
 * without an attribute). */
static PyObject *library(PyObject *self, PyObject *args) {
    nx_graph *g = (nx_graph *)self;
    int kind;
    PyObject *options;
    binding_call c;
    weft_graph *made = NULL;
    double *ones = NULL;
    if (!PyArg_ParseTuple(args, "iO!", &kind, &PyDict_Type, &options)) return NULL;
    if (kind < PLAIN || kind >= KINDS) {
        PyErr_SetString(PyExc_ValueError, "no such graph");
        return NULL;
    }
    PyObject **kept = &g->made[kind];
    if (!*kept) {
        if (kind == SUMMED && !g->out.weights) {
            ones = malloc((g->arcs + 1) * sizeof *ones);
            if (!ones) return PyErr_NoMemory();
            for (uint64_t e = 0; e < g->arcs; e++) ones[e] = 1;
        }
        if (!call_begin(&c, g->state, options)) {
            free(ones);
            return NULL;
        }
        Py_INCREF(self); /* while the GIL is released */
        call_leave_python(&c);
        weft_status st = make(g, c.ctx, kind, ones ? ones : g->out.weights, &made);
        call_enter_python(&c);
        free(ones);
        bool good = call_end(&c, st);
        PyObject *wrapped = good ? graph_wrap(g->state, made, NULL) : NULL;
        if (!good) weft_graph_free(made);
        Py_DECREF(self);
        if (!wrapped) return NULL;
        if (*kept)
            Py_DECREF(wrapped); /* another thread was first */
        else
            *kept = wrapped;
    }
    Py_INCREF(*kept);
    return *kept;
}

/* --- facts -------------------------------------------------------------------------------------------- */

static PyObject *get_facts(PyObject *self, void *none) {
    nx_graph *g = (nx_graph *)self;
    uint64_t loops = 0;
    (void)none;
    for (uint64_t v = 0; v < g->n; v++)
        for (uint64_t e = g->out.offsets[v]; e < g->out.offsets[v + 1]; e++) loops += g->out.targets[e] == v;
    return Py_BuildValue("(KKK)", (unsigned long long)g->n, (unsigned long long)g->arcs, (unsigned long long)loops);
}

/* (there are weights, all integers, least, largest, reason why not) */
static PyObject *get_weights(PyObject *self, void *none) {
    nx_graph *g = (nx_graph *)self;
    (void)none;
    return Py_BuildValue("(NNddz)", PyBool_FromLong(g->out.weights != NULL),
                         PyBool_FromLong(!g->all_float && !g->out.is_float), g->least, g->largest, g->odd);
}

static PyObject *get_mixed(PyObject *self, void *none) {
    (void)none;
    return PyBool_FromLong(((nx_graph *)self)->out.is_float != NULL);
}

static PyObject *get_bool(PyObject *self, void *none) {
    (void)none;
    return PyBool_FromLong(((nx_graph *)self)->any_bool);
}

static PyObject *get_given(PyObject *self, void *none) {
    (void)none;
    return PyBool_FromLong(((nx_graph *)self)->any_given);
}

static PyObject *get_identity(PyObject *self, void *none) {
    (void)none;
    return PyBool_FromLong(((nx_graph *)self)->index.kind == NX_IDENTITY);
}

static PyObject *get_has_incoming(PyObject *self, void *none) {
    nx_graph *g = (nx_graph *)self;
    (void)none;
    return PyBool_FromLong(!g->directed || g->in.offsets);
}

static uint64_t bytes_of(const nx_graph *g, const nx_rows *rows) {
    uint64_t an_arc = sizeof *rows->targets + (rows->weights ? sizeof *rows->weights : 0) + (rows->is_float != NULL);
    return rows->offsets ? (g->n + 1) * sizeof *rows->offsets + g->arcs * an_arc : 0;
}

/* Size of the arrays, and an estimate for the library's graphs. */
static PyObject *get_bytes(PyObject *self, void *none) {
    const nx_graph *g = (nx_graph *)self;
    uint64_t bytes = g->n * sizeof *g->node + g->index.span * sizeof *g->index.narrow;
    uint64_t a_graph = g->n * sizeof *g->out.offsets + g->arcs * sizeof *g->out.targets;
    (void)none;
    if (g->index.slots) bytes += (g->index.mask + 1) * sizeof *g->index.slots;
    if (g->index.hashed) bytes += (g->index.mask + 1) * sizeof *g->index.hashed;
    bytes += bytes_of(g, &g->out) + bytes_of(g, &g->in) + bytes_of(g, &g->transposed);
    for (int kind = PLAIN; kind < KINDS; kind++)
        if (g->made[kind]) bytes += a_graph + (kind == SUMMED ? g->arcs * sizeof(double) : 0);
    return PyLong_FromUnsignedLongLong(bytes);
}

static PyGetSetDef getters[] = {
    {"facts", get_facts, NULL, "nodes, arcs, loops", NULL},
    {"weights", get_weights, NULL, "present, all integers, least, largest, reason if absent", NULL},
    {"weights_mixed", get_mixed, NULL, "whether some weights are ints and some are floats", NULL},
    {"weights_bool", get_bool, NULL, "whether some weight is a bool", NULL},
    {"weights_given", get_given, NULL, "whether some edge has the attribute; the default must be an int", NULL},
    {"identity", get_identity, NULL, "whether node i is the integer i", NULL},
    {"bytes", get_bytes, NULL, "approximate size in bytes", NULL},
    {"has_incoming", get_has_incoming, NULL, "whether there are rows of incoming arcs", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef methods[] = {
    {"number", number, METH_O, "the number of a node, None if it is not in the graph"},
    {"neighbours", neighbours, METH_VARARGS, "of node number v, outgoing or incoming"},
    {"library", library, METH_VARARGS, "the library's graph of these rows"},
    {"set_incoming", nx_set_incoming, METH_VARARGS, "incoming rows in NetworkX's order"},
    {"bfs", nx_bfs, METH_VARARGS, "a search by levels in NetworkX's order"},
    {"predecessor", nx_predecessor, METH_VARARGS, "all predecessors on shortest paths"},
    {"labeled_edges", nx_labeled_edges, METH_O, "edges of a search by levels, with their kinds"},
    {"bidirectional", nx_bidirectional, METH_VARARGS, "a shortest path, searched from both ends"},
    {"dijkstra", nx_dijkstra, METH_VARARGS, "shortest paths by weight in NetworkX's order"},
    {"bidirectional_dijkstra", nx_bidirectional_dijkstra, METH_VARARGS, "one shortest path by weight, from both ends"},
    {"bellman_ford", nx_bellman_ford, METH_VARARGS, "the same by a queue, in the order of Bellman and Ford"},
    {"strong", nx_strong, METH_NOARGS, "strong components in NetworkX's order"},
    {"generations", nx_generations, METH_NOARGS, "topological generations, and whether they contain all nodes"},
    {"kosaraju", nx_kosaraju, METH_O, "strong components in the order of Kosaraju's algorithm"},
    {"between", nx_between, METH_O, "arcs between groups, each once"},
    {"cycle", nx_cycle, METH_O, "nodes of the first cycle of a depth-first search"},
    {"longest", nx_longest, METH_NOARGS, "the length of the longest path of an acyclic graph"},
    {"degrees", nx_degrees, METH_O, "degrees as an array of u64"},
    {"dict_of", nx_dict_of, METH_VARARGS, "{node: value} of an array"},
    {"groups", nx_groups, METH_O, "sets of nodes by component"},
    {"dicts", nx_dicts, METH_O, "NetworkX's dicts of nodes, neighbours and predecessors"},
    {"edge_arrays", nx_edge_arrays, METH_O, "sources, targets, weights or None, ids or None"},
    {"arrays", nx_arrays, METH_NOARGS, "offsets, targets and weights"},
    {"with_weight", nx_with_weight, METH_O, "the same with one weight for all edges, or without"},
    {"reversed", nx_reversed, METH_NOARGS, "a copy with every arc reversed, in the order of NetworkX's reverse()"},
    {"neighbour_sums", nx_neighbour_sums, METH_VARARGS, "sums of an array over neighbours"},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_dealloc, dealloc},
    {Py_tp_traverse, traverse},
    {Py_tp_clear, clear},
    {Py_tp_getset, getters},
    {Py_tp_methods, methods},
    {Py_sq_length, length},
    {Py_sq_item, node_at},
    {Py_sq_contains, contains},
    {Py_tp_doc, "Rows of a NetworkX graph, in its order."},
    {0, NULL},
};

PyType_Spec nx_graph_spec = {"weftgraph._weft.NxGraph", sizeof(nx_graph), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_HAVE_GC, slots};
