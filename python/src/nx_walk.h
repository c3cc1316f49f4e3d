/* A walk over NetworkX's dicts that fills rows: what the two ways of it share (nx_convert.c, nx_plain.c). */
#ifndef WEFT_NX_WALK_H
#define WEFT_NX_WALK_H

#include "nx_graph.h"

typedef struct nx_walk {
    nx_graph *g;
    nx_rows *to;
    uint64_t room, longest; /* entries of all rows, and of the longest */
    uint64_t at;
    PyObject *attribute; /* NULL: no weights */
    double missing;      /* the weight of an edge without the attribute */
    bool missing_float, any_whole, any_float;
} nx_walk;

/* An edge's value, NULL if it has none, becomes weight number `at`.  What is odd about it, or NULL. */
const char *nx_take_value(nx_walk *w, PyObject *value, uint64_t at);

/* ODD: something that this way is not made for; everything can be forgotten.  FAILED: an exception is set. */
typedef enum nx_walked { NX_DONE, NX_ODD, NX_FAILED } nx_walked;
nx_walked nx_walk_plain(nx_walk *w, PyObject *adjacency);

#endif
