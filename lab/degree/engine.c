/* The top rung: the library's degree on the CPU. */
#include "degree.h"

static weft_status run(lab_run *r) {
    /* --- excerpt --- */
    weft_status st = lab_engine(r, "degree", WEFT_DEVICE_CPU);
    /* --- end --- */
    r->edges = (double)r->out.arcs;
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
    .source = "lab/degree/engine.c",
    .device = LAB_CPU,
    .run = run,
};
