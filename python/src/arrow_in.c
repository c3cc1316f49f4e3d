/* Arrays of others by Arrow's C interface: numbers as a column, without a copy if they come in one piece; strings as a list.
 * Nulls are refused by their row; types that are neither raise TypeError, and Python tries another way. */
#include "arrow.h"
#include "binding.h"

#include <stdlib.h>
#include <string.h>

/* All pieces of one array, in order. */
typedef struct pieces {
    struct ArrowSchema schema;
    struct ArrowArray *at;
    size_t count;
    void *joined; /* numbers of several pieces */
} pieces;

static void drop(pieces *p) {
    for (size_t i = 0; i < p->count; i++)
        if (p->at[i].release) p->at[i].release(&p->at[i]);
    if (p->schema.release) p->schema.release(&p->schema);
    free(p->at);
    free(p->joined);
    free(p);
}

static void end(PyObject *capsule) { drop(PyCapsule_GetPointer(capsule, "weft_arrow")); }

static bool add(pieces *p, struct ArrowArray *piece) {
    struct ArrowArray *at = realloc(p->at, (p->count + 1) * sizeof *at);
    if (!at) {
        piece->release(piece);
        PyErr_NoMemory();
        return false;
    }
    at[p->count++] = *piece;
    p->at = at;
    return true;
}

/* What the capsules hold is ours from now on. */
static bool take_array(PyObject *source, pieces *p) {
    PyObject *both = PyObject_CallMethod(source, "__arrow_c_array__", NULL);
    PyObject *first = both ? PyTuple_GetItem(both, 0) : NULL, *second = first ? PyTuple_GetItem(both, 1) : NULL;
    struct ArrowSchema *schema = second ? PyCapsule_GetPointer(first, "arrow_schema") : NULL;
    struct ArrowArray *array = schema ? PyCapsule_GetPointer(second, "arrow_array") : NULL;
    bool good = false;
    if (array) {
        p->schema = *schema;
        schema->release = NULL;
        struct ArrowArray piece = *array;
        array->release = NULL;
        good = add(p, &piece);
    }
    Py_XDECREF(both);
    return good;
}

static bool take_stream(PyObject *source, pieces *p) {
    PyObject *capsule = PyObject_CallMethod(source, "__arrow_c_stream__", NULL);
    struct ArrowArrayStream *stream = capsule ? PyCapsule_GetPointer(capsule, "arrow_array_stream") : NULL;
    bool good = stream != NULL, more = good;
    if (good && stream->get_schema(stream, &p->schema)) good = false;
    while (good && more) {
        struct ArrowArray piece = {.release = NULL};
        if (stream->get_next(stream, &piece)) good = false;
        more = good && piece.release;
        if (more) good = add(p, &piece);
    }
    if (!good && !PyErr_Occurred()) {
        const char *why = stream->get_last_error ? stream->get_last_error(stream) : NULL;
        PyErr_SetString(PyExc_ValueError, why ? why : "the Arrow stream failed");
    }
    Py_XDECREF(capsule);
    return good;
}

/* The first null is an error. */
static bool complete(const pieces *p) {
    long long row = 0;
    for (size_t i = 0; i < p->count; i++) {
        const struct ArrowArray *a = &p->at[i];
        const uint8_t *valid = a->null_count && a->n_buffers ? a->buffers[0] : NULL;
        for (int64_t k = 0; k < a->length; k++, row++) {
            int64_t bit = a->offset + k;
            if (!valid || valid[bit / 8] >> (bit % 8) & 1) continue;
            PyErr_Format(PyExc_ValueError, "row %lld is null", row);
            return false;
        }
    }
    return true;
}

/* --- numbers ------------------------------------------------------------------------------------ */

static size_t number_bytes(char format) {
    const char *all = "cCsSiIlLfg";
    static const size_t bytes[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
    const char *at = format ? strchr(all, format) : NULL;
    return at ? bytes[at - all] : 0;
}

static PyObject *numbers(binding_state *state, pieces *p) {
    static const char formats[][2] = {"cb", "CB", "sh", "SH", "ii", "II", "lq", "LQ", "ff", "gd"};
    char format = p->schema.format[0], as = 0;
    size_t each = number_bytes(format);
    int64_t total = 0;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (formats[i][0] == format) as = formats[i][1];
    for (size_t i = 0; i < p->count; i++) total += p->at[i].length;
    const void *data = NULL;
    if (p->count == 1) {
        data = (const char *)p->at[0].buffers[1] + (size_t)p->at[0].offset * each;
    } else {
        char *to = p->joined = malloc((size_t)total * each + 1);
        if (!to) {
            drop(p);
            return PyErr_NoMemory();
        }
        for (size_t i = 0; i < p->count; i++) {
            size_t bytes = (size_t)p->at[i].length * each;
            if (bytes) memcpy(to, (const char *)p->at[i].buffers[1] + (size_t)p->at[i].offset * each, bytes);
            to += bytes;
        }
        data = p->joined;
    }
    PyObject *owner = PyCapsule_New(p, "weft_arrow", end);
    if (!owner) {
        drop(p);
        return NULL;
    }
    PyObject *made = column_new(state, owner, "values", as, data, (Py_ssize_t)total, 0);
    Py_DECREF(owner);
    return made;
}

/* --- strings --------------------------------------------------------------------------------------- */

/* A string of 16 bytes that holds its text, or says where it is. */
static PyObject *view_at(const struct ArrowArray *a, int64_t i) {
    const char *view = (const char *)a->buffers[1] + 16 * (a->offset + i), *text = view + 4;
    int32_t length, buffer, at;
    memcpy(&length, view, sizeof length);
    if (length > 12) {
        memcpy(&buffer, view + 8, sizeof buffer);
        memcpy(&at, view + 12, sizeof at);
        text = (const char *)a->buffers[2 + buffer] + at;
    }
    return PyUnicode_DecodeUTF8(text, length, "surrogateescape");
}

static PyObject *string_at(const struct ArrowArray *a, const char *format, int64_t i) {
    int64_t first, last;
    if (format[0] == 'v') return view_at(a, i);
    if (format[0] == 'u') {
        const int32_t *offsets = (const int32_t *)a->buffers[1] + a->offset;
        first = offsets[i];
        last = offsets[i + 1];
    } else {
        const int64_t *offsets = (const int64_t *)a->buffers[1] + a->offset;
        first = offsets[i];
        last = offsets[i + 1];
    }
    return PyUnicode_DecodeUTF8((const char *)a->buffers[2] + first, (Py_ssize_t)(last - first), "surrogateescape");
}

static PyObject *strings(const pieces *p) {
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < p->count; i++)
        for (int64_t k = 0; list && k < p->at[i].length; k++) {
            PyObject *text = string_at(&p->at[i], p->schema.format, k);
            if (!text || PyList_Append(list, text)) Py_CLEAR(list);
            Py_XDECREF(text);
        }
    return list;
}

PyObject *arrow_values(PyObject *module, PyObject *source) {
    pieces *p = calloc(1, sizeof *p);
    if (!p) return PyErr_NoMemory();
    bool good = PyObject_HasAttrString(source, "__arrow_c_array__") ? take_array(source, p) : take_stream(source, p);
    const char *format = good ? p->schema.format : "";
    bool is_number = good && number_bytes(format[0]) && !format[1] && !p->schema.dictionary;
    bool is_text =
        good && (!strcmp(format, "u") || !strcmp(format, "U") || !strcmp(format, "vu")) && !p->schema.dictionary;
    if (good && !is_number && !is_text)
        PyErr_Format(PyExc_TypeError, "Arrow arrays of type '%s' are no ids or weights", format);
    if (!is_number && !is_text) good = false;
    if (good) good = complete(p);
    if (good && is_number) return numbers(binding_of(module), p);
    PyObject *list = good ? strings(p) : NULL;
    drop(p);
    return list;
}
