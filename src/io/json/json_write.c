/* JSON out: nodes and links, as NetworkX's node_link_graph and d3 read them; the elements of Cytoscape.js, as it and
 * NetworkX's cytoscape_graph do, attributes being members of a node; JSON lines, an object for each edge.  Documents
 * have every vertex as a node; every edge is listed once.  Ids that are numbers are numbers, names are strings; a
 * member of a document says so, since the reader takes strings that are all numbers for such. */
#include "attributes/sides.h"
#include "io/attributes.h"
#include "io/json/jsondoc.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN = 40, LISTED = 10 };

/* Names are UTF-8 (wfi_unfit_utf8). */
static void write_id(const weft_graph *g, weft_vid v, wfi_sink *sink) {
    if (g->ids.kind == WEFT_IDS_STRING)
        wfi_json_put_string(wfi_sink_put, sink, g->ids.text + g->ids.start[v],
                            (size_t)(g->ids.start[v + 1] - g->ids.start[v]));
    else
        wfi_sink_i64(sink, weft_graph_id(g, v));
}

static void write_edge(const weft_graph *g, weft_vid u, weft_eid e, wfi_sink *sink) {
    weft_vid v = g->out.targets[e];
    bool turn = wfi_sides_reversed(g, u);
    wfi_sink_text(sink, "\"source\":");
    write_id(g, turn ? v : u, sink);
    wfi_sink_text(sink, ",\"target\":");
    write_id(g, turn ? u : v, sink);
    if (!g->weight_type) return;
    wfi_sink_text(sink, ",\"weight\":");
    wfi_sink_weight(sink, g->weight_type, g->out.weights, e);
}

/* Numbers and truth values as such; times are strings; what is not finite is null. */
static void write_attribute(const weft_graph *g, size_t i, uint64_t v, const char *name, wfi_sink *sink) {
    char room[WFI_VALUE_ROOM];
    size_t length;
    const wfi_column_entry *e = &g->attributes->entries[i];
    const char *value = wfi_attribute_value(g->attributes, i, v, room, &length);
    if (!value) return;
    wfi_sink_char(sink, ',');
    wfi_json_put_string(wfi_sink_put, sink, name, strlen(name));
    wfi_sink_char(sink, ':');
    if (e->type == WEFT_ATTRIBUTE_TEXT || e->type == WEFT_ATTRIBUTE_TIME)
        wfi_json_put_string(wfi_sink_put, sink, value, length);
    else if (e->type == WEFT_ATTRIBUTE_REAL && !isfinite(((const double *)wfi_column_values(g->attributes, i))[v]))
        wfi_sink_text(sink, "null");
    else if (e->type == WEFT_ATTRIBUTE_REAL && !memchr(value, '.', length) && !memchr(value, 'e', length))
        wfi_sink_bytes(sink, value, length), wfi_sink_text(sink, ".0");
    else
        wfi_sink_bytes(sink, value, length);
}

static void write_columns(const weft_graph *g, weft_eid e, const char *const *names, wfi_sink *sink) {
    for (size_t i = 0; i < wfi_edge_column_count(g); i++)
        write_attribute(g, g->attributes->count + i, e, names[i], sink);
}

static void write_node(const weft_graph *g, weft_vid v, bool cytoscape, const char **names, wfi_sink *sink) {
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
    for (size_t i = 0; i < weft_graph_attributes(g); i++) write_attribute(g, i, v, names[i], sink);
    wfi_sink_text(sink, cytoscape ? "}}" : "}");
}

static weft_status write_nodes(weft_ctx *ctx, const weft_graph *g, bool cytoscape, const char **names, wfi_sink *sink) {
    for (weft_vid v = 0; v < g->n && !wfi_sink_failed(sink); v++) {
        if ((v & 0xfff) == 0 && wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        wfi_sink_text(sink, v ? ",\n" : "\n");
        write_node(g, v, cytoscape, names, sink);
    }
    return WEFT_OK;
}

/* Of all columns, or of those of edges. */
static void warn_not_finite(weft_ctx *ctx, const weft_graph *g, const char *format, bool of_edges) {
    char list[512] = "";
    uint64_t count = 0;
    size_t told = 0;
    for (size_t i = of_edges ? weft_graph_attributes(g) : 0; i < weft_graph_attributes(g) + wfi_edge_column_count(g);
         i++) {
        const double *x = wfi_column_values(g->attributes, i);
        uint64_t here = 0;
        if (g->attributes->entries[i].type != WEFT_ATTRIBUTE_REAL) continue;
        for (uint64_t v = 0; v < wfi_column_rows(g->attributes, i); v++) here += isfinite(x[v]) ? 0u : 1u;
        if (here && told++ < LISTED)
            snprintf(list + strlen(list), sizeof list - strlen(list), "%s%.*s", told > 1 ? ", " : "", SHOWN,
                     g->attributes->names[i]);
        count += here;
    }
    if (count)
        wfi_warn(ctx, "%s has no numbers that are not finite: %llu of them %s null: %s%s", format, (wfi_ull)count,
                 count == 1 ? "becomes" : "become", list, told > LISTED ? ", ..." : "");
}

static const char *const of_edges[] = {"source", "target", "weight", "key", "id", NULL};

/* A key tells parallel edges apart in NetworkX, which otherwise makes one of them. */
static weft_status write_edges(weft_ctx *ctx, const weft_graph *g, bool cytoscape, bool multi, const char *const *names,
                               wfi_sink *sink) {
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
            write_columns(g, e, names, sink);
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

/* The names that are others in the graph. */
static void write_renamed(const weft_graph *g, const char *const *names, wfi_sink *sink) {
    bool any = false;
    for (size_t i = 0; i < weft_graph_attributes(g); i++) {
        const char *name = g->attributes->names[i];
        if (!strcmp(name, names[i])) continue;
        wfi_sink_text(sink, any ? "," : "\"" WFI_JSON_RENAMED "\":{");
        wfi_json_put_string(wfi_sink_put, sink, names[i], strlen(names[i]));
        wfi_sink_char(sink, ':');
        wfi_json_put_string(wfi_sink_put, sink, name, strlen(name));
        any = true;
    }
    if (any) wfi_sink_text(sink, "},");
}

weft_status wfi_write_json(weft_ctx *ctx, const weft_graph *g, wfi_sink *sink, const char *format) {
    bool cytoscape = !strcmp(format, "cyjs"), multi = wfi_has_parallel_edges(g);
    static const char *const of_d3[] = {"id", NULL}, *const of_cytoscape[] = {"id", "value", NULL};
    const wfi_naming rules = {.format = format, .reserved = cytoscape ? of_cytoscape : of_d3},
                     edge_rules = {.format = format, .reserved = of_edges};
    const char **names, **edge_names = NULL;
    weft_status st = wfi_check_names(ctx, g, format, wfi_unfit_utf8);
    if (!st) st = wfi_check_attributes(ctx, g, format, wfi_unfit_utf8);
    if (!st) st = wfi_attribute_names(ctx, g, &rules, &names);
    if (st) return st;
    wfi_warn_times(ctx, g, format);
    warn_not_finite(ctx, g, format, false);
    wfi_warn_by_content(ctx, g, format, true, true);
    wfi_sink_print(sink, "{\"directed\":%s,\"multigraph\":%s,", g->directed ? "true" : "false",
                   multi ? "true" : "false");
    if (g->ids.kind == WEFT_IDS_STRING) wfi_sink_text(sink, "\"" WFI_JSON_IDS "\":\"names\",");
    write_renamed(g, names, sink);
    wfi_sink_text(sink, cytoscape ? "\"data\":[],\"elements\":{\"nodes\":[" : "\"graph\":{},\"nodes\":[");
    st = write_nodes(ctx, g, cytoscape, names, sink);
    wfi_free(names);
    if (!st) st = wfi_edge_names(ctx, g, &edge_rules, &edge_names);
    if (st) return st;
    wfi_sink_text(sink, cytoscape ? "\n],\"edges\":[" : "\n],\"links\":[");
    st = write_edges(ctx, g, cytoscape, multi, edge_names, sink);
    wfi_free(edge_names);
    wfi_sink_text(sink, cytoscape ? "\n]}}\n" : "\n]}\n");
    return st;
}

static void write_line(const weft_graph *g, weft_vid u, weft_eid e, uint64_t number, const void *user, wfi_sink *sink) {
    (void)number;
    wfi_sink_char(sink, '{');
    write_edge(g, u, e, sink);
    write_columns(g, e, user, sink);
    wfi_sink_text(sink, "}\n");
}

weft_status wfi_write_jsonl(weft_ctx *ctx, const weft_graph *g, wfi_sink *sink, const char *format) {
    weft_status st = wfi_check_names(ctx, g, format, wfi_unfit_utf8);
    const wfi_naming rules = {
        .format = format, .beside_ends = true, .beside_weights = g->weight_type != WEFT_WEIGHT_NONE};
    const char **names = NULL;
    if (!st) st = wfi_warn_losses(ctx, g, format);
    if (!st && wfi_edge_column_count(g)) st = wfi_check_attributes(ctx, g, format, wfi_unfit_utf8);
    if (!st) st = wfi_edge_names(ctx, g, &rules, &names);
    if (!st) warn_not_finite(ctx, g, format, true);
    if (!st) wfi_warn_by_content(ctx, g, format, true, true);
    if (!st) st = wfi_write_edges(ctx, g, write_line, names, sink);
    wfi_free(names);
    return st;
}
