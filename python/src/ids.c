/* Ids of vertices as columns: for all vertices the graph's own array if there is one; otherwise the ids are
 * gathered. */
#include "binding.h"

#include <stdlib.h>
#include <string.h>

/* Gathered ids, in one block that a capsule frees. */
typedef struct gathered {
    int64_t *numbers;
    uint64_t *starts;
    char *text;
    uint8_t *valid;
    char *name;
    bool missing;
} gathered;

static void drop(gathered *all) {
    free(all->numbers);
    free(all->starts);
    free(all->text);
    free(all->valid);
    free(all->name);
    free(all);
}

static void end(PyObject *capsule) { drop(PyCapsule_GetPointer(capsule, "weft_ids")); }

static bool gather_strings(const weft_ids *ids, weft_vid n, const weft_vid *vertex, size_t count, gathered *to) {
    uint64_t bytes = 0;
    for (size_t i = 0; i < count; i++)
        if (vertex[i] < n) bytes += ids->starts[vertex[i] + 1] - ids->starts[vertex[i]];
    to->starts = malloc((count + 1) * sizeof *to->starts);
    to->text = malloc((size_t)bytes + 1);
    if (!to->starts || !to->text) return false;
    uint64_t used = 0;
    for (size_t i = 0; i < count; i++) {
        to->starts[i] = used;
        if (vertex[i] >= n) continue;
        uint64_t length = ids->starts[vertex[i] + 1] - ids->starts[vertex[i]];
        memcpy(to->text + used, ids->text + ids->starts[vertex[i]], (size_t)length);
        used += length;
    }
    to->starts[count] = used;
    return true;
}

static bool gather_numbers(const weft_ids *ids, weft_vid n, const weft_vid *vertex, size_t count, gathered *to) {
    to->numbers = malloc((count + 1) * sizeof *to->numbers);
    if (!to->numbers) return false;
    for (size_t i = 0; i < count; i++) {
        weft_vid v = vertex ? vertex[i] : (weft_vid)i;
        to->numbers[i] = v >= n ? -1 : ids->numbers ? ids->numbers[v] : ids->base + (int64_t)v;
    }
    return true;
}

static bool gather_valid(weft_vid n, const weft_vid *vertex, size_t count, gathered *to) {
    for (size_t i = 0; vertex && i < count && !to->missing; i++) to->missing = vertex[i] >= n;
    if (!to->missing) return true;
    to->valid = calloc(count / 8 + 1, 1);
    for (size_t i = 0; to->valid && i < count; i++)
        if (vertex[i] < n) to->valid[i / 8] |= (uint8_t)(1 << (i % 8));
    return to->valid != NULL;
}

static PyObject *as_column(binding_state *state, gathered *all, size_t count) {
    PyObject *owner = PyCapsule_New(all, "weft_ids", end);
    if (!owner) {
        drop(all);
        return NULL;
    }
    char format = all->starts ? 'z' : 'q';
    column *c = (column *)column_new(state, owner, all->name, format, all->starts ? (void *)all->text : all->numbers,
                                     (Py_ssize_t)count, 0);
    Py_DECREF(owner);
    if (!c) return NULL;
    c->starts = all->starts;
    c->valid = all->valid;
    return (PyObject *)c;
}

/* The ids of all vertices, if there is an array of them. */
static PyObject *whole(binding_state *state, PyObject *self, const weft_ids *ids, weft_vid n) {
    bool text = ids->kind == WEFT_IDS_STRING;
    column *c = (column *)column_new(state, self, "id", text ? 'z' : 'q', text ? (const void *)ids->text : ids->numbers,
                                     (Py_ssize_t)n, 0);
    if (c) c->starts = ids->starts;
    return (PyObject *)c;
}

/* id_column(vertices or None, name) */
PyObject *graph_id_column(PyObject *self, PyObject *args) {
    const weft_graph *g = ((graph *)self)->g;
    binding_state *state = binding_of_type(Py_TYPE(self));
    weft_ids ids = {.size = sizeof ids};
    weft_vid n = weft_graph_vertices(g);
    binding_call c;
    Py_buffer view = {.obj = NULL};
    PyObject *vertices;
    const char *name;
    if (!PyArg_ParseTuple(args, "Os", &vertices, &name)) return NULL;
    if (!state || !call_begin(&c, state, NULL)) return NULL;
    if (!call_end(&c, weft_graph_ids(c.ctx, g, &ids))) return NULL;
    if (vertices == Py_None && ids.kind != WEFT_IDS_DENSE) return whole(state, self, &ids, n);
    if (vertices != Py_None && PyObject_GetBuffer(vertices, &view, PyBUF_C_CONTIGUOUS)) return NULL;
    size_t count = view.obj ? (size_t)view.len / sizeof(weft_vid) : n;
    gathered *all = calloc(1, sizeof *all);
    bool room = all != NULL && (all->name = strdup(name)) != NULL;
    Py_BEGIN_ALLOW_THREADS if (room) room =
        (ids.kind == WEFT_IDS_STRING ? gather_strings : gather_numbers)(&ids, n, view.buf, count, all) &&
        gather_valid(n, view.buf, count, all);
    Py_END_ALLOW_THREADS if (view.obj) PyBuffer_Release(&view);
    if (room) return as_column(state, all, count);
    if (all) drop(all);
    return PyErr_NoMemory();
}
