/* The top rungs: the library's degree, on the CPU and on the GPU. */
#include "degree.h"

/* What the definition makes any method move that goes by rows; the library may do with less. */
#define MODEL "as csr-offsets: 16 n (two arrays of offsets) + 16 n (degrees) + 48 n"

static weft_status run(lab_run *r) {
    /* --- excerpt --- */
    weft_status st = lab_engine(r);
    /* --- end --- */
    r->edges = (double)r->out.arcs;
    r->bytes = 80.0 * r->out.vertices;
    return st;
}

const lab_rung degree_engine = {
    .name = "engine",
    .title = "the library: weft_degree on the CPU",
    .against = "csr-offsets",
    .changed = "The call that programs use: differences of offsets where the transpose is there, as it is in the "
               "lab, counting where it is not; by all threads, and the distribution.",
    .wins = "Large graphs, by the threads.",
    .loses = "Graphs of some thousand vertices, where starting the threads takes longer than the work.",
    .model = MODEL,
    .source = "lab/degree/engine.c",
    .device = LAB_CPU,
    .run = run,
};

const lab_rung degree_engine_gpu = {
    .name = "engine-gpu",
    .title = "the library: weft_degree on the GPU",
    .against = "engine",
    .changed =
        "The same call with --device cuda. The graph stays on the GPU after the warm-up: what is left is one pass over "
        "offsets and targets, and the copy of three columns back.",
    .wins = "As kernels, on large graphs. As a whole run on none measured, up to a million vertices.",
    .loses = "To the CPU, as a whole run: an answer of 24 bytes a vertex has to cross a link that is slower than "
             "memory, and on a small graph the launches alone take longer than the CPU needs for everything.",
    .model = MODEL,
    .source = "lab/degree/engine.c",
    .device = LAB_CUDA,
    .run = run,
};
