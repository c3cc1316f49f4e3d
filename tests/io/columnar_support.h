/* What the tests of Parquet and Arrow share: files under tests/data read with settings, and cut at every byte. */
#ifndef WEFT_TESTS_COLUMNAR_SUPPORT_H
#define WEFT_TESTS_COLUMNAR_SUPPORT_H

#include "attribute_text.h"
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

/* The columns of edges that are kept of the edges that meet a condition (NULL: all), by one thread and by several. */
static inline void check_kept(const char *file, const char *keep, const char *where, const char *want) {
    char path[1024], text[4096];
    for (int threads = 1; threads <= 3; threads += 2) {
        weft_ctx *ctx = new_ctx(threads, NULL);
        weft_graph *g = NULL;
        weft_read_params p = WEFT_READ_DEFAULTS;
        p.keep = keep;
        p.edges_where = where;
        if (weft_read(ctx, data_path(file, path, sizeof path), &p, &g)) HARNESS_FAIL("%s", weft_ctx_message(ctx));
        if (g) CHECK_TEXT(edge_column_text(ctx, g, text, sizeof text), want);
        weft_graph_free(g);
        CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
        weft_ctx_free(ctx);
    }
}

/* ann>bob and bob>cy, with the file as their table of vertices; WANT are some of the attributes, in their order, of
 * ann, bob, cy and dora. */
static inline weft_graph *read_vertices(weft_ctx *ctx, const char *file, const char *column) {
    char path[1024], spec[1088];
    static const char edges[] = "source,target\nann,bob\nbob,cy\ncy,dora\n";
    weft_graph *g = NULL;
    weft_read_params p = reading("csv");
    snprintf(spec, sizeof spec, "%s%s", data_path(file, path, sizeof path), column);
    p.nodes = spec;
    weft_read_memory(ctx, edges, sizeof edges - 1, "edges", &p, &g);
    return g;
}

static inline void check_vertices(const char *file, const char *column, const char *want) {
    char text[4096];
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = read_vertices(ctx, file, column);
    if (!g) HARNESS_FAIL("%s", weft_ctx_message(ctx));
    const char *got = g ? attribute_text(ctx, g, text, sizeof text) : "";
    for (const char *at = want; g && *at;) { /* each column as it is */
        const char *end = strchr(at, ']') + 1;
        char one[512];
        snprintf(one, sizeof one, "%.*s", (int)(end - at), at);
        CHECK_HAS(got, one);
        at = end + (*end == ' ');
    }
    weft_graph_free(g);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

static inline void check_no_vertices(const char *file, const char *column, const char *part) {
    weft_ctx *ctx = new_ctx(2, NULL);
    CHECK(read_vertices(ctx, file, column) == NULL);
    CHECK_HAS(weft_ctx_message(ctx), part);
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
