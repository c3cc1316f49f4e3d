/* Numbers from text and to text, against the C library. */
#include "harness.h"
#include "io/stream/source.h"
#include "stream/numbers.h"

#include <math.h>

static float from_bits(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint32_t bits_of(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static uint32_t draw(uint64_t i) {
    uint64_t x = (i + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    return (uint32_t)(x >> 32);
}

/* The shortest of six to nine digits that reads back. */
static const char *expected(float x, char text[32]) {
    for (int digits = 6; digits <= 9; digits++) {
        snprintf(text, 32, "%.*g", digits, (double)x);
        if (strtof(text, NULL) == x) break;
    }
    return text;
}

static bool prints_alike(float x) {
    char want[32], got[32];
    got[wfi_print_f32(got, x)] = 0;
    if (!strcmp(got, expected(x, want))) return true;
    HARNESS_FAIL("%a is \"%s\", expected \"%s\"", (double)x, got, want);
    return false;
}

TEST(floats_of_every_size_are_printed_as_printf_would) {
    for (uint64_t i = 0; i < 200000; i++) {
        float x = from_bits(draw(i));
        if (isfinite(x) && !prints_alike(x)) return;
    }
}

TEST(common_floats_are_printed_as_printf_would) {
    static const float some[] = {0,      -0.0f,       1,        0.5f,      0.1f,       1e-4f,      9.9999997e-5f,
                                 0.001f, 0.01f,       9.99999f, 9.999999f, 9.9999999f, 99999.996f, 999999.94f,
                                 1e6f,   123456.7f,   0.3f,     2.5f,      100000,     -7.25f,     16777216,
                                 999999, 0.00012345f, 33554432};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) prints_alike(some[i]);
    for (uint64_t i = 0; i < 300000; i++) {
        float x = from_bits(0x38d1b717u + draw(i) % (0x49742400u - 0x38d1b717u)); /* 1e-4 ... 1e6 */
        if (!prints_alike(x) || !prints_alike(-x)) return;
    }
    for (uint32_t i = 0; i < 300000; i++) /* decimals as people write them */
        if (!prints_alike((float)i / 1000) || !prints_alike((float)i / 64)) return;
}

static bool scans_as(const char *text, float want) {
    const char *at = text;
    wfi_weight w = {0, 0, false};
    wfi_number st = wfi_scan_weight(&at, false, &w);
    float x = (float)w.value;
    if (st == WFI_NUMBER_OK && bits_of(x) == bits_of(want) && *at == '\n') return true;
    HARNESS_FAIL("%.60s... is %a (status %d), expected %a", text, (double)x, (int)st, (double)want);
    return false;
}

static bool scans_as_double(const char *text, double want) {
    const char *at = text;
    wfi_weight w = {0, 0, false};
    wfi_number st = wfi_scan_weight(&at, true, &w);
    if (st == WFI_NUMBER_OK && memcmp(&w.value, &want, sizeof want) == 0 && *at == '\n') return true;
    HARNESS_FAIL("%.60s... is %a (status %d), expected %a", text, w.value, (int)st, want);
    return false;
}

static double double_from(uint64_t i) {
    uint64_t bits = (uint64_t)draw(2 * i) << 32 | draw(2 * i + 1);
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

TEST(weights_are_read_as_strtof_reads_them) {
    char text[64];
    for (uint64_t i = 0; i < 200000; i++) {
        float x = from_bits(draw(i));
        if (!isfinite(x)) continue;
        snprintf(text, sizeof text, "%.*g\n", (int)(draw(i + 1000000) % 20) + 1, (double)x);
        float want = strtof(text, NULL);
        if (isfinite(want) && !scans_as(text, want)) return;
    }
}

TEST(middles_between_two_floats_are_rounded_once) {
    char text[256];
    for (uint64_t i = 0; i < 20000; i++) {
        uint32_t bits = draw(i) % 0x7f000000u;
        double middle = ((double)from_bits(bits) + (double)from_bits(bits + 1)) / 2;
        snprintf(text, sizeof text, "%.120e\n", middle);
        if (!scans_as(text, strtof(text, NULL))) return;
        snprintf(text, sizeof text, "%.17g\n", middle);
        if (!scans_as(text, strtof(text, NULL))) return;
    }
}

TEST(weights_are_read_as_strtod_reads_them) {
    char text[64];
    for (uint64_t i = 0; i < 200000; i++) {
        double x = double_from(i);
        if (!isfinite(x)) continue;
        snprintf(text, sizeof text, "%.*g\n", (int)(draw(i + 1000000) % 20) + 1, x);
        double want = strtod(text, NULL);
        if (isfinite(want) && !scans_as_double(text, want)) return;
    }
}

TEST(doubles_are_read_back_from_their_text) {
    char text[40];
    static const double some[] = {
        0, -0.0, 0.1, 1.0 / 3, 1e23, 5e-324, 1.7976931348623157e308, 4294967295, 9007199254740994};
    for (uint64_t i = 0; i < 200000; i++) {
        double x = i < sizeof some / sizeof *some ? some[i] : double_from(i);
        if (!isfinite(x)) continue;
        unsigned length = wfi_print_f64(text, x);
        CHECK(length <= 24);
        text[length] = '\n';
        if (!scans_as_double(text, x)) return;
    }
    CHECK_U64(wfi_print_f64(text, 0.1), 3); /* no more digits than it takes */
}

TEST(a_double_is_too_large_where_doubles_end) {
    wfi_weight w;
    const char *at = "1e39\n";
    CHECK_U64(wfi_scan_weight(&at, true, &w), WFI_NUMBER_OK);
    at = "1e39\n";
    CHECK_U64(wfi_scan_weight(&at, false, &w), WFI_NUMBER_TOO_LARGE);
    at = "1e309\n";
    CHECK_U64(wfi_scan_weight(&at, true, &w), WFI_NUMBER_TOO_LARGE);
    at = "9007199254740993\n";
    CHECK_U64(wfi_scan_weight(&at, true, &w), WFI_NUMBER_OK);
    CHECK(!w.whole && w.integer == 1); /* rounded */
    at = "9007199254740992\n";
    CHECK_U64(wfi_scan_weight(&at, true, &w), WFI_NUMBER_OK);
    CHECK(!w.whole && w.integer == 0);
}

/* sign, `zeros` zeros in the middle, and an exponent that undoes them. */
static const char *padded(char *to, const char *before, size_t zeros, const char *after) {
    size_t used = strlen(before);
    memcpy(to, before, used);
    memset(to + used, '0', zeros);
    strcpy(to + used + zeros, after);
    return to;
}

TEST(weights_of_thousands_of_digits_keep_their_size) {
    static char text[8192];
    scans_as(padded(text, "1", 1200, "e-1200\n"), 1);
    scans_as(padded(text, "0.", 1200, "5e1200\n"), 0.5f);
    scans_as(padded(text, "-", 2000, "3.25\n"), -3.25f);
    scans_as(padded(text, "3.25", 5000, "1\n"), 3.25f);
    scans_as(padded(text, "", 5000, "\n"), 0);
    scans_as(padded(text, "-0.", 5000, "\n"), -0.0f);
    scans_as(padded(text, "16777217", 0, "\n"), 16777216);
    scans_as_double(padded(text, "9007199254740993.", 5000, "1\n"), 9007199254740994);
    scans_as_double(padded(text, "1", 1200, "e-1200\n"), 1);
    scans_as(padded(text, "16777217.", 5000, "1\n"), 16777218); /* beyond the middle, but far behind the point */
}

/* -?(0|[1-9][0-9]*)([.][0-9]+)? with at most 15 digits, and not minus nothing. */
static bool is_short(const char *text, size_t length, bool *whole) {
    const char *p = text + (*text == '-'), *end = text + length, *start = p;
    size_t digits = 0, zeros = 0;
    *whole = true;
    for (; p < end; p++) {
        if (*p == '.' && *whole && p > start && p + 1 < end)
            *whole = false;
        else if (*p >= '0' && *p <= '9')
            digits++, zeros += *p == '0';
        else
            return false;
    }
    if (!digits || digits > 15 || (*text == '-' && zeros == digits)) return false;
    return *start != '0' || start + 1 == end || start[1] == '.';
}

TEST(short_decimals_are_what_strtod_says_and_come_back) {
    static const char likely[] = "0123456789012345678901234567890123456789..--+e \n/:";
    for (uint64_t i = 0; i < 400000 && harness_failures < 5; i++) {
        char text[24], *from = malloc(1 + i % 18); /* no byte behind it is touched */
        size_t length = 1 + i % 18;
        for (size_t k = 0; k < length; k++) {
            uint32_t r = draw(i * 20 + k);
            text[k] = r % 3 ? (char)('0' + r % 10) : likely[r % (sizeof likely - 1)];
        }
        if (i % 3 && length > 2) text[1 + draw(i) % (length - 1)] = '.';
        text[length] = '\0';
        memcpy(from, text, length);
        int64_t digits, plain;
        unsigned decimals;
        bool whole, want = is_short(text, length, &whole), got = wfi_scan_short(from, length, &digits, &decimals);
        if (got != want) HARNESS_FAIL("'%s' is %sshort", text, want ? "" : "not ");
        if (got && want && wfi_short_value(digits, decimals) != strtod(text, NULL)) HARNESS_FAIL("'%s'", text);
        if (got && want && (decimals == 0) != whole) HARNESS_FAIL("'%s' has %u decimals", text, decimals);
        if (want && whole && (!wfi_is_plain_integer(from, length, &plain) || plain != strtoll(text, NULL, 10)))
            HARNESS_FAIL("'%s' is a plain integer", text);
        if (!want && length < 16 && wfi_is_plain_integer(from, length, &plain)) HARNESS_FAIL("'%s' is none", text);
        free(from);
    }
}

TEST(a_whole_number_is_plain_if_it_is_written_as_it_is_printed) {
    static const char *const plain[] = {"0", "-1", "9223372036854775807", "-9223372036854775808", "12345678901234567"};
    static const char *const other[] = {"",
                                        "-",
                                        "+1",
                                        "01",
                                        "-0",
                                        "00",
                                        "9223372036854775808",
                                        "1 ",
                                        " 1",
                                        "1.",
                                        "--12",
                                        "1a",
                                        "123456789012345x",
                                        "0123456789012345678"};
    int64_t x;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        CHECK(wfi_is_plain_integer(plain[i], strlen(plain[i]), &x) && x == strtoll(plain[i], NULL, 10));
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        CHECK(!wfi_is_plain_integer(other[i], strlen(other[i]), &x));
}

TEST(newlines_are_counted_at_any_length) {
    char text[200];
    for (size_t bytes = 0; bytes <= sizeof text; bytes++) {
        uint64_t want = 0;
        for (size_t i = 0; i < bytes; i++) {
            static const char some[] = "\n\n\n\x0b\x8a\t\0";
            text[i] = bytes % 7 ? some[draw(bytes * 256 + i) % 7] : '\n';
            want += text[i] == '\n';
        }
        CHECK_U64(wfi_count_lines(text, bytes), want);
    }
}

TEST_MAIN()
