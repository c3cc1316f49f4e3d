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

/* The weight that an edge's value is, NULL if it has none.  What is odd about it, or NULL. */
const char *nx_read_value(nx_walk *w, PyObject *value, double *weight, bool *is_float);

/* The order in which these pointers lie in memory (nx_near.c): order[i] has, in its low 32 bits, the place of the i-th; as much room is needed behind it.
 * False: they are few, near each other or in a good order already, which is not scattered. */
enum { NX_NEAR_FEW = 1 << 12 };
bool nx_near_scattered(const void *pointers, size_t stride, uint64_t count);
bool nx_near_order(const void *pointers, size_t stride, uint64_t count, uint64_t *order);

/* ODD: something that this way is not made for; everything can be forgotten.  FAILED: an exception is set. */
typedef enum nx_walked { NX_DONE, NX_ODD, NX_FAILED } nx_walked;
nx_walked nx_walk_plain(nx_walk *w, PyObject *adjacency);

#endif
