/* The ladder of breadth-first search, from the bottom up. */
#include "bfs.h"

static const lab_rung *const rungs[] = {
    &bfs_scan,      &bfs_queue,          &bfs_prefix_sum, &bfs_bottom_up,     &bfs_engine,
    &bfs_gpu_queue, &bfs_gpu_prefix_sum, &bfs_gpu_warp,   &bfs_gpu_bottom_up, &bfs_engine_gpu,
};

const lab_ladder lab_bfs = {
    .name = "bfs",
    .title = "Breadth-first search",
    .story = "From one vertex, level by level: who is one step away, who is two. An arc is followed once and its end "
             "looked up anywhere in memory, so "
             "the ladder is about two things: not to look at vertices that are not concerned, and not to follow arcs "
             "whose ends are known.",
    .algorithm = "bfs",
    .column = "level",
    .graph = "rmat:scale=16,degree=16,undirected",
    .sized = "er:n=%s,degree=16",
    .sizes = "1000,10000,100000,1000000",
    .small = "100,1000",
    .rungs = rungs,
    .rung_count = sizeof rungs / sizeof *rungs,
};
