/* The top rungs: the library's labelprop, on the CPU and on the GPU. */
#include "labelprop.h"

/* What the definition makes any method move that goes by rows; the library may do with less. */
#define MODEL "a step: 8 an arc (target, label) + 12 n, as if every vertex counted in each step"

static weft_status run_on(lab_run *r, weft_device device) {
    /* --- excerpt --- */
    weft_status st = lab_engine(r, "labelprop", device);
    /* --- end --- */
    if (st) return st;
    double steps = (double)weft_result_scalar(r->result, "iterations")->value.u64;
    r->edges = steps * labelprop_arcs(r);
    r->bytes = 8 * r->edges + 12 * steps * r->out.vertices;
    return WEFT_OK;
}

static weft_status on_cpu(lab_run *r) { return run_on(r, WEFT_DEVICE_CPU); }
static weft_status on_gpu(lab_run *r) { return run_on(r, WEFT_DEVICE_CUDA); }
static const char *gpu_serves(lab_run *r) { return lab_engine_on_gpu(r, "labelprop"); }

const lab_rung labelprop_engine = {
    .name = "engine",
    .title = "the library: weft_labelprop on the CPU",
    .against = "hash",
    .changed = "The call that programs use: short rows are sorted, longer ones counted in a table of the thread, the "
               "longest by all threads together; and once few "
               "vertices change, only their neighbours are counted again.",
    .wins = "Many threads: twice as fast on two. Its tables fit the row and not the graph, and it leaves out what "
            "no longer changes.",
    .loses = "Nothing we have seen on a quiet machine; on one thread it is level with plain counters (touched).",
    .model = MODEL,
    .source = "lab/labelprop/engine.c",
    .device = LAB_CPU,
    .run = on_cpu,
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
    .serves = gpu_serves,
    .run = on_gpu,
};
