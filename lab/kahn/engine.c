/* The top rungs: the library's toposort, on the CPU and on the GPU. */
#include "kahn.h"

/* What the definition makes any method move that goes by rows; the library may do with less. */
#define MODEL "as csr-queue: 12 n (in-degrees) + 28 n (queue, levels, offsets) + 12 an arc removed"

static weft_status run(lab_run *r) {
    /* --- excerpt --- */
    weft_status st = lab_engine(r);
    /* --- end --- */
    if (!st) r->edges = bfs_arcs_out(&r->out, weft_result_u32(r->result, "level"));
    r->bytes = 40.0 * r->out.vertices + 12 * r->edges;
    return st;
}

static const char *gpu_serves(lab_run *r) {
    const char *undirected = kahn_serves_directed(r);
    return undirected ? undirected : lab_engine_on_gpu(r);
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
    .loses =
        "Nothing on the thesis's graphs: rounds of two or three vertices leave nothing to share between cores, and "
        "one thread takes them, level with the queue on an ARM core and ahead of it on a Xeon.",
    .model = MODEL,
    .source = "lab/kahn/engine.c",
    .device = LAB_CPU,
    .serves = kahn_serves_directed,
    .run = run,
};

const lab_rung kahn_engine_gpu = {
    .name = "engine-gpu",
    .title = "the library: weft_toposort on the GPU",
    .against = "gpu-csr-persistent",
    .changed = "The same call with --device cuda. The graph stays on the GPU after the warm-up.",
    .wins = "Wide graphs, whose rounds hold thousands of vertices.",
    .loses = "Small graphs, and deep ones of short rows, where the queue of one core has nothing to wait for.",
    .model = MODEL,
    .source = "lab/kahn/engine.c",
    .device = LAB_CUDA,
    .serves = gpu_serves,
    .run = run,
};
