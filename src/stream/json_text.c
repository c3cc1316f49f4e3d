/* See json_text.h. Strings are scanned in words of eight bytes. Escapes are checked during the scan and decoded on
 * request only. Common mistakes (NaN, single quotes, True) have messages of their own. */
#include "stream/json_text.h"
#include "stream/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { POLL_TOKENS = 8192, POLL_BYTES = 1 << 20 };

static bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }
static bool is_digit(char c) { return (unsigned char)(c - '0') <= 9; }

static const char *skip_space(const char *p, const char *end) {
    while (p < end && is_space(*p)) p++;
    return p;
}

const char *wfi_json_start(const char *text, const char *end) {
    if (end - text >= 3 && !memcmp(text, "\xef\xbb\xbf", 3)) text += 3;
    return skip_space(text, end);
}

const char *wfi_json_kind_name(wfi_json_kind kind) {
    static const char *const names[] = {"nothing",  "an object", "an array", "a string",
                                        "a number", "true",      "false",    "null"};
    return names[kind];
}

weft_status wfi_json_wrongf(wfi_json *j, const char *at, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(j->message, sizeof j->message, format, args);
    va_end(args);
    return wfi_json_wrong(j, at, j->message);
}

/* Fails at a place where the text ends too early or continues with a wrong character. */
static weft_status unexpected(wfi_json *j, const char *at, const char *why) {
    if (at < j->end) return wfi_json_wrong(j, at, why);
    return wfi_json_wrong(j, j->end,
                          j->line ? "the line ends inside a value (one object or array per line is expected)"
                                  : "the file ends inside a value");
}

static weft_status poll(wfi_json *j) { return j->poll ? j->poll(j) : WEFT_OK; }

/* --- values -------------------------------------------------------------------------------- */

static bool is_hex(char c) { return is_digit(c) || (unsigned char)((c | 0x20) - 'a') < 6; }

/* True if none of eight bytes is a quote, a backslash or a control character. */
static bool all_plain(const char *p) {
    const uint64_t ones = UINT64_C(0x0101010101010101), tops = UINT64_C(0x8080808080808080);
    uint64_t x;
    memcpy(&x, p, sizeof x);
    uint64_t quote = x ^ ones * '"', slash = x ^ ones * '\\';
    return !((((quote - ones) & ~quote) | ((slash - ones) & ~slash) | ((x - ones * 0x20) & ~x)) & tops);
}

/* Returns the end of the escape sequence that begins at p, or NULL if it is not valid. */
static const char *after_escape(const char *p, const char *end) {
    if (end - p < 2 || !memchr("\"\\/bfnrtu", p[1], 9)) return NULL;
    if (p[1] != 'u') return p + 2;
    return end - p >= 6 && is_hex(p[2]) && is_hex(p[3]) && is_hex(p[4]) && is_hex(p[5]) ? p + 6 : NULL;
}

/* Needs j->p after the opening quote. */
static weft_status take_string(wfi_json *j, wfi_json_value *v) {
    const char *p = j->p, *end = j->end, *polled = p;
    *v = (wfi_json_value){.kind = WFI_JSON_STRING, .at = p};
    for (;;) {
        while (end - p >= 8 && all_plain(p)) {
            p += 8;
            if (p - polled < POLL_BYTES) continue;
            weft_status st = poll(j);
            if (st) return st;
            polled = p;
        }
        while (p < end && *p != '"' && *p != '\\' && (unsigned char)*p >= 0x20) p++;
        if (p >= end) return wfi_json_wrong(j, v->at - 1, "this string has no closing quote");
        if (*p == '"') break;
        if (*p != '\\')
            return wfi_json_wrong(j, p,
                                  *p == '\n' ? "a line end in a string, which JSON writes as \\n"
                                             : "a control character in a string, which JSON writes as \\u00..");
        const char *next = after_escape(p, end);
        if (!next) return wfi_json_wrong(j, p, "a backslash in a string that begins no escape of JSON");
        v->escaped = true;
        p = next;
    }
    v->end = p;
    j->p = p + 1;
    return WEFT_OK;
}

static weft_status take_number(wfi_json *j, wfi_json_value *v) {
    static const char why[] = "this is not a number as JSON writes it";
    const char *p = j->p, *end = j->end;
    *v = (wfi_json_value){.kind = WFI_JSON_NUMBER, .integer = true, .at = p};
    if (*p == '-') p++;
    if (p < end && *p == 'I') return wfi_json_wrong(j, v->at, "-Infinity is not a number in JSON");
    if (p >= end || !is_digit(*p)) return wfi_json_wrong(j, v->at, why);
    if (*p == '0' && p + 1 < end && is_digit(p[1]))
        return wfi_json_wrong(j, v->at, "a number that begins with 0, which JSON does not allow (a name needs quotes)");
    while (p < end && is_digit(*p)) p++;
    if (p < end && *p == '.') {
        v->integer = false;
        if (++p >= end || !is_digit(*p)) return wfi_json_wrong(j, v->at, why);
        while (p < end && is_digit(*p)) p++;
    }
    if (p < end && (*p == 'e' || *p == 'E')) {
        v->integer = false;
        p++;
        if (p < end && (*p == '+' || *p == '-')) p++;
        if (p >= end || !is_digit(*p)) return wfi_json_wrong(j, v->at, why);
        while (p < end && is_digit(*p)) p++;
    }
    v->end = j->p = p;
    return WEFT_OK;
}

static bool starts(const wfi_json *j, const char *word) {
    size_t length = strlen(word);
    return (size_t)(j->end - j->p) >= length && !memcmp(j->p, word, length);
}

/* Takes true, false or null; fails on everything else. */
static weft_status take_word(wfi_json *j, wfi_json_value *v) {
    static const struct {
        const char *word;
        wfi_json_kind kind;
    } words[] = {{"true", WFI_JSON_TRUE}, {"false", WFI_JSON_FALSE}, {"null", WFI_JSON_NULL}};
    static const struct {
        const char *start, *why;
    } others[] = {
        {"NaN", "NaN is not a value in JSON (Python writes it for a number that is missing)"},
        {"nan", "NaN is not a value in JSON"},
        {"Infinity", "Infinity is not a number in JSON"},
        {"inf", "Infinity is not a number in JSON"},
        {"'", "a single quote: JSON has double quotes (Python prints single ones; json.dumps writes JSON)"},
        {"True", "True is Python: JSON has true (json.dumps writes JSON)"},
        {"False", "False is Python: JSON has false (json.dumps writes JSON)"},
        {"None", "None is Python: JSON has null (json.dumps writes JSON)"},
        {"undefined", "undefined is not a value in JSON"},
        {"/", "a comment, which JSON does not allow"},
        {"]", "a ] where a value was expected (a comma before it?)"},
        {"}", "a } where a value was expected (a comma before it?)"},
        {"+", "a number with a plus sign, which JSON does not allow"},
        {".", "a number that begins with a point, which JSON does not allow"},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (starts(j, words[i].word)) {
            *v = (wfi_json_value){.kind = words[i].kind, .at = j->p, .end = j->p + strlen(words[i].word)};
            j->p = v->end;
            return WEFT_OK;
        }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (starts(j, others[i].start)) return wfi_json_wrong(j, j->p, others[i].why);
    return unexpected(j, j->p, "expected a value: a number, a string in double quotes, an object or an array");
}

weft_status wfi_json_next(wfi_json *j, wfi_json_value *v) {
    j->p = skip_space(j->p, j->end);
    char c = j->p < j->end ? *j->p : '\0';
    if (is_digit(c) || c == '-') return take_number(j, v);
    if (c == '"') {
        j->p++;
        return take_string(j, v);
    }
    if (c == '{' || c == '[') {
        *v = (wfi_json_value){.kind = c == '{' ? WFI_JSON_OBJECT : WFI_JSON_ARRAY, .at = j->p, .end = j->p + 1};
        j->p++;
        return WEFT_OK;
    }
    return take_word(j, v);
}

/* --- objects and arrays ----------------------------------------------------------------------- */

weft_status wfi_json_key(wfi_json *j, bool *first, wfi_json_value *key) {
    const char *p = skip_space(j->p, j->end);
    *key = (wfi_json_value){.at = p};
    if (p < j->end && *p == '}') {
        j->p = p + 1;
        return WEFT_OK;
    }
    if (!*first) {
        if (p >= j->end || *p != ',') return unexpected(j, p, "expected a comma or } here");
        p = skip_space(p + 1, j->end);
    }
    *first = false;
    if (p >= j->end || *p != '"')
        return unexpected(
            j, p,
            p < j->end && *p == '\''
                ? "a single quote: JSON has double quotes (Python prints single ones; json.dumps writes JSON)"
            : p < j->end && *p == '}' ? "a comma before }, which JSON does not allow"
                                      : "expected a key in double quotes");
    j->p = p + 1;
    weft_status st = take_string(j, key);
    if (st) return st;
    p = skip_space(j->p, j->end);
    if (p >= j->end || *p != ':') return unexpected(j, p, "expected a colon after the key");
    j->p = p + 1;
    return WEFT_OK;
}

weft_status wfi_json_item(wfi_json *j, bool *first, wfi_json_value *v) {
    const char *p = skip_space(j->p, j->end);
    *v = (wfi_json_value){.at = p};
    if (p < j->end && *p == ']') {
        j->p = p + 1;
        return WEFT_OK;
    }
    if (!*first) {
        if (p >= j->end || *p != ',') return unexpected(j, p, "expected a comma or ] here");
        p++;
    }
    *first = false;
    j->p = p;
    return wfi_json_next(j, v);
}

weft_status wfi_json_skip(wfi_json *j, const wfi_json_value *opened) {
    unsigned char objects[WFI_JSON_DEEPEST / 8 + 1]; /* bit d: the value open at depth d is an object */
    unsigned depth = 0, tokens = 0;
    bool first = true;
    wfi_json_value v = *opened, key;
    for (;;) {
        if (v.kind == WFI_JSON_OBJECT || v.kind == WFI_JSON_ARRAY) {
            if (++depth > WFI_JSON_DEEPEST) return wfi_json_wrong(j, v.at, "nested deeper than 10000 levels");
            unsigned char bit = (unsigned char)(1u << depth % 8), *byte = &objects[depth / 8];
            *byte = (unsigned char)(v.kind == WFI_JSON_OBJECT ? *byte | bit : *byte & ~bit);
            first = true;
        }
        if (!depth) return WEFT_OK;
        weft_status st = ++tokens % POLL_TOKENS ? WEFT_OK : poll(j);
        if (st) return st;
        bool in_object = objects[depth / 8] >> depth % 8 & 1;
        st = in_object ? wfi_json_key(j, &first, &key) : wfi_json_item(j, &first, &v);
        if (!st && in_object) {
            v = key;
            if (key.kind) st = wfi_json_next(j, &v);
        }
        if (st) return st;
        if (v.kind) continue;
        depth--; /* the closed value is an item of the enclosing one */
        first = false;
    }
}

weft_status wfi_json_finish(wfi_json *j) {
    j->p = skip_space(j->p, j->end);
    if (j->p == j->end) return WEFT_OK;
    return wfi_json_wrong(j, j->p,
                          j->line ? "more text after the value on this line: one object or array per line is expected"
                                  : "more text after the end of the value");
}

/* --- text -------------------------------------------------------------------------------------- */

static const char *not_utf8(const char *p, const char *end) {
    while (p < end) {
        if (end - p >= 8) {
            uint64_t x;
            memcpy(&x, p, sizeof x);
            if (!(x & UINT64_C(0x8080808080808080))) {
                p += 8;
                continue;
            }
        }
        size_t length = wfi_utf8_length(p, end);
        if (!length) return p;
        p += length;
    }
    return NULL;
}

static unsigned hex4(const char *p) {
    unsigned x = 0;
    for (int i = 0; i < 4; i++) x = x * 16 + (unsigned)(is_digit(p[i]) ? p[i] - '0' : (p[i] | 0x20) - 'a' + 10);
    return x;
}

/* Decodes the escape at p, which take_string has checked, into *c and sets *next to its end. False for an unpaired
 * surrogate. */
static bool undo(const char *p, const char *end, const char **next, uint32_t *c) {
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    if (p[1] != 'u') {
        *c = (unsigned char)to[strchr(from, p[1]) - from];
        *next = p + 2;
        return true;
    }
    *c = hex4(p + 2);
    *next = p + 6;
    if (*c < 0xd800 || *c > 0xdfff) return true;
    if (*c >= 0xdc00 || end - p < 12 || p[6] != '\\' || p[7] != 'u') return false;
    uint32_t low = hex4(p + 8);
    if (low < 0xdc00 || low > 0xdfff) return false;
    *c = 0x10000 + ((*c - 0xd800) << 10) + (low - 0xdc00);
    *next = p + 12;
    return true;
}

weft_status wfi_json_check(wfi_json *j, const wfi_json_value *v) {
    const char *bad = not_utf8(v->at, v->end);
    if (!bad) return WEFT_OK;
    return wfi_json_wrong(j, bad, "this is not UTF-8, which JSON must be (iconv -f LATIN1 -t UTF-8 converts)");
}

weft_status wfi_json_unescape(wfi_json *j, const wfi_json_value *v, char *buffer, size_t *length) {
    char *to = buffer;
    for (const char *p = v->at; p < v->end;) {
        uint32_t c;
        if (*p != '\\') {
            *to++ = *p++;
            continue;
        }
        const char *at = p;
        if (!undo(p, v->end, &p, &c))
            return wfi_json_wrong(j, at,
                                  "an unpaired surrogate, which is not a character (\\ud83d needs \\ude00 after it)");
        if (!c) return wfi_json_wrong(j, at, "the character U+0000, which a name cannot have");
        to = wfi_utf8_put(to, c);
    }
    *length = (size_t)(to - buffer);
    return WEFT_OK;
}

bool wfi_json_is(const wfi_json_value *key, const char *word, size_t length) {
    if (!key->escaped) return (size_t)(key->end - key->at) == length && !memcmp(key->at, word, length);
    const char *p = key->at, *stop = word + length;
    while (p < key->end) {
        char bytes[4] = {*p}, *end = bytes + 1;
        const char *next = p + 1;
        uint32_t c;
        if (*p == '\\') {
            if (!undo(p, key->end, &next, &c)) return false;
            end = wfi_utf8_put(bytes, c);
        }
        if (stop - word < end - bytes || memcmp(word, bytes, (size_t)(end - bytes))) return false;
        word += end - bytes;
        p = next;
    }
    return word == stop;
}

static bool is_plain(unsigned char c) { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\'; }

void wfi_json_put_string(void (*put)(void *to, const char *data, size_t bytes), void *to, const char *text,
                         size_t bytes) {
    const char *end = text + bytes;
    put(to, "\"", 1);
    while (text < end) {
        const char *p = text;
        size_t length = 1;
        while (p < end &&
               (is_plain((unsigned char)*p) || ((unsigned char)*p >= 0x80 && (length = wfi_utf8_length(p, end)) > 0))) {
            p += length;
            length = 1;
        }
        if (p > text) put(to, text, (size_t)(p - text));
        if (p == end) break;
        unsigned char c = (unsigned char)*p;
        const char *known = c ? strchr("\"\"\\\\\nn\tt\rr", c) : NULL;
        char escape[8];
        int used = known ? snprintf(escape, sizeof escape, "\\%c", known[1])
                         : snprintf(escape, sizeof escape, "\\u%04x", c < 0x80 ? c : 0xdc00u + c);
        put(to, escape, (size_t)used);
        text = p + 1;
    }
    put(to, "\"", 1);
}
