/* Dynamic graphs: batches in, graphs out.  One thread at a time changes a graph; a second thread that tries, while the
 * first works without the GIL, gets an error.  Snapshots may be taken meanwhile.  A handle is closed only when no call
 * uses it. */
#include "binding.h"

#include <stdlib.h>
#include <string.h>

typedef struct dynamic {
    PyObject_HEAD weft_dynamic *d; /* NULL: closed */
    int writers, users;            /* calls in progress; users includes writers */
    Py_ssize_t weight_bytes;       /* size of a weight */
} dynamic;

static void dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    weft_dynamic *d = ((dynamic *)self)->d;
    Py_BEGIN_ALLOW_THREADS weft_dynamic_free(d); /* may wait for the disk */
    Py_END_ALLOW_THREADS((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

/* --- a call --------------------------------------------------------------------------- */

static bool begin(PyObject *self, binding_call *c, PyObject *options, bool writes) {
    dynamic *me = (dynamic *)self;
    if (!me->d) {
        PyErr_SetString(PyExc_ValueError, "this dynamic graph is closed");
        return false;
    }
    if (writes && me->writers) {
        PyErr_SetString(PyExc_RuntimeError, "another thread is changing this dynamic graph");
        return false;
    }
    if (!call_begin(c, binding_of_type(Py_TYPE(self)), options && PyDict_Check(options) ? options : NULL)) return false;
    me->users++;
    me->writers += writes;
    call_leave_python(c);
    return true;
}

static bool end(PyObject *self, binding_call *c, weft_status st, bool writes) {
    dynamic *me = (dynamic *)self;
    call_enter_python(c);
    me->users--;
    me->writers -= writes;
    return call_end(c, st);
}

static bool number(PyObject *options, const char *name, int *value) {
    PyObject *given = option(options, name);
    if (given) *value = (int)PyLong_AsLong(given);
    return !PyErr_Occurred();
}

static bool read_params(PyObject *dict, weft_dynamic_params *p) {
    int direction = 0, weight_type = 0, loops = 0, durable = 0, device = 0;
    PyObject *at = option(dict, "at");
    if (!number(dict, "direction", &direction) || !number(dict, "weight_type", &weight_type) ||
        !number(dict, "names", &p->names) || !number(dict, "loops", &loops) || !number(dict, "durable", &durable) ||
        !number(dict, "read_only", &p->read_only) || !number(dict, "device", &device))
        return false;
    if (at) p->at = PyLong_AsUnsignedLongLong(at);
    p->direction = (weft_direction)direction;
    p->weight_type = (weft_weight_type)weight_type;
    p->loops = (weft_loops)loops;
    p->durable = (weft_durable)durable;
    p->device = (weft_device)device;
    return !PyErr_Occurred();
}

/* dynamic(path or None, graph or None, params, options) */
PyObject *dynamic_make(PyObject *module, PyObject *args) {
    const char *path;
    PyObject *given, *dict, *options;
    binding_state *state = binding_of(module);
    weft_dynamic_params p = WEFT_DYNAMIC_DEFAULTS;
    weft_dynamic_info info = {.size = sizeof info};
    binding_call c;
    weft_dynamic *d = NULL;
    if (!PyArg_ParseTuple(args, "zOO!O!", &path, &given, &PyDict_Type, &dict, &PyDict_Type, &options)) return NULL;
    if (given != Py_None && !Py_IS_TYPE(given, state->graph)) {
        PyErr_SetString(PyExc_TypeError, "a graph is needed");
        return NULL;
    }
    if (!read_params(dict, &p) || (given != Py_None && !graph_is_sound(given)) || !call_begin(&c, state, options))
        return NULL;
    call_leave_python(&c);
    weft_status st = path ? weft_dynamic_open(c.ctx, path, &p, &d)
                          : weft_dynamic_new(c.ctx, given == Py_None ? NULL : ((graph *)given)->g, &p, &d);
    if (!st) st = weft_dynamic_describe(c.ctx, d, &info);
    call_enter_python(&c);
    PyObject *type = call_end(&c, st) ? PyObject_GetAttrString(module, "Dynamic") : NULL;
    dynamic *self = NULL;
    if (type) self = (dynamic *)((allocfunc)PyType_GetSlot((PyTypeObject *)type, Py_tp_alloc))((PyTypeObject *)type, 0);
    if (self) {
        self->d = d;
        self->weight_bytes = info.weight_type == WEFT_WEIGHT_F64 ? 8 : 4;
    } else {
        weft_dynamic_free(d);
    }
    Py_XDECREF(type);
    return (PyObject *)self;
}

/* --- batches ---------------------------------------------------------------------------- */

enum { SOURCES, TARGETS, WEIGHTS, CHANGES, BUFFERS };

typedef struct given_batch {
    weft_batch batch;
    Py_buffer view[BUFFERS];
    const char **names[2];
    PyObject *keep; /* objects that the names' strings depend on */
} given_batch;

static void release(given_batch *g) {
    for (int i = 0; i < BUFFERS; i++)
        if (g->view[i].obj) PyBuffer_Release(&g->view[i]);
    free(g->names[0]);
    free(g->names[1]);
    Py_XDECREF(g->keep);
}

/* Entry i of a list, as a name; NULL: an exception is set. */
static const char *take_name(given_batch *g, binding_state *state, PyObject *from, Py_ssize_t i, const char *list) {
    Py_ssize_t length;
    PyObject *text = PyList_GetItem(from, i);
    const char *name = text ? name_of(text, g->keep, &length) : NULL;
    if (name && strlen(name) == (size_t)length) return name;
    const char *why = name ? "has a NUL character" : "cannot be written in UTF-8";
    if (!name && !PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) return NULL;
    PyErr_Clear();
    call_refuse(state, WEFT_EINVAL, PyUnicode_FromFormat("%s[%zd]: %R is no name: it %s", list, i, text, why));
    return NULL;
}

/* Takes a list of strings, or a buffer of numbers of `bytes` bytes each; there must be one for each source. */
static bool take(given_batch *g, binding_state *state, int which, PyObject *from, const char *name, Py_ssize_t bytes) {
    Py_ssize_t count;
    if (PyList_Check(from)) {
        count = PyList_Size(from);
        const char **list = g->names[which] = calloc((size_t)count + 1, sizeof *list);
        if (!list) return PyErr_NoMemory(), false;
        for (Py_ssize_t i = 0; i < count; i++)
            if (!(list[i] = take_name(g, state, from, i, name))) return false;
    } else {
        if (PyObject_GetBuffer(from, &g->view[which], PyBUF_SIMPLE)) return false;
        count = g->view[which].len / bytes;
        if (g->view[which].len % bytes) return PyErr_Format(PyExc_TypeError, "%s has another type", name), false;
    }
    if (which == SOURCES) g->batch.count = (uint64_t)count;
    if ((uint64_t)count == g->batch.count) return true;
    PyErr_Format(PyExc_ValueError, "%s has %zd %s, but sources %llu", name, count, count == 1 ? "entry" : "entries",
                 (unsigned long long)g->batch.count);
    return false;
}

static PyObject *stats_dict(const weft_batch_stats *s) {
    return Py_BuildValue("{s:K,s:K,s:K,s:K,s:K,s:K,s:K,s:K,s:K,s:K}", "version", s->version, "inserted", s->inserted,
                         "deleted", s->deleted, "weights_changed", s->weights_changed, "already_there",
                         s->already_there, "absent", s->absent, "superseded", s->superseded, "loops_dropped",
                         s->loops_dropped, "vertices_added", s->vertices_added, "vertices_removed",
                         s->vertices_removed);
}

/* apply(sources, targets, weights or None, changes or None, options): lists of names, or buffers of i64, i64, the
 * graph's weight type, u8 */
static PyObject *apply(PyObject *self, PyObject *args) {
    PyObject *from[BUFFERS], *options;
    static const char *const names[] = {"sources", "targets", "weights", "changes"};
    given_batch g = {.batch = WEFT_BATCH_DEFAULTS};
    weft_batch_stats stats = {.size = sizeof stats};
    binding_call c;
    if (!PyArg_ParseTuple(args, "OOOOO!", &from[SOURCES], &from[TARGETS], &from[WEIGHTS], &from[CHANGES], &PyDict_Type,
                          &options))
        return NULL;
    Py_ssize_t bytes[BUFFERS] = {8, 8, ((dynamic *)self)->weight_bytes, 1};
    binding_state *state = binding_of_type(Py_TYPE(self));
    bool good = state && (g.keep = PyList_New(0));
    for (int i = 0; i < BUFFERS && good; i++)
        if (from[i] != Py_None) good = take(&g, state, i, from[i], names[i], bytes[i]);
    good = good && begin(self, &c, options, true);
    if (good) {
        g.batch.sources = g.view[SOURCES].buf;
        g.batch.targets = g.view[TARGETS].buf;
        g.batch.source_names = g.names[0];
        g.batch.target_names = g.names[1];
        g.batch.weights = g.view[WEIGHTS].buf;
        g.batch.changes = g.view[CHANGES].buf;
        good = end(self, &c, weft_dynamic_apply(c.ctx, ((dynamic *)self)->d, &g.batch, &stats), true);
    }
    release(&g);
    return good ? stats_dict(&stats) : NULL;
}

/* logged(number) -> (changes or None, sources, targets, weights or None): bytes, or lists of names */
static PyObject *name_list(const char *const *names, uint64_t count) {
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (uint64_t i = 0; list && i < count; i++) {
        PyObject *text = PyUnicode_DecodeUTF8(names[i], (Py_ssize_t)strlen(names[i]), "surrogateescape");
        if (text)
            PyList_SetItem(list, (Py_ssize_t)i, text);
        else
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *bytes_or_none(const void *data, uint64_t bytes) {
    if (data) return PyBytes_FromStringAndSize(data, (Py_ssize_t)bytes);
    Py_RETURN_NONE;
}

static PyObject *logged(PyObject *self, PyObject *wanted) {
    weft_batch b = WEFT_BATCH_DEFAULTS;
    weft_dynamic_info info = {.size = sizeof info};
    binding_call c;
    uint64_t k = PyLong_AsUnsignedLongLong(wanted);
    if (PyErr_Occurred() || !begin(self, &c, NULL, true)) return NULL;
    weft_status st = weft_dynamic_describe(c.ctx, ((dynamic *)self)->d, &info);
    if (!st) st = weft_dynamic_logged(c.ctx, ((dynamic *)self)->d, k, &b);
    if (!end(self, &c, st, true)) return NULL;
    uint64_t weight = info.weight_type == WEFT_WEIGHT_F64 ? 8 : 4;
    PyObject *u = b.source_names ? name_list(b.source_names, b.count) : bytes_or_none(b.sources, 8 * b.count);
    PyObject *v = b.target_names ? name_list(b.target_names, b.count) : bytes_or_none(b.targets, 8 * b.count);
    return Py_BuildValue("(NNNN)", bytes_or_none(b.changes, b.count), u, v, bytes_or_none(b.weights, weight * b.count));
}

/* --- other methods ----------------------------------------------------------------------- */

static PyObject *snapshot(PyObject *self, PyObject *none) {
    binding_call c;
    weft_graph *g = NULL;
    (void)none;
    if (!begin(self, &c, NULL, false)) return NULL;
    if (!end(self, &c, weft_dynamic_snapshot(c.ctx, ((dynamic *)self)->d, &g), false)) return NULL;
    return graph_wrap(binding_of_type(Py_TYPE(self)), g, NULL);
}

static PyObject *describe(PyObject *self, PyObject *none) {
    static const char *const types[] = {"none", "u32", "f32", "f64"};
    weft_dynamic_info i = {.size = sizeof i};
    binding_call c;
    (void)none;
    if (!begin(self, &c, NULL, false)) return NULL;
    if (!end(self, &c, weft_dynamic_describe(c.ctx, ((dynamic *)self)->d, &i), false)) return NULL;
    return Py_BuildValue("{s:K,s:K,s:K,s:K,s:K,s:K,s:N,s:s,s:N,s:K,s:K,s:K}", "version", i.version, "vertices",
                         i.vertices, "edges", i.edges, "arcs", i.arcs, "bytes", i.bytes, "versions", i.versions,
                         "directed", PyBool_FromLong(i.directed), "weight_type", types[i.weight_type], "names",
                         PyBool_FromLong(i.names), "logged_after", i.logged_after, "log_bytes", i.log_bytes,
                         "bytes_left_out", i.bytes_left_out);
}

static PyObject *change_file(PyObject *self, PyObject *options, weft_status (*what)(weft_ctx *, weft_dynamic *)) {
    binding_call c;
    if (!begin(self, &c, options, true)) return NULL;
    if (!end(self, &c, what(c.ctx, ((dynamic *)self)->d), true)) return NULL;
    Py_RETURN_NONE;
}

static PyObject *compact(PyObject *self, PyObject *options) { return change_file(self, options, weft_dynamic_compact); }
static PyObject *sync_file(PyObject *self, PyObject *options) { return change_file(self, options, weft_dynamic_sync); }

static PyObject *follow(PyObject *self, PyObject *options) {
    binding_call c;
    int more = 0;
    if (!begin(self, &c, options, true)) return NULL;
    if (!end(self, &c, weft_dynamic_follow(c.ctx, ((dynamic *)self)->d, &more), true)) return NULL;
    return PyBool_FromLong(more);
}

static PyObject *close_it(PyObject *self, PyObject *none) {
    dynamic *me = (dynamic *)self;
    weft_dynamic *d = me->d;
    (void)none;
    if (me->users) {
        PyErr_SetString(PyExc_RuntimeError, "another thread is using this dynamic graph");
        return NULL;
    }
    me->d = NULL;
    Py_BEGIN_ALLOW_THREADS weft_dynamic_free(d);
    Py_END_ALLOW_THREADS Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"apply", apply, METH_VARARGS, "applies a batch"},
    {"logged", logged, METH_O, "a batch from the log"},
    {"snapshot", snapshot, METH_NOARGS, "the graph as it is now"},
    {"describe", describe, METH_NOARGS, "facts, as a dict"},
    {"compact", compact, METH_O, "rewrites the file"},
    {"sync", sync_file, METH_O, "waits for the disk"},
    {"follow", follow, METH_O, "applies the next batch appended by another program"},
    {"close", close_it, METH_NOARGS, "closes the graph"},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_dealloc, dealloc}, {Py_tp_methods, methods}, {Py_tp_doc, "A dynamic graph of the library."}, {0, NULL}};

static PyType_Spec spec = {"weftgraph._weft.Dynamic", sizeof(dynamic), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};

int dynamic_add_type(PyObject *module) {
    PyObject *type = PyType_FromModuleAndSpec(module, &spec, NULL);
    int failed = !type || PyModule_AddObjectRef(module, "Dynamic", type);
    Py_XDECREF(type);
    return failed ? -1 : 0;
}
