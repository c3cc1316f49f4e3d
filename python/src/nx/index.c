/* Tables of nodes by value or by hash, and arrays by value. */
#include "nx/graph.h"

#include <stdlib.h>

enum { NARROW = 8 }; /* maximum ratio of an array's length to the number of nodes; slots take no less memory */

static nx_slot *empty_slots(uint64_t room) {
    nx_slot *slots = malloc(room * sizeof *slots);
    if (!slots) PyErr_NoMemory();
    for (uint64_t i = 0; slots && i < room; i++) slots[i].v = WEFT_NO_VERTEX;
    return slots;
}

static void put(const nx_index *index, nx_slot *slots, nx_key key, uint64_t v) {
    uint64_t at = nx_slot_of(index, key);
    while (slots[at].v != WEFT_NO_VERTEX) at = (at + 1) & index->mask;
    slots[at] = (nx_slot){key, (weft_vid)v};
}

static bool fill_hashed(const nx_index *index, nx_slot *slots, PyObject *const *node, uint64_t n) {
    for (uint64_t v = 0; v < n; v++) {
        Py_hash_t hash = PyObject_Hash(node[v]);
        if (hash == -1) return false;
        put(index, slots, (nx_key){(uint64_t)hash, 0}, v);
    }
    return true;
}

static nx_kind kind_of(PyObject *node) {
    if (PyLong_CheckExact(node)) return NX_INTEGERS;
    if (PyUnicode_CheckExact(node)) return NX_TEXTS;
    return PyTuple_CheckExact(node) ? NX_PAIRS : NX_OBJECTS;
}

static bool fill_values(const nx_index *index, PyObject *const *node, uint64_t n) {
    nx_key key;
    for (uint64_t v = 0; v < n; v++) {
        if (!nx_key_of(index->kind, node[v], &key)) return false;
        put(index, index->slots, key, v);
    }
    return true;
}

/* Fills the array.  False: the nodes are not integers of a narrow range, or out of memory; slots work for all nodes. */
static bool fill_narrow(nx_index *index, PyObject *const *node, uint64_t n) {
    uint64_t least = UINT64_MAX, largest = 0;
    nx_key key;
    for (uint64_t v = 0; v < n; v++) {
        if (!nx_key_of(NX_INTEGERS, node[v], &key)) return false;
        least = key.low < least ? key.low : least;
        largest = key.low > largest ? key.low : largest;
    }
    if (!n || (largest - least) / NARROW >= n) return false;
    index->narrow = nx_take(largest - least + 1, sizeof *index->narrow);
    if (!index->narrow) return false;
    index->kind = NX_INTEGERS;
    index->first = least;
    index->span = largest - least + 1;
    for (uint64_t i = 0; i < index->span; i++) index->narrow[i] = WEFT_NO_VERTEX;
    for (uint64_t v = 0; v < n; v++)
        if (nx_key_of(NX_INTEGERS, node[v], &key)) index->narrow[key.low - least] = (weft_vid)v;
    return true;
}

bool nx_index_fill(nx_index *index, PyObject *const *node, uint64_t n) {
    uint64_t room = 16;
    if (fill_narrow(index, node, n)) return true;
    index->shift = 60;
    for (; room < n + n / 2; room *= 2) index->shift--;
    index->mask = room - 1;
    index->slots = empty_slots(room);
    if (!index->slots) return false;
    index->kind = n ? kind_of(node[0]) : NX_OBJECTS;
    if (index->kind != NX_OBJECTS && fill_values(index, node, n)) return true;
    index->kind = NX_OBJECTS;
    for (uint64_t i = 0; i < room; i++) index->slots[i].v = WEFT_NO_VERTEX;
    return fill_hashed(index, index->slots, node, n);
}

static int64_t find_hash(const nx_index *index, const nx_slot *slots, PyObject *const *nodes, PyObject *node) {
    Py_hash_t hash = PyObject_Hash(node);
    if (hash == -1) return -2;
    nx_key key = {(uint64_t)hash, 0};
    for (uint64_t at = nx_slot_of(index, key); slots[at].v != WEFT_NO_VERTEX; at = (at + 1) & index->mask) {
        weft_vid v = slots[at].v;
        if (slots[at].key.low != key.low) continue;
        if (nodes[v] == node) return v;
        int equal = PyObject_RichCompareBool(nodes[v], node, Py_EQ);
        if (equal) return equal < 0 ? -2 : (int64_t)v;
    }
    return -1;
}

/* Nodes are integers, and the object is not: it equals a node if it is 1.0, True or Fraction(1). */
static int64_t integer_like(const nx_index *index, PyObject *const *nodes, uint64_t n, PyObject *node) {
    Py_hash_t hash = PyObject_Hash(node); /* equal numbers have equal hashes; an integer below 2^60 is its own hash */
    if (hash == -1) return -2;
    if (hash < 0) return -1;
    int64_t v = index->kind != NX_IDENTITY ? nx_find_key(index, (nx_key){(uint64_t)hash, 0})
                : (uint64_t)hash < n       ? (int64_t)hash
                                           : -1;
    if (v < 0 || nodes[v] == node) return v;
    int equal = PyObject_RichCompareBool(nodes[v], node, Py_EQ);
    return equal < 0 ? -2 : equal ? v : -1;
}

int64_t nx_index_find(nx_index *index, PyObject *const *nodes, uint64_t n, PyObject *node) {
    nx_key key;
    int64_t value;
    switch (index->kind) {
    case NX_IDENTITY:
        if (!PyLong_CheckExact(node)) return integer_like(index, nodes, n, node);
        return nx_whole(node, &value) && value >= 0 && (uint64_t)value < n ? value : -1;
    case NX_INTEGERS:
        if (nx_key_of(NX_INTEGERS, node, &key)) return nx_find_key(index, key);
        return PyLong_CheckExact(node) ? -1 : integer_like(index, nodes, n, node);
    case NX_TEXTS:
    case NX_PAIRS:
        if (nx_key_of(index->kind, node, &key)) return nx_find_key(index, key);
        if (index->kind == NX_TEXTS && PyUnicode_CheckExact(node)) return -1;
        if (!index->hashed) {
            index->hashed = empty_slots(index->mask + 1);
            if (!index->hashed || !fill_hashed(index, index->hashed, nodes, n)) return -2;
        }
        return find_hash(index, index->hashed, nodes, node);
    default: return find_hash(index, index->slots, nodes, node);
    }
}

static bool copy_of(void **to, const void *from, size_t bytes) {
    *to = from ? malloc(bytes) : NULL;
    if (*to) memcpy(*to, from, bytes);
    if (from && !*to) PyErr_NoMemory();
    return !from || *to;
}

bool nx_index_copy(const nx_index *from, nx_index *to) {
    *to = *from;
    to->slots = to->hashed = NULL;
    return copy_of((void **)&to->narrow, from->narrow, from->span * sizeof *to->narrow) &&
           copy_of((void **)&to->slots, from->slots, (from->mask + 1) * sizeof *to->slots);
}

void nx_index_free(nx_index *index) {
    free(index->narrow);
    free(index->slots);
    free(index->hashed);
}
