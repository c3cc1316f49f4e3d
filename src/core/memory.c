/* Blocks have a 64-byte header (owner, size, start of the system's block) before the caller's bytes and are counted
 * by atomic additions. Large blocks use huge pages: a random gather over 64 MB is 1.5 times faster with them. */
#include "core/memory.h"
#include "core/workspace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    HEADER = 64,
    HUGE_PAGE = 2 << 20,
    HUGE_FROM = 2 << 20,
    PAGE = 1 << 16 /* the largest page size of any system */,
    SMALL_PAGE = 4096
};

struct wfi_memory {
    atomic_size_t references;
    _Atomic uint64_t in_use, peak;
    uint64_t limit; /* 0 = none */
    bool limit_of_group;
    weft_alloc_fn alloc;
    weft_free_fn release;
    void *user;
};

typedef struct header {
    wfi_memory *owner;
    void *start;       /* start of the system's block */
    size_t start_size; /* bytes of the system's block */
    size_t bytes;      /* bytes requested by the caller */
    wfi_pin pin;       /* .end is NULL if the block is not pinned */
} header;

_Static_assert(sizeof(header) <= HEADER, "the header must fit in front of an aligned block");

static header *header_of(const void *block) { return (header *)((char *)(uintptr_t)block - HEADER); }

wfi_memory *wfi_memory_new(void) {
    wfi_memory *m = calloc(1, sizeof *m);
    if (m) atomic_init(&m->references, 1);
    return m;
}

void wfi_memory_release(wfi_memory *m) {
    if (m && atomic_fetch_sub(&m->references, 1) == 1) free(m);
}

void wfi_memory_set_limit(wfi_memory *m, uint64_t bytes, bool of_group) {
    m->limit = bytes;
    m->limit_of_group = of_group;
}

void wfi_memory_set_hooks(wfi_memory *m, weft_alloc_fn alloc, weft_free_fn release, void *user) {
    m->alloc = alloc;
    m->release = release;
    m->user = user;
}

uint64_t wfi_memory_limit(const wfi_memory *m) { return m->limit; }
bool wfi_memory_is_tight(const wfi_memory *m) { return m->limit && !m->limit_of_group; }
uint64_t wfi_memory_in_use(const wfi_memory *m) { return atomic_load(&m->in_use); }
uint64_t wfi_memory_peak(const wfi_memory *m) { return atomic_load(&m->peak); }
void wfi_memory_restart_peak(wfi_memory *m) { atomic_store(&m->peak, atomic_load(&m->in_use)); }

/* Large blocks without hooks share no page with other blocks. */
static size_t whole_pages(size_t size) { return size > SIZE_MAX - PAGE ? SIZE_MAX : (size + PAGE - 1) / PAGE * PAGE; }

static void *system_take(wfi_memory *m, size_t size) {
    if (m->alloc) return m->alloc(m->user, size);
    if (size < HUGE_FROM) return malloc(size);
    void *start = NULL;
    size = whole_pages(size);
    if (posix_memalign(&start, HUGE_PAGE, size)) return NULL;
#ifdef MADV_HUGEPAGE
    madvise(start, size, MADV_HUGEPAGE);
#endif
    return start;
}

static void system_give(wfi_memory *m, void *start, size_t size) {
    if (m->release)
        m->release(m->user, start, size);
    else
        free(start);
}

const char *wfi_size_text(char buffer[24], uint64_t bytes) {
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    if (bytes < 1024) {
        snprintf(buffer, 24, "%u bytes", (unsigned)bytes);
        return buffer;
    }
    double x = (double)bytes / 1024;
    size_t unit = 0;
    for (; x >= 1024; unit++) x /= 1024;
    snprintf(buffer, 24, "%.1f %s", x, units[unit]);
    return buffer;
}

const char *wfi_limit_text(char buffer[80], const wfi_memory *m) {
    char size[24];
    snprintf(buffer, 80, "%s%s", wfi_size_text(size, m->limit),
             m->limit_of_group ? " that the memory control group leaves" : "");
    return buffer;
}

wfi_memory *wfi_memory_keep(wfi_memory *m) {
    atomic_fetch_add(&m->references, 1);
    return m;
}

void wfi_memory_unreserve(wfi_memory *m, uint64_t bytes) { atomic_fetch_sub(&m->in_use, bytes); }

bool wfi_memory_reserve(weft_ctx *ctx, wfi_memory *m, const char *what, uint64_t size) {
    uint64_t now = atomic_fetch_add(&m->in_use, size) + size;
    if (m->limit && now > m->limit) {
        atomic_fetch_sub(&m->in_use, size);
        char more[24], held[24], limit[80];
        wfi_fail_bytes(ctx, size, "over the %s limit of %s: %s more are needed on top of %s", what,
                       wfi_limit_text(limit, m), wfi_size_text(more, size), wfi_size_text(held, now - size));
        return false;
    }
    uint64_t peak = atomic_load(&m->peak);
    while (now > peak && !atomic_compare_exchange_weak(&m->peak, &peak, now)) continue;
    return true;
}

/* Makes a block of reserved bytes. The caller counts its reference to the owner. */
static void *take_reserved(weft_ctx *ctx, wfi_memory *m, size_t size, size_t bytes) {
    char *start = system_take(m, size);
    if (!start) {
        wfi_fail_bytes(ctx, size, "out of memory: the system has no %.1f MB more (%.1f MB in use)", (double)size / 1e6,
                       (double)(atomic_load(&m->in_use) - size) / 1e6);
        return NULL;
    }
    char *block = start + HEADER;
    block += (HEADER - (uintptr_t)block % HEADER) % HEADER;
    *header_of(block) = (header){m, start, size, bytes, {NULL, NULL}};
    return block;
}

void *wfi_take(weft_ctx *ctx, size_t count, size_t each) {
    wfi_memory *m = wfi_ctx_memory(ctx);
    size_t bytes, size;
    if (__builtin_mul_overflow(count, each, &bytes) || __builtin_add_overflow(bytes, (size_t)2 * HEADER, &size)) {
        wfi_fail(ctx, WEFT_ENOMEM, "out of memory: %zu items of %zu bytes do not fit in the address space", count,
                 each);
        return NULL;
    }
    if (!wfi_memory_reserve(ctx, m, "memory", size)) return NULL;
    void *block = take_reserved(ctx, m, size, bytes);
    if (block)
        atomic_fetch_add(&m->references, 1);
    else
        atomic_fetch_sub(&m->in_use, size);
    return block;
}

void *wfi_take_within(weft_ctx *ctx, wfi_allowance *a, size_t bytes) {
    enum { MOST_AHEAD = 1 << 20, REFERENCES = 1024 };
    wfi_memory *m = wfi_ctx_memory(ctx);
    if (wfi_memory_is_tight(m)) return wfi_take(ctx, bytes, 1);
    size_t size = bytes + (size_t)2 * HEADER;
    if (a->bytes < size) {
        if (!wfi_memory_reserve(ctx, m, "memory", size + a->ahead)) return NULL;
        a->bytes += size + a->ahead;
        a->ahead = wfi_min_u64(MOST_AHEAD, 2 * a->ahead + size);
    }
    if (!a->references) {
        atomic_fetch_add(&m->references, REFERENCES);
        a->references = REFERENCES;
    }
    a->owner = m;
    void *block = take_reserved(ctx, m, size, bytes);
    if (!block) return NULL;
    a->bytes -= size;
    a->references--;
    return block;
}

void wfi_free_within(wfi_allowance *a, void *block) {
    header h = *header_of(block);
    if (h.pin.end || (a->owner && a->owner != h.owner)) {
        wfi_free(block);
        return;
    }
    a->owner = h.owner;
    a->bytes += h.start_size;
    a->references++;
    system_give(h.owner, h.start, h.start_size);
}

void wfi_allowance_end(wfi_allowance *a) {
    wfi_memory *m = a->owner;
    size_t references = a->references;
    if (m) atomic_fetch_sub(&m->in_use, a->bytes);
    *a = (wfi_allowance){.owner = NULL};
    if (references && atomic_fetch_sub(&m->references, references) == references) free(m);
}

void *wfi_take_zeroed(weft_ctx *ctx, size_t count, size_t each) {
    void *block = wfi_take(ctx, count, each);
    if (block) memset(block, 0, count * each);
    return block;
}

void *wfi_resize(weft_ctx *ctx, void *block, size_t count, size_t each) {
    void *fresh = wfi_take(ctx, count, each);
    if (fresh && block) {
        size_t old = wfi_block_bytes(block);
        memcpy(fresh, block, old < count * each ? old : count * each);
        wfi_free(block);
    }
    return fresh;
}

weft_status wfi_widen_block(weft_ctx *ctx, void *place, size_t count, size_t each) {
    void *block;
    memcpy(&block, place, sizeof block);
    if (!(block = wfi_resize(ctx, block, count, each))) return WEFT_ENOMEM;
    memcpy(place, &block, sizeof block);
    return WEFT_OK;
}

weft_status wfi_reserve_one_in(weft_ctx *ctx, void *place, size_t used, size_t *capacity, size_t each) {
    size_t more = 2 * *capacity + 64;
    if (used < *capacity) return WEFT_OK;
    weft_status st = wfi_widen_block(ctx, place, more, each);
    if (!st) *capacity = more;
    return st;
}

void wfi_free(const void *block) {
    if (!block) return;
    header h = *header_of(block);
    if (h.pin.end) h.pin.end(h.pin.by, h.start);
    system_give(h.owner, h.start, h.start_size);
    atomic_fetch_sub(&h.owner->in_use, h.start_size);
    wfi_memory_release(h.owner);
}

void wfi_free_all(const void *const blocks[], size_t count) {
    for (size_t i = 0; i < count; i++) wfi_free(blocks[i]);
}

uint64_t wfi_taken_bytes(uint64_t bytes) { return bytes > UINT64_MAX - 2 * HEADER ? UINT64_MAX : bytes + 2 * HEADER; }

size_t wfi_block_bytes(const void *block) { return header_of(block)->bytes; }

bool wfi_block_pages(const void *block, void **start, size_t *bytes) {
    const header *h = header_of(block);
    if (h->owner->alloc || h->start_size < HUGE_FROM) return false;
    *start = h->start;
    *bytes = whole_pages(h->start_size);
    return true;
}

void wfi_block_pin(void *block, wfi_pin pin) { header_of(block)->pin = pin; }
bool wfi_block_pinned(const void *block) { return header_of(block)->pin.end != NULL; }

char *wfi_copy_text(weft_ctx *ctx, const char *text) {
    size_t length = strlen(text) + 1;
    char *copy = wfi_take(ctx, length, 1);
    if (copy) memcpy(copy, text, length);
    return copy;
}

void weft_free(weft_ctx *ctx, void *block) {
    (void)ctx;
    wfi_free(block);
}

/* --- prefaulting: one thread per huge page, because two threads that touch the same one would both clear it ---- */

static uintptr_t first_of(const wfi_span *span) { return (uintptr_t)span->begin / HUGE_PAGE; }

static size_t huge_pages(const wfi_span *span) {
    return span->bytes ? ((uintptr_t)span->begin + span->bytes - 1) / HUGE_PAGE - first_of(span) + 1 : 0;
}

static void touch_one(const wfi_span *span, size_t number) {
    uintptr_t begin = (uintptr_t)span->begin, huge = (first_of(span) + number) * HUGE_PAGE;
    uintptr_t at = huge > begin ? huge : begin, end = wfi_min_u64(huge + HUGE_PAGE, begin + span->bytes);
    for (; at < end; at = (at / SMALL_PAGE + 1) * SMALL_PAGE) {
        volatile char *byte = (volatile char *)at;
        *byte = *byte;
    }
}

void wfi_touch(weft_ctx *ctx, const wfi_span *span, size_t spans) {
    size_t all = 0;
    for (size_t i = 0; i < spans; i++) all += huge_pages(&span[i]);
#pragma omp parallel for schedule(dynamic, 1) num_threads(wfi_threads_for(ctx, all, 1))
    for (size_t k = 0; k < all; k++) {
        size_t i = 0, number = k;
        if (wfi_cancelled(ctx)) continue;
        for (; number >= huge_pages(&span[i]); i++) number -= huge_pages(&span[i]);
        touch_one(&span[i], number);
    }
}
