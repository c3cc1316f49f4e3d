/* .weft files to be refused: made from a recipe, and read from their bytes by one context. */
#ifndef BINARY_REFUSED_H
#define BINARY_REFUSED_H

#include "binary_fixture.h"

static weft_ctx *ctx;

__attribute__((unused)) static bytes make_file(const recipe *r) {
    if (!ctx) weft_ctx_new(&ctx);
    return file_of(ctx, r, true);
}

static const recipe small_named = {
    .n = 200, .count = 900, .weights = WEFT_WEIGHT_U32, .direction = WEFT_DIRECTED, .ids = IDS_NAMES_SHUFFLED};
static const recipe small_numbered = {.n = 200, .count = 900, .direction = WEFT_DIRECTED, .ids = IDS_NUMBERS_SHUFFLED};
static const recipe small_doubles = {
    .n = 200, .count = 900, .weights = WEFT_WEIGHT_F64, .direction = WEFT_DIRECTED, .ids = IDS_NAMES_SHUFFLED};

/* Reading these bytes must fail, with `part` in the message, and leave nothing behind. */
static void check_refused(const bytes *b, size_t count, weft_status status, const char *part) {
    weft_graph *g = NULL;
    weft_status st = read_bytes(ctx, b->data, count, &g);
    CHECK_U64(st, status);
    CHECK(g == NULL);
    if (st) CHECK_HAS(weft_ctx_message(ctx), part);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_graph_free(g);
}

#endif
