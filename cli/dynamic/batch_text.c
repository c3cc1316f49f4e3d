/* See batch_text.h. */
#include "csv.h"
#include "dynamic/batch_fields.h"

#include <string.h>

/* --- fields --------------------------------------------------------------------------- */

static batch_field next_word(const char *line, size_t length, size_t *at) {
    batch_skip_blanks(line, length, at);
    batch_field f = {line + *at, 0, *at, false};
    while (*at < length && !batch_is_blank(line[*at])) ++*at;
    f.length = *at - f.at;
    if (!f.length) f.text = NULL;
    return f;
}

/* A line that is being cut into fields. */
typedef struct cutting {
    batch_reader *r;
    const char *line;
    wfi_record record;
    size_t used; /* of r->word */
    batch_mistake *wrong;
} cutting;

/* Text in quotes is written to r->word, followed by a NUL.  BATCH_END: the line has no more fields. */
static batch_line_is next_field(cutting *c, batch_field *f) {
    wfi_field raw;
    *f = (batch_field){.at = (size_t)(c->record.end - c->line)};
    if (!wfi_next_field(&c->record, &raw)) return BATCH_END;
    *f = (batch_field){raw.text, raw.length, (size_t)(raw.text - c->line) - raw.quoted, raw.quoted};
    if (raw.open) return batch_fail(c->wrong, f->at, "this text has no end; one of several lines is not read");
    if (raw.junk) {
        char separator = c->record.separator, name[] = {separator, 0};
        return batch_fail(c->wrong, (size_t)(raw.junk - c->line), "expected %s or the end of the line%s",
                          separator == ' '    ? "a blank"
                          : separator == '\t' ? "a tab"
                                              : name,
                          separator == ' ' ? " after the closing quote" : "");
    }
    if (!raw.quoted) return BATCH_CHANGE;
    f->text = c->r->word + c->used;
    f->length = wfi_unquote(&raw, c->r->word + c->used);
    c->used += f->length;
    c->r->word[c->used++] = 0;
    return BATCH_CHANGE;
}

/* --- the plain form ----------------------------------------------------------------- */

static batch_line_is read_plain(batch_reader *r, const char *line, size_t length, batch_mistake *wrong) {
    size_t at = 0;
    batch_field f[BATCH_FIELDS];
    if (!batch_word_room(r, length + 8)) return BATCH_NO_MEMORY;
    f[BATCH_OP] = next_word(line, length, &at);
    weft_change op;
    batch_line_is is = batch_read_op(&f[BATCH_OP], &op, wrong); /* checked before quotes, which other forms have, too */
    cutting c = {r, line, wfi_record_at(line + at, line + length, ' '), 0, wrong};
    for (int i = BATCH_OP + 1; i < BATCH_FIELDS && is <= BATCH_END; i++) is = next_field(&c, &f[i]);
    if (is > BATCH_END) return is;
    at = (size_t)(c.record.p - line);
    batch_field more = next_word(line, length, &at);
    if (more.length)
        return batch_fail(wrong, more.at,
                          "'%.*s' is one word too many; a name with blanks in it stands in double quotes",
                          batch_shown(&more), more.text);
    return batch_add(r, f, wrong);
}

/* --- csv -------------------------------------------------------------------------------- */

static batch_line_is csv_header(cutting *c) {
    batch_reader *r = c->r;
    batch_field name;
    batch_line_is is;
    for (int i = 0; i < BATCH_FIELDS; i++) r->column[i] = SIZE_MAX;
    for (r->columns = 0; (is = next_field(c, &name)) == BATCH_CHANGE; r->columns++) {
        int which = batch_field_named(&name);
        if (which < 0)
            return batch_fail(c->wrong, name.at, "the column '%.*s' is none of op, source, target and weight",
                              batch_shown(&name), name.text);
        if (r->column[which] != SIZE_MAX)
            return batch_fail(c->wrong, name.at, "%.*s is there twice", batch_shown(&name), name.text);
        r->column[which] = r->columns;
    }
    if (is != BATCH_END) return is;
    if (r->column[BATCH_OP] == SIZE_MAX || r->column[BATCH_SOURCE] == SIZE_MAX || r->column[BATCH_TARGET] == SIZE_MAX)
        return batch_fail(c->wrong, 0, "columns op, source and target are needed");
    return BATCH_NOTHING;
}

static batch_line_is read_csv(batch_reader *r, const char *line, size_t length, batch_mistake *wrong) {
    batch_field f[BATCH_FIELDS] = {{NULL, 0, 0, false}}, one;
    cutting c = {r, line, wfi_record_at(line, line + length, r->separator), 0, wrong};
    size_t count = 0;
    batch_line_is is;
    if (!batch_word_room(r, length + 8)) return BATCH_NO_MEMORY;
    if (!r->columns) return csv_header(&c);
    for (; (is = next_field(&c, &one)) == BATCH_CHANGE; count++)
        for (int i = 0; i < BATCH_FIELDS; i++)
            if (r->column[i] == count) f[i] = one;
    if (is != BATCH_END) return is;
    if (count != r->columns)
        return batch_fail(wrong, length, "%zu field%s, but the header has %zu columns", count, count == 1 ? "" : "s",
                          r->columns);
    return batch_add(r, f, wrong);
}

/* --- lines ---------------------------------------------------------------------------------- */

static bool begins_with(const char *line, size_t length, const char *bytes) {
    return length >= strlen(bytes) && !memcmp(line, bytes, strlen(bytes));
}

/* Refuses compressed files and UTF-16, which files of graphs may be: batches may come from a stream that never ends. */
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

/* Tells the form by the first line that is neither blank nor a comment.  A line that begins with the word `weight` may
 * be a change or a header, and never both: a change ends with a number. */
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
        cutting c = {r, line, wfi_record_at(line, line + length, *s), 0, &ignored};
        if (!plain || csv_header(&c) == BATCH_NOTHING) {
            r->columns = 0; /* read again for the error message */
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
        size_t mark = begins_with(line, length, "\xef\xbb\xbf") ? 3 : 0; /* columns are counted after it */
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
