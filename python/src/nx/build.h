/* Graphs for NetworkX that are made here, and become dicts only when the dicts are used. */
#ifndef WEFT_NX_BUILD_H
#define WEFT_NX_BUILD_H

#include "nx/graph.h"

/* Edges in the order in which they are added; edges may repeat. */
typedef struct nx_edges {
    const weft_vid *from, *to;
    const double *weights; /* NULL: none */
    bool all_float;        /* weights are floats; else all are ints */
    uint64_t count;
} nx_edges;

/* nodes: a list of n, or NULL for the integers 0 ... n-1. */
PyObject *nx_build_rows(binding_state *state, PyObject *nodes, uint64_t n, const nx_edges *edges, bool directed);

/* --- names in the order of their first occurrence (nx/names.c) ------------------------------------------------ */

typedef struct nx_name {
    const char *text; /* NULL: an integer */
    uint64_t size;    /* bytes, or the integer itself */
} nx_name;

typedef struct nx_names {
    nx_name *name;
    uint64_t used, room, mask;
    uint32_t *slots; /* number + 1; 0: empty */
} nx_names;

bool nx_names_open(nx_names *names);
void nx_names_close(nx_names *names);
/* The name's number; false: an exception is set.  The text is not copied; the caller keeps it alive. */
bool nx_name_text(nx_names *names, const char *text, size_t size, weft_vid *number);
bool nx_name_integer(nx_names *names, int64_t value, weft_vid *number);
/* A list of str or int. */
PyObject *nx_names_list(const nx_names *names);

/* --- functions of the module -------------------------------------------------------------------------------------- */

PyObject *nx_build(PyObject *module, PyObject *args);
PyObject *nx_pairs(PyObject *module, PyObject *args);
PyObject *nx_parse(PyObject *module, PyObject *args);
PyObject *nx_uniform(PyObject *module, PyObject *adjacency);

#endif
