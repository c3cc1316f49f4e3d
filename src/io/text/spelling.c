/* See spelling.h. */
#include "io/text/spelling.h"

#include <string.h>

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static size_t digits_at(const char *p, const char *end) {
    const char *start = p;
    while (p < end && is_digit(*p)) p++;
    return (size_t)(p - start);
}

/* The digits before the decimal sign, in threes where a sign is between them. */
static const char *take_whole(const char *p, const char *end, char decimal, char **to) {
    size_t first = digits_at(p, end);
    memcpy(*to, p, first);
    *to += first;
    const char *start = p, sign = p + first < end ? p[first] : '\0';
    p += first;
    if ((sign != '\'' && sign != (decimal == '.' ? ',' : '.')) || !first || first > 3 || *start == '0') return p;
    while (p < end && *p == sign && digits_at(p + 1, end) == 3) {
        memcpy(*to, p + 1, 3);
        *to += 3;
        p += 4;
    }
    return p;
}

bool wfi_respell(const wfi_field *f, char decimal, char to[WFI_NUMBER_ROOM]) {
    const char *p = f->text, *end = p + f->length;
    if (!f->length || f->length >= WFI_NUMBER_ROOM) return false;
    if (*p == '-' || *p == '+') *to++ = *p++;
    const char *start = p;
    p = take_whole(p, end, decimal, &to);
    bool any = p > start;
    if (p < end && *p == decimal) {
        size_t more = digits_at(p + 1, end);
        *to++ = '.';
        memcpy(to, p + 1, more);
        to += more;
        p += 1 + more;
        any = any || more;
    }
    if (any && p < end && (*p | 32) == 'e') {
        const char *digits = p + 1 + (p + 1 < end && (p[1] == '-' || p[1] == '+'));
        size_t more = digits_at(digits, end);
        if (!more) return false;
        memcpy(to, p, (size_t)(digits + more - p));
        to += digits + more - p;
        p = digits + more;
    }
    *to = '\0';
    return any && p == end;
}

bool wfi_spelling_look(wfi_spelling *s, const wfi_field *f) {
    char with_point[WFI_NUMBER_ROOM], with_comma[WFI_NUMBER_ROOM];
    bool point = wfi_respell(f, '.', with_point), comma = wfi_respell(f, ',', with_comma);
    if (!point && !comma) return false;
    s->not_point = s->not_point || !point;
    s->not_comma = s->not_comma || !comma;
    if (!s->place && (!point || (comma && strcmp(with_point, with_comma)))) s->place = f->text;
    if (!point || !comma || !strcmp(with_point, with_comma)) return true;
    s->dots = s->dots || memchr(f->text, '.', f->length);
    s->commas = s->commas || memchr(f->text, ',', f->length);
    return true;
}

char wfi_spelling_decide(const wfi_spelling *s, char separator, bool *known, const char **why) {
    /* Which separate where a comma is the decimal sign, and it alone is taken for one */
    bool german = separator == ';';
    *why = NULL;
    *known = s->not_point != s->not_comma;
    if (s->not_point && s->not_comma)
        *why = "weights with a decimal comma and weights with a decimal point in one column";
    else if (s->not_point && !german)
        *why = "weights with a decimal comma";
    else if (!s->not_point && !s->not_comma && s->commas && !german)
        *why = "weights such as 1,234: with thousands, or with a decimal comma?";
    else if (!s->not_point && !s->not_comma && s->dots && german)
        *why = "weights such as 1.234: with thousands, or with a decimal point?";
    if (*why) return '\0';
    return s->not_point || (german && !s->not_comma) ? ',' : '.';
}
