/* What the tests of the file formats share: tables of golden, of bad and of real files, and round trips. */
#ifndef WEFT_TESTS_FORMAT_SUPPORT_H
#define WEFT_TESTS_FORMAT_SUPPORT_H

#include "support.h"

/* A file under tests/data/golden/FORMAT and what it says: the graph as graph_text shows it, the edges listed, and a
 * part of the one warning that reading it gives (NULL: none). */
typedef struct golden_file {
    const char *file, *graph;
    uint64_t records;
    const char *warning;
} golden_file;

/* A file under tests/data/bad/FORMAT, where its fault lies ("line:column"), and a part of what must be said of it. */
typedef struct bad_file {
    const char *file, *place, *part;
    weft_status status; /* 0 = WEFT_EINPUT */
} bad_file;

static inline void check_golden_file(const char *format, const char *path, const golden_file *want, int threads) {
    warnings w;
    weft_ctx *ctx = new_ctx(threads, &w);
    weft_graph *g = NULL;
    char text[4096];
    if (weft_read(ctx, path, NULL, &g)) {
        HARNESS_FAIL("%s", weft_ctx_message(ctx));
    } else {
        weft_graph_info info = info_of(ctx, g);
        weft_csr out = out_rows(g);
        if (strcmp(graph_text(g, text, sizeof text), want->graph))
            HARNESS_FAIL("%s: read as \"%s\", expected \"%s\"", path, text, want->graph);
        if (info.records != want->records)
            HARNESS_FAIL("%s: %" PRIu64 " records, expected %" PRIu64, path, info.records, want->records);
        if (strcmp(info.format, format)) HARNESS_FAIL("%s: taken for %s", path, info.format);
        if (csr_fault(&out)) HARNESS_FAIL("%s: %s", path, csr_fault(&out));
        int doubts = info.direction_doubt != WEFT_DOUBT_NONE; /* test_direction.c has when */
        if (w.count != (want->warning != NULL) + doubts) HARNESS_FAIL("%s: %d warnings: %s", path, w.count, w.text);
        if (want->warning && !strstr(w.text, want->warning)) HARNESS_FAIL("%s: the warning is %s", path, w.text);
    }
    weft_graph_free(g);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

/* Also checks that no file of the folder is left out of the table. */
static inline void check_golden_files(const char *format, const golden_file *files, size_t count) {
    char folder[512], path[1024], relative[64];
    snprintf(relative, sizeof relative, "golden/%s", format);
    data_path(relative, folder, sizeof folder);
    CHECK_I64(count_entries(folder), count);
    for (size_t i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[i].file);
        check_golden_file(format, path, &files[i], 1);
        check_golden_file(format, path, &files[i], 3);
    }
}

static inline void check_bad_file(const char *format, const char *path, const bad_file *want, int threads) {
    weft_ctx *ctx = new_ctx(threads, NULL);
    weft_read_params params = reading(format);
    weft_graph *g = NULL;
    char start[2048];
    weft_status st = weft_read(ctx, path, &params, &g), expected = want->status ? want->status : WEFT_EINPUT;
    snprintf(start, sizeof start, "%s:%s: ", path, want->place);
    const char *message = weft_ctx_message(ctx);
    if (st != expected) HARNESS_FAIL("%s: status %d, expected %d: %s", path, (int)st, (int)expected, message);
    if (g) HARNESS_FAIL("%s: there is a graph after a failure", path);
    if (strncmp(message, start, strlen(start)) || !strstr(message, want->part))
        HARNESS_FAIL("the message is \"%s\", expected \"%s ... %s ...\"", message, start, want->part);
    weft_graph_free(g);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

static inline void check_bad_files(const char *format, const bad_file *files, size_t count) {
    char folder[512], path[1024], relative[64];
    snprintf(relative, sizeof relative, "bad/%s", format);
    data_path(relative, folder, sizeof folder);
    CHECK_I64(count_entries(folder), count);
    for (size_t i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[i].file);
        check_bad_file(format, path, &files[i], 1);
        check_bad_file(format, path, &files[i], 3);
    }
}

/* Reads the text: is it the graph that graph_text shows as `want`? */
static inline void check_read(const char *text, const weft_read_params *params, const char *want) {
    weft_ctx *ctx = new_ctx(0, NULL);
    char shown[2048] = "";
    weft_graph *g = read_text(ctx, text, params);
    if (g)
        CHECK_TEXT(graph_text(g, shown, sizeof shown), want);
    else
        HARNESS_FAIL("%s", weft_ctx_message(ctx));
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* A file below the folder of shared graphs and what is in it. */
typedef struct real_file {
    const char *file;
    uint64_t vertices, records, edges;
    int directed;
    weft_weight_type weights;
} real_file;

/* Only where shared_data() is there. */
static inline void check_real_files(const char *format, const real_file *files, size_t count) {
    weft_ctx *ctx = new_ctx(0, NULL);
    for (size_t i = 0; i < count; i++) {
        const real_file *want = &files[i];
        char path[1024];
        weft_graph *g = NULL;
        snprintf(path, sizeof path, "%s/%s", shared_data(), want->file);
        if (weft_read(ctx, path, NULL, &g)) {
            HARNESS_FAIL("%s", weft_ctx_message(ctx));
            continue;
        }
        weft_graph_info info = info_of(ctx, g);
        if (info.vertices != want->vertices || info.records != want->records || info.edges != want->edges ||
            info.directed != want->directed || info.weight_type != want->weights || strcmp(info.format, format))
            HARNESS_FAIL("%s: %s, n %" PRIu64 ", records %" PRIu64 ", edges %" PRIu64 ", directed %d, weights %d",
                         want->file, info.format, info.vertices, info.records, info.edges, info.directed,
                         (int)info.weight_type);
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
}

/* Writes g to a file of that name in a fresh folder and reads it again, keeping duplicates: the same graph? */
static inline void check_round_trip(weft_ctx *ctx, const weft_graph *g, const char *name, const char *what) {
    char folder[256], path[512];
    weft_graph *back = NULL;
    weft_read_params params = WEFT_READ_DEFAULTS;
    params.duplicates = WEFT_DUPLICATES_KEEP;
    int equal = 0;
    REQUIRE(make_temp(folder, sizeof folder));
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (weft_write(ctx, g, path, NULL) || weft_read(ctx, path, &params, &back))
        HARNESS_FAIL("%s, %s: %s", name, what, weft_ctx_message(ctx));
    else if (weft_graph_compare(ctx, g, back, &equal) || !equal)
        HARNESS_FAIL("%s, %s: %s", name, what, weft_ctx_message(ctx));
    weft_graph_free(back);
    remove_temp(folder);
}

/* A random graph of up to 12 vertices with loops and parallel edges; some float weights are whole numbers. */
static inline weft_graph *small_random_graph(weft_ctx *ctx, uint64_t seed, char *what, size_t room) {
    dice d = {seed, 0};
    weft_vid from[40], to[40];
    union {
        uint32_t whole[40];
        float real[40];
    } weights;
    weft_vid n = (weft_vid)roll(&d, 13);
    uint64_t m = n ? roll(&d, 40) : 0;
    weft_weight_type type = (weft_weight_type)roll(&d, 3);
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    build.direction = roll(&d, 2) ? WEFT_DIRECTED : WEFT_UNDIRECTED;
    build.duplicates = roll(&d, 2) ? WEFT_DUPLICATES_KEEP : WEFT_DUPLICATES_DROP;
    for (uint64_t i = 0; i < m; i++) {
        from[i] = (weft_vid)roll(&d, n);
        to[i] = (weft_vid)roll(&d, n);
        if (type == WEFT_WEIGHT_U32) weights.whole[i] = (uint32_t)(roll(&d, UINT64_C(1) << 32) >> roll(&d, 32));
        if (type == WEFT_WEIGHT_F32)
            weights.real[i] = ((float)roll(&d, 2001) - 1000.0f) * (roll(&d, 2) ? 1.0f : 1.0f / 3.0f);
    }
    snprintf(what, room, "seed %" PRIu64 ": n %u, m %" PRIu64 ", weights %d, %sdirected", seed, n, m, (int)type,
             build.direction == WEFT_DIRECTED ? "" : "un");
    weft_graph *g = NULL;
    if (weft_graph_from_edges(ctx, n, m, from, to, type ? &weights : NULL, type, &build, &g))
        HARNESS_FAIL("%s: %s", what, weft_ctx_message(ctx));
    return g;
}

#endif
