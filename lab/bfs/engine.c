/* The top rung: the library's bfs on the CPU. */
#include "bfs.h"

static weft_status run(lab_run *r) {
    /* --- excerpt --- */
    weft_status st = lab_engine(r, "bfs", WEFT_DEVICE_CPU);
    /* --- end --- */
    if (!st) r->edges = bfs_arcs_out(&r->out, weft_result_u32(r->result, "level"));
    return st;
}

const lab_rung bfs_engine = {
    .name = "engine",
    .title = "the library: weft_bfs on the CPU",
    .against = "bottom-up",
    .changed = "The call that programs use: from the top down while the frontier is small, bottom-up through bitmaps "
               "while it is broad, and back; "
               "by all threads where a level is worth it.",
    .wins = "Broad graphs: each level takes the direction that reads fewer arcs, and frontiers are bitmaps, taken "
            "by number.",
    .loses = "Grids, whose 2,000 levels have 500 vertices each: nothing to turn around and little to share, and "
             "the plain queue was 1.5 to 1.9 times faster in every run; graphs of a few hundred vertices.",
    .source = "lab/bfs/engine.c",
    .device = LAB_CPU,
    .run = run,
};
