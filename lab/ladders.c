/* The ladders: one line each. */
#include "lab.h"

extern const lab_ladder lab_pagerank;

const lab_ladder *const lab_ladders[] = {
    &lab_pagerank,
};
const size_t lab_ladder_count = sizeof lab_ladders / sizeof *lab_ladders;
