/* What the first lines of an edge list look like: of each column, what all of its values in the head have in common,
 * the first record held apart until it is known to be data. */
#include "io/table/edgelist_first.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* Digits, or the marks that identifiers have and words for columns have not. */
bool wfi_field_has_form(const wfi_field *f) {
    for (size_t i = 0; i < f->length; i++)
        if (isdigit((unsigned char)f->text[i]) || strchr("/:@.#&+=\\", f->text[i])) return true;
    return false;
}

/* A word in quotes is not the one without them: a file that has both tells its names from its header so. */
static bool same(const wfi_field *a, const wfi_field *b) {
    return a->quoted == b->quoted && a->length == b->length && !memcmp(a->text, b->text, a->length);
}

static bool is_direction(const wfi_field *f) {
    return (f->length == 8 && !strncasecmp(f->text, "directed", 8)) ||
           (f->length == 10 && !strncasecmp(f->text, "undirected", 10));
}

static bool has_one_of(const wfi_field *f, const char *signs) {
    for (size_t i = 0; i < f->length; i++)
        if (f->text[i] && strchr(signs, f->text[i])) return true;
    return false;
}

static void look_at_value(wfi_first_column *c, const wfi_field *f) {
    if ((!f->length && !f->quoted) || wfi_field_is_missing(f)) return; /* an empty cell says nothing */
    bool integer = wfi_field_is_integer(f), signs = !integer && has_one_of(f, ".,'");
    bool plain = integer || wfi_field_is_number(f), whole = integer || (signs && wfi_field_is_whole(f));
    if (!c->seen) {
        *c = (wfi_first_column){.first = c->first,
                                .sample = *f,
                                .seen = true,
                                .integers = true,
                                .numbers = wfi_field_is_any_number(f),
                                .decimals = true,
                                .times = true,
                                .directions = true,
                                .wholes = true,
                                .words = true,
                                .spelt = true,
                                .formed = true};
    }
    if (signs) wfi_spelling_look(&c->spelling, f);
    c->wholes = c->wholes && whole;
    bool spelt = plain || wfi_field_is_any_number(f);
    c->words = c->words && !spelt;
    c->spelt = c->spelt && spelt;
    c->padded = c->padded || wfi_field_is_padded(f);
    c->fractions = c->fractions || (plain && !whole && has_one_of(f, ".eE"));
    c->integers = c->integers && integer;
    c->decimals = c->decimals && plain;
    c->times = c->times && wfi_field_is_time(f);
    c->directions = c->directions && is_direction(f);
    c->formed = c->formed && wfi_field_has_form(f);
    c->quoted = c->quoted || f->quoted;
}

int wfi_count_fields(wfi_record r) {
    wfi_field f;
    int count = 0;
    while (wfi_next_field(&r, &f) && count < 4096) count++;
    return count;
}

static void look_at_record(wfi_first_lines *g, wfi_record r) {
    wfi_field f;
    int count = 0;
    bool empty = true;
    for (; wfi_next_field(&r, &f); count++) {
        empty = !f.length && !f.quoted;
        if (count <= g->fields) look_at_value(&g->columns[count], &f);
        for (int i = 0; i < g->fields && !empty && !g->repeats; i++) g->repeats = same(&f, &g->columns[i].first);
    }
    g->last_empty = g->last_empty && empty;
    g->least = g->rows && g->least < count ? g->least : count;
    g->most = g->most > count ? g->most : count;
    g->rows++;
}

weft_status wfi_first_lines_look(weft_ctx *ctx, const wfi_edgelist_view *view, const wfi_edgelist_style *style,
                                 wfi_first_lines *g) {
    wfi_record r = wfi_edge_record_at(style, view->line, view->end);
    *g = (wfi_first_lines){.fields = wfi_count_fields(r), .last_empty = true};
    if (wfi_alloc_zeroed(ctx, &g->columns, (size_t)g->fields + 1)) return WEFT_ENOMEM;
    for (int i = 0; i < g->fields; i++) wfi_next_field(&r, &g->columns[i].first);
    const char *at = wfi_next_record(&r), *line;
    while ((line = wfi_next_data_line(&at, view->end, view->comments))) {
        r = wfi_edge_record_at(style, line, view->end);
        wfi_record whole = r;
        const char *next = wfi_next_record(&whole);
        if (view->cut_off && next >= view->end) break; /* the head may end within it */
        if (whole.open) break;                         /* an error at its place */
        if (!g->second) g->second = line;
        look_at_record(g, r);
        at = next;
    }
    return WEFT_OK;
}

wfi_column_kind wfi_first_column_kind(const wfi_first_column *c) {
    if (!c->seen) return WFI_COLUMN_EMPTY;
    if (c->directions) return WFI_COLUMN_DIRECTION;
    /* The first value decides: a later one that is no number is an error at its place, not another reading. */
    if (!c->numbers) return WFI_COLUMN_TEXT;
    return c->times ? WFI_COLUMN_TIMES : c->integers ? WFI_COLUMN_INTEGERS : WFI_COLUMN_NUMBERS;
}

/* The first record is data after all: its values count like the others. */
void wfi_first_lines_join(wfi_first_lines *g) {
    for (int i = 0; i < g->fields; i++) {
        wfi_first_column *c = &g->columns[i];
        bool number = wfi_field_is_any_number(&c->first);
        look_at_value(c, &c->first);
        if (!c->first.length || wfi_field_is_missing(&c->first)) continue;
        c->sample = c->first;
        c->numbers = number;
    }
}
