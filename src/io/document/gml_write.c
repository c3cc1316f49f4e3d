/* GML out, in ASCII, as its definition and NetworkX want it.  Every vertex is a node with a label, which NetworkX takes
 * for its name; ids that are names are written as labels of nodes 0, 1, 2, ..., and the graph's list says so.  Else a
 * text called label that each vertex has, no two the same, is the label, as NetworkX wants it, and otherwise the id.
 * What attributes are called that cannot be called so in GML is in the graph's list as well. */
#include "io/attributes.h"
#include "io/document/listing.h"
#include "io/document/xml_text.h"

#include <math.h>
#include <string.h>

enum { POLL = 1 << 12 };

/* A decimal number must have a point, even before an exponent. */
static void write_real(const char *text, size_t length, wfi_sink *sink) {
    const char *exponent = memchr(text, 'e', length);
    size_t digits = exponent ? (size_t)(exponent - text) : length;
    wfi_sink_bytes(sink, text, digits);
    if (!memchr(text, '.', digits)) wfi_sink_text(sink, ".0");
    wfi_sink_bytes(sink, text + digits, length - digits);
}

static void write_weight(const weft_graph *g, weft_eid e, wfi_sink *sink) {
    if (!wfi_weights_real(g->weight_type)) {
        wfi_sink_weight(sink, g->weight_type, g->out.weights, e);
        return;
    }
    char text[32];
    unsigned length = g->weight_type == WEFT_WEIGHT_F64 ? wfi_print_f64(text, ((const double *)g->out.weights)[e])
                                                        : wfi_print_f32(text, ((const float *)g->out.weights)[e]);
    write_real(text, length, sink);
}

/* Numbers are numbers, true and false 1 and 0, everything else a string. */
static void write_attribute(const weft_graph *g, size_t i, uint64_t v, const char *name, wfi_sink *sink) {
    char room[WFI_VALUE_ROOM];
    size_t length;
    const wfi_column_entry *e = &g->attributes->entries[i];
    const char *value = wfi_attribute_value(g->attributes, i, v, room, &length);
    if (!value) return;
    wfi_sink_print(sink, " %s ", name);
    if (e->type == WEFT_ATTRIBUTE_WHOLE) {
        wfi_sink_bytes(sink, value, length);
    } else if (e->type == WEFT_ATTRIBUTE_BOOL) {
        wfi_sink_char(sink, *value == 't' ? '1' : '0');
    } else if (e->type == WEFT_ATTRIBUTE_REAL) {
        double x = ((const double *)wfi_column_values(g->attributes, i))[v];
        if (isfinite(x))
            write_real(value, length, sink);
        else
            wfi_sink_text(sink, isnan(x) ? "NAN" : x > 0 ? "+INF" : "-INF");
    } else {
        wfi_sink_char(sink, '"');
        wfi_xml_write(sink, value, length, true);
        wfi_sink_char(sink, '"');
    }
}

static void write_number(const weft_graph *g, weft_vid v, wfi_sink *sink) {
    wfi_sink_i64(sink, g->ids.kind == WEFT_IDS_STRING ? (int64_t)v : weft_graph_id(g, v));
}

static void write_label(const weft_graph *g, weft_vid v, wfi_sink *sink) {
    wfi_sink_text(sink, " label \"");
    if (g->ids.kind == WEFT_IDS_STRING)
        wfi_xml_write(sink, g->ids.text + g->ids.start[v], (size_t)(g->ids.start[v + 1] - g->ids.start[v]), true);
    else
        write_number(g, v, sink);
    wfi_sink_char(sink, '"');
}

/* names: of the attributes; `labelled`: one of them is the label. */
static void write_node(const weft_graph *g, weft_vid v, const char **names, bool labelled, wfi_sink *sink) {
    wfi_sink_text(sink, "  node [ id ");
    write_number(g, v, sink);
    if (!labelled) write_label(g, v, sink);
    for (size_t i = 0; i < weft_graph_attributes(g); i++) write_attribute(g, i, v, names[i], sink);
    wfi_sink_text(sink, " ]\n");
}

/* label_ "label", ...: the names that are others in the graph. */
static void write_renamed(const weft_graph *g, const char *const *names, wfi_sink *sink) {
    bool any = false;
    for (size_t i = 0; i < weft_graph_attributes(g); i++) {
        const char *name = g->attributes->names[i];
        if (!strcmp(name, names[i])) continue;
        wfi_sink_print(sink, "%s %s \"", any ? "" : "  " WFI_GML_RENAMED " [", names[i]);
        wfi_xml_write(sink, name, strlen(name), true);
        wfi_sink_char(sink, '"');
        any = true;
    }
    if (any) wfi_sink_text(sink, " ]\n");
}

static void write_edge(const weft_graph *g, weft_vid u, weft_eid e, uint64_t number, const void *user, wfi_sink *sink) {
    const char *const *names = user;
    (void)number;
    wfi_sink_text(sink, "  edge [ source ");
    write_number(g, u, sink);
    wfi_sink_text(sink, " target ");
    write_number(g, g->out.targets[e], sink);
    if (g->weight_type) {
        wfi_sink_text(sink, " weight ");
        write_weight(g, e, sink);
    }
    for (size_t i = 0; i < wfi_edge_column_count(g); i++)
        write_attribute(g, g->attributes->count + i, e, names[i], sink);
    wfi_sink_text(sink, " ]\n");
}

weft_status wfi_write_gml(weft_ctx *ctx, const weft_graph *g, wfi_sink *sink, const char *format) {
    static const char *const taken[] = {"id", "label", NULL}, *const id[] = {"id", NULL},
                             *const of_edges[] = {"source", "target", "weight", "id", NULL};
    bool labelled = false;
    const char **names = NULL, **edge_names = NULL;
    weft_status st = wfi_check_names(ctx, g, format, wfi_xml_unfit);
    if (!st) st = wfi_check_attributes(ctx, g, format, wfi_xml_unfit);
    if (!st && g->ids.kind != WEFT_IDS_STRING) st = wfi_attribute_tells_apart(ctx, g, "label", &labelled);
    const wfi_naming rules = {.format = format, .words = true, .reserved = labelled ? id : taken},
                     edge_rules = {.format = format, .words = true, .reserved = of_edges};
    if (!st) st = wfi_attribute_names(ctx, g, &rules, &names);
    if (!st) st = wfi_edge_names(ctx, g, &edge_rules, &edge_names);
    if (st) goto done;
    wfi_warn_times(ctx, g, format);
    wfi_warn_type(ctx, g, format, WEFT_ATTRIBUTE_BOOL, "has no type for true and false, which are written as 1 and 0");
    wfi_sink_print(sink, "Creator \"Weft\"\ngraph [\n  directed %d\n", g->directed);
    if (wfi_has_parallel_edges(g)) wfi_sink_text(sink, "  multigraph 1\n");
    if (g->ids.kind == WEFT_IDS_STRING) wfi_sink_text(sink, "  " WFI_GML_IDS " \"label\"\n");
    write_renamed(g, names, sink);
    for (weft_vid v = 0; v < g->n && !st && !wfi_sink_failed(sink); v++) {
        if (v % POLL == 0 && wfi_cancelled(ctx)) st = wfi_fail_cancelled(ctx);
        if (st) break;
        write_node(g, v, names, labelled, sink);
    }
    if (!st) st = wfi_write_edges(ctx, g, write_edge, edge_names, sink);
    wfi_sink_text(sink, "]\n");
done:
    wfi_free(names);
    wfi_free(edge_names);
    return st;
}
