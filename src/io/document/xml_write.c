/* XML out: every vertex a node under its own id with its attributes, every edge once (parallel ones too).  GEXF in the
 * version that NetworkX and Gephi read, with the attribute label as the label, and attributes called viz:color (texts
 * such as #0072b2), viz:size, viz:x and viz:y (reals) as what Gephi draws by; GraphML has weights as data. */
#include "io/attributes.h"
#include "io/document/listing.h"
#include "io/document/xml_text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { POLL = 1 << 12 };

/* --- GEXF ----------------------------------------------------------------------------------- */

/* The columns that are not written as attributes; the number of columns where there is none. */
typedef struct gexf_columns {
    size_t label, color, size, x, y;
    bool typed; /* labels, which are texts here, are of another type: they are an attribute as well */
    bool viz;   /* one of the last four */
} gexf_columns;

static size_t viz_column(const weft_graph *g, const char *name, weft_attribute_type type) {
    size_t i = wfi_attribute_named(g, name), count = weft_graph_attributes(g);
    return i < count && g->attributes->entries[i].type == (uint32_t)type ? i : count;
}

/* #rrggbb */
static bool is_colour(const char *text, size_t length) {
    bool good = length == 7 && *text == '#';
    for (size_t i = 1; good && i < length; i++) good = isxdigit((unsigned char)text[i]);
    return good;
}

/* What is no colour makes an attribute of them all. */
static size_t color_column(weft_ctx *ctx, const weft_graph *g, const char *format) {
    size_t i = viz_column(g, "viz:color", WEFT_ATTRIBUTE_TEXT), none = weft_graph_attributes(g);
    for (weft_vid v = 0; i < none && v < g->n; v++) {
        size_t length;
        const char *text = wfi_attribute_value(g->attributes, i, v, NULL, &length);
        if (!text || is_colour(text, length)) continue;
        wfi_warn(ctx, "%s: 'viz:color' is written as an attribute: '%.*s' is no colour such as #0072b2", format,
                 length < 40 ? (int)length : 40, text);
        return none;
    }
    return i;
}

/* A place has both. */
static bool are_places(const weft_graph *g, const gexf_columns *c) {
    const wfi_vertex_data *d = g->attributes;
    if (c->x == weft_graph_attributes(g) || c->y == weft_graph_attributes(g)) return false;
    const uint8_t *x = wfi_column_valid(d, c->x), *y = wfi_column_valid(d, c->y);
    for (weft_vid v = 0; v < g->n; v++)
        if (wfi_has_bit(x, v) != wfi_has_bit(y, v)) return false;
    return true;
}

static gexf_columns find_columns(weft_ctx *ctx, const weft_graph *g, const char *format) {
    size_t none = weft_graph_attributes(g);
    gexf_columns c = {.label = wfi_attribute_named(g, "label"),
                      .color = color_column(ctx, g, format),
                      .size = viz_column(g, "viz:size", WEFT_ATTRIBUTE_REAL),
                      .x = viz_column(g, "viz:x", WEFT_ATTRIBUTE_REAL),
                      .y = viz_column(g, "viz:y", WEFT_ATTRIBUTE_REAL)};
    uint32_t type = c.label < none ? g->attributes->entries[c.label].type : WEFT_ATTRIBUTE_TEXT;
    c.typed = type != WEFT_ATTRIBUTE_TEXT && type != WEFT_ATTRIBUTE_TIME;
    if (!are_places(g, &c)) c.x = c.y = none;
    c.viz = c.color < none || c.size < none || c.x < none;
    return c;
}

static bool is_apart(const gexf_columns *c, size_t i) {
    return c && ((i == c->label && !c->typed) || i == c->color || i == c->size || i == c->x || i == c->y);
}

/* What nodes have, or edges (apart: NULL), by these names. */
static void write_declared(const weft_graph *g, const char *const *names, size_t count, const gexf_columns *apart,
                           wfi_sink *sink) {
    static const char *const types[] = {[WEFT_ATTRIBUTE_WHOLE] = "long",
                                        [WEFT_ATTRIBUTE_REAL] = "double",
                                        [WEFT_ATTRIBUTE_BOOL] = "boolean",
                                        [WEFT_ATTRIBUTE_TEXT] = "string",
                                        [WEFT_ATTRIBUTE_TIME] = "string"};
    size_t left = 0, first = apart ? 0 : weft_graph_attributes(g);
    for (size_t i = 0; i < count; i++) left += !is_apart(apart, i);
    if (!left) return;
    wfi_sink_print(sink, "    <attributes class=\"%s\">\n", apart ? "node" : "edge");
    for (size_t i = 0; i < count; i++) {
        if (is_apart(apart, i)) continue;
        wfi_sink_print(sink, "      <attribute id=\"%zu\" title=\"", i);
        wfi_xml_write(sink, names[i], strlen(names[i]), false);
        wfi_sink_print(sink, "\" type=\"%s\"/>\n", types[g->attributes->entries[first + i].type]);
    }
    wfi_sink_text(sink, "    </attributes>\n");
}

/* The node is open until it has something in it. */
static void open_node(bool *open, wfi_sink *sink) {
    if (!*open) wfi_sink_char(sink, '>');
    *open = true;
}

static bool write_attvalues(const weft_graph *g, size_t first, size_t count, uint64_t row, const gexf_columns *apart,
                            wfi_sink *sink) {
    bool open = false;
    for (size_t i = 0; i < count; i++) {
        char room[WFI_VALUE_ROOM];
        size_t length;
        const char *value =
            is_apart(apart, i) ? NULL : wfi_attribute_value(g->attributes, first + i, row, room, &length);
        if (!value) continue;
        if (!open) wfi_sink_text(sink, "><attvalues>");
        open = true;
        wfi_sink_print(sink, "<attvalue for=\"%zu\" value=\"", i);
        wfi_xml_write(sink, value, length, false);
        wfi_sink_text(sink, "\"/>");
    }
    if (open) wfi_sink_text(sink, "</attvalues>");
    return open;
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
    bool any = count && write_attvalues(g, g->attributes->count, count, e, NULL, sink);
    wfi_sink_text(sink, any ? "</edge>\n" : "/>\n");
}

static void write_viz(const weft_graph *g, weft_vid v, const gexf_columns *c, bool *open, wfi_sink *sink) {
    char room[WFI_VALUE_ROOM], more[WFI_VALUE_ROOM];
    size_t length = 0, other, count = weft_graph_attributes(g);
    const char *color = c->color < count ? wfi_attribute_value(g->attributes, c->color, v, room, &length) : NULL;
    if (color) {
        char text[8];
        unsigned red, green, blue;
        memcpy(text, color, 7);
        text[7] = '\0';
        sscanf(text, "#%2x%2x%2x", &red, &green, &blue);
        open_node(open, sink);
        wfi_sink_print(sink, "<viz:color r=\"%u\" g=\"%u\" b=\"%u\"/>", red, green, blue);
    }
    const char *size = c->size < count ? wfi_attribute_value(g->attributes, c->size, v, room, &length) : NULL;
    if (size) {
        open_node(open, sink);
        wfi_sink_print(sink, "<viz:size value=\"%.*s\"/>", (int)length, size);
    }
    const char *x = c->x < count ? wfi_attribute_value(g->attributes, c->x, v, room, &length) : NULL;
    const char *y = x ? wfi_attribute_value(g->attributes, c->y, v, more, &other) : NULL;
    if (!y) return;
    open_node(open, sink);
    wfi_sink_print(sink, "<viz:position x=\"%.*s\" y=\"%.*s\" z=\"0\"/>", (int)length, x, (int)other, y);
}

static weft_status write_nodes(weft_ctx *ctx, const weft_graph *g, const gexf_columns *columns, wfi_sink *sink) {
    bool labelled = columns->label < weft_graph_attributes(g);
    for (weft_vid v = 0; v < g->n && !wfi_sink_failed(sink); v++) {
        if (v % POLL == 0 && wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        char room[WFI_VALUE_ROOM];
        size_t length;
        const char *text = labelled ? wfi_attribute_value(g->attributes, columns->label, v, room, &length) : NULL;
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
        bool open = write_attvalues(g, 0, weft_graph_attributes(g), v, columns, sink);
        if (columns->viz) write_viz(g, v, columns, &open, sink);
        wfi_sink_text(sink, open ? "</node>\n" : "/>\n");
    }
    return WEFT_OK;
}

/* Of edges; the reader knows it in any case of letters. */
static const char *const taken[] = {"weight", NULL};

weft_status wfi_write_gexf(weft_ctx *ctx, const weft_graph *g, wfi_sink *sink, const char *format) {
    const char **names = NULL;
    weft_status st = wfi_check_names(ctx, g, format, wfi_xml_unfit);
    if (!st) st = wfi_check_attributes(ctx, g, format, wfi_xml_unfit);
    if (!st) st = wfi_edge_names(ctx, g, &(wfi_naming){.format = format, .any_case = true, .reserved = taken}, &names);
    if (st) return st;
    gexf_columns columns = find_columns(ctx, g, format);
    wfi_warn_times(ctx, g, format);
    wfi_sink_text(sink, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                        "<gexf xmlns=\"http://www.gexf.net/1.2draft\"");
    if (columns.viz) wfi_sink_text(sink, " xmlns:viz=\"http://www.gexf.net/1.2draft/viz\"");
    wfi_sink_text(sink, " version=\"1.2\">\n  <meta><creator>Weft</creator>");
    if (g->ids.kind == WEFT_IDS_STRING) wfi_sink_text(sink, "<keywords>" WFI_GEXF_NAMES "</keywords>");
    wfi_sink_print(sink, "</meta>\n  <graph defaultedgetype=\"%s\">\n", g->directed ? "directed" : "undirected");
    if (g->attributes) write_declared(g, g->attributes->names, g->attributes->count, &columns, sink);
    write_declared(g, names, wfi_edge_column_count(g), NULL, sink);
    wfi_free(names);
    wfi_sink_text(sink, "    <nodes>\n");
    st = write_nodes(ctx, g, &columns, sink);
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
    for (size_t i = 0; i < wfi_edge_column_count(g); i++)
        any |= write_data(g, 'e', g->attributes->count, i, e, any, sink);
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

/* edge_names: of the columns of edges */
static void write_head(const weft_graph *g, const char *const *edge_names, wfi_sink *sink) {
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
        bool node = i < nodes;
        const char *name = node ? g->attributes->names[i] : edge_names[i - nodes];
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
    const char **names = NULL;
    if (!st) st = wfi_check_attributes(ctx, g, format, wfi_xml_unfit);
    if (!st) st = wfi_edge_names(ctx, g, &(wfi_naming){.format = format, .any_case = true, .reserved = taken}, &names);
    if (st) return st;
    wfi_warn_times(ctx, g, format);
    write_head(g, names, sink);
    wfi_free(names);
    for (weft_vid v = 0; v < g->n && !wfi_sink_failed(sink); v++) {
        if (v % POLL == 0 && wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        write_graphml_node(g, v, sink);
    }
    st = wfi_write_edges(ctx, g, write_graphml_edge, NULL, sink);
    wfi_sink_text(sink, "  </graph>\n</graphml>\n");
    return st;
}
