/* Lists of arcs from which tests of single algorithms on the GPU build graphs that are hard for it. */
#ifndef WEFT_TESTS_ARC_LIST_H
#define WEFT_TESTS_ARC_LIST_H

#include "support.h"

enum { MOST_ARCS = 1 << 22 };

typedef struct arc_list {
    uint64_t n, m;
    weft_vid *from, *to; /* MOST_ARCS places */
} arc_list;

static inline void add(arc_list *a, uint64_t from, uint64_t to) {
    if (a->m == MOST_ARCS) {
        HARNESS_FAIL("too many arcs");
        return;
    }
    a->from[a->m] = (weft_vid)from;
    a->to[a->m++] = (weft_vid)to;
}

/* Other numbers for the vertices. */
static inline void shuffle(arc_list *a) {
    weft_vid *name = malloc(a->n * sizeof *name);
    if (!name) exit(1);
    for (uint64_t v = 0; v < a->n; v++) {
        uint64_t other = random_at(11, v) % (v + 1);
        name[v] = name[other];
        name[other] = (weft_vid)v;
    }
    for (uint64_t i = 0; i < a->m; i++) {
        a->from[i] = name[a->from[i]];
        a->to[i] = name[a->to[i]];
    }
    free(name);
}

#endif
