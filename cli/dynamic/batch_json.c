/* A change as a line of JSON: {"op": "+", "source": "a", "target": "b", "weight": 2}, keys in any order.  Text loses
 * its escapes in r->word; numbers stay in the line.  What is no JSON is refused where it stops being some. */
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

/* After the backslash; *at moves behind the escape.  False: there is no such escape. */
static bool read_escape(const char *line, size_t length, size_t *at, char *to, size_t *used) {
    static const char signs[] = "\"\\/bfnrt", means[] = "\"\\/\b\f\n\r\t";
    const char *sign = *at < length && line[*at] ? strchr(signs, line[*at]) : NULL;
    uint32_t c, low;
    if (sign) {
        to[(*used)++] = means[sign - signs];
        ++*at;
        return true;
    }
    if (*at >= length || line[*at] != 'u' || !read_hex(line, length, *at + 1, &c)) return false;
    *at += 5;
    if (c >= 0xd800 && c < 0xdc00) {
        if (*at + 1 >= length || line[*at] != '\\' || line[*at + 1] != 'u' || !read_hex(line, length, *at + 2, &low) ||
            low < 0xdc00 || low > 0xdfff)
            return false;
        c = 0x10000 + (c - 0xd800) * 0x400 + (low - 0xdc00);
        *at += 6;
    } else if (c >= 0xdc00 && c < 0xe000) {
        return false;
    }
    *used += put_utf8(to + *used, c);
    return true;
}

/* "text" at *at, into the room from `used` on, with a zero behind it. */
static batch_line_is read_string(batch_reader *r, const char *line, size_t length, size_t *at, size_t *used,
                                 batch_field *f, batch_mistake *wrong) {
    size_t begin = *at;
    *f = (batch_field){r->word + *used, 0, begin, true};
    for (++*at; *at < length && line[*at] != '"';) {
        if ((unsigned char)line[*at] < 0x20)
            return batch_fail(wrong, *at, "a control character in a text, which JSON writes as \\u00..");
        if (line[*at] != '\\') {
            size_t bytes = utf8_length((const unsigned char *)line + *at);
            if (!bytes) return batch_fail(wrong, *at, "this is not UTF-8, which JSON must be");
            memcpy(r->word + *used, line + *at, bytes);
            *used += bytes;
            *at += bytes;
            continue;
        }
        ++*at;
        if (!read_escape(line, length, at, r->word, used))
            return batch_fail(wrong, *at - 1, "there is no such escape in JSON");
    }
    if (*at >= length) return batch_fail(wrong, begin, "this text has no end");
    ++*at;
    f->length = (size_t)(r->word + *used - f->text);
    r->word[(*used)++] = 0;
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

static batch_line_is read_number_text(const char *line, size_t *at, batch_field *f, batch_mistake *wrong) {
    *f = (batch_field){line + *at, 0, *at, false};
    if (!*f->text || !strchr("0123456789+-.", *f->text))
        return batch_fail(wrong, f->at, "expected a number, or text in quotes");
    f->length = strspn(f->text, "0123456789+-.eE");
    if (number_length(f->text) != f->length)
        return batch_fail(wrong, f->at, "'%.*s' is not a number as JSON writes it", batch_shown(f), f->text);
    *at += f->length;
    return BATCH_CHANGE;
}

batch_line_is batch_read_json(batch_reader *r, const char *line, size_t length, batch_mistake *wrong) {
    batch_field f[BATCH_FIELDS] = {{NULL, 0, 0, false}};
    size_t at = 0, used = 0;
    if (!batch_word_room(r, length + 8)) return BATCH_NO_MEMORY;
    for (int i = 0; i < BATCH_FIELDS; i++) f[i].at = length;
    batch_skip_blanks(line, length, &at);
    if (at == length || line[at] != '{') return batch_fail(wrong, at, "expected an object: {\"op\": ...}");
    for (char sign = '{'; sign != '}';) {
        batch_field name;
        ++at;
        batch_skip_blanks(line, length, &at);
        if (at == length || line[at] != '"') return batch_fail(wrong, at, "expected a name in quotes");
        batch_line_is is = read_string(r, line, length, &at, &used, &name, wrong);
        if (is != BATCH_CHANGE) return is;
        int which = batch_field_named(&name);
        if (which < 0)
            return batch_fail(wrong, name.at, "'%.*s' is none of op, source, target and weight", batch_shown(&name),
                              name.text);
        if (f[which].text) return batch_fail(wrong, name.at, "%.*s is there twice", batch_shown(&name), name.text);
        batch_skip_blanks(line, length, &at);
        if (at == length || line[at] != ':') return batch_fail(wrong, at, "expected :");
        ++at;
        batch_skip_blanks(line, length, &at);
        bool is_text = line[at] == '"';
        if (which == BATCH_OP && !is_text) return batch_fail(wrong, at, "an op is text in quotes: \"+\"");
        is = is_text ? read_string(r, line, length, &at, &used, &f[which], wrong)
                     : read_number_text(line, &at, &f[which], wrong);
        if (is != BATCH_CHANGE) return is;
        batch_skip_blanks(line, length, &at);
        sign = at < length ? line[at] : 0;
        if (sign != ',' && sign != '}') return batch_fail(wrong, at, "expected , or }");
    }
    ++at;
    batch_skip_blanks(line, length, &at);
    if (at < length) return batch_fail(wrong, at, "expected nothing after the object");
    if (f[BATCH_WEIGHT].quoted) return batch_fail(wrong, f[BATCH_WEIGHT].at, "a weight is a number");
    return batch_add(r, f, wrong);
}
