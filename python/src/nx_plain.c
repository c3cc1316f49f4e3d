/* The short way over NetworkX's dicts, for graphs without parallel edges whose nodes are of a simple kind (nx_index.h).
 * Needs: the GIL, which is not given up.  No code of others runs, so that nothing changes and nothing has to be held.
 * Method: what a walk waits for is memory, since nodes, dicts and numbers lie anywhere.  So rows and entries are taken in lots, and each step
 * is done for the whole lot, with the memory that the next step will touch asked for early.  Where rows lead through weights in another order than
 * that in which these lie in memory, many rows are copied first, as pointers, and lots are taken in the order of memory (nx_near.c). */
#include "nx_walk.h"

#include <math.h>
#include <stdlib.h>

enum { LOT = 64, ROWS = 16, LINE = 64, CHUNK = 1 << 20 };

/* Half of Python's numbers begin 16 bytes before the end of a cache line, and their value is in the next one; so is the text of a string. */
enum { NUMBER_AT = 16, TEXT_AT = 48 };
NX_FETCHES void fetch(const PyObject *object, size_t value) {
    __builtin_prefetch(object);
    __builtin_prefetch((const void *)((uintptr_t)object + value)); /* of NULL too */
}

/* The pointer to a dict's table is its fifth word in every Python so far.  In another one something else is fetched, which does no harm.
 * False: not a dict. */
enum { TABLE_AT = 4 * sizeof(void *), TABLE_END = TABLE_AT + sizeof(void *) };
NX_FETCHES bool fetch_table(PyObject *dict, size_t bytes) {
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

/* An entry of a row, and then what became of it, in the same place. */
typedef struct entry {
    union {
        PyObject *node;
        uint64_t number; /* of the node; IS_FLOAT is said of the weight */
    };
    union {
        PyObject *data;
        double weight;
    };
} entry;
#define IS_FLOAT ((uint64_t)1 << 32)

/* Entries that take each step together. */
typedef struct lot {
    entry *of[LOT];
    int count;
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

static bool put_numbers(nx_walk *w, lot *l) {
    for (int i = 0; i < l->count; i++) {
        int64_t v;
        if (!nx_whole(l->of[i]->node, &v) || v < 0 || (uint64_t)v >= w->g->n) return false;
        l->of[i]->number = (uint64_t)v;
    }
    return true;
}

static bool put_keys(nx_walk *w, lot *l) {
    const nx_index *index = &w->g->index;
    nx_key key[LOT];
    for (int i = 0; index->kind == NX_PAIRS && i < l->count; i++) {
        PyObject *node = l->of[i]->node;
        if (!PyTuple_CheckExact(node) || PyTuple_Size(node) != 2) return false;
        fetch(PyTuple_GetItem(node, 0), NUMBER_AT);
        fetch(PyTuple_GetItem(node, 1), NUMBER_AT);
    }
    for (int i = 0; i < l->count; i++) {
        if (!nx_key_of(index->kind, l->of[i]->node, &key[i])) return false;
        __builtin_prefetch(nx_place_of(index, key[i]));
    }
    for (int i = 0; i < l->count; i++) {
        int64_t v = nx_find_key(index, key[i]);
        if (v < 0) return false;
        l->of[i]->number = (uint64_t)v;
    }
    return true;
}

/* Floats, which most weights are, are taken here; false: one is odd. */
static bool put_weights(nx_walk *w, lot *l) {
    PyObject *value[LOT];
    double least = w->g->least, largest = w->g->largest;
    for (int i = 0; i < l->count; i++) {
        if (!value_of(l->of[i]->data, w->attribute, &value[i])) return false;
        fetch(value[i], NUMBER_AT);
    }
    for (int i = 0; i < l->count; i++) {
        double weight;
        bool is_float = true;
        if (!value[i] || !PyFloat_CheckExact(value[i])) {
            if (nx_read_value(w, value[i], &weight, &is_float)) return false;
        } else {
            weight = PyFloat_AsDouble(value[i]);
            if (isnan(weight)) return false;
            w->any_float = true;
            least = weight < least ? weight : least;
            largest = weight > largest ? weight : largest;
        }
        l->of[i]->weight = weight;
        if (is_float) l->of[i]->number |= IS_FLOAT;
    }
    if (least < w->g->least) w->g->least = least;
    if (largest > w->g->largest) w->g->largest = largest;
    return true;
}

static bool put_lot(nx_walk *w, lot *l) {
    for (int i = 0; w->attribute && i < l->count; i++)
        if (!fetch_table(l->of[i]->data, 2 * LINE)) return false;
    if (!(w->g->index.kind == NX_IDENTITY ? put_numbers(w, l) : put_keys(w, l))) return false;
    return !w->attribute || put_weights(w, l);
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

/* --- chunks -------------------------------------------------------------------------------------------- */

/* Entries on their way: one lot in the order of rows, or many in the order of memory. */
typedef struct chunk {
    entry *entries; /* in the order of rows */
    uint64_t count, room;
    uint64_t *order; /* of memory, with as much room to sort behind it; NULL: rows are taken as they come */
    size_t value;    /* where a node has its value */
} chunk;

NX_FETCHES void fetch_entry(const nx_walk *w, const chunk *c, const entry *e) {
    fetch(e->node, c->value);
    if (w->attribute) __builtin_prefetch(e->data);
}

/* Results, in the order of rows. */
static bool hand_over(nx_walk *w, chunk *c) {
    if (w->at + c->count > w->room) return false;
    for (uint64_t i = 0; i < c->count; i++) w->to->targets[w->at + i] = (weft_vid)c->entries[i].number;
    for (uint64_t i = 0; w->attribute && i < c->count; i++) {
        w->to->weights[w->at + i] = c->entries[i].weight;
        w->to->is_float[w->at + i] = (c->entries[i].number & IS_FLOAT) != 0;
    }
    w->at += c->count;
    c->count = 0;
    return true;
}

static bool put_chunk(nx_walk *w, chunk *c) {
    bool sorted = c->order && nx_near_order(&c->entries->data, sizeof *c->entries, c->count, c->order);
    lot l;
    for (uint64_t i = 0; i < c->count;) {
        for (l.count = 0; l.count < LOT && i < c->count; i++) {
            uint64_t later = i + LOT, latest = i + 2 * LOT;
            if (sorted && latest < c->count) __builtin_prefetch(&c->entries[(uint32_t)c->order[latest]], 1);
            if (sorted && later < c->count) fetch_entry(w, c, &c->entries[(uint32_t)c->order[later]]);
            l.of[l.count++] = &c->entries[sorted ? (uint32_t)c->order[i] : i];
        }
        if (!put_lot(w, &l)) return false;
    }
    return hand_over(w, c);
}

static bool take_row(nx_walk *w, PyObject *row, chunk *c) {
    Py_ssize_t place = 0;
    for (entry *e = &c->entries[c->count]; PyDict_Next(row, &place, &e->node, &e->data); e = &c->entries[c->count]) {
        if (!c->order) fetch_entry(w, c, e);
        if (++c->count == c->room && !put_chunk(w, c)) return false;
    }
    return true;
}

/* Do edges have what the order of memory is for?  The first rows are looked at. */
static bool is_for_sorting(const nx_walk *w, PyObject *adjacency) {
    PyObject *key, *row, *node, *data[NX_NEAR_FEW];
    uint64_t count = 0;
    for (Py_ssize_t place = 0; count < NX_NEAR_FEW && PyDict_Next(adjacency, &place, &key, &row);)
        for (Py_ssize_t at = 0;
             PyDict_CheckExact(row) && count < NX_NEAR_FEW && PyDict_Next(row, &at, &node, &data[count]);)
            count++;
    return w->attribute && nx_near_scattered(data, sizeof *data, count);
}

/* False: there is no memory. */
static bool open_chunk(const nx_walk *w, PyObject *adjacency, chunk *c) {
    bool sorts = is_for_sorting(w, adjacency);
    *c = (chunk){.room = !sorts            ? LOT
                         : w->room < CHUNK ? w->room
                                           : CHUNK,
                 .value = w->g->index.kind == NX_TEXTS ? TEXT_AT : NUMBER_AT};
    c->entries = nx_take(c->room, sizeof *c->entries);
    c->order = sorts ? nx_take(2 * c->room, sizeof *c->order) : NULL;
    return c->entries && (c->order || !sorts);
}

static nx_walked walk(nx_walk *w, PyObject *adjacency, chunk *c) {
    nx_clock clock = {0};
    Py_ssize_t place = 0;
    for (uint64_t u = 0; u < w->g->n;) {
        PyObject *row[ROWS];
        int count = next_rows(w, adjacency, &place, u, row);
        if (count < 0) return NX_ODD;
        uint64_t before = w->at + c->count;
        for (int i = 0; i < count; i++) {
            w->to->offsets[u++] = w->at + c->count;
            if (!take_row(w, row[i], c)) return NX_ODD;
        }
        /* A signal's handler is code of others: it may only run while nothing is on its way. */
        clock.steps += w->at + c->count - before + ROWS;
        if (clock.steps < NX_POLL_EVERY || clock.steps < c->room) continue;
        if (!put_chunk(w, c)) return NX_ODD;
        if (!nx_go_on(&clock, 0)) return NX_FAILED;
    }
    if (!put_chunk(w, c)) return NX_ODD;
    w->to->offsets[w->g->n] = w->at;
    return NX_DONE;
}

nx_walked nx_walk_plain(nx_walk *w, PyObject *adjacency) {
    chunk c;
    if (!has_table() || w->g->multigraph || w->longest > 2 * NX_POLL_EVERY || w->g->index.kind == NX_OBJECTS ||
        (w->attribute && !PyUnicode_CheckExact(w->attribute)))
        return NX_ODD;
    nx_walked done = open_chunk(w, adjacency, &c) ? walk(w, adjacency, &c) : NX_ODD;
    free(c.entries);
    free(c.order);
    return done;
}
