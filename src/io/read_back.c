/* Column types that a table does not store (attributes.h): a reader finds types by content, so that reals without a
 * fraction are read back as integers, texts that all look like numbers as numbers, and numbers that are not finite as
 * texts.  Warns of each column that would be read back with another type.
 * Method: the cells are tested against one type after the other, as by the reader (cell_values.h); most columns are
 * decided by their first cell. */
#include "io/attributes.h"
#include "io/text/cell_values.h"

#include <stdio.h>
#include <string.h>

enum { SHOWN = 40, LISTED = 12 };

static const char *const type_words[] = {[WEFT_ATTRIBUTE_WHOLE] = "whole numbers",
                                         [WEFT_ATTRIBUTE_REAL] = "numbers",
                                         [WEFT_ATTRIBUTE_BOOL] = "truth values",
                                         [WEFT_ATTRIBUTE_TEXT] = "texts",
                                         [WEFT_ATTRIBUTE_TIME] = "times"};

/* The column being tested. */
typedef struct looked {
    weft_ctx *ctx;
    const wfi_vertex_data *c;
    size_t i;
    bool empty; /* some text is empty */
} looked;

static bool fits_all(looked *l, weft_attribute_type type) {
    const wfi_cell_reading how = {.exact = true};
    int form = WFI_NO_FORM;
    for (uint64_t row = 0; row < wfi_column_rows(l->c, l->i); row++) {
        char room[WFI_VALUE_ROOM];
        size_t length;
        wfi_cell_value value;
        if (row % (1 << 16) == 0 && wfi_cancelled(l->ctx)) return false;
        const char *text = wfi_attribute_value(l->c, l->i, row, room, &length);
        l->empty |= text && !length;
        if (text && length && !wfi_cell_fits(text, length, type, how, &form, &value)) return false;
    }
    return true;
}

/* The type by content; with strings_apart numbers and truth values keep their types, and strings may be times. */
static weft_attribute_type read_as(looked *l, bool strings_apart) {
    weft_attribute_type steps[WFI_CELL_TYPES], own = (weft_attribute_type)l->c->entries[l->i].type;
    size_t count = wfi_cell_ladder(1u << WFI_CELL_BY_CONTENT, steps);
    bool open = own == WEFT_ATTRIBUTE_TEXT || (own == WEFT_ATTRIBUTE_REAL && !strings_apart);
    if (l->c->entries[l->i].missing == wfi_column_rows(l->c, l->i)) return WEFT_ATTRIBUTE_TEXT;
    for (size_t k = 0; open && k < count; k++)
        if ((!strings_apart || steps[k] >= WEFT_ATTRIBUTE_TEXT) && fits_all(l, steps[k])) return steps[k];
    return own;
}

void wfi_warn_by_content(weft_ctx *ctx, const weft_graph *g, const char *format, bool of_edges, bool strings_apart) {
    char list[LISTED * (SHOWN + 40) + 8] = "";
    size_t first = of_edges ? weft_graph_attributes(g) : 0, listed = 0, used = 0;
    size_t count = of_edges ? wfi_edge_column_count(g) : weft_graph_attributes(g);
    for (size_t i = first; i < first + count; i++) {
        looked l = {.ctx = ctx, .c = g->attributes, .i = i};
        weft_attribute_type own = (weft_attribute_type)l.c->entries[i].type, back = read_as(&l, strings_apart);
        bool lost = l.empty && !of_edges && back == WEFT_ATTRIBUTE_TEXT; /* an empty field is a missing value */
        if ((back == own && !lost) || listed++ >= LISTED) continue;
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%.*s (%s)", used ? ", " : "", SHOWN, l.c->names[i],
                                 lost && back == own ? "empty texts as missing" : type_words[back]);
    }
    if (listed)
        wfi_warn(ctx, "%s does not say of what type columns are: read back as another: %s%s", format, list,
                 listed > LISTED ? ", ..." : "");
}
