/* The top rung: the library's aggregate on the CPU. */
#include "aggregate.h"

static weft_status run(lab_run *r) {
    /* --- excerpt --- */
    weft_status st = lab_engine(r, "aggregate", WEFT_DEVICE_CPU);
    /* --- end --- */
    r->edges = (double)r->in.arcs;
    return st;
}

const lab_rung aggregate_engine = {
    .name = "engine",
    .title = "the library: weft_aggregate on the CPU",
    .against = "vectorised",
    .changed = "The call that programs use: 64 sums in registers, so that a neighbour is taken once, and its row "
               "asked for 16 arcs ahead; rows dealt out by their cost; sums, means, maxima, weighed or with loops.",
    .wins = "Everywhere here, by two to three times.",
    .loses = "Graphs so small that threads are not worth starting.",
    .source = "lab/aggregate/engine.c",
    .device = LAB_CPU,
    .run = run,
};
