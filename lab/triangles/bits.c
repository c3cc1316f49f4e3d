/* Rung 5: a bit matrix.  The common neighbours of both ends of an edge are the bits of two rows that are set in both. */
#include "triangles.h"

/* --- excerpt --- */
static uint64_t common(const uint64_t *a, const uint64_t *b, size_t words) {
    uint64_t count = 0;
    for (size_t w = 0; w < words; w++) count += (uint64_t)__builtin_popcountll(a[w] & b[w]);
    return count;
}

/* A triangle at u is met at both of its edges there. */
static void count_at(const simple *s, const uint64_t *bits, size_t words, weft_vid u) {
    uint64_t met = 0;
    for (weft_eid e = s->offsets[u]; e < s->offsets[u + 1]; e++)
        met += common(bits + u * words, bits + s->targets[e] * words, words);
    s->count[u] = met / 2;
}
/* --- end --- */

static size_t words_of(const lab_run *r) { return ((size_t)r->out.vertices + 63) / 64; }

static weft_status run(lab_run *r) {
    simple s;
    size_t words = words_of(r);
    weft_status st = triangles_open(r, r->out.vertices * words * sizeof(uint64_t), &s);
    if (st) return st;
    uint64_t *bits = s.extra;
    lab_turn(r, LAB_COPY_IN);
    for (weft_vid v = 0; v < s.n; v++)
        for (weft_eid e = s.offsets[v]; e < s.offsets[v + 1]; e++)
            bits[v * words + s.targets[e] / 64] |= (uint64_t)1 << s.targets[e] % 64;
    lab_turn(r, LAB_KERNELS);
    for (weft_vid v = 0; v < s.n && !(v % 64 == 0 && lab_stopped(r)); v++) count_at(&s, bits, words, v);
    return triangles_close(&s, 16.0 * (double)words * (double)s.offsets[s.n]);
}

static const char *serves(lab_run *r) {
    double words = (double)words_of(r);
    return triangles_serves(r, 8 * words * r->out.vertices, 2e-9 * words * (double)weft_graph_edges(r->g));
}

const lab_rung triangles_bits = {
    .name = "bits",
    .title = "bit matrix: AND and count",
    .against = "matrix",
    .changed =
        "A bit for an edge, and only pairs that are edges are looked at: m products of rows, 64 columns at a time.",
    .wins =
        "Dense graphs of some thousand vertices: 32 times fewer bytes than the matrix, and as many times fewer steps.",
    .loses = "Sparse graphs: a row has n bits, however few are set.",
    .model = "for each arc two rows of n/8 bytes",
    .source = "lab/triangles/bits.c",
    .device = LAB_CPU,
    .serves = serves,
    .run = run,
};
