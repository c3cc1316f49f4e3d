/* The ladders: one line each. */
#include "lab.h"

extern const lab_ladder lab_pagerank, lab_kahn, lab_triangles, lab_bfs, lab_degree, lab_labelprop, lab_leiden,
    lab_betweenness, lab_truss, lab_mst, lab_aggregate, lab_dynamic, lab_ranks_pagerank, lab_ranks_bfs;

const lab_ladder *const lab_ladders[] = {
    &lab_pagerank,    &lab_kahn,  &lab_triangles, &lab_bfs,       &lab_degree,  &lab_labelprop,      &lab_leiden,
    &lab_betweenness, &lab_truss, &lab_mst,       &lab_aggregate, &lab_dynamic, &lab_ranks_pagerank, &lab_ranks_bfs,
};
const size_t lab_ladder_count = sizeof lab_ladders / sizeof *lab_ladders;
