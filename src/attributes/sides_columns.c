/* Sides as attributes, for document formats without sides (sides.h). */
#include "attributes/attributes.h"
#include "attributes/sides.h"

#include <stdio.h>
#include <string.h>

enum { ASIDE_ROOM = 32 };

static const char *const KIND = "bipartite", *const NAME = "side", *const TYPE = "type";

static size_t column_called(const wfi_vertex_data *c, const char *name) {
    size_t i = 0, count = c ? c->count : 0;
    while (i < count && strcmp(c->names[i], name)) i++;
    return i;
}

/* True if the column has 0 or 1 for each vertex, as whole numbers or, if `truths`, as booleans. */
static bool is_kind(const wfi_vertex_data *c, size_t i, bool truths) {
    if (i >= c->count || c->entries[i].missing) return false;
    const int64_t *whole = wfi_column_values(c, i);
    if (c->entries[i].type == WEFT_ATTRIBUTE_BOOL) return truths;
    if (c->entries[i].type != WEFT_ATTRIBUTE_WHOLE) return false;
    for (weft_vid v = 0; v < c->rows; v++)
        if (whole[v] < 0 || whole[v] > 1) return false;
    return true;
}

static bool is_second(const wfi_vertex_data *c, size_t i, weft_vid v) {
    const void *values = wfi_column_values(c, i);
    return c->entries[i].type == WEFT_ATTRIBUTE_BOOL ? ((const uint8_t *)values)[v] != 0
                                                     : ((const int64_t *)values)[v] != 0;
}

/* Finds the text of each side in the column; false unless each side has exactly one valid text. */
static bool find_names(const wfi_vertex_data *c, size_t column, const wfi_sides *s, uint32_t text[2]) {
    bool known[2] = {false, false};
    if (column >= c->count || c->entries[column].type != WEFT_ATTRIBUTE_TEXT || c->entries[column].missing)
        return false;
    const uint32_t *value = wfi_column_values(c, column);
    for (weft_vid v = 0; v < c->rows; v++) {
        int side = wfi_side_of(s, v);
        if (known[side] && text[side] != value[v]) return false;
        text[side] = value[v];
        known[side] = true;
    }
    for (int side = 0; side < 2; side++) {
        size_t length = 0;
        const char *name = known[side] ? wfi_column_text(c, text[side], &length) : NULL;
        if (!name || !length || length > WFI_SIDE_NAME_MOST || memchr(name, '\0', length)) return false;
    }
    return text[0] != text[1];
}

static weft_status name_sides(weft_ctx *ctx, const wfi_vertex_data *c, const uint32_t text[2], wfi_sides **s) {
    char name[2][WFI_SIDE_NAME_MOST + 1];
    wfi_sides *named;
    for (int side = 0; side < 2; side++) {
        size_t length;
        const char *from = wfi_column_text(c, text[side], &length);
        memcpy(name[side], from, length);
        name[side][length] = '\0';
    }
    weft_status st = wfi_sides_new(ctx, c->rows, name[0], name[1], &named);
    if (st) return st;
    memcpy(named->second, (*s)->second, (*s)->bytes);
    wfi_free(*s);
    *s = named;
    return WEFT_OK;
}

/* Removes the columns a and b. */
static weft_status drop_columns(weft_ctx *ctx, weft_graph *g, size_t a, size_t b) {
    const wfi_vertex_data *c = g->attributes;
    wfi_column_source *from;
    size_t count = 0;
    if (wfi_alloc(ctx, &from, c->count)) return WEFT_ENOMEM;
    for (size_t i = 0; i < c->count; i++)
        if (i != a && i != b) from[count++] = wfi_column_as_source(c, i);
    weft_status st = wfi_vertex_data_replace(ctx, g, from, count);
    wfi_free(from);
    return st;
}

weft_status wfi_sides_from_columns(weft_ctx *ctx, weft_graph *g, bool insists, weft_eid *within) {
    const wfi_vertex_data *c = g->attributes;
    wfi_sides *s = NULL;
    *within = g->arcs;
    if (!c || g->sides || !g->n) return WEFT_OK;
    size_t kind = column_called(c, KIND), name = column_called(c, NAME);
    uint32_t text[2];
    if (!is_kind(c, kind, insists) && insists) kind = column_called(c, TYPE);
    if (!is_kind(c, kind, insists)) return WEFT_OK;
    weft_status st = wfi_sides_new(ctx, g->n, "0", "1", &s);
    for (weft_vid v = 0; v < g->n && !st; v++)
        if (is_second(c, kind, v)) wfi_set_second_side(s, v);
    bool named = !st && find_names(c, name, s, text);
    if (named) st = name_sides(ctx, c, text, &s);
    if (!st) *within = wfi_sides_first_within(ctx, g, s);
    if (!st && *within == g->arcs) st = drop_columns(ctx, g, kind, named ? name : kind);
    if (st || *within < g->arcs)
        wfi_free(s);
    else
        g->sides = s;
    return st;
}

/* If the graph has an attribute called `taken`, appends it to the new attributes in *to under an unused name. */
static weft_status rename_attribute(weft_ctx *ctx, const weft_graph *g, const char *format, const char *taken,
                                    char name[ASIDE_ROOM], weft_attribute *to, size_t *count) {
    const wfi_vertex_data *c = g->attributes;
    size_t i = column_called(c, taken);
    if (!c || i == c->count) return WEFT_OK;
    snprintf(name, ASIDE_ROOM, "%s_", taken);
    for (unsigned k = 2; column_called(c, name) < c->count; k++) snprintf(name, ASIDE_ROOM, "%s_%u", taken, k);
    weft_status st = weft_graph_attribute_at(ctx, g, i, to);
    to->name = name;
    if (!st) ++*count;
    if (!st)
        wfi_warn(ctx, "%s: attribute '%s' is written as %s, because '%s' holds the sides", format, taken, name, taken);
    return st;
}

weft_status wfi_sides_to_columns(weft_ctx *ctx, const weft_graph *g, const char *format, weft_graph **out) {
    const wfi_sides *s = g->sides;
    int64_t *kind = NULL;
    uint32_t *number = NULL;
    char text[2 * WFI_SIDE_NAME_MOST + 1], aside[2][ASIDE_ROOM];
    uint64_t starts[3] = {0};
    size_t count = 2;
    weft_status st = wfi_alloc(ctx, &kind, g->n);
    if (!st) st = wfi_alloc(ctx, &number, g->n);
    for (weft_vid v = 0; v < g->n && !st; v++) kind[v] = number[v] = (uint32_t)wfi_side_of(s, v);
    for (int side = 0; side < 2; side++) {
        size_t length = strlen(s->name[side]);
        memcpy(text + starts[side], s->name[side], length);
        starts[side + 1] = starts[side] + length;
    }
    weft_attribute columns[4] = {WEFT_ATTRIBUTE_DEFAULTS, WEFT_ATTRIBUTE_DEFAULTS, WEFT_ATTRIBUTE_DEFAULTS,
                                 WEFT_ATTRIBUTE_DEFAULTS};
    columns[0].name = KIND;
    columns[0].values = kind;
    columns[1].name = NAME;
    columns[1].type = WEFT_ATTRIBUTE_TEXT;
    columns[1].values = number;
    columns[1].text_count = 2;
    columns[1].text_starts = starts;
    columns[1].text = text;
    columns[0].count = columns[1].count = g->n;
    if (!st) st = rename_attribute(ctx, g, format, KIND, aside[0], &columns[2], &count);
    if (!st) st = rename_attribute(ctx, g, format, NAME, aside[1], &columns[count], &count);
    const weft_attribute *const all[] = {&columns[0], &columns[1], &columns[2], &columns[3]};
    if (!st) st = weft_graph_with_attributes(ctx, g, all, count, out);
    wfi_free(kind);
    wfi_free(number);
    return st;
}
