/* The top rung: the library's labelprop on the CPU. */
#include "labelprop.h"

static weft_status run(lab_run *r) {
    /* --- excerpt --- */
    weft_status st = lab_engine(r, "labelprop", WEFT_DEVICE_CPU);
    /* --- end --- */
    if (!st) r->edges = (double)weft_result_scalar(r->result, "iterations")->value.u64 * labelprop_arcs(r);
    return st;
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
    .loses = "Nothing we have seen on a quiet machine; on one thread it is level with plain counters (touched).",
    .source = "lab/labelprop/engine.c",
    .device = LAB_CPU,
    .run = run,
};
