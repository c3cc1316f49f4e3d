/* The ladder of spanning forests, from the bottom up. */
#include "mst.h"

static const lab_rung *const rungs[] = {&mst_kruskal, &mst_boruvka, &mst_listed, &mst_engine, &mst_engine_gpu};

const lab_ladder lab_mst = {
    .name = "mst",
    .title = "Minimum spanning forests: which edges need never be looked at",
    .story = "Of each component the tree with the smallest sum of weights has n - 1 of its m edges. All methods ask of "
             "an edge whether its ends are in one tree already, and differ in the order of the questions, and in how "
             "often they ask of the edges that will not be taken, which are most of them.",
    .algorithm = "mst",
    .column = "weight",
    .graph = "rmat:scale=16,degree=16,undirected,max-weight=1000",
    .sized = "er:n=%s,degree=8,undirected,max-weight=1000",
    .sizes = "100,1000,10000,100000",
    .small = "100,1000",
    .rungs = rungs,
    .rung_count = sizeof rungs / sizeof *rungs,
};
