/* What every fuzz target does: the bytes go to one reader under a memory limit; whatever it makes of them must be a
 * sound graph, and whatever it refuses must come with a message and leave nothing behind.
 *
 * A target is   #define FUZZ_FORMAT "mtx"   and this header; one whose graphs are several files also defines FUZZ_READ,
 * a function like weft_read_memory that takes them as one.  The settings (threads, weights, direction, ids, ...) are
 * picked by the bytes themselves, so that a corpus consists of plain files. */
#ifndef WEFT_FUZZ_COMMON_H
#define WEFT_FUZZ_COMMON_H

#include "sound.h"

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
