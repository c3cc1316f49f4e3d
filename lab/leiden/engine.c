/* The top rungs: the library's leiden, on the CPU and on the GPU. */
#include "leiden.h"

static weft_status run(lab_run *r) {
    /* --- excerpt --- */
    weft_status st = lab_engine(r);
    /* --- end --- */
    if (!st) r->edges = (double)weft_result_scalar(r->result, "iterations")->value.u64 * (double)r->out.arcs;
    return st;
}

const lab_rung leiden_engine = {
    .name = "engine",
    .title = "the library: weft_leiden on the CPU",
    .against = "refined",
    .changed = "The call that programs use: six classes, levels contracted by all threads; weights, directed graphs "
               "and CPM as well.",
    .wins = "Many threads: contraction, which the rungs below leave to one of them, is shared out.",
    .loses = "One thread, and graphs whose counters stay in the cache, where it is level with rung 5. Some hundred "
             "vertices, where a barrier costs more than a turn.",
    .source = "lab/leiden/engine.c",
    .device = LAB_CPU,
    .run = run,
};

const lab_rung leiden_engine_gpu = {
    .name = "engine-gpu",
    .title = "the library: weft_leiden on the GPU",
    .against = "gpu-shared",
    .changed = "The same call with --device cuda: refinement and contraction run there too. The graph stays on the GPU "
               "after the warm-up.",
    .wins = "Graphs of more than some hundred thousand arcs: no level leaves the GPU.",
    .loses = "Small graphs: a turn of a small level takes as long as launching it.",
    .source = "lab/leiden/engine.c",
    .device = LAB_CUDA,
    .serves = lab_engine_on_gpu,
    .run = run,
};
