/* The ladder of PageRank, from the bottom up, and what the documents said. */
#include "pagerank.h"

static const lab_rung *const rungs[] = {
    &pagerank_naive,
    &pagerank_transposed,
    &pagerank_threaded,
    &pagerank_contributions,
    &pagerank_early_stop,
    &pagerank_f64,
    &pagerank_engine,
    &pagerank_gpu_naive,
    &pagerank_gpu_transposed,
    &pagerank_gpu_tile,
    &pagerank_gpu_warp,
    &pagerank_gpu_interleaved,
    &pagerank_gpu_contributions,
    &pagerank_gpu_dynamic,
    &pagerank_gpu_shuffle,
    &pagerank_gpu_f16,
    &pagerank_gpu_f64,
    &pagerank_gpu_early_stop,
    &pagerank_engine_gpu,
};

#define SIX                                                                                                         \
    "PageRank in six versions, 6.2 (milliseconds, 100 iterations, average degree 5; its CPU is \"Intel Xeon / AMD " \
    "Ryzen\")"
#define THESIS "GPU Programming (thesis), table 6.2 (1000 iterations, serial code; the machine's CPU is not named)"
#define SIX_GPU                                                                                                     \
    "PageRank in six versions, 6.2 (milliseconds, 100 iterations, average degree 5; its GPU is \"RTX 3080 / Tesla " \
    "T4\", kernels by events)"
#define THESIS_GPU "GPU Programming (thesis), table 6.2 (1000 iterations, from start to finish, RTX 2080 Ti)"

static const lab_figure figures[] = {
    {"naive", 7, 0, 100, 1.0, SIX},
    {"naive", 100, 0, 100, 50, SIX},
    {"naive", 1000, 0, 100, 2450, SIX},
    {"naive", 5000, 0, 100, 62300, SIX},
    {"naive", 10000, 0, 100, 251000, SIX},
    {"naive", 50000, 0, 100, 6285000, SIX},
    {"transposed", 7, 0, 100, 0.5, SIX},
    {"transposed", 100, 0, 100, 23, SIX},
    {"transposed", 1000, 0, 100, 1180, SIX},
    {"transposed", 5000, 0, 100, 28400, SIX},
    {"transposed", 10000, 0, 100, 115000, SIX},
    {"transposed", 50000, 0, 100, 2840000, SIX},
    {"transposed", 4039, 88234, 1000, 657.086, THESIS},
    {"transposed", 12591, 49743, 1000, 689.932, THESIS},
    {"gpu-naive", 7, 0, 100, 1.2, SIX_GPU},
    {"gpu-naive", 100, 0, 100, 20, SIX_GPU},
    {"gpu-naive", 1000, 0, 100, 840, SIX_GPU},
    {"gpu-naive", 5000, 0, 100, 18200, SIX_GPU},
    {"gpu-naive", 10000, 0, 100, 72500, SIX_GPU},
    {"gpu-naive", 50000, 0, 100, 1825000, SIX_GPU},
    {"gpu-transposed", 7, 0, 100, 1.1, SIX_GPU},
    {"gpu-transposed", 100, 0, 100, 5, SIX_GPU},
    {"gpu-transposed", 1000, 0, 100, 150, SIX_GPU},
    {"gpu-transposed", 5000, 0, 100, 3210, SIX_GPU},
    {"gpu-transposed", 10000, 0, 100, 12800, SIX_GPU},
    {"gpu-transposed", 50000, 0, 100, 320000, SIX_GPU},
    {"gpu-tile", 7, 0, 100, 1.3, SIX_GPU},
    {"gpu-tile", 100, 0, 100, 4.5, SIX_GPU},
    {"gpu-tile", 1000, 0, 100, 120, SIX_GPU},
    {"gpu-tile", 5000, 0, 100, 2450, SIX_GPU},
    {"gpu-tile", 10000, 0, 100, 9240, SIX_GPU},
    {"gpu-tile", 50000, 0, 100, 231000, SIX_GPU},
    {"gpu-warp", 7, 0, 100, 1.2, SIX_GPU},
    {"gpu-warp", 100, 0, 100, 4, SIX_GPU},
    {"gpu-warp", 1000, 0, 100, 100, SIX_GPU},
    {"gpu-warp", 5000, 0, 100, 2180, SIX_GPU},
    {"gpu-warp", 10000, 0, 100, 7950, SIX_GPU},
    {"gpu-warp", 50000, 0, 100, 198000, SIX_GPU},
    {"gpu-interleaved", 4039, 88234, 1000, 200.191, THESIS_GPU},
    {"gpu-interleaved", 12591, 49743, 1000, 200.105, THESIS_GPU},
    {"gpu-contributions", 4039, 88234, 1000, 161.187, THESIS_GPU},
    {"gpu-contributions", 12591, 49743, 1000, 160.348, THESIS_GPU},
};

/* Twenty iterations, as in GAP: enough to time, and every rung does the same work. */
static void prepare(void *params) { ((weft_pagerank_params *)params)->iterations = 20; }
static void prepare_sized(void *params) { ((weft_pagerank_params *)params)->iterations = 100; }
static void exact(void *params) { ((weft_pagerank_params *)params)->precision = WEFT_PRECISION_F64; }
static uint64_t steps(const void *params) { return ((const weft_pagerank_params *)params)->iterations; }

const lab_ladder lab_pagerank = {
    .name = "pagerank",
    .title = "PageRank",
    .story = "A node's rank is what its in-neighbours pass on: each shares its own rank among the nodes it points "
             "to, and a little restarts everywhere. That is done over all arcs, twenty times and more. Each arc "
             "costs a rank that lies anywhere in memory: the ladder is about not looking at it n times, not dividing "
             "m times, and not waiting alone.",
    .algorithm = "pagerank",
    .column = "rank",
    .graph = "rmat:scale=10,degree=16",
    .sized = "er:n=%s,degree=5,directed",
    .sizes = "7,100,1000,5000,10000,50000",
    .prepare = prepare,
    .prepare_sized = prepare_sized,
    .steps = steps,
    .exact = exact,
    .rungs = rungs,
    .rung_count = sizeof rungs / sizeof *rungs,
    .figures = figures,
    .figure_count = sizeof figures / sizeof *figures,
};
