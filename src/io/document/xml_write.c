/* XML out: every vertex a node under its own id with its attributes, every edge once (parallel ones too).  GEXF in the
 * version that NetworkX and Gephi read; GraphML has weights as data. */
#include "io/attributes.h"
#include "io/document/listing.h"
#include "io/document/xml_text.h"

#include <string.h>

enum { POLL = 1 << 12 };

/* --- GEXF ----------------------------------------------------------------------------------- */

/* The values of row `row` in the columns from `first` on, `count` of them, all but `label`.  False: it has none. */
static bool write_attvalues(const weft_graph *g, size_t first, size_t count, uint64_t row, size_t label,
                            wfi_sink *sink) {
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        char room[WFI_VALUE_ROOM];
        size_t length;
        const char *value = first + i == label ? NULL : wfi_attribute_value(g->attributes, first + i, row, room, &length);
        if (!value) continue;
        if (!any) wfi_sink_text(sink, "><attvalues>");
        any = true;
        wfi_sink_print(sink, "<attvalue for=\"%zu\" value=\"", i);
        wfi_xml_write(sink, value, length, false);
        wfi_sink_text(sink, "\"/>");
    }
    return any;
}

static void write_gexf_edge(const weft_graph *g, weft_vid u, weft_eid e, uint64_t number, const void *user,
                            wfi_sink *sink) {
    (void)user;
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
    size_t count = wfi_edge_column_count(g);
    bool any = count && write_attvalues(g, g->attributes->count, count, e, SIZE_MAX, sink);
    wfi_sink_text(sink, any ? "</attvalues></edge>\n" : "/>\n");
}

/* A text called label is the label of a node; other attributes are declared. */
static size_t label_column(const weft_graph *g) {
    size_t i = wfi_attribute_named(g, "label"), count = weft_graph_attributes(g);
    return i < count && g->attributes->entries[i].type == WEFT_ATTRIBUTE_TEXT ? i : count;
}

/* What nodes, or edges, have. */
static void write_declared(const weft_graph *g, const char *class, size_t first, size_t count, size_t label,
                           wfi_sink *sink) {
    static const char *const types[] = {[WEFT_ATTRIBUTE_WHOLE] = "long",
                                        [WEFT_ATTRIBUTE_REAL] = "double",
                                        [WEFT_ATTRIBUTE_BOOL] = "boolean",
                                        [WEFT_ATTRIBUTE_TEXT] = "string",
                                        [WEFT_ATTRIBUTE_TIME] = "string"};
    if (count == (label < count)) return; /* none beside it */
    wfi_sink_print(sink, "    <attributes class=\"%s\">\n", class);
    for (size_t i = 0; i < count; i++) {
        if (i == label) continue;
        const char *name = g->attributes->names[first + i];
        wfi_sink_print(sink, "      <attribute id=\"%zu\" title=\"", i);
        wfi_xml_write(sink, name, strlen(name), false);
        wfi_sink_print(sink, "\" type=\"%s\"/>\n", types[g->attributes->entries[first + i].type]);
    }
    wfi_sink_text(sink, "    </attributes>\n");
}

static weft_status write_nodes(weft_ctx *ctx, const weft_graph *g, size_t label, wfi_sink *sink) {
    bool labelled = label < weft_graph_attributes(g);
    for (weft_vid v = 0; v < g->n && !wfi_sink_failed(sink); v++) {
        if (v % POLL == 0 && wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        size_t length;
        const char *text = labelled ? wfi_attribute_value(g->attributes, label, v, NULL, &length) : NULL;
        wfi_sink_text(sink, "      <node id=");
        wfi_xml_write_id(g, v, sink);
        if (!labelled) {
            wfi_sink_text(sink, " label=");
            wfi_xml_write_id(g, v, sink);
        } else if (text) {
            wfi_sink_text(sink, " label=\"");
            wfi_xml_write(sink, text, length, false);
            wfi_sink_char(sink, '"');
        }
        bool any = write_attvalues(g, 0, weft_graph_attributes(g), v, label, sink);
        wfi_sink_text(sink, any ? "</attvalues></node>\n" : "/>\n");
    }
    return WEFT_OK;
}

weft_status wfi_write_gexf(weft_ctx *ctx, const weft_graph *g, wfi_sink *sink, const char *format) {
    weft_status st = wfi_check_names(ctx, g, format, wfi_xml_unfit);
    if (!st) st = wfi_check_attributes(ctx, g, format, wfi_xml_unfit);
    if (st) return st;
    size_t label = label_column(g);
    wfi_warn_times(ctx, g, format);
    wfi_sink_text(sink, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                        "<gexf xmlns=\"http://www.gexf.net/1.2draft\" version=\"1.2\">\n"
                        "  <meta><creator>Weft</creator>");
    if (g->ids.kind == WEFT_IDS_STRING) wfi_sink_text(sink, "<keywords>" WFI_GEXF_NAMES "</keywords>");
    wfi_sink_print(sink, "</meta>\n  <graph defaultedgetype=\"%s\">\n", g->directed ? "directed" : "undirected");
    size_t nodes = weft_graph_attributes(g);
    write_declared(g, "node", 0, nodes, label, sink);
    write_declared(g, "edge", nodes, wfi_edge_column_count(g), SIZE_MAX, sink);
    wfi_sink_text(sink, "    <nodes>\n");
    st = write_nodes(ctx, g, label, sink);
    if (st) return st;
    wfi_sink_text(sink, "    </nodes>\n    <edges>\n");
    st = wfi_write_edges(ctx, g, write_gexf_edge, NULL, sink);
    wfi_sink_text(sink, "    </edges>\n  </graph>\n</gexf>\n");
    return st;
}

/* --- GraphML ---------------------------------------------------------------------------------- */

/* Value `row` of column first + i, unless it has none; `any`: the tag is closed already. */
static bool write_data(const weft_graph *g, char key, size_t first, size_t i, uint64_t row, bool any, wfi_sink *sink) {
    char room[WFI_VALUE_ROOM];
    size_t length;
    const char *value = wfi_attribute_value(g->attributes, first + i, row, room, &length);
    if (!value) return false;
    wfi_sink_print(sink, "%s<data key=\"%c%zu\">", any ? "" : ">", key, i);
    wfi_xml_write(sink, value, length, false);
    wfi_sink_text(sink, "</data>");
    return true;
}

static void write_graphml_edge(const weft_graph *g, weft_vid u, weft_eid e, uint64_t number, const void *user,
                       wfi_sink *sink) {
    (void)number, (void)user;
    wfi_sink_text(sink, "    <edge source=");
    wfi_xml_write_id(g, u, sink);
    wfi_sink_text(sink, " target=");
    wfi_xml_write_id(g, g->out.targets[e], sink);
    bool any = g->weight_type;
    if (any) {
        wfi_sink_text(sink, "><data key=\"weight\">");
        wfi_sink_weight(sink, g->weight_type, g->out.weights, e);
        wfi_sink_text(sink, "</data>");
    }
    for (size_t i = 0; i < wfi_edge_column_count(g); i++) any |= write_data(g, 'e', g->attributes->count, i, e, any, sink);
    wfi_sink_text(sink, any ? "</edge>\n" : "/>\n");
}

static const char *const type_name[] = {
    [WEFT_WEIGHT_U32] = "long", /* up to 2^32 - 1, which is more than GraphML's int */
    [WEFT_WEIGHT_F32] = "float",
    [WEFT_WEIGHT_F64] = "double",
};

static const char *const attribute_type[] = {[WEFT_ATTRIBUTE_WHOLE] = "long",
                                             [WEFT_ATTRIBUTE_REAL] = "double",
                                             [WEFT_ATTRIBUTE_BOOL] = "boolean",
                                             [WEFT_ATTRIBUTE_TEXT] = "string",
                                             [WEFT_ATTRIBUTE_TIME] = "string"};

static void write_graphml_node(const weft_graph *g, weft_vid v, wfi_sink *sink) {
    bool any = false;
    wfi_sink_text(sink, "    <node id=");
    wfi_xml_write_id(g, v, sink);
    for (size_t i = 0; i < weft_graph_attributes(g); i++) any |= write_data(g, 'v', 0, i, v, any, sink);
    wfi_sink_text(sink, any ? "</node>\n" : "/>\n");
}

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
    size_t nodes = weft_graph_attributes(g), all = nodes + wfi_edge_column_count(g);
    for (size_t i = 0; i < all; i++) {
        const char *name = g->attributes->names[i];
        bool node = i < nodes;
        wfi_sink_print(sink, "  <key id=\"%c%zu\" for=\"%s\" attr.name=\"", node ? 'v' : 'e', node ? i : i - nodes,
                       node ? "node" : "edge");
        wfi_xml_write(sink, name, strlen(name), false);
        wfi_sink_print(sink, "\" attr.type=\"%s\"/>\n", attribute_type[g->attributes->entries[i].type]);
    }
    wfi_sink_print(sink, "  <graph edgedefault=\"%s\">\n", g->directed ? "directed" : "undirected");
    if (names) wfi_sink_text(sink, "    <data key=\"ids\">names</data>\n");
}

weft_status wfi_write_graphml(weft_ctx *ctx, const weft_graph *g, wfi_sink *sink, const char *format) {
    weft_status st = wfi_check_names(ctx, g, format, wfi_xml_unfit);
    if (!st) st = wfi_check_attributes(ctx, g, format, wfi_xml_unfit);
    if (st) return st;
    wfi_warn_times(ctx, g, format);
    write_head(g, sink);
    for (weft_vid v = 0; v < g->n && !wfi_sink_failed(sink); v++) {
        if (v % POLL == 0 && wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        write_graphml_node(g, v, sink);
    }
    st = wfi_write_edges(ctx, g, write_graphml_edge, NULL, sink);
    wfi_sink_text(sink, "  </graph>\n</graphml>\n");
    return st;
}
