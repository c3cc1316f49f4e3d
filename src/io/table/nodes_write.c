/* Tables of vertices out (--to nodes): csv with the id, the side if there are two, and the attributes; what --nodes
 * reads beside the edges, which another file has. */
#include "attributes/sides.h"
#include "io/attributes.h"
#include "io/table/nodes.h"
#include "stream/csv.h"

#include <string.h>

/* In quotes where it has to be, or where the caller says so: # and % would begin a comment, and \N is a missing
 * value. */
static void write_text(const char *text, size_t length, bool quote, wfi_sink *sink) {
    static const char special[] = ",\"\r\n";
    quote = quote || !length || (length == 2 && !memcmp(text, "\\N", 2)) || *text == '#' || *text == '%' ||
            *text == ' ' || *text == '\t' || text[length - 1] == ' ' || text[length - 1] == '\t';
    for (size_t i = 0; special[i] && !quote; i++) quote = memchr(text, special[i], length);
    if (quote)
        wfi_csv_put_quoted(wfi_sink_put, sink, text, length);
    else
        wfi_sink_bytes(sink, text, length);
}

/* A name that begins as a byte-order mark does, or is the title of its column, would be refused. */
static void write_id(const weft_graph *g, weft_vid v, const char *title, wfi_sink *sink) {
    const char *name = g->ids.text + g->ids.start[v];
    size_t length = (size_t)(g->ids.start[v + 1] - g->ids.start[v]);
    bool is_title = length == strlen(title) && !memcmp(name, title, length);
    write_text(name, length, is_title || (length > 2 && wfi_is_mark(name)), sink);
}

static void write_row(const weft_graph *g, weft_vid v, const char *title, wfi_sink *sink) {
    char room[WFI_VALUE_ROOM];
    size_t length;
    if (g->ids.kind == WEFT_IDS_STRING)
        write_id(g, v, title, sink);
    else
        wfi_sink_i64(sink, weft_graph_id(g, v));
    for (size_t i = 0; i < weft_graph_attributes(g); i++) {
        const char *value = wfi_attribute_value(g->attributes, i, v, room, &length);
        wfi_sink_char(sink, ',');
        if (value) write_text(value, length, false, sink);
    }
    wfi_sink_char(sink, '\n');
}

/* Where another column could be the ids as well, a name that says it more surely. */
static const char *name_ids(const weft_graph *g) {
    const wfi_field id = {.text = "id", .length = 2};
    for (size_t i = 0; i < weft_graph_attributes(g); i++) {
        const char *name = g->attributes->names[i];
        const wfi_field pair[] = {id, {.text = name, .length = strlen(name)}};
        if (wfi_nodes_by_name(pair, 2) != 0) return ":ID";
    }
    return "id";
}

weft_status wfi_write_nodes(weft_ctx *ctx, const weft_graph *g, wfi_sink *sink, const char *format) {
    const char *id = name_ids(g);
    const char *const reserved[] = {id, NULL};
    const wfi_naming rules = {.format = format, .reserved = reserved};
    const char **names = NULL;
    weft_status st = wfi_check_names(ctx, g, format, wfi_unfit_nul);
    if (!st) st = wfi_check_attributes(ctx, g, format, wfi_unfit_nul);
    if (!st) st = wfi_attribute_names(ctx, g, &rules, &names);
    if (st) return st;
    wfi_warn(ctx, "%s is a table of the vertices: it stores no edges", format);
    wfi_warn_by_content(ctx, g, format, false, false);
    wfi_sink_text(sink, id);
    for (size_t i = 0; i < weft_graph_attributes(g); i++) {
        wfi_sink_char(sink, ',');
        write_text(names[i], strlen(names[i]), false, sink);
    }
    wfi_sink_char(sink, '\n');
    for (weft_vid v = 0; v < g->n && !wfi_sink_failed(sink); v++) {
        write_row(g, v, id, sink);
        if ((v & 0xfff) == 0) wfi_progress(ctx, "writing", v, g->n);
    }
    wfi_free(names);
    return WEFT_OK;
}
