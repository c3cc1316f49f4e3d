/* JSON out: nodes and links, as NetworkX's node_link_graph and d3 read them; the elements of Cytoscape.js, as it and
 * NetworkX's cytoscape_graph do; JSON lines, an object for each edge.  Documents have every vertex as a node; every
 * edge is listed once.  Ids that are numbers are numbers, names are strings; a member of a document says so, since the
 * reader takes strings that are all numbers for such. */
#include "io/io.h"
#include "io/json/jsondoc.h"

#include <string.h>

/* Names are UTF-8 (wfi_unfit_utf8). */
static void write_id(const weft_graph *g, weft_vid v, wfi_sink *sink) {
    if (g->ids.kind == WEFT_IDS_STRING)
        wfi_json_put_string(wfi_sink_put, sink, g->ids.text + g->ids.start[v],
                            (size_t)(g->ids.start[v + 1] - g->ids.start[v]));
    else
        wfi_sink_i64(sink, weft_graph_id(g, v));
}

static void write_edge(const weft_graph *g, weft_vid u, weft_eid e, wfi_sink *sink) {
    wfi_sink_text(sink, "\"source\":");
    write_id(g, u, sink);
    wfi_sink_text(sink, ",\"target\":");
    write_id(g, g->out.targets[e], sink);
    if (!g->weight_type) return;
    wfi_sink_text(sink, ",\"weight\":");
    wfi_sink_weight(sink, g->weight_type, g->out.weights, e);
}

static void write_node(const weft_graph *g, weft_vid v, bool cytoscape, wfi_sink *sink) {
    bool quote =
        cytoscape && g->ids.kind != WEFT_IDS_STRING; /* its ids are strings; NetworkX has the value beside it */
    wfi_sink_text(sink, cytoscape ? "{\"data\":{\"id\":" : "{\"id\":");
    if (quote) wfi_sink_char(sink, '"');
    write_id(g, v, sink);
    if (quote) wfi_sink_char(sink, '"');
    if (cytoscape) {
        wfi_sink_text(sink, ",\"value\":");
        write_id(g, v, sink);
    }
    wfi_sink_text(sink, cytoscape ? "}}" : "}");
}

static void write_nodes(const weft_graph *g, bool cytoscape, wfi_sink *sink) {
    for (weft_vid v = 0; v < g->n && !wfi_sink_failed(sink); v++) {
        wfi_sink_text(sink, v ? ",\n" : "\n");
        write_node(g, v, cytoscape, sink);
    }
}

/* A key tells parallel edges apart in NetworkX, which otherwise makes one of them. */
static weft_status write_edges(weft_ctx *ctx, const weft_graph *g, bool cytoscape, bool multi, wfi_sink *sink) {
    uint64_t written = 0;
    for (weft_vid u = 0; u < g->n && !wfi_sink_failed(sink); u++) {
        uint64_t key = 0;
        for (weft_eid e = g->out.offsets[u]; e < g->out.offsets[u + 1]; e++) {
            bool again = e > g->out.offsets[u] && g->out.targets[e] == g->out.targets[e - 1];
            key = again ? key + 1 : 0;
            if (!g->directed && g->out.targets[e] < u) continue;
            wfi_sink_text(sink, written++ ? ",\n" : "\n");
            wfi_sink_text(sink, cytoscape ? "{\"data\":{" : "{");
            write_edge(g, u, e, sink);
            if (multi) wfi_sink_print(sink, ",\"key\":%llu", (wfi_ull)key);
            wfi_sink_text(sink, cytoscape ? "}}" : "}");
        }
        if ((u & 0xfff) == 0) {
            wfi_progress(ctx, "writing", u, g->n);
            if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        }
    }
    return WEFT_OK;
}

weft_status wfi_write_json(weft_ctx *ctx, const weft_graph *g, wfi_sink *sink, const char *format) {
    bool cytoscape = !strcmp(format, "cyjs"), multi = wfi_has_parallel_edges(g);
    weft_status st = wfi_check_names(ctx, g, format, wfi_unfit_utf8);
    if (st) return st;
    wfi_sink_print(sink, "{\"directed\":%s,\"multigraph\":%s,", g->directed ? "true" : "false",
                   multi ? "true" : "false");
    if (g->ids.kind == WEFT_IDS_STRING) wfi_sink_text(sink, "\"" WFI_JSON_IDS "\":\"names\",");
    wfi_sink_text(sink, cytoscape ? "\"data\":[],\"elements\":{\"nodes\":[" : "\"graph\":{},\"nodes\":[");
    write_nodes(g, cytoscape, sink);
    wfi_sink_text(sink, cytoscape ? "\n],\"edges\":[" : "\n],\"links\":[");
    st = write_edges(ctx, g, cytoscape, multi, sink);
    wfi_sink_text(sink, cytoscape ? "\n]}}\n" : "\n]}\n");
    return st;
}

static void write_line(const weft_graph *g, weft_vid u, weft_eid e, uint64_t number, wfi_sink *sink) {
    (void)number;
    wfi_sink_char(sink, '{');
    write_edge(g, u, e, sink);
    wfi_sink_text(sink, "}\n");
}

weft_status wfi_write_jsonl(weft_ctx *ctx, const weft_graph *g, wfi_sink *sink, const char *format) {
    weft_status st = wfi_check_names(ctx, g, format, wfi_unfit_utf8);
    if (!st) st = wfi_warn_losses(ctx, g, format);
    return st ? st : wfi_write_edges(ctx, g, write_line, sink);
}
