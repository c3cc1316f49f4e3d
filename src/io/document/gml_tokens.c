/* See gml_tokens.h.  A token is found from where it begins; nothing is kept between two of them. */
#include "io/document/gml_tokens.h"

#include <ctype.h>
#include <string.h>

static const char *skip_space(const char *p, const char *end) {
    while (p < end && (isspace((unsigned char)*p) || *p == '#')) {
        if (*p == '#')
            while (p < end && *p != '\n') p++;
        else
            p++;
    }
    return p;
}

wfi_gml_token wfi_gml_next(const char *p, const char *end) {
    p = skip_space(p, end);
    wfi_gml_token t = {WFI_GML_UNKNOWN, p, p};
    if (p >= end) {
        t.kind = WFI_GML_END;
    } else if (*p == '[' || *p == ']') {
        t.kind = *p == '[' ? WFI_GML_OPEN : WFI_GML_CLOSE;
        t.end = p + 1;
    } else if (*p == '"') {
        const char *close = memchr(p + 1, '"', (size_t)(end - p - 1));
        t.kind = close ? WFI_GML_STRING : WFI_GML_UNKNOWN;
        t.end = close ? close + 1 : end;
    } else if (isalpha((unsigned char)*p) || *p == '_') {
        t.kind = WFI_GML_KEY;
        while (t.end < end && (isalnum((unsigned char)*t.end) || *t.end == '_')) t.end++;
    } else if (*p == '+' || *p == '-' || *p == '.' || isdigit((unsigned char)*p)) {
        t.kind = WFI_GML_NUMBER;
        while (t.end < end && (isalnum((unsigned char)*t.end) || strchr("+-.", *t.end)) && *t.end) t.end++;
    }
    return t;
}

bool wfi_gml_is(wfi_gml_token t, const char *word) {
    size_t length = strlen(word);
    return t.kind == WFI_GML_KEY && (size_t)(t.end - t.at) == length && !memcmp(t.at, word, length);
}
