/* The top rungs: the library, called as anybody would.  What it does is in docs/algo/pagerank.md; no line of it is here. */
#include "pagerank.h"

static weft_status run(lab_run *r) {
    /* --- excerpt --- */
    weft_status st = lab_engine(r);
    /* --- end --- */
    const weft_scalar *iterations = st ? NULL : weft_result_scalar(r->result, "iterations");
    double steps = iterations ? (double)iterations->value.u64 : 0;
    r->edges = steps * (double)r->in.arcs;
    r->bytes = steps * pagerank_contributions_bytes(r); /* the least that its result costs, as in bench/README.md */
    return st;
}

const lab_rung pagerank_engine = {
    .name = "engine",
    .title = "Engine: weft_pagerank() on the CPU",
    .against = "contributions",
    .changed = "The library. Rows are dealt out by arcs, not by nodes, so that a hub does not hold up its thread; "
               "sums are in 64-bit fixed point, so that the answer has the same bits with any number of threads and "
               "on the GPU.",
    .wins = "Graphs whose ranks do not fit in a cache, or that have hubs; and the same bits everywhere, which no "
            "rung below has.",
    .loses = "Small flat graphs, against the contributions: every addend becomes a whole number, and while ranks "
             "come from a cache that is what the time goes to: on two cores 1.3 times the time has been measured. "
             "On sixteen the two are level, or this one is ahead.",
    .model = PAGERANK_CONTRIBUTIONS_MODEL,
    .source = "lab/pagerank/engine.c",
    .device = LAB_CPU,
    .run = run,
};

const lab_rung pagerank_engine_gpu = {
    .name = "engine-gpu",
    .title = "Engine: weft_pagerank() on the GPU",
    .against = "engine",
    .changed = "The same call with --device cuda. The graph stays on the GPU after the warm-up.",
    .wins = "Graphs of more than some thousand arcs.",
    .loses = "Small graphs: launches and the copy of the result take longer than the CPU needs for everything.",
    .model = PAGERANK_CONTRIBUTIONS_MODEL,
    .source = "lab/pagerank/engine.c",
    .device = LAB_CUDA,
    .run = run,
};
