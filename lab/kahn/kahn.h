/* Kahn's algorithm, what its rungs share: the arrays, the loop over rounds, and the three steps that do not depend on how the
 * graph is stored (flag, scan, compact).  A rung brings its own way to store the graph, to count in-degrees, to collect the
 * vertices without any, or to remove them.
 * Encoding: degree[v] = arcs into v from vertices that are still there; -1 = v is removed.  level[v] = the round it went in.
 * The answer is toposort's: levels, and a cycle where there is one; the thesis said only whether.
 * [1] A. B. Kahn, "Topological sorting of large networks", CACM 5(11), 1962.
 * [2] F. Granata, "CUDA-Based Cycle Detection in Directed Graphs Using Kahn's Algorithm", 2025: "the thesis". */
#ifndef WEFT_LAB_KAHN_H
#define WEFT_LAB_KAHN_H

#include "searched.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum kahn_store { KAHN_CSR, KAHN_CELLS, KAHN_BITS } kahn_store;

typedef struct kahn {
    lab_run *r;
    weft_csr out, in;
    weft_vid n;
    int32_t *cells; /* KAHN_CELLS: n x n, row u column v = arcs u -> v, 4 bytes each as in the thesis */
    uint64_t *bits; /* KAHN_BITS: n rows of `words` words */
    size_t words;
    int32_t *degree;
    uint32_t *flags;  /* 1 = no arc comes in */
    uint32_t *places; /* exclusive prefix sums of flags */
    weft_vid *active; /* the vertices of this round */
    uint32_t *level;
    void *extra; /* what else the rung asked for */
} kahn;

/* The arrays (LAB_ALLOCATE), all zero, and the matrix in the form asked for (LAB_COPY_IN); then LAB_KERNELS. */
weft_status kahn_open(lab_run *r, kahn_store store, size_t extra_bytes, kahn *k);
/* The answer from level[], and the bytes of the model. */
weft_status kahn_close(kahn *k, double bytes);

typedef weft_vid (*kahn_collect_fn)(kahn *k);            /* fills active[], returns how many */
typedef void (*kahn_remove_fn)(kahn *k, weft_vid count); /* of active[] */

/* Rounds until no vertex without in-arcs is left, or somebody wants to stop; returns how many there were. */
uint32_t kahn_rounds(kahn *k, kahn_collect_fn collect, kahn_remove_fn remove);

/* Flag; scan, one after the other; compact. */
weft_vid kahn_collect(kahn *k);
void kahn_flag(kahn *k);
weft_vid kahn_compact(kahn *k);

/* In-degrees from the column array of the CSR, and as differences of the transpose's offsets. */
void kahn_degree_by_counting(kahn *k);
void kahn_degree_by_difference(kahn *k);

/* Removal along rows: of the matrix, every cell looked at; of the CSR, only the arcs. */
void kahn_remove_cells(kahn *k, weft_vid count);
void kahn_remove_rows(kahn *k, weft_vid count);

/* --- byte models: what the steps above move ------------------------------------------------------------------- */
double kahn_bytes_of_rounds(const kahn *k,
                            uint32_t rounds); /* 20 n a round: degrees, flags twice read and once written, places */
double kahn_bytes_of_cells(const kahn *k);    /* 12 n for each vertex removed: its row, the degrees there and back */
double kahn_bytes_of_rows(const kahn *k);     /* 12 for each arc of a removed vertex */

/* --- why a rung does not serve -------------------------------------------------------------------------------- */
/* The matrix is over the limit, or a run over the patience: by so many ns for each of n * n cells, and for each of n vertices in each
 * round.  Figures measured on a Neoverse-V1, rounded up. */
const char *kahn_serves(lab_run *r, kahn_store store, double ns_a_cell, double ns_a_vertex);
const char *kahn_serves_csr(lab_run *r);
/* On the GPU: so many bytes there, and so many microseconds a round. */
const char *kahn_serves_gpu(lab_run *r, double bytes, double us_a_round);
const char *kahn_serves_directed(lab_run *r);

extern const lab_rung kahn_matrix_columns, kahn_matrix_rows, kahn_matrix_strips, kahn_bits, kahn_csr_count,
    kahn_csr_difference, kahn_two_phase, kahn_blelloch, kahn_queue, kahn_engine;
extern const lab_rung kahn_gpu_dense, kahn_gpu_dense_cpu, kahn_gpu_dense_partial, kahn_gpu_dense_transposed,
    kahn_gpu_dense_shared, kahn_gpu_dense_columns, kahn_gpu_bits, kahn_gpu_csr_count, kahn_gpu_csr, kahn_gpu_csr_cpu,
    kahn_gpu_two_phase, kahn_gpu_cub, kahn_gpu_queue, kahn_gpu_persistent, kahn_engine_gpu;

#ifdef __cplusplus
}
#endif
#endif
