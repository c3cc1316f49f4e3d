/* The table of verifiers, one line each. */
#include "checks.h"
#include "check.h"

#include <string.h>

static const struct {
    const char *algorithm;
    weft_check_fn check;
} checks[] = {
    {"components", weft_check_components},
    {"degree", weft_check_degree},
    {"labelprop", weft_check_labelprop},
    {"sssp", weft_check_sssp},
    {"triangles", weft_check_triangles},
    {"clustering", weft_check_clustering},
    {"pagerank", weft_check_pagerank},
    {"bfs", weft_check_bfs},
    {"cycle", weft_check_cycle},
    {"degree", weft_check_degree},
    {"kcore", weft_check_kcore},
    {"toposort", weft_check_toposort},
};

weft_check_fn weft_check_find(const char *algorithm) {
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        if (!strcmp(checks[i].algorithm, algorithm)) return checks[i].check;
    return NULL;
}
