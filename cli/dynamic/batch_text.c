/* See batch_text.h. */
#include "dynamic/batch_fields.h"

#include <string.h>

/* --- words and quotes ---------------------------------------------------------------- */

/* "text" at *at, in which a doubled quote is one, into the room from `used` on, with a zero behind it; *at moves behind
 * it. */
static batch_line_is read_quoted(batch_reader *r, const char *line, size_t length, size_t *at, size_t *used,
                                 batch_field *f, batch_mistake *wrong) {
    *f = (batch_field){r->word + *used, 0, *at, true};
    for (++*at;; ++*at) {
        if (*at >= length) return batch_fail(wrong, f->at, "this text has no end; one of several lines is not read");
        if (line[*at] == '"' && (*at + 1 >= length || line[*at + 1] != '"')) break;
        if (line[*at] == '"') ++*at;
        r->word[(*used)++] = line[*at];
    }
    f->length = (size_t)(r->word + *used - f->text);
    r->word[(*used)++] = 0;
    ++*at;
    return BATCH_CHANGE;
}

/* --- the plain form ----------------------------------------------------------------- */

static batch_field next_word(const char *line, size_t length, size_t *at) {
    batch_skip_blanks(line, length, at);
    batch_field f = {line + *at, 0, *at, false};
    while (*at < length && !batch_is_blank(line[*at])) ++*at;
    f.length = *at - f.at;
    if (!f.length) f.text = NULL;
    return f;
}

/* A word, or text in quotes, which blanks or the end of the line must follow. */
static batch_line_is next_field(batch_reader *r, const char *line, size_t length, size_t *at, size_t *used,
                                batch_field *f, batch_mistake *wrong) {
    batch_skip_blanks(line, length, at);
    if (*at >= length || line[*at] != '"') {
        *f = next_word(line, length, at);
        return BATCH_CHANGE;
    }
    batch_line_is is = read_quoted(r, line, length, at, used, f, wrong);
    if (is == BATCH_CHANGE && *at < length && !batch_is_blank(line[*at]))
        return batch_fail(wrong, *at, "expected a blank or the end of the line after the closing quote");
    return is;
}

static batch_line_is read_plain(batch_reader *r, const char *line, size_t length, batch_mistake *wrong) {
    size_t at = 0, used = 0;
    batch_field f[BATCH_FIELDS];
    if (!batch_word_room(r, length + 8)) return BATCH_NO_MEMORY;
    f[BATCH_OP] = next_word(line, length, &at);
    weft_change op;
    batch_line_is is = batch_read_op(&f[BATCH_OP], &op, wrong); /* before quotes: other forms have some, too */
    for (int i = BATCH_OP + 1; i < BATCH_FIELDS && is == BATCH_CHANGE; i++)
        is = next_field(r, line, length, &at, &used, &f[i], wrong);
    if (is != BATCH_CHANGE) return is;
    batch_field more = next_word(line, length, &at);
    if (more.length)
        return batch_fail(wrong, more.at,
                          "'%.*s' is one word too many; a name with blanks in it stands in double quotes",
                          batch_shown(&more), more.text);
    return batch_add(r, f, wrong);
}

/* --- csv -------------------------------------------------------------------------------- */

/* A tab that separates is no blank. */
static void skip_csv_blanks(const batch_reader *r, const char *line, size_t length, size_t *at) {
    while (*at < length && line[*at] != r->separator && batch_is_blank(line[*at])) ++*at;
}

static batch_line_is csv_quoted(batch_reader *r, const char *line, size_t length, size_t *at, size_t *used,
                                batch_field *f, batch_mistake *wrong) {
    batch_line_is is = read_quoted(r, line, length, at, used, f, wrong);
    if (is != BATCH_CHANGE) return is;
    skip_csv_blanks(r, line, length, at);
    if (*at == length || line[*at] == r->separator) return is;
    if (r->separator == '\t') return batch_fail(wrong, *at, "expected a tab or the end of the line");
    return batch_fail(wrong, *at, "expected %c or the end of the line", r->separator);
}

/* The field at *at, which then stands at the separator or the end.  Blanks around it, with quotes or without, do not
 * count. */
static batch_line_is csv_field(batch_reader *r, const char *line, size_t length, size_t *at, size_t *used,
                               batch_field *f, batch_mistake *wrong) {
    skip_csv_blanks(r, line, length, at);
    if (*at < length && line[*at] == '"') return csv_quoted(r, line, length, at, used, f, wrong);
    *f = (batch_field){line + *at, 0, *at, false};
    while (*at < length && line[*at] != r->separator) ++*at;
    f->length = *at - f->at;
    while (f->length && batch_is_blank(f->text[f->length - 1])) f->length--;
    return BATCH_CHANGE;
}

static batch_line_is csv_header(batch_reader *r, const char *line, size_t length, batch_mistake *wrong) {
    size_t at = 0, used = 0;
    for (int i = 0; i < BATCH_FIELDS; i++) r->column[i] = SIZE_MAX;
    for (r->columns = 0;; r->columns++, at++) {
        batch_field name;
        batch_line_is is = csv_field(r, line, length, &at, &used, &name, wrong);
        if (is != BATCH_CHANGE) return is;
        int which = batch_field_named(&name);
        if (which < 0)
            return batch_fail(wrong, name.at, "the column '%.*s' is none of op, source, target and weight",
                              batch_shown(&name), name.text);
        if (r->column[which] != SIZE_MAX)
            return batch_fail(wrong, name.at, "%.*s is there twice", batch_shown(&name), name.text);
        r->column[which] = r->columns;
        if (at >= length) break;
    }
    r->columns++;
    if (r->column[BATCH_OP] == SIZE_MAX || r->column[BATCH_SOURCE] == SIZE_MAX || r->column[BATCH_TARGET] == SIZE_MAX)
        return batch_fail(wrong, 0, "columns op, source and target are needed");
    return BATCH_NOTHING;
}

static batch_line_is read_csv(batch_reader *r, const char *line, size_t length, batch_mistake *wrong) {
    batch_field f[BATCH_FIELDS] = {{NULL, 0, 0, false}}, one;
    size_t at = 0, used = 0, count = 0;
    if (!batch_word_room(r, length + 8)) return BATCH_NO_MEMORY;
    if (!r->columns) return csv_header(r, line, length, wrong);
    for (;; count++, at++) {
        batch_line_is is = csv_field(r, line, length, &at, &used, &one, wrong);
        if (is != BATCH_CHANGE) return is;
        for (int i = 0; i < BATCH_FIELDS; i++)
            if (r->column[i] == count) f[i] = one;
        if (at >= length) break;
    }
    if (count + 1 != r->columns)
        return batch_fail(wrong, length, "%zu field%s, but the header has %zu columns", count + 1, count ? "s" : "",
                          r->columns);
    return batch_add(r, f, wrong);
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
static batch_line_is choose_form(batch_reader *r, const char *line, size_t length, batch_mistake *wrong) {
    size_t at = 0;
    weft_change op;
    batch_mistake ignored;
    batch_field first = next_word(line, length, &at);
    bool plain = strchr("+-=", first.text[0]) || batch_read_op(&first, &op, &ignored) == BATCH_CHANGE;
    if (!batch_word_room(r, length + 8)) return BATCH_NO_MEMORY;
    if (first.text[0] == '{') {
        r->form = BATCH_JSON;
        return BATCH_CHANGE;
    }
    for (const char *s = ",;|\t"; *s; s++) {
        if (!memchr(line, *s, length)) continue;
        r->form = BATCH_CSV;
        r->separator = *s;
        r->columns = 0;
        if (!plain || csv_header(r, line, length, &ignored) == BATCH_NOTHING) {
            r->columns = 0; /* it is read again, for what is wrong with it */
            return BATCH_CHANGE;
        }
    }
    if (!plain)
        return batch_fail(wrong, first.at,
                          "expected + u v, - u v, ..., a JSON object, or the header of a csv: op,source,target");
    r->form = BATCH_PLAIN;
    return BATCH_CHANGE;
}

batch_line_is batch_line(batch_reader *r, const char *line, size_t length, batch_mistake *wrong) {
    size_t at = 0;
    if (!r->begun) {
        r->begun = true;
        if (check_start(line, length, wrong) == BATCH_WRONG) return BATCH_WRONG;
        size_t mark = begins_with(line, length, "\xef\xbb\xbf") ? 3 : 0; /* columns count from behind it */
        line += mark;
        length -= mark;
    }
    batch_skip_blanks(line, length, &at);
    if (at == length) return BATCH_END;
    if (line[at] == '#' && r->form <= BATCH_PLAIN) return BATCH_NOTHING;
    if (r->form == BATCH_UNKNOWN) {
        batch_line_is is = choose_form(r, line, length, wrong);
        if (is != BATCH_CHANGE) return is;
    }
    if (r->count >= (uint64_t)1 << 30)
        return batch_fail(wrong, 0, "a batch has at most 2^30 changes: end it with a blank line");
    if (r->form == BATCH_JSON) return batch_read_json(r, line, length, wrong);
    return r->form == BATCH_CSV ? read_csv(r, line, length, wrong) : read_plain(r, line, length, wrong);
}
