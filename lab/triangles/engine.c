/* The top rung: the library's triangles on the CPU. */
#include "triangles.h"

static weft_status run(lab_run *r) {
    /* --- excerpt --- */
    weft_status st = lab_engine(r, "triangles", WEFT_DEVICE_CPU);
    /* --- end --- */
    r->edges = (double)weft_graph_edges(r->g);
    return st;
}

const lab_rung triangles_engine = {
    .name = "engine",
    .title = "the library: weft_triangles on the CPU",
    .against = "oriented",
    .changed = "The call that programs use: oriented rows, by all threads, with a way to intersect them that depends "
               "on their lengths.",
    .wins = "Everywhere but on graphs so small that starting threads takes longer than counting.",
    .loses = "Small dense graphs, to the bit matrix.",
    .source = "lab/triangles/engine.c",
    .device = LAB_CPU,
    .run = run,
};
