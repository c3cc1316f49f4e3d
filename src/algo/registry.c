/* The algorithms, one line each. */
#include "algo/algo.h"

#include <string.h>

/* In the order of `weft help`. */
#define ALGORITHMS(X) \
    X(pagerank)       \
    X(hits)           \
    X(bfs)            \
    X(sssp)           \
    X(components)     \
    X(triangles)      \
    X(clustering)     \
    X(labelprop)      \
    X(toposort)       \
    X(cycle)          \
    X(kcore)          \
    X(degree)         \
    X(distances)      \
    X(layout)         \
    X(aggregate)

#define DECLARE(name) extern const wfi_algorithm wfi_algorithm_##name;
ALGORITHMS(DECLARE)

#define LIST(name) &wfi_algorithm_##name,
const wfi_algorithm *const wfi_algorithms[] = {ALGORITHMS(LIST)};
const size_t wfi_algorithm_total = sizeof wfi_algorithms / sizeof *wfi_algorithms;

size_t weft_algorithm_count(void) { return wfi_algorithm_total; }

const weft_algorithm_info *weft_algorithm_at(size_t i) {
    return i < wfi_algorithm_total ? &wfi_algorithms[i]->info : NULL;
}

const weft_algorithm_info *weft_algorithm_find(const char *name) {
    for (size_t i = 0; name && i < wfi_algorithm_total; i++)
        if (!strcmp(wfi_algorithms[i]->info.name, name)) return &wfi_algorithms[i]->info;
    return NULL;
}
