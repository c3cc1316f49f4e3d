/* The ladder of trusses, from the bottom up. */
#include "truss.h"

static const lab_rung *const rungs[] = {&truss_recount, &truss_buckets, &truss_engine, &truss_engine_gpu};

const lab_ladder lab_truss = {
    .name = "truss",
    .title = "Trusses: how often a triangle is met",
    .story =
        "Which edges hold together, each by so many triangles of the others? Edges of the fewest triangles go, and "
        "take theirs with them. The work is triangles, and the ladder is about how often each is found: in every "
        "round again, once to count and once to take away, and by how many steps along which row.",
    .algorithm = "truss",
    .column = "truss",
    .graph = "rmat:scale=16,degree=16,undirected",
    .sized = "rmat:scale=%s,degree=16,undirected",
    .sizes = "6,8,10,12",
    .small = "6,8",
    .rungs = rungs,
    .rung_count = sizeof rungs / sizeof *rungs,
};
