/* Strings and integers, numbered in the order of their first occurrence: a hash table with open addressing, at most
 * half full. */
#include "nx/build.h"

#include <stdlib.h>
#include <string.h>

bool nx_names_open(nx_names *names) {
    *names = (nx_names){.room = 512, .mask = 1023};
    names->name = malloc(names->room * sizeof *names->name);
    names->slots = calloc(names->mask + 1, sizeof *names->slots);
    if (names->name && names->slots) return true;
    PyErr_NoMemory();
    return false;
}

void nx_names_close(nx_names *names) {
    free(names->name);
    free(names->slots);
}

static uint64_t mix(uint64_t x) {
    x *= 0x9e3779b97f4a7c15u;
    return x ^ x >> 32;
}

static uint64_t hash_of(const nx_name *name) {
    if (!name->text) return mix(name->size);
    uint64_t h = name->size, word;
    size_t i = 0;
    for (; i + 8 <= name->size; i += 8) {
        memcpy(&word, name->text + i, 8);
        h = mix(h ^ word);
    }
    word = 0;
    memcpy(&word, name->text + i, name->size - i);
    return mix(h ^ word);
}

static bool same(const nx_name *a, const nx_name *b) {
    return a->size == b->size && (!a->text || !memcmp(a->text, b->text, a->size));
}

static bool grow(nx_names *names) {
    uint64_t mask = 4 * names->room - 1;
    nx_name *name = realloc(names->name, 2 * names->room * sizeof *name);
    uint32_t *slots = name ? calloc(mask + 1, sizeof *slots) : NULL;
    if (name) names->name = name;
    if (!slots || 2 * names->room >= WEFT_NO_VERTEX) {
        free(slots);
        PyErr_NoMemory();
        return false;
    }
    names->room *= 2;
    for (uint64_t i = 0; i < names->used; i++) {
        uint64_t at = hash_of(&name[i]) & mask;
        while (slots[at]) at = (at + 1) & mask;
        slots[at] = (uint32_t)(i + 1);
    }
    free(names->slots);
    names->slots = slots;
    names->mask = mask;
    return true;
}

static bool number(nx_names *names, nx_name wanted, weft_vid *v) {
    uint64_t at = hash_of(&wanted) & names->mask;
    for (; names->slots[at]; at = (at + 1) & names->mask)
        if (same(&names->name[names->slots[at] - 1], &wanted)) {
            *v = names->slots[at] - 1;
            return true;
        }
    *v = (weft_vid)names->used;
    names->name[names->used++] = wanted;
    names->slots[at] = (uint32_t)names->used;
    return names->used < names->room ? true : grow(names);
}

bool nx_name_text(nx_names *names, const char *text, size_t size, weft_vid *v) {
    return number(names, (nx_name){text, size}, v);
}

bool nx_name_integer(nx_names *names, int64_t value, weft_vid *v) {
    return number(names, (nx_name){NULL, (uint64_t)value}, v);
}

PyObject *nx_names_list(const nx_names *names) {
    PyObject *list = PyList_New((Py_ssize_t)names->used);
    for (uint64_t i = 0; list && i < names->used; i++) {
        const nx_name *name = &names->name[i];
        PyObject *node = name->text ? PyUnicode_FromStringAndSize(name->text, (Py_ssize_t)name->size)
                                    : PyLong_FromLongLong((int64_t)name->size);
        if (!node || PyList_SetItem(list, (Py_ssize_t)i, node)) Py_CLEAR(list);
    }
    return list;
}
