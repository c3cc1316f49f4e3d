/* A walk over NetworkX's dicts that fills rows: declarations shared by nx/convert.c and nx/plain.c. */
#ifndef WEFT_NX_WALK_H
#define WEFT_NX_WALK_H

#include "nx/graph.h"

typedef struct nx_walk {
    nx_graph *g;
    nx_rows *to;
    uint64_t room, longest; /* entries of all rows; of the longest row */
    uint64_t at;
    PyObject *attribute; /* NULL: no weights */
    double missing;      /* the weight of an edge without the attribute */
    bool missing_float, any_whole, any_float;
} nx_walk;

/* The weight of an edge's value, NULL if it has none.  Returns the fault of the value, or NULL. */
const char *nx_read_value(nx_walk *w, PyObject *value, double *weight, bool *is_float);

/* --- objects in the order of memory (nx/near.c) ----------------------------------------------------------- */

/* A word has an object's distance from the first in units of NX_NEAR_ALIGN bytes, and in its lowest bits the object's
 * original index. */
enum { NX_NEAR_ALIGN = 16, NX_NEAR_PLACE = 20, NX_NEAR_MOST = 1 << NX_NEAR_PLACE, NX_NEAR_SAMPLE = 256 };
typedef struct nx_near_order {
    uint64_t *words; /* one for each object, and as many again for sorting */
    uintptr_t least;
} nx_near_order;

static inline uint64_t nx_near_word(const nx_near_order *order, const PyObject *object, uint64_t place) {
    return (uint64_t)((uintptr_t)object - order->least) / NX_NEAR_ALIGN << NX_NEAR_PLACE | place;
}
static inline PyObject *nx_near_pointer(const nx_near_order *order, uint64_t i) {
    return (PyObject *)(order->least + (order->words[i] >> NX_NEAR_PLACE) * NX_NEAR_ALIGN);
}
static inline uint64_t nx_near_place(const nx_near_order *order, uint64_t i) {
    return order->words[i] & (NX_NEAR_MOST - 1);
}
/* Sorts at most NX_NEAR_MOST objects; order->words is the caller's.  False: they are not aligned, or too far from each
 * other. */
bool nx_near_sort(nx_near_order *order, PyObject *const *objects, uint64_t count);
/* The number of steps from one object to the next that leave the page and its neighbours. */
uint64_t nx_near_far(PyObject *const *objects, uint64_t count);

/* --- nodes by identity (nx/same.c) ------------------------------------------------------------------------ */

typedef struct nx_same_slot {
    const PyObject *object; /* NULL: empty */
    weft_vid v;
} nx_same_slot;

typedef struct nx_same {
    nx_same_slot *slots; /* open addressing; NULL: there is no table (yet) */
    uint64_t mask;       /* slots - 1 */
    unsigned shift;      /* 64 - their logarithm */
    unsigned asked, found;
} nx_same;

static inline nx_same_slot *nx_same_place(const nx_same *same, const PyObject *object) {
    return &same->slots[((uintptr_t)object * 0x9e3779b97f4a7c15u) >> same->shift];
}
/* Reports that these objects are the nodes of these numbers, or equal to them; decides whether to make a table. */
void nx_same_learn(nx_same *same, const nx_graph *g, PyObject *const *objects, const weft_vid *number, int count);
void nx_same_close(nx_same *same);
/* WEFT_NO_VERTEX: not one of the graph's own objects. */
weft_vid nx_same_find(const nx_same *same, const PyObject *object);

/* NX_ODD: a case that this walk does not support; its results are discarded.  NX_FAILED: an exception is set. */
typedef enum nx_walked { NX_DONE, NX_ODD, NX_FAILED } nx_walked;
nx_walked nx_walk_plain(nx_walk *w, PyObject *adjacency);

#endif
