/* Attributes of vertices, and columns of edges: as lists of Python values, and from the arrays that
 * weftgraph/attributes.py makes. */
#include "binding.h"

#include <string.h>

static PyObject *value_of(const weft_attribute *a, uint64_t v) {
    char time[64];
    if (a->valid && !(a->valid[v / 8] >> v % 8 & 1)) Py_RETURN_NONE;
    switch (a->type) {
    case WEFT_ATTRIBUTE_WHOLE: return PyLong_FromLongLong(((const int64_t *)a->values)[v]);
    case WEFT_ATTRIBUTE_REAL: return PyFloat_FromDouble(((const double *)a->values)[v]);
    case WEFT_ATTRIBUTE_BOOL: return PyBool_FromLong(((const uint8_t *)a->values)[v]);
    case WEFT_ATTRIBUTE_TEXT: {
        uint32_t text = ((const uint32_t *)a->values)[v];
        return PyUnicode_DecodeUTF8(a->text + a->text_starts[text],
                                    (Py_ssize_t)(a->text_starts[text + 1] - a->text_starts[text]), "surrogateescape");
    }
    case WEFT_ATTRIBUTE_TIME:
        return PyUnicode_FromStringAndSize(time, (Py_ssize_t)weft_attribute_text(a, v, time, sizeof time, NULL));
    }
    Py_RETURN_NONE;
}

static PyObject *values_of(const weft_attribute *a) {
    PyObject *list = PyList_New((Py_ssize_t)a->count);
    for (uint64_t v = 0; list && v < a->count; v++) {
        PyObject *value = signals_ok((Py_ssize_t)v) ? value_of(a, v) : NULL;
        if (!value || PyList_SetItem(list, (Py_ssize_t)v, value)) Py_CLEAR(list);
    }
    return list;
}

/* The list's entry for a column; NULL without an exception: no entry. */
typedef PyObject *entry_fn(PyObject *self, const weft_attribute *a, PyObject *name);

/* (name, type, form, values); times are texts. */
static PyObject *values_entry(PyObject *self, const weft_attribute *a, PyObject *name) {
    (void)self;
    PyObject *values = values_of(a);
    return values ? Py_BuildValue("(OiiN)", name, (int)a->type, (int)a->form, values) : NULL;
}

/* (name, column), for numbers only; nothing is copied. */
static PyObject *array_entry(PyObject *self, const weft_attribute *a, PyObject *name) {
    if (a->type != WEFT_ATTRIBUTE_WHOLE && a->type != WEFT_ATTRIBUTE_REAL) return NULL;
    char format = a->type == WEFT_ATTRIBUTE_WHOLE ? 'q' : 'd';
    binding_state *state = binding_of_type(Py_TYPE(self));
    PyObject *made = column_new(state, self, a->name, format, a->values, (Py_ssize_t)a->count, 0);
    if (made && a->missing) ((column *)made)->valid = a->valid;
    return made ? Py_BuildValue("(ON)", name, made) : NULL;
}

static PyObject *list_columns(PyObject *self, size_t count,
                              weft_status (*find)(weft_ctx *, const weft_graph *, size_t, weft_attribute *),
                              entry_fn *entry) {
    binding_call c;
    PyObject *options = PyDict_New(), *list = options ? PyList_New(0) : NULL;
    if (!list || !call_begin(&c, binding_of_type(Py_TYPE(self)), options)) {
        Py_XDECREF(options);
        Py_XDECREF(list);
        return NULL;
    }
    weft_status st = WEFT_OK;
    for (size_t i = 0; !st && list && i < count; i++) {
        weft_attribute a = {.size = sizeof a};
        st = find(c.ctx, ((graph *)self)->g, i, &a);
        PyObject *name = st ? NULL : PyUnicode_DecodeUTF8(a.name, (Py_ssize_t)strlen(a.name), "surrogateescape");
        PyObject *one = name ? entry(self, &a, name) : NULL;
        if ((one && PyList_Append(list, one)) || (!st && !one && PyErr_Occurred())) Py_CLEAR(list);
        Py_XDECREF(name);
        Py_XDECREF(one);
    }
    Py_DECREF(options);
    if (!call_end(&c, st)) Py_CLEAR(list);
    return list;
}

PyObject *graph_attribute_arrays(PyObject *self, PyObject *none) {
    (void)none;
    return list_columns(self, weft_graph_attributes(((graph *)self)->g), weft_graph_attribute_at, array_entry);
}

PyObject *graph_edge_column_arrays(PyObject *self, PyObject *none) {
    (void)none;
    return list_columns(self, weft_graph_edge_columns(((graph *)self)->g), weft_graph_edge_column_at, array_entry);
}

PyObject *graph_attributes(PyObject *self, PyObject *none) {
    (void)none;
    return list_columns(self, weft_graph_attributes(((graph *)self)->g), weft_graph_attribute_at, values_entry);
}

/* (first, second, bytes with 0 or 1 for each vertex), or None. */
PyObject *graph_sides(PyObject *self, PyObject *none) {
    const weft_graph *g = ((graph *)self)->g;
    const char *first, *second;
    (void)none;
    if (!weft_graph_sides(g, &first, &second)) Py_RETURN_NONE;
    weft_vid n = weft_graph_vertices(g);
    PyObject *of = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)n);
    if (!of) return NULL;
    char *to = PyBytes_AsString(of);
    for (weft_vid v = 0; v < n; v++) to[v] = (char)weft_graph_side(g, v);
    PyObject *a = PyUnicode_DecodeUTF8(first, (Py_ssize_t)strlen(first), "surrogateescape");
    PyObject *b = a ? PyUnicode_DecodeUTF8(second, (Py_ssize_t)strlen(second), "surrogateescape") : NULL;
    PyObject *all = b ? PyTuple_Pack(3, a, b, of) : NULL;
    Py_XDECREF(a);
    Py_XDECREF(b);
    Py_DECREF(of);
    return all;
}

/* A name without a NUL character; NULL: an exception is set. */
static const char *whole_name(PyObject *name, PyObject *keep, const char *what) {
    Py_ssize_t length;
    const char *text = name_of(name, keep, &length);
    if (!text || (size_t)length == strlen(text)) return text;
    PyErr_Format(PyExc_ValueError, "the name of %s has a NUL in it", what);
    return NULL;
}

/* (first, second, bytes, options) -> graph */
PyObject *graph_with_sides(PyObject *self, PyObject *args) {
    binding_state *state = binding_of_type(Py_TYPE(self));
    const weft_graph *g = ((graph *)self)->g;
    PyObject *names[2], *of, *options, *keep = NULL;
    weft_graph *made = NULL;
    binding_call c;
    if (!PyArg_ParseTuple(args, "UUSO!", &names[0], &names[1], &of, &PyDict_Type, &options)) return NULL;
    bool good = (keep = PyList_New(0)) != NULL;
    const char *first = good ? whole_name(names[0], keep, "a side") : NULL;
    const char *second = first ? whole_name(names[1], keep, "a side") : NULL;
    if (second && PyBytes_Size(of) != (Py_ssize_t)weft_graph_vertices(g))
        PyErr_SetString(PyExc_ValueError, "sides: not as many as there are vertices");
    good = second && !PyErr_Occurred() && graph_is_sound(self) && call_begin(&c, state, options);
    if (good) {
        const uint8_t *side = (const uint8_t *)PyBytes_AsString(of);
        call_leave_python(&c);
        weft_status st = weft_graph_with_sides(c.ctx, g, first, second, side, &made);
        call_enter_python(&c);
        good = call_end(&c, st);
    }
    Py_XDECREF(keep);
    return good ? graph_share_lent(self, graph_wrap(state, made, NULL)) : NULL;
}

PyObject *graph_edge_columns(PyObject *self, PyObject *none) {
    (void)none;
    return list_columns(self, weft_graph_edge_columns(((graph *)self)->g), weft_graph_edge_column_at, values_entry);
}

typedef weft_status make_fn(weft_ctx *ctx, const weft_graph *g, const char *text, weft_graph **made);

static weft_status filter(weft_ctx *ctx, const weft_graph *g, const char *text, weft_graph **made) {
    return weft_graph_filter_edges(ctx, g, text, NULL, made);
}

/* (text, options) -> graph; with "zO!" the text may be None. */
static PyObject *make_of(PyObject *self, PyObject *args, make_fn *make, const char *format) {
    binding_state *state = binding_of_type(Py_TYPE(self));
    const char *text;
    PyObject *options;
    weft_graph *made = NULL;
    binding_call c;
    if (!PyArg_ParseTuple(args, format, &text, &PyDict_Type, &options)) return NULL;
    if (!graph_is_sound(self) || !call_begin(&c, state, options)) return NULL;
    call_leave_python(&c);
    weft_status st = make(c.ctx, ((graph *)self)->g, text, &made);
    call_enter_python(&c);
    return call_end(&c, st) ? graph_share_lent(self, graph_wrap(state, made, NULL)) : NULL;
}

PyObject *graph_filter_edges(PyObject *self, PyObject *args) { return make_of(self, args, filter, "sO!"); }
PyObject *graph_weighted_by(PyObject *self, PyObject *args) {
    return make_of(self, args, weft_graph_weighted_by, "zO!");
}

/* The buffers of a new column, valid during its call. */
typedef struct given {
    weft_attribute a;
    Py_buffer values, valid, starts, text;
} given;

static bool take(PyObject *source, Py_buffer *view) {
    return source == Py_None || !PyObject_GetBuffer(source, view, PyBUF_SIMPLE);
}

/* (name, type, form, values, valid or None, starts or None, text or None) */
static bool take_column(PyObject *row, PyObject *keep, uint64_t n, given *to) {
    PyObject *name, *values, *valid, *starts, *text;
    int type, form;
    if (!PyArg_ParseTuple(row, "UiiOOOO", &name, &type, &form, &values, &valid, &starts, &text)) return false;
    to->a = (weft_attribute)WEFT_ATTRIBUTE_DEFAULTS;
    to->a.name = whole_name(name, keep, "an attribute");
    if (!to->a.name || !take(values, &to->values) || !take(valid, &to->valid) || !take(starts, &to->starts) ||
        !take(text, &to->text))
        return false;
    to->a.type = (weft_attribute_type)type;
    to->a.form = (weft_time_form)form;
    to->a.count = n;
    to->a.values = to->values.buf;
    to->a.valid = to->valid.obj ? to->valid.buf : NULL;
    if (to->starts.obj) {
        to->a.text_count = (uint64_t)to->starts.len / sizeof(uint64_t) - 1;
        to->a.text_starts = to->starts.buf;
        to->a.text = to->text.buf;
    }
    return true;
}

static void release(given *g) {
    Py_buffer *views[] = {&g->values, &g->valid, &g->starts, &g->text};
    for (size_t i = 0; i < sizeof views / sizeof *views; i++)
        if (views[i]->obj) PyBuffer_Release(views[i]);
}

typedef weft_status give_fn(weft_ctx *ctx, const weft_graph *g, const weft_attribute *const *columns, size_t count,
                            weft_graph **made);

/* (columns, options) -> graph; each column has `rows` values. */
static PyObject *give(PyObject *self, PyObject *args, give_fn *with, uint64_t rows) {
    binding_state *state = binding_of_type(Py_TYPE(self));
    const weft_graph *g = ((graph *)self)->g;
    PyObject *columns, *options, *keep = NULL;
    weft_graph *made = NULL;
    binding_call c;
    if (!PyArg_ParseTuple(args, "O!O!", &PyList_Type, &columns, &PyDict_Type, &options)) return NULL;
    size_t count = (size_t)PyList_Size(columns);
    given *all = PyMem_Calloc(count + 1, sizeof *all);
    const weft_attribute **list = PyMem_Calloc(count + 1, sizeof *list);
    bool good = all && list && (keep = PyList_New(0));
    if (!all || !list) PyErr_NoMemory();
    for (size_t i = 0; good && i < count; i++) {
        good = take_column(PyList_GetItem(columns, (Py_ssize_t)i), keep, rows, &all[i]);
        list[i] = &all[i].a;
    }
    good = good && graph_is_sound(self) && call_begin(&c, state, options);
    if (good) {
        call_leave_python(&c);
        weft_status st = with(c.ctx, g, list, count, &made);
        call_enter_python(&c);
        good = call_end(&c, st);
    }
    for (size_t i = 0; all && i < count; i++) release(&all[i]);
    PyMem_Free(all);
    PyMem_Free(list);
    Py_XDECREF(keep);
    return good ? graph_share_lent(self, graph_wrap(state, made, NULL)) : NULL;
}

PyObject *graph_with_attributes(PyObject *self, PyObject *args) {
    return give(self, args, weft_graph_with_attributes, weft_graph_vertices(((graph *)self)->g));
}

PyObject *graph_with_edge_columns(PyObject *self, PyObject *args) {
    return give(self, args, weft_graph_with_edge_columns, weft_graph_edges(((graph *)self)->g));
}
