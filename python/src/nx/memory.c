/* Arrays with an entry for each node or arc.  They are accessed at random, and if every access is to another page, the
 * page walk costs as much as the memory access: large arrays ask for huge pages. */
#include "nx/graph.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static const size_t HUGE_PAGE = (size_t)2 << 20, HUGE_FROM = (size_t)4 << 20;

void *nx_take(uint64_t count, size_t width) {
    void *block = NULL;
    if (count >= SIZE_MAX / 2 / width) return NULL;
    size_t bytes = ((size_t)count + 1) * width;
    if (bytes < HUGE_FROM) return malloc(bytes);
    if (posix_memalign(&block, HUGE_PAGE, bytes)) return NULL;
#ifdef MADV_HUGEPAGE
    madvise(block, bytes / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE); /* for the whole pages of the block */
#endif
    return block;
}

void *nx_take_zeros(uint64_t count, size_t width) {
    void *block = nx_take(count, width);
    if (block) memset(block, 0, ((size_t)count + 1) * width);
    return block;
}

PyObject **nx_hold(uint64_t count) {
    PyObject **held = calloc(count + 1, sizeof *held);
    if (!held) PyErr_NoMemory();
    return held;
}

void nx_release(PyObject **held, uint64_t count) {
    for (uint64_t i = 0; held && i < count; i++) Py_XDECREF(held[i]);
    free(held);
}
