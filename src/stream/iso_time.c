/* Times as ISO 8601 writes them, to and from microseconds since 1970-01-01.  Days are counted in the proleptic
 * Gregorian calendar, by cycles of 400 years of 146,097 days whose years begin in March, so that a leap day is the
 * last of its year. */
#include "stream/iso_time.h"

#include <stdio.h>
#include <string.h>

#define SECOND INT64_C(1000000)
#define MINUTE (60 * SECOND)
#define HOUR   (60 * MINUTE)
#define DAY    (24 * HOUR)

enum { CYCLE_DAYS = 146097, YEARS_TO_1970 = 719468 /* days from 0000-03-01 to 1970-01-01 */ };

static int64_t days_of(int year, int month, int day) {
    int64_t y = year - (month <= 2), cycle = (y >= 0 ? y : y - 399) / 400, of_cycle = y - cycle * 400;
    int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return cycle * CYCLE_DAYS + of_cycle * 365 + of_cycle / 4 - of_cycle / 100 + of_year - YEARS_TO_1970;
}

static void date_of(int64_t days, int64_t *year, int *month, int *day) {
    days += YEARS_TO_1970;
    int64_t cycle = (days >= 0 ? days : days - CYCLE_DAYS + 1) / CYCLE_DAYS, d = days - cycle * CYCLE_DAYS;
    int64_t y = (d - d / 1460 + d / 36524 - d / 146096) / 365, of_year = d - (365 * y + y / 4 - y / 100);
    int64_t shifted = (5 * of_year + 2) / 153; /* months from March on */
    *day = (int)(of_year - (153 * shifted + 2) / 5 + 1);
    *month = (int)(shifted < 10 ? shifted + 3 : shifted - 9);
    *year = y + cycle * 400 + (*month <= 2);
}

/* --- in ------------------------------------------------------------------------------------------- */

typedef struct scan {
    const char *p, *end;
} scan;

/* Exactly so many digits. */
static bool digits(scan *s, int count, int *value) {
    *value = 0;
    if (s->end - s->p < count) return false;
    for (; count; count--, s->p++) {
        if (*s->p < '0' || *s->p > '9') return false;
        *value = *value * 10 + (*s->p - '0');
    }
    return true;
}

static bool sign(scan *s, char c) {
    if (s->p == s->end || *s->p != c) return false;
    s->p++;
    return true;
}

static bool scan_day(scan *s, int64_t *days) {
    static const int length[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int year, month, day;
    if (!digits(s, 4, &year) || !sign(s, '-') || !digits(s, 2, &month) || !sign(s, '-') || !digits(s, 2, &day))
        return false;
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    if (month < 1 || month > 12 || day < 1 || day > length[month - 1] || (month == 2 && day == 29 && !leap))
        return false;
    *days = days_of(year, month, day);
    return true;
}

static bool scan_clock(scan *s, int64_t *time) {
    int hour, minute, second = 0;
    int64_t fraction = 0;
    if (!digits(s, 2, &hour) || !sign(s, ':') || !digits(s, 2, &minute)) return false;
    if (sign(s, ':')) {
        if (!digits(s, 2, &second)) return false;
        if (sign(s, '.')) {
            int64_t unit = SECOND / 10;
            const char *first = s->p;
            for (; s->p < s->end && *s->p >= '0' && *s->p <= '9'; s->p++, unit /= 10) fraction += unit * (*s->p - '0');
            if (s->p == first || s->p - first > 6) return false;
        }
    }
    if (hour > 23 || minute > 59 || second > 59) return false;
    *time += hour * HOUR + minute * MINUTE + second * SECOND + fraction;
    return true;
}

static bool scan_zone(scan *s, int64_t *time) {
    int hour, minute = 0;
    bool west = s->p < s->end && *s->p == '-';
    if (sign(s, 'Z')) return true;
    if (!sign(s, '+') && !sign(s, '-')) return false;
    if (!digits(s, 2, &hour)) return false;
    if (s->p < s->end) {
        sign(s, ':');
        if (!digits(s, 2, &minute)) return false;
    }
    if (hour > 23 || minute > 59) return false;
    *time -= (west ? -1 : 1) * (hour * HOUR + minute * MINUTE);
    return true;
}

bool wfi_time_scan(const char *text, size_t length, int64_t *time, weft_time_form *form) {
    scan s = {text, text + length};
    int64_t days;
    if (length < 10 || length >= WFI_TIME_ROOM * 2 || !scan_day(&s, &days)) return false;
    *time = days * DAY;
    *form = WEFT_TIME_DAY;
    if (s.p == s.end) return true;
    if ((!sign(&s, 'T') && !sign(&s, ' ')) || !scan_clock(&s, time)) return false;
    *form = WEFT_TIME_LOCAL;
    if (s.p == s.end) return true;
    *form = WEFT_TIME_UTC;
    return scan_zone(&s, time) && s.p == s.end;
}

bool wfi_time_of_unix(int64_t x, int64_t *time) {
    uint64_t size = x < 0 ? 0 - (uint64_t)x : (uint64_t)x;
    int64_t each = size < 100000000000u ? 1000000 : size < 100000000000000u ? 1000 : 1;
    *time = x;
    return !__builtin_mul_overflow(x, each, time);
}

/* --- out ------------------------------------------------------------------------------------------ */

size_t wfi_time_print(char to[WFI_TIME_ROOM], int64_t time, weft_time_form form) {
    int64_t days = time / DAY - (time % DAY < 0), clock = time - days * DAY, year;
    int month, day;
    date_of(days, &year, &month, &day);
    if (year < 0 || year > 9999) return (size_t)snprintf(to, WFI_TIME_ROOM, "%lld", (long long)time);
    size_t used = (size_t)snprintf(to, WFI_TIME_ROOM, "%04d-%02d-%02d", (int)year, month, day);
    if (form == WEFT_TIME_DAY && !clock) return used;
    used += (size_t)snprintf(to + used, WFI_TIME_ROOM - used, "T%02d:%02d:%02d", (int)(clock / HOUR),
                             (int)(clock / MINUTE % 60), (int)(clock / SECOND % 60));
    int fraction = (int)(clock % SECOND), places = fraction % 1000 ? 6 : 3;
    if (fraction)
        used += (size_t)snprintf(to + used, WFI_TIME_ROOM - used, ".%0*d", places,
                                 places == 3 ? fraction / 1000 : fraction);
    if (form == WEFT_TIME_UTC) to[used++] = 'Z';
    to[used] = '\0';
    return used;
}
