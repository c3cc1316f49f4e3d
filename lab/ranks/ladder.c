/* The ladders of ranks: PageRank and breadth-first search, cut in one dimension and in two. */
#include "searches.h"
#include "sweeps.h"
#include "weft/pagerank.h"

static const lab_rung *const sweep_rungs[] = {
    &ranks_push,          &ranks_pull,       &ranks_needed, &ranks_2d,
    &ranks_2d_compressed, &ranks_overlapped, &ranks_engine, &ranks_engine_2d,
};

static const lab_rung *const search_rungs[] = {
    &ranks_bfs_push,          &ranks_bfs_pull,       &ranks_bfs_directions, &ranks_bfs_2d,
    &ranks_bfs_2d_compressed, &ranks_bfs_overlapped, &ranks_bfs_engine,
};

static void prepare(void *params) { ((weft_pagerank_params *)params)->iterations = 20; }
static void exact(void *params) { ((weft_pagerank_params *)params)->precision = WEFT_PRECISION_F64; }
static uint64_t steps(const void *params) { return ((const weft_pagerank_params *)params)->iterations; }

const lab_ladder lab_ranks_pagerank = {
    .name = "ranks-pagerank",
    .title = "PageRank on ranks",
    .story = "Several ranks share a graph, as under mpirun, and each iteration they have to tell each other what "
             "changed. What is slow is not computing but telling: the ladder is about who has which arcs, and so who "
             "has to tell whom. Ranks are threads here; their bytes are counted by the library's transport, and each "
             "rung runs once more over a slow network.",
    .algorithm = "pagerank",
    .column = "rank",
    .graph = "rmat:scale=16,degree=16",
    .sized = "er:n=%s,degree=16,directed",
    .sizes = "100,1000,10000,100000",
    .small = "100,1000",
    .prepare = prepare,
    .steps = steps,
    .exact = exact,
    .on_ranks = true,
    .rungs = sweep_rungs,
    .rung_count = sizeof sweep_rungs / sizeof *sweep_rungs,
};

const lab_ladder lab_ranks_bfs = {
    .name = "ranks-bfs",
    .title = "Breadth-first search on ranks",
    .story = "Several ranks share a graph and search it level by level. In each level, what one rank finds belongs to "
             "another: all that is found twice, or was known, is sent for nothing. The ladder is about saying less: "
             "bits in the place of lists, in one dimension and in two, and while others compute. Bytes are counted by "
             "the library's transport, and each rung runs once more over a slow network.",
    .algorithm = "bfs",
    .column = "level",
    .graph = "rmat:scale=16,degree=16,undirected",
    .sized = "er:n=%s,degree=16",
    .sizes = "100,1000,10000,100000",
    .small = "100,1000",
    .on_ranks = true,
    .rungs = search_rungs,
    .rung_count = sizeof search_rungs / sizeof *search_rungs,
};
