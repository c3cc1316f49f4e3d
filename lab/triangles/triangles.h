/* Triangles, what the rungs share: the graph without directions, loops and repeats (the library's definition), the answer, and
 * when a rung does not serve.
 * Encoding: rows are sorted and hold each neighbour once; an edge stands in both of its rows. */
#ifndef WEFT_LAB_TRIANGLES_H
#define WEFT_LAB_TRIANGLES_H

#include "lab.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct simple {
    lab_run *r;
    weft_vid n;
    weft_eid *offsets; /* n + 1 */
    weft_vid *targets;
    uint64_t *count; /* triangles at each vertex */
    void *extra;     /* what else the rung asked for */
} simple;

/* Allocates, brings the graph into this form (LAB_COPY_IN; the rows of an undirected one without loops are just copied), and turns
 * to LAB_KERNELS unless the rung has a form of its own to fill. */
weft_status triangles_open(lab_run *r, size_t extra_bytes, simple *s);
/* The answer from count[], and the bytes of the model. */
weft_status triangles_close(simple *s, double bytes);

static inline weft_eid triangles_degree(const simple *s, weft_vid v) { return s->offsets[v + 1] - s->offsets[v]; }

/* Pairs of neighbours, over all vertices: what a rung that asks for each pair does. */
double triangles_pairs(const lab_run *r);
/* Sum over these pairs of the row that is searched. */
double triangles_searched(const lab_run *r);

/* Whether to end a row with so many pairs of this neighbour to go: they pay for the question, so that hubs are left and short rows not slowed.
 * The loop over the vertices asks too. */
static inline bool triangles_stopped(const simple *s, weft_eid pairs) { return pairs > 64 && lab_stopped(s->r); }

/* The rung needs so many bytes, or so many seconds. */
const char *triangles_serves(lab_run *r, double bytes, double seconds);

extern const lab_rung triangles_linear, triangles_binary, triangles_hash, triangles_matrix, triangles_bits,
    triangles_oriented, triangles_engine;
extern const lab_rung triangles_gpu_linear, triangles_gpu_binary, triangles_gpu_hash, triangles_gpu_virtual,
    triangles_gpu_warp, triangles_gpu_bins, triangles_gpu_matrix, triangles_gpu_cublas, triangles_gpu_bits,
    triangles_gpu_oriented, triangles_engine_gpu;

#ifdef __cplusplus
}
#endif
#endif
