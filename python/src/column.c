/* Columns: arrays with an owner, exposed by Python's buffer protocol.  Nothing is copied: a column keeps its owner
 * alive, and a view keeps the column. */
#include "binding.h"

#include <stddef.h>
#include <string.h>

PyObject *column_new(binding_state *state, PyObject *owner, const char *name, char format, const void *data,
                     Py_ssize_t length, Py_ssize_t width) {
    PyTypeObject *type = (PyTypeObject *)state->column;
    allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    column *c = (column *)alloc(type, 0);
    if (!c) return NULL;
    Py_INCREF(owner);
    c->owner = owner;
    c->name = name;
    c->format = format;
    c->data = data;
    c->length = length;
    c->width = width;
    return (PyObject *)c;
}

const void *column_there(const column *c) {
    return c->there ? c->there : c->of ? weft_result_device_column(c->of, c->name) : NULL;
}

bool column_bring(column *c) {
    if (c->data || !c->length) return true;
    if (!c->of) {
        PyErr_Format(PyExc_BufferError, "%s is on the GPU", c->name);
        return false;
    }
    const weft_column *here;
    Py_BEGIN_ALLOW_THREADS here = weft_result_column(c->of, c->name);
    Py_END_ALLOW_THREADS if (!here) {
        PyErr_Format(PyExc_RuntimeError, "the GPU did not give the column %s", c->name);
        return false;
    }
    c->data = here->data;
    return true;
}

static int get_buffer(PyObject *self, Py_buffer *view, int flags) {
    column *c = (column *)self;
    view->obj = NULL;
    if (c->format == 'z' || c->valid) {
        PyErr_Format(PyExc_BufferError, "%s: %s cannot be a buffer; to_numpy(), to_arrow() and tolist() show them",
                     c->name, c->format == 'z' ? "strings" : "ids of which some are missing");
        return -1;
    }
    if (flags & PyBUF_WRITABLE) {
        PyErr_SetString(PyExc_BufferError, "columns are read-only");
        return -1;
    }
    if (!column_bring(c)) return -1;
    const column_kind *kind = column_kind_of(c->format);
    size_t each = kind->bytes, row = each * (size_t)(c->width ? c->width : 1);
    Py_ssize_t *sizes = PyMem_Malloc(4 * sizeof *sizes);
    if (!sizes) {
        PyErr_NoMemory();
        return -1;
    }
    sizes[0] = c->length;
    sizes[1] = c->width;
    sizes[2] = (Py_ssize_t)row;
    sizes[3] = (Py_ssize_t)each;
    *view = (Py_buffer){.buf = (void *)(uintptr_t)(c->data ? c->data : (const void *)sizes),
                        .len = (Py_ssize_t)(row * (size_t)c->length),
                        .itemsize = (Py_ssize_t)each,
                        .readonly = 1,
                        .ndim = c->width ? 2 : 1,
                        .internal = sizes};
    if (flags & PyBUF_FORMAT) view->format = kind->buffer;
    if (flags & PyBUF_ND) view->shape = sizes;
    if ((flags & PyBUF_STRIDES) == PyBUF_STRIDES) view->strides = sizes + 2;
    Py_INCREF(self);
    view->obj = self;
    return 0;
}

static void release_buffer(PyObject *self, Py_buffer *view) {
    (void)self;
    PyMem_Free(view->internal);
}

/* The slot is found in subclasses of the column's type, too. */
column *column_of(PyObject *x) {
    return PyType_GetSlot(Py_TYPE(x), Py_bf_getbuffer) == (void *)get_buffer ? (column *)x : NULL;
}

static void dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    Py_XDECREF(((column *)self)->owner);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static Py_ssize_t length(PyObject *self) { return ((column *)self)->length; }

/* --- values one by one ------------------------------------------------------------------------ */

static PyObject *number_at(const column *c, size_t i) {
    const char *at = (const char *)c->data + i * column_kind_of(c->format)->bytes;
    uint16_t half;
    int16_t narrow;
    uint32_t whole;
    int32_t small;
    uint64_t large;
    int64_t wide;
    float single;
    double real;
    switch (c->format) {
    case 'b': return PyLong_FromLong((signed char)*at);
    case 'B': return PyLong_FromLong((unsigned char)*at);
    case 'h': memcpy(&narrow, at, sizeof narrow); return PyLong_FromLong(narrow);
    case 'S': memcpy(&half, at, sizeof half); return PyLong_FromLong(half);
    case 'e': memcpy(&half, at, sizeof half); return PyFloat_FromDouble((double)weft_f16_value(half));
    case 'H': memcpy(&half, at, sizeof half); return PyFloat_FromDouble((double)weft_bf16_value(half));
    case 'I': memcpy(&whole, at, sizeof whole); return PyLong_FromUnsignedLong(whole);
    case 'i': memcpy(&small, at, sizeof small); return PyLong_FromLong(small);
    case 'Q': memcpy(&large, at, sizeof large); return PyLong_FromUnsignedLongLong(large);
    case 'q': memcpy(&wide, at, sizeof wide); return PyLong_FromLongLong(wide);
    case 'f': memcpy(&single, at, sizeof single); return PyFloat_FromDouble((double)single);
    default: memcpy(&real, at, sizeof real); return PyFloat_FromDouble(real);
    }
}

static PyObject *value_at(const column *c, Py_ssize_t i) {
    if (c->valid && !(c->valid[i / 8] >> (i % 8) & 1)) Py_RETURN_NONE;
    if (c->format == 'z')
        return PyUnicode_DecodeUTF8((const char *)c->data + c->starts[i], (Py_ssize_t)(c->starts[i + 1] - c->starts[i]),
                                    "surrogateescape");
    if (!c->width) return number_at(c, (size_t)i);
    PyObject *row = PyList_New(c->width);
    for (Py_ssize_t k = 0; row && k < c->width; k++) {
        PyObject *x = number_at(c, (size_t)(i * c->width + k));
        if (!x || PyList_SetItem(row, k, x)) Py_CLEAR(row);
    }
    return row;
}

static PyObject *item(PyObject *self, Py_ssize_t i) {
    column *c = (column *)self;
    if (i < 0 || i >= c->length) {
        PyErr_SetString(PyExc_IndexError, "no such row");
        return NULL;
    }
    return column_bring(c) ? value_at(c, i) : NULL;
}

static PyObject *to_list(PyObject *self, PyObject *args) {
    column *c = (column *)self;
    Py_ssize_t first = 0, end = c->length;
    if (!PyArg_ParseTuple(args, "|nn", &first, &end) || !column_bring(c)) return NULL;
    if (end > c->length) end = c->length;
    if (first < 0) first = 0;
    PyObject *list = PyList_New(end > first ? end - first : 0);
    for (Py_ssize_t i = first; list && i < end; i++) {
        PyObject *x = signals_ok(i) ? value_at(c, i) : NULL;
        if (!x || PyList_SetItem(list, i - first, x)) Py_CLEAR(list);
    }
    return list;
}

/* --- facts ----------------------------------------------------------------------------------------- */

static PyObject *get_name(PyObject *self, void *none) {
    (void)none;
    return PyUnicode_FromString(((column *)self)->name);
}

static PyObject *get_format(PyObject *self, void *none) {
    (void)none;
    return PyUnicode_FromStringAndSize(&((column *)self)->format, 1);
}

static PyObject *get_shape(PyObject *self, void *none) {
    column *c = (column *)self;
    (void)none;
    return c->width ? Py_BuildValue("(nn)", c->length, c->width) : Py_BuildValue("(n)", c->length);
}

static PyObject *get_on_device(PyObject *self, void *none) {
    (void)none;
    return PyBool_FromLong(column_there((column *)self) != NULL);
}

static PyObject *get_missing(PyObject *self, void *none) {
    (void)none;
    return PyBool_FromLong(((column *)self)->valid != NULL);
}

static PyObject *get_gaps(PyObject *self, void *none) {
    (void)none;
    return PyBool_FromLong(((column *)self)->gaps);
}

static PyObject *get_cuda_array(PyObject *self, void *none) {
    column *c = (column *)self;
    const void *there = column_there(c);
    (void)none;
    if (!there) {
        PyErr_SetString(PyExc_AttributeError, "__cuda_array_interface__: the column is not on the GPU");
        return NULL;
    }
    PyObject *shape = get_shape(self, NULL), *all = NULL;
    /* No stream: the data was complete when the call returned. */
    if (shape)
        all = Py_BuildValue("{s:O,s:s,s:(KO),s:O,s:O,s:i}", "shape", shape, "typestr", column_kind_of(c->format)->cuda,
                            "data", (unsigned long long)(uintptr_t)there, Py_True, "strides", Py_None, "stream",
                            Py_None, "version", 3);
    Py_XDECREF(shape);
    return all;
}

static PyGetSetDef getters[] = {
    {"name", get_name, NULL, "name of the column", NULL},
    {"format", get_format, NULL, "the type of its numbers, as in struct; 'z': strings", NULL},
    {"shape", get_shape, NULL, "rows, and numbers in a row if there are several", NULL},
    {"on_device", get_on_device, NULL, "whether it is in the memory of a GPU", NULL},
    {"has_missing", get_missing, NULL, "whether values may be missing", NULL},
    {"has_gaps", get_gaps, NULL, "whether 4294967295 is a missing value", NULL},
    {"__cuda_array_interface__", get_cuda_array, NULL, "version 3; only of columns on a GPU", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef methods[] = {
    {"tolist", to_list, METH_VARARGS, "tolist(first=0, end=len): the values as Python values"},
    {"tensor", column_tensor, METH_VARARGS, "tensor(versioned, copy, device): a DLPack capsule"},
    {"pack", column_pack, METH_NOARGS, "its parts, for unpack_column"},
    {"__dlpack_device__", column_dlpack_device, METH_NOARGS, "the device of the array, in DLPack's form"},
    {"__arrow_c_array__", (PyCFunction)(void (*)(void))column_arrow_array, METH_VARARGS | METH_KEYWORDS,
     "capsules of an Arrow schema and array"},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_dealloc, dealloc},
    {Py_tp_getset, getters},
    {Py_tp_methods, methods},
    {Py_bf_getbuffer, get_buffer},
    {Py_bf_releasebuffer, release_buffer},
    {Py_sq_length, length},
    {Py_sq_item, item},
    {Py_tp_doc, "An array that a result or a graph owns."},
    {0, NULL},
};

PyType_Spec column_spec = {"weftgraph._weft.Column", sizeof(column), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
