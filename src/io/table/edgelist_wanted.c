/* Further wanted fields of a record (edge_fields.h): taken by column, compared with the condition before the edge is
 * stored, and kept as cells.
 * Method: the usual record, without quotes and blanks, is cut at its separators in one pass, and the condition is
 * evaluated before an id is parsed.  Any other record is left to wfi_edge_record, which calls the functions below. */
#include "io/table/edgelist.h"

#include <string.h>

/* --- careful ------------------------------------------------------------------------------------------ */

weft_status wfi_edge_wanted_take(wfi_edge_cursor *c, int column, const wfi_field *f) {
    const wfi_edge_fields *fields = c->j->style.fields;
    wfi_edge_binder *b = &c->j->binders[c->block->thread];
    int i = column < fields->columns ? fields->field[column] : -1;
    if (i < 0 || (!f->length && !f->quoted) || wfi_field_is_null(f)) return WEFT_OK;
    b->place[i] = f->text;
    wfi_spelling spelling = {0};
    if (fields->asks && fields->asks[i] && wfi_spelling_look(&spelling, f) && spelling.dots)
        return wfi_block_error(
            c->error, c->block, f->text,
            "'%.*s', where other columns have decimal commas: with thousands, or with a decimal point? "
            " `decimal=comma` or `decimal=point`",
            (int)f->length, f->text);
    b->cell[i] = (wfi_cell_text){f->text, f->length};
    if (!f->quoted || !memchr(f->text, '"', f->length)) return WEFT_OK;
    if (WFI_ROOM(c->j->ctx, b->room[i].text, f->length, b->room[i].bytes, 64)) return WEFT_ENOMEM;
    b->cell[i] = (wfi_cell_text){b->room[i].text, wfi_unquote(f, b->room[i].text)}; /* doubled quotes become one */
    return WEFT_OK;
}

weft_status wfi_edge_wanted_decide(wfi_edge_cursor *c, bool *stays) {
    wfi_edge_binder *b = &c->j->binders[c->block->thread];
    char why[WFI_WHY];
    int meets = wfi_binder_meets(b);
    *stays = meets > 0;
    if (meets >= 0) return WEFT_OK;
    const wfi_field cell = {.text = b->cell[b->asked.column].text, .length = b->cell[b->asked.column].length};
    wfi_spelling spelling = {0};
    bool comma = !b->fields->decimal && wfi_spelling_look(&spelling, &cell) && !spelling.not_comma;
    return wfi_block_error(c->error, c->block, b->place[b->asked.column], "%s%s", wfi_binder_why(b, why),
                           comma && !strcmp(b->asked.kind, "a number") ? " (`decimal=comma` reads decimal commas)"
                                                                       : "");
}

/* --- fast --------------------------------------------------------------------------------------------- */

/* The cell of a column: that of its field, or one behind those of all fields. */
static inline wfi_cell_text *cell_of(const wfi_edge_binder *b, int column) {
    int field = b->fields->field[column];
    return &b->cell[field >= 0 ? (size_t)field : b->fields->count + (size_t)column];
}

/* The fields of a line, as many as the table has columns, to their cells; the newline, or NULL if it is not that
 * simple. */
static const char *cut(const wfi_edgelist_style *s, const char *p, const char *end, const wfi_edge_binder *b) {
    if ((s->comments || s->hash_rows) && (*p == '#' || *p == '%')) return NULL;
    if (*p == '\xef') return NULL; /* a byte-order mark? */
    for (int i = 0; i < s->columns; i++) {
        const char *start = p;
        if (*p == '"' || wfi_is_blank(*p) || !(p = wfi_field_end(p, end - 8, s->separator))) return NULL;
        if (p > start && p[-1] == ' ') return NULL;
        bool null = p == start + 2 && start[0] == '\\' && start[1] == 'N';
        *cell_of(b, i) = (wfi_cell_text){p > start && !null ? start : NULL, (size_t)(p - start)};
        bool last = i + 1 == s->columns;
        if (last && *p == '\r' && p[1] == '\n') p++;
        if (*p != (last ? '\n' : s->separator)) return NULL;
        p += !last;
    }
    return p;
}

static inline bool fast_id(const wfi_edgelist_job *j, const wfi_cell_text *f, uint64_t *id) {
    if (f->length > 16 || (*f->text == '0' && f->length > 1) || !wfi_short_digits(f->text, f->length, id)) return false;
    return *id < j->limit;
}

/* A letter first, so that it is no number, ruler or comment; and no byte that a message may be due for. */
static bool fast_name(const wfi_cell_text *f) {
    unsigned char first = f->length ? (unsigned char)(*f->text | 0x20) : 0;
    return ((first >= 'a' && first <= 'z') || first >= 0xc0) && !memchr(f->text, '\0', f->length);
}

static weft_status fast_ends(wfi_edgelist_job *j, int thread, const wfi_cell_text *u, const wfi_cell_text *v,
                             uint64_t ends[2], bool *simple) {
    *simple = false;
    if (!j->style.names) {
        *simple = fast_id(j, u, &ends[0]) && fast_id(j, v, &ends[1]);
        return WEFT_OK;
    }
    wfi_names *names = j->table->edges.names[thread];
    uint32_t number[2];
    if (j->style.doubts || !fast_name(u) || !fast_name(v)) return WEFT_OK;
    weft_status st = wfi_names_number(j->ctx, names, u->text, u->length, &number[0]);
    if (!st) st = wfi_names_number(j->ctx, names, v->text, v->length, &number[1]);
    if (st) return st;
    ends[0] = number[0];
    ends[1] = number[1];
    *simple = true;
    return WEFT_OK;
}

static bool fast_weight(const wfi_edgelist_style *s, const wfi_collector *c, const wfi_cell_text *f,
                        wfi_weight *weight) {
    const char *p = f->text;
    return f->length && s->decimal != ',' && !wfi_scan_weight(&p, wfi_collects_doubles(c), weight) &&
           p == f->text + f->length;
}

/* The header once more? */
static bool may_be_heading(const wfi_edgelist_style *s, const wfi_cell_text *u) {
    return *s->heading[0] && u->length == strlen(s->heading[0]);
}

weft_status wfi_edge_wanted_fast(wfi_edgelist_job *j, const wfi_text_block *block, const char *line,
                                 const char **next) {
    const wfi_edgelist_style *s = &j->style;
    wfi_edge_fields *fields = s->fields;
    wfi_edge_binder *b = &j->binders[block->thread];
    wfi_collector *c = &b->collector;
    wfi_weight weight = {0, 0, false};
    uint64_t ends[2];
    bool simple;
    *next = NULL;
    if (j->check_direction || fields->asks || s->separator == ' ' || s->runs || c->is_wide) return WEFT_OK;
    const char *end = cut(s, line, block->text + block->bytes, b);
    if (!end) return WEFT_OK;
    const wfi_cell_text *u = cell_of(b, s->source), *v = cell_of(b, s->target);
    if (!u->length || !v->length || (s->names && may_be_heading(s, u))) return WEFT_OK;
    int meets = wfi_binder_meets(b);
    if (meets < 0) return WEFT_OK;
    if (!meets) {
        *next = end + 1;
        return WEFT_OK;
    }
    if (s->weights && !fast_weight(s, c, cell_of(b, s->weight), &weight)) return WEFT_OK;
    weft_status st = fast_ends(j, block->thread, u, v, ends, &simple);
    if (st || !simple) return st;
    c->narrow[2 * c->count] = (uint32_t)ends[0];
    c->narrow[2 * c->count + 1] = (uint32_t)ends[1];
    c->count++;
    if (s->weights) wfi_collect_weight(c, weight);
    *next = end + 1;
    return wfi_binder_keep(j->ctx, b);
}
