/* See xml_graph.h.  Ids and titles are interned, so that a use costs one look into a table however many are
 * declared. */
#include "io/document/xml_graph.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define FAIL(g, place, ...) WFI_XML_FAIL(&(g)->x, (place), __VA_ARGS__)

enum { SHOWN = 40, LISTED = 12 };

weft_status wfi_xml_graph_open(wfi_xml_graph *g, weft_ctx *ctx, wfi_source *source, const weft_read_params *params) {
    g->params = *params;
    g->fallback = WFI_NO_TEXT;
    weft_status st = wfi_xml_open(&g->x, ctx, source);
    if (!st) st = wfi_listing_open(&g->listing, ctx, source, g->x.origin.text, &g->params);
    if (st) return st;
    g->ids = wfi_names_new(ctx);
    g->titles = g->ids ? wfi_names_new(ctx) : NULL;
    return g->titles ? WEFT_OK : WEFT_ENOMEM;
}

void wfi_xml_graph_close(wfi_xml_graph *g) {
    wfi_names_free(g->ids);
    wfi_names_free(g->titles);
    wfi_free(g->uses);
    wfi_free(g->presets);
    wfi_listing_close(&g->listing);
    wfi_xml_close(&g->x);
    wfi_free(g->id.text);
    wfi_free(g->source.text);
    wfi_free(g->target.text);
    wfi_free(g->word.text);
}

/* --- elements ------------------------------------------------------------------------------ */

bool wfi_xml_holds(const wfi_xml_buffer *b, const char *word) {
    return b->used == strlen(word) && !memcmp(b->text, word, b->used);
}

static int shown_name(const wfi_xml *x) { return x->name.length < SHOWN ? (int)x->name.length : SHOWN; }

weft_status wfi_xml_want(wfi_xml_graph *g, const char *name, wfi_xml_buffer *to, const char **place) {
    const wfi_xml_attribute *a = wfi_xml_get(&g->x, name);
    *place = a ? a->value.at : NULL;
    to->used = 0;
    return a ? wfi_xml_value(&g->x, a, to) : wfi_xml_decode(&g->x.origin, g->x.at, 0, WFI_XML_VALUE, to);
}

weft_status wfi_xml_need(wfi_xml_graph *g, const char *name, wfi_xml_buffer *to, const char **place) {
    if (wfi_xml_get(&g->x, name)) return wfi_xml_want(g, name, to, place);
    return FAIL(g, g->x.at, "<%.*s> without %s", shown_name(&g->x), g->x.name.at, name);
}

weft_status wfi_xml_unexpected(wfi_xml_graph *g, const char *parent, const char *why) {
    return FAIL(g, g->x.at, "<%.*s> is not expected within <%s>%s", shown_name(&g->x), g->x.name.at, parent, why);
}

weft_status wfi_xml_default(wfi_xml_graph *g, wfi_attribute *a) {
    bool plain = true;
    const char *at;
    weft_status st = a->numeric ? wfi_xml_content(&g->x, &g->word, &at) : wfi_xml_words(&g->x, &g->word, &plain);
    if (!st && a->numeric) st = wfi_attributes_title(g, g->word.text, g->word.used, &a->fallback);
    if (!st && plain && g->word.used) st = wfi_attributes_title(g, g->word.text, g->word.used, &a->preset);
    return st;
}

weft_status wfi_xml_node_value(wfi_xml_graph *g, const wfi_attribute *a, const char *text, size_t length) {
    return wfi_cells_put(g->listing.cells, a->column, a->type, text, length);
}

weft_status wfi_xml_node_presets(wfi_xml_graph *g) {
    weft_status st = WEFT_OK;
    for (size_t i = 0; i < g->preset_count && !st; i++) {
        const wfi_attribute *a = &g->uses[g->presets[i]].of[WFI_OF_NODES];
        size_t length;
        const char *text = wfi_attributes_text(g, a->preset, &length);
        st = wfi_xml_node_value(g, a, text, length);
    }
    return st;
}

bool wfi_xml_wants_edge_value(const wfi_xml_graph *g, const wfi_attribute *a, size_t *field) {
    size_t length;
    if (!g->listing.fields || !a->at) return false;
    const char *title = wfi_attributes_text(g, a->title, &length);
    *field = wfi_listing_field(&g->listing, title, length);
    return *field != SIZE_MAX;
}

weft_status wfi_xml_edge_value(wfi_xml_graph *g, const wfi_attribute *a, size_t field, const char *text,
                               size_t length) {
    bool trim = a->type != WEFT_ATTRIBUTE_TEXT;
    while (trim && length && (wfi_is_blank(*text) || *text == '\n')) text++, length--;
    while (trim && length && (wfi_is_blank(text[length - 1]) || text[length - 1] == '\n')) length--;
    return wfi_listing_value(&g->listing, field, a->type, text, length);
}

weft_status wfi_xml_edge_presets(wfi_xml_graph *g) {
    weft_status st = WEFT_OK;
    for (size_t i = 0; g->listing.fields && i < g->ids->count && i < g->room && !st; i++) {
        const wfi_attribute *a = &g->uses[i].of[WFI_OF_EDGES];
        size_t field, length;
        if (a->preset == WFI_NO_TEXT || !wfi_xml_wants_edge_value(g, a, &field)) continue;
        const char *text = wfi_attributes_text(g, a->preset, &length);
        st = wfi_xml_edge_value(g, a, field, text, length);
    }
    return st;
}

weft_status wfi_xml_edge(wfi_xml_graph *g) {
    const char *source_at, *target_at;
    weft_status st = wfi_xml_need(g, "source", &g->source, &source_at);
    if (!st) st = wfi_xml_need(g, "target", &g->target, &target_at);
    if (st) return st;
    return wfi_listing_edge(&g->listing, (wfi_listed_end){g->source.text, g->source.used, source_at},
                            (wfi_listed_end){g->target.text, g->target.used, target_at}, g->x.at);
}

weft_status wfi_xml_edge_default(wfi_xml_graph *g, const char *at) {
    size_t length;
    if (g->fallback == WFI_NO_TEXT) return WEFT_OK;
    const char *number = wfi_attributes_text(g, g->fallback, &length);
    return wfi_listing_weight(&g->listing, number, length, at);
}

/* --- attributes ---------------------------------------------------------------------------- */

weft_status wfi_attributes_title(wfi_xml_graph *g, const char *text, size_t length, uint32_t *number) {
    return wfi_names_number(g->x.origin.ctx, g->titles, length ? text : "", length, number);
}

const char *wfi_attributes_text(const wfi_xml_graph *g, uint32_t number, size_t *length) {
    *length = (size_t)(g->titles->start[number + 1] - g->titles->start[number]);
    return g->titles->text + g->titles->start[number];
}

static weft_status find(wfi_xml_graph *g, const char *id, size_t length, wfi_scope scope, wfi_attribute **out) {
    uint32_t number = 0;
    weft_status st = wfi_names_number(g->x.origin.ctx, g->ids, length ? id : "", length, &number);
    if (st) return st;
    size_t before = g->room;
    if (WFI_ROOM(g->x.origin.ctx, g->uses, number, g->room, 64)) return WEFT_ENOMEM;
    if (g->room > before) memset(g->uses + before, 0, (g->room - before) * sizeof *g->uses);
    *out = &g->uses[number].of[scope];
    return WEFT_OK;
}

/* An attribute of nodes gets its column. */
static weft_status make_column(wfi_xml_graph *g, const char *id, size_t length) {
    uint32_t number = 0;
    size_t title_length;
    weft_status st = wfi_names_number(g->x.origin.ctx, g->ids, length ? id : "", length, &number);
    if (st) return st;
    wfi_attribute *a = &g->uses[number].of[WFI_OF_NODES];
    const char *title = wfi_attributes_text(g, a->title, &title_length);
    st = wfi_cells_column(g->listing.cells, title, title_length, &a->column);
    if (st || a->preset == WFI_NO_TEXT || a->column == WFI_NO_COLUMN) return st;
    if (WFI_ROOM(g->x.origin.ctx, g->presets, g->preset_count, g->preset_room, 16)) return WEFT_ENOMEM;
    g->presets[g->preset_count++] = number;
    return WEFT_OK;
}

weft_status wfi_attributes_declare(wfi_xml_graph *g, const char *id, size_t length, wfi_scope scope,
                                   const wfi_attribute *attribute) {
    wfi_attribute *place;
    weft_status st = find(g, id, length, scope, &place);
    if (st) return st;
    if (place->at)
        return FAIL(g, attribute->at, "the attribute '%.*s' is declared a second time",
                    length < SHOWN ? (int)length : SHOWN, id);
    *place = *attribute;
    return scope == WFI_OF_NODES ? make_column(g, id, length) : WEFT_OK;
}

weft_status wfi_attributes_use(wfi_xml_graph *g, const char *id, size_t length, wfi_scope scope, wfi_attribute **out) {
    weft_status st = find(g, id, length, scope, out);
    if (!st) (*out)->used = true;
    return st;
}

/* --- the weight --------------------------------------------------------------------------- */

static bool is_titled(const wfi_xml_graph *g, const wfi_attribute *x, const char *word) {
    size_t length;
    const char *title = wfi_attributes_text(g, x->title, &length);
    return length == strlen(word) && !strncasecmp(title, word, length);
}

/* Marks the edges' attributes of this title; how many are there? */
static size_t mark(wfi_xml_graph *g, const char *title, bool numeric_only) {
    size_t found = 0;
    for (size_t i = 0; i < g->ids->count && i < g->room; i++) {
        wfi_attribute *x = &g->uses[i].of[WFI_OF_EDGES];
        x->is_weight = x->at && (x->numeric || !numeric_only) && is_titled(g, x, title);
        found += x->is_weight;
    }
    return found;
}

/* Adds "a, b and 3 more" to the text: the attributes of that scope that were declared (or only those of them that were
 * passed over).  False if there are none. */
static bool list(const wfi_xml_graph *g, wfi_scope scope, bool passed_over, char *to, size_t room) {
    size_t found = 0;
    for (size_t i = 0; i < g->ids->count && i < g->room; i++) {
        const wfi_attribute *x = &g->uses[i].of[scope];
        size_t field;
        bool kept = scope == WFI_OF_EDGES && wfi_xml_wants_edge_value(g, x, &field);
        bool left = scope == WFI_OF_NODES ? x->lost : x->used && !x->is_weight && !kept;
        if (!x->at || (passed_over && !left)) continue;
        size_t length, used = strlen(to);
        const char *title = wfi_attributes_text(g, x->title, &length);
        if (!length || found++ >= LISTED) continue;
        snprintf(to + used, room - used, "%s%.*s", found > 1 ? ", " : "", length < SHOWN ? (int)length : SHOWN, title);
    }
    size_t used = strlen(to);
    if (found > LISTED) snprintf(to + used, room - used, " and %zu more", found - LISTED);
    return found > 0;
}

weft_status wfi_attributes_choose(wfi_xml_graph *g, const char *wanted, bool value) {
    size_t found = mark(g, wanted ? wanted : "weight", false);
    if (!found && wanted) {
        char names[1024] = "";
        bool any = list(g, WFI_OF_EDGES, false, names, sizeof names);
        wfi_fail(g->x.origin.ctx, WEFT_EINPUT, "%s: no attribute of the edges is called '%s'%s%s",
                 wfi_source_name(g->x.origin.source), wanted, any ? "; there are: " : "", names);
        return WEFT_EINPUT;
    }
    if (!found && value && wfi_value_is_weight(&g->params) && mark(g, "value", true))
        wfi_note_value_is_weight(g->x.origin.ctx, g->x.origin.source);
    g->fallback = WFI_NO_TEXT;
    for (size_t i = 0; i < g->ids->count && i < g->room; i++) {
        const wfi_attribute *x = &g->uses[i].of[WFI_OF_EDGES];
        if (!x->is_weight || x->fallback == WFI_NO_TEXT) continue;
        if (g->fallback != WFI_NO_TEXT)
            return FAIL(g, x->at, "a second default for the weight (`weights=ignore` reads without weights)");
        g->fallback = x->fallback;
    }
    return WEFT_OK;
}

void wfi_attributes_tell(const wfi_xml_graph *g) {
    char nodes[1024] = "", edges[1024] = "";
    bool of_nodes = list(g, WFI_OF_NODES, true, nodes, sizeof nodes);
    bool of_edges = list(g, WFI_OF_EDGES, true, edges, sizeof edges);
    if (of_nodes || of_edges)
        wfi_note(g->x.origin.ctx, "%s: passed over: %s%s%s%s%s", wfi_source_name(g->x.origin.source),
                 of_nodes ? "node attributes " : "", nodes, of_nodes && of_edges ? "; " : "",
                 of_edges ? "edge attributes " : "", edges);
}
