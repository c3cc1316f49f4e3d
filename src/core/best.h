/* The best of values that come one by one, by value and then by vertex: the largest, and of equal ones the smallest
 * vertex.  In whatever order they come, the same are kept.
 * Method: a heap that stands where they will be; before every entry stands one that it precedes, and the last of all is
 * the first. */
#ifndef WFI_BEST_H
#define WFI_BEST_H

#include "core/core.h"

typedef struct wfi_best {
    weft_vid *vertex; /* room for `most` */
    double *value;
    uint64_t most, count;
} wfi_best;

WFI_HOST_DEVICE static inline bool wfi_precedes(double value, weft_vid v, double other_value, weft_vid other) {
    return value != other_value ? value > other_value : v < other;
}

/* Puts an entry at place i, or below. */
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

/* most is 1 or more. */
static inline void wfi_best_offer(wfi_best *b, double value, weft_vid v) {
    if (b->count < b->most)
        wfi_best_sift_up(b, b->count++, value, v);
    else if (wfi_precedes(value, v, b->value[0], b->vertex[0]))
        wfi_best_sift_down(b, 0, value, v);
}

/* When all were offered: the best first.  The last of those that are left goes to their end. */
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
