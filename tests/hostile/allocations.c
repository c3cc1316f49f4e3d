/* LD_PRELOAD: the allocation number FAIL_AT of the process fails, with FAIL_ALL every later one too.  What the loader
 * and dlsym() allocate before the real functions are known comes from a block of our own, and is never freed. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static void *(*real_malloc)(size_t), *(*real_calloc)(size_t, size_t), *(*real_realloc)(void *, size_t),
    *(*real_aligned)(size_t, size_t);
static void *(*real_mmap)(void *, size_t, int, int, int, off_t);
static int (*real_memalign)(void **, size_t, size_t);
static void (*real_free)(void *);

static _Alignas(64) char early[1 << 16];
static size_t early_used;
static atomic_long count;
static long fail_at = -1;
static bool fail_all;

__attribute__((constructor)) static void begin(void) {
    real_free = dlsym(RTLD_NEXT, "free");
    real_calloc = dlsym(RTLD_NEXT, "calloc");
    real_realloc = dlsym(RTLD_NEXT, "realloc");
    real_aligned = dlsym(RTLD_NEXT, "aligned_alloc");
    real_memalign = dlsym(RTLD_NEXT, "posix_memalign");
    real_mmap = dlsym(RTLD_NEXT, "mmap");
    const char *at = getenv("FAIL_AT");
    fail_all = getenv("FAIL_ALL") != NULL;
    fail_at = at ? atol(at) : -1;
    real_malloc = dlsym(RTLD_NEXT, "malloc");
}

static bool fails(void) {
    if (fail_at < 0) return false;
    long number = atomic_fetch_add(&count, 1);
    if (number != fail_at && !(fail_all && number > fail_at)) return false;
    errno = ENOMEM;
    return true;
}

static bool is_early(const void *p) {
    return (uintptr_t)p >= (uintptr_t)early && (uintptr_t)p < (uintptr_t)early + sizeof early;
}

static void *take_early(size_t bytes) {
    void *p = early + early_used;
    early_used += (bytes + 63) / 64 * 64;
    if (early_used > sizeof early) abort();
    return p;
}

void *malloc(size_t bytes) { return !real_malloc ? take_early(bytes) : fails() ? NULL : real_malloc(bytes); }
void *calloc(size_t n, size_t bytes) {
    return !real_malloc ? take_early(n * bytes) : fails() ? NULL : real_calloc(n, bytes);
}
void *aligned_alloc(size_t to, size_t bytes) { return fails() ? NULL : real_aligned(to, bytes); }
int posix_memalign(void **p, size_t to, size_t bytes) { return fails() ? ENOMEM : real_memalign(p, to, bytes); }
void *realloc(void *p, size_t bytes) {
    if (p && !is_early(p)) return fails() ? NULL : real_realloc(p, bytes);
    void *grown = malloc(bytes);
    if (grown && p)
        memcpy(grown, p,
               bytes < (size_t)(early + sizeof early - (char *)p) ? bytes : (size_t)(early + sizeof early - (char *)p));
    return grown;
}
void free(void *p) {
    if (p && !is_early(p)) real_free(p);
}
void *mmap(void *at, size_t bytes, int protection, int flags, int file, off_t from) {
    if (real_mmap) return fails() ? MAP_FAILED : real_mmap(at, bytes, protection, flags, file, from);
    void *(*now)(void *, size_t, int, int, int, off_t) = dlsym(RTLD_NEXT, "mmap");
    return now(at, bytes, protection, flags, file, from);
}
