/* Fuzz target: the columns of a .weft file of version 3.  The bytes are such a file, whose digests are put in, so that
 * what is behind them is reached; in one of eight they stay as they are. */
#include "weft/experimental.h"

static weft_status read_sealed(weft_ctx *ctx, const void *data, size_t bytes, const char *name,
                               const weft_read_params *params, weft_graph **out);
#define FUZZ_FORMAT "weft"
#define FUZZ_READ   read_sealed
#include "fuzz_common.h"
#include "seal.h"

/* Every value can be looked at. */
static void look_at_attributes(weft_ctx *ctx, const weft_graph *g) {
    for (size_t i = 0; i < weft_graph_attributes(g); i++) {
        weft_attribute a = {.size = sizeof a}, same = a;
        uint64_t missing = 0;
        FUZZ_CHECK(!weft_graph_attribute_at(ctx, g, i, &a));
        FUZZ_CHECK(!weft_graph_attribute(ctx, g, a.name, &same) && same.values == a.values);
        for (weft_vid v = 0; v < a.count; v++) {
            int none;
            char text[16];
            FUZZ_CHECK(weft_attribute_text(&a, v, text, sizeof text, &none) == 0 || !none);
            missing += (uint64_t)none;
        }
        FUZZ_CHECK(missing == a.missing);
    }
}

static void look_at_edges(weft_ctx *ctx, const weft_graph *g) {
    for (size_t i = 0; i < weft_graph_edge_columns(g); i++) {
        weft_attribute a = {.size = sizeof a};
        uint64_t missing = 0;
        FUZZ_CHECK(!weft_graph_edge_column_at(ctx, g, i, &a));
        FUZZ_CHECK(a.count == weft_graph_arcs(g));
        for (uint64_t e = 0; e < a.count; e++) {
            int none;
            char text[16];
            weft_attribute_text(&a, e, text, sizeof text, &none);
            missing += (uint64_t)none;
        }
        FUZZ_CHECK(missing == a.missing);
    }
}

static weft_status read_sealed(weft_ctx *ctx, const void *data, size_t bytes, const char *name,
                               const weft_read_params *params, weft_graph **out) {
    char *file = malloc(bytes + 1);
    FUZZ_CHECK(file);
    if (bytes) memcpy(file, data, bytes);
    if (bytes >= sizeof(wfi_weft_page) && fuzz_mix(data, bytes) % 8) seal(ctx, file, bytes);
    weft_status st = weft_read_memory(ctx, file, bytes, name, params, out);
    if (!st) look_at_attributes(ctx, *out);
    if (!st) look_at_edges(ctx, *out);
    free(file);
    return st;
}
