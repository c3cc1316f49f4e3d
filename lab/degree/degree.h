/* Degrees, what the rungs share: the columns, the distribution and the answer.  The rungs are the three ways to hold a graph, side by
 * side: adjacency matrix, adjacency list, CSR. */
#ifndef WEFT_LAB_DEGREE_H
#define WEFT_LAB_DEGREE_H

#include "lab.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct degrees {
    lab_run *r;
    weft_vid n;
    uint64_t *in, *out, *total;
    uint64_t *degree, *count; /* the distribution of total: room for all that there can be */
    void *extra;              /* what else the rung asked for */
} degrees;

/* Allocates, all zero; the rung turns to LAB_COPY_IN or LAB_KERNELS itself. */
weft_status degree_open(lab_run *r, size_t extra_bytes, degrees *d);
/* Totals and their distribution (still in the kernels' time, as it is in the engine's), then the answer and the bytes of the model. */
weft_status degree_close(degrees *d, double bytes);

/* The last lines of every answer: the columns, the distribution (`length` entries in use), what the rates need. */
void degree_answer(degrees *d, size_t length, double bytes);
/* Only the degrees that occur: of_degree[k] vertices have degree k, up to `most`.  Returns how many there are. */
size_t degree_occurring(const degrees *d, const uint64_t *of_degree, uint64_t most);

extern const lab_rung degree_matrix, degree_list, degree_csr_count, degree_csr_offsets, degree_engine,
    degree_gpu_matrix, degree_gpu_list, degree_gpu_count, degree_gpu_offsets, degree_engine_gpu;

#ifdef __cplusplus
}
#endif
#endif
