/* The top rungs: the library's betweenness, on the CPU and on the GPU. */
#include "betweenness.h"

static weft_status run(lab_run *r) {
    /* --- excerpt --- */
    weft_status st = lab_engine(r);
    /* --- end --- */
    if (!st) r->edges = 2.0 * (double)weft_result_scalar(r->result, "sources")->value.u64 * (double)r->out.arcs;
    return st;
}

const lab_rung between_engine = {
    .name = "engine",
    .title = "the library: weft_betweenness on the CPU",
    .against = "folded",
    .changed =
        "A bit for each lane says who is at this level: arcs that bring nothing cost two bytes. Neighbours share a "
        "batch, levels are looked at from the cheaper side, counts have no largest value, and sums over sources "
        "are integers.",
    .wins = "All graphs, and those that the rungs below cannot do: a grid has more paths than doubles can count.",
    .loses = "Some hundred vertices, where one source after another stays in the cache.",
    .source = "lab/betweenness/engine.c",
    .device = LAB_CPU,
    .run = run,
};

const lab_rung between_engine_gpu = {
    .name = "engine-gpu",
    .title = "the library: weft_betweenness on the GPU",
    .against = "engine",
    .changed = "The same call with --device cuda: a warp for a row, all levels of all batches in one kernel. The same "
               "bytes. The graph stays on the GPU after the warm-up.",
    .wins = "Graphs of more than some thousand vertices.",
    .loses = "A few sources on small graphs: a level takes some microseconds, however few vertices it has.",
    .source = "lab/betweenness/engine.c",
    .device = LAB_CUDA,
    .serves = lab_engine_on_gpu,
    .run = run,
};
