/* Truss numbers, what the rungs share: rows with the edge of each entry, and the answer.
 * The graph is undirected and without parallel edges; an edge is known by its place among those from smaller
 * to larger ends, which is the order of rows of the result. */
#ifndef WEFT_LAB_TRUSS_H
#define WEFT_LAB_TRUSS_H

#include "lab.h"

typedef struct trusses {
    lab_run *r;
    const weft_csr *out;
    weft_vid n;
    uint64_t edges, loops;
    weft_vid *source, *target;
    uint32_t *edge;   /* of each arc */
    uint32_t *number; /* of each edge; 0: it is still there; TRUSS_LOOP: it never was */
} trusses;
enum { TRUSS_LOOP = 1 };

const char *truss_serves(lab_run *r);
/* Whole runs: peel() gives every edge its number. */
weft_status truss_run(lab_run *r, weft_status (*peel)(trusses *t));

/* each(user, a, b) for every triangle of edge e whose other sides a and b are still there, by merging two rows. */
void truss_triangles(const trusses *t, uint64_t e, void (*each)(void *user, uint32_t a, uint32_t b), void *user);

extern const lab_rung truss_recount, truss_buckets, truss_engine, truss_engine_gpu;

#endif
