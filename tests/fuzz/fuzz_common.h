/* What every fuzz target does: the bytes go to one reader under a memory limit; whatever it makes of them must be a
 * sound graph, and whatever it refuses must come with a message and leave nothing behind.
 *
 * A target is   #define FUZZ_FORMAT "mtx"   and this header; one whose graphs are several files also defines FUZZ_READ,
 * a function like weft_read_memory that takes them as one.  The settings (threads, weights, direction, ids, ...) are
 * picked by the bytes themselves, so that a corpus consists of plain files. */
#ifndef WEFT_FUZZ_COMMON_H
#define WEFT_FUZZ_COMMON_H

#include "weft.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef FUZZ_READ
#define FUZZ_READ weft_read_memory
#endif

#define FUZZ_MEMORY ((uint64_t)64 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

/* For the driver: the format of this target (NULL = found by content) and how many inputs became graphs. */
extern const char *const fuzz_format;
extern unsigned long long fuzz_graphs;
const char *const fuzz_format = FUZZ_FORMAT;
unsigned long long fuzz_graphs;

#define FUZZ_CHECK(condition)                                                       \
    do {                                                                            \
        if (!(condition)) {                                                         \
            fprintf(stderr, "%s:%d: broken: %s\n", __FILE__, __LINE__, #condition); \
            abort();                                                                \
        }                                                                           \
    } while (0)

static inline uint32_t fuzz_mix(const uint8_t *data, size_t bytes) {
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < bytes; i++) h = (h ^ data[i]) * 16777619u;
    return h ^ h >> 15;
}

static inline weft_read_params fuzz_settings(uint32_t h) {
    weft_read_params p = WEFT_READ_DEFAULTS;
    p.format = FUZZ_FORMAT;
    p.weights = h % 5 == 0 ? WEFT_WEIGHTS_IGNORE : WEFT_WEIGHTS_AUTO;
    if (h / 5 % 8 == 6) p.ids = WEFT_READ_IDS_INTEGER;
    if (h / 5 % 8 == 7) p.ids = WEFT_READ_IDS_STRING;
    p.vertices = h / 40 % 8 == 0 ? 16 : 0;
    p.verify_checksums = (int)(h / 320 % 2);
    p.direction = (weft_direction)(h / 640 % 3);
    p.duplicates = (weft_duplicates)(h / 1920 % 3);
    p.loops = (weft_loops)(h / 5760 % 2);
    p.weight_type = (weft_weight_type)(h / 11520 % 4);
    return p;
}

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
    uint32_t h = fuzz_mix(data, bytes);
    weft_read_params p = fuzz_settings(h);
    weft_ctx *ctx;
    FUZZ_CHECK(weft_ctx_new(&ctx) == WEFT_OK);
    weft_ctx_set_threads(ctx, 1 + (int)(h >> 20) % 2);
    weft_ctx_set_memory_limit(ctx, FUZZ_MEMORY);
    weft_graph *g = NULL;
    weft_status st = FUZZ_READ(ctx, data, bytes, "fuzz", &p, &g);
    FUZZ_CHECK((st == WEFT_OK) == (g != NULL));
    FUZZ_CHECK(st == WEFT_OK || weft_ctx_message(ctx)[0] != 0);
    FUZZ_CHECK(st != WEFT_ECANCELLED && st != WEFT_EDEVICE);
    if (g && fuzz_may_trust(ctx, g)) {
        fuzz_check_graph(ctx, g);
        fuzz_graphs++;
    }
    weft_graph_free(g);
    FUZZ_CHECK(weft_ctx_memory_in_use(ctx) == 0);
    weft_ctx_free(ctx);
    return 0;
}

#endif
