/* The top rungs: the library's labelprop, on the CPU and on the GPU. */
#include "labelprop.h"

/* What the definition makes any method move that goes by rows; the library may do with less. */
#define MODEL "a step: 8 an arc (target, label) + 12 n, as if every vertex counted in each step"

static weft_status run(lab_run *r) {
    /* --- excerpt --- */
    weft_status st = lab_engine(r);
    /* --- end --- */
    if (st) return st;
    double steps = (double)weft_result_scalar(r->result, "iterations")->value.u64;
    r->edges = steps * labelprop_arcs(r);
    r->bytes = 8 * r->edges + 12 * steps * r->out.vertices;
    return WEFT_OK;
}

const lab_rung labelprop_engine = {
    .name = "engine",
    .title = "the library: weft_labelprop on the CPU",
    .against = "hash",
    .changed = "The call that programs use: short rows are sorted, longer ones counted in a table of the thread, the "
               "longest by all threads together; and once few "
               "vertices change, only their neighbours are counted again.",
    .wins = "Many threads: twice as fast on two. Its tables fit the row and not the graph, and it leaves out what "
            "no longer changes.",
    .loses = "Some thousand vertices on many cores, to plain counters on one (touched): 1.09 ms against 0.64 for 1,000 "
             "on 16. On one thread the two are level.",
    .model = MODEL,
    .source = "lab/labelprop/engine.c",
    .device = LAB_CPU,
    .run = run,
};

const lab_rung labelprop_engine_gpu = {
    .name = "engine-gpu",
    .title = "the library: weft_labelprop on the GPU",
    .against = "gpu-hash",
    .changed = "The same call with --device cuda. The graph stays on the GPU after the warm-up.",
    .wins = "Graphs of more than some ten thousand arcs.",
    .loses = "Small graphs: launches and the copy of the result take longer than the CPU needs for everything.",
    .model = MODEL,
    .source = "lab/labelprop/engine.c",
    .device = LAB_CUDA,
    .serves = lab_engine_on_gpu,
    .run = run,
};
