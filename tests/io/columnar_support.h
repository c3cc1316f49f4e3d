/* What the tests of Parquet and Arrow share: files under tests/data read with settings, and cut at every byte. */
#ifndef WEFT_TESTS_COLUMNAR_SUPPORT_H
#define WEFT_TESTS_COLUMNAR_SUPPORT_H

#include "format_support.h"

/* Is the file the graph that graph_text shows as `want`? */
static inline void check_file(const char *file, const weft_read_params *params, const char *want) {
    char path[1024], shown[4096] = "";
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = NULL;
    if (weft_read(ctx, data_path(file, path, sizeof path), params, &g)) HARNESS_FAIL("%s", weft_ctx_message(ctx));
    if (g) CHECK_TEXT(graph_text(g, shown, sizeof shown), want);
    weft_graph_free(g);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

static inline void check_refused(const char *file, const weft_read_params *params, const char *part) {
    char path[1024];
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = NULL;
    CHECK(weft_read(ctx, data_path(file, path, sizeof path), params, &g) != WEFT_OK);
    CHECK_HAS(weft_ctx_message(ctx), part);
    weft_graph_free(g);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

/* The first 0, 1, 2, ... bytes of the file: all are refused, but for `readable` of them. */
static inline void check_cuts(const char *file, const char *format, int readable) {
    char path[1024];
    size_t bytes;
    weft_read_params params = reading(format);
    char *content = read_file(data_path(file, path, sizeof path), &bytes);
    REQUIRE(content != NULL);
    int read = 0;
    for (size_t cut = 0; cut < bytes; cut++) {
        weft_ctx *ctx = new_ctx(1, NULL);
        weft_graph *g = NULL;
        char *exact = malloc(cut + 1);
        REQUIRE(exact != NULL);
        memcpy(exact, content, cut);
        read += weft_read_memory(ctx, exact, cut, "cut", &params, &g) == WEFT_OK;
        CHECK(g || weft_ctx_message(ctx)[0]);
        weft_graph_free(g);
        CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
        weft_ctx_free(ctx);
        free(exact);
    }
    CHECK_I64(read, readable);
    free(content);
}

#endif
