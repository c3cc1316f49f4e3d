/* The table of verifiers, one line each. */
#include "checks.h"
#include "check.h"

#include <string.h>

static const struct {
    const char *algorithm;
    weft_check_fn check;
} checks[] = {
    {"degree", weft_check_degree},
    {"pagerank", weft_check_pagerank},
    {"bfs", weft_check_bfs},
};

weft_check_fn weft_check_find(const char *algorithm) {
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        if (!strcmp(checks[i].algorithm, algorithm)) return checks[i].check;
    return NULL;
}
