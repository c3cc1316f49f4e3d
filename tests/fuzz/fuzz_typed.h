/* What the targets of Parquet and Arrow read of their bytes: a table of edges; or one of which columns are kept and a
 * condition is asked; or a table of vertices beside other edges. */
#ifndef WEFT_FUZZ_TYPED_H
#define WEFT_FUZZ_TYPED_H

#include "weft/experimental.h"

#include <sys/mman.h>
#include <unistd.h>

static weft_status read_typed(weft_ctx *ctx, const void *data, size_t bytes, const char *name,
                              const weft_read_params *params, weft_graph **out);
#define FUZZ_READ read_typed
#include "fuzz_common.h"

typedef weft_status column_at(weft_ctx *ctx, const weft_graph *g, size_t i, weft_attribute *to);

/* Every value can be looked at. */
static void look_at(weft_ctx *ctx, const weft_graph *g, column_at *at, size_t count, uint64_t rows) {
    for (size_t i = 0; i < count; i++) {
        weft_attribute a = {.size = sizeof a};
        uint64_t missing = 0;
        FUZZ_CHECK(!at(ctx, g, i, &a) && a.count == rows);
        for (uint64_t e = 0; e < a.count; e++) {
            int none;
            char text[16];
            weft_attribute_text(&a, e, text, sizeof text, &none);
            missing += (uint64_t)none;
        }
        FUZZ_CHECK(missing == a.missing);
    }
}

static weft_status read_vertices(weft_ctx *ctx, const void *data, size_t bytes, weft_read_params *p, weft_graph **out) {
    static const char numbers[] = "1,2\n2,3\n", names[] = "ann,bob\nbob,cy\n";
    char path[64];
    const char *edges = bytes % 2 ? numbers : names;
    int file = memfd_create("vertices", MFD_CLOEXEC);
    FUZZ_CHECK(file >= 0 && (!bytes || write(file, data, bytes) == (ssize_t)bytes));
    snprintf(path, sizeof path, "/proc/self/fd/%d:%d", file, (int)(bytes % 4 + 1));
    if (bytes % 3 == 0) *strchr(path, ':') = 0;
    p->nodes = path;
    p->format = "csv";
    weft_status st = weft_read_memory(ctx, edges, strlen(edges), "edges", p, out);
    close(file);
    return st;
}

static weft_status read_typed(weft_ctx *ctx, const void *data, size_t bytes, const char *name,
                              const weft_read_params *params, weft_graph **out) {
    static const char *const columns[] = {"3", "3,4", "1", "5,6,7", "8,9,10,11", "2,3,12"};
    static const char *const conditions[] = {"`3` > 1", "`4` = true or `3` = 'x'", "not `5` >= 2020-01-01", NULL};
    uint32_t h = fuzz_mix(data, bytes);
    weft_read_params p = *params;
    weft_status st;
    if (h % 4 == 3) {
        st = read_vertices(ctx, data, bytes, &p, out);
    } else {
        if (h % 4) p.keep = columns[h / 4 % 6];
        if (h % 4 == 2) p.edges_where = conditions[h / 24 % 4];
        if (h % 4) p.duplicates = WEFT_DUPLICATES_KEEP;
        st = weft_read_memory(ctx, data, bytes, name, &p, out);
    }
    if (st) return st;
    look_at(ctx, *out, weft_graph_attribute_at, weft_graph_attributes(*out), weft_graph_vertices(*out));
    look_at(ctx, *out, weft_graph_edge_column_at, weft_graph_edge_columns(*out), weft_graph_arcs(*out));
    return WEFT_OK;
}

#endif
