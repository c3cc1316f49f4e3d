/* The ladder of degrees, from the bottom up: three ways to hold a graph. */
#include "degree.h"

static const lab_rung *const rungs[] = {
    &degree_matrix,     &degree_list,     &degree_csr_count, &degree_csr_offsets, &degree_engine,
    &degree_gpu_matrix, &degree_gpu_list, &degree_gpu_count, &degree_gpu_offsets, &degree_engine_gpu,
};

const lab_ladder lab_degree = {
    .name = "degree",
    .title = "Degrees, and three ways to hold a graph",
    .story = "How many arcs leave each vertex, how many arrive, and how many vertices have how many. The question is "
             "so simple that only one thing decides: "
             "how the graph is held. A matrix has every pair, a list every arc with the address of the next, a CSR "
             "every arc and nothing else.",
    .algorithm = "degree",
    .column = "total",
    .graph = "rmat:scale=16,degree=16",
    .sized = "er:n=%s,degree=10,directed",
    .sizes = "100,1000,10000,100000,1000000",
    .small = "100,1000",
    .rungs = rungs,
    .rung_count = sizeof rungs / sizeof *rungs,
};
