/* Binary min-heap of vertices or slots with lazy deletion: a vertex may have several entries. */
#ifndef WFI_HEAP_H
#define WFI_HEAP_H

#include "core/core.h"

typedef struct wfi_heap_entry {
    double key;
    weft_vid slot;
} wfi_heap_entry;

typedef struct wfi_heap {
    wfi_heap_entry *at;
    size_t count, capacity;
} wfi_heap;

static inline bool wfi_heap_push(weft_ctx *ctx, wfi_heap *h, double key, weft_vid slot) {
    if (h->count == h->capacity && wfi_reserve_one(ctx, &h->at, h->count, &h->capacity)) return false;
    size_t i = h->count++;
    for (; i && h->at[(i - 1) / 2].key > key; i = (i - 1) / 2) h->at[i] = h->at[(i - 1) / 2];
    h->at[i] = (wfi_heap_entry){key, slot};
    return true;
}

static inline wfi_heap_entry wfi_heap_pop(wfi_heap *h) {
    wfi_heap_entry top = h->at[0], last = h->at[--h->count];
    size_t i = 0;
    for (size_t child; (child = 2 * i + 1) < h->count; i = child) {
        if (child + 1 < h->count && h->at[child + 1].key < h->at[child].key) child++;
        if (h->at[child].key >= last.key) break;
        h->at[i] = h->at[child];
    }
    h->at[i] = last;
    return top;
}

#endif
