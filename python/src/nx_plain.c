/* The short way over NetworkX's dicts, for graphs without parallel edges whose nodes are of a simple kind (nx_index.h).
 * Needs: the GIL, which is not given up.  No code of others runs, so that nothing changes and nothing has to be held.
 * Method: what a walk waits for is memory, since nodes, dicts and numbers lie anywhere.  So rows and entries are taken in lots, and each step
 * is done for the whole lot, with the memory that the next step will touch asked for early. */
#include "nx_walk.h"

enum { LOT = 64, ROWS = 16 };

typedef struct lot {
    PyObject *node[LOT], *data[LOT];
    int count;
} lot;

/* The attribute's value, NULL if there is none; false: a key that is not a string, which might compare in its own way. */
static bool value_of(PyObject *data, PyObject *attribute, PyObject **value) {
    PyObject *key;
    Py_ssize_t place = 0;
    if (!PyDict_CheckExact(data)) return false;
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
        __builtin_prefetch(PyTuple_GetItem(l->node[i], 0));
        __builtin_prefetch(PyTuple_GetItem(l->node[i], 1));
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

static bool put_weights(nx_walk *w, const lot *l) {
    PyObject *value[LOT];
    for (int i = 0; i < l->count; i++) {
        if (!value_of(l->data[i], w->attribute, &value[i])) return false;
        __builtin_prefetch(value[i]);
    }
    for (int i = 0; i < l->count; i++)
        if (nx_take_value(w, value[i], w->at + (uint64_t)i)) return false;
    return true;
}

static bool put_lot(nx_walk *w, lot *l) {
    if (w->at + (uint64_t)l->count > w->room) return false;
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
    for (int i = 0; i < count; i++) { /* these wait for all rows at once; what they find does not matter */
        Py_ssize_t begin = 0;
        if (!PyDict_CheckExact(row[i])) return -1;
        if (PyDict_Next(row[i], &begin, &first, &data)) __builtin_prefetch(first);
    }
    return count;
}

static bool take_row(nx_walk *w, PyObject *row, lot *l) {
    PyObject *data;
    Py_ssize_t place = 0;
    while (PyDict_Next(row, &place, &l->node[l->count], &data)) {
        __builtin_prefetch(l->node[l->count]);
        if (w->attribute) __builtin_prefetch(data);
        l->data[l->count++] = data;
        if (l->count == LOT && !put_lot(w, l)) return false;
    }
    return true;
}

nx_walked nx_walk_plain(nx_walk *w, PyObject *adjacency) {
    nx_clock clock = {0};
    lot l = {.count = 0};
    Py_ssize_t place = 0;
    if (w->g->multigraph || w->g->index.kind == NX_OBJECTS || (w->attribute && !PyUnicode_CheckExact(w->attribute)))
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
