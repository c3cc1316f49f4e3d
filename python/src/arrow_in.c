/* Arrays of other libraries by Arrow's C interface: numbers as a column, without a copy if they are a single chunk;
 * strings as a list.  Nulls are errors that name their row; other types raise TypeError, and Python tries another way.
 * Inconsistent structs raise ValueError; only the lengths of buffers cannot be checked. */
#include "arrow.h"
#include "binding.h"

#include <stdlib.h>
#include <string.h>

/* All chunks of one array, in order. */
typedef struct pieces {
    struct ArrowSchema schema;
    struct ArrowArray *at;
    size_t count;
    void *joined; /* numbers of several chunks, joined */
} pieces;

/* The producer's release function may run Python, so a pending exception is saved meanwhile. */
static void drop(pieces *p) {
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    for (size_t i = 0; i < p->count; i++)
        if (p->at[i].release) p->at[i].release(&p->at[i]);
    if (p->schema.release) p->schema.release(&p->schema);
    free(p->at);
    free(p->joined);
    free(p);
    PyErr_Restore(type, value, trace);
}

static void end(PyObject *capsule) { drop(PyCapsule_GetPointer(capsule, "weft_arrow")); }

static bool add(pieces *p, struct ArrowArray *piece) {
    bool full = !(p->count & (p->count - 1)); /* capacity doubles */
    struct ArrowArray *at = full ? realloc(p->at, (p->count ? 2 * p->count : 1) * sizeof *at) : p->at;
    if (!at) {
        piece->release(piece);
        PyErr_NoMemory();
        return false;
    }
    at[p->count++] = *piece;
    p->at = at;
    return true;
}

/* --- from the capsules, with all checks that are possible without the lengths of buffers ---------------- */

static bool damaged(const char *what) {
    PyErr_Format(PyExc_ValueError, "the Arrow array is damaged: %s", what);
    return false;
}

/* Moves the contents out of the capsules. */
static bool take_array(PyObject *source, pieces *p) {
    PyObject *both = PyObject_CallMethod(source, "__arrow_c_array__", NULL);
    if (both && (!PyTuple_Check(both) || PyTuple_Size(both) != 2)) {
        Py_CLEAR(both);
        PyErr_SetString(PyExc_TypeError, "__arrow_c_array__ gives two capsules");
    }
    struct ArrowSchema *schema = both ? PyCapsule_GetPointer(PyTuple_GetItem(both, 0), "arrow_schema") : NULL;
    struct ArrowArray *array = schema ? PyCapsule_GetPointer(PyTuple_GetItem(both, 1), "arrow_array") : NULL;
    bool good = array && ((schema->release && array->release) || damaged("it was released before"));
    if (good) {
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
    bool good =
        stream && ((stream->release && stream->get_schema && stream->get_next) || damaged("it was released before"));
    bool more = good, failed = good && stream->get_schema(stream, &p->schema);
    if (failed) p->schema.release = NULL;
    if (good && !failed && !p->schema.release) good = damaged("it has no type");
    while (good && !failed && more) {
        struct ArrowArray piece = {.release = NULL};
        failed = stream->get_next(stream, &piece);
        more = !failed && piece.release;
        if (more) good = add(p, &piece) && !PyErr_CheckSignals();
    }
    if (failed) {
        const char *why = stream->get_last_error ? stream->get_last_error(stream) : NULL;
        PyErr_SetString(PyExc_ValueError, why ? why : "the Arrow stream failed");
    }
    Py_XDECREF(capsule);
    return good && !failed;
}

/* Are the fields consistent, with at least `buffers` buffers? */
static bool plausible(const struct ArrowArray *a, int64_t buffers) {
    const int64_t most = PY_SSIZE_T_MAX / 16;
    if (a->length < 0 || a->length > most || a->offset < 0 || a->offset > most - a->length)
        return damaged("its length or offset is out of range");
    if (a->null_count < -1 || a->null_count > a->length) return damaged("its count of nulls is out of range");
    if (a->n_buffers < buffers || !a->buffers) return damaged("it has too few buffers");
    if (a->null_count > 0 && !a->buffers[0]) return damaged("nulls are counted, but not marked");
    return !a->length || a->buffers[1] || damaged("a buffer is missing");
}

/* Fails at the first null. */
static bool complete(const pieces *p) {
    long long before = 0;
    for (size_t i = 0; i < p->count; i++) {
        const struct ArrowArray *a = &p->at[i];
        const uint8_t *valid = a->null_count ? a->buffers[0] : NULL;
        for (int64_t k = 0; valid && k < a->length; k++) {
            int64_t bit = a->offset + k;
            if (valid[bit / 8] >> (bit % 8) & 1) continue;
            PyErr_Format(PyExc_ValueError, "row %lld is null", before + k);
            return false;
        }
        before += a->length;
    }
    return true;
}

/* --- numbers ------------------------------------------------------------------------------------ */

static const column_kind *number_kind(const struct ArrowSchema *schema) {
    return schema->format[0] && !schema->format[1] && !schema->dictionary ? column_kind_of_arrow(schema->format[0])
                                                                          : NULL;
}

static const char *values_of(const struct ArrowArray *a, size_t each) {
    return a->length ? (const char *)a->buffers[1] + (size_t)a->offset * each : NULL;
}

/* Joins several chunks into one array. */
static bool join(pieces *p, size_t each, int64_t total) {
    char *to = p->joined = malloc((size_t)total * each + 1);
    for (size_t i = 0; to && i < p->count; i++) {
        size_t bytes = (size_t)p->at[i].length * each;
        if (bytes) memcpy(to, values_of(&p->at[i], each), bytes);
        to += bytes;
    }
    if (!to) PyErr_NoMemory();
    return to != NULL;
}

/* The column keeps the chunks; without a column they are released here. */
static PyObject *numbers(binding_state *state, pieces *p, const column_kind *kind) {
    int64_t total = 0;
    bool good = true;
    for (size_t i = 0; good && i < p->count; i++) {
        good = plausible(&p->at[i], 2);
        if (good && total > PY_SSIZE_T_MAX / 16 - p->at[i].length) good = damaged("its length is out of range");
        if (good) total += p->at[i].length;
    }
    good = good && complete(p) && (p->count == 1 || join(p, kind->bytes, total));
    PyObject *owner = good ? PyCapsule_New(p, "weft_arrow", end) : NULL;
    if (!owner) {
        drop(p);
        return NULL;
    }
    const void *data = p->count == 1 ? values_of(&p->at[0], kind->bytes) : p->joined;
    PyObject *made = column_new(state, owner, "values", kind->letter, data, (Py_ssize_t)total, 0);
    Py_DECREF(owner);
    return made;
}

/* --- strings --------------------------------------------------------------------------------------- */

static bool is_text(const struct ArrowSchema *schema) {
    const char *f = schema->format;
    return (!strcmp(f, "u") || !strcmp(f, "U") || !strcmp(f, "vu")) && !schema->dictionary;
}

/* A string view of 16 bytes: the text itself, or its location.  The last buffer has the lengths of the buffers with
 * texts. */
static PyObject *view_at(const struct ArrowArray *a, int64_t i) {
    const char *view = (const char *)a->buffers[1] + 16 * (a->offset + i), *text = view + 4;
    int32_t length, buffer, at;
    memcpy(&length, view, sizeof length);
    bool good = length >= 0;
    if (length > 12) {
        int64_t room = 0;
        const char *lengths = a->buffers[a->n_buffers - 1];
        memcpy(&buffer, view + 8, sizeof buffer);
        memcpy(&at, view + 12, sizeof at);
        good = buffer >= 0 && buffer < a->n_buffers - 3 && at >= 0 && lengths && a->buffers[2 + buffer];
        if (good) memcpy(&room, lengths + 8 * (size_t)buffer, sizeof room);
        good = good && (int64_t)at + length <= room;
        text = good ? (const char *)a->buffers[2 + buffer] + at : NULL;
    }
    if (good) return PyUnicode_DecodeUTF8(text, length, "surrogateescape");
    damaged("a string lies outside of its buffer");
    return NULL;
}

/* Entry i of the offsets, of 32 or 64 bits. */
static int64_t offset_at(const struct ArrowArray *a, bool wide, int64_t i) {
    const char *offsets = a->buffers[1];
    int64_t large;
    int32_t small;
    if (wide) {
        memcpy(&large, offsets + 8 * (a->offset + i), sizeof large);
        return large;
    }
    memcpy(&small, offsets + 4 * (a->offset + i), sizeof small);
    return small;
}

static PyObject *string_at(const struct ArrowArray *a, const char *format, int64_t i) {
    if (format[0] == 'v') return view_at(a, i);
    int64_t first = offset_at(a, format[0] == 'U', i), last = offset_at(a, format[0] == 'U', i + 1);
    /* The last offset is taken as the length of the text, which is not known otherwise. */
    int64_t room = offset_at(a, format[0] == 'U', a->length);
    if (first >= 0 && first <= last && last <= room && (a->buffers[2] || first == last))
        return PyUnicode_DecodeUTF8(first < last ? (const char *)a->buffers[2] + first : "", (Py_ssize_t)(last - first),
                                    "surrogateescape");
    damaged("its offsets do not ascend");
    return NULL;
}

static PyObject *strings(const pieces *p) {
    bool good = true;
    for (size_t i = 0; good && i < p->count; i++) good = plausible(&p->at[i], 3);
    PyObject *list = good && complete(p) ? PyList_New(0) : NULL;
    for (size_t i = 0; list && i < p->count; i++)
        for (int64_t k = 0; list && k < p->at[i].length; k++) {
            PyObject *text = signals_ok(k) ? string_at(&p->at[i], p->schema.format, k) : NULL;
            if (!text || PyList_Append(list, text)) Py_CLEAR(list);
            Py_XDECREF(text);
        }
    return list;
}

PyObject *arrow_values(PyObject *module, PyObject *source) {
    pieces *p = calloc(1, sizeof *p);
    if (!p) return PyErr_NoMemory();
    bool good = PyObject_HasAttrString(source, "__arrow_c_array__") ? take_array(source, p) : take_stream(source, p);
    if (good && !p->schema.format) good = damaged("it has no type");
    const column_kind *kind = good ? number_kind(&p->schema) : NULL;
    if (kind) return numbers(binding_of(module), p, kind);
    PyObject *list = NULL;
    if (good && is_text(&p->schema))
        list = strings(p);
    else if (good)
        PyErr_Format(PyExc_TypeError, "Arrow arrays of type '%s' are no ids or weights", p->schema.format);
    drop(p);
    return list;
}
