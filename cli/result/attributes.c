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

static int look(weft_ctx *ctx, const weft_graph *g, size_t i, weft_attribute *a) {
    *a = (weft_attribute)WEFT_ATTRIBUTE_DEFAULTS;
    weft_status st = weft_graph_attribute_at(ctx, g, i, a);
    return st ? cli_fail_status(ctx, st) : EXIT_DONE;
}

int attributes_print(weft_ctx *ctx, const weft_graph *g) {
    size_t count = weft_graph_attributes(g);
    int code = EXIT_DONE;
    for (size_t i = 0; i < count && i < SHOWN && !code; i++) {
        weft_attribute a;
        cli_text room;
        char name[64], missing[64] = "";
        code = look(ctx, g, i, &a);
        if (code) break;
        snprintf(name, sizeof name, "%s", a.name);
        cli_hide_controls(name);
        if (a.missing) snprintf(missing, sizeof missing, ", %s missing", cli_count(room, a.missing));
        cli_fact(i ? "" : "attributes", "%s (%s%s)", name, types[a.type], missing);
    }
    cli_text room;
    if (count > SHOWN) cli_fact("", "and %s more", cli_count(room, count - SHOWN));
    return code;
}

int attributes_json(json *j, const char *key, weft_ctx *ctx, const weft_graph *g) {
    int code = EXIT_DONE;
    json_open_array(j, key, false);
    for (size_t i = 0; i < weft_graph_attributes(g) && !code; i++) {
        weft_attribute a;
        code = look(ctx, g, i, &a);
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
static int text_of(const weft_attribute *a, weft_vid v, char **text, size_t *length, bool *there) {
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

int attributes_json_of(json *j, const char *key, weft_ctx *ctx, const weft_graph *g, weft_vid v) {
    int code = EXIT_DONE;
    json_open_object(j, key, true);
    for (size_t i = 0; i < weft_graph_attributes(g) && !code; i++) {
        weft_attribute a;
        char *text = NULL;
        size_t length;
        bool there;
        code = look(ctx, g, i, &a);
        if (!code) code = text_of(&a, v, &text, &length, &there);
        if (code || !there) continue;
        if (a.type == WEFT_ATTRIBUTE_WHOLE)
            json_i64(j, a.name, ((const int64_t *)a.values)[v]);
        else if (a.type == WEFT_ATTRIBUTE_REAL)
            json_f64(j, a.name, ((const double *)a.values)[v]);
        else if (a.type == WEFT_ATTRIBUTE_BOOL)
            json_bool(j, a.name, ((const uint8_t *)a.values)[v]);
        else
            json_name(j, a.name, text, length);
        free(text);
    }
    json_close(j);
    return code;
}
