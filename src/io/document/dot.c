/* DOT, to draw small graphs with Graphviz.  Written only.
 * Names are quoted, weights become labels, vertices without edges are listed so that they are drawn too, and all if
 * they have attributes. */
#include "io/attributes.h"

#include <string.h>

enum { EDGE_LIMIT = 100000 };

/* Inside a DOT string only the quote and the backslash mean something. */
static void write_quoted(wfi_sink *sink, const char *text, size_t length) {
    wfi_sink_char(sink, '"');
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if (c == '"' || c == '\\') wfi_sink_char(sink, '\\');
        if (c == '\n')
            wfi_sink_text(sink, "\\n");
        else
            wfi_sink_char(sink, c);
    }
    wfi_sink_char(sink, '"');
}

static void write_id(const weft_graph *g, weft_vid v, wfi_sink *sink) {
    if (g->ids.kind == WEFT_IDS_STRING) {
        write_quoted(sink, g->ids.text + g->ids.start[v], (size_t)(g->ids.start[v + 1] - g->ids.start[v]));
        return;
    }
    char text[24];
    weft_graph_id_text(g, v, text, sizeof text);
    write_quoted(sink, text, strlen(text));
}

static void write_attributes(const weft_graph *g, weft_vid v, wfi_sink *sink) {
    bool any = false;
    for (size_t i = 0; i < weft_graph_attributes(g); i++) {
        char room[WFI_VALUE_ROOM];
        size_t length;
        const char *value = wfi_attribute_value(g->attributes, i, v, room, &length);
        if (!value) continue;
        wfi_sink_text(sink, any ? ", " : " [");
        write_quoted(sink, g->attributes->names[i], strlen(g->attributes->names[i]));
        wfi_sink_char(sink, '=');
        write_quoted(sink, value, length);
        any = true;
    }
    if (any) wfi_sink_char(sink, ']');
}

static void write_edge(const weft_graph *g, weft_vid u, weft_eid e, wfi_sink *sink) {
    wfi_sink_text(sink, "  ");
    write_id(g, u, sink);
    wfi_sink_text(sink, g->directed ? " -> " : " -- ");
    write_id(g, g->out.targets[e], sink);
    if (g->weight_type) {
        wfi_sink_text(sink, " [label=\"");
        wfi_sink_weight(sink, g->weight_type, g->out.weights, e);
        wfi_sink_text(sink, "\"]");
    }
    wfi_sink_text(sink, ";\n");
}

/* Marks the vertices that some edge names. */
static void mark_used(const weft_graph *g, unsigned char *used) {
    for (weft_vid v = 0; v < g->n; v++)
        for (weft_eid e = g->out.offsets[v]; e < g->out.offsets[v + 1]; e++) used[v] = used[g->out.targets[e]] = 1;
}

weft_status wfi_write_dot(weft_ctx *ctx, const weft_graph *g, wfi_sink *sink, const char *format) {
    if (g->edges > EDGE_LIMIT || g->n > EDGE_LIMIT)
        return wfi_fail(ctx, WEFT_EUNSUPPORTED,
                        "DOT is for small graphs that someone will look at: this one has %lu vertices and %llu edges, "
                        "at most %d are written",
                        (unsigned long)g->n, (wfi_ull)g->edges, EDGE_LIMIT);
    unsigned char *used;
    weft_status st = wfi_check_names(ctx, g, format, wfi_unfit_utf8);
    if (!st) st = wfi_check_attributes(ctx, g, format, wfi_unfit_utf8);
    if (st) return st;
    if (wfi_alloc_zeroed(ctx, &used, g->n)) return WEFT_ENOMEM;
    mark_used(g, used);
    if (g->attributes) memset(used, 0, g->n); /* all vertices have something to say */
    wfi_sink_text(sink, g->directed ? "digraph weft {\n" : "graph weft {\n");
    for (weft_vid v = 0; v < g->n; v++) {
        if (used[v]) continue;
        wfi_sink_text(sink, "  ");
        write_id(g, v, sink);
        write_attributes(g, v, sink);
        wfi_sink_text(sink, ";\n");
    }
    for (weft_vid v = 0; v < g->n; v++)
        for (weft_eid e = g->out.offsets[v]; e < g->out.offsets[v + 1]; e++)
            if (g->directed || v <= g->out.targets[e]) write_edge(g, v, e, sink);
    wfi_sink_text(sink, "}\n");
    wfi_free(used);
    return WEFT_OK;
}
