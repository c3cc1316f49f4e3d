/* Fuzz target: columns of edges and conditions on them.  The first line is a condition, unless it is empty; a table with
 * the columns a and t follows. */
#include "weft/experimental.h"

static weft_status read_kept(weft_ctx *ctx, const void *data, size_t bytes, const char *name,
                             const weft_read_params *params, weft_graph **out);
#define FUZZ_FORMAT "csv"
#define FUZZ_READ   read_kept
#include "fuzz_common.h"

/* Every value can be looked at. */
static void look_at_columns(weft_ctx *ctx, const weft_graph *g) {
    for (size_t i = 0; i < weft_graph_edge_columns(g); i++) {
        weft_attribute a = {.size = sizeof a};
        uint64_t missing = 0;
        FUZZ_CHECK(!weft_graph_edge_column_at(ctx, g, i, &a) && a.count == weft_graph_arcs(g));
        for (uint64_t e = 0; e < a.count; e++) {
            int none;
            char text[16];
            weft_attribute_text(&a, e, text, sizeof text, &none);
            missing += (uint64_t)none;
        }
        FUZZ_CHECK(missing == a.missing);
    }
}

static weft_status read_kept(weft_ctx *ctx, const void *data, size_t bytes, const char *name,
                             const weft_read_params *params, weft_graph **out) {
    const char *text = data, *end = bytes ? memchr(text, '\n', bytes) : NULL;
    size_t length = end ? (size_t)(end - text) : 0;
    uint32_t h = fuzz_mix(data, bytes);
    weft_read_params p = *params;
    char *condition = malloc(length + 1);
    FUZZ_CHECK(condition);
    if (length) memcpy(condition, text, length);
    condition[length] = 0;
    p.keep = "a,t";
    if (h % 3) p.merge = h % 3 == 1 ? "a:max,t:first" : "a:count,t:last";
    if (*condition) p.edges_where = condition;
    if (end) text = end + 1, bytes -= length + 1;
    weft_status st = weft_read_memory(ctx, bytes ? text : "", bytes, name, &p, out);
    if (!st) look_at_columns(ctx, *out);
    free(condition);
    return st;
}
