/* The top rungs: the library's truss, on the CPU and on the GPU. */
#include "truss.h"

static weft_status run(lab_run *r) {
    /* --- excerpt --- */
    weft_status st = lab_engine(r);
    /* --- end --- */
    if (!st) r->edges = (double)r->out.arcs;
    return st;
}

const lab_rung truss_engine = {
    .name = "engine",
    .title = "the library: weft_truss on the CPU",
    .against = "buckets",
    .changed = "All edges of a level go at once, shared out among threads; a triangle that loses several sides is "
               "charged by the first. Rows are oriented by degree to count, the shorter row is looked up in the "
               "longer one, and rows are closed up when half of the edges are gone.",
    .wins = "Hubs, by looking up the shorter row; and threads.",
    .loses = "Some hundred edges.",
    .source = "lab/truss/engine.c",
    .device = LAB_CPU,
    .run = run,
};

const lab_rung truss_engine_gpu = {
    .name = "engine-gpu",
    .title = "the library: weft_truss on the GPU",
    .against = "engine",
    .changed = "The same call with --device cuda: all levels and rounds in one cooperative kernel, the neighbours of "
               "several edges shared out among the lanes of a warp. The same bytes.",
    .wins = "Graphs of more than some ten thousand edges.",
    .loses = "Small graphs, and graphs of many rounds with a few edges each: a round takes some microseconds.",
    .source = "lab/truss/engine.c",
    .device = LAB_CUDA,
    .serves = lab_engine_on_gpu,
    .run = run,
};
