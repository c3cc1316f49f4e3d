/* See attributes.h. */
#include "result/attributes.h"

#include <stdlib.h>
#include <string.h>

enum { SHOWN = 20 };

static const char *const types[] = {[WEFT_ATTRIBUTE_WHOLE] = "i64",
                                    [WEFT_ATTRIBUTE_REAL] = "f64",
                                    [WEFT_ATTRIBUTE_BOOL] = "bool",
                                    [WEFT_ATTRIBUTE_TEXT] = "text",
                                    [WEFT_ATTRIBUTE_TIME] = "time"};

/* A column of vertices, or of edges. */
typedef weft_status look_fn(weft_ctx *ctx, const weft_graph *g, size_t i, weft_attribute *a);

static int look_at(look_fn *find, weft_ctx *ctx, const weft_graph *g, size_t i, weft_attribute *a) {
    *a = (weft_attribute)WEFT_ATTRIBUTE_DEFAULTS;
    weft_status st = find(ctx, g, i, a);
    return st ? cli_fail_status(ctx, st) : EXIT_DONE;
}

static int look(weft_ctx *ctx, const weft_graph *g, size_t i, weft_attribute *a) {
    return look_at(weft_graph_attribute_at, ctx, g, i, a);
}

weft_status edge_columns_missing(weft_ctx *ctx, const weft_graph *g, const weft_attribute *a, uint64_t *edges) {
    weft_csr out = {.size = sizeof out};
    *edges = a->missing;
    if (weft_graph_directed(g) || !a->missing) return WEFT_OK;
    weft_status st = weft_graph_out(ctx, g, &out);
    *edges = 0;
    for (weft_vid u = 0; !st && u < out.vertices; u++)
        for (weft_eid e = out.offsets[u]; e < out.offsets[u + 1]; e++)
            *edges += out.targets[e] >= u && !(a->valid[e >> 3] >> (e & 7) & 1);
    return st;
}

/* Counts missing values of edges, not of arcs. */
static weft_status edge_column_at(weft_ctx *ctx, const weft_graph *g, size_t i, weft_attribute *a) {
    weft_status st = weft_graph_edge_column_at(ctx, g, i, a);
    return st ? st : edge_columns_missing(ctx, g, a, &a->missing);
}

static int print_columns(look_fn *find, const char *title, size_t count, weft_ctx *ctx, const weft_graph *g) {
    int code = EXIT_DONE;
    for (size_t i = 0; i < count && i < SHOWN && !code; i++) {
        weft_attribute a;
        cli_text buffer;
        char name[64], missing[64] = "";
        code = look_at(find, ctx, g, i, &a);
        if (code) break;
        snprintf(name, sizeof name, "%s", a.name);
        cli_hide_controls(name);
        if (a.missing) snprintf(missing, sizeof missing, ", %s missing", cli_count(buffer, a.missing));
        cli_fact(i ? "" : title, "%s (%s%s)", name, types[a.type], missing);
    }
    cli_text buffer;
    if (count > SHOWN) cli_fact("", "and %s more", cli_count(buffer, count - SHOWN));
    return code;
}

int attributes_print(weft_ctx *ctx, const weft_graph *g) {
    return print_columns(weft_graph_attribute_at, "attributes", weft_graph_attributes(g), ctx, g);
}

int edge_columns_print(weft_ctx *ctx, const weft_graph *g) {
    return print_columns(edge_column_at, "edge columns", weft_graph_edge_columns(g), ctx, g);
}

static int columns_json(look_fn *find, json *j, const char *key, size_t count, weft_ctx *ctx, const weft_graph *g) {
    int code = EXIT_DONE;
    json_open_array(j, key, false);
    for (size_t i = 0; i < count && !code; i++) {
        weft_attribute a;
        code = look_at(find, ctx, g, i, &a);
        if (code) break;
        json_open_object(j, NULL, true);
        json_text(j, "name", a.name);
        json_text(j, "type", types[a.type]);
        json_u64(j, "missing", a.missing);
        json_close(j);
    }
    json_close(j);
    return code;
}

int attributes_json(json *j, const char *key, weft_ctx *ctx, const weft_graph *g) {
    return columns_json(weft_graph_attribute_at, j, key, weft_graph_attributes(g), ctx, g);
}

int edge_columns_json(json *j, const char *key, weft_ctx *ctx, const weft_graph *g) {
    return columns_json(edge_column_at, j, key, weft_graph_edge_columns(g), ctx, g);
}

/* --- sides ------------------------------------------------------------------------------------- */

static bool count_sides(const weft_graph *g, const char *name[2], uint64_t count[2]) {
    count[0] = count[1] = 0;
    if (!weft_graph_sides(g, &name[0], &name[1])) return false;
    for (weft_vid v = 0; v < weft_graph_vertices(g); v++) count[weft_graph_side(g, v)]++;
    return true;
}

void sides_print(const weft_graph *g) {
    const char *name[2];
    uint64_t count[2];
    cli_text a, b;
    if (!count_sides(g, name, count)) return;
    cli_fact("sides", "%.60s (%s), %.60s (%s)", name[0], cli_count(a, count[0]), name[1], cli_count(b, count[1]));
}

void sides_json(json *j, const weft_graph *g) {
    const char *name[2];
    uint64_t count[2];
    if (!count_sides(g, name, count)) return;
    json_open_array(j, "sides", false);
    for (int side = 0; side < 2; side++) {
        json_open_object(j, NULL, true);
        json_text(j, "name", name[side]);
        json_u64(j, "vertices", count[side]);
        json_close(j);
    }
    json_close(j);
}

/* --- of a vertex ------------------------------------------------------------------------------- */

/* The value as a text to be freed; *there is false if it has none, and then the text is NULL. */
static int text_of(const weft_attribute *a, uint64_t v, char **text, size_t *length, bool *there) {
    int missing;
    *length = weft_attribute_text(a, v, NULL, 0, &missing);
    *there = !missing;
    *text = missing ? NULL : cli_take(*length + 1, 1);
    if (*text) weft_attribute_text(a, v, *text, *length + 1, NULL);
    return *text || missing ? EXIT_DONE : EXIT_MEMORY;
}

int attributes_print_of(weft_ctx *ctx, const weft_graph *g, weft_vid v) {
    int code = EXIT_DONE;
    for (size_t i = 0; i < weft_graph_attributes(g) && !code; i++) {
        weft_attribute a;
        char *text = NULL, name[64];
        size_t length;
        bool there;
        code = look(ctx, g, i, &a);
        if (!code) code = text_of(&a, v, &text, &length, &there);
        if (code || !there) continue;
        snprintf(name, sizeof name, "%s", a.name);
        cli_hide_controls(name);
        cli_hide_controls(text);
        printf("  %s: %s\n", name, text);
        free(text);
    }
    return code;
}

static int json_value(json *j, const weft_attribute *a, uint64_t v) {
    char *text = NULL;
    size_t length;
    bool there;
    int code = text_of(a, v, &text, &length, &there);
    if (code || !there) return code;
    if (a->type == WEFT_ATTRIBUTE_WHOLE)
        json_i64(j, a->name, ((const int64_t *)a->values)[v]);
    else if (a->type == WEFT_ATTRIBUTE_REAL)
        json_f64(j, a->name, ((const double *)a->values)[v]);
    else if (a->type == WEFT_ATTRIBUTE_BOOL)
        json_bool(j, a->name, ((const uint8_t *)a->values)[v]);
    else
        json_name(j, a->name, text, length);
    free(text);
    return EXIT_DONE;
}

int attributes_json_of(json *j, const char *key, weft_ctx *ctx, const weft_graph *g, weft_vid v) {
    int code = EXIT_DONE;
    json_open_object(j, key, true);
    for (size_t i = 0; i < weft_graph_attributes(g) && !code; i++) {
        weft_attribute a;
        code = look(ctx, g, i, &a);
        if (!code) code = json_value(j, &a, v);
    }
    json_close(j);
    return code;
}

/* --- of an edge ------------------------------------------------------------------------------------- */

int edge_columns_text(weft_ctx *ctx, const weft_graph *g, size_t i, weft_eid arc, char **text) {
    weft_attribute a;
    size_t length;
    bool there;
    int code = look_at(weft_graph_edge_column_at, ctx, g, i, &a);
    return code ? code : text_of(&a, arc, text, &length, &there);
}

int edge_columns_print_of(weft_ctx *ctx, const weft_graph *g, weft_eid arc, bool first) {
    int code = EXIT_DONE;
    for (size_t i = 0; i < weft_graph_edge_columns(g) && !code; i++) {
        weft_attribute a;
        char *text = NULL, name[64];
        code = look_at(weft_graph_edge_column_at, ctx, g, i, &a);
        if (!code) code = edge_columns_text(ctx, g, i, arc, &text);
        if (code || !text) continue;
        snprintf(name, sizeof name, "%s", a.name);
        cli_hide_controls(name);
        cli_hide_controls(text);
        printf("%s%s %s", first ? "" : ", ", name, text);
        first = false;
        free(text);
    }
    return code;
}

int edge_columns_json_of(json *j, weft_ctx *ctx, const weft_graph *g, weft_eid arc) {
    int code = EXIT_DONE;
    json_open_object(j, "columns", true);
    for (size_t i = 0; i < weft_graph_edge_columns(g) && !code; i++) {
        weft_attribute a;
        code = look_at(weft_graph_edge_column_at, ctx, g, i, &a);
        if (!code) code = json_value(j, &a, arc);
    }
    json_close(j);
    return code;
}
