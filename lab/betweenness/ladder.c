/* The ladder of betweenness, from the bottom up. */
#include "betweenness.h"

static const lab_rung *const rungs[] = {&between_brandes, &between_levels, &between_edges,     &between_lanes_rung,
                                        &between_folded,  &between_engine, &between_engine_gpu};

const lab_ladder lab_betweenness = {
    .name = "betweenness",
    .title = "Betweenness: who stands between others",
    .story = "Which part of all shortest paths leads through a vertex? From each vertex a search goes out, counting "
             "paths, and comes back, handing on what they bring. That is a search for each vertex, which meets values "
             "all over memory. The ladder is about what searches can share: the threads, the looks at arcs, the lines "
             "of cache, and at last the searches themselves.",
    .algorithm = "betweenness",
    .column = "betweenness",
    .graph = "rmat:scale=10,degree=16,undirected",
    .sized = "rmat:scale=%s,degree=16,undirected",
    .sizes = "6,8,10,12",
    .small = "6,8",
    .rungs = rungs,
    .rung_count = sizeof rungs / sizeof *rungs,
};
