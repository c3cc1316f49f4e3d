/* See attributes.h. */
#include "io/attributes.h"
#include "io/table/columns.h"
#include "stream/numbers.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { SHOWN = 40, LISTED = 12, MORE = 24 };

size_t wfi_print_real(char room[WFI_VALUE_ROOM], double x) {
    const char *word = isnan(x) ? "NaN" : isinf(x) ? x > 0 ? "INF" : "-INF" : NULL;
    if (!word) return wfi_print_f64(room, x);
    memcpy(room, word, strlen(word));
    return strlen(word);
}

const char *wfi_attribute_value(const wfi_vertex_data *c, size_t i, uint64_t v, char room[WFI_VALUE_ROOM],
                                size_t *length) {
    const wfi_column_entry *e = &c->entries[i];
    const void *values = wfi_column_values(c, i);
    *length = 0;
    if (!wfi_has_bit(wfi_column_valid(c, i), v)) return NULL;
    switch ((weft_attribute_type)e->type) {
    case WEFT_ATTRIBUTE_WHOLE: *length = wfi_print_i64(room, ((const int64_t *)values)[v]); break;
    case WEFT_ATTRIBUTE_REAL: *length = wfi_print_real(room, ((const double *)values)[v]); break;
    case WEFT_ATTRIBUTE_BOOL:
        *length = (size_t)snprintf(room, WFI_VALUE_ROOM, "%s", ((const uint8_t *)values)[v] ? "true" : "false");
        break;
    case WEFT_ATTRIBUTE_TEXT: return wfi_column_text(c, ((const uint32_t *)values)[v], length);
    case WEFT_ATTRIBUTE_TIME:
        *length = wfi_time_print(room, ((const int64_t *)values)[v], (weft_time_form)e->form);
        break;
    }
    return room;
}

size_t wfi_attribute_named(const weft_graph *g, const char *name) {
    size_t i = 0, count = weft_graph_attributes(g);
    while (i < count && strcmp(g->attributes->names[i], name)) i++;
    return i;
}

weft_status wfi_attribute_tells_apart(weft_ctx *ctx, const weft_graph *g, const char *name, bool *yes) {
    const wfi_vertex_data *c = g->attributes;
    size_t i = wfi_attribute_named(g, name);
    uint8_t *seen;
    *yes = i < weft_graph_attributes(g) && c->entries[i].type == WEFT_ATTRIBUTE_TEXT && !c->entries[i].missing;
    if (!*yes) return WEFT_OK;
    if (wfi_alloc_zeroed(ctx, &seen, (size_t)c->texts)) return WEFT_ENOMEM;
    const uint32_t *text = wfi_column_values(c, i);
    for (weft_vid v = 0; v < g->n && *yes; v++) *yes = !seen[text[v]]++;
    wfi_free(seen);
    return WEFT_OK;
}

/* --- losses ------------------------------------------------------------------------------------- */

weft_status wfi_check_attributes(weft_ctx *ctx, const weft_graph *g, const char *format, wfi_unfit *unfit) {
    const wfi_vertex_data *c = g->attributes;
    for (uint64_t t = 0; c && t < c->texts; t++) {
        const char *text = c->text + c->starts[t], *end = c->text + c->starts[t + 1];
        if ((t & 0xffff) == 0 && wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        const char *bad = end > text ? unfit(text, end) : NULL; /* a value, unlike a name, may be empty */
        if (bad) return wfi_fail_unfit(ctx, format, "the attribute value", text, end, bad);
    }
    return WEFT_OK;
}

/* Appends `name`, number `count`, to a list, which shows LISTED names. */
static void add_to_list(char *list, size_t room, size_t count, const char *name) {
    size_t used = strlen(list);
    if (count < LISTED) snprintf(list + used, room - used, "%s%.*s", count ? ", " : "", SHOWN, name);
    if (count == LISTED) snprintf(list + used, room - used, ", ...");
}

void wfi_warn_type(weft_ctx *ctx, const weft_graph *g, const char *format, weft_attribute_type type, const char *what) {
    char list[LISTED * (SHOWN + 2) + 8] = "";
    size_t count = 0;
    for (size_t i = 0; i < weft_graph_attributes(g) + wfi_edge_column_count(g); i++)
        if (g->attributes->entries[i].type == (uint32_t)type)
            add_to_list(list, sizeof list, count++, g->attributes->names[i]);
    if (count) wfi_warn(ctx, "%s %s: %s", format, what, list);
}

void wfi_warn_times(weft_ctx *ctx, const weft_graph *g, const char *format) {
    wfi_warn_type(ctx, g, format, WEFT_ATTRIBUTE_TIME, "has no type for times, which are written as text");
}

void wfi_warn_attributes(weft_ctx *ctx, const weft_graph *g, const char *format) {
    char list[LISTED * (SHOWN + 2) + 8] = "";
    size_t count = weft_graph_attributes(g);
    for (size_t i = 0; i < count; i++) add_to_list(list, sizeof list, i, g->attributes->names[i]);
    if (count) wfi_warn(ctx, "%s does not store attributes of vertices: %s", format, list);
}

void wfi_warn_edge_columns(weft_ctx *ctx, const weft_graph *g, const char *format) {
    char list[LISTED * (SHOWN + 2) + 8] = "";
    size_t count = wfi_edge_column_count(g);
    for (size_t i = 0; i < count; i++)
        add_to_list(list, sizeof list, i, g->attributes->names[g->attributes->count + i]);
    if (count) wfi_warn(ctx, "%s does not store columns of edges: %s", format, list);
}

/* --- names --------------------------------------------------------------------------------------- */

/* The name, changed according to the rules; `to` has capacity for MORE additional bytes. */
static void follow_rules(const char *name, const wfi_naming *rules, char *to) {
    size_t used = 0;
    if (rules->words && !isalpha((unsigned char)*name)) to[used++] = 'x';
    for (; *name; name++) to[used++] = !rules->words || isalnum((unsigned char)*name) || *name == '_' ? *name : '_';
    to[used] = '\0';
    for (const char *const *r = rules->reserved; r && *r; r++)
        if (rules->any_case ? !strcasecmp(to, *r) : !strcmp(to, *r)) strcat(to, "_");
    if (rules->beside_ends && wfi_names_end_or_weight(to, strlen(to), rules->beside_weights)) strcat(to, "_2");
}

/* Appends a number to `name` until no earlier column has it. */
static weft_status make_distinct(weft_ctx *ctx, wfi_names *known, char *name) {
    size_t length = strlen(name);
    for (unsigned k = 2;; k++) {
        size_t before = known->count;
        uint32_t number;
        weft_status st = wfi_names_number(ctx, known, name, strlen(name), &number);
        if (st || known->count > before) return st;
        snprintf(name + length, 12, "_%u", k);
    }
}

static void warn_renamed(weft_ctx *ctx, const char **before, size_t count, const char *format, const char **names) {
    size_t listed = 0;
    for (size_t i = 0; i < count; i++) {
        if (!strcmp(before[i], names[i]) || listed++ >= LISTED) continue;
        wfi_warn(ctx, "%s: attribute '%.*s' is written as %.*s", format, SHOWN, before[i], SHOWN + 16, names[i]);
    }
    if (listed > LISTED) wfi_warn(ctx, "%s: and %zu more attributes under other names", format, listed - LISTED);
}

static weft_status make_names(weft_ctx *ctx, const char **before, size_t count, const wfi_naming *rules,
                              const char ***names) {
    size_t bytes = count * sizeof **names;
    wfi_names *known = NULL;
    for (size_t i = 0; i < count; i++) bytes += strlen(before[i]) + MORE;
    *names = wfi_take(ctx, bytes, 1);
    weft_status st = *names && (!count || (known = wfi_names_new(ctx))) ? WEFT_OK : WEFT_ENOMEM;
    char *to = (char *)(*names + count);
    for (size_t i = 0; i < count && !st; i++) {
        (*names)[i] = to;
        follow_rules(before[i], rules, to);
        st = make_distinct(ctx, known, to);
        to += strlen(before[i]) + MORE;
    }
    if (!st) warn_renamed(ctx, before, count, rules->format, *names);
    wfi_names_free(known);
    if (st) {
        wfi_free(*names);
        *names = NULL;
    }
    return st;
}

weft_status wfi_attribute_names(weft_ctx *ctx, const weft_graph *g, const wfi_naming *rules, const char ***names) {
    return make_names(ctx, g->attributes ? g->attributes->names : NULL, weft_graph_attributes(g), rules, names);
}

weft_status wfi_edge_names(weft_ctx *ctx, const weft_graph *g, const wfi_naming *rules, const char ***names) {
    return make_names(ctx, g->attributes ? g->attributes->names + g->attributes->count : NULL, wfi_edge_column_count(g),
                      rules, names);
}
