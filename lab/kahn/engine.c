/* The top rung: the library's toposort on the CPU. */
#include "kahn.h"

static weft_status run(lab_run *r) {
    /* --- excerpt --- */
    weft_status st = lab_engine(r, "toposort", WEFT_DEVICE_CPU);
    /* --- end --- */
    if (!st) r->edges = kahn_arcs_removed(&r->out, weft_result_u32(r->result, "level"));
    return st;
}

const lab_rung kahn_engine = {
    .name = "engine",
    .title = "the library: weft_toposort on the CPU",
    .against = "csr-queue",
    .changed = "The call that programs use: in-degrees from the transpose where there is one, by counting where "
               "not; rounds by all threads where they are large enough, by one where they are not. It may be "
               "stopped, keeps to a memory limit, and finds a cycle, where there is one, inside its time.",
    .wins = "Wide graphs on many cores; and it gives the cycle, which the rungs below look for after their clock has "
            "stopped.",
    .loses = "To the queue, where rounds hold two or three vertices and there is nothing to share between cores.",
    .source = "lab/kahn/engine.c",
    .device = LAB_CPU,
    .serves = kahn_serves_directed,
    .run = run,
};
