/* ISO 8601 times and microseconds since 1970-01-01 (iso_time.c). */
#ifndef WFI_ISO_TIME_H
#define WFI_ISO_TIME_H

#include "weft/experimental.h"

#include <stdbool.h>

/* Parses all of `text`: 2024-03-01 or 2024-03-01T12:30, years 0000 to 9999, optionally with seconds, up to six digits
 * of a fraction, a blank in place of T, and a zone (Z, +02:00, +0200 or +02). *time is in microseconds since 1970, in
 * UTC if there is a zone. */
bool wfi_time_scan(const char *text, size_t length, int64_t *time, weft_time_form *form);
/* Converts a Unix time in seconds; in milliseconds or microseconds if seconds would mean a year after 5000. False on
 * overflow, and for numbers that are more likely dates: below 10^8 (years, days, 20240301) and 202403011230. */
bool wfi_time_of_unix(int64_t x, int64_t *time);
bool wfi_is_date_not_unix_time(int64_t x);
#define WFI_NO_UNIX_TIME \
    "whole numbers below 100000000 are years, dates or days, and yyyymmddHHMM is a date written out: no Unix times"
enum { WFI_TIME_ROOM = 32 };
/* Writes the shortest form; returns its length. A time outside the years 0000 to 9999 is written as a number of
 * microseconds. */
size_t wfi_time_print(char to[WFI_TIME_ROOM], int64_t time, weft_time_form form);

#endif
