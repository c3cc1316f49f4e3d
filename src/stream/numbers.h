/* Numbers from text and back.  Functions with an argument `at` read from *at and leave it behind what they took; the
 * text ends with a byte that is not part of a number. */
#ifndef WFI_NUMBERS_H
#define WFI_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum wfi_number {
    WFI_NUMBER_OK,
    WFI_NUMBER_NONE,    /* no digit here: *at has not moved */
    WFI_NUMBER_TOO_BIG, /* does not fit: *at stands behind the digits */
    /* Of weights, here and below: */
    WFI_NUMBER_TOO_LARGE, /* a finite value beyond a float, or a double where that is read */
    WFI_NUMBER_TOO_SMALL, /* a value that is not 0, and would become 0 */
    WFI_NUMBER_NOT_FINITE /* nan or inf */
} wfi_number;

/* What becomes of a finite weight as a float: WFI_NUMBER_OK, _TOO_LARGE or _TOO_SMALL. */
static inline wfi_number wfi_lost_as_float(double x) {
    float narrow = (float)x;
    if (narrow == 0 && x != 0) return WFI_NUMBER_TOO_SMALL;
    return narrow - narrow == 0 ? WFI_NUMBER_OK : WFI_NUMBER_TOO_LARGE;
}

/* What is wrong with such a weight, for after "this weight is". */
const char *wfi_weight_fault(wfi_number st, bool as_double);

/* Decimal digits only. */
static inline wfi_number wfi_scan_u64(const char **at, uint64_t *value) {
    const char *p = *at;
    uint64_t x = 0;
    unsigned d = (unsigned)(unsigned char)*p - '0';
    if (d > 9) return WFI_NUMBER_NONE;
    const char *start = p;
    do {
        x = x * 10 + d;
        d = (unsigned)(unsigned char)*++p - '0';
    } while (d <= 9);
    *at = p;
    if (p - start > 19) { /* 20 digits or more may wrap: look again */
        x = 0;
        for (const char *q = start; q < p; q++)
            if (__builtin_mul_overflow(x, (uint64_t)10, &x) || __builtin_add_overflow(x, (uint64_t)(*q - '0'), &x))
                return WFI_NUMBER_TOO_BIG;
    }
    *value = x;
    return WFI_NUMBER_OK;
}

/* Optional sign. */
static inline wfi_number wfi_scan_i64(const char **at, int64_t *value) {
    const char *p = *at;
    bool negative = *p == '-';
    if (*p == '-' || *p == '+') p++;
    uint64_t x;
    wfi_number st = wfi_scan_u64(&p, &x);
    if (st == WFI_NUMBER_NONE) return st;
    *at = p;
    if (st) return st;
    if (x > (uint64_t)INT64_MAX + (negative ? 1u : 0u)) return WFI_NUMBER_TOO_BIG;
    *value = negative ? (int64_t)(0 - x) : (int64_t)x;
    return WFI_NUMBER_OK;
}

typedef struct wfi_weight {
    double value;     /* rounded once, to a float unless a double was asked for */
    uint32_t integer; /* whole: the number; else 1 if it was a whole number that had to be rounded to fit `value` */
    bool whole;       /* a whole number 0 ... 2^32-1 without fraction or exponent */
} wfi_weight;

/* A weight: sign, digits, fraction, exponent; also nan and inf, which give WFI_NUMBER_NOT_FINITE, and numbers beyond a
 * float (or double), such as 1e39, which give WFI_NUMBER_TOO_LARGE, or nearer to 0 than any but 0, which give
 * WFI_NUMBER_TOO_SMALL.  Correctly rounded, whatever the locale. */
wfi_number wfi_scan_weight(const char **at, bool as_double, wfi_weight *weight);

/* A number of the same form, but not nan or inf, as a double. */
wfi_number wfi_scan_f64(const char **at, double *value);

/* A whole number that fills a text which may end with it. */
wfi_number wfi_scan_text(const char *text, size_t length, int64_t *value);

/* Is this a whole number as numbers are written (no plus, no leading zeros), so that its text comes back from its
 * value? */
bool wfi_is_plain_integer(const char *text, size_t length, int64_t *value);

static inline bool wfi_is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
static inline const char *wfi_skip_blanks(const char *p) {
    while (wfi_is_blank(*p)) p++;
    return p;
}

/* A sign and at most 29 digits, all of the text. */
bool wfi_scan_whole(const char *text, size_t length, __int128 *whole);

/* A short decimal: [-]digits or [-]digits.digits, at most 15 of them, without a zero too many at the front or a minus
 * before 0, so that its text comes back from the digits and how many of them follow the point.  The second: its value,
 * correctly rounded, since both numbers and the power of ten are exact. */
bool wfi_scan_short(const char *text, size_t length, int64_t *digits, unsigned *decimals);
double wfi_short_value(int64_t digits, unsigned decimals);

/* Text of x without a final NUL; returns its length.  room for 20 bytes (21 with sign). */
unsigned wfi_print_u64(char *to, uint64_t x);
unsigned wfi_print_i64(char *to, int64_t x);
unsigned wfi_print_f32(char *to, float x);  /* up to 16 bytes */
unsigned wfi_print_f64(char *to, double x); /* up to 24 bytes: the fewest digits that read back to x */

#endif
