/* The ladder of graphs that change: rows that are rebuilt, that have gaps, that are hashed, logged, copied when written. */
#include "dynamic.h"

static const lab_rung *const rungs[] = {
    &changing_rebuild, &changing_gaps,        &changing_hash,      &changing_log,
    &changing_engine,  &changing_gpu_rebuild, &changing_gpu_merge,
};

const lab_ladder lab_dynamic = {
    .name = "dynamic",
    .title = "Graphs that change: where new arcs go",
    .story = "Half of the arcs are there, and the others come in batches of 1,000, in any order; then all rows are "
             "read. Kernels are the "
             "batches, and edges/s are arcs put in a second; copying out is the reading. What makes it slow is that a "
             "CSR has no "
             "room: either all of it moves, or it is given up, and reading pays.",
    .algorithm = "degree",
    .column = "total",
    .graph = "rmat:scale=16,degree=16",
    .sized = "er:n=%s,degree=10,directed",
    .sizes = "100,1000,10000,100000",
    .small = "100,1000",
    .rungs = rungs,
    .rung_count = sizeof rungs / sizeof *rungs,
};
