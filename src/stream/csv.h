/* Comma-separated values (RFC 4180) and their kin: what a separator and quotes make of a line.
 *
 * A record ends at a newline outside quotes.  With a separator other than ' ' a field may be empty, and blanks around
 * it do not count; with ' ' any run of blanks separates.  A field in double quotes may hold separators, newlines and,
 * doubled, quotes.  The text of a table ends with a '\n' at `end` that is not part of it (blocks of a file and
 * copies of its head have it). */
#ifndef WFI_CSV_H
#define WFI_CSV_H

#include <stdbool.h>
#include <stddef.h>

typedef struct wfi_field {
    const char *text; /* without its quotes; doubled quotes are still doubled */
    size_t length;
    bool quoted;
    bool open;        /* quoted, and the text ended before the closing quote */
    const char *junk; /* what follows the closing quote before the separator, or NULL */
} wfi_field;

/* Where the fields of one record are being taken. */
typedef struct wfi_record {
    const char *p, *end;
    char separator;
    bool more; /* a field follows, perhaps an empty one (separators other than ' ') */
    bool open; /* a quoted field that was stepped over had no end */
    bool runs; /* a run of separators is one, as of blanks */
} wfi_record;

static inline wfi_record wfi_record_at(const char *p, const char *end, char separator) {
    return (wfi_record){.p = p, .end = end, .separator = separator, .more = true, .runs = separator == ' '};
}

/* The next field; false when the record is over, with p at its newline (or at end). */
bool wfi_next_field(wfi_record *r, wfi_field *field);

/* The start of the next record: steps over the fields that are left. */
const char *wfi_next_record(wfi_record *r);

/* A quoted field with its doubled quotes made single, in `room` of field->length bytes; returns the length. */
size_t wfi_unquote(const wfi_field *field, char *room);

/* Writes a text in quotes, those in it doubled. */
void wfi_csv_put_quoted(void (*put)(void *to, const char *data, size_t bytes), void *to, const char *text,
                        size_t length);

#endif
