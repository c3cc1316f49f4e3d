/* Weights from text, numbers to text.
 * A weight with at most 19 digits and a small exponent is exact in one double operation (Clinger 1990); other
 * weights, which are rare, and doubles halfway between two floats go to strtof or strtod in the C locale. */
#include "stream/numbers.h"
#include "stream/short_text.h"

#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static locale_t c_locale;
static pthread_once_t c_locale_once = PTHREAD_ONCE_INIT;
static void make_c_locale(void) { c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0); }

static const double power_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

typedef struct decimal {
    bool negative, fraction_or_exponent;
    uint64_t digits; /* the first 19 significant digits */
    int significant; /* number of significant digits */
    int exponent;    /* value = digits * 10^exponent */
} decimal;

static inline unsigned digit_at(const char *p) { return (unsigned)(unsigned char)*p - '0'; }

static const char *take_digits(const char *p, decimal *d, int step) {
    for (; digit_at(p) <= 9; p++) {
        if (d->significant < 19) {
            d->digits = d->digits * 10 + digit_at(p);
            d->exponent += step;
        } else {
            d->exponent += step + 1;
        }
        d->significant += d->digits != 0;
    }
    return p;
}

/* Returns the end of the number that starts at p, or NULL if there is none. */
static const char *take_decimal(const char *p, decimal *d) {
    *d = (decimal){.negative = *p == '-'};
    p += *p == '-' || *p == '+';
    const char *start = p;
    p = take_digits(p, d, 0);
    size_t seen = (size_t)(p - start);
    if (*p == '.') {
        d->fraction_or_exponent = true;
        const char *fraction = ++p;
        p = take_digits(p, d, -1);
        seen += (size_t)(p - fraction);
    }
    if (!seen) return NULL;
    if (*p == 'e' || *p == 'E') {
        const char *q = p + 1;
        bool down = *q == '-';
        q += *q == '-' || *q == '+';
        if (digit_at(q) > 9) return p;
        int exponent = 0;
        for (; digit_at(q) <= 9; q++)
            if (exponent < 100000000) exponent = exponent * 10 + (int)digit_at(q);
        d->exponent += down ? -exponent : exponent;
        d->fraction_or_exponent = true;
        p = q;
    }
    return p;
}

static double parse(const char *text, bool as_double) {
    pthread_once(&c_locale_once, make_c_locale);
    if (as_double) return c_locale ? strtod_l(text, NULL, c_locale) : strtod(text, NULL);
    return (double)(c_locale ? strtof_l(text, NULL, c_locale) : strtof(text, NULL));
}

/* Value of long or extreme numbers from their significant digits and exponent. No double and no midpoint of two
 * doubles has more than 770 digits, so after MOST_DIGITS digits it only matters whether the rest is zero. */
static double slow_value(const decimal *d, const char *from, bool as_double) {
    enum { MOST_DIGITS = 800 };
    char copy[MOST_DIGITS + 32];
    size_t used = 0;
    int exponent = d->exponent + (d->significant < 19 ? d->significant : 19);
    bool more = false;
    copy[used++] = d->negative ? '-' : '+';
    copy[used++] = '.';
    for (const char *p = from + (*from == '-' || *from == '+'); *p == '.' || digit_at(p) <= 9; p++) {
        if (*p == '.' || (*p == '0' && used == 2)) continue;
        if (used < MOST_DIGITS)
            copy[used++] = *p;
        else
            more = more || *p != '0';
    }
    if (used == 2 || more) copy[used++] = more ? '1' : '0';
    snprintf(copy + used, sizeof copy - used, "e%d", exponent);
    return parse(copy, as_double);
}

/* Rounding twice, to double and then to float, can differ from rounding once only next to the midpoint of two floats
 * (and below the normal floats). */
static bool near_middle(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    uint64_t tail = bits & 0x1fffffff;
    return tail >= 0x0fffffff && tail <= 0x10000001;
}

static double value_of(const decimal *d, const char *from, bool as_double) {
    if (d->significant > 15 || d->exponent > 22 || d->exponent < -22) return slow_value(d, from, as_double);
    double x = (double)d->digits;
    x = d->exponent < 0 ? x / power_of_ten[-d->exponent] : x * power_of_ten[d->exponent];
    if (d->negative) x = -x;
    if (as_double) return x;
    if (near_middle(x) || (x != 0 && fabs(x) < 1.2e-38)) return slow_value(d, from, false);
    return (double)(float)x;
}

static bool starts_with_word(const char *p, const char *word) {
    for (; *word; p++, word++)
        if ((*p | 0x20) != *word) return false;
    return true;
}

/* True for a whole number beyond 32 bits that its value does not represent exactly. */
static bool whole_but_rounded(const decimal *d, double value) {
    if (d->fraction_or_exponent) return false;
    double size = fabs(value);
    return d->significant > 19 || size >= 0x1p64 || (uint64_t)size != d->digits;
}

wfi_number wfi_scan_weight(const char **at, bool as_double, wfi_weight *w) {
    const char *start = *at;
    decimal d;
    const char *end = take_decimal(start, &d);
    if (!end) {
        const char *p = start + (*start == '-' || *start == '+');
        if (!starts_with_word(p, "nan") && !starts_with_word(p, "inf")) return WFI_NUMBER_NONE;
        p += 3;
        if (starts_with_word(p, "inity")) p += 5;
        *at = p;
        return WFI_NUMBER_NOT_FINITE;
    }
    *at = end;
    w->whole = !d.negative && !d.fraction_or_exponent && d.significant <= 10 && d.digits <= UINT32_MAX;
    w->value = value_of(&d, start, as_double);
    w->integer = w->whole ? (uint32_t)d.digits : whole_but_rounded(&d, w->value);
    if (w->value == 0 && d.digits) return WFI_NUMBER_TOO_SMALL;
    return isfinite(w->value) ? WFI_NUMBER_OK : WFI_NUMBER_TOO_LARGE;
}

const char *wfi_weight_fault(wfi_number st, bool as_double) {
    if (st == WFI_NUMBER_TOO_SMALL)
        return as_double ? "too small for a 64-bit weight"
                         : "too small for a 32-bit weight; `weight_type=f64` keeps more";
    if (st != WFI_NUMBER_TOO_LARGE) return "not a finite number";
    return as_double ? "too large for a 64-bit weight" : "too large for a 32-bit weight; `weight_type=f64` keeps more";
}

wfi_number wfi_scan_f64(const char **at, double *value) {
    const char *start = *at;
    decimal d;
    const char *end = take_decimal(start, &d);
    if (!end) return WFI_NUMBER_NONE;
    *value = value_of(&d, start, true);
    *at = end;
    return isfinite(*value) ? WFI_NUMBER_OK : WFI_NUMBER_TOO_LARGE;
}

unsigned wfi_print_u64(char *to, uint64_t x) {
    char reversed[20];
    unsigned length = 0;
    do {
        reversed[length++] = (char)('0' + x % 10);
        x /= 10;
    } while (x);
    for (unsigned i = 0; i < length; i++) to[i] = reversed[length - 1 - i];
    return length;
}

unsigned wfi_print_i64(char *to, int64_t x) {
    if (x >= 0) return wfi_print_u64(to, (uint64_t)x);
    to[0] = '-';
    return 1 + wfi_print_u64(to + 1, 0 - (uint64_t)x);
}

wfi_number wfi_scan_text(const char *given, size_t length, int64_t *value) {
    char text[32];
    const char *p = text;
    if (length >= sizeof text) return WFI_NUMBER_TOO_BIG;
    if (length) memcpy(text, given, length);
    text[length] = '\0';
    wfi_number st = wfi_scan_i64(&p, value);
    return p == text + length ? st : WFI_NUMBER_NONE;
}

bool wfi_is_plain_integer(const char *given, size_t length, int64_t *value) {
    char again[24];
    bool minus = length && *given == '-';
    uint64_t x;
    if (length - minus > 16)
        return !wfi_scan_text(given, length, value) && wfi_print_i64(again, *value) == length &&
               !memcmp(again, given, length);
    if (length == minus || (given[minus] == '0' && length > 1) || !wfi_short_digits(given + minus, length - minus, &x))
        return false;
    *value = minus ? -(int64_t)x : (int64_t)x;
    return true;
}

bool wfi_scan_whole(const char *text, size_t length, __int128 *whole) {
    enum { MOST_DIGITS = 29 };
    size_t i = length && (*text == '-' || *text == '+'), sign = i;
    unsigned __int128 size = 0; /* unsigned, because clang's check of a signed product needs a library that is not
                                 * always there */
    for (; i < length && text[i] >= '0' && text[i] <= '9'; i++)
        if (i < sign + MOST_DIGITS) size = size * 10 + (unsigned)(text[i] - '0');
    *whole = length && *text == '-' ? -(__int128)size : (__int128)size;
    return i == length && i > sign && i - sign <= MOST_DIGITS;
}

/* At most 8 bytes: removes the point and converts the digits. */
static inline bool scan_shortest(uint64_t bytes, size_t length, uint64_t *digits, unsigned *decimals) {
    uint64_t point = wfi_bytes_equal(bytes, '.');
    *decimals = 0;
    if (!point) return wfi_digits_of(bytes, length, digits);
    unsigned before = wfi_first_byte(point), after = (unsigned)length - before - 1;
    uint64_t front = ((uint64_t)1 << 8 * before) - 1;
    *decimals = after;
    return before && after && wfi_digits_of((bytes & front) | (bytes >> 8 & ~front), length - 1, digits);
}

static bool scan_longer(const char *text, size_t length, uint64_t *digits, unsigned *decimals) {
    uint64_t whole, part = 0;
    const char *point = length <= 16 ? memchr(text, '.', length) : NULL;
    size_t before = point ? (size_t)(point - text) : length, after = point ? length - before - 1 : 0;
    if (!before || before + after > 15 || (point && !after)) return false;
    if (!wfi_short_digits(text, before, &whole) || (after && !wfi_short_digits(point + 1, after, &part))) return false;
    *decimals = (unsigned)after;
    *digits = whole * (uint64_t)power_of_ten[after] + part;
    return true;
}

bool wfi_scan_short(const char *text, size_t length, int64_t *digits, unsigned *decimals) {
    bool minus = length && *text == '-';
    uint64_t all;
    text += minus;
    length -= minus;
    if (!length || (*text == '0' && length > 1 && text[1] != '.')) return false;
    if (!(length <= 8 ? scan_shortest(wfi_load_short(text, length), length, &all, decimals)
                      : scan_longer(text, length, &all, decimals)))
        return false;
    *digits = minus ? -(int64_t)all : (int64_t)all;
    return all || !minus;
}

double wfi_short_value(int64_t digits, unsigned decimals) {
    return decimals ? (double)digits / power_of_ten[decimals] : (double)digits;
}

/* Prints m / 10^k without trailing zeros. */
static unsigned print_fixed(char *to, bool negative, uint64_t m, unsigned k) {
    unsigned length = 0;
    for (; k && m % 10 == 0; k--) m /= 10;
    uint64_t unit = (uint64_t)power_of_ten[k], rest = m % unit;
    if (negative) to[length++] = '-';
    length += wfi_print_u64(to + length, m / unit);
    if (!k) return length;
    to[length++] = '.';
    for (unsigned i = k; i-- > 0; rest /= 10) to[length + i] = (char)('0' + rest % 10);
    return length + k;
}

/* Equals %.6g to %.9g for 1e-4 <= |x| < 1e6, ten times faster; 0: use printf.
 * x has 24 bits and 5^12 has 28, so x * 10^k is exact for k <= 12, and rounding it rounds x. */
static unsigned print_common(char *to, float x) {
    double size = fabs((double)x);
    if (!(size >= 1e-4 && size < 1e6)) return 0;
    unsigned before = 0; /* digits from the fourth decimal on */
    while (size >= (before < 3 ? 1 / power_of_ten[3 - before] : power_of_ten[before - 3])) before++;
    for (unsigned digits = 6; digits <= 9; digits++) {
        unsigned k = digits + 3 - before;
        double scaled = size * power_of_ten[k];
        uint64_t m = (uint64_t)scaled;
        double rest = scaled - (double)m;
        m += rest > 0.5 || (rest == 0.5 && m % 2);
        double back = (double)m / power_of_ten[k];
        if (near_middle(back)) return 0;
        if ((float)back == (float)size) return print_fixed(to, x < 0, m, k);
    }
    return 0;
}

/* Prints the first of %.{few}g to %.{many}g that reads back to x. */
static unsigned print_shortest(char *to, double x, bool as_double, int few, int many) {
    char text[32];
    unsigned length = 0;
    pthread_once(&c_locale_once, make_c_locale);
    locale_t old = c_locale ? uselocale(c_locale) : (locale_t)0;
    for (int digits = few; digits <= many; digits++) {
        length = (unsigned)snprintf(text, sizeof text, "%.*g", digits, x);
        if ((as_double ? strtod(text, NULL) : (double)strtof(text, NULL)) == x) break;
    }
    if (old) uselocale(old);
    memcpy(to, text, length);
    return length;
}

unsigned wfi_print_f32(char *to, float x) {
    unsigned length = print_common(to, x);
    return length ? length : print_shortest(to, (double)x, false, 6, 9);
}

unsigned wfi_print_f64(char *to, double x) { return print_shortest(to, x, true, 15, 17); }
