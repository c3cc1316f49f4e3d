/* The degree histogram of `weft info`: bins 0, 1, 2-3, 4-7, ... */
#ifndef WEFT_CLI_HISTOGRAM_H
#define WEFT_CLI_HISTOGRAM_H

#include "cli.h"
#include "result/json.h"

enum { HISTOGRAM_BINS = 65 };

typedef struct histogram {
    uint64_t count[HISTOGRAM_BINS]; /* [0]: degree 0; [k]: degrees 2^(k-1) ... 2^k - 1 */
    unsigned bins;                  /* used ones */
} histogram;

weft_status histogram_of_degrees(weft_ctx *ctx, const weft_graph *g, weft_side side, histogram *h);
void histogram_print(const histogram *h, const char *title);
void histogram_json(json *j, const char *key, const histogram *h);

#endif
