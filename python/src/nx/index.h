/* From nodes to their numbers.  Most graphs have nodes of one simple kind, whose value fits two words: then a word of a
 * table is compared instead of an object, no foreign code can run, and several look-ups overlap (nx/plain.c). */
#ifndef WEFT_NX_INDEX_H
#define WEFT_NX_INDEX_H

#include "binding.h"

#include <math.h>
#include <string.h>

typedef enum nx_kind {
    NX_IDENTITY, /* node i is the integer i: no table */
    NX_INTEGERS, /* of 0 ... 2^60: each is its own hash */
    NX_TEXTS,    /* ASCII strings of up to 15 characters */
    NX_PAIRS,    /* tuples of two integers of 64 bits */
    NX_OBJECTS,  /* anything hashable */
} nx_kind;

typedef struct nx_key {
    uint64_t low, high;
} nx_key;

typedef struct nx_slot {
    nx_key key; /* of objects: low is the hash */
    weft_vid v; /* WEFT_NO_VERTEX: empty */
} nx_slot;

/* A hash table with open addressing, or an array if integers have a narrow range, as 1 ... n and the ids of many
 * files. */
typedef struct nx_index {
    nx_kind kind;
    weft_vid *narrow; /* nodes of the integers first, first + 1, ...; WEFT_NO_VERTEX: none.  NULL: slots are used */
    uint64_t first, span;
    nx_slot *slots;  /* NULL: identity, or narrow */
    uint64_t mask;   /* slots - 1 */
    unsigned shift;  /* 64 - their logarithm */
    nx_slot *hashed; /* by hash, of texts and pairs: made when an object of another kind is looked up */
} nx_index;

/* Only the highest bits of a product depend on all bits of the key: the last characters of a text are in its high
 * bits. */
static inline uint64_t nx_slot_of(const nx_index *index, nx_key key) {
    return (key.low * 0x9e3779b97f4a7c15u ^ (key.high + 1) * 0xc2b2ae3d27d4eb4fu) >> index->shift;
}

/* The address that nx_find_key() will read first. */
static inline const void *nx_place_of(const nx_index *index, nx_key key) {
    uint64_t at = key.low - index->first;
    if (index->narrow) return &index->narrow[at < index->span ? at : 0];
    return &index->slots[nx_slot_of(index, key)];
}

static inline int64_t nx_find_key(const nx_index *index, nx_key key) {
    if (index->narrow) {
        uint64_t at = key.low - index->first;
        return at < index->span && index->narrow[at] != WEFT_NO_VERTEX ? (int64_t)index->narrow[at] : -1;
    }
    for (uint64_t at = nx_slot_of(index, key); index->slots[at].v != WEFT_NO_VERTEX; at = (at + 1) & index->mask)
        if (index->slots[at].key.low == key.low && index->slots[at].key.high == key.high) return index->slots[at].v;
    return -1;
}

static inline bool nx_whole(PyObject *node, int64_t *value) {
    int overflow;
    if (!PyLong_CheckExact(node)) return false;
    *value = PyLong_AsLongLongAndOverflow(node, &overflow);
    return !overflow;
}

static inline uint64_t nx_bytes(const char *text, size_t size) {
    uint64_t word = 0;
    memcpy(&word, text, size);
    return word;
}

/* False: not a short ASCII string.  Only these have as many bytes of UTF-8 as characters. */
static inline bool nx_text_key(PyObject *node, nx_key *key) {
    Py_ssize_t size, length = PyUnicode_CheckExact(node) ? PyUnicode_GetLength(node) : 16;
    if (length > 15) return false;
    const char *text = PyUnicode_AsUTF8AndSize(node, &size);
    if (!text) PyErr_Clear(); /* a lone surrogate */
    if (!text || size != length) return false;
    key->high = (uint64_t)size << 56;
    if (size >= 8) {
        key->low = nx_bytes(text, 8);
        if (size > 8) key->high |= nx_bytes(text + size - 8, 8) >> 8 * (16 - size);
    } else if (size >= 4) {
        key->low = nx_bytes(text, 4) | nx_bytes(text + size - 4, 4) << 8 * (size - 4);
    } else {
        key->low = 0;
        for (Py_ssize_t i = 0; i < size; i++) key->low |= (uint64_t)(unsigned char)text[i] << 8 * i;
    }
    return true;
}

/* The key of a node of the graph's kind; false: it is of another kind.  Not for identity and objects.  Runs no foreign
 * code. */
static inline bool nx_key_of(nx_kind kind, PyObject *node, nx_key *key) {
    int64_t value[2] = {0, 0};
    if (kind == NX_TEXTS) return nx_text_key(node, key);
    if (kind == NX_PAIRS) {
        if (!PyTuple_CheckExact(node) || PyTuple_Size(node) != 2 || !nx_whole(PyTuple_GetItem(node, 0), &value[0]) ||
            !nx_whole(PyTuple_GetItem(node, 1), &value[1]))
            return false;
    } else if (!nx_whole(node, &value[0]) || value[0] < 0 || value[0] >= 1LL << 60) {
        return false; /* from 2^61-1 on integers differ from their hashes */
    }
    *key = (nx_key){(uint64_t)value[0], (uint64_t)value[1]};
    return true;
}

/* Not equal to itself: NetworkX's answer depends on whether it compares objects, or looks them up in a dict. */
static inline bool nx_is_nan(PyObject *node) { return PyFloat_Check(node) && isnan(PyFloat_AsDouble(node)); }

/* Is node i the integer i? */
static inline bool nx_is_number(PyObject *node, uint64_t i) {
    int64_t value;
    return nx_whole(node, &value) && value == (int64_t)i;
}

/* Fills the index of n nodes that are not all their own numbers; false: an exception is set. */
bool nx_index_fill(nx_index *index, PyObject *const *node, uint64_t n);
/* The number of a node: -1 not among them, -2 an exception is set (an unhashable node is not in the graph). */
int64_t nx_index_find(nx_index *index, PyObject *const *nodes, uint64_t n, PyObject *node);
bool nx_index_copy(const nx_index *from, nx_index *to);
void nx_index_free(nx_index *index);

#endif
