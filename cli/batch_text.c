/* See batch_text.h. */
#include "batch_fields.h"

#include <string.h>

/* --- words and quotes ---------------------------------------------------------------- */

/* "text" at *at, in which a doubled quote is one, into the room from `used` on; *at moves behind it. */
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

/* The field at *at, which then stands at the separator or the end. */
static batch_line_is csv_field(batch_reader *r, const char *line, size_t length, size_t *at, size_t *used,
                               batch_field *f, batch_mistake *wrong) {
    *f = (batch_field){line + *at, 0, *at, false};
    if (*at >= length || line[*at] != '"') {
        while (*at < length && line[*at] != r->separator) ++*at;
        f->length = *at - f->at;
        while (f->length && batch_is_blank(f->text[f->length - 1])) f->length--;
        while (f->length && batch_is_blank(*f->text)) f->text++, f->at++, f->length--;
        return BATCH_CHANGE;
    }
    batch_line_is is = read_quoted(r, line, length, at, used, f, wrong);
    if (is == BATCH_CHANGE && *at < length && line[*at] != r->separator)
        return batch_fail(wrong, *at, "expected %c or the end of the line", r->separator);
    return is;
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
        return batch_fail(wrong, length, "%zu fields, but the header has %zu columns", count + 1, r->columns);
    return batch_add(r, f, wrong);
}

/* --- lines ---------------------------------------------------------------------------------- */

/* By its first line that is neither blank nor a comment. */
static batch_line_is choose_form(batch_reader *r, const char *line, size_t length, batch_mistake *wrong) {
    size_t at = 0;
    batch_field first = next_word(line, length, &at);
    if (first.text[0] == '{') {
        r->form = BATCH_JSON;
    } else if (strchr("+-=", first.text[0])) {
        r->form = BATCH_PLAIN;
    } else {
        for (const char *s = ",;\t"; *s; s++)
            if (memchr(line, *s, length)) {
                r->form = BATCH_CSV;
                r->separator = *s;
                r->columns = 0;
                return BATCH_CHANGE;
            }
        return batch_fail(wrong, first.at,
                          "expected + u v, - u v, ..., a JSON object, or the header of a csv: op,source,target");
    }
    return BATCH_CHANGE;
}

batch_line_is batch_line(batch_reader *r, const char *line, size_t length, batch_mistake *wrong) {
    size_t at = 0;
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
