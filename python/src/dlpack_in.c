/* Tensors of other libraries by DLPack, as columns: contiguous in row-major order, of one or two dimensions, on the
 * host or on a GPU; nothing is copied.  Other types and layouts raise BufferError.  A tensor on a GPU is complete with
 * respect to the stream named in the request, as the protocol defines. */
#include "binding.h"
#include "dlpack.h"

static const char PLAIN[] = "dltensor", VERSIONED[] = "dltensor_versioned";
static const char USED_PLAIN[] = "used_dltensor", USED_VERSIONED[] = "used_dltensor_versioned";

/* The producer's deleter may run Python, so a pending exception is saved meanwhile. */
static void end_plain(PyObject *capsule) {
    dl_managed *t = PyCapsule_GetPointer(capsule, USED_PLAIN);
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    if (t->deleter) t->deleter(t);
    PyErr_Restore(type, value, trace);
}
static void end_versioned(PyObject *capsule) {
    dl_versioned *t = PyCapsule_GetPointer(capsule, USED_VERSIONED);
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    if (t->deleter) t->deleter(t);
    PyErr_Restore(type, value, trace);
}

static bool refuse(const char *why) {
    PyErr_Format(PyExc_BufferError, "the tensor %s", why);
    return false;
}

/* Requests a capsule, by the protocol of 2023 or by the older one. */
static PyObject *ask(PyObject *source, PyObject *stream) {
    PyObject *method = PyObject_GetAttrString(source, "__dlpack__"), *none = PyTuple_New(0);
    PyObject *words = Py_BuildValue("{s:(ii)}", "max_version", 1, 0), *capsule = NULL;
    if (method && none && words && (stream == Py_None || !PyDict_SetItemString(words, "stream", stream))) {
        capsule = PyObject_Call(method, none, words);
        if (!capsule && PyErr_ExceptionMatches(PyExc_TypeError)) {
            PyErr_Clear();
            if (!PyDict_DelItemString(words, "max_version")) capsule = PyObject_Call(method, none, words);
        }
    }
    Py_XDECREF(method);
    Py_XDECREF(none);
    Py_XDECREF(words);
    return capsule;
}

/* Takes over the tensor; the returned capsule deletes it. */
static PyObject *take(PyObject *capsule, const dl_tensor **tensor) {
    if (PyCapsule_IsValid(capsule, VERSIONED)) {
        dl_versioned *t = PyCapsule_GetPointer(capsule, VERSIONED);
        PyObject *owner = PyCapsule_New(t, USED_VERSIONED, end_versioned);
        if (owner && PyCapsule_SetName(capsule, USED_VERSIONED)) Py_CLEAR(owner);
        *tensor = t->major == 1 ? &t->tensor : NULL;
        return owner;
    }
    dl_managed *t = PyCapsule_GetPointer(capsule, PLAIN);
    PyObject *owner = t ? PyCapsule_New(t, USED_PLAIN, end_plain) : NULL;
    if (owner && PyCapsule_SetName(capsule, USED_PLAIN)) Py_CLEAR(owner);
    *tensor = t ? &t->tensor : NULL;
    return owner;
}

/* Can a column represent the tensor? */
static bool fits(const dl_tensor *t, const column_kind **kind) {
    const int64_t most = PY_SSIZE_T_MAX / 16;
    if (!t) return refuse("is of a later version of DLPack");
    *kind = column_kind_of_dlpack(t->type.code == DL_BOOL ? 1 : t->type.code, t->type.bits);
    if (!*kind || t->type.lanes != 1) return refuse("is of another type than numbers of 8 to 64 bits");
    if (t->ndim < 1 || t->ndim > 2 || !t->shape) return refuse("has neither one dimension nor two");
    int64_t rows = t->shape[0], width = t->ndim == 2 ? t->shape[1] : 1;
    if (rows < 0 || width < 0 || rows > most || width > most || (width && rows > most / width))
        return refuse("has a shape that is out of range");
    if (t->ndim == 2 && !width) return refuse("has rows without a number");
    bool in_rows = !t->strides || rows < 2 || t->strides[0] == width;
    bool in_row = !t->strides || t->ndim < 2 || width < 2 || t->strides[1] == 1;
    if (rows && !(in_rows && in_row)) return refuse("is not in one piece, row by row: copy it first");
    if (rows && !t->data) return refuse("has no data");
    int where = t->device.type;
    return where == DL_CPU || where == DL_CUDA || where == DL_CUDA_HOST || where == DL_CUDA_MANAGED ||
           refuse("is neither on the host nor on a CUDA device");
}

/* dlpack_values(source, stream or None) */
PyObject *dlpack_values(PyObject *module, PyObject *args) {
    PyObject *source, *stream, *made = NULL;
    const dl_tensor *t = NULL;
    const column_kind *kind = NULL;
    if (!PyArg_ParseTuple(args, "OO", &source, &stream)) return NULL;
    PyObject *capsule = ask(source, stream), *owner = capsule ? take(capsule, &t) : NULL;
    if (owner && fits(t, &kind)) {
        const char *data = t->shape[0] ? (const char *)t->data + t->byte_offset : NULL;
        bool there = t->device.type == DL_CUDA || t->device.type == DL_CUDA_MANAGED;
        made = column_new(binding_of(module), owner, "tensor", kind->letter, there ? NULL : data,
                          (Py_ssize_t)t->shape[0], t->ndim == 2 ? (Py_ssize_t)t->shape[1] : 0);
        if (made && there) ((column *)made)->there = data, ((column *)made)->gpu = t->device.id;
    }
    Py_XDECREF(owner);
    Py_XDECREF(capsule);
    return made;
}
