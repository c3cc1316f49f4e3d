/* From the fields of a line to a change of the batch, for all forms of batch_text.h. A form finds the fields and their
 * places; their meaning and the error messages are the same for all forms. */
#ifndef WEFT_CLI_BATCH_FIELDS_H
#define WEFT_CLI_BATCH_FIELDS_H

#include "dynamic/batch_text.h"

/* The text of a field, without quotes and escapes, and its place in the line; the byte after it is no part of a
 * number.  text NULL: there is none. */
typedef struct batch_field {
    const char *text;
    size_t length, at;
    bool quoted;
} batch_field;

batch_line_is batch_fail(batch_mistake *wrong, size_t at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The length of a field in messages. */
static inline int batch_shown(const batch_field *f) { return f->length < 40 ? (int)f->length : 40; }

static inline bool batch_is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
static inline void batch_skip_blanks(const char *line, size_t length, size_t *at) {
    while (*at < length && batch_is_blank(line[*at])) ++*at;
}

/* Makes r->word large enough for a line without quotes and escapes; false: out of memory. */
bool batch_word_room(batch_reader *r, size_t capacity);

batch_line_is batch_read_op(const batch_field *f, weft_change *op, batch_mistake *wrong);
/* BATCH_OP and so on for the name of a column or key, in any case of letters; -1: unknown. */
int batch_field_named(const batch_field *name);
/* Appends the change that the fields describe to the batch. */
batch_line_is batch_add(batch_reader *r, const batch_field f[BATCH_FIELDS], batch_mistake *wrong);

/* batch_json.c: a line of JSON lines. */
batch_line_is batch_read_json(batch_reader *r, const char *line, size_t length, batch_mistake *wrong);

#endif
