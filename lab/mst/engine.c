/* The top rungs: the library's mst, on the CPU and on the GPU. */
#include "mst.h"

static weft_status run(lab_run *r) {
    /* --- excerpt --- */
    weft_status st = lab_engine(r);
    /* --- end --- */
    if (!st) r->edges = (double)r->out.arcs;
    return st;
}

const lab_rung mst_engine = {
    .name = "engine",
    .title = "the library: weft_mst on the CPU",
    .against = "listed",
    .changed = "Threads share the list in pieces. Weight and arc are one key of 64 bits, whose minimum is taken by "
               "compare-and-swap; and light edges, some three a vertex, come first: most others lie within a tree by "
               "then, and never enter a list.",
    .wins = "Dense graphs, by the light edges; and every graph, by its threads.",
    .loses = "Some hundred edges.",
    .source = "lab/mst/engine.c",
    .device = LAB_CPU,
    .run = run,
};

const lab_rung mst_engine_gpu = {
    .name = "engine-gpu",
    .title = "the library: weft_mst on the GPU",
    .against = "engine",
    .changed = "The same call with --device cuda: one kernel lists edges, one cooperative kernel makes all rounds. The "
               "same bytes. The graph stays on the GPU after the warm-up.",
    .wins = "Graphs of more than some ten thousand edges.",
    .loses = "Small graphs: launches and the copy of the rows take longer than the CPU needs for everything.",
    .source = "lab/mst/engine.c",
    .device = LAB_CUDA,
    .serves = lab_engine_on_gpu,
    .run = run,
};
