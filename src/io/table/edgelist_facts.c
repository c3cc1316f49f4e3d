/* See edgelist_facts.h.  Nothing is decided here, and nothing is said. */
#include "io/table/edgelist_facts.h"
#include "io/io.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_ROWS = 4096 };

/* --- columns -------------------------------------------------------------------------------------- */

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

static unsigned traits_of(const wfi_field *f) {
    bool integer = wfi_field_is_integer(f), number = integer || wfi_field_is_number(f);
    bool whole = integer || wfi_field_is_whole(f);
    return WFI_FACT_SEEN | (integer ? WFI_FACT_INTEGER : 0) | (whole ? WFI_FACT_WHOLE : 0) |
           (number ? WFI_FACT_NUMBER : 0) | (number || wfi_field_is_any_number(f) ? WFI_FACT_SPELT : 0) |
           (number && !whole && has_one_of(f, ".eE") ? WFI_FACT_FRACTION : 0) |
           (wfi_field_is_padded(f) ? WFI_FACT_PADDED : 0) | (wfi_field_is_time(f) ? WFI_FACT_TIME : 0) |
           (is_direction(f) ? WFI_FACT_DIRECTION : 0) | (wfi_field_has_form(f) ? WFI_FACT_FORMED : 0) |
           (f->quoted ? WFI_FACT_QUOTED : 0);
}

static void look_at_value(wfi_column_facts *c, const wfi_field *f) {
    if ((!f->length && !f->quoted) || wfi_field_is_missing(f)) return; /* an empty cell says nothing */
    unsigned traits = traits_of(f);
    if (!c->any) {
        c->sample = *f;
        c->all = traits;
        c->numbers = traits & WFI_FACT_SPELT;
    }
    if (!(traits & WFI_FACT_INTEGER) && has_one_of(f, ".,'")) wfi_spelling_look(&c->spelling, f);
    c->all &= traits;
    c->any |= traits;
}

int wfi_count_fields(wfi_record r) {
    wfi_field f;
    int count = 0;
    while (wfi_next_field(&r, &f) && count < 4096) count++;
    return count;
}

static void look_at_record(wfi_table_facts *t, wfi_record r) {
    wfi_field f;
    int count = 0;
    bool empty = true;
    for (; wfi_next_field(&r, &f); count++) {
        empty = !f.length && !f.quoted;
        if (count <= t->fields) look_at_value(&t->columns[count], &f);
        for (int i = 0; i < t->fields && !empty && !t->repeats; i++) t->repeats = same(&f, &t->columns[i].first);
    }
    t->last_empty = t->last_empty && empty;
    t->least = t->rows && t->least < count ? t->least : count;
    t->most = t->most > count ? t->most : count;
    t->rows++;
}

bool wfi_table_name(wfi_table_facts *t, wfi_record r) {
    bool words = true;
    wfi_field f;
    for (int i = 0; i < t->fields && wfi_next_field(&r, &f); i++) {
        t->named[i].name = f.quoted ? t->plain : f.text;
        t->named[i].name_length = f.quoted ? wfi_unquote(&f, t->plain) : f.length;
        if (f.quoted) t->plain += t->named[i].name_length;
        words = words && wfi_field_is_text(&f);
    }
    return words;
}

weft_status wfi_table_look(weft_ctx *ctx, const wfi_head *h, const wfi_edgelist_style *style, wfi_table_facts *t) {
    wfi_record whole = wfi_edge_record_at(style, h->line, h->end), r = whole;
    *t = (wfi_table_facts){.fields = wfi_count_fields(r), .last_empty = true};
    size_t count = (size_t)t->fields + 1, bytes = count * sizeof *t->named;
    if (wfi_alloc_zeroed(ctx, &t->columns, count)) return WEFT_ENOMEM;
    for (int i = 0; i < t->fields; i++) wfi_next_field(&r, &t->columns[i].first);
    const char *at = wfi_next_record(&r), *line;
    bytes += (size_t)(at - h->line) + (h->comment ? (size_t)(wfi_head_line_end(h->comment, h->end) - h->comment) : 0);
    t->named = wfi_take_zeroed(ctx, bytes, 1);
    if (!t->named) return WEFT_ENOMEM;
    t->plain = (char *)(t->named + count);
    wfi_table_name(t, whole);
    while ((line = wfi_next_data_line(&at, h->end, h->comments))) {
        whole = r = wfi_edge_record_at(style, line, h->end);
        at = wfi_next_record(&whole);
        if ((h->cut_off && at >= h->end) || whole.open) break; /* the head may end within it; an error at its place */
        if (!t->second) t->second = line;
        look_at_record(t, r);
    }
    return WEFT_OK;
}

wfi_column_kind wfi_column_kind_of(const wfi_column_facts *c) {
    if (!c->any) return WFI_COLUMN_EMPTY;
    if (wfi_all(c, WFI_FACT_DIRECTION)) return WFI_COLUMN_DIRECTION;
    /* The first value decides: a later one that is no number is an error at its place, not another reading. */
    if (!c->numbers) return WFI_COLUMN_TEXT;
    return wfi_all(c, WFI_FACT_TIME)      ? WFI_COLUMN_TIMES
           : wfi_all(c, WFI_FACT_INTEGER) ? WFI_COLUMN_INTEGERS
                                          : WFI_COLUMN_NUMBERS;
}

void wfi_table_join(wfi_table_facts *t) {
    for (wfi_column_facts *c = t->columns; c < t->columns + t->fields; c++) {
        look_at_value(c, &c->first);
        if (!c->first.length || wfi_field_is_missing(&c->first)) continue;
        c->sample = c->first;
        c->numbers = wfi_field_is_any_number(&c->first);
    }
}

bool wfi_brackets_span(const wfi_table_facts *t) {
    for (const char *kind = "()[]{}"; *kind; kind += 2) {
        bool pending = false;
        for (int i = 0; i < t->fields; i++) {
            const wfi_field *f = &t->columns[i].first;
            bool opens = !f->quoted && memchr(f->text, kind[0], f->length);
            bool closes = !f->quoted && memchr(f->text, kind[1], f->length);
            if (pending && closes && !opens) return true;
            pending = pending || (opens && !closes);
        }
    }
    return false;
}

/* --- lines ---------------------------------------------------------------------------------------- */

bool wfi_names_both_ends(wfi_record r) {
    wfi_column columns[64];
    wfi_field f;
    size_t count = 0;
    for (; wfi_next_field(&r, &f) && count < 64; count++)
        columns[count] = (wfi_column){.name = f.text, .name_length = f.length};
    return count >= 2 && wfi_names_ends(columns, count);
}

int wfi_filled_fields(wfi_record r) {
    wfi_field f;
    int count = 0;
    while (wfi_next_field(&r, &f)) count += f.length > 0;
    return count;
}

bool wfi_has_tabs_alone(const wfi_head *h) {
    size_t bytes = (size_t)(wfi_head_line_end(h->line, h->end) - h->line);
    return memchr(h->line, '\t', bytes) && !memchr(h->line, ' ', bytes);
}

bool wfi_has_empty_field(const wfi_head *h) {
    wfi_record r = wfi_record_at(h->line, h->end, '\t');
    wfi_field f;
    for (bool first = true; wfi_next_field(&r, &f); first = false)
        if (!first && r.more && !f.length && !f.quoted) return true;
    return false;
}

bool wfi_has_long_records(const wfi_head *h, char separator) {
    const char *at = h->line, *line;
    if (!memchr(h->line, '"', (size_t)(h->end - h->line))) return false;
    while ((line = wfi_next_data_line(&at, h->end, h->comments)) && at <= h->end) { /* the last may be cut off */
        wfi_record r = wfi_record_at(line, h->end, separator);
        wfi_next_record(&r);
        if (r.p > wfi_head_line_end(line, h->end)) return true;
    }
    return false;
}

bool wfi_has_decimals_between_blanks(const wfi_head *h) {
    const char *at = h->line, *line;
    bool any = false;
    for (int lines = 0; lines < 50 && (line = wfi_next_data_line(&at, h->end, h->comments)) && at <= h->end; lines++) {
        wfi_record r = wfi_record_at(line, h->end, ' ');
        wfi_field f;
        wfi_spelling s = {0};
        int words = 0, with_comma = 0, last = 0;
        for (; wfi_next_field(&r, &f); words++) {
            bool comma = memchr(f.text, ',', f.length);
            with_comma += comma;
            last = comma && !f.quoted && wfi_spelling_look(&s, &f) ? words : -1;
        }
        if (words < 3 || with_comma > 1 || (with_comma && last != words - 1)) return false;
        any = any || with_comma;
    }
    return any;
}

bool wfi_has_colons(const wfi_head *h, bool one_tells) {
    const char *at = h->line, *line;
    int rows = 0;
    for (; (line = wfi_next_whole_line(h, &at)); rows++) {
        wfi_record r = wfi_record_at(line, h->end, ' ');
        wfi_field f;
        for (int i = 0; wfi_next_field(&r, &f); i++) {
            bool colon = f.length && f.text[f.length - 1] == ':';
            if (i ? colon : !colon || f.quoted || f.length < 2) return false;
        }
        if (one_tells) return true;
    }
    return rows > 1;
}

static int compare_ids(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

weft_status wfi_look_for_threes(weft_ctx *ctx, const wfi_head *h, const wfi_edgelist_style *style, bool *yes) {
    const char *at = h->line, *line;
    int64_t(*row)[3] = NULL;
    size_t rows = 0;
    *yes = !h->cut_off;
    if (h->cut_off) return WEFT_OK;
    if (wfi_alloc(ctx, &row, MOST_ROWS)) return WEFT_ENOMEM;
    for (; *yes && (line = wfi_next_data_line(&at, h->end, h->comments)); rows++) {
        wfi_record r = wfi_edge_record_at(style, line, h->end);
        wfi_field f;
        int64_t id[3];
        int fields = 0;
        for (; fields < 3 && wfi_next_field(&r, &f); fields++) {
            const char *p = f.text;
            if (f.quoted || !wfi_field_is_integer(&f) || wfi_scan_i64(&p, &id[fields])) break;
        }
        *yes = fields == 3 && !wfi_next_field(&r, &f) && rows < MOST_ROWS && id[0] != id[1] && id[1] != id[2] &&
               id[0] != id[2];
        if (*yes) memcpy(row[rows], id, sizeof *row);
    }
    *yes = *yes && rows >= 3;
    if (*yes) qsort(row, rows, sizeof *row, compare_ids);
    for (size_t i = 0; *yes && i < rows; i++)
        *yes = (!i || row[i][0] != row[i - 1][0]) && bsearch(&row[i][2], row, rows, sizeof *row, compare_ids);
    wfi_free(row);
    return WEFT_OK;
}

/* --- forms that are known but not read ------------------------------------------------------------ */

/* A vertex and how many neighbours, then each of these with {...}. */
const char *wfi_find_multiline(const wfi_head *h) {
    const char *at = h->line, *line;
    wfi_field f[2];
    uint64_t left = 0;
    for (int lines = 0; lines < 64 && (line = wfi_next_data_line(&at, h->end, h->comments)); lines++) {
        wfi_record r = wfi_record_at(line, h->end, ' ');
        if (!wfi_next_field(&r, &f[0]) || !wfi_next_field(&r, &f[1])) return NULL;
        bool dict = *f[1].text == '{' && !f[1].quoted;
        if (lines && dict) return h->line;
        const char *p = f[1].text;
        if (dict != (left > 0) || wfi_scan_u64(&p, &left)) return NULL;
    }
    return NULL;
}

/* // and a blank. */
const char *wfi_find_slashes(const wfi_head *h) {
    const char *p = wfi_skip_blanks(h->line);
    return p[0] == '/' && p[1] == '/' && wfi_is_blank(p[2]) ? h->line : NULL;
}

/* (0, 1)  3, or the line that newer ones have above it. */
const char *wfi_find_scipy(const wfi_head *h) {
    const char *p = wfi_skip_blanks(h->line), *close = memchr(p, ')', (size_t)(h->end - p));
    size_t most = wfi_min_u64((uint64_t)(h->end - p), 200);
    if (*p == '<') return memmem(p, most, "stored elements", 15) ? h->line : NULL;
    int64_t row, column;
    if (*p++ != '(' || wfi_scan_i64(&p, &row) || *p++ != ',') return NULL;
    p = wfi_skip_blanks(p);
    if (wfi_scan_i64(&p, &column) || p != close) return NULL;
    return wfi_is_blank(p[1]) && *wfi_skip_blanks(p + 1) != '\n' ? h->line : NULL;
}

/* Is the word the first of a line of data from `line` to `stop`? */
static bool begins_a_line(const wfi_head *h, const char *line, const char *stop, const wfi_field *word) {
    for (const char *at = line; (line = wfi_next_data_line(&at, h->end, h->comments)) && line < stop;) {
        wfi_record r = wfi_record_at(line, h->end, ' ');
        wfi_field f;
        if (wfi_next_field(&r, &f) && f.length == word->length && !memcmp(f.text, word->text, f.length)) return true;
    }
    return false;
}

/* Vertices, a line #, edges between these. */
const char *wfi_find_tgf(const wfi_head *h) {
    const char *hash = NULL, *line;
    for (const char *p = h->line; p < h->end && !hash; p = wfi_head_line_end(p, h->end) + 1)
        if (*p == '#' && p > h->line && wfi_skip_blanks(p + 1) >= wfi_head_line_end(p, h->end)) hash = p;
    const char *at = hash;
    int edges = 0;
    for (; hash && edges < 32 && (line = wfi_next_data_line(&at, h->end, h->comments)); edges++) {
        wfi_record r = wfi_record_at(line, h->end, ' ');
        wfi_field f;
        for (int i = 0; i < 2; i++)
            if (!wfi_next_field(&r, &f) || !begins_a_line(h, h->line, hash, &f)) return NULL;
    }
    return edges ? hash : NULL;
}

/* "# ann", then a neighbour a line, with a weight or without.  A vertex that has such a line is a neighbour as well, or
 * the name of the file tells. */
const char *wfi_find_lgl(const wfi_head *h) {
    const char *at = h->text, *line;
    wfi_head all = *h;
    int sections = 0, rows = 0;
    bool known = wfi_name_has_extension(wfi_source_plain_name(h->source), "lgl"), named = known;
    all.comments = false;
    while (h->comments && (line = wfi_next_whole_line(&all, &at))) {
        const char *p = wfi_skip_blanks(line);
        bool section = *p == '#' && wfi_is_blank(p[1]), weight = false;
        wfi_record r = wfi_record_at(p + section, h->end, ' ');
        wfi_field f, word = {0};
        int words = 0;
        for (; wfi_next_field(&r, &f); words++) {
            if (!words) word = f;
            weight = words == 1 && wfi_field_is_number(&f);
        }
        if (section ? words != 1 : !sections || *word.text == '#' || *word.text == '%') return NULL;
        if (words != 1 && !(words == 2 && weight)) return NULL;
        sections += section;
        rows += !section;
        if (section && !known && sections < 64) known = begins_a_line(h, h->text, h->end, &word);
    }
    return rows && (named || (sections > 1 && known)) ? h->text : NULL;
}

/* Sparse matrices of MATLAB's tools: rows, columns and entries, then row, column and value of each from 0.  Another
 * extension says nothing. */
const char *wfi_find_smat(const wfi_head *h) {
    wfi_record r = wfi_record_at(h->line, h->end, ' ');
    wfi_field f;
    uint64_t size;
    if (!wfi_name_has_extension(wfi_source_plain_name(h->source), "smat")) return NULL;
    for (int i = 0; i < 3; i++) {
        const char *p;
        if (!wfi_next_field(&r, &f) || !wfi_field_is_integer(&f) || (p = f.text, wfi_scan_u64(&p, &size))) return NULL;
    }
    return wfi_next_field(&r, &f) ? NULL : h->line;
}

/* 2:0.5 */
static bool is_weighed(const wfi_field *f) {
    const char *colon = f->quoted ? NULL : memchr(f->text, ':', f->length);
    if (!colon) return false;
    wfi_field id = {.text = f->text, .length = (size_t)(colon - f->text)};
    wfi_field weight = {.text = colon + 1, .length = f->length - id.length - 1};
    return wfi_field_is_number(&id) && wfi_field_is_number(&weight);
}

/* 1 2:0.5 3:1.5 on all lines: a vertex, then neighbours with weights, or features of SVMlight. */
const char *wfi_find_weighed_rows(const wfi_head *h) {
    const char *at = h->line, *line;
    int rows = 0;
    for (; (line = wfi_next_whole_line(h, &at)); rows++) {
        wfi_record r = wfi_record_at(line, h->end, ' ');
        wfi_field f;
        int fields = 0;
        for (; wfi_next_field(&r, &f); fields++)
            if (fields ? !is_weighed(&f) : !wfi_field_is_integer(&f)) return NULL;
        if (fields < 2) return NULL;
    }
    return rows ? h->line : NULL;
}

/* [0,0,[[1,1],[3,3]]]: a vertex, its value, and neighbours with weights. */
const char *wfi_find_giraph(const wfi_head *h) {
    const char *p = h->line;
    size_t bytes = (size_t)(wfi_head_line_end(p, h->end) - p);
    bool opens = *p == '[' && (memmem(p, bytes, ",[[", 3) || memmem(p, bytes, ", [[", 4));
    return opens && memmem(p, bytes, "]]]", 3) ? p : NULL;
}

/* ann||bob||3 on all lines. */
const char *wfi_find_double_bars(const wfi_head *h) {
    const char *at = h->line, *line;
    int rows = 0;
    if (wfi_names_both_ends(wfi_record_at(h->line, h->end, '|'))) return NULL;
    for (; (line = wfi_next_whole_line(h, &at)); rows++) {
        int pairs = 0;
        for (const char *p = line; *p != '\n'; p++) {
            if (*p == '"') return NULL;
            if (*p != '|') continue;
            if (p == line || p[1] != '|' || p[2] == '|') return NULL;
            pairs++;
            p++;
        }
        if (!pairs) return NULL;
    }
    return rows ? h->line : NULL;
}

/* A no-break space on a first line that nothing else separates. */
const char *wfi_find_hard_space(const wfi_head *h) {
    const char *space = memmem(h->line, (size_t)(wfi_head_line_end(h->line, h->end) - h->line), "\u00a0", 2);
    if (!space) return NULL;
    char separator = wfi_find_separator(h->line, h->end, true, true);
    return wfi_filled_fields(wfi_record_at(h->line, h->end, separator)) == 1 ? space : NULL;
}

/* Other arrows than -> alone between two ids, which would pass for the name of a vertex. */
const char *wfi_find_arrow(const wfi_head *h) {
    static const char *const arrows[] = {"->", "--", "<-", "=>", "<->", "-->", "==>"};
    wfi_record r = wfi_record_at(wfi_skip_blanks(h->line), h->end, ' ');
    wfi_field f, arrow;
    if (!wfi_next_field(&r, &f) || !wfi_next_field(&r, &arrow) || arrow.quoted || !wfi_next_field(&r, &f)) return NULL;
    for (size_t i = 0; i < sizeof arrows / sizeof *arrows; i++)
        if (arrow.length == strlen(arrows[i]) && !memcmp(arrow.text, arrows[i], arrow.length)) return arrow.text;
    return NULL;
}
