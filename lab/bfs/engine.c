/* The top rungs: the library's bfs, on the CPU and on the GPU. */
#include "bfs.h"

/* What the definition makes any method move that goes by rows; the library may do with less. */
#define MODEL "as queue, as if every arc were followed: 8 an arc + 32 a vertex (bottom-up levels look at fewer)"

static weft_status run(lab_run *r) {
    /* --- excerpt --- */
    weft_status st = lab_engine(r);
    /* --- end --- */
    if (!st) r->edges = bfs_arcs_out(&r->out, weft_result_u32(r->result, "level"));
    r->bytes = 8 * r->edges + 32.0 * r->out.vertices;
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
    .model = MODEL,
    .source = "lab/bfs/engine.c",
    .device = LAB_CPU,
    .run = run,
};

const lab_rung bfs_engine_gpu = {
    .name = "engine-gpu",
    .title = "the library: weft_bfs on the GPU",
    .against = "engine",
    .changed =
        "The same call with --device cuda. The graph stays on the GPU after the warm-up, so that only the answer is "
        "copied.",
    .wins = "Broad graphs of a million arcs and more; and against the rungs before it, because it takes the better "
            "direction "
            "in each level.",
    .loses = "Deep graphs and small ones: a level cannot take less than its launches.",
    .model = MODEL,
    .source = "lab/bfs/engine.c",
    .device = LAB_CUDA,
    .run = run,
};
