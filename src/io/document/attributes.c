/* See attributes.h.  Ids and titles are interned, so that a use costs one look into a table however many are
 * declared. */
#include "io/document/attributes.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define FAIL(a, place, ...) wfi_fail_in_text((a)->ctx, (a)->source, (a)->text, (place), __VA_ARGS__)

enum { SHOWN = 40, LISTED = 12 };

weft_status wfi_attributes_open(wfi_attributes *a, weft_ctx *ctx, const wfi_source *source, const char *text) {
    *a = (wfi_attributes){.ctx = ctx, .source = source, .text = text, .fallback = WFI_NO_TEXT};
    a->ids = wfi_names_new(ctx);
    a->titles = a->ids ? wfi_names_new(ctx) : NULL;
    return a->titles ? WEFT_OK : WEFT_ENOMEM;
}

void wfi_attributes_close(wfi_attributes *a) {
    wfi_names_free(a->ids);
    wfi_names_free(a->titles);
    wfi_free(a->uses);
    *a = (wfi_attributes){0};
}

weft_status wfi_attributes_title(wfi_attributes *a, const char *text, size_t length, uint32_t *number) {
    return wfi_names_number(a->ctx, a->titles, length ? text : "", length, number);
}

const char *wfi_attributes_text(const wfi_attributes *a, uint32_t number, size_t *length) {
    *length = (size_t)(a->titles->start[number + 1] - a->titles->start[number]);
    return a->titles->text + a->titles->start[number];
}

static weft_status find(wfi_attributes *a, const char *id, size_t length, wfi_scope scope, wfi_attribute **out) {
    uint32_t number;
    weft_status st = wfi_names_number(a->ctx, a->ids, length ? id : "", length, &number);
    if (st) return st;
    size_t before = a->room;
    if (WFI_ROOM(a->ctx, a->uses, number, a->room, 64)) return WEFT_ENOMEM;
    if (a->room > before) memset(a->uses + before, 0, (a->room - before) * sizeof *a->uses);
    *out = &a->uses[number].of[scope];
    return WEFT_OK;
}

weft_status wfi_attributes_declare(wfi_attributes *a, const char *id, size_t length, wfi_scope scope,
                                   const wfi_attribute *attribute) {
    wfi_attribute *place;
    weft_status st = find(a, id, length, scope, &place);
    if (st) return st;
    if (place->at)
        return FAIL(a, attribute->at, "the attribute '%.*s' is declared a second time",
                    length < SHOWN ? (int)length : SHOWN, id);
    *place = *attribute;
    return WEFT_OK;
}

weft_status wfi_attributes_use(wfi_attributes *a, const char *id, size_t length, wfi_scope scope, wfi_attribute **out) {
    weft_status st = find(a, id, length, scope, out);
    if (!st) (*out)->used = true;
    return st;
}

/* --- the weight --------------------------------------------------------------------------- */

static bool is_titled(const wfi_attributes *a, const wfi_attribute *x, const char *word) {
    size_t length;
    const char *title = wfi_attributes_text(a, x->title, &length);
    return length == strlen(word) && !strncasecmp(title, word, length);
}

/* Marks the edges' attributes of this title; how many are there? */
static size_t mark(wfi_attributes *a, const char *title, bool numeric_only) {
    size_t found = 0;
    for (size_t i = 0; i < a->ids->count && i < a->room; i++) {
        wfi_attribute *x = &a->uses[i].of[WFI_OF_EDGES];
        x->is_weight = x->at && (x->numeric || !numeric_only) && is_titled(a, x, title);
        found += x->is_weight;
    }
    return found;
}

/* Adds "a, b and 3 more" to the text: the attributes of that scope that were declared (or only those of them that were
 * used and are not the weight).  False if there are none. */
static bool list(const wfi_attributes *a, wfi_scope scope, bool passed_over, char *to, size_t room) {
    size_t found = 0;
    for (size_t i = 0; i < a->ids->count && i < a->room; i++) {
        const wfi_attribute *x = &a->uses[i].of[scope];
        if (!x->at || (passed_over && (!x->used || x->is_weight))) continue;
        size_t length, used = strlen(to);
        const char *title = wfi_attributes_text(a, x->title, &length);
        if (!length || found++ >= LISTED) continue;
        snprintf(to + used, room - used, "%s%.*s", found > 1 ? ", " : "", length < SHOWN ? (int)length : SHOWN, title);
    }
    size_t used = strlen(to);
    if (found > LISTED) snprintf(to + used, room - used, " and %zu more", found - LISTED);
    return found > 0;
}

weft_status wfi_attributes_choose(wfi_attributes *a, const char *wanted, bool value) {
    size_t found = mark(a, wanted ? wanted : "weight", false);
    if (!found && wanted) {
        char names[1024] = "";
        bool any = list(a, WFI_OF_EDGES, false, names, sizeof names);
        wfi_fail(a->ctx, WEFT_EINPUT, "%s: no attribute of the edges is called '%s'%s%s", wfi_source_name(a->source),
                 wanted, any ? "; there are: " : "", names);
        return WEFT_EINPUT;
    }
    if (!found && value) mark(a, "value", true);
    a->fallback = WFI_NO_TEXT;
    for (size_t i = 0; i < a->ids->count && i < a->room; i++) {
        const wfi_attribute *x = &a->uses[i].of[WFI_OF_EDGES];
        if (!x->is_weight || x->fallback == WFI_NO_TEXT) continue;
        if (a->fallback != WFI_NO_TEXT)
            return FAIL(a, x->at, "a second default for the weight (`weights=ignore` reads without weights)");
        a->fallback = x->fallback;
    }
    return WEFT_OK;
}

void wfi_attributes_tell(const wfi_attributes *a) {
    char nodes[1024] = "", edges[1024] = "";
    bool of_nodes = list(a, WFI_OF_NODES, true, nodes, sizeof nodes);
    bool of_edges = list(a, WFI_OF_EDGES, true, edges, sizeof edges);
    if (of_nodes || of_edges)
        wfi_note(a->ctx, "%s: passed over: %s%s%s%s%s", wfi_source_name(a->source), of_nodes ? "node attributes " : "",
                 nodes, of_nodes && of_edges ? "; " : "", of_edges ? "edge attributes " : "", edges);
}
