/* Graphs: made by reading or by a generator (from arrays: arrays.c); methods for facts, rows and ids. */
#include "binding.h"
#include "weft/generate.h"

#include <stdlib.h>
#include <string.h>

PyObject *graph_wrap(binding_state *state, weft_graph *g, PyObject *notes) {
    allocfunc alloc = (allocfunc)PyType_GetSlot(state->graph, Py_tp_alloc);
    graph *self = (graph *)alloc(state->graph, 0);
    if (!self) {
        weft_graph_free(g);
        Py_XDECREF(notes);
        return NULL;
    }
    self->g = g;
    self->notes = notes;
    return (PyObject *)self;
}

static void dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    graph *me = (graph *)self;
    weft_graph *g = me->g;
    Py_XDECREF(me->notes);
    Py_BEGIN_ALLOW_THREADS /* releasing kept arrays takes the GIL */
        weft_graph_free(g);
    Py_END_ALLOW_THREADS if (me->lent) lent_drop(me->lent);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

PyObject *graph_finish(binding_call *c, weft_status st, weft_graph *g) {
    binding_state *state = c->state;
    PyObject *notes = st ? NULL : call_notes(c);
    if (call_end(c, st)) return graph_wrap(state, g, notes);
    Py_XDECREF(notes);
    weft_graph_free(g);
    return NULL;
}

/* --- options of building and reading ------------------------------------------------------------- */

static bool number(PyObject *options, const char *name, int *value) {
    PyObject *given = option(options, name);
    if (given) *value = (int)PyLong_AsLong(given);
    return !PyErr_Occurred();
}

static bool text(PyObject *options, const char *name, const char **value) {
    PyObject *given = option(options, name);
    if (given) *value = PyUnicode_AsUTF8AndSize(given, NULL);
    return !PyErr_Occurred();
}

bool graph_rules(PyObject *options, weft_build_params *p) {
    int direction = p->direction, duplicates = p->duplicates, loops = p->loops;
    if (!number(options, "direction", &direction) || !number(options, "duplicates", &duplicates) ||
        !number(options, "loops", &loops))
        return false;
    p->direction = (weft_direction)direction;
    p->duplicates = (weft_duplicates)duplicates;
    p->loops = (weft_loops)loops;
    return true;
}

static bool read_rules(PyObject *options, weft_read_params *p) {
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    int weights = 0, ids = 0, header = 0, weight_type = 0, comments = 0;
    const char *separator = NULL, *decimal = NULL;
    PyObject *vertices = option(options, "vertices");
    if (!graph_rules(options, &build) || !number(options, "weights", &weights) || !number(options, "ids", &ids) ||
        !number(options, "header", &header) || !number(options, "weight_type", &weight_type) ||
        !number(options, "verify_checksums", &p->verify_checksums) || !text(options, "format", &p->format) ||
        !text(options, "source_col", &p->source_col) || !text(options, "target_col", &p->target_col) ||
        !text(options, "weight_col", &p->weight_col) || !text(options, "nodes", &p->nodes) ||
        !text(options, "keep", &p->keep) || !text(options, "merge", &p->merge) ||
        !text(options, "edges_where", &p->edges_where) || !text(options, "separator", &separator) ||
        !text(options, "decimal", &decimal) || !number(options, "comments", &comments) ||
        !number(options, "sides", &p->sides))
        return false;
    if (vertices) p->vertices = PyLong_AsUnsignedLongLong(vertices);
    p->weights = (weft_weights_use)weights;
    p->ids = (weft_id_reading)ids;
    p->header = (weft_header_use)header;
    p->weight_type = (weft_weight_type)weight_type;
    p->direction = build.direction;
    p->duplicates = build.duplicates;
    p->loops = build.loops;
    p->comments = (weft_comment_use)comments;
    if (separator) p->separator = separator[0];
    if (decimal) p->decimal = decimal[0];
    return !PyErr_Occurred();
}

/* read(path or None, bytes or None, name, rules, options) */
PyObject *graph_read(PyObject *module, PyObject *args) {
    const char *path, *name;
    PyObject *data, *rules, *options;
    weft_read_params p = WEFT_READ_DEFAULTS;
    binding_call c;
    weft_graph *g = NULL;
    weft_status st;
    Py_buffer view = {.obj = NULL};
    if (!PyArg_ParseTuple(args, "zOsO!O!", &path, &data, &name, &PyDict_Type, &rules, &PyDict_Type, &options))
        return NULL;
    if (!read_rules(rules, &p)) return NULL;
    if (!path && PyObject_GetBuffer(data, &view, PyBUF_SIMPLE)) return NULL;
    if (!call_begin(&c, binding_of(module), options)) {
        if (view.obj) PyBuffer_Release(&view);
        return NULL;
    }
    call_leave_python(&c);
    if (path)
        st = weft_read(c.ctx, path, &p, &g);
    else
        st = weft_read_memory(c.ctx, view.buf, (size_t)view.len, name, &p, &g);
    call_enter_python(&c);
    if (view.obj) PyBuffer_Release(&view);
    return graph_finish(&c, st, g);
}

static const weft_param_info *generator_param(const void *of, size_t i) { return weft_generator_param_at(of, i); }

/* generate(kind, params, rules, options) */
PyObject *graph_generate(PyObject *module, PyObject *args) {
    const char *kind;
    PyObject *values, *rules, *options;
    const weft_generator_info *info = NULL;
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    binding_call c;
    weft_graph *g = NULL;
    if (!PyArg_ParseTuple(args, "sO!O!O!", &kind, &PyDict_Type, &values, &PyDict_Type, &rules, &PyDict_Type, &options))
        return NULL;
    for (size_t i = 0; i < weft_generator_count(); i++)
        if (!strcmp(weft_generator_at(i)->name, kind)) info = weft_generator_at(i);
    PyObject *keep = info ? PyList_New(0) : NULL;
    if (info && !keep) return NULL;
    bool good = !info || params_fill(&p, info->param_count, generator_param, info, values, keep);
    Py_XDECREF(keep); /* generators have no parameters with references */
    if (!good || !graph_rules(rules, &build) || !call_begin(&c, binding_of(module), options)) return NULL;
    call_leave_python(&c);
    weft_status st = weft_generate(c.ctx, kind, &p, &build, &g);
    call_enter_python(&c);
    return graph_finish(&c, st, g);
}

/* --- facts ------------------------------------------------------------------------------------------------ */

static binding_state *state_of(PyObject *self) { return binding_of_type(Py_TYPE(self)); }

static const char *const weight_types[] = {"none", "u32", "f32", "f64"};
static const char *const id_kinds[] = {"dense", "sparse", "string"};

static const char *const direction_sources[] = {"file", "flag", "assumed"};

static PyObject *describe(PyObject *self, PyObject *options) {
    weft_graph_info i = {.size = sizeof i};
    binding_call c;
    if (!graph_is_sound(self) || !call_begin(&c, state_of(self), PyDict_Check(options) ? options : NULL)) return NULL;
    call_leave_python(&c);
    weft_status st = weft_graph_describe(c.ctx, ((graph *)self)->g, &i);
    call_enter_python(&c);
    if (!call_end(&c, st)) return NULL;
    return Py_BuildValue(
        "{s:K,s:K,s:K,s:K,s:K,s:K,s:K,s:K,s:K,s:K,s:d,s:K,s:d,s:d,s:N,s:s,s:d,s:d,s:s,s:L,s:s,s:d,s:K,s:s,s:s,s:"
        "K,s:K}",
        "vertices", i.vertices, "records", i.records, "edges", i.edges, "arcs", i.arcs, "self_loops", i.self_loops,
        "self_loops_dropped", i.self_loops_dropped, "duplicates_dropped", i.duplicates_dropped, "isolated", i.isolated,
        "max_degree", i.max_degree, "max_in_degree", i.max_in_degree, "mean_degree", i.mean_degree, "median_degree",
        i.median_degree, "density", i.density, "skew", i.skew, "directed", PyBool_FromLong(i.directed), "weight_type",
        weight_types[i.weight_type], "min_weight", i.min_weight, "max_weight", i.max_weight, "ids", id_kinds[i.id_kind],
        "id_base", (long long)i.id_base, "format", i.format, "load_ms", i.load_ms, "bytes", i.bytes, "direction",
        i.directed ? "directed" : "undirected", "direction_from", direction_sources[i.direction_from], "weights_merged",
        i.weights_merged, "opposite_weights_merged", i.opposite_weights_merged);
}

static PyObject *fingerprint(PyObject *self, PyObject *none) {
    uint64_t print = 0;
    binding_call c;
    (void)none;
    if (!graph_is_sound(self) || !call_begin(&c, state_of(self), NULL)) return NULL;
    call_leave_python(&c);
    weft_status st = weft_graph_fingerprint(c.ctx, ((graph *)self)->g, &print);
    call_enter_python(&c);
    return call_end(&c, st) ? PyLong_FromUnsignedLongLong(print) : NULL;
}

/* write(path, format or None, both_directions, level, options) */
static PyObject *write_file(PyObject *self, PyObject *args) {
    const char *path;
    weft_write_params p = WEFT_WRITE_DEFAULTS;
    PyObject *options;
    binding_call c;
    if (!PyArg_ParseTuple(args, "sziiO!", &path, &p.format, &p.both_directions, &p.level, &PyDict_Type, &options))
        return NULL;
    if (!graph_is_sound(self) || !call_begin(&c, state_of(self), options)) return NULL;
    call_leave_python(&c);
    weft_status st = weft_write(c.ctx, ((graph *)self)->g, path, &p);
    call_enter_python(&c);
    if (!call_end(&c, st)) return NULL;
    Py_RETURN_NONE;
}

/* rows(incoming): columns offsets, targets, weights (or None); signed, for SciPy. */
static PyObject *rows(PyObject *self, PyObject *incoming) {
    graph *me = (graph *)self;
    binding_state *state = state_of(self);
    weft_csr csr = {.size = sizeof csr};
    binding_call c;
    int in = PyObject_IsTrue(incoming);
    if (in < 0 || !graph_is_sound(self) || !call_begin(&c, state, NULL)) return NULL;
    call_leave_python(&c);
    weft_status st = in ? weft_graph_in(c.ctx, me->g, &csr) : weft_graph_out(c.ctx, me->g, &csr);
    call_enter_python(&c);
    if (!call_end(&c, st)) return NULL;
    static const char weight_formats[] = {0, 'I', 'f', 'd'};
    char format = weight_formats[weft_graph_weight_type(me->g)];
    PyObject *offsets = column_new(state, self, "offsets", 'q', csr.offsets, (Py_ssize_t)csr.vertices + 1, 0);
    PyObject *targets =
        column_new(state, self, "targets", csr.vertices >> 31 ? 'I' : 'i', csr.targets, (Py_ssize_t)csr.arcs, 0);
    PyObject *weights = Py_None;
    if (csr.weights) weights = column_new(state, self, "weights", format, csr.weights, (Py_ssize_t)csr.arcs, 0);
    if (weights == Py_None) Py_INCREF(weights);
    return Py_BuildValue("(NNN)", offsets, targets, weights);
}

static PyObject *find(PyObject *self, PyObject *id) {
    weft_vid v = WEFT_NO_VERTEX;
    binding_call c;
    binding_state *state = state_of(self);
    PyObject *words = state ? PyObject_Str(id) : NULL, *keep = words ? PyList_New(0) : NULL;
    Py_ssize_t length = 0;
    const char *name = keep ? name_of(words, keep, &length) : NULL;
    bool nul = name && (size_t)length != strlen(name);
    if (nul) PyErr_SetString(PyExc_ValueError, "a vertex's name with a NUL in it cannot be looked up");
    if (keep && !name && PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) {
        PyErr_Clear();
        call_refuse(state, WEFT_ENOTFOUND, PyUnicode_FromFormat("no vertex %R: it cannot be written in UTF-8", words));
    }
    bool good = name && !nul && call_begin(&c, state, NULL);
    if (good) good = call_end(&c, weft_graph_find(c.ctx, ((graph *)self)->g, name, &v));
    Py_XDECREF(keep);
    Py_XDECREF(words);
    return good ? PyLong_FromUnsignedLong(v) : NULL;
}

/* find_many(buffer of int64) -> bytes of u32 */
static PyObject *find_many(PyObject *self, PyObject *ids) {
    Py_buffer view;
    weft_type type;
    uint64_t count;
    binding_call c;
    if (!numbers_of(ids, "ids", &view, &type, &count)) return NULL;
    PyObject *found = type == WEFT_I64 ? PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(count * sizeof(weft_vid))) : NULL;
    if (type != WEFT_I64) PyErr_SetString(PyExc_TypeError, "ids are 64-bit integers");
    if (!found || !call_begin(&c, state_of(self), NULL)) {
        Py_XDECREF(found);
        PyBuffer_Release(&view);
        return NULL;
    }
    weft_vid *to = (weft_vid *)(void *)PyBytes_AsString(found);
    call_leave_python(&c);
    weft_status st = weft_graph_find_ids(c.ctx, ((graph *)self)->g, (size_t)count, view.buf, to);
    call_enter_python(&c);
    PyBuffer_Release(&view);
    if (!call_end(&c, st)) Py_CLEAR(found);
    return found;
}

static PyObject *get_facts(PyObject *self, void *none) {
    const weft_graph *g = ((graph *)self)->g;
    (void)none;
    return Py_BuildValue("(kKKNss)", (unsigned long)weft_graph_vertices(g), (unsigned long long)weft_graph_edges(g),
                         (unsigned long long)weft_graph_arcs(g), PyBool_FromLong(weft_graph_directed(g)),
                         weight_types[weft_graph_weight_type(g)], id_kinds[weft_graph_id_kind(g)]);
}

static PyObject *get_notes(PyObject *self, void *none) {
    PyObject *notes = ((graph *)self)->notes;
    (void)none;
    return notes ? PyList_AsTuple(notes) : PyTuple_New(0);
}

static PyGetSetDef getters[] = {
    {"facts", get_facts, NULL, "vertices, edges, arcs, directed, type of weights, kind of ids", NULL},
    {"kept", graph_get_kept, NULL, "names of the caller's arrays that it keeps", NULL},
    {"notes", get_notes, NULL, "how the file was read, where there was a choice", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef methods[] = {
    {"describe", describe, METH_O, "all counts, as a dict"},
    {"fingerprint", fingerprint, METH_NOARGS, "a hash of vertices, arcs, weights and ids"},
    {"write", write_file, METH_VARARGS, "writes a file"},
    {"rows", rows, METH_O, "offsets, targets, weights of outgoing or incoming arcs"},
    {"find", find, METH_O, "the vertex with this id"},
    {"find_many", find_many, METH_O, "the vertices with these ids"},
    {"id_column", graph_id_column, METH_VARARGS, "ids of vertices"},
    {"attributes", graph_attributes, METH_NOARGS, "columns of values for the vertices"},
    {"with_attributes", graph_with_attributes, METH_VARARGS, "the same graph with columns added"},
    {"with_edge_columns", graph_with_edge_columns, METH_VARARGS, "the same graph with columns of edges added"},
    {"sides", graph_sides, METH_NOARGS, "names of both sides and a byte for each vertex, or None"},
    {"edge_columns", graph_edge_columns, METH_NOARGS, "columns of values for the arcs"},
    {"attribute_arrays", graph_attribute_arrays, METH_NOARGS, "columns of numbers for the vertices, not copied"},
    {"edge_column_arrays", graph_edge_column_arrays, METH_NOARGS, "columns of numbers for the arcs, not copied"},
    {"with_sides", graph_with_sides, METH_VARARGS, "the same graph with sides"},
    {"filter_edges", graph_filter_edges, METH_VARARGS, "the edges that meet a condition"},
    {"weighted_by", graph_weighted_by, METH_VARARGS, "the same graph with a column of edges as weights"},
    {"subgraph", graph_subgraph, METH_VARARGS, "a subgraph, and the numbers of vertices and edges left out"},
    {"project", graph_project, METH_VARARGS, "the projection of one side"},
    {"watch", graph_watch, METH_O, "makes later calls fail if these kept arrays have changed"},
    {"path", graph_path, METH_VARARGS, "shortest paths from one vertex to another"},
    {"quality", graph_quality, METH_VARARGS, "the quality of a partition"},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_dealloc, dealloc},
    {Py_tp_getset, getters},
    {Py_tp_methods, methods},
    {Py_tp_doc, "A graph of the library."},
    {0, NULL},
};

PyType_Spec graph_spec = {"weftgraph._weft.Graph", sizeof(graph), 0,
                          Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
