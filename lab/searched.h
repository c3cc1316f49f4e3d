/* Breadth-first search, what every ladder that searches needs: where it starts, and the answer. */
#ifndef WEFT_LAB_SEARCHED_H
#define WEFT_LAB_SEARCHED_H

#include "lab.h"

#ifdef __cplusplus
extern "C" {
#endif

/* As given, or the vertex with the most arcs out. */
weft_vid bfs_source(const lab_run *r);
/* Arcs out of the vertices that have a level: what a search from the top down looks at, or Kahn's algorithm removes. */
double bfs_arcs_out(const weft_csr *out, const uint32_t *level);
/* The columns, the figures that follow from them, and the arcs looked at. */
void bfs_answer(lab_run *r, const uint32_t *level, const weft_vid *parent);

#ifdef __cplusplus
}
#endif
#endif
