/* Per-thread buffer for a list that several threads append to; flushed in batches, so that the list's length is
 * rarely contended. */
#ifndef WFI_APPEND_BUFFER_H
#define WFI_APPEND_BUFFER_H

#include <stdint.h>
#include <string.h>

enum { WFI_APPEND_BATCH = 256 };

typedef struct wfi_append_buffer {
    uint32_t *list;
    uint64_t *length; /* entries of the list so far, shared by all threads */
    unsigned count;
    uint32_t entries[WFI_APPEND_BATCH];
} wfi_append_buffer;

/* Does not clear `entries`: that would cost more than a small step. */
static inline void wfi_append_buffer_open(wfi_append_buffer *f, uint32_t *list, uint64_t *length) {
    f->list = list;
    f->length = length;
    f->count = 0;
}

/* Appends the buffered entries to the list. */
static inline void wfi_append_buffer_flush(wfi_append_buffer *f) {
    if (!f->count) return;
    uint64_t at = __atomic_fetch_add(f->length, f->count, __ATOMIC_RELAXED);
    memcpy(f->list + at, f->entries, f->count * sizeof *f->entries);
    f->count = 0;
}

static inline void wfi_append(wfi_append_buffer *f, uint32_t x) {
    if (f->count == WFI_APPEND_BATCH) wfi_append_buffer_flush(f);
    f->entries[f->count++] = x;
}

#endif
