/* Columns as DLPack tensors, on the host or on the GPU.  A tensor that shares the column's memory keeps the column
 * alive; Python decides when that is allowed (Column.__dlpack__), since a consumer that ignores the read-only flag
 * could change a graph.  No stream synchronisation is needed: data on the GPU was complete when the call that made it
 * returned. */
#include "dlpack.h"
#include "binding.h"

#include <stdlib.h>
#include <string.h>

/* One allocation: the tensor in either form, its sizes, and its column or a copy of the values. */
typedef struct lent {
    dl_managed plain;
    dl_versioned versioned;
    int64_t shape[2], strides[2];
    PyObject *column; /* NULL: a copy */
    void *copy;
} lent;

static void drop(lent *l) {
    if (l->column) {
        PyGILState_STATE gil = PyGILState_Ensure();
        Py_DECREF(l->column);
        PyGILState_Release(gil);
    }
    free(l->copy);
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

/* The data on the device that the consumer asked for; NULL: an exception is set. */
static const void *values_for(column *c, PyObject *device, int *where) {
    static const char nothing[8];
    const void *data = column_there(c);
    int wanted, id = data ? c->gpu : 0;
    *where = wanted = data ? DL_CUDA : DL_CPU;
    if (device != Py_None && !PyTuple_Check(device)) {
        PyErr_SetString(PyExc_TypeError, "a device is a pair: its type and its number");
        return NULL;
    }
    if (device != Py_None && !PyArg_ParseTuple(device, "ii", &wanted, &id)) return NULL;
    if (wanted == DL_CPU) *where = DL_CPU;
    if (wanted != *where || (wanted == DL_CUDA && id != c->gpu)) {
        PyErr_SetString(PyExc_BufferError, "the column is not there");
        return NULL;
    }
    if (*where == DL_CUDA) return data;
    if (!column_bring(c)) return NULL;
    return c->data ? c->data : nothing;
}

/* The values for the tensor, shared or copied; false: an exception is set. */
static bool take_values(lent *l, column *c, const void *data, int where, bool copy) {
    size_t bytes = column_kind_of(c->format)->bytes * (size_t)c->length * (size_t)(c->width ? c->width : 1);
    if (!copy) {
        Py_INCREF((PyObject *)c);
        l->column = (PyObject *)c;
        return true;
    }
    if (where != DL_CPU) {
        PyErr_SetString(PyExc_BufferError,
                        "columns are read-only, and this one is on the GPU: to_torch() and to_cupy() "
                        "give copies of it");
        return false;
    }
    l->copy = malloc(bytes + 1);
    if (l->copy)
        memcpy(l->copy, data, bytes);
    else
        PyErr_NoMemory();
    return l->copy != NULL;
}

/* tensor(versioned, copy, device or None) -> a capsule */
PyObject *column_tensor(PyObject *self, PyObject *args) {
    column *c = (column *)self;
    PyObject *device;
    int versioned, copy, where;
    if (!PyArg_ParseTuple(args, "ppO", &versioned, &copy, &device)) return NULL;
    if (c->format == 'z' || c->valid) {
        PyErr_SetString(PyExc_BufferError, "strings, and ids of which some are missing, are no tensors");
        return NULL;
    }
    const void *data = values_for(c, device, &where);
    lent *l = data ? calloc(1, sizeof *l) : NULL;
    if (!l) return data ? PyErr_NoMemory() : NULL;
    if (!take_values(l, c, data, where, copy)) {
        free(l);
        return NULL;
    }
    l->shape[0] = c->length;
    l->shape[1] = c->width;
    l->strides[0] = c->width ? c->width : 1;
    l->strides[1] = 1;
    dl_tensor t = {.data = copy ? l->copy : (void *)(uintptr_t)data,
                   .device = {where, where == DL_CUDA ? c->gpu : 0},
                   .ndim = c->width ? 2 : 1,
                   .type = type_of(c->format),
                   .shape = l->shape,
                   .strides = l->strides};
    l->plain = (dl_managed){t, l, delete_plain};
    l->versioned = (dl_versioned){1, 0, l, delete_versioned, copy ? DL_COPIED : DL_READ_ONLY, t};
    PyObject *capsule = versioned ? PyCapsule_New(&l->versioned, "dltensor_versioned", end_versioned)
                                  : PyCapsule_New(&l->plain, "dltensor", end_plain);
    if (!capsule) drop(l);
    return capsule;
}
