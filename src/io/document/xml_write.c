/* XML out: every vertex a node under its own id, every edge once (parallel ones too).  GEXF in the version that NetworkX
 * and Gephi read; GraphML has weights as data. */
#include "io/document/listing.h"
#include "io/document/xml_text.h"

/* --- GEXF ----------------------------------------------------------------------------------- */

static void write_gexf_edge(const weft_graph *g, weft_vid u, weft_eid e, uint64_t number, wfi_sink *sink) {
    wfi_sink_text(sink, "      <edge id=\"");
    wfi_sink_u64(sink, number);
    wfi_sink_text(sink, "\" source=");
    wfi_xml_write_id(g, u, sink);
    wfi_sink_text(sink, " target=");
    wfi_xml_write_id(g, g->out.targets[e], sink);
    if (g->weight_type) {
        wfi_sink_text(sink, " weight=\"");
        wfi_sink_weight(sink, g->weight_type, g->out.weights, e);
        wfi_sink_char(sink, '"');
    }
    wfi_sink_text(sink, "/>\n");
}

static void write_nodes(const weft_graph *g, wfi_sink *sink) {
    for (weft_vid v = 0; v < g->n && !wfi_sink_failed(sink); v++) {
        wfi_sink_text(sink, "      <node id=");
        wfi_xml_write_id(g, v, sink);
        wfi_sink_text(sink, " label=");
        wfi_xml_write_id(g, v, sink);
        wfi_sink_text(sink, "/>\n");
    }
}

weft_status wfi_write_gexf(weft_ctx *ctx, const weft_graph *g, wfi_sink *sink, const char *format) {
    weft_status st = wfi_check_names(ctx, g, format, wfi_xml_unfit);
    if (st) return st;
    wfi_sink_text(sink, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                        "<gexf xmlns=\"http://www.gexf.net/1.2draft\" version=\"1.2\">\n"
                        "  <meta><creator>Weft</creator>");
    if (g->ids.kind == WEFT_IDS_STRING) wfi_sink_text(sink, "<keywords>" WFI_GEXF_NAMES "</keywords>");
    wfi_sink_print(sink, "</meta>\n  <graph defaultedgetype=\"%s\">\n    <nodes>\n",
                   g->directed ? "directed" : "undirected");
    write_nodes(g, sink);
    wfi_sink_text(sink, "    </nodes>\n    <edges>\n");
    st = wfi_write_edges(ctx, g, write_gexf_edge, sink);
    wfi_sink_text(sink, "    </edges>\n  </graph>\n</gexf>\n");
    return st;
}

/* --- GraphML ---------------------------------------------------------------------------------- */

static void write_graphml_edge(const weft_graph *g, weft_vid u, weft_eid e, uint64_t number, wfi_sink *sink) {
    (void)number;
    wfi_sink_text(sink, "    <edge source=");
    wfi_xml_write_id(g, u, sink);
    wfi_sink_text(sink, " target=");
    wfi_xml_write_id(g, g->out.targets[e], sink);
    if (g->weight_type) {
        wfi_sink_text(sink, "><data key=\"weight\">");
        wfi_sink_weight(sink, g->weight_type, g->out.weights, e);
        wfi_sink_text(sink, "</data></edge>\n");
    } else {
        wfi_sink_text(sink, "/>\n");
    }
}

static const char *const type_name[] = {
    [WEFT_WEIGHT_U32] = "long", /* up to 2^32 - 1, which is more than GraphML's int */
    [WEFT_WEIGHT_F32] = "float",
    [WEFT_WEIGHT_F64] = "double",
};

static void write_head(const weft_graph *g, wfi_sink *sink) {
    bool names = g->ids.kind == WEFT_IDS_STRING;
    wfi_sink_text(sink, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                        "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n");
    if (names)
        wfi_sink_text(sink,
                      "  <key id=\"ids\" for=\"graph\" attr.name=\"" WFI_GRAPHML_IDS "\" attr.type=\"string\"/>\n");
    if (g->weight_type)
        wfi_sink_print(sink, "  <key id=\"weight\" for=\"edge\" attr.name=\"weight\" attr.type=\"%s\"/>\n",
                       type_name[g->weight_type]);
    wfi_sink_print(sink, "  <graph edgedefault=\"%s\">\n", g->directed ? "directed" : "undirected");
    if (names) wfi_sink_text(sink, "    <data key=\"ids\">names</data>\n");
}

weft_status wfi_write_graphml(weft_ctx *ctx, const weft_graph *g, wfi_sink *sink, const char *format) {
    weft_status st = wfi_check_names(ctx, g, format, wfi_xml_unfit);
    if (st) return st;
    write_head(g, sink);
    for (weft_vid v = 0; v < g->n && !wfi_sink_failed(sink); v++) {
        wfi_sink_text(sink, "    <node id=");
        wfi_xml_write_id(g, v, sink);
        wfi_sink_text(sink, "/>\n");
    }
    st = wfi_write_edges(ctx, g, write_graphml_edge, sink);
    wfi_sink_text(sink, "  </graph>\n</graphml>\n");
    return st;
}
