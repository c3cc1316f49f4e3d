/* The ladder of Kahn's algorithm, from the bottom up, and what the thesis said. */
#include "kahn.h"
#include "weft/toposort.h"

static const lab_rung *const rungs[] = {
    &kahn_matrix_columns,
    &kahn_matrix_rows,
    &kahn_matrix_strips,
    &kahn_bits,
    &kahn_csr_count,
    &kahn_csr_difference,
    &kahn_two_phase,
    &kahn_blelloch,
    &kahn_queue,
    &kahn_engine,
    &kahn_gpu_dense,
    &kahn_gpu_dense_cpu,
    &kahn_gpu_dense_partial,
    &kahn_gpu_dense_transposed,
    &kahn_gpu_dense_shared,
    &kahn_gpu_dense_columns,
    &kahn_gpu_bits,
    &kahn_gpu_csr_count,
    &kahn_gpu_csr,
    &kahn_gpu_csr_cpu,
    &kahn_gpu_two_phase,
    &kahn_gpu_cub,
    &kahn_gpu_queue,
    &kahn_gpu_persistent,
    &kahn_engine_gpu,
};

/* The thesis's graphs are random, and so are ours: upper-triangular with density 1/2 (acyclic), or a 0/1 matrix with density 1/2
 * (cyclic).  Ours are those of the seed 42; they are told apart by their number of edges. */
#define TITLE "Granata, \"CUDA-Based Cycle Detection in Directed Graphs Using Kahn's Algorithm\" (2025)"
#define HOST  TITLE ", table 9: its host version, one thread of a Core i7 of the 12th generation"
#define DENSE                                                                                                    \
    TITLE ", table 5: its final dense version, RTX 2050 laptop GPU; execution times are kernels by events (its " \
          "section 7)"
#define FINAL                                                                                                          \
    TITLE ", table 7: its final CSR version, RTX 2050 laptop GPU, removal on the CPU; execution times are kernels by " \
          "events (its section 7)"

/* The thesis's host version and its two final versions are the rungs matrix-columns, gpu-dense and gpu-csr-cpu.  Of its two acyclic
 * graphs of 20,000 vertices this is the one called 3 (graph 2: host 8973, dense 5402.327, CSR 7712.533). */
#define SAID(name, n, m, time, of, where) \
    { .rung = (name), .vertices = (n), .edges = (m), .ms = (time), .kind = (of), .source = (where) }

static const lab_figure figures[] = {
    SAID("matrix-columns", 10000, 24998922, 2084, LAB_NOT_SAID, HOST),         /* acyclic */
    SAID("matrix-columns", 20000, 100001517, 9033, LAB_NOT_SAID, HOST),        /* acyclic */
    SAID("matrix-columns", 20000, 199997143, 10897, LAB_NOT_SAID, HOST),       /* cyclic */
    SAID("gpu-dense", 10000, 24998922, 1910.036, LAB_KERNELS_ONLY, DENSE),     /* acyclic */
    SAID("gpu-dense", 20000, 100001517, 5281.660, LAB_KERNELS_ONLY, DENSE),    /* acyclic */
    SAID("gpu-dense", 20000, 199997143, 156.799, LAB_KERNELS_ONLY, DENSE),     /* cyclic */
    SAID("gpu-csr-cpu", 10000, 24998922, 2417.917, LAB_KERNELS_ONLY, FINAL),   /* acyclic */
    SAID("gpu-csr-cpu", 20000, 100001517, 5688.361, LAB_KERNELS_ONLY, FINAL),  /* acyclic */
    SAID("gpu-csr-cpu", 30000, 224994043, 9803.709, LAB_KERNELS_ONLY, FINAL),  /* acyclic */
    SAID("gpu-csr-cpu", 40000, 399982757, 13119.766, LAB_KERNELS_ONLY, FINAL), /* acyclic */
    SAID("gpu-csr-cpu", 20000, 199997143, 90.878, LAB_KERNELS_ONLY, FINAL),    /* cyclic */
    SAID("gpu-csr-cpu", 40000, 800010892, 592.401, LAB_KERNELS_ONLY, FINAL),   /* cyclic */
};

/* Levels only: the thesis gives no order either. */
static void prepare(void *params) { ((weft_toposort_params *)params)->levels = 1; }

const lab_ladder lab_kahn = {
    .name = "kahn",
    .title = "Kahn's algorithm: is there a cycle?",
    .story =
        "Take away every vertex that no arc leads to, with its arcs, and again; if something is left, there is a "
        "cycle. The thesis "
        "does it in rounds on a GPU, on graphs of density 1/2 whose longest path has 0.58 n vertices: thousands of "
        "rounds, and "
        "in each of them two or three vertices go. The ladder is about what a round costs when nothing happens in it.",
    .algorithm = "toposort",
    .column = "level",
    .graph = "dag:n=2000,p=0.5",
    .sized = "dag:n=%s,p=0.5",
    .sizes = "10000,20000,30000,40000",
    .small = "100,1000",
    .prepare = prepare,
    .rungs = rungs,
    .rung_count = sizeof rungs / sizeof *rungs,
    .figures = figures,
    .figure_count = sizeof figures / sizeof *figures,
};
