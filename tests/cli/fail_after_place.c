/* LD_PRELOAD of trouble.sh: once a file has got its name (rename, link), every allocation fails.  Standard error says
 * "placed" then, so that a run that places no file is seen. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static volatile int placed;

static void *next(const char *name) { return dlsym(RTLD_NEXT, name); }

static int place(int result) {
    static const char said[] = "placed\n";
    if (!result && !placed && write(STDERR_FILENO, said, sizeof said - 1) > 0) placed = 1;
    return result;
}

int rename(const char *from, const char *to) {
    static int (*real)(const char *, const char *);
    if (!real) *(void **)&real = next("rename");
    return place(real(from, to));
}

int link(const char *from, const char *to) {
    static int (*real)(const char *, const char *);
    if (!real) *(void **)&real = next("link");
    return place(real(from, to));
}

int linkat(int a, const char *from, int b, const char *to, int flags) {
    static int (*real)(int, const char *, int, const char *, int);
    if (!real) *(void **)&real = next("linkat");
    return place(real(a, from, b, to, flags));
}

/* glibc's own names: dlsym itself may allocate. */
extern void *__libc_malloc(size_t bytes), *__libc_calloc(size_t count, size_t each);
extern void *__libc_realloc(void *block, size_t bytes), *__libc_memalign(size_t alignment, size_t bytes);

static void *or_nothing(void *block) {
    if (!block) errno = ENOMEM;
    return block;
}

void *malloc(size_t bytes) { return or_nothing(placed ? NULL : __libc_malloc(bytes)); }
void *calloc(size_t count, size_t each) { return or_nothing(placed ? NULL : __libc_calloc(count, each)); }
void *realloc(void *block, size_t bytes) { return or_nothing(placed ? NULL : __libc_realloc(block, bytes)); }
void *aligned_alloc(size_t alignment, size_t bytes) {
    return or_nothing(placed ? NULL : __libc_memalign(alignment, bytes));
}
int posix_memalign(void **block, size_t alignment, size_t bytes) {
    return placed || !(*block = __libc_memalign(alignment, bytes)) ? ENOMEM : 0;
}

void *mmap(void *at, size_t bytes, int protection, int flags, int fd, off_t offset) {
    static void *(*real)(void *, size_t, int, int, int, off_t);
    if (placed) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    if (!real) *(void **)&real = next("mmap");
    return real(at, bytes, protection, flags, fd, offset);
}
