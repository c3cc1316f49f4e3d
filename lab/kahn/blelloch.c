/* Rung 8: rung 6 with the scan by Blelloch's two sweeps [1], block by block and for any n.
 * [1] G. E. Blelloch, "Prefix sums and their applications", CMU-CS-90-190, 1990. */
#include "kahn.h"

#include <string.h>

enum { BLOCK = 1024 };

static size_t blocks_of(size_t n) { return (n + BLOCK - 1) / BLOCK; }

/* Exclusive scan of one block in place; returns its sum. */
/* --- excerpt --- */
static uint32_t scan_block(uint32_t x[BLOCK]) {
    for (size_t step = 1; step < BLOCK; step *= 2)
        for (size_t i = 2 * step - 1; i < BLOCK; i += 2 * step) x[i] += x[i - step];
    uint32_t sum = x[BLOCK - 1];
    x[BLOCK - 1] = 0;
    for (size_t step = BLOCK / 2; step; step /= 2)
        for (size_t i = 2 * step - 1; i < BLOCK; i += 2 * step) {
            uint32_t left = x[i - step];
            x[i - step] = x[i];
            x[i] += left;
        }
    return sum;
}

/* in and out may be the same.  sums has room for the sum of each block, then for those of blocks of blocks, and so on. */
static void scan_any(const uint32_t *in, uint32_t *out, size_t n, uint32_t *sums) {
    size_t blocks = blocks_of(n);
    for (size_t b = 0; b < blocks; b++) {
        uint32_t x[BLOCK] = {0}; /* only here is a power of two needed: the last block is filled up with zeros */
        size_t first = b * BLOCK, length = n - first < BLOCK ? n - first : BLOCK;
        memcpy(x, in + first, length * sizeof *x);
        sums[b] = scan_block(x);
        memcpy(out + first, x, length * sizeof *x);
    }
    if (blocks < 2) return;
    scan_any(sums, sums, blocks, sums + blocks);
    for (size_t i = BLOCK; i < n; i++) out[i] += sums[i / BLOCK];
}
/* --- end --- */

static weft_vid collect(kahn *k) {
    kahn_flag(k);
    scan_any(k->flags, k->places, k->n, k->extra);
    return kahn_compact(k);
}

static weft_status run(lab_run *r) {
    kahn k;
    weft_status st = kahn_open(r, KAHN_CSR, (2 * blocks_of(r->out.vertices) + 2) * sizeof(uint32_t), &k);
    if (st) return st;
    kahn_degree_by_difference(&k);
    uint32_t rounds = kahn_rounds(&k, collect, kahn_remove_rows);
    double passes = kahn_bytes_of_rounds(&k, rounds) + 8.0 * k.n * rounds;
    return kahn_close(&k, 12.0 * k.n + passes + kahn_bytes_of_rows(&k));
}

static const char *serves(lab_run *r) { return kahn_serves(r, KAHN_CSR, 0, 8); }

const lab_rung kahn_blelloch = {
    .name = "csr-blelloch",
    .title = "CSR, the scan by Blelloch's two sweeps, for any n",
    .against = "csr-csc",
    .changed = "Each block of 1024 flags is scanned by an up-sweep and a down-sweep, the blocks' sums the same way, "
               "and each block adds "
               "what stands before it. The thesis's scan wants a power of two and pads everything, matrix included; "
               "only the buffer of a "
               "block needs that, and any n will do.",
    .wins = "On a GPU: 2n additions in 2 log n steps that 1024 threads take together.",
    .loses = "Here: one core adds a running sum as fast as it reads. The sweeps do twice the additions, in strides, on "
             "a copy.",
    .model = "as csr-csc + 8 n a round (the blocks' sums added; the sweeps stay in the nearest cache)",
    .source = "lab/kahn/blelloch.c",
    .device = LAB_CPU,
    .serves = serves,
    .run = run,
};
