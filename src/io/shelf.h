/* One small record per block of text, put by the thread that parsed it, in the order of the file. */
#ifndef WFI_SHELF_H
#define WFI_SHELF_H

#include "core/core.h"

#include <pthread.h>

typedef struct wfi_shelf {
    pthread_mutex_t lock; /* parsers hold it around anything else they share, too */
    char *records;
    size_t each;        /* bytes of a record */
    size_t count, room; /* places below count that nobody filled are all zero */
} wfi_shelf;

void wfi_shelf_open(wfi_shelf *shelf, size_t each);
/* Frees the records, not what they point to. */
void wfi_shelf_close(wfi_shelf *shelf);

/* Copies *record to place `at`.  The lock must be held when other threads may put as well. */
weft_status wfi_shelf_put(weft_ctx *ctx, wfi_shelf *shelf, size_t at, const void *record);

static inline void *wfi_shelf_at(const wfi_shelf *shelf, size_t at) { return shelf->records + at * shelf->each; }

#endif
