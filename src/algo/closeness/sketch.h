/* Sketches of sets of vertices, HyperLogLog [1]: of each register the most leading zeros, and 1 more, of the hashes of
 * its vertices, so that a union takes the greater one.  The size is estimated from the registers by Ertl's improved raw
 * estimator [2], which needs no correction for small sizes: their sum is an integer, and what follows a few operations
 * in one order, on CPU cores as on the GPU.
 * [1] Flajolet, Fusy, Gandouet, Meunier, "HyperLogLog", AofA 2007.
 * [2] Ertl, "New cardinality estimation algorithms for HyperLogLog sketches", arXiv 1702.01284, 2017. */
#ifndef WFI_CLOSENESS_SKETCH_H
#define WFI_CLOSENESS_SKETCH_H

#include "core/splitmix.h"

enum {
    WFI_SKETCH_LEAST = 16, /* registers: a power of two */
    WFI_SKETCH_MOST = 4096,
    WFI_SKETCH_ZEROS = 50 /* and 1: what a register may say; sums of 2^-register are whole in 2^-51 */
};

/* Of a sketch: the sum of 2^(51 - register) over all registers, empty ones included, and how many are empty. */
typedef struct wfi_sketch_sum {
    uint64_t sum, empty;
} wfi_sketch_sum;

WFI_HOST_DEVICE static inline void wfi_sketch_add(wfi_sketch_sum *to, uint8_t value) {
    to->sum += ((uint64_t)1 << (WFI_SKETCH_ZEROS + 1)) >> value;
    to->empty += !value;
}

/* weight: of so many empty registers, wfi_sketch_weigh.  ALPHA is 1 / (2 ln 2). */
WFI_HOST_DEVICE static inline double wfi_sketch_size(uint64_t registers, const double *weight, wfi_sketch_sum s) {
    const uint64_t one = (uint64_t)1 << (WFI_SKETCH_ZEROS + 1);
    const double alpha = 0.72134752044448170368;
    double m = (double)registers, full = (double)(s.sum - s.empty * one) / (double)one;
    return alpha * m * m / (weight[s.empty] + full);
}

/* Of 0 ... m empty registers of m: m sigma(empty / m), where sigma(x) = x + x^2 + 2 x^4 + 4 x^8 + ... */
static inline void wfi_sketch_weigh(uint64_t registers, double *weight) {
    double m = (double)registers;
    for (uint64_t i = 0; i < registers; i++) {
        double x = (double)i / m, sum = x, before = -1;
        for (double times = 1; sum > before; times *= 2) {
            before = sum;
            x *= x;
            sum += x * times;
        }
        weight[i] = m * sum;
    }
    weight[registers] = 0; /* of no vertex: never met */
}

/* The hash of a vertex, wfi_splitmix, gives it a register and what that says of it alone. */
WFI_HOST_DEVICE static inline uint8_t wfi_sketch_says(uint64_t hash) {
    unsigned zeros = 0;
    while (zeros < WFI_SKETCH_ZEROS && !(hash >> (63 - zeros) & 1)) zeros++;
    return (uint8_t)(1 + zeros);
}

#endif
