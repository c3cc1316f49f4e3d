/* What the fields of a text table look like, and what separates them: the sniffing of csv dialects. */
#ifndef WFI_FIELDS_H
#define WFI_FIELDS_H

#include "io/text/spelling.h"
#include "stream/csv.h"
#include "stream/numbers.h"

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

/* \N, as MySQL, PostgreSQL and Hive write a missing value, or one of Excel's errors, such as #N/A; not in quotes. */
bool wfi_field_is_null(const wfi_field *field);
bool wfi_field_is_missing(const wfi_field *field);

/* A byte-order mark where a line begins: the source took away that of the file.  The text ends with a '\n'. */
static inline bool wfi_is_mark(const char *p) { return p[0] == '\xef' && p[1] == '\xbb' && p[2] == '\xbf'; }
#define WFI_MARK_IN_TEXT                                                                                          \
    "a byte-order mark (U+FEFF) before this line: are these several files, one after the other?  Without marks: " \
    "sed 's/^\\xef\\xbb\\xbf//' FILE | weft info -"

/* The separator of the data lines at `text`: one that cuts all of the first lines into the same number of fields, else
 * by the first line alone; ' ' when there is none.  comments: there may be some; commas: they may separate. */
char wfi_find_separator(const char *text, const char *end, bool comments, bool commas);

/* The next line that is neither blank nor, if there are `comments`, one of these (# or %); NULL at the end.  *at moves
 * after it.  Quotes may carry a record over several lines: then *at is after the first of them. */
const char *wfi_next_data_line(const char **at, const char *end, bool comments);

/* A number in some spelling. */
bool wfi_field_is_any_number(const wfi_field *field);

#endif
