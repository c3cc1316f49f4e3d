/* Records and fields of text tables: what a separator and quotes make of a line.
 *
 * A record ends at a newline outside quotes.  With a separator other than ' ' a field may be empty, and blanks around
 * it do not count; with ' ' any run of blanks separates.  A field in double quotes may hold separators, newlines and,
 * doubled, quotes.  The text of a table ends with a '\n' at `end` that is not part of it (wfi_block and the copy of a
 * head have it). */
#ifndef WFI_CSVTEXT_H
#define WFI_CSVTEXT_H

#include "core/core.h"
#include "io/text/numbers.h"

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

/* Is it a whole number, or any number, as a whole?  A whole one counts if it is written as numbers are (7, "7", not
 * 007): programs that quote everything quote numbers as well. */
bool wfi_field_is_integer(const wfi_field *field);
bool wfi_field_is_number(const wfi_field *field);
/* Digits with a zero at the front, not quoted: a number to some, but a code to those who wrote it. */
bool wfi_field_is_padded(const wfi_field *field);
/* 7, or 7.0, as programs write it that know but one kind of number. */
bool wfi_field_is_whole(const wfi_field *field);
/* Digits with blanks, points, commas or apostrophes among them: a number as somebody writes it, but nobody's id. */
bool wfi_field_is_spelt_number(const wfi_field *field);
/* Digits, with a fraction or without, of 10^8 and more. */
bool wfi_field_is_time(const wfi_field *field);

/* The separator of the data lines at `text`: one that cuts all of the first lines into the same number of fields, else
 * by the first line alone; ' ' when there is none.  comments: there may be some; commas: they may separate. */
char wfi_find_separator(const char *text, const char *end, bool comments, bool commas);

/* The next line that is neither blank nor, if there are `comments`, one of these (# or %); NULL at the end.  *at moves
 * after it.  Quotes may carry a record over several lines: then *at is after the first of them. */
const char *wfi_next_data_line(const char **at, const char *end, bool comments);

#endif
