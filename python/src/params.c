/* Parameter structs from dicts, by their descriptors.  Vertices are given as the library's numbers, lists of them and
 * weights as buffers: Python has already looked up the ids. */
#include "binding.h"

#include <string.h>

/* Buffers referenced by parameters, released with the list that keeps them. */
typedef struct kept_buffer {
    Py_buffer view;
    weft_matrix matrix;
} kept_buffer;

static void release_buffer(PyObject *capsule) {
    kept_buffer *kept = PyCapsule_GetPointer(capsule, "weft_buffer");
    PyBuffer_Release(&kept->view);
    PyMem_Free(kept);
}

/* A column, which may be on a GPU, has no view. */
static kept_buffer *keep_buffer(PyObject *value, PyObject *keep, bool view) {
    kept_buffer *kept = PyMem_Calloc(1, sizeof *kept);
    if (!kept) {
        PyErr_NoMemory();
        return NULL;
    }
    if (view && PyObject_GetBuffer(value, &kept->view, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT)) {
        PyMem_Free(kept);
        return NULL;
    }
    PyObject *capsule = PyCapsule_New(kept, "weft_buffer", release_buffer);
    if (!capsule) {
        PyBuffer_Release(&kept->view);
        PyMem_Free(kept);
        return NULL;
    }
    int failed = PyList_Append(keep, capsule) || (!view && PyList_Append(keep, value));
    Py_DECREF(capsule);
    return failed ? NULL : kept;
}

static bool put_choice(const weft_param_info *p, PyObject *value, char *field) {
    PyObject *text = PyObject_Str(value);
    const char *word = text ? PyUnicode_AsUTF8AndSize(text, NULL) : NULL;
    size_t length = word ? strlen(word) : 0;
    int at = 0, found = -1;
    for (const char *c = p->choices; word && c && *c; at++) {
        size_t here = strcspn(c, "|");
        if (here == length && !memcmp(c, word, length)) found = at;
        c += here + (c[here] == '|');
    }
    if (word && found < 0)
        PyErr_Format(PyExc_ValueError, "%s is one of %s, not '%s'", p->name, p->choices ? p->choices : "", word);
    Py_XDECREF(text);
    if (found < 0) return false;
    memcpy(field, &found, sizeof found);
    return true;
}

static bool put_vertices(const weft_param_info *p, PyObject *value, PyObject *keep, char *field) {
    kept_buffer *kept = keep_buffer(value, keep, true);
    if (!kept) return false;
    if (kept->view.itemsize != sizeof(weft_vid)) {
        PyErr_Format(PyExc_TypeError, "%s: vertices are 32-bit numbers", p->name);
        return false;
    }
    size_t count = (size_t)(kept->view.len / (Py_ssize_t)sizeof(weft_vid));
    const void *data = count ? kept->view.buf : NULL;
    if (p->type == WEFT_PARAM_PAIRS) count /= 2; /* Python has checked that they are pairs */
    memcpy(field, &data, sizeof data);
    memcpy(field + sizeof data, &count, sizeof count);
    return true;
}

/* One label for each vertex, which Python has checked. */
static bool put_labels(const weft_param_info *p, PyObject *value, PyObject *keep, char *field) {
    kept_buffer *kept = keep_buffer(value, keep, true);
    if (!kept) return false;
    if (kept->view.itemsize != sizeof(weft_vid)) {
        PyErr_Format(PyExc_TypeError, "%s: labels are 32-bit numbers", p->name);
        return false;
    }
    const void *data = kept->view.buf;
    memcpy(field, &data, sizeof data);
    return true;
}

/* Format letters of Python; bfloat16 only as a column. */
static bool matrix_type(char format, weft_type *type) {
    *type = format == 'e' ? WEFT_F16 : format == 'f' ? WEFT_F32 : WEFT_BF16;
    return format == 'f' || format == 'e' || format == 'H';
}

static bool put_matrix(const weft_param_info *p, PyObject *value, PyObject *keep, char *field) {
    column *c = column_of(value);
    kept_buffer *kept = keep_buffer(value, keep, !c);
    if (!kept) return false;
    Py_buffer *v = &kept->view;
    weft_matrix m = WEFT_MATRIX_DEFAULTS;
    bool good;
    if (c) {
        const void *there = column_there(c);
        if (!there && !column_bring(c)) return false;
        m.data = there ? there : c->data;
        m.rows = (uint64_t)c->length;
        m.width = (uint64_t)c->width;
        good = c->width && matrix_type(c->format, &m.type);
    } else {
        char format = v->format && strchr("@=<", v->format[0]) ? v->format[1] : v->format ? v->format[0] : 'B';
        m.data = v->buf;
        good = v->ndim == 2 && format != 'H' && matrix_type(format, &m.type);
        if (good) m.rows = (uint64_t)v->shape[0], m.width = (uint64_t)v->shape[1];
    }
    if (!good) {
        PyErr_Format(PyExc_TypeError, "%s is a matrix of float32 or float16, with a row for each vertex", p->name);
        return false;
    }
    kept->matrix = m;
    const weft_matrix *at = &kept->matrix;
    memcpy(field, &at, sizeof at);
    return true;
}

/* Replaces a TypeError by a TypeError that names the parameter. */
static bool refuse_type(const char *name, const char *wanted, PyObject *value) {
    if (PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "%s is %R, but must be %s", name, value, wanted);
    }
    return false;
}

static bool put_whole(const char *name, PyObject *value, char *field) {
    PyObject *index = PyNumber_Index(value);
    if (!index) return refuse_type(name, "a whole number", value);
    uint64_t whole = PyLong_AsUnsignedLongLong(index);
    Py_DECREF(index);
    if (PyErr_Occurred()) {
        PyErr_Clear();
        PyErr_Format(PyExc_ValueError, "%s is %R, but must be a whole number of 0 or more", name, value);
        return false;
    }
    memcpy(field, &whole, sizeof whole);
    return true;
}

static bool put_real(const char *name, PyObject *value, char *field) {
    double real = PyFloat_AsDouble(value);
    if (PyErr_Occurred()) return refuse_type(name, "a number", value);
    memcpy(field, &real, sizeof real);
    return true;
}

/* A string would be true regardless of its text. */
static bool put_flag(const char *name, PyObject *value, char *field) {
    if (PyUnicode_Check(value) || PyBytes_Check(value)) {
        PyErr_Format(PyExc_TypeError, "%s is %R, but must be True or False", name, value);
        return false;
    }
    int flag = PyObject_IsTrue(value);
    memcpy(field, &flag, sizeof flag);
    return flag >= 0;
}

static bool put(const weft_param_info *p, const char *name, PyObject *value, PyObject *keep, char *field) {
    kept_buffer *kept;
    weft_vid vertex;
    const char *text;
    const void *data;
    switch (p->type) {
    case WEFT_PARAM_U64: return put_whole(name, value, field);
    case WEFT_PARAM_F64: return put_real(name, value, field);
    case WEFT_PARAM_BOOL: return put_flag(name, value, field);
    case WEFT_PARAM_CHOICE: return put_choice(p, value, field);
    case WEFT_PARAM_TEXT:
        text = PyUnicode_AsUTF8AndSize(value, NULL);
        if (!text) return refuse_type(name, "a text", value);
        if (PyList_Append(keep, value)) return false;
        memcpy(field, &text, sizeof text);
        return true;
    case WEFT_PARAM_VERTEX:
        vertex = (weft_vid)PyLong_AsUnsignedLong(value);
        memcpy(field, &vertex, sizeof vertex);
        return !PyErr_Occurred();
    case WEFT_PARAM_VERTICES:
    case WEFT_PARAM_PAIRS: return put_vertices(p, value, keep, field);
    case WEFT_PARAM_WEIGHTS:
        kept = keep_buffer(value, keep, true);
        if (!kept) return false;
        data = kept->view.buf;
        memcpy(field, &data, sizeof data);
        return true;
    case WEFT_PARAM_MATRIX: return put_matrix(p, value, keep, field);
    case WEFT_PARAM_LABELS: return put_labels(p, value, keep, field);
    }
    PyErr_Format(PyExc_TypeError, "%s is of a type that this package does not know", p->name);
    return false;
}

/* "max_depth" for "max-depth". */
static void python_name(const char *name, char to[64]) {
    size_t i = 0;
    for (; name[i] && i < 63; i++) to[i] = name[i] == '-' ? '_' : name[i];
    to[i] = 0;
}

bool params_fill(void *params, size_t count, const weft_param_info *(*at)(const void *of, size_t i), const void *of,
                 PyObject *values, PyObject *keep) {
    Py_ssize_t used = 0;
    for (size_t i = 0; i < count; i++) {
        const weft_param_info *p = at(of, i);
        char name[64];
        python_name(p->name, name);
        PyObject *value = PyDict_GetItemString(values, name);
        used += value != NULL;
        if (!value || value == Py_None) continue;
        if (!put(p, name, value, keep, (char *)params + p->offset)) return false;
    }
    if (used == PyDict_Size(values)) return true;
    PyObject *key, *value;
    Py_ssize_t place = 0;
    while (PyDict_Next(values, &place, &key, &value)) {
        bool known = false;
        for (size_t i = 0; i < count && !known; i++) {
            char name[64];
            python_name(at(of, i)->name, name);
            known = PyUnicode_CompareWithASCIIString(key, name) == 0;
        }
        if (known) continue;
        PyErr_Format(PyExc_TypeError, "there is no parameter '%S'", key);
        return false;
    }
    return true;
}
