/* Comma-separated values (RFC 4180) and tables with other separators: splits a line into fields.
 *
 * A record ends at a newline outside quotes. With a separator other than ' ' a field may be empty and blanks around
 * it are ignored; with ' ' any run of blanks separates. A field in double quotes may contain separators, newlines and
 * doubled quotes. Needs: a '\n' at `end`, readable but not part of the text (blocks of a file and copies of its head
 * provide it). */
#ifndef WFI_CSV_H
#define WFI_CSV_H

#include <stdbool.h>
#include <stddef.h>

typedef struct wfi_field {
    const char *text; /* without the enclosing quotes; doubled quotes are still doubled */
    size_t length;
    bool quoted;
    bool open;        /* quoted, and the text ended before the closing quote */
    const char *junk; /* bytes between the closing quote and the separator, or NULL */
} wfi_field;

/* Position within a record. */
typedef struct wfi_record {
    const char *p, *end;
    char separator;
    bool more; /* a field follows, perhaps an empty one (separators other than ' ') */
    bool open; /* a skipped quoted field had no closing quote */
    bool runs; /* a run of separators counts as one separator */
} wfi_record;

static inline wfi_record wfi_record_at(const char *p, const char *end, char separator) {
    return (wfi_record){.p = p, .end = end, .separator = separator, .more = true, .runs = separator == ' '};
}

/* Takes the next field; false at the end of the record, with p at its newline (or at `end`). */
bool wfi_next_field(wfi_record *r, wfi_field *field);

/* Skips the remaining fields; returns the start of the next record. */
const char *wfi_next_record(wfi_record *r);

/* Copies a quoted field with doubled quotes made single into `buffer` (field->length bytes); returns the length. */
size_t wfi_unquote(const wfi_field *field, char *buffer);

/* Writes a text in quotes and doubles the quotes inside it. */
void wfi_csv_put_quoted(void (*put)(void *to, const char *data, size_t bytes), void *to, const char *text,
                        size_t length);

#endif
