/* See nodes_table.h: lines that begin with # or %, ids that are none, and the header of a second file. */
#include "io/table/nodes_table.h"

#include <string.h>

typedef wfi_nodes_table nodes;

bool wfi_nodes_known(const wfi_table *t, const wfi_field *f) {
    for (size_t k = 0; k < t->edges.name_tables; k++) {
        const wfi_names *names = t->edges.names[k];
        for (size_t i = 0; names && i < names->count; i++)
            if (names->start[i + 1] - names->start[i] == f->length &&
                !memcmp(names->text + names->start[i], f->text, f->length))
                return true;
    }
    return false;
}

/* --- ids ---- */

/* The id of the row is the word above it, and no vertex of the edges: the header of a file that was put behind. */
static bool is_header_again(const nodes *n, const wfi_field *f) {
    const wfi_field *title = &n->top[n->at];
    return n->header && !f->quoted && f->length == title->length && !memcmp(f->text, title->text, f->length) &&
           !wfi_nodes_known(n->edges, f);
}

weft_status wfi_nodes_check_id(const nodes *n, const char *line, const wfi_field *f) {
    if (wfi_is_mark(line)) return FAIL(n, line, WFI_MARK_IN_TEXT);
    if (wfi_field_is_missing(f))
        return FAIL(n, f->text,
                    "'%.*s' stands for a missing value, but an id was expected (a name that looks so stands in quotes)",
                    (int)f->length, f->text);
    if (is_header_again(n, f))
        return FAIL(n, f->text,
                    "the header again: are these several files, one after the other? (a vertex that is "
                    "called so stands in quotes)");
    return WEFT_OK;
}

/* --- numbers ---- */

void wfi_nodes_look_at(nodes *n, size_t field, const wfi_field *f) {
    struct wfi_nodes_look *look = n->looks ? &n->looks[field] : NULL;
    if (!look || look->text || (!f->length && !f->quoted)) return;
    look->seen = true;
    look->text = !wfi_field_is_any_number(f);
    if (!look->text) wfi_spelling_look(&look->spelling, f);
}

weft_status wfi_nodes_check_decimals(const nodes *n) {
    bool commas = false;
    for (size_t i = 0; n->looks && i < n->fields; i++) {
        const struct wfi_nodes_look *l = &n->looks[i];
        commas = commas || (l->seen && !l->text && l->spelling.not_point && !l->spelling.not_comma);
    }
    for (size_t i = 0; commas && i < n->fields; i++) {
        const struct wfi_nodes_look *l = &n->looks[i];
        if (!l->text && !l->spelling.not_point && !l->spelling.not_comma && l->spelling.dots)
            return FAIL(n, l->spelling.place,
                        "a number with a point, where other columns have decimal commas: with thousands, or with a "
                        "decimal point?  `decimal=comma` or `decimal=point`");
    }
    return WEFT_OK;
}

/* --- lines ---- */

uint64_t wfi_nodes_comments(const char *p, const char *line) {
    uint64_t count = 0;
    for (; p < line; p = (const char *)memchr(p, '\n', (size_t)(line - p)) + 1) count += *wfi_skip_blanks(p) != '\n';
    return count;
}

static int count_fields(const nodes *n, const char *line) {
    wfi_record r = wfi_record_at(line, memchr(line, '\n', (size_t)(n->end - line) + 1), n->separator);
    wfi_field f;
    int count = 0;
    for (; wfi_next_field(&r, &f); count++)
        if (f.open) return -1;
    return count;
}

/* The line begins with # or %: *passed if it is no row.  Below a header it is one if it can be, as in tables of edges;
 * a list has comments.  Where it could be either it is asked. */
static weft_status look_at_hash(nodes *n, const char *line, bool *passed) {
    enum { MOST_ASKED = 64 }; /* which the edges are searched for */
    const char *p = wfi_skip_blanks(line);
    bool spaced = wfi_is_blank(p[1]) || p[1] == '\n', fits = count_fields(n, p) == (int)n->columns, doubt;
    wfi_record r = wfi_record_at(p, n->end, n->separator);
    wfi_field f;
    if (n->header) {
        bool other = n->at > 0 ? !fits : !n->edges->names;
        *passed = other || (spaced && (!fits || n->columns == 1));
        doubt = !*passed && spaced && !n->at;
    } else {
        *passed = true;
        doubt = !spaced && fits && !n->at && n->edges->names && n->asked++ < MOST_ASKED && wfi_next_field(&r, &f) &&
                wfi_nodes_known(n->edges, &f);
    }
    if (!doubt) return WEFT_OK;
    return FAIL(n, p,
                "a line that begins with %c: a vertex, or a comment?  `comments=no` if such lines are rows, "
                "`comments=yes` if they are none",
                *p);
}

weft_status wfi_nodes_next(nodes *n, const char **at, const char **line) {
    bool passed = true;
    weft_status st = WEFT_OK;
    while (passed && !st) {
        *line = wfi_next_data_line(at, n->end, n->use == WEFT_COMMENTS_YES);
        const char *p = *line ? wfi_skip_blanks(*line) : "";
        passed = false;
        if ((*p == '#' || *p == '%') && n->use == WEFT_COMMENTS_AUTO) st = look_at_hash(n, *line, &passed);
    }
    return st;
}
