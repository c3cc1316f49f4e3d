/* Columns and tables in Arrow's C data interface, whose structs these are; an exported array keeps its column alive, so
 * nothing is copied. */
#include "arrow.h"
#include "binding.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NULLABLE = 2 };

/* --- parts allocated by malloc, and freed with the schema or array that has them ---------------- */

typedef struct schema_parts {
    char format[32];
    char *name;
} schema_parts;

static void release_schema(struct ArrowSchema *s) {
    for (int64_t i = 0; i < s->n_children; i++) {
        if (s->children[i]->release) s->children[i]->release(s->children[i]);
        free(s->children[i]);
    }
    schema_parts *parts = s->private_data;
    free(s->children);
    free(parts->name);
    free(parts);
    s->release = NULL;
}

static bool make_schema(struct ArrowSchema *s, const char *format, const char *name, int64_t children) {
    schema_parts *parts = calloc(1, sizeof *parts);
    char *copy = strdup(name);
    struct ArrowSchema **below = calloc((size_t)children + 1, sizeof *below);
    bool room = parts && copy && below;
    for (int64_t i = 0; room && i < children; i++) room = (below[i] = calloc(1, sizeof **below)) != NULL;
    if (!room) {
        for (int64_t i = 0; below && i < children; i++) free(below[i]);
        free(parts);
        free(copy);
        free(below);
        return false;
    }
    snprintf(parts->format, sizeof parts->format, "%s", format);
    parts->name = copy;
    *s = (struct ArrowSchema){.format = parts->format,
                              .name = parts->name,
                              .flags = NULLABLE,
                              .n_children = children,
                              .children = below,
                              .release = release_schema,
                              .private_data = parts};
    return true;
}

typedef struct array_parts {
    const void *buffers[3];
    PyObject *keep;
    uint8_t *valid; /* made for this array */
} array_parts;

static void release_array(struct ArrowArray *a) {
    for (int64_t i = 0; i < a->n_children; i++) {
        if (a->children[i]->release) a->children[i]->release(a->children[i]);
        free(a->children[i]);
    }
    array_parts *parts = a->private_data;
    free(a->children);
    if (parts->keep) {
        PyGILState_STATE gil = PyGILState_Ensure();
        Py_DECREF(parts->keep);
        PyGILState_Release(gil);
    }
    free(parts->valid);
    free(parts);
    a->release = NULL;
}

static bool make_array(struct ArrowArray *a, int64_t length, int64_t buffers, int64_t children, PyObject *keep) {
    array_parts *parts = calloc(1, sizeof *parts);
    struct ArrowArray **below = calloc((size_t)children + 1, sizeof *below);
    bool room = parts && below;
    for (int64_t i = 0; room && i < children; i++) room = (below[i] = calloc(1, sizeof **below)) != NULL;
    if (!room) {
        for (int64_t i = 0; below && i < children; i++) free(below[i]);
        free(parts);
        free(below);
        return false;
    }
    Py_XINCREF(keep);
    parts->keep = keep;
    *a = (struct ArrowArray){.length = length,
                             .n_buffers = buffers,
                             .n_children = children,
                             .buffers = parts->buffers,
                             .children = below,
                             .release = release_array,
                             .private_data = parts};
    return true;
}

/* --- a column -------------------------------------------------------------------------------------- */

static const char *arrow_format(char format) { return column_kind_of(format)->arrow; }

/* Rows of missing values become null; the values stay unchanged. */
static bool mark_gaps(const column *c, struct ArrowArray *a) {
    const uint32_t *value = c->data;
    int64_t count = 0;
    for (int64_t i = 0; i < a->length; i++) count += value[i] == WEFT_UNREACHED;
    if (!count) return true;
    uint8_t *valid = calloc((size_t)a->length / 8 + 1, 1);
    if (!valid) return false;
    for (int64_t i = 0; i < a->length; i++) valid[i / 8] |= (uint8_t)((value[i] != WEFT_UNREACHED) << (i % 8));
    ((array_parts *)a->private_data)->valid = valid;
    a->buffers[0] = valid;
    a->null_count = count;
    return true;
}

static bool numbers_array(column *c, struct ArrowArray *a, int64_t length) {
    if (!make_array(a, length, c->format == 'z' ? 3 : 2, 0, (PyObject *)c)) return false;
    a->buffers[0] = c->valid;
    a->buffers[1] = c->format == 'z' ? (const void *)c->starts : c->data;
    if (c->format == 'z') a->buffers[2] = c->data;
    if (c->valid) a->null_count = -1; /* unknown; consumers count */
    return !c->gaps || mark_gaps(c, a);
}

static bool export_column(column *c, struct ArrowSchema *s, struct ArrowArray *a) {
    char list[32];
    *s = (struct ArrowSchema){.release = NULL};
    *a = (struct ArrowArray){.release = NULL};
    if (!c->width) return make_schema(s, arrow_format(c->format), c->name, 0) && numbers_array(c, a, c->length);
    snprintf(list, sizeof list, "+w:%lld", (long long)c->width);
    return make_schema(s, list, c->name, 1) && make_schema(s->children[0], arrow_format(c->format), "item", 0) &&
           make_array(a, c->length, 1, 1, NULL) && numbers_array(c, a->children[0], c->length * c->width);
}

static void end_schema(PyObject *capsule) {
    struct ArrowSchema *s = PyCapsule_GetPointer(capsule, "arrow_schema");
    if (s->release) s->release(s);
    free(s);
}
static void end_array(PyObject *capsule) {
    struct ArrowArray *a = PyCapsule_GetPointer(capsule, "arrow_array");
    if (a->release) a->release(a);
    free(a);
}

PyObject *column_arrow_array(PyObject *self, PyObject *args, PyObject *keywords) {
    static char *names[] = {"requested_schema", NULL};
    PyObject *requested = Py_None, *first = NULL, *second = NULL, *both = NULL;
    column *c = (column *)self;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|O", names, &requested) || !column_bring(c)) return NULL;
    struct ArrowSchema *s = calloc(1, sizeof *s);
    struct ArrowArray *a = calloc(1, sizeof *a);
    bool good = s && a && export_column(c, s, a);
    if (good) first = PyCapsule_New(s, "arrow_schema", end_schema);
    if (first) second = PyCapsule_New(a, "arrow_array", end_array);
    if (second) both = PyTuple_Pack(2, first, second);
    if (!good) PyErr_NoMemory();
    if (!first && s && s->release) s->release(s);
    if (!second && a && a->release) a->release(a);
    if (!first) free(s);
    if (!second) free(a);
    Py_XDECREF(first);
    Py_XDECREF(second);
    return both;
}

/* --- a table, as a stream of one batch ----------------------------------------------------------------- */

typedef struct batch {
    struct ArrowSchema schema;
    struct ArrowArray array;
    bool given;
} batch;

static bool copy_schema(const struct ArrowSchema *from, struct ArrowSchema *to) {
    if (!make_schema(to, from->format, from->name ? from->name : "", from->n_children)) return false;
    for (int64_t i = 0; i < from->n_children; i++)
        if (!copy_schema(from->children[i], to->children[i])) return false;
    return true;
}

static int stream_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out) {
    return copy_schema(&((batch *)stream->private_data)->schema, out) ? 0 : ENOMEM;
}

static int stream_next(struct ArrowArrayStream *stream, struct ArrowArray *out) {
    batch *b = stream->private_data;
    *out = b->given ? (struct ArrowArray){.release = NULL} : b->array;
    b->array.release = NULL;
    b->given = true;
    return 0;
}

static const char *stream_error(struct ArrowArrayStream *stream) {
    (void)stream;
    return "out of memory";
}

static void release_stream(struct ArrowArrayStream *stream) {
    batch *b = stream->private_data;
    if (b->schema.release) b->schema.release(&b->schema);
    if (b->array.release) b->array.release(&b->array);
    free(b);
    stream->release = NULL;
}

static void end_stream(PyObject *capsule) {
    struct ArrowArrayStream *stream = PyCapsule_GetPointer(capsule, "arrow_array_stream");
    if (stream->release) stream->release(stream);
    free(stream);
}

/* Takes over the capsules of a column's __arrow_c_array__. */
static bool add_child(batch *b, int64_t i, PyObject *source, PyObject *name) {
    PyObject *both = PyObject_CallMethod(source, "__arrow_c_array__", NULL);
    const char *text = both ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
    PyObject *first = text ? PyTuple_GetItem(both, 0) : NULL, *second = first ? PyTuple_GetItem(both, 1) : NULL;
    struct ArrowSchema *s = second ? PyCapsule_GetPointer(first, "arrow_schema") : NULL;
    struct ArrowArray *a = s ? PyCapsule_GetPointer(second, "arrow_array") : NULL;
    bool good = false;
    if (a && make_schema(b->schema.children[i], s->format, text, s->n_children)) {
        good = true;
        for (int64_t k = 0; good && k < s->n_children; k++)
            good = copy_schema(s->children[k], b->schema.children[i]->children[k]);
        *b->array.children[i] = *a;
        a->release = NULL;
    }
    if (!good && !PyErr_Occurred()) PyErr_NoMemory();
    Py_XDECREF(both);
    return good;
}

/* arrow_stream(names, columns, rows): a capsule of a stream. */
PyObject *arrow_stream(PyObject *module, PyObject *args) {
    PyObject *names, *columns, *capsule = NULL;
    Py_ssize_t rows;
    (void)module;
    if (!PyArg_ParseTuple(args, "O!O!n", &PyList_Type, &names, &PyList_Type, &columns, &rows)) return NULL;
    Py_ssize_t count = PyList_Size(columns);
    struct ArrowArrayStream *stream = calloc(1, sizeof *stream);
    batch *b = calloc(1, sizeof *b);
    bool good = stream && b && make_schema(&b->schema, "+s", "", count) && make_array(&b->array, rows, 1, count, NULL);
    if (!good) PyErr_NoMemory();
    if (good) b->schema.flags = 0;
    for (Py_ssize_t i = 0; good && i < count; i++)
        good = add_child(b, i, PyList_GetItem(columns, i), PyList_GetItem(names, i));
    if (b && stream) *stream = (struct ArrowArrayStream){stream_schema, stream_next, stream_error, release_stream, b};
    if (good) capsule = PyCapsule_New(stream, "arrow_array_stream", end_stream);
    if (capsule) return capsule;
    if (b && stream)
        release_stream(stream);
    else
        free(b);
    free(stream);
    return NULL;
}
