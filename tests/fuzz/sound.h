/* What every graph must be, whatever bytes it was made of.  A condition that is broken ends the process. */
#ifndef WEFT_FUZZ_SOUND_H
#define WEFT_FUZZ_SOUND_H

#include "weft/base.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FUZZ_CHECK(condition)                                                       \
    do {                                                                            \
        if (!(condition)) {                                                         \
            fprintf(stderr, "%s:%d: broken: %s\n", __FILE__, __LINE__, #condition); \
            abort();                                                                \
        }                                                                           \
    } while (0)

static inline void fuzz_check_rows(const weft_csr *rows) {
    FUZZ_CHECK(rows->offsets && rows->offsets[0] == 0 && rows->offsets[rows->vertices] == rows->arcs);
    for (weft_vid v = 0; v < rows->vertices; v++) {
        FUZZ_CHECK(rows->offsets[v] <= rows->offsets[v + 1]);
        for (weft_eid e = rows->offsets[v]; e < rows->offsets[v + 1]; e++) {
            FUZZ_CHECK(rows->targets[e] < rows->vertices);
            FUZZ_CHECK(e == rows->offsets[v] || rows->targets[e - 1] <= rows->targets[e]);
        }
    }
}

static inline void fuzz_check_graph(weft_ctx *ctx, const weft_graph *g) {
    weft_csr out = {.size = sizeof out}, in = out;
    weft_graph_info info = {.size = sizeof info};
    uint64_t print;
    char text[64];
    weft_status st = weft_graph_out(ctx, g, &out);
    FUZZ_CHECK(st == WEFT_OK);
    fuzz_check_rows(&out);
    st = weft_graph_describe(ctx, g, &info);
    FUZZ_CHECK(st == WEFT_OK || st == WEFT_ENOMEM);
    if (!st) FUZZ_CHECK(info.vertices == out.vertices && info.arcs == out.arcs && info.max_degree <= info.arcs);
    st = weft_graph_in(ctx, g, &in);
    FUZZ_CHECK(st == WEFT_OK || st == WEFT_ENOMEM);
    if (!st) fuzz_check_rows(&in);
    st = weft_graph_fingerprint(ctx, g, &print);
    FUZZ_CHECK(st == WEFT_OK || st == WEFT_ENOMEM);
    for (weft_vid v = 0; v < out.vertices; v += 1 + out.vertices / 16) {
        weft_vid back = WEFT_NO_VERTEX;
        if (weft_graph_id_text(g, v, text, sizeof text) >= sizeof text) continue;
        st = weft_graph_find(ctx, g, text, &back);
        FUZZ_CHECK((st == WEFT_OK && back == v) || st == WEFT_ENOMEM);
    }
}

/* A .weft file that was not verified may lie about its arcs (damage is found on demand); one that was may not. */
static inline int fuzz_may_trust(weft_ctx *ctx, const weft_graph *g) { return weft_graph_verify(ctx, g) == WEFT_OK; }

#endif
