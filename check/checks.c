/* The table of verifiers, one line each. */
#include "checks.h"

#include <string.h>

static const struct {
    const char *algorithm;
    check_fn check;
} checks[] = {
    {"pagerank", weft_check_pagerank},   {"bfs", weft_check_bfs},
    {"sssp", weft_check_sssp},           {"components", weft_check_components},
    {"triangles", weft_check_triangles}, {"clustering", weft_check_clustering},
    {"labelprop", weft_check_labelprop}, {"toposort", weft_check_toposort},
    {"cycle", weft_check_cycle},         {"kcore", weft_check_kcore},
    {"degree", weft_check_degree},       {"aggregate", weft_check_aggregate},
};

check_fn check_find(const char *algorithm) {
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        if (!strcmp(checks[i].algorithm, algorithm)) return checks[i].check;
    return NULL;
}
