/* Preconditions of matching graphs, vertices in the order of ids, and blocks of rows. */
#include "graphs/match.h"
#include "graph/rows.h"

#include <stdio.h>

enum { BLOCK_COST = 1 << 14, MOST_BLOCKS = 1 << 12 };

/* Name of graph i in messages: "the first graph", "the second graph", "graph 3". */
typedef struct graph_name {
    char text[32];
} graph_name;

static graph_name name_of(size_t i) {
    graph_name name;
    if (i < 2)
        snprintf(name.text, sizeof name.text, "the %s graph", i ? "second" : "first");
    else
        snprintf(name.text, sizeof name.text, "graph %zu", i + 1);
    return name;
}

weft_status wfi_check_matchable(weft_ctx *ctx, const char *what, const weft_graph *const *graphs, size_t count) {
    size_t named = count; /* first graph with vertices */
    for (size_t i = 0; i < count; i++) {
        if (graphs[i]->directed != graphs[0]->directed)
            return wfi_fail(ctx, WEFT_EINVAL,
                            "%s: the first graph is %s, and %s is not: `direction=directed` or `direction=undirected`"
                            " reads all alike",
                            what, graphs[0]->directed ? "directed" : "undirected", name_of(i).text);
        if (!graphs[i]->n) continue;
        if (named == count) named = i;
        bool names = graphs[i]->ids.kind == WEFT_IDS_STRING;
        if (names != (graphs[named]->ids.kind == WEFT_IDS_STRING))
            return wfi_fail(
                ctx, WEFT_EINVAL, "%s: the ids of %s are %s, those of %s %s: `ids=string` reads all as names", what,
                name_of(named).text, names ? "numbers" : "names", name_of(i).text, names ? "names" : "numbers");
    }
    return WEFT_OK;
}

weft_status wfi_sorted_by_id(weft_ctx *ctx, const weft_graph *g, weft_graph **copy) {
    *copy = NULL;
    return g->ids.by_id ? weft_graph_relabel(ctx, g, g->ids.by_id, copy) : WEFT_OK;
}

weft_status wfi_cut_rows(weft_ctx *ctx, const weft_graph *g, wfi_row_blocks *blocks) {
    uint64_t cost = wfi_cost_before(g->out.offsets, g->n);
    blocks->count = (size_t)wfi_min_u64(cost / BLOCK_COST + 1, MOST_BLOCKS);
    if (wfi_alloc(ctx, &blocks->first, blocks->count + 1)) return WEFT_ENOMEM;
    for (size_t i = 0; i <= blocks->count; i++) {
        uint64_t before = cost / blocks->count * i + cost % blocks->count * i / blocks->count;
        blocks->first[i] = wfi_vertex_at_cost(g->out.offsets, 0, g->n, before);
    }
    return WEFT_OK;
}
