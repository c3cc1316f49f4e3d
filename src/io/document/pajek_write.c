/* Pajek out: all vertices with their ids as labels, then *Arcs or *Edges, an edge once, with its weight as the value.
 * A comment says that labels are names, where they may look like numbers.  A label has no way to hold a quote or the
 * end of a line, nor to be empty. */
#include "io/document/pajek.h"
#include "io/io.h"

static const char *unfit_label(const char *at, const char *end) {
    for (const char *p = at; p < end; p++)
        if (*p == '"' || *p == '\n' || *p == '\r' || *p == '\0') return p;
    return at == end ? at : NULL;
}

static void write_label(const weft_graph *g, weft_vid v, wfi_sink *sink) {
    wfi_sink_text(sink, " \"");
    if (g->ids.kind == WEFT_IDS_STRING)
        wfi_sink_bytes(sink, g->ids.text + g->ids.start[v], (size_t)(g->ids.start[v + 1] - g->ids.start[v]));
    else
        wfi_sink_i64(sink, weft_graph_id(g, v));
    wfi_sink_text(sink, "\"\n");
}

static void write_edge(const weft_graph *g, weft_vid u, weft_eid e, uint64_t number, const void *user,
                       wfi_sink *sink) {
    (void)number, (void)user;
    wfi_sink_u64(sink, (uint64_t)u + 1);
    wfi_sink_char(sink, ' ');
    wfi_sink_u64(sink, (uint64_t)g->out.targets[e] + 1);
    if (g->weight_type) {
        wfi_sink_char(sink, ' ');
        wfi_sink_weight(sink, g->weight_type, g->out.weights, e);
    }
    wfi_sink_char(sink, '\n');
}

weft_status wfi_write_pajek(weft_ctx *ctx, const weft_graph *g, wfi_sink *sink, const char *format) {
    weft_status st = wfi_check_names(ctx, g, format, unfit_label);
    if (st) return st;
    if (g->ids.kind == WEFT_IDS_STRING) wfi_sink_text(sink, WFI_PAJEK_NAMES "\n");
    wfi_sink_print(sink, "*Vertices %lu\n", (unsigned long)g->n);
    for (weft_vid v = 0; v < g->n && !wfi_sink_failed(sink); v++) {
        wfi_sink_u64(sink, (uint64_t)v + 1);
        write_label(g, v, sink);
    }
    wfi_sink_text(sink, g->directed ? "*Arcs\n" : "*Edges\n");
    return wfi_write_edges(ctx, g, write_edge, NULL, sink);
}
