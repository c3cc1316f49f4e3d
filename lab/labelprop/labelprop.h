/* Label propagation, what the rungs share: the steps, when they repeat, and the answer.  A rung brings the step of one vertex: of the labels
 * around it, the most frequent, and of several the smallest.
 * Encoding: the labels around v are those of its out-neighbours, and of its in-neighbours too when the graph is directed. */
#ifndef WEFT_LAB_LABELPROP_H
#define WEFT_LAB_LABELPROP_H

#include "lab.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct labels {
    lab_run *r;
    weft_csr out, in; /* in has no arcs when the graph is undirected */
    weft_vid n;
    uint64_t largest; /* arcs around the vertex with most */
    double around;    /* arcs around all vertices: what a step looks at */
    void *extra;      /* what else the rung asked for */
} labels;

/* The label that v takes next. */
typedef weft_vid (*labelprop_next_fn)(const labels *q, const weft_vid *label, weft_vid v);

/* Arcs around the vertex with most: for rungs that ask for room by it. */
uint64_t labelprop_largest(const lab_run *r);

/* The whole run: allocate, all steps with `next`, answer.  bytes_a_step: of the model. */
weft_status labelprop_run(lab_run *r, size_t extra_bytes, labelprop_next_fn next, double bytes_an_arc,
                          double bytes_a_vertex);

/* The answer of that many steps: the labels, in a block of lab_take, and what is counted from them. */
weft_status labelprop_answer(lab_run *r, const weft_vid *label, uint64_t steps, double bytes_an_arc,
                             double bytes_a_vertex);

static inline uint64_t labelprop_degree(const labels *q, weft_vid v) {
    return q->out.offsets[v + 1] - q->out.offsets[v] + q->in.offsets[v + 1] - q->in.offsets[v];
}

/* The i-th label around v. */
static inline weft_vid labelprop_around(const labels *q, const weft_vid *label, weft_vid v, uint64_t i) {
    uint64_t leave = q->out.offsets[v + 1] - q->out.offsets[v];
    return label[i < leave ? q->out.targets[q->out.offsets[v] + i] : q->in.targets[q->in.offsets[v] + i - leave]];
}

double labelprop_arcs(const lab_run *r);

extern const lab_rung labelprop_array, labelprop_touched, labelprop_sort, labelprop_hash, labelprop_engine;
extern const lab_rung labelprop_gpu_array, labelprop_gpu_sort, labelprop_gpu_hash, labelprop_engine_gpu;

#ifdef __cplusplus
}
#endif
#endif
