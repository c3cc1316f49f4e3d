/* The faster walk over NetworkX's dicts, for graphs without parallel edges whose nodes are of a simple kind
 * (nx/index.h).
 * Needs: the GIL, which is never released.  No foreign code runs, so nothing changes and no references have to be held.
 * Method: the walk is bound by memory latency, since nodes, dicts and numbers lie anywhere.  So rows and entries are
 * processed in batches, each step for the whole batch, with a prefetch of the memory of the next step.  If weights are
 * not in memory in the order of rows, pointers to the edges' data are collected first, and read in the order of memory
 * (nx/near.c). */
#include "nx/walk.h"

#include <math.h>
#include <stdlib.h>

enum { LOT = 64, ROWS = 16, LINE = 64 };

/* Half of Python's numbers begin 16 bytes before the end of a cache line, and their value is in the next line; likewise
 * the text of a string. */
enum { NUMBER_AT = 16, TEXT_AT = 48 };
NX_FETCHES void fetch(const PyObject *object, size_t value) {
    __builtin_prefetch(object);
    __builtin_prefetch((const void *)((uintptr_t)object + value)); /* harmless for NULL */
}

/* The pointer to a dict's table is its fifth word in every Python so far.  If that changes, the prefetch is useless but
 * harmless.  False: not a dict. */
enum { TABLE_AT = 4 * sizeof(void *), TABLE_END = TABLE_AT + sizeof(void *) };
NX_FETCHES bool fetch_table(PyObject *dict, size_t bytes) {
    uintptr_t table;
    if (!PyDict_CheckExact(dict)) return false;
    memcpy(&table, (const char *)dict + TABLE_AT, sizeof table);
    for (size_t at = 0; at < bytes; at += LINE) __builtin_prefetch((const void *)(table + at));
    return true;
}

/* Is a dict large enough to have that word? */
static bool has_table(void) {
    PyObject *size = PyObject_GetAttrString((PyObject *)&PyDict_Type, "__basicsize__");
    bool there = size && PyLong_AsSsize_t(size) >= (Py_ssize_t)TABLE_END;
    Py_XDECREF(size);
    PyErr_Clear();
    return there;
}

/* A batch: nodes that take each step together, and the data of their edges. */
typedef struct lot {
    PyObject *node[LOT], *data[LOT];
    int count;
} lot;

/* *value: the attribute's value, or NULL; false: a key that is not a string, which might have a comparison of its
 * own. */
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

static bool put_numbers(nx_walk *w, const lot *l, weft_vid *to) {
    for (int i = 0; i < l->count; i++) {
        int64_t v;
        if (!nx_whole(l->node[i], &v) || v < 0 || (uint64_t)v >= w->g->n) return false;
        to[i] = (weft_vid)v;
    }
    return true;
}

/* Looks up `count` nodes by value; places[i] is the index of node i's number in `to`. */
static bool put_keys(nx_walk *w, PyObject *const *nodes, const int *places, int count, weft_vid *to) {
    const nx_index *index = &w->g->index;
    nx_key key[LOT];
    for (int i = 0; index->kind == NX_PAIRS && i < count; i++) {
        if (!PyTuple_CheckExact(nodes[i]) || PyTuple_Size(nodes[i]) != 2) return false;
        fetch(PyTuple_GetItem(nodes[i], 0), NUMBER_AT);
        fetch(PyTuple_GetItem(nodes[i], 1), NUMBER_AT);
    }
    for (int i = 0; i < count; i++) {
        if (!nx_key_of(index->kind, nodes[i], &key[i])) return false;
        __builtin_prefetch(nx_place_of(index, key[i]));
    }
    for (int i = 0; i < count; i++) {
        int64_t v = nx_find_key(index, key[i]);
        if (v < 0) return false;
        to[places[i]] = (weft_vid)v;
    }
    return true;
}

NX_FETCHES void fetch_value(const nx_walk *w, const PyObject *node) {
    fetch(node, w->g->index.kind == NX_TEXTS ? TEXT_AT : NUMBER_AT);
}

/* Looks up the graph's own objects by address, as edges mostly have these, then the others by value. */
static bool put_nodes(nx_walk *w, const lot *l, nx_same *same, weft_vid *to) {
    PyObject *node[LOT];
    int place[LOT], count = 0;
    for (int i = 0; i < l->count; i++) {
        to[i] = same->slots ? nx_same_find(same, l->node[i]) : WEFT_NO_VERTEX;
        if (to[i] != WEFT_NO_VERTEX) continue;
        node[count] = l->node[i];
        place[count++] = i;
    }
    for (int i = 0; same->slots && i < count; i++) fetch_value(w, node[i]);
    if (!put_keys(w, node, place, count, to)) return false;
    if (w->g->index.slots) nx_same_learn(same, w->g, l->node, to, l->count); /* an array is as fast as the table */
    return true;
}

/* Writes the weights of a batch to the given places, or consecutively.  Floats, the usual case, are handled here;
 * false: one is odd. */
static bool put_weights(nx_walk *w, PyObject *const *data, const uint64_t *places, uint64_t first, int count) {
    PyObject *value[LOT];
    double least = w->g->least, largest = w->g->largest;
    for (int i = 0; i < count; i++)
        if (!fetch_table(data[i], 2 * LINE)) return false;
    for (int i = 0; i < count; i++) {
        if (!value_of(data[i], w->attribute, &value[i])) return false;
        fetch(value[i], NUMBER_AT);
    }
    for (int i = 0; i < count; i++) {
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
        uint64_t at = first + (places ? places[i] : (uint64_t)i);
        w->to->weights[at] = weight;
        w->to->is_float[at] = is_float;
    }
    if (least < w->g->least) w->g->least = least;
    if (largest > w->g->largest) w->g->largest = largest;
    return true;
}

/* The next rows, in the order of nodes, which adjacency mostly has; returns their number, or -1 if the order
 * differs. */
static int next_rows(const nx_walk *w, PyObject *adjacency, Py_ssize_t *place, uint64_t u, PyObject **row) {
    PyObject *key, *first, *data;
    int count = 0;
    for (; count < ROWS && u + (uint64_t)count < w->g->n; count++) {
        if (!PyDict_Next(adjacency, place, &key, &row[count]) || key != w->g->node[u + (uint64_t)count]) return -1;
        __builtin_prefetch(row[count]);
    }
    for (int i = 0; i < count; i++)
        if (!fetch_table(row[i], 4 * LINE)) return -1;
    for (int i = 0; i < count; i++) { /* these first reads of all rows overlap; their results are not used */
        Py_ssize_t begin = 0;
        if (PyDict_Next(row[i], &begin, &first, &data)) __builtin_prefetch(first);
    }
    return count;
}

/* --- weights in the order of memory --------------------------------------------------------------------- */

/* Data of the edges of many rows; positions count from `first`. */
typedef struct chunk {
    PyObject **data; /* NULL: weights are read row by row */
    uint64_t *order;
    uint64_t first, count, room;
} chunk;

/* Both directions of an edge share one dict, and are close in the order of memory: the second copies the value found by
 * the first. */
enum { TWINS = 256 };
typedef struct twins {
    PyObject *data[TWINS];
    uint64_t place[TWINS];
} twins;

static uint64_t *twin_of(twins *t, PyObject *data, uint64_t place) {
    uint64_t at = ((uintptr_t)data * 0x9e3779b97f4a7c15u) >> 56;
    if (t->data[at] == data) return &t->place[at];
    t->data[at] = data;
    t->place[at] = place;
    return NULL;
}

static void copy_weights(nx_walk *w, uint64_t first, const uint64_t (*copy)[2], int count) {
    for (int i = 0; i < count; i++) {
        w->to->weights[first + copy[i][1]] = w->to->weights[first + copy[i][0]];
        w->to->is_float[first + copy[i][1]] = w->to->is_float[first + copy[i][0]];
    }
}

static bool put_chunk(nx_walk *w, chunk *c) {
    nx_near_order order = {.words = c->order};
    twins seen = {{NULL}, {0}};
    PyObject *data[LOT];
    uint64_t place[LOT], copy[LOT][2];
    if (c->first + c->count > w->room || !nx_near_sort(&order, c->data, c->count)) return false;
    for (uint64_t i = 0; i < c->count;) {
        int count = 0, copies = 0;
        for (; count < LOT && copies < LOT && i < c->count; i++) {
            if (i + 2 * LOT < c->count) __builtin_prefetch(nx_near_pointer(&order, i + 2 * LOT));
            if (i + LOT < c->count && !fetch_table(nx_near_pointer(&order, i + LOT), 2 * LINE)) return false;
            PyObject *next = nx_near_pointer(&order, i);
            uint64_t to = nx_near_place(&order, i), *twin = w->g->directed ? NULL : twin_of(&seen, next, to);
            if (twin) {
                copy[copies][0] = *twin;
                copy[copies++][1] = to;
            } else {
                data[count] = next;
                place[count++] = to;
            }
        }
        if (!put_weights(w, data, place, c->first, count)) return false;
        copy_weights(w, c->first, copy, copies);
    }
    c->first += c->count;
    c->count = 0;
    return true;
}

/* Is sorting by address worth it for the data of edges?  Decided by a sample of rows. */
static bool is_for_sorting(const nx_walk *w, PyObject *adjacency) {
    PyObject *key, *row, *node, *data[NX_NEAR_SAMPLE];
    uint64_t u = 0, far = 0, looks = 0, step = w->g->n / 16 + 1, count = 0;
    for (Py_ssize_t place = 0; w->attribute && PyDict_Next(adjacency, &place, &key, &row); u++) {
        if (u % step == 0) count = 0; /* a sample begins */
        if (count == NX_NEAR_SAMPLE || !PyDict_CheckExact(row)) continue;
        for (Py_ssize_t at = 0; count < NX_NEAR_SAMPLE && PyDict_Next(row, &at, &node, &data[count]);) count++;
        if (count < NX_NEAR_SAMPLE) continue;
        far += nx_near_far(data, count);
        looks += count - 1;
    }
    return 4 * far > looks;
}

/* False: out of memory. */
static bool open_chunk(const nx_walk *w, PyObject *adjacency, chunk *c) {
    *c = (chunk){.room = w->room < NX_NEAR_MOST ? w->room + 1 : NX_NEAR_MOST};
    if (!is_for_sorting(w, adjacency)) return true;
    c->data = nx_take(c->room, sizeof *c->data);
    c->order = nx_take(2 * c->room, sizeof *c->order);
    return c->data && c->order;
}

/* --- rows ------------------------------------------------------------------------------------------------ */

/* State of the walk. */
typedef struct load {
    lot l;
    nx_same same;
    chunk c;
} load;

static bool put_lot(nx_walk *w, load *on) {
    lot *l = &on->l;
    if (w->at + (uint64_t)l->count > w->room) return false;
    weft_vid *to = w->to->targets + w->at;
    if (!(w->g->index.kind == NX_IDENTITY ? put_numbers(w, l, to) : put_nodes(w, l, &on->same, to))) return false;
    if (w->attribute && !on->c.data && !put_weights(w, l->data, NULL, w->at, l->count)) return false;
    w->at += (uint64_t)l->count;
    l->count = 0;
    return true;
}

static bool take_row(nx_walk *w, PyObject *row, load *on) {
    lot *l = &on->l;
    chunk *c = &on->c;
    PyObject *data;
    for (Py_ssize_t place = 0; PyDict_Next(row, &place, &l->node[l->count], &data);) {
        if (on->same.slots)
            __builtin_prefetch(nx_same_place(&on->same, l->node[l->count]));
        else
            fetch_value(w, l->node[l->count]);
        if (c->data) {
            if (c->count == c->room && !put_chunk(w, c)) return false;
            c->data[c->count++] = data;
        } else if (w->attribute) {
            __builtin_prefetch(data);
            l->data[l->count] = data;
        }
        if (++l->count == LOT && !put_lot(w, on)) return false;
    }
    return true;
}

static nx_walked walk(nx_walk *w, PyObject *adjacency, load *on) {
    nx_clock clock = {0};
    Py_ssize_t place = 0;
    for (uint64_t u = 0; u < w->g->n;) {
        PyObject *row[ROWS];
        int count = next_rows(w, adjacency, &place, u, row);
        if (count < 0) return NX_ODD;
        uint64_t before = w->at;
        for (int i = 0; i < count; i++) {
            w->to->offsets[u++] = w->at + (uint64_t)on->l.count;
            if (!take_row(w, row[i], on)) return NX_ODD;
        }
        /* A signal handler is foreign code: it may only run while no batch is pending. */
        clock.steps += w->at - before + ROWS;
        if (clock.steps < NX_POLL_EVERY || (on->c.data && clock.steps < on->c.room)) continue;
        if (!put_lot(w, on) || !put_chunk(w, &on->c)) return NX_ODD;
        if (!nx_go_on(&clock, 0)) return NX_FAILED;
    }
    if (!put_lot(w, on) || !put_chunk(w, &on->c)) return NX_ODD;
    w->to->offsets[w->g->n] = w->at;
    return NX_DONE;
}

nx_walked nx_walk_plain(nx_walk *w, PyObject *adjacency) {
    load on = {.l.count = 0};
    if (!has_table() || w->g->multigraph || w->longest > 2 * NX_POLL_EVERY || w->g->index.kind == NX_OBJECTS ||
        (w->attribute && !PyUnicode_CheckExact(w->attribute)))
        return NX_ODD;
    nx_walked done = open_chunk(w, adjacency, &on.c) ? walk(w, adjacency, &on) : NX_ODD;
    nx_same_close(&on.same);
    free(on.c.data);
    free(on.c.order);
    return done;
}
