/* Graphs: made by reading, from arrays or by a generator; asked for facts, rows and ids. */
#include "binding.h"

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
    Py_BEGIN_ALLOW_THREADS /* arrays that it kept take the GIL when they are released */
        weft_graph_free(g);
    Py_END_ALLOW_THREADS((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

/* Ends a call that made a graph. */
static PyObject *finish(binding_call *c, weft_status st, weft_graph *g) {
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

static bool build_rules(PyObject *options, weft_build_params *p) {
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
    int weights = 0, ids = 0, header = 0, weight_type = 0;
    const char *separator = NULL;
    PyObject *vertices = option(options, "vertices");
    if (!build_rules(options, &build) || !number(options, "weights", &weights) || !number(options, "ids", &ids) ||
        !number(options, "header", &header) || !number(options, "weight_type", &weight_type) ||
        !number(options, "verify_checksums", &p->verify_checksums) || !text(options, "format", &p->format) ||
        !text(options, "source_col", &p->source_col) || !text(options, "target_col", &p->target_col) ||
        !text(options, "weight_col", &p->weight_col) || !text(options, "nodes", &p->nodes) ||
        !text(options, "separator", &separator))
        return false;
    if (vertices) p->vertices = PyLong_AsUnsignedLongLong(vertices);
    p->weights = (weft_weights_use)weights;
    p->ids = (weft_id_reading)ids;
    p->header = (weft_header_use)header;
    p->weight_type = (weft_weight_reading)weight_type;
    p->direction = build.direction;
    p->duplicates = build.duplicates;
    p->loops = build.loops;
    if (separator) p->separator = separator[0];
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
    return finish(&c, st, g);
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
    Py_XDECREF(keep); /* generators have no parameters that point at anything */
    if (!good || !build_rules(rules, &build) || !call_begin(&c, binding_of(module), options)) return NULL;
    call_leave_python(&c);
    weft_status st = weft_generate(c.ctx, kind, &p, &build, &g);
    call_enter_python(&c);
    return finish(&c, st, g);
}

/* --- from arrays -------------------------------------------------------------------------------------- */

/* The buffers that a graph was made of. */
enum { ARRAYS = 7 };
typedef struct lent_arrays {
    Py_buffer view[ARRAYS];
    PyObject *keep; /* what arrays on a GPU belong to */
} lent_arrays;

static void release_lent(lent_arrays *l) {
    for (int i = 0; i < ARRAYS; i++)
        if (l->view[i].obj) PyBuffer_Release(&l->view[i]);
    Py_XDECREF(l->keep);
    free(l);
}

/* By whichever thread frees the graph. */
static void release_from_library(void *user) {
    PyGILState_STATE gil = PyGILState_Ensure();
    release_lent(user);
    PyGILState_Release(gil);
}

/* A buffer of the dict; a tuple (pointer, count, type, owner) stands for an array on the GPU. */
static bool take_array(PyObject *dict, const char *name, Py_buffer *view, const void **data, weft_array_type *type,
                       uint64_t *count, int *on_device) {
    PyObject *given = option(dict, name);
    unsigned long long pointer, length;
    int number_type;
    PyObject *owner;
    *data = NULL;
    *count = 0;
    if (!given) return true;
    if (PyTuple_Check(given)) {
        if (!PyArg_ParseTuple(given, "KKiO", &pointer, &length, &number_type, &owner)) return false;
        *data = (const void *)(uintptr_t)pointer;
        *count = length;
        *type = (weft_array_type)number_type;
        *on_device = 1;
        return true;
    }
    if (!numbers_of(given, name, view, type, count)) return false;
    *data = view->buf;
    return true;
}

static bool same_length(const char *a, uint64_t x, const char *b, uint64_t y) {
    if (x == y) return true;
    PyErr_Format(PyExc_ValueError, "%s has %llu entries, but %s %llu", a, (unsigned long long)x, b,
                 (unsigned long long)y);
    return false;
}

static bool fill_arrays(PyObject *dict, weft_arrays *a, lent_arrays *l) {
    uint64_t sources, weights, offsets, starts, text_bytes;
    weft_array_type target_type = WEFT_ARRAY_NONE, more_type = WEFT_ARRAY_NONE, bytes_type, starts_type;
    const void *names, *name_starts;
    PyObject *vertices = option(dict, "vertices"), *any = option(dict, "any_ids"),
             *symmetric = option(dict, "symmetric");
    if (!take_array(dict, "sources", &l->view[0], &a->sources, &a->id_type, &sources, &a->on_device) ||
        !take_array(dict, "targets", &l->view[1], &a->targets, &target_type, &a->edges, &a->on_device) ||
        !take_array(dict, "weights", &l->view[2], &a->weights, &a->weight_type, &weights, &a->on_device) ||
        !take_array(dict, "offsets", &l->view[3], &a->offsets, &a->offset_type, &offsets, &a->on_device) ||
        !take_array(dict, "name_starts", &l->view[4], &name_starts, &starts_type, &starts, &a->on_device) ||
        !take_array(dict, "names", &l->view[5], &names, &bytes_type, &text_bytes, &a->on_device) ||
        !take_array(dict, "more_ids", &l->view[6], &a->more_ids, &more_type, &a->more_count, &a->on_device))
        return false;
    if (a->more_count && a->edges && more_type != target_type) {
        PyErr_SetString(PyExc_TypeError, "vertices must be of the type of sources and targets");
        return false;
    }
    if (!a->edges) target_type = a->more_count ? more_type : WEFT_ARRAY_I64;
    if (a->sources && a->edges && a->id_type != target_type) {
        PyErr_SetString(PyExc_TypeError, "sources and targets must be of one type");
        return false;
    }
    a->id_type = target_type;
    a->name_starts = name_starts;
    a->names = names;
    if (vertices) a->vertices = PyLong_AsUnsignedLongLong(vertices);
    a->any_ids = any && PyObject_IsTrue(any) == 1;
    a->symmetric = symmetric && PyObject_IsTrue(symmetric) == 1;
    if (PyErr_Occurred()) return false;
    if (a->offsets)
        return same_length("offsets", offsets, "vertices + 1", a->vertices + 1) &&
               (!a->weights || same_length("weights", weights, "targets", a->edges));
    if (name_starts && !same_length("name_starts", starts, "vertices + 1", a->vertices + 1)) return false;
    return same_length("sources", sources, "targets", a->edges) &&
           (!a->weights || same_length("weights", weights, "targets", a->edges));
}

/* from_arrays(arrays, rules, options); arrays["keep"]: the graph may keep them. */
PyObject *graph_from_arrays(PyObject *module, PyObject *args) {
    PyObject *dict, *rules, *options;
    weft_arrays a = WEFT_ARRAYS_DEFAULTS;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    binding_call c;
    weft_graph *g = NULL;
    if (!PyArg_ParseTuple(args, "O!O!O!", &PyDict_Type, &dict, &PyDict_Type, &rules, &PyDict_Type, &options))
        return NULL;
    lent_arrays *l = calloc(1, sizeof *l);
    if (!l) return PyErr_NoMemory();
    PyObject *keep = option(dict, "keep");
    Py_XINCREF(keep);
    l->keep = keep;
    if (!fill_arrays(dict, &a, l) || !build_rules(rules, &build) || !call_begin(&c, binding_of(module), options)) {
        release_lent(l);
        return NULL;
    }
    if (keep) {
        a.release = release_from_library;
        a.user = l;
    }
    call_leave_python(&c);
    weft_status st = weft_graph_from_arrays(c.ctx, &a, &build, &g);
    call_enter_python(&c);
    if (st || !keep) release_lent(l);
    return finish(&c, st, g);
}

/* --- facts ------------------------------------------------------------------------------------------------ */

static binding_state *state_of(PyObject *self) { return binding_of_type(Py_TYPE(self)); }

static const char *const weight_types[] = {"none", "u32", "f32", "f64"};
static const char *const id_kinds[] = {"dense", "sparse", "string"};

static const char *const direction_sources[] = {"file", "flag", "assumed"};

static PyObject *describe(PyObject *self, PyObject *options) {
    weft_graph_info i = {.size = sizeof i};
    binding_call c;
    if (!call_begin(&c, state_of(self), PyDict_Check(options) ? options : NULL)) return NULL;
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
    if (!call_begin(&c, state_of(self), NULL)) return NULL;
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
    if (!call_begin(&c, state_of(self), options)) return NULL;
    call_leave_python(&c);
    weft_status st = weft_write(c.ctx, ((graph *)self)->g, path, &p);
    call_enter_python(&c);
    if (!call_end(&c, st)) return NULL;
    Py_RETURN_NONE;
}

/* rows(incoming): columns offsets, targets, weights (None without).  Signed, as SciPy wants them. */
static PyObject *rows(PyObject *self, PyObject *incoming) {
    graph *me = (graph *)self;
    binding_state *state = state_of(self);
    weft_csr csr = {.size = sizeof csr};
    binding_call c;
    int in = PyObject_IsTrue(incoming);
    if (in < 0 || !call_begin(&c, state, NULL)) return NULL;
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
    weft_array_type type;
    uint64_t count;
    binding_call c;
    if (!numbers_of(ids, "ids", &view, &type, &count)) return NULL;
    PyObject *found =
        type == WEFT_ARRAY_I64 ? PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(count * sizeof(weft_vid))) : NULL;
    if (type != WEFT_ARRAY_I64) PyErr_SetString(PyExc_TypeError, "ids are 64-bit integers");
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
    {"notes", get_notes, NULL, "how the file was read, where there was a choice", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef methods[] = {
    {"describe", describe, METH_O, "everything countable, as a dict"},
    {"fingerprint", fingerprint, METH_NOARGS, "a hash of vertices, arcs, weights and ids"},
    {"write", write_file, METH_VARARGS, "writes a file"},
    {"rows", rows, METH_O, "offsets, targets, weights of outgoing or incoming arcs"},
    {"find", find, METH_O, "the vertex with this id"},
    {"find_many", find_many, METH_O, "the vertices with these ids"},
    {"id_column", graph_id_column, METH_VARARGS, "ids of vertices"},
    {"subgraph", graph_subgraph, METH_VARARGS, "a part of the graph, and how much was left out"},
    {"path", graph_path, METH_VARARGS, "shortest paths from one vertex to another"},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_dealloc, dealloc},
    {Py_tp_getset, getters},
    {Py_tp_methods, methods},
    {Py_tp_doc, "A graph of the library's."},
    {0, NULL},
};

PyType_Spec graph_spec = {"weftgraph._weft.Graph", sizeof(graph), 0,
                          Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
