/* See batch_text.h. */
#include "dynamic/batch_fields.h"

#include <string.h>

/* --- words and quotes ---------------------------------------------------------------- */

/* "text" at s->at, in which a doubled quote is one; s->at moves behind it. */
static batch_line_is read_quoted(batch_scan *s, batch_field *f) {
    char *word = s->r->word;
    *f = (batch_field){word + s->used, 0, s->at, true};
    for (s->at++;; s->at++) {
        if (batch_at_end(s))
            return batch_fail(s->wrong, f->at, "this text has no end; one of several lines is not read");
        if (s->line[s->at] == '"' && (s->at + 1 >= s->length || s->line[s->at + 1] != '"')) break;
        if (s->line[s->at] == '"') s->at++;
        word[s->used++] = s->line[s->at];
    }
    f->length = (size_t)(word + s->used - f->text);
    word[s->used++] = 0;
    s->at++;
    return BATCH_CHANGE;
}

/* --- the plain form ----------------------------------------------------------------- */

static batch_field next_word(batch_scan *s) {
    batch_skip_blanks(s);
    batch_field f = {s->line + s->at, 0, s->at, false};
    while (!batch_at_end(s) && !batch_is_blank(s->line[s->at])) s->at++;
    f.length = s->at - f.at;
    if (!f.length) f.text = NULL;
    return f;
}

/* A word, or text in quotes, which blanks or the end of the line must follow. */
static batch_line_is next_field(batch_scan *s, batch_field *f) {
    batch_skip_blanks(s);
    if (batch_at_end(s) || s->line[s->at] != '"') {
        *f = next_word(s);
        return BATCH_CHANGE;
    }
    batch_line_is is = read_quoted(s, f);
    if (is == BATCH_CHANGE && !batch_at_end(s) && !batch_is_blank(s->line[s->at]))
        return batch_fail(s->wrong, s->at, "expected a blank or the end of the line after the closing quote");
    return is;
}

static batch_line_is read_plain(batch_scan *s) {
    batch_field f[BATCH_FIELDS];
    f[BATCH_OP] = next_word(s);
    weft_change op;
    batch_line_is is = batch_read_op(&f[BATCH_OP], &op, s->wrong); /* before quotes: other forms have some, too */
    for (int i = BATCH_OP + 1; i < BATCH_FIELDS && is == BATCH_CHANGE; i++) is = next_field(s, &f[i]);
    if (is != BATCH_CHANGE) return is;
    batch_field more = next_word(s);
    if (more.length)
        return batch_fail(s->wrong, more.at,
                          "'%.*s' is one word too many; a name with blanks in it stands in double quotes",
                          batch_shown(&more), more.text);
    return batch_add(s->r, f, s->wrong);
}

/* --- csv -------------------------------------------------------------------------------- */

/* A tab that separates is no blank. */
static void skip_csv_blanks(batch_scan *s) {
    while (!batch_at_end(s) && s->line[s->at] != s->r->separator && batch_is_blank(s->line[s->at])) s->at++;
}

static batch_line_is csv_quoted(batch_scan *s, batch_field *f) {
    char separator = s->r->separator;
    batch_line_is is = read_quoted(s, f);
    if (is != BATCH_CHANGE) return is;
    skip_csv_blanks(s);
    if (batch_at_end(s) || s->line[s->at] == separator) return is;
    if (separator == '\t') return batch_fail(s->wrong, s->at, "expected a tab or the end of the line");
    return batch_fail(s->wrong, s->at, "expected %c or the end of the line", separator);
}

/* The field at s->at, which then stands at the separator or the end.  Blanks around it, with quotes or without, do not
 * count. */
static batch_line_is csv_field(batch_scan *s, batch_field *f) {
    skip_csv_blanks(s);
    if (!batch_at_end(s) && s->line[s->at] == '"') return csv_quoted(s, f);
    *f = (batch_field){s->line + s->at, 0, s->at, false};
    while (!batch_at_end(s) && s->line[s->at] != s->r->separator) s->at++;
    f->length = s->at - f->at;
    while (f->length && batch_is_blank(f->text[f->length - 1])) f->length--;
    return BATCH_CHANGE;
}

static batch_line_is csv_header(batch_scan *s) {
    batch_reader *r = s->r;
    for (int i = 0; i < BATCH_FIELDS; i++) r->column[i] = SIZE_MAX;
    for (r->columns = 0;; r->columns++, s->at++) {
        batch_field name;
        batch_line_is is = csv_field(s, &name);
        if (is != BATCH_CHANGE) return is;
        int which = batch_field_named(&name);
        if (which < 0)
            return batch_fail(s->wrong, name.at, "the column '%.*s' is none of op, source, target and weight",
                              batch_shown(&name), name.text);
        if (r->column[which] != SIZE_MAX)
            return batch_fail(s->wrong, name.at, "%.*s is there twice", batch_shown(&name), name.text);
        r->column[which] = r->columns;
        if (batch_at_end(s)) break;
    }
    r->columns++;
    if (r->column[BATCH_OP] == SIZE_MAX || r->column[BATCH_SOURCE] == SIZE_MAX || r->column[BATCH_TARGET] == SIZE_MAX)
        return batch_fail(s->wrong, 0, "columns op, source and target are needed");
    return BATCH_NOTHING;
}

static batch_line_is read_csv(batch_scan *s) {
    batch_reader *r = s->r;
    batch_field f[BATCH_FIELDS] = {{NULL, 0, 0, false}}, one;
    size_t count = 0;
    if (!r->columns) return csv_header(s);
    for (;; count++, s->at++) {
        batch_line_is is = csv_field(s, &one);
        if (is != BATCH_CHANGE) return is;
        for (int i = 0; i < BATCH_FIELDS; i++)
            if (r->column[i] == count) f[i] = one;
        if (batch_at_end(s)) break;
    }
    if (count + 1 != r->columns)
        return batch_fail(s->wrong, s->length, "%zu field%s, but the header has %zu columns", count + 1,
                          count ? "s" : "", r->columns);
    return batch_add(r, f, s->wrong);
}

/* --- lines ---------------------------------------------------------------------------------- */

static bool begins_with(const char *line, size_t length, const char *bytes) {
    return length >= strlen(bytes) && !memcmp(line, bytes, strlen(bytes));
}

/* Files of graphs may be these: files of batches, which may be streams that never end, may not. */
static batch_line_is check_start(const char *line, size_t length, batch_mistake *wrong) {
    static const struct {
        const char *bytes, *what;
    } others[] = {{"\x1f\x8b", "this is packed (gzip): batches are plain text (zcat unpacks it)"},
                  {"\x28\xb5\x2f\xfd", "this is packed (zstd): batches are plain text (zstdcat unpacks it)"},
                  {"\xff\xfe", "this is UTF-16: batches are UTF-8 (iconv -f UTF-16 -t UTF-8 converts)"},
                  {"\xfe\xff", "this is UTF-16: batches are UTF-8 (iconv -f UTF-16 -t UTF-8 converts)"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (begins_with(line, length, others[i].bytes)) return batch_fail(wrong, 0, "%s", others[i].what);
    return BATCH_CHANGE;
}

/* By its first line that is neither blank nor a comment.  A line that begins with the word `weight` may be a change or
 * a header, and never both: a change ends with a number. */
static batch_line_is choose_form(batch_scan *s) {
    weft_change op;
    batch_mistake ignored;
    batch_field first = next_word(s);
    bool plain = strchr("+-=", first.text[0]) || batch_read_op(&first, &op, &ignored) == BATCH_CHANGE;
    batch_reader *r = s->r;
    if (first.text[0] == '{') {
        r->form = BATCH_JSON;
        return BATCH_CHANGE;
    }
    for (const char *c = ",;|\t"; *c; c++) {
        if (!memchr(s->line, *c, s->length)) continue;
        r->form = BATCH_CSV;
        r->separator = *c;
        r->columns = 0;
        batch_scan header = {r, s->line, s->length, 0, 0, &ignored};
        if (!plain || csv_header(&header) == BATCH_NOTHING) {
            r->columns = 0; /* it is read again, for what is wrong with it */
            return BATCH_CHANGE;
        }
    }
    if (!plain)
        return batch_fail(s->wrong, first.at,
                          "expected + u v, - u v, ..., a JSON object, or the header of a csv: op,source,target");
    r->form = BATCH_PLAIN;
    return BATCH_CHANGE;
}

batch_line_is batch_line(batch_reader *r, const char *line, size_t length, batch_mistake *wrong) {
    if (!r->begun) {
        r->begun = true;
        if (check_start(line, length, wrong) == BATCH_WRONG) return BATCH_WRONG;
        size_t mark = begins_with(line, length, "\xef\xbb\xbf") ? 3 : 0; /* columns count from behind it */
        line += mark;
        length -= mark;
    }
    batch_scan s = {r, line, length, 0, 0, wrong};
    batch_skip_blanks(&s);
    if (batch_at_end(&s)) return BATCH_END;
    if (line[s.at] == '#' && r->form <= BATCH_PLAIN) return BATCH_NOTHING;
    if (!batch_word_room(r, length + 8)) return BATCH_NO_MEMORY;
    if (r->form == BATCH_UNKNOWN) {
        batch_line_is is = choose_form(&s);
        if (is != BATCH_CHANGE) return is;
    }
    if (r->count >= (uint64_t)1 << 30)
        return batch_fail(wrong, 0, "a batch has at most 2^30 changes: end it with a blank line");
    s.at = 0;
    return r->form == BATCH_JSON ? batch_read_json(&s) : r->form == BATCH_CSV ? read_csv(&s) : read_plain(&s);
}
