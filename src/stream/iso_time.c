/* ISO 8601 times to and from microseconds since 1970-01-01. Days are counted in the proleptic Gregorian calendar, in
 * cycles of 400 years (146,097 days). Years begin in March, so that a leap day is the last day of its year. */
#include "stream/iso_time.h"
#include "stream/short_text.h"

#include <stdio.h>
#include <string.h>

#define SECOND INT64_C(1000000)
#define MINUTE (60 * SECOND)
#define HOUR   (60 * MINUTE)
#define DAY    (24 * HOUR)

enum { CYCLE_DAYS = 146097, YEARS_TO_1970 = 719468 /* days from 0000-03-01 to 1970-01-01 */ };

/* Days since 1970-01-01; year >= 0. */
static int64_t days_of(int year, int month, int day) {
    /* days before each month in a year that begins in March */
    static const int before[] = {306, 337, 0, 31, 61, 92, 122, 153, 184, 214, 245, 275};
    unsigned y = (unsigned)(year + 400 - (month <= 2)), centuries = y / 100;
    unsigned days = 365 * y + y / 4 - centuries + centuries / 4;
    return (int64_t)days + before[month - 1] + day - 1 - CYCLE_DAYS - YEARS_TO_1970;
}

static void date_of(int64_t days, int64_t *year, int *month, int *day) {
    days += YEARS_TO_1970;
    int64_t cycle = (days >= 0 ? days : days - CYCLE_DAYS + 1) / CYCLE_DAYS, d = days - cycle * CYCLE_DAYS;
    int64_t y = (d - d / 1460 + d / 36524 - d / 146096) / 365, of_year = d - (365 * y + y / 4 - y / 100);
    int64_t shifted = (5 * of_year + 2) / 153; /* months since March */
    *day = (int)(of_year - (153 * shifted + 2) / 5 + 1);
    *month = (int)(shifted < 10 ? shifted + 3 : shifted - 9);
    *year = y + cycle * 400 + (*month <= 2);
}

/* --- in ------------------------------------------------------------------------------------------- */

typedef struct scan {
    const char *p, *end;
} scan;

/* Takes exactly `count` digits. */
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

/* YYYY-MM-DD; needs 10 readable bytes. */
static bool scan_day(scan *s, int64_t *days) {
    static const int length[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    uint64_t front = wfi_load_8(s->p) ^ wfi_load_8("0000-00-"), high = WFI_EACH_BYTE(0xf0);
    unsigned tens = (unsigned)(unsigned char)s->p[8] - '0', ones = (unsigned)(unsigned char)s->p[9] - '0';
    uint64_t signs = UINT64_C(0xff0000ff00000000); /* bytes 4 and 7 */
    if ((front & signs) || ((front | (front + WFI_EACH_BYTE(6))) & high) || tens > 9 || ones > 9) return false;
    front = front * 10 + (front >> 8); /* bytes 0, 2 and 5 now hold two digits each */
    int year = (int)(front & 0xff) * 100 + (int)(front >> 16 & 0xff), month = (int)(front >> 40 & 0xff);
    int day = (int)(10 * tens + ones);
    s->p += 10;
    if (month < 1 || month > 12 || day < 1 || day > length[month - 1]) return false;
    if (month == 2 && day == 29 && (year % 4 || (year % 100 == 0 && year % 400))) return false;
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

/* yyyymmddHHMM or yyyymmddHHMMSS with a year 1900 to 2099. Read as milliseconds these would be times in 1976 or in
 * the 26th century. */
static bool is_written_out(uint64_t x) {
    if (x >= 19000000000000u) x /= 100;
    uint64_t year = x / 100000000, month = x / 1000000 % 100, day = x / 10000 % 100;
    return year >= 1900 && year < 2100 && month >= 1 && month <= 12 && day >= 1 && day <= 31 && x / 100 % 100 < 24 &&
           x % 100 < 60;
}

bool wfi_is_date_not_unix_time(int64_t x) {
    return (x > -100000000 && x < 100000000) || (x > 0 && is_written_out((uint64_t)x));
}

bool wfi_time_of_unix(int64_t x, int64_t *time) {
    uint64_t size = x < 0 ? 0 - (uint64_t)x : (uint64_t)x;
    int64_t each = size < 100000000000u ? 1000000 : size < 100000000000000u ? 1000 : 1;
    *time = x;
    return !wfi_is_date_not_unix_time(x) && !__builtin_mul_overflow(x, each, time);
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
