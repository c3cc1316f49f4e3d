/* A change as a line of JSON: {"op": "+", "source": "a", "target": "b", "weight": 2}, keys in any order.  Text loses
 * its escapes in r->word; numbers stay in the line.  A syntax error is reported at its position. */
#include "dynamic/batch_fields.h"
#include "utf8.h"

#include <string.h>

static size_t put_utf8(char *to, uint32_t c) {
    if (c < 0x80) return to[0] = (char)c, 1;
    if (c < 0x800) return to[0] = (char)(0xc0 | c >> 6), to[1] = (char)(0x80 | (c & 63)), 2;
    size_t n = c < 0x10000 ? 3 : 4;
    to[0] = (char)(n == 3 ? 0xe0 | c >> 12 : 0xf0 | c >> 18);
    for (size_t i = 1; i < n; i++) to[i] = (char)(0x80 | (c >> 6 * (n - 1 - i) & 63));
    return n;
}

static bool read_hex(const char *line, size_t length, size_t at, uint32_t *c) {
    *c = 0;
    if (at + 4 > length) return false;
    for (size_t i = at; i < at + 4; i++) {
        const char *digits = "0123456789abcdefABCDEF", *d = line[i] ? strchr(digits, line[i]) : NULL;
        if (!d) return false;
        *c = *c * 16 + (uint32_t)(d - digits < 16 ? d - digits : d - digits - 6);
    }
    return true;
}

/* After the backslash; s->at moves behind the escape.  False: there is no such escape. */
static bool read_escape(batch_scan *s) {
    static const char signs[] = "\"\\/bfnrt", means[] = "\"\\/\b\f\n\r\t";
    const char *line = s->line, *sign = !batch_at_end(s) && line[s->at] ? strchr(signs, line[s->at]) : NULL;
    uint32_t c, low;
    if (sign) {
        s->r->word[s->used++] = means[sign - signs];
        s->at++;
        return true;
    }
    if (batch_at_end(s) || line[s->at] != 'u' || !read_hex(line, s->length, s->at + 1, &c)) return false;
    s->at += 5;
    if (c >= 0xd800 && c < 0xdc00) {
        if (s->at + 1 >= s->length || line[s->at] != '\\' || line[s->at + 1] != 'u' ||
            !read_hex(line, s->length, s->at + 2, &low) || low < 0xdc00 || low > 0xdfff)
            return false;
        c = 0x10000 + (c - 0xd800) * 0x400 + (low - 0xdc00);
        s->at += 6;
    } else if (c >= 0xdc00 && c < 0xe000) {
        return false;
    }
    s->used += put_utf8(s->r->word + s->used, c);
    return true;
}

/* "text" at s->at; s->at moves behind it. */
static batch_line_is read_string(batch_scan *s, batch_field *f) {
    char *word = s->r->word;
    size_t begin = s->at;
    *f = (batch_field){word + s->used, 0, begin, true};
    for (s->at++; !batch_at_end(s) && s->line[s->at] != '"';) {
        if ((unsigned char)s->line[s->at] < 0x20)
            return batch_fail(s->wrong, s->at, "a control character in a text, which JSON writes as \\u00..");
        if (s->line[s->at] != '\\') {
            size_t bytes = utf8_length((const unsigned char *)s->line + s->at);
            if (!bytes) return batch_fail(s->wrong, s->at, "this is not UTF-8, which JSON must be");
            memcpy(word + s->used, s->line + s->at, bytes);
            s->used += bytes;
            s->at += bytes;
            continue;
        }
        s->at++;
        if (!read_escape(s)) return batch_fail(s->wrong, s->at - 1, "there is no such escape in JSON");
    }
    if (batch_at_end(s)) return batch_fail(s->wrong, begin, "this text has no end");
    s->at++;
    f->length = (size_t)(word + s->used - f->text);
    word[s->used++] = 0;
    return BATCH_CHANGE;
}

static size_t digits(const char *p) { return strspn(p, "0123456789"); }

/* Bytes of the number at p as JSON writes them, without a plus or a 0 before its digits; 0: there is none. */
static size_t number_length(const char *p) {
    size_t at = *p == '-', whole = digits(p + at);
    if (!whole || (whole > 1 && p[at] == '0')) return 0;
    at += whole;
    if (p[at] == '.') {
        size_t fraction = digits(p + at + 1);
        if (!fraction) return 0;
        at += 1 + fraction;
    }
    if (p[at] == 'e' || p[at] == 'E') {
        at += p[at + 1] == '+' || p[at + 1] == '-' ? 2 : 1;
        size_t exponent = digits(p + at);
        if (!exponent) return 0;
        at += exponent;
    }
    return at;
}

static batch_line_is read_number_text(batch_scan *s, batch_field *f) {
    *f = (batch_field){s->line + s->at, 0, s->at, false};
    if (!*f->text || !strchr("0123456789+-.", *f->text))
        return batch_fail(s->wrong, f->at, "expected a number, or text in quotes");
    f->length = strspn(f->text, "0123456789+-.eE");
    if (number_length(f->text) != f->length)
        return batch_fail(s->wrong, f->at, "'%.*s' is not a number as JSON writes it", batch_shown(f), f->text);
    s->at += f->length;
    return BATCH_CHANGE;
}

/* The next sign that is no blank; 0 at the end. */
static char next_sign(batch_scan *s) {
    batch_skip_blanks(s);
    return batch_at_end(s) ? 0 : s->line[s->at];
}

batch_line_is batch_read_json(batch_scan *s) {
    batch_field f[BATCH_FIELDS] = {{NULL, 0, 0, false}};
    for (int i = 0; i < BATCH_FIELDS; i++) f[i].at = s->length;
    if (next_sign(s) != '{') return batch_fail(s->wrong, s->at, "expected an object: {\"op\": ...}");
    for (char sign = '{'; sign != '}';) {
        batch_field name;
        s->at++;
        if (next_sign(s) != '"') return batch_fail(s->wrong, s->at, "expected a name in quotes");
        batch_line_is is = read_string(s, &name);
        if (is != BATCH_CHANGE) return is;
        int which = batch_field_named(&name);
        if (which < 0)
            return batch_fail(s->wrong, name.at, "'%.*s' is none of op, source, target and weight", batch_shown(&name),
                              name.text);
        if (f[which].text) return batch_fail(s->wrong, name.at, "%.*s is there twice", batch_shown(&name), name.text);
        if (next_sign(s) != ':') return batch_fail(s->wrong, s->at, "expected :");
        s->at++;
        bool is_text = next_sign(s) == '"';
        if (which == BATCH_OP && !is_text) return batch_fail(s->wrong, s->at, "an op is text in quotes: \"+\"");
        is = is_text ? read_string(s, &f[which]) : read_number_text(s, &f[which]);
        if (is != BATCH_CHANGE) return is;
        sign = next_sign(s);
        if (sign != ',' && sign != '}') return batch_fail(s->wrong, s->at, "expected , or }");
    }
    s->at++;
    batch_skip_blanks(s);
    if (!batch_at_end(s)) return batch_fail(s->wrong, s->at, "expected nothing after the object");
    if (f[BATCH_WEIGHT].quoted) return batch_fail(s->wrong, f[BATCH_WEIGHT].at, "a weight is a number");
    return batch_add(s->r, f, s->wrong);
}
