/* The algorithms, one line each. */
#include "algo/algo.h"

#include <string.h>

extern const wfi_algorithm wfi_algorithm_pagerank, wfi_algorithm_bfs, wfi_algorithm_sssp, wfi_algorithm_components,
    wfi_algorithm_triangles, wfi_algorithm_clustering, wfi_algorithm_labelprop, wfi_algorithm_toposort,
    wfi_algorithm_cycle, wfi_algorithm_kcore, wfi_algorithm_degree, wfi_algorithm_aggregate;

const wfi_algorithm *const wfi_algorithms[] = {
    &wfi_algorithm_pagerank,  &wfi_algorithm_bfs,        &wfi_algorithm_sssp,      &wfi_algorithm_components,
    &wfi_algorithm_triangles, &wfi_algorithm_clustering, &wfi_algorithm_labelprop, &wfi_algorithm_toposort,
    &wfi_algorithm_cycle,     &wfi_algorithm_kcore,      &wfi_algorithm_degree,    &wfi_algorithm_aggregate,
};
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
