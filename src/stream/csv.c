/* See csv.h. */
#include "stream/csv.h"

#include <string.h>

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
static bool is_blank_for(char c, char separator) { return is_blank(c) && (c != separator || separator == ' '); }

/* Needs r->p at an opening quote. Sets *f and moves r->p past the closing quote and the blanks after it. */
static void take_quoted(wfi_record *r, wfi_field *f) {
    const char *start = r->p + 1, *p = start;
    for (;;) {
        const char *quote = memchr(p, '"', (size_t)(r->end - p));
        if (!quote) {
            *f = (wfi_field){start, (size_t)(r->end - start), true, true, NULL};
            r->p = r->end;
            return;
        }
        p = quote + 1;
        if (p >= r->end || *p != '"') break;
        p++;
    }
    *f = (wfi_field){start, (size_t)(p - 1 - start), true, false, NULL};
    const char *after = p;
    while (after < r->end && is_blank_for(*after, r->separator)) after++;
    bool parted = after >= r->end || *after == '\n' || *after == r->separator || (r->separator == ' ' && after > p);
    if (!parted) f->junk = after;
    r->p = after;
}

static void take_plain(wfi_record *r, wfi_field *f) {
    const char *p = r->p, *start = p;
    char separator = r->separator;
    if (separator == ' ')
        while (!is_blank(*p) && *p != '\n') p++;
    else
        while (*p != separator && *p != '\n') p++;
    r->p = p;
    if (separator != ' ')
        while (p > start && is_blank(p[-1])) p--;
    *f = (wfi_field){start, (size_t)(p - start), false, false, NULL};
}

bool wfi_next_field(wfi_record *r, wfi_field *f) {
    while (r->p < r->end && (is_blank_for(*r->p, r->separator) || (r->runs && *r->p == r->separator))) r->p++;
    bool over = r->p >= r->end || *r->p == '\n';
    if (over && (r->runs || !r->more)) return false;
    if (!over && *r->p == '"')
        take_quoted(r, f);
    else
        take_plain(r, f);
    r->more = false;
    if (r->separator != ' ' && r->p < r->end && *r->p == r->separator) {
        r->p++;
        r->more = true;
    }
    return true;
}

const char *wfi_next_record(wfi_record *r) {
    wfi_field f;
    while (wfi_next_field(r, &f)) {
        if (f.junk) r->p = f.junk + 1;
        r->open = r->open || f.open;
    }
    return r->p < r->end ? r->p + 1 : r->end;
}

size_t wfi_unquote(const wfi_field *f, char *buffer) {
    size_t used = 0;
    for (size_t i = 0; i < f->length; i++) {
        buffer[used++] = f->text[i];
        if (f->quoted && f->text[i] == '"') i++;
    }
    return used;
}

void wfi_csv_put_quoted(void (*put)(void *to, const char *data, size_t bytes), void *to, const char *text,
                        size_t length) {
    put(to, "\"", 1);
    for (const char *end = text + length, *quote; text < end; text = quote + 1) {
        quote = memchr(text, '"', (size_t)(end - text));
        if (!quote) {
            put(to, text, (size_t)(end - text));
            break;
        }
        put(to, text, (size_t)(quote + 1 - text));
        put(to, "\"", 1);
    }
    put(to, "\"", 1);
}
