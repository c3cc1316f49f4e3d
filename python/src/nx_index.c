/* Tables of nodes by value or by hash. */
#include "nx_index.h"

#include <stdlib.h>

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

bool nx_index_fill(nx_index *index, PyObject *const *node, uint64_t n) {
    uint64_t room = 16;
    while (room < n + n / 2) room *= 2;
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

/* Nodes are 0 ... n-1, and this is something else: equal to one of them if it is 1.0, True or Fraction(1). */
static int64_t number_like(PyObject *const *nodes, uint64_t n, PyObject *node) {
    Py_hash_t hash = PyObject_Hash(node); /* equal numbers have equal hashes, and that of a small integer is itself */
    if (hash == -1) return -2;
    if (hash < 0 || (uint64_t)hash >= n) return -1;
    int equal = nodes[hash] == node ? 1 : PyObject_RichCompareBool(nodes[hash], node, Py_EQ);
    return equal < 0 ? -2 : equal ? hash : -1;
}

int64_t nx_index_find(nx_index *index, PyObject *const *nodes, uint64_t n, PyObject *node) {
    nx_key key;
    int64_t value;
    switch (index->kind) {
    case NX_IDENTITY:
        if (!PyLong_CheckExact(node)) return number_like(nodes, n, node);
        return nx_whole(node, &value) && value >= 0 && (uint64_t)value < n ? value : -1;
    case NX_INTEGERS:
        if (nx_key_of(NX_INTEGERS, node, &key)) return nx_find_key(index, key);
        return PyLong_CheckExact(node) ? -1 : find_hash(index, index->slots, nodes, node);
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

bool nx_index_copy(const nx_index *from, nx_index *to) {
    *to = (nx_index){.kind = from->kind, .mask = from->mask};
    if (!from->slots) return true;
    size_t bytes = (from->mask + 1) * sizeof *to->slots;
    to->slots = malloc(bytes);
    if (to->slots)
        memcpy(to->slots, from->slots, bytes);
    else
        PyErr_NoMemory();
    return to->slots != NULL;
}

void nx_index_free(nx_index *index) {
    free(index->slots);
    free(index->hashed);
}
