/* Conversion between numbers and text. Functions with an argument `at` read from *at and advance it past the number.
 * Needs: a text that ends with a byte that cannot belong to a number. */
#ifndef WFI_NUMBERS_H
#define WFI_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum wfi_number {
    WFI_NUMBER_OK,
    WFI_NUMBER_NONE,    /* no digit: *at is unchanged */
    WFI_NUMBER_TOO_BIG, /* overflow: *at is after the digits */
    /* Results for weights: */
    WFI_NUMBER_TOO_LARGE, /* a finite value that overflows a float, or a double where one is read */
    WFI_NUMBER_TOO_SMALL, /* a nonzero value that would become 0 */
    WFI_NUMBER_NOT_FINITE /* nan or inf */
} wfi_number;

/* Effect of converting a finite weight to float: WFI_NUMBER_OK, _TOO_LARGE or _TOO_SMALL. */
static inline wfi_number wfi_lost_as_float(double x) {
    float narrow = (float)x;
    if (narrow == 0 && x != 0) return WFI_NUMBER_TOO_SMALL;
    return narrow - narrow == 0 ? WFI_NUMBER_OK : WFI_NUMBER_TOO_LARGE;
}

/* Text that completes "this weight is" for a fault. */
const char *wfi_weight_fault(wfi_number st, bool as_double);

/* Reads decimal digits. */
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
    if (p - start > 19) { /* 20 digits or more may overflow: convert again with checks */
        x = 0;
        for (const char *q = start; q < p; q++)
            if (__builtin_mul_overflow(x, (uint64_t)10, &x) || __builtin_add_overflow(x, (uint64_t)(*q - '0'), &x))
                return WFI_NUMBER_TOO_BIG;
    }
    *value = x;
    return WFI_NUMBER_OK;
}

/* Reads decimal digits with an optional sign. */
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
    double value;     /* rounded once, to float unless a double was requested */
    uint32_t integer; /* if `whole`, the number; else 1 if a whole number was rounded to fit `value` */
    bool whole;       /* a whole number 0 ... 2^32-1 without fraction or exponent */
} wfi_weight;

/* Reads a weight: sign, digits, fraction, exponent; nan and inf give WFI_NUMBER_NOT_FINITE; values that overflow a
 * float (or double), such as 1e39, give WFI_NUMBER_TOO_LARGE; nonzero values that underflow to 0 give
 * WFI_NUMBER_TOO_SMALL. Correctly rounded in any locale. */
wfi_number wfi_scan_weight(const char **at, bool as_double, wfi_weight *weight);

/* Reads a number of the same form, except nan and inf, as a double. */
wfi_number wfi_scan_f64(const char **at, double *value);

/* Reads a whole number that is all of the text; no byte after it is needed. */
wfi_number wfi_scan_text(const char *text, size_t length, int64_t *value);

/* True if the text is the canonical form of a whole number (no plus sign, no leading zeros), which prints back from
 * its value. */
bool wfi_is_plain_integer(const char *text, size_t length, int64_t *value);

static inline bool wfi_is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
static inline const char *wfi_skip_blanks(const char *p) {
    while (wfi_is_blank(*p)) p++;
    return p;
}

/* Reads all of a text with an optional sign and at most 29 digits. */
bool wfi_scan_whole(const char *text, size_t length, __int128 *whole);

/* Reads a short decimal in canonical form: [-]digits or [-]digits.digits, at most 15 digits, without leading zeros or
 * -0, so that it prints back from `digits` and the number of decimals. wfi_short_value is its value, correctly
 * rounded, because both operands of the division are exact. */
bool wfi_scan_short(const char *text, size_t length, int64_t *digits, unsigned *decimals);
double wfi_short_value(int64_t digits, unsigned decimals);

/* Prints x without a terminating NUL; returns the length. `to` needs 20 bytes (21 with a sign). */
unsigned wfi_print_u64(char *to, uint64_t x);
unsigned wfi_print_i64(char *to, int64_t x);
unsigned wfi_print_f32(char *to, float x);  /* up to 16 bytes */
unsigned wfi_print_f64(char *to, double x); /* up to 24 bytes: the shortest text that reads back to x */

#endif
