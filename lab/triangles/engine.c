/* The top rungs: the library's triangles, on the CPU and on the GPU. */
#include "triangles.h"

/* What the definition makes any method move that goes by rows; the library may do with less. */
#define MODEL \
    "as gpu-oriented: 16 an edge (orienting) + 8 an edge (its row's ends); the rows themselves come from caches"

static weft_status run(lab_run *r) {
    /* --- excerpt --- */
    weft_status st = lab_engine(r);
    /* --- end --- */
    r->edges = (double)weft_graph_edges(r->g);
    r->bytes = 24 * r->edges;
    return st;
}

const lab_rung triangles_engine = {
    .name = "engine",
    .title = "the library: weft_triangles on the CPU",
    .against = "oriented",
    .changed = "The call that programs use: oriented rows, by all threads, with a way to intersect them that depends "
               "on their lengths.",
    .wins = "Everywhere but on graphs so small that starting threads takes longer than counting.",
    .loses = "Small dense graphs, to the bit matrix.",
    .model = MODEL,
    .source = "lab/triangles/engine.c",
    .device = LAB_CPU,
    .run = run,
};

const lab_rung triangles_engine_gpu = {
    .name = "engine-gpu",
    .title = "the library: weft_triangles on the GPU",
    .against = "gpu-oriented",
    .changed = "The same call with --device cuda. The graph stays on the GPU after the warm-up.",
    .wins = "Graphs of more than some ten thousand edges.",
    .loses = "Small graphs: launches and the copy of the result take longer than the CPU needs for everything.",
    .model = MODEL,
    .source = "lab/triangles/engine.c",
    .device = LAB_CUDA,
    .serves = lab_engine_on_gpu,
    .run = run,
};
