/* Rung 4: rung 3 with sums in registers, 16 features at a time, and all threads. */
#include "aggregate.h"

enum { LANES = 16, BLOCK = 256, PIECE = 1 << 16 }; /* PIECE: rows between two looks at whether to stop */

/* Sixteen features of row v.  Sums of f32 in blocks of 256 arcs: the error grows with the block and the number of blocks, not with the arcs. */
/* --- excerpt --- */
static void add_lanes(const aggregation *a, weft_vid v, size_t c) {
    float total[LANES] = {0};
    for (weft_eid from = a->in.offsets[v], end = a->in.offsets[v + 1]; from < end; from += BLOCK) {
        weft_eid to = end - from < BLOCK ? end : from + BLOCK;
        float sum[LANES] = {0};
        for (weft_eid e = from; e < to; e++) {
            const float *row = a->x + a->in.targets[e] * a->width + c;
            for (size_t i = 0; i < LANES; i++) sum[i] += row[i];
        }
        for (size_t i = 0; i < LANES; i++) total[i] += sum[i];
    }
    for (size_t i = 0; i < LANES; i++) a->f[v * a->width + c + i] = total[i] * aggregate_share(a, v);
}
/* --- end --- */

/* The features that do not fill sixteen lanes. */
static void add_rest(const aggregation *a, weft_vid v, size_t c) {
    for (; c < a->width; c++) {
        double sum = 0;
        for (weft_eid e = a->in.offsets[v]; e < a->in.offsets[v + 1]; e++)
            sum += (double)a->x[a->in.targets[e] * a->width + c];
        a->f[v * a->width + c] = (float)sum * aggregate_share(a, v);
    }
}

static weft_status run(lab_run *r) {
    aggregation a;
    weft_status st = aggregate_open(r, 0, &a);
    if (st) return st;
    lab_turn(r, LAB_KERNELS);
    for (weft_vid first = 0, end = 0; first < a.n && !lab_stopped(r); first = end) {
        end = a.n - first < PIECE ? a.n : first + PIECE;
#pragma omp parallel for num_threads(r->threads) schedule(dynamic, 64)
        for (weft_vid v = first; v < end; v++) {
            size_t c = 0;
            for (; c + LANES <= a.width; c += LANES) add_lanes(&a, v, c);
            add_rest(&a, v, c);
        }
    }
    double width = (double)a.width, arcs = (double)a.in.arcs;
    return aggregate_close(&a, 4 * arcs * (width / LANES) + 4 * width * arcs + 8.0 * a.n + 4 * width * a.n);
}

const lab_rung aggregate_vectorised = {
    .name = "vectorised",
    .title = "sixteen features in registers, all threads",
    .against = "per-node",
    .changed = "Sixteen sums stay in vector registers while the neighbours go by, in f32, in blocks of 256 arcs so "
               "that a hub's sum stays good; rows are dealt out to all "
               "threads in handfuls.",
    .wins = "An addition is one load and one vector instruction, and several neighbours' rows are under way at "
            "once, because nothing is stored in between.",
    .loses = "Arcs are read once for every sixteen features; a hub is one thread's work.",
    .model = "4 m for each 16 features (sources) + 4 m width (rows) + 8 n + 4 n width (result)",
    .source = "lab/aggregate/vectorised.c",
    .device = LAB_CPU,
    .serves = aggregate_serves,
    .run = run,
};
