/* Times as ISO 8601 writes them, and as microseconds since 1970-01-01 (iso_time.c). */
#ifndef WFI_ISO_TIME_H
#define WFI_ISO_TIME_H

#include "weft_experimental.h"

#include <stdbool.h>

/* 2024-03-01; 2024-03-01T12:30, with seconds and up to six digits of a fraction, a blank in place of T; then perhaps Z,
 * +02:00, +0200 or +02.  All of the text, years 0000 to 9999.  Microseconds since 1970, of UTC where there is a
 * zone. */
bool wfi_time_scan(const char *text, size_t length, int64_t *time, weft_time_form *form);
/* A Unix time: a number of seconds, or of thousandths or millionths if it were of a year after 5000.  False: too large,
 * or none: below 10^8 are years, dates such as 20240301, or days, and 202403011230 is a date with a time of day. */
bool wfi_time_of_unix(int64_t x, int64_t *time);
bool wfi_is_no_unix_time(int64_t x);
#define WFI_NO_UNIX_TIME \
    "whole numbers below 100000000 are years, dates or days, and yyyymmddHHMM is a date written out: no Unix times"
enum { WFI_TIME_ROOM = 32 };
/* The same back, as short as it can be; returns the length.  A time that is out of that range is written as a number of
 * microseconds. */
size_t wfi_time_print(char to[WFI_TIME_ROOM], int64_t time, weft_time_form form);

#endif
