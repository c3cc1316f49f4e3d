/* The ladder of PageRank, from the bottom up, and what the documents said. */
#include "pagerank.h"
#include "weft/pagerank.h"

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

/* The document times its computation alone: the host's clock around the loops, and events around the launches (its 6.1).  Its own
 * "overhead breakdown" (6.3) counts memory and copies into the same figures; they cannot be both. */
#define SIX_TITLE "Yadav, \"PageRank Algorithm: Complete CUDA Implementation\""
#define SIX                                                                                            \
    SIX_TITLE ", 6.2: the computation by the host's clock, 100 iterations, average degree 5; its CPU " \
              "is \"Intel Xeon / AMD Ryzen\""
#define SIX_GPU                                                                                          \
    SIX_TITLE ", 6.2: the kernels by events, 100 iterations, average degree 5; its GPU is \"RTX 3080 / " \
              "Tesla T4\""
#define THESIS                                                                                                        \
    "Chekkala, \"GPU Programming\" (project report), table 6.2: from start to finish, 1000 iterations; serial code, " \
    "the CPU is "                                                                                                     \
    "not named"
#define THESIS_GPU \
    "Chekkala, \"GPU Programming\" (project report), table 6.2: from start to finish, 1000 iterations; RTX 2080 Ti"

static const lab_figure figures[] = {
    {"naive", 7, 0, 100, 1.0, LAB_KERNELS_ONLY, SIX},
    {"naive", 100, 0, 100, 50, LAB_KERNELS_ONLY, SIX},
    {"naive", 1000, 0, 100, 2450, LAB_KERNELS_ONLY, SIX},
    {"naive", 5000, 0, 100, 62300, LAB_KERNELS_ONLY, SIX},
    {"naive", 10000, 0, 100, 251000, LAB_KERNELS_ONLY, SIX},
    {"naive", 50000, 0, 100, 6285000, LAB_KERNELS_ONLY, SIX},
    {"transposed", 7, 0, 100, 0.5, LAB_KERNELS_ONLY, SIX},
    {"transposed", 100, 0, 100, 23, LAB_KERNELS_ONLY, SIX},
    {"transposed", 1000, 0, 100, 1180, LAB_KERNELS_ONLY, SIX},
    {"transposed", 5000, 0, 100, 28400, LAB_KERNELS_ONLY, SIX},
    {"transposed", 10000, 0, 100, 115000, LAB_KERNELS_ONLY, SIX},
    {"transposed", 50000, 0, 100, 2840000, LAB_KERNELS_ONLY, SIX},
    {"transposed", 4039, 88234, 1000, 657.086, LAB_WHOLE_RUN, THESIS},
    {"transposed", 12591, 49743, 1000, 689.932, LAB_WHOLE_RUN, THESIS},
    {"gpu-naive", 7, 0, 100, 1.2, LAB_KERNELS_ONLY, SIX_GPU},
    {"gpu-naive", 100, 0, 100, 20, LAB_KERNELS_ONLY, SIX_GPU},
    {"gpu-naive", 1000, 0, 100, 840, LAB_KERNELS_ONLY, SIX_GPU},
    {"gpu-naive", 5000, 0, 100, 18200, LAB_KERNELS_ONLY, SIX_GPU},
    {"gpu-naive", 10000, 0, 100, 72500, LAB_KERNELS_ONLY, SIX_GPU},
    {"gpu-naive", 50000, 0, 100, 1825000, LAB_KERNELS_ONLY, SIX_GPU},
    {"gpu-transposed", 7, 0, 100, 1.1, LAB_KERNELS_ONLY, SIX_GPU},
    {"gpu-transposed", 100, 0, 100, 5, LAB_KERNELS_ONLY, SIX_GPU},
    {"gpu-transposed", 1000, 0, 100, 150, LAB_KERNELS_ONLY, SIX_GPU},
    {"gpu-transposed", 5000, 0, 100, 3210, LAB_KERNELS_ONLY, SIX_GPU},
    {"gpu-transposed", 10000, 0, 100, 12800, LAB_KERNELS_ONLY, SIX_GPU},
    {"gpu-transposed", 50000, 0, 100, 320000, LAB_KERNELS_ONLY, SIX_GPU},
    {"gpu-tile", 7, 0, 100, 1.3, LAB_KERNELS_ONLY, SIX_GPU},
    {"gpu-tile", 100, 0, 100, 4.5, LAB_KERNELS_ONLY, SIX_GPU},
    {"gpu-tile", 1000, 0, 100, 120, LAB_KERNELS_ONLY, SIX_GPU},
    {"gpu-tile", 5000, 0, 100, 2450, LAB_KERNELS_ONLY, SIX_GPU},
    {"gpu-tile", 10000, 0, 100, 9240, LAB_KERNELS_ONLY, SIX_GPU},
    {"gpu-tile", 50000, 0, 100, 231000, LAB_KERNELS_ONLY, SIX_GPU},
    {"gpu-warp", 7, 0, 100, 1.2, LAB_KERNELS_ONLY, SIX_GPU},
    {"gpu-warp", 100, 0, 100, 4, LAB_KERNELS_ONLY, SIX_GPU},
    {"gpu-warp", 1000, 0, 100, 100, LAB_KERNELS_ONLY, SIX_GPU},
    {"gpu-warp", 5000, 0, 100, 2180, LAB_KERNELS_ONLY, SIX_GPU},
    {"gpu-warp", 10000, 0, 100, 7950, LAB_KERNELS_ONLY, SIX_GPU},
    {"gpu-warp", 50000, 0, 100, 198000, LAB_KERNELS_ONLY, SIX_GPU},
    {"gpu-interleaved", 4039, 88234, 1000, 200.191, LAB_WHOLE_RUN, THESIS_GPU},
    {"gpu-interleaved", 12591, 49743, 1000, 200.105, LAB_WHOLE_RUN, THESIS_GPU},
    {"gpu-contributions", 4039, 88234, 1000, 161.187, LAB_WHOLE_RUN, THESIS_GPU},
    {"gpu-contributions", 12591, 49743, 1000, 160.348, LAB_WHOLE_RUN, THESIS_GPU},
};

/* Twenty iterations, as in GAP: enough to time, and every rung does the same work. */
static void prepare(void *params) { ((weft_pagerank_params *)params)->iterations = 20; }
static void prepare_sized(void *params) { ((weft_pagerank_params *)params)->iterations = 100; }
/* One that stops by itself, or passes on halves of numbers, does less. */
static bool same_work(const void *asked, const void *own) {
    const weft_pagerank_params *a = asked, *o = own;
    return a->iterations == o->iterations && (o->precision == a->precision || o->precision != WEFT_PRECISION_F16);
}
static uint64_t steps(const void *params) { return ((const weft_pagerank_params *)params)->iterations; }

const lab_ladder lab_pagerank = {
    .name = "pagerank",
    .title = "PageRank",
    .story = "A node's rank is what its in-neighbours pass on: each shares its own rank among the nodes it points "
             "to, and a little restarts everywhere. That is done over all arcs, twenty times and more. Each arc "
             "costs a rank that lies anywhere in memory: the ladder is about not looking at it n times, not dividing "
             "m times, and not waiting alone. What the rungs call the document is " SIX_TITLE ".",
    .algorithm = "pagerank",
    .column = "rank",
    .graph = "rmat:scale=16,degree=16",
    .sized = "er:n=%s,degree=5,directed",
    .sizes = "7,100,1000,5000,10000,50000",
    .small = "100,1000",
    .prepare = prepare,
    .prepare_sized = prepare_sized,
    .steps = steps,
    .exact = pagerank_in_f64,
    .same_work = same_work,
    .rungs = rungs,
    .rung_count = sizeof rungs / sizeof *rungs,
    .figures = figures,
    .figure_count = sizeof figures / sizeof *figures,
};
