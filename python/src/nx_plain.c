/* The short way over NetworkX's dicts, for graphs without parallel edges whose nodes are of a simple kind (nx_index.h).
 * Needs: the GIL, which is not given up.  No code of others runs, so that nothing changes and nothing has to be held.
 * Method: what a walk waits for is memory, since nodes, dicts and numbers lie anywhere.  So rows and entries are taken in lots, and each step
 * is done for the whole lot, with the memory that the next step will touch asked for early. */
#include "nx_walk.h"

#include <math.h>

enum { LOT = 64, ROWS = 16, LINE = 64 };

/* Half of Python's numbers begin 16 bytes before the end of a cache line, and their value is in the next one; so is the text of a string. */
enum { NUMBER_AT = 16, TEXT_AT = 48 };
static inline void fetch(const PyObject *object, size_t value) {
    __builtin_prefetch(object);
    __builtin_prefetch((const void *)((uintptr_t)object + value)); /* of NULL too */
}

/* The pointer to a dict's table is its fifth word in every Python so far.  In another one something else is fetched, which does no harm.
 * False: not a dict. */
enum { TABLE_AT = 4 * sizeof(void *), TABLE_END = TABLE_AT + sizeof(void *) };
static inline bool fetch_table(PyObject *dict, size_t bytes) {
    uintptr_t table;
    if (!PyDict_CheckExact(dict)) return false;
    memcpy(&table, (const char *)dict + TABLE_AT, sizeof table);
    for (size_t at = 0; at < bytes; at += LINE) __builtin_prefetch((const void *)(table + at));
    return true;
}

/* Whether a dict has so many bytes. */
static bool has_table(void) {
    PyObject *size = PyObject_GetAttrString((PyObject *)&PyDict_Type, "__basicsize__");
    bool there = size && PyLong_AsSsize_t(size) >= (Py_ssize_t)TABLE_END;
    Py_XDECREF(size);
    PyErr_Clear();
    return there;
}

typedef struct lot {
    PyObject *node[LOT], *data[LOT];
    int count;
    size_t value; /* where a node has its value */
} lot;

/* The attribute's value, NULL if there is none; false: a key that is not a string, which might compare in its own way. */
static bool value_of(PyObject *data, PyObject *attribute, PyObject **value) {
    PyObject *key;
    Py_ssize_t place = 0;
    while (PyDict_Next(data, &place, &key, value)) {
        if (key == attribute) return true;
        if (!PyUnicode_CheckExact(key)) return false;
        if (!PyUnicode_Compare(key, attribute)) return true;
    }
    *value = NULL;
    return true;
}

static bool put_numbers(nx_walk *w, const lot *l) {
    for (int i = 0; i < l->count; i++) {
        int64_t v;
        if (!nx_whole(l->node[i], &v) || v < 0 || (uint64_t)v >= w->g->n) return false;
        w->to->targets[w->at + (uint64_t)i] = (weft_vid)v;
    }
    return true;
}

static bool put_keys(nx_walk *w, const lot *l) {
    const nx_index *index = &w->g->index;
    nx_key key[LOT];
    for (int i = 0; index->kind == NX_PAIRS && i < l->count; i++) {
        if (!PyTuple_CheckExact(l->node[i]) || PyTuple_Size(l->node[i]) != 2) return false;
        fetch(PyTuple_GetItem(l->node[i], 0), NUMBER_AT);
        fetch(PyTuple_GetItem(l->node[i], 1), NUMBER_AT);
    }
    for (int i = 0; i < l->count; i++) {
        if (!nx_key_of(index->kind, l->node[i], &key[i])) return false;
        __builtin_prefetch(&index->slots[nx_slot_of(index, key[i])]);
    }
    for (int i = 0; i < l->count; i++) {
        int64_t v = nx_find_key(index, key[i]);
        if (v < 0) return false;
        w->to->targets[w->at + (uint64_t)i] = (weft_vid)v;
    }
    return true;
}

/* Floats, which most weights are, are taken here; false: one is odd. */
static bool put_weights(nx_walk *w, const lot *l) {
    PyObject *value[LOT];
    double *to = w->to->weights + w->at, least = w->g->least, largest = w->g->largest;
    for (int i = 0; i < l->count; i++) {
        if (!value_of(l->data[i], w->attribute, &value[i])) return false;
        fetch(value[i], NUMBER_AT);
    }
    for (int i = 0; i < l->count; i++) {
        if (!value[i] || !PyFloat_CheckExact(value[i])) {
            if (nx_take_value(w, value[i], w->at + (uint64_t)i)) return false;
            continue;
        }
        double weight = PyFloat_AsDouble(value[i]);
        if (isnan(weight)) return false;
        to[i] = weight;
        w->to->is_float[w->at + (uint64_t)i] = true;
        w->any_float = true;
        least = weight < least ? weight : least;
        largest = weight > largest ? weight : largest;
    }
    if (least < w->g->least) w->g->least = least;
    if (largest > w->g->largest) w->g->largest = largest;
    return true;
}

static bool put_lot(nx_walk *w, lot *l) {
    if (w->at + (uint64_t)l->count > w->room) return false;
    for (int i = 0; w->attribute && i < l->count; i++)
        if (!fetch_table(l->data[i], 2 * LINE)) return false;
    if (!(w->g->index.kind == NX_IDENTITY ? put_numbers(w, l) : put_keys(w, l))) return false;
    if (w->attribute && !put_weights(w, l)) return false;
    w->at += (uint64_t)l->count;
    l->count = 0;
    return true;
}

/* The next rows, in the order of nodes, which adjacency mostly has; how many, -1: it has another. */
static int next_rows(const nx_walk *w, PyObject *adjacency, Py_ssize_t *place, uint64_t u, PyObject **row) {
    PyObject *key, *first, *data;
    int count = 0;
    for (; count < ROWS && u + (uint64_t)count < w->g->n; count++) {
        if (!PyDict_Next(adjacency, place, &key, &row[count]) || key != w->g->node[u + (uint64_t)count]) return -1;
        __builtin_prefetch(row[count]);
    }
    for (int i = 0; i < count; i++)
        if (!fetch_table(row[i], 4 * LINE)) return -1;
    for (int i = 0; i < count; i++) { /* these wait for all rows at once; what they find does not matter */
        Py_ssize_t begin = 0;
        if (PyDict_Next(row[i], &begin, &first, &data)) __builtin_prefetch(first);
    }
    return count;
}

static bool take_row(nx_walk *w, PyObject *row, lot *l) {
    PyObject *data;
    Py_ssize_t place = 0;
    while (PyDict_Next(row, &place, &l->node[l->count], &data)) {
        fetch(l->node[l->count], l->value);
        if (w->attribute) __builtin_prefetch(data);
        l->data[l->count++] = data;
        if (l->count == LOT && !put_lot(w, l)) return false;
    }
    return true;
}

nx_walked nx_walk_plain(nx_walk *w, PyObject *adjacency) {
    nx_clock clock = {0};
    lot l = {.value = w->g->index.kind == NX_TEXTS ? TEXT_AT : NUMBER_AT};
    Py_ssize_t place = 0;
    if (!has_table() || w->g->multigraph || w->longest > 2 * NX_POLL_EVERY || w->g->index.kind == NX_OBJECTS ||
        (w->attribute && !PyUnicode_CheckExact(w->attribute)))
        return NX_ODD;
    for (uint64_t u = 0; u < w->g->n;) {
        PyObject *row[ROWS];
        int count = next_rows(w, adjacency, &place, u, row);
        if (count < 0) return NX_ODD;
        uint64_t before = w->at;
        for (int i = 0; i < count; i++) {
            w->to->offsets[u++] = w->at + (uint64_t)l.count;
            if (!take_row(w, row[i], &l)) return NX_ODD;
        }
        /* A signal's handler is code of others: it may only run while nothing is on its way. */
        clock.steps += w->at - before + ROWS;
        if (clock.steps < NX_POLL_EVERY) continue;
        if (l.count && !put_lot(w, &l)) return NX_ODD;
        if (!nx_go_on(&clock, 0)) return NX_FAILED;
    }
    if (l.count && !put_lot(w, &l)) return NX_ODD;
    w->to->offsets[w->g->n] = w->at;
    return NX_DONE;
}
