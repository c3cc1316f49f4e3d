/* The `most` best (value, vertex) pairs of a sequence: larger values first, ties by smaller vertex. The result does
 * not depend on the order of the sequence.
 * Method: a heap in the output arrays, with the worst kept pair at the root. */
#ifndef WFI_BEST_H
#define WFI_BEST_H

#include "core/core.h"

typedef struct wfi_best {
    weft_vid *vertex; /* `most` elements, as in `value` */
    double *value;
    uint64_t most, count;
} wfi_best;

WFI_HOST_DEVICE static inline bool wfi_precedes(double value, weft_vid v, double other_value, weft_vid other) {
    return value != other_value ? value > other_value : v < other;
}

/* Sifts a pair down from position i. */
static inline void wfi_best_sift_down(wfi_best *b, uint64_t i, double value, weft_vid v) {
    for (uint64_t child; (child = 2 * i + 1) < b->count; i = child) {
        if (child + 1 < b->count &&
            wfi_precedes(b->value[child], b->vertex[child], b->value[child + 1], b->vertex[child + 1]))
            child++;
        if (!wfi_precedes(value, v, b->value[child], b->vertex[child])) break;
        b->value[i] = b->value[child];
        b->vertex[i] = b->vertex[child];
    }
    b->value[i] = value;
    b->vertex[i] = v;
}

static inline void wfi_best_sift_up(wfi_best *b, uint64_t i, double value, weft_vid v) {
    for (; i && wfi_precedes(b->value[(i - 1) / 2], b->vertex[(i - 1) / 2], value, v); i = (i - 1) / 2) {
        b->value[i] = b->value[(i - 1) / 2];
        b->vertex[i] = b->vertex[(i - 1) / 2];
    }
    b->value[i] = value;
    b->vertex[i] = v;
}

/* Needs most >= 1. */
static inline void wfi_best_offer(wfi_best *b, double value, weft_vid v) {
    if (b->count < b->most)
        wfi_best_sift_up(b, b->count++, value, v);
    else if (wfi_precedes(value, v, b->value[0], b->vertex[0]))
        wfi_best_sift_down(b, 0, value, v);
}

/* Heap sort: best pair first. */
static inline void wfi_best_sort(wfi_best *b) {
    uint64_t count = b->count;
    while (b->count > 1) {
        double last = b->value[0], value = b->value[b->count - 1];
        weft_vid last_vertex = b->vertex[0], v = b->vertex[b->count - 1];
        b->count--;
        wfi_best_sift_down(b, 0, value, v);
        b->value[b->count] = last;
        b->vertex[b->count] = last_vertex;
    }
    b->count = count;
}

#endif
