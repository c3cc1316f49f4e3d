/* Columns as DLPack tensors, on the host or on the GPU, without a copy; a tensor keeps its column.
 * Nobody has to wait for a stream: what lies on the GPU was complete when the call that made it returned. */
#include "dlpack.h"
#include "binding.h"

#include <stdlib.h>

/* One block: the tensor in either form, its sizes, its column. */
typedef struct lent {
    dl_managed plain;
    dl_versioned versioned;
    int64_t shape[2], strides[2];
    PyObject *column;
} lent;

static void drop(lent *l) {
    PyGILState_STATE gil = PyGILState_Ensure();
    Py_DECREF(l->column);
    PyGILState_Release(gil);
    free(l);
}
static void delete_plain(dl_managed *self) { drop(self->context); }
static void delete_versioned(dl_versioned *self) { drop(self->context); }

/* A consumer renames the capsule, and deletes the tensor itself. */
static void end_plain(PyObject *capsule) {
    if (!PyCapsule_IsValid(capsule, "dltensor")) return;
    dl_managed *t = PyCapsule_GetPointer(capsule, "dltensor");
    t->deleter(t);
}
static void end_versioned(PyObject *capsule) {
    if (!PyCapsule_IsValid(capsule, "dltensor_versioned")) return;
    dl_versioned *t = PyCapsule_GetPointer(capsule, "dltensor_versioned");
    t->deleter(t);
}

static dl_type type_of(char format) {
    const column_kind *kind = column_kind_of(format);
    return (dl_type){kind->dlpack, (uint8_t)(8 * kind->bytes), 1};
}

PyObject *column_dlpack_device(PyObject *self, PyObject *none) {
    column *c = (column *)self;
    (void)none;
    return column_there(c) ? Py_BuildValue("(ii)", DL_CUDA, c->gpu) : Py_BuildValue("(ii)", DL_CPU, 0);
}

PyObject *column_dlpack(PyObject *self, PyObject *args, PyObject *keywords) {
    static char *names[] = {"stream", "max_version", "dl_device", "copy", NULL};
    PyObject *stream = Py_None, *version = Py_None, *device = Py_None, *copy = Py_None;
    column *c = (column *)self;
    int major = 0, minor = 0;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|$OOOO", names, &stream, &version, &device, &copy)) return NULL;
    if (version != Py_None && !PyArg_ParseTuple(version, "ii", &major, &minor)) return NULL;
    if (copy == Py_True) {
        PyErr_SetString(PyExc_BufferError, "a column gives no copies: copy what comes of it");
        return NULL;
    }
    if (c->format == 'z' || c->valid) {
        PyErr_SetString(PyExc_BufferError, "strings, and ids of which some are missing, are no tensors");
        return NULL;
    }
    const void *data = column_there(c);
    int where = data ? DL_CUDA : DL_CPU, wanted = where, id = data ? c->gpu : 0;
    if (device != Py_None && !PyArg_ParseTuple(device, "ii", &wanted, &id)) return NULL;
    if (wanted == DL_CPU) where = DL_CPU;
    if (wanted != where) {
        PyErr_SetString(PyExc_BufferError, "the column is not there");
        return NULL;
    }
    if (where == DL_CPU && !column_bring(c)) return NULL;
    if (where == DL_CPU) data = c->data;
    lent *l = calloc(1, sizeof *l);
    if (!l) return PyErr_NoMemory();
    l->shape[0] = c->length;
    l->shape[1] = c->width;
    l->strides[0] = c->width ? c->width : 1;
    l->strides[1] = 1;
    dl_tensor t = {.data = (void *)(uintptr_t)data,
                   .device = {where, where == DL_CUDA ? c->gpu : 0},
                   .ndim = c->width ? 2 : 1,
                   .type = type_of(c->format),
                   .shape = l->shape,
                   .strides = l->strides};
    Py_INCREF(self);
    l->column = self;
    l->plain = (dl_managed){t, l, delete_plain};
    l->versioned = (dl_versioned){1, 0, l, delete_versioned, DL_READ_ONLY, t};
    PyObject *capsule = major >= 1 ? PyCapsule_New(&l->versioned, "dltensor_versioned", end_versioned)
                                   : PyCapsule_New(&l->plain, "dltensor", end_plain);
    if (!capsule) drop(l);
    return capsule;
}
