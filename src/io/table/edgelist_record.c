/* Records of a table, or lines of a list: the wanted fields by column, and how a field becomes an id, a name or a
 * weight.  A record with more fields than the first line has is refused: an unquoted separator in a value would move
 * all columns after it.  Empty fields at the end do not count; a record of empty fields alone is passed over, as
 * spreadsheets leave it. */
#include "io/table/edgelist.h"
#include "io/text/words.h"

#include <string.h>
#include <strings.h>

/* --- fields --------------------------------------------------------------------------------- */

weft_status wfi_edge_unexpected(wfi_edge_cursor *c, const char *expected) {
    unsigned char byte = (unsigned char)*c->p;
    if (c->p >= c->block->text + c->block->bytes || byte == '\n' || byte == '\r')
        return wfi_block_error(c->error, c->block, c->p, "the line ends, but %s was expected", expected);
    if (byte < 0x20 || byte == 0x7f)
        return wfi_block_error(c->error, c->block, c->p, "byte 0x%02x%s, but %s was expected", byte,
                               byte ? "" : " (NUL)", expected);
    int length = 0;
    while (length < 20 && (unsigned char)c->p[length] > 0x20 && (unsigned char)c->p[length] < 0x7f) length++;
    if (!length) length = 1;
    return wfi_block_error(c->error, c->block, c->p, "'%.*s', but %s was expected", length, c->p, expected);
}

weft_status wfi_edge_quotes(wfi_edge_cursor *c, const wfi_field *f) {
    if (f->open) {
        c->j->open_quote = true;
        return wfi_block_error(c->error, c->block, f->text - 1, "the quote is not closed%s",
                               c->j->style.records ? "" : " on this line");
    }
    if (!f->junk) return WEFT_OK;
    c->p = f->junk;
    return wfi_edge_unexpected(c, "a separator after the closing quote");
}

static weft_status id_of(wfi_edge_cursor *c, const wfi_field *f, const char *expected, int64_t *id) {
    const char *end = f->text + f->length;
    c->p = f->text;
    if (!f->length) return wfi_edge_unexpected(c, expected);
    if (c->j->refuses_padded && wfi_field_is_padded(f)) {
        c->j->padded = true;
        return wfi_block_error(c->error, c->block, f->text,
                               "an id with a zero at the front, where the first have none (`ids=string` keeps it, "
                               "`ids=integer` reads the number)");
    }
    wfi_number st = wfi_scan_i64(&c->p, id);
    if (!st && c->j->style.wholes && c->p < end && wfi_field_is_whole(f)) c->p = end; /* 1.0 */
    if (st == WFI_NUMBER_TOO_BIG)
        return wfi_block_error(c->error, c->block, f->text,
                               "the id does not fit in 64 bits with sign (for ids of any length: `ids=string`)");
    if (st == WFI_NUMBER_NONE) return wfi_edge_unexpected(c, "a vertex id, a whole number (for names: `ids=string`)");
    if (c->p != end) return wfi_edge_unexpected(c, "the end of the id (for names: `ids=string`)");
    if (c->j->vertices && (*id < 0 || (uint64_t)*id >= c->j->vertices))
        return wfi_block_error(c->error, c->block, f->text, "id %lld: with `vertices=%llu`, ids are 0 to %llu",
                               (long long)*id, (wfi_ull)c->j->vertices, (wfi_ull)c->j->vertices - 1);
    return WEFT_OK;
}

static bool is_heading(const wfi_field *f, const char *heading) {
    return *heading && !f->quoted && f->length == strlen(heading) && !memcmp(f->text, heading, f->length);
}

/* ----, ====, as they are drawn under a header. */
static bool is_ruler(const wfi_field *f) {
    for (size_t i = 0; i < f->length; i++)
        if (f->text[i] != *f->text || !strchr("-=", f->text[i])) return false;
    return f->length >= 3 && !f->quoted;
}

/* Where ids seem to be numbers: a word for nothing, a line drawn under a header, or a number with more signs than
 * digits. */
static bool is_no_name(const wfi_field *f) {
    static const char *const nothing[] = {"na", "n/a", "nan", "null", "none", "nil", "missing", "inf"};
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++)
        if (f->length == strlen(nothing[i]) && !strncasecmp(f->text, nothing[i], f->length)) return true;
    for (size_t i = 0; i < f->length; i++)
        if (!strchr("-=_+|:*.?", f->text[i])) return wfi_field_is_spelt_number(f);
    return true;
}

static weft_status number_of(wfi_edge_cursor *c, const wfi_field *f, const char *expected, uint32_t *number) {
    weft_ctx *ctx = c->j->ctx;
    wfi_names *names = c->j->table->edges.names[c->block->thread];
    c->p = f->text;
    if (!f->length && !f->quoted) return wfi_edge_unexpected(c, expected);
    const char *nul = memchr(f->text, '\0', f->length);
    if (nul) {
        c->p = nul;
        return wfi_edge_unexpected(c, expected);
    }
    const wfi_edgelist_style *s = &c->j->style;
    if (wfi_field_is_missing(f))
        return wfi_block_error(c->error, c->block, f->text,
                               "'%.*s' stands for a missing value, but %s was expected (a name that looks so stands in "
                               "quotes)",
                               (int)f->length, f->text, expected);
    if (s->doubts && !f->quoted && (is_no_name(f) || is_heading(f, s->heading[0]) || is_heading(f, s->heading[1])))
        return wfi_edge_unexpected(c, "a vertex id, a whole number, as the first are (for names: `ids=string`)");
    const char *lone = f->quoted ? NULL : memchr(f->text, '\r', f->length);
    if (lone)
        return wfi_block_error(c->error, c->block, lone,
                               "a carriage return without a newline (if lines end so: tr '\\r' '\\n')");
    if (!f->quoted || !memchr(f->text, '"', f->length)) return wfi_names_number(ctx, names, f->text, f->length, number);
    char *plain = wfi_take(ctx, f->length, 1); /* doubled quotes become one */
    if (!plain) return WEFT_ENOMEM;
    weft_status st = wfi_names_number(ctx, names, plain, wfi_unquote(f, plain), number);
    wfi_free(plain);
    return st;
}

weft_status wfi_edge_vertex(wfi_edge_cursor *c, const wfi_field *f, const char *name, const char *id, int64_t *vertex) {
    uint32_t number = 0;
    if (!c->j->style.names) return id_of(c, f, id, vertex);
    weft_status st = number_of(c, f, name, &number);
    *vertex = number;
    return st;
}

/* A number that has to be spelt otherwise before the scanner knows it: in `text`, or NULL if it does not fit what the
 * first are. */
static const char *respelt(const wfi_edgelist_style *s, const wfi_field *f, char text[WFI_NUMBER_ROOM]) {
    char other[WFI_NUMBER_ROOM];
    if (!wfi_respell(f, s->decimal, text)) return NULL;
    char thousands = s->decimal == '.' ? ',' : '.';
    bool either = !s->decimal_known && memchr(f->text, thousands, f->length) && wfi_respell(f, thousands, other);
    return either && strcmp(text, other) ? NULL : text;
}

static bool has_other_signs(const wfi_field *f, char decimal) {
    return memchr(f->text, ',', f->length) || memchr(f->text, '\'', f->length) ||
           (decimal == ',' && memchr(f->text, '.', f->length));
}

static weft_status weight_of(wfi_edge_cursor *c, const wfi_field *f, wfi_collector *collector) {
    char text[WFI_NUMBER_ROOM];
    const wfi_edgelist_style *s = &c->j->style;
    wfi_weight weight;
    c->p = f->text;
    if (!f->length) return wfi_edge_unexpected(c, "a weight, as on the first line (to do without: `weights=ignore`)");
    const char *p = f->text, *end = p + f->length;
    if (has_other_signs(f, s->decimal)) {
        p = respelt(s, f, text);
        if (!p)
            return wfi_edge_unexpected(c, s->decimal == ','
                                              ? "a weight with a decimal comma, as the first (else `decimal=point`)"
                                              : "a weight with a decimal point, as the first (else `decimal=comma`)");
        end = p + strlen(p);
    }
    const char *start = p;
    wfi_number st = wfi_scan_weight(&p, wfi_collects_doubles(collector), &weight);
    if (st == WFI_NUMBER_NONE)
        return wfi_edge_unexpected(c, "a weight, as on the first line (to do without: `weights=ignore`)");
    if (st)
        return wfi_block_error(c->error, c->block, f->text, "the weight is %s (to do without: `weights=ignore`)",
                               wfi_weight_fault(st, wfi_collects_doubles(collector)));
    if (p != end) {
        c->p = f->text + (p - start);
        return wfi_edge_unexpected(c, "the end of the weight");
    }
    wfi_collect_weight(collector, weight);
    return WEFT_OK;
}

weft_status wfi_edge_of_fields(wfi_edge_cursor *c, const wfi_field *source, const wfi_field *target,
                               const wfi_field *weight) {
    wfi_edgelist_job *j = c->j;
    wfi_collector *collector = &j->binders[c->block->thread].collector;
    int64_t u, v;
    weft_status st = wfi_edge_vertex(c, source, "the name of a vertex", "a vertex id", &u);
    if (!st) st = wfi_edge_vertex(c, target, "the name of a second vertex", "a second vertex id", &v);
    if (!st) st = wfi_collect(j->ctx, collector, u, v);
    if (st || !j->style.weights) return st;
    wfi_field none = {.text = target->text + target->length};
    return weight_of(c, weight->text ? weight : &none, collector);
}

/* --- records ---------------------------------------------------------------------------------- */

static weft_status check_direction(wfi_edge_cursor *c, const wfi_field *f) {
    bool directed = f->length == 8 && !strncasecmp(f->text, "directed", 8);
    bool undirected = f->length == 10 && !strncasecmp(f->text, "undirected", 10);
    if (!directed && !undirected) {
        c->p = f->text;
        return wfi_edge_unexpected(
            c, "Directed or Undirected, as on the first line (`direction=directed` or `direction=undirected` decides)");
    }
    if (directed == c->j->style.directed) return WEFT_OK;
    return wfi_block_error(c->error, c->block, f->text,
                           "directed and undirected edges in one file: `direction=directed` or `direction=undirected` "
                           "makes them all the same");
}

/* After the closing quote of the field at p, or NULL when it is not that simple. */
static inline const char *fast_quoted(const char *p, const char *end) {
    do {
        p = memchr(p + 1, '"', (size_t)(end - p - 1));
        if (!p) return NULL;
        p++;
    } while (*p == '"');
    return p;
}

/* A record of whole numbers without surprises in the columns that are wanted: no blanks, signs or quotes there, and
 * just as many fields as the table has columns.  NULL = not that simple. */
static const char *fast_record(const wfi_edgelist_job *j, const char *p, const char *end, wfi_collector *c) {
    const wfi_edgelist_style *s = &j->style;
    char separator = s->separator;
    uint64_t u = 0, v = 0;
    wfi_weight weight = {0, 0, false};
    if (s->comments && (*p == '#' || *p == '%')) return NULL;
    for (int i = 0;; i++) {
        if (i == s->source || i == s->target) {
            const char *start = p;
            uint64_t x = 0;
            for (unsigned d; (d = (unsigned)(unsigned char)*p - '0') <= 9; p++) x = x * 10 + d;
            if ((size_t)(p - start) - 1 >= 18 || x >= j->limit || (*start == '0' && p > start + 1)) return NULL;
            *(i == s->source ? &u : &v) = x;
        } else if (i == s->weight) {
            const char *start = p;
            if (wfi_scan_weight(&p, wfi_collects_doubles(c), &weight)) return NULL;
            if (s->decimal == ',' && memchr(start, '.', (size_t)(p - start))) return NULL; /* thousands */
        } else if (*p == '"') {
            p = fast_quoted(p, end);
            if (!p) return NULL;
        } else {
            if (wfi_is_blank(*p) && *p != separator) return NULL; /* a quote may follow */
            while ((p = wfi_field_end(p, end - 8, separator)) && *p != separator && *p != '\n') p++;
            if (!p) return NULL;
        }
        if (*p == separator) {
            p++;
            continue;
        }
        if (*p == '\r') p++;
        if (*p != '\n' || i + 1 != s->columns) return NULL;
        break;
    }
    wfi_collect_vertices(c, u, v, s->weights, weight);
    return p + 1;
}

/* Tabs around nothing; NULL: there are none. */
static const char *empty_field(const char *line) {
    const char *p = line;
    if (*p == '\t') return p;
    for (; *p != '\n' && *p != '"'; p++)
        if (*p == '\t' && p[1] == '\t') return p + 1;
    return NULL;
}

static weft_status refuse_extra(wfi_edge_cursor *c, const char *extra) {
    const wfi_edgelist_style *s = &c->j->style;
    const char *why = s->table ? ": a separator inside a value belongs in quotes"
                      : s->names
                          ? ": a separator inside a value belongs in quotes (an adjacency list: `format=adjlist`)"
                          : " (an adjacency list: `format=adjlist`)";
    if (!s->table && s->columns == 2 && !s->names)
        why = " (weights are on every line, or on none: `weights=ignore`; an adjacency list: `format=adjlist`)";
    return wfi_block_error(c->error, c->block, extra, "more than the %d fields that the first line has%s", s->columns,
                           why);
}

/* Lines that are no records: *over, and *next is behind them. */
static weft_status before_fields(wfi_edge_cursor *c, const wfi_record *r, const char **next, bool *over) {
    const wfi_edgelist_style *s = &c->j->style;
    const char *line = c->p, *p = wfi_skip_blanks(line);
    bool hash = *p == '#' || *p == '%';
    if (wfi_is_mark(line)) return wfi_block_error(c->error, c->block, line, WFI_MARK_IN_TEXT);
    if (*p == '\x1a')
        return wfi_block_error(c->error, c->block, p,
                               "byte 0x1a (Ctrl-Z), the end of a text in DOS: tr -d '\\032' < FILE | weft info -");
    if (*p != '\n' && !(hash && (s->comments || s->hash_rows))) return WEFT_OK;
    *next = (const char *)memchr(p, '\n', (size_t)(r->end - p) + 1) + 1; /* a comment has no quotes */
    *over = *p == '\n' || s->comments;
    c->p = p;
    if (!*over) return wfi_edge_hash_row(c, over);
    return hash && s->asks ? wfi_edge_passed_over(c->j, c->block, p, r->end) : WEFT_OK;
}

weft_status wfi_edge_record(wfi_edgelist_job *j, const wfi_text_block *block, const char *line, const char **next,
                            wfi_parse_error *error) {
    const wfi_edgelist_style *s = &j->style;
    wfi_collector *collector = &j->binders[block->thread].collector;
    bool simple = !s->fields && !s->names && s->direction < 0 && s->separator != ' ' && !collector->is_wide;
    *next = simple ? fast_record(j, line, block->text + block->bytes, collector) : NULL;
    if (*next) return WEFT_OK;
    wfi_edge_cursor c = {j, block, error, line};
    wfi_record r = wfi_edge_record_at(s, line, block->text + block->bytes);
    bool over = false;
    weft_status st = before_fields(&c, &r, next, &over);
    if (st || over) return st;
    const char *gap = s->tabs ? empty_field(line) : NULL;
    if (gap) return wfi_block_error(error, block, gap, "an empty field, where the first line has one tab between two");
    wfi_field f, u = {0}, v = {0}, w = {0}, d = {0};
    const char *extra = NULL;
    bool empty = true, stays = true;
    if (s->fields) wfi_binder_clear(&j->binders[block->thread]);
    for (int i = 0; wfi_next_field(&r, &f); i++) {
        if (i >= 2 && *f.text == '#' && !f.quoted && !s->table && s->separator == ' ') { /* 1 2 # a comment */
            r.p = memchr(f.text, '\n', (size_t)(r.end - f.text) + 1);
            break;
        }
        if (f.open || f.junk) return wfi_edge_quotes(&c, &f);
        bool blank = !f.length && !f.quoted;
        empty = empty && blank;
        if (s->fields && (st = wfi_edge_wanted_take(&c, i, &f))) return st;
        if (i == s->source)
            u = f;
        else if (i == s->target)
            v = f;
        else if (i == s->weight)
            w = f;
        else if (i == s->direction)
            d = f;
        else if (i >= s->columns && !blank && !extra)
            extra = f.text;
    }
    *next = r.p + 1;
    if (empty) return WEFT_OK;
    if (extra && !s->loose) return refuse_extra(&c, extra);
    wfi_field none = {.text = r.p};
    if (u.text && v.text && is_ruler(&u) && is_ruler(&v))
        return wfi_block_error(error, block, u.text, "a ruler, and no edge (names that look so stand in quotes)");
    if (u.text && v.text && is_heading(&u, s->heading[0]) && is_heading(&v, s->heading[1]))
        return wfi_block_error(error, block, u.text, "the header again: are these several files, one after the other?");
    st = s->fields ? wfi_edge_wanted_decide(&c, &stays) : WEFT_OK;
    if (!st && stays) st = wfi_edge_of_fields(&c, u.text ? &u : &none, v.text ? &v : &none, &w);
    if (!st && stays && s->fields) st = wfi_binder_keep(j->ctx, &j->binders[block->thread]);
    if (!st && j->check_direction) st = check_direction(&c, d.text ? &d : &none);
    return st;
}
