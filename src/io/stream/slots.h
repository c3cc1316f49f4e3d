/* Ordered slots: one small record per block of text, put by the thread that parsed it, in the order of the file. */
#ifndef WFI_SLOTS_H
#define WFI_SLOTS_H

#include "core/core.h"

#include <pthread.h>

typedef struct wfi_slots {
    pthread_mutex_t lock; /* parsers hold it around anything else they share, too */
    char *records;
    size_t each;        /* bytes of a record */
    size_t count, room; /* places below count that nobody filled are all zero */
} wfi_slots;

void wfi_slots_open(wfi_slots *slots, size_t each);
/* Frees the records, not what they point to. */
void wfi_slots_close(wfi_slots *slots);

/* Copies *record to place `at`.  The lock must be held when other threads may put as well. */
weft_status wfi_slots_put(weft_ctx *ctx, wfi_slots *slots, size_t at, const void *record);

static inline void *wfi_slots_at(const wfi_slots *slots, size_t at) { return slots->records + at * slots->each; }

#endif
