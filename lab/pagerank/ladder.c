/* The ladder of PageRank, from the bottom up, and what the documents said. */
#include "pagerank.h"

static const lab_rung *const rungs[] = {
    &pagerank_naive,
};

/* Twenty iterations, as in GAP: enough to time, and every rung does the same work. */
static void prepare(void *params) { ((weft_pagerank_params *)params)->iterations = 20; }
static void exact(void *params) { ((weft_pagerank_params *)params)->precision = WEFT_PRECISION_F64; }

const lab_ladder lab_pagerank = {
    .name = "pagerank",
    .title = "PageRank",
    .story =
        "A node's rank is what its in-neighbours pass on: each shares its own rank among the nodes it points to, and a "
        "little restarts everywhere. Twenty times over all arcs. Each arc costs a rank that lies anywhere in memory: "
        "the "
        "ladder is about not fetching it n² times, not dividing it m times, and not waiting for it alone.",
    .algorithm = "pagerank",
    .column = "rank",
    .graph = "rmat:scale=12,degree=16",
    .sized = "er:n=%s,degree=5,directed",
    .sizes = "7,100,1000,5000,10000,50000",
    .prepare = prepare,
    .exact = exact,
    .rungs = rungs,
    .rung_count = sizeof rungs / sizeof *rungs,
};
