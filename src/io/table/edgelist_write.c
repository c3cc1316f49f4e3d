/* Edge lists out: one edge a line (an undirected edge once, that of a bipartite graph from its first side), and a first
 * comment that keeps what the lines cannot say, so that reading back gives the same graph.  csv has a header row
 * instead, as other programs expect. */
#include "attributes/sides.h"
#include "graph/degrees.h"
#include "io/attributes.h"
#include "io/io.h"
#include "io/table/columns.h"
#include "io/table/edgelist.h"

#include <string.h>

static bool begins_as_a_word(const char *text, size_t length) {
    unsigned char first = length ? (unsigned char)*text : 0;
    bool mark = length > 2 && wfi_is_mark(text);
    return !mark && (first >= 0x80 || (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z'));
}

static bool is_head_word(const char *text, size_t length) {
    return length == 6 && (!memcmp(text, "source", 6) || !memcmp(text, "target", 6) || !memcmp(text, "weight", 6));
}

/* A name that would be misread as it stands goes in quotes. */
static void write_name(const weft_graph *g, weft_vid v, char separator, wfi_sink *sink) {
    const char *text = g->ids.text + g->ids.start[v];
    size_t length = (size_t)(g->ids.start[v + 1] - g->ids.start[v]);
    bool quote = !begins_as_a_word(text, length) || (separator == ',' && is_head_word(text, length)) ||
                 memchr(text, separator, length) || memchr(text, '"', length) || memchr(text, ' ', length) ||
                 memchr(text, '\t', length) || memchr(text, '\r', length) || memchr(text, '\n', length) ||
                 memchr(text, ',', length) || memchr(text, ';', length);
    if (!quote) {
        wfi_sink_bytes(sink, text, length);
        return;
    }
    wfi_csv_put_quoted(wfi_sink_put, sink, text, length);
}

static void write_id(const weft_graph *g, weft_vid v, char separator, wfi_sink *sink) {
    if (g->ids.kind == WEFT_IDS_STRING)
        write_name(g, v, separator, sink);
    else
        wfi_sink_i64(sink, weft_graph_id(g, v));
}

/* Vertices without any arc cannot be seen in the edges: the range says them when ids are dense, else write_singles. */
static void write_head(const weft_graph *g, wfi_sink *sink) {
    wfi_sink_print(sink, "# weft edge list %s%s", g->directed ? "directed" : "undirected",
                   g->ids.kind == WEFT_IDS_STRING ? " names" : "");
    if (g->ids.kind == WEFT_IDS_DENSE) wfi_sink_print(sink, " vertices %u from %lld", g->n, (long long)g->ids.base);
    wfi_sink_char(sink, '\n');
}

/* After the edges: readers learn from the first lines what these look like. */
static weft_status write_singles(weft_ctx *ctx, const weft_graph *g, wfi_sink *sink) {
    uint64_t *degree = NULL;
    if (g->ids.kind == WEFT_IDS_DENSE) return WEFT_OK;
    weft_status st = wfi_alloc(ctx, &degree, g->n);
    if (!st) st = wfi_degrees(ctx, g, WEFT_SIDE_BOTH, degree);
    for (weft_vid v = 0; v < g->n && !st; v++) {
        if (degree[v]) continue;
        wfi_sink_text(sink, "#v ");
        write_id(g, v, '\t', sink);
        wfi_sink_char(sink, '\n');
    }
    wfi_free(degree);
    return st;
}

static bool needs_quotes(const char *text, size_t length, char separator) {
    bool null = length == 2 && text[0] == '\\' && text[1] == 'N'; /* a missing value */
    return !length || null || memchr(text, separator, length) || memchr(text, '"', length) ||
           memchr(text, '\r', length) || memchr(text, '\n', length) || text[0] == ' ' || text[length - 1] == ' ' ||
           text[0] == '\t' || text[length - 1] == '\t';
}

static void write_text(const char *text, size_t length, char separator, wfi_sink *sink) {
    if (needs_quotes(text, length, separator))
        wfi_csv_put_quoted(wfi_sink_put, sink, text, length);
    else
        wfi_sink_bytes(sink, text, length);
}

/* The columns of an arc.  A text that looks like something else than a text is one again when it is read only if others
 * of its column look so. */
static void write_columns(const weft_graph *g, weft_eid e, char separator, wfi_sink *sink) {
    const wfi_vertex_data *c = g->attributes;
    for (size_t i = 0; i < wfi_edge_column_count(g); i++) {
        char room[WFI_VALUE_ROOM];
        size_t length;
        const char *value = wfi_attribute_value(c, c->count + i, e, room, &length);
        wfi_sink_char(sink, separator);
        if (value) write_text(value, length, separator, sink);
    }
}

/* The ends are called as the sides are, where the reader knows what these words mean. */
static weft_status name_ends(weft_ctx *ctx, const weft_graph *g, const char *const *names, const char *ends[2]) {
    size_t count = wfi_edge_column_count(g);
    wfi_column *columns;
    ends[0] = "source";
    ends[1] = "target";
    if (!g->sides || g->directed) return WEFT_OK;
    if (wfi_alloc_zeroed(ctx, &columns, count + 2)) return WEFT_ENOMEM;
    for (size_t i = 0; i < count + 2; i++) {
        columns[i].name = i < 2 ? g->sides->name[i] : names[i - 2];
        columns[i].name_length = strlen(columns[i].name);
    }
    if (wfi_names_kinds(columns, 2) && wfi_names_kinds(columns, count + 2))
        memcpy(ends, g->sides->name, 2 * sizeof *ends);
    wfi_free(columns);
    return WEFT_OK;
}

static weft_status write_table_head(weft_ctx *ctx, const weft_graph *g, const char *format, char separator,
                                    wfi_sink *sink) {
    const wfi_naming rules = {
        .format = format, .beside_ends = true, .beside_weights = g->weight_type != WEFT_WEIGHT_NONE};
    const char **names, *ends[2];
    weft_status st = wfi_edge_names(ctx, g, &rules, &names);
    if (!st) st = name_ends(ctx, g, names, ends);
    if (st) goto done;
    write_text(ends[0], strlen(ends[0]), separator, sink);
    wfi_sink_char(sink, separator);
    write_text(ends[1], strlen(ends[1]), separator, sink);
    if (g->weight_type) wfi_sink_print(sink, "%cweight", separator);
    for (size_t i = 0; i < wfi_edge_column_count(g); i++) {
        wfi_sink_char(sink, separator);
        write_text(names[i], strlen(names[i]), separator, sink);
    }
    wfi_sink_char(sink, '\n');
    wfi_warn_by_content(ctx, g, format, true, false);
    st = wfi_warn_losses(ctx, g, format);
done:
    wfi_free(names);
    return st;
}

weft_status wfi_write_edgelist(weft_ctx *ctx, const weft_graph *g, wfi_sink *sink, const char *format) {
    bool csv = !strcmp(format, "csv"), table = csv || wfi_edge_column_count(g);
    char separator = csv ? ',' : '\t';
    weft_status st = wfi_check_names(ctx, g, format, wfi_unfit_nul);
    if (!st && wfi_edge_column_count(g)) st = wfi_check_attributes(ctx, g, format, wfi_unfit_nul);
    if (!st && table) st = write_table_head(ctx, g, format, separator, sink);
    if (!table) write_head(g, sink);
    for (weft_vid u = 0; u < g->n && !st && !wfi_sink_failed(sink); u++) {
        for (weft_eid e = g->out.offsets[u]; e < g->out.offsets[u + 1]; e++) {
            weft_vid v = g->out.targets[e];
            if (!g->directed && v < u) continue;
            bool turn = wfi_sides_reversed(g, u);
            write_id(g, turn ? v : u, separator, sink);
            wfi_sink_char(sink, separator);
            write_id(g, turn ? u : v, separator, sink);
            if (g->weight_type) {
                wfi_sink_char(sink, separator);
                wfi_sink_weight(sink, g->weight_type, g->out.weights, e);
            }
            write_columns(g, e, separator, sink);
            wfi_sink_char(sink, '\n');
        }
        if ((u & 0xfff) == 0) wfi_progress(ctx, "writing", u, g->n);
    }
    return st || table ? st : write_singles(ctx, g, sink);
}
