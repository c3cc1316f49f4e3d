/* The top rungs: the library's aggregate, on the CPU and on the GPU. */
#include "aggregate.h"

/* What the definition makes any method move that goes by rows; the library may do with less. */
#define MODEL "4 m (sources) + 4 m width (rows) + 8 n + 4 n width (result); halves count 2"

static weft_status run(lab_run *r) {
    /* --- excerpt --- */
    weft_status st = lab_engine(r);
    /* --- end --- */
    double n = r->in.vertices, arcs = (double)r->in.arcs;
    double each = ((const weft_aggregate_params *)r->params)->features->type == WEFT_F32 ? 4 : 2;
    double row = each * (double)aggregate_width(r);
    r->edges = arcs;
    r->bytes = 4 * arcs + row * arcs + 8 * n + row * n;
    return st;
}

const lab_rung aggregate_engine = {
    .name = "engine",
    .title = "the library: weft_aggregate on the CPU",
    .against = "vectorised",
    .changed = "The call that programs use: 64 sums in registers, so that a neighbour is taken once, and its row "
               "asked for 16 arcs ahead; rows dealt out by their cost; sums, means, maxima, weighed or with loops.",
    .wins = "As a whole run everywhere here, by up to three times.",
    .loses = "Large graphs without hubs, as kernels alone: 100,000 vertices of degree 16 took 16 cores 5.9 ms against "
             "4.4 of the rung before.",
    .model = MODEL,
    .source = "lab/aggregate/engine.c",
    .device = LAB_CPU,
    .run = run,
};

const lab_rung aggregate_engine_gpu = {
    .name = "engine-gpu",
    .title = "the library: weft_aggregate on the GPU",
    .against = "gpu-vectorised",
    .changed = "The same call with --device cuda. The graph stays on the GPU after the warm-up; the features travel "
               "each time, as "
               "they do for the rungs below.",
    .wins = "The same bits as on the CPU, and every option that there is.",
    .loses = "Where features come from the host and the result goes back, the bus is most of the time, whatever the "
             "kernel does.",
    .model = MODEL,
    .source = "lab/aggregate/engine.c",
    .device = LAB_CUDA,
    .serves = lab_engine_on_gpu,
    .run = run,
};
