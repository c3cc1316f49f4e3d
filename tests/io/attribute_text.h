/* The attributes of a graph as one text: "name:text[Ann|-|Eve] age:i64[3|4|-]", in the order of the vertices; and its
 * columns of edges, in the order of the arcs. */
#ifndef WEFT_TESTS_ATTRIBUTE_TEXT_H
#define WEFT_TESTS_ATTRIBUTE_TEXT_H

#include "support.h"

typedef weft_status column_at(weft_ctx *ctx, const weft_graph *g, size_t i, weft_attribute *to);

static inline const char *columns_text(weft_ctx *ctx, const weft_graph *g, column_at *at, size_t count, char *room,
                                       size_t size) {
    static const char *const types[] = {"?", "i64", "f64", "bool", "text", "time"};
    size_t used = 0;
    room[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        weft_attribute a = {.size = sizeof a};
        uint64_t missing = 0;
        if (at(ctx, g, i, &a)) return "a column is not there";
        used += (size_t)snprintf(room + used, size - used, "%s%s:%s[", i ? " " : "", a.name, types[a.type]);
        for (uint64_t v = 0; v < a.count && used + 256 < size; v++) {
            int none;
            if (v) room[used++] = '|';
            size_t length = weft_attribute_text(&a, v, room + used, size - used, &none);
            if (none) room[used] = '-';
            used += none ? 1 : length;
            missing += (uint64_t)none;
        }
        used += (size_t)snprintf(room + used, size - used, "]");
        if (missing != a.missing) return "the values that are missing are not as many as said";
    }
    return room;
}

static inline const char *attribute_text(weft_ctx *ctx, const weft_graph *g, char *room, size_t size) {
    return columns_text(ctx, g, weft_graph_attribute_at, weft_graph_attributes(g), room, size);
}

static inline const char *edge_column_text(weft_ctx *ctx, const weft_graph *g, char *room, size_t size) {
    return columns_text(ctx, g, weft_graph_edge_column_at, weft_graph_edge_columns(g), room, size);
}

static inline void check_attributes(weft_ctx *ctx, const weft_graph *g, const char *want) {
    char text[4096];
    const char *got = attribute_text(ctx, g, text, sizeof text);
    if (strcmp(got, want)) HARNESS_FAIL("the attributes are \"%s\", expected \"%s\"", got, want);
}

#endif
