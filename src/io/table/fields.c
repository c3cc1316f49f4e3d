/* See fields.h. */
#include "io/table/fields.h"

#include "io/text/words.h"

#include <string.h>

/* The parts of [sign] digits [point digits] [e [sign] digits]. */
typedef struct decimal {
    size_t sign, digits, after; /* how long they are; digits before the point, and after it */
    bool point, zeros;          /* zeros: no other digit is behind the point */
    bool padded;                /* a zero before another digit */
    bool all;                   /* nothing else is in the field */
    bool bare;                  /* nor an exponent */
} decimal;

static decimal decimal_of(const wfi_field *f) {
    const char *p = f->text, *end = p + f->length;
    decimal d = {.sign = p < end && (*p == '-' || *p == '+'), .zeros = true};
    for (p += d.sign; p < end && *p >= '0' && *p <= '9'; p++) d.digits++;
    d.padded = d.digits > 1 && f->text[d.sign] == '0';
    d.point = p < end && *p == '.';
    for (p += d.point; d.point && p < end && *p >= '0' && *p <= '9'; p++, d.after++) d.zeros = d.zeros && *p == '0';
    d.all = d.bare = p == end;
    if (d.bare || (*p | 32) != 'e') return d;
    p++;
    if (p < end && (*p == '-' || *p == '+')) p++;
    d.all = p < end;
    for (; p < end; p++) d.all = d.all && *p >= '0' && *p <= '9';
    return d;
}

/* quoted: numbers are not written +7 in quotes. */
static bool is_plain(const decimal *d, const wfi_field *f) {
    return d->bare && d->digits && !d->padded && !(f->quoted && *f->text == '+');
}

bool wfi_field_is_integer(const wfi_field *f) {
    decimal d = decimal_of(f);
    return is_plain(&d, f) && !d.point;
}

bool wfi_field_is_padded(const wfi_field *f) {
    decimal d = decimal_of(f);
    return !f->quoted && d.bare && d.padded && !d.point;
}

bool wfi_field_is_whole(const wfi_field *f) {
    decimal d = decimal_of(f);
    return is_plain(&d, f) && (!d.point || (d.after && d.zeros));
}

bool wfi_field_is_number(const wfi_field *f) {
    static const char *const words[] = {"nan", "inf", "infinity", NULL};
    decimal d = decimal_of(f);
    return d.digits + d.after ? d.all : wfi_word_among(words, f->text + d.sign, f->text + f->length) >= 0;
}

bool wfi_field_is_time(const wfi_field *f) {
    decimal d = decimal_of(f);
    return d.bare && !d.sign && d.digits >= 9 && !d.padded;
}

bool wfi_field_is_any_number(const wfi_field *f) {
    wfi_spelling unused = {0};
    return wfi_field_is_number(f) || wfi_spelling_look(&unused, f);
}

bool wfi_field_is_spelt_number(const wfi_field *f) {
    size_t digits = 0, points = 0, others = 0;
    for (size_t i = 0; i < f->length; i++) {
        char c = f->text[i];
        bool sign = (c == '-' || c == '+') && (!i || wfi_is_blank(f->text[i - 1]));
        if (sign) continue;
        if (c < '0' || c > '9') {
            if (!c || !strchr(" \t.,'", c)) return false;
            points += c == '.';
            others += c != '.';
            continue;
        }
        digits++;
    }
    return !f->quoted && digits && (others || points == 1); /* several points: an address, a version */
}

bool wfi_field_is_null(const wfi_field *f) {
    return !f->quoted && f->length == 2 && f->text[0] == '\\' && f->text[1] == 'N';
}

bool wfi_field_is_missing(const wfi_field *f) {
    static const char *const errors[] = {"#N/A", "#REF!", "#VALUE!", "#NAME?", "#DIV/0!", "#NULL!", "#NUM!"};
    if (f->quoted || f->length < 2 || *f->text != '#') return wfi_field_is_null(f);
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (f->length == strlen(errors[i]) && !memcmp(f->text, errors[i], f->length)) return true;
    return false;
}

const char *wfi_next_data_line(const char **at, const char *end, bool comments) {
    while (*at < end) {
        const char *line = *at, *stop = memchr(line, '\n', (size_t)(end - line)), *p = line;
        if (!stop) stop = end;
        *at = stop + 1;
        while (p < stop && wfi_is_blank(*p)) p++;
        if (p < stop && !(comments && (*p == '#' || *p == '%'))) return line;
    }
    return NULL;
}

/* --- the separator ------------------------------------------------------------------------- */

enum { CANDIDATES = 4, LOOKED_AT = 50 /* lines */ };
static const char candidates[CANDIDATES + 1] = "\t;|,";

/* Returns the end of the record, as far as can be told before the separator is known. */
static const char *count_separators(const char *line, const char *end, size_t count[CANDIDATES]) {
    bool quoted = false;
    const char *p = line;
    memset(count, 0, CANDIDATES * sizeof *count);
    for (; p < end && (*p != '\n' || quoted); p++) {
        if (*p == '"') quoted = !quoted;
        const char *which = quoted || !*p ? NULL : strchr(candidates, *p);
        if (which) count[which - candidates]++;
    }
    return p;
}

/* "a|b c|d": as many bars in each of several words, on this line and the next, are part of them. */
static bool bars_are_in_words(const char *line, const char *end) {
    wfi_record r = wfi_record_at(line, end, ' ');
    wfi_field f;
    size_t words = 0, each = 0;
    for (; wfi_next_field(&r, &f); words++) {
        size_t bars = 0;
        if (f.quoted) return false; /* quotes hold what is part of a word */
        for (size_t i = 0; i < f.length; i++) bars += f.text[i] == '|';
        if (words && bars != each) return false;
        each = bars;
    }
    return words > 1 && each > 0;
}

/* Numbers that blanks and tabs part, in any mixture. */
static bool is_all_numbers(const char *line, const char *end) {
    wfi_record r = wfi_record_at(line, end, ' ');
    wfi_field f;
    while (wfi_next_field(&r, &f))
        if (f.quoted || !wfi_field_is_number(&f)) return false;
    return true;
}

char wfi_find_separator(const char *text, const char *end, bool comments, bool commas) {
    size_t first[CANDIDATES] = {0}, count[CANDIDATES];
    bool steady[CANDIDATES] = {true, true, true, true};
    const char *line, *at = text, *first_line = NULL, *second_line = NULL;
    for (int lines = 0; lines < LOOKED_AT && (line = wfi_next_data_line(&at, end, comments)); lines++) {
        if (lines && at > end) break; /* perhaps cut off */
        const char *stop = count_separators(line, end, lines ? count : first);
        for (int i = 0; i < CANDIDATES && lines; i++) steady[i] = steady[i] && count[i] == first[i];
        if (!lines) first_line = line;
        if (lines == 1) second_line = line;
        if (stop >= end) break; /* the last one, or a quote that is part of a name */
        at = stop + 1;
    }
    if (!first_line) return ' ';
    if (!commas) first[3] = 0;
    bool barred = bars_are_in_words(first_line, end) && (!second_line || bars_are_in_words(second_line, end));
    if (is_all_numbers(first_line, end)) return ' ';
    for (int i = 0; i < CANDIDATES; i++)
        if (first[i] && steady[i] && (candidates[i] != '|' || !barred)) return candidates[i];
    return first[3] ? ',' : first[1] ? ';' : first[0] ? '\t' : ' ';
}
