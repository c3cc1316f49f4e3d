/* See xml_text.h.  One function tells what a character is (UTF-8 without overlong forms, and only what XML 1.0 allows),
 * for what comes in and for what goes out. */
#include "io/document/xml_text.h"
#include "stream/utf8.h"

#include <ctype.h>
#include <string.h>

#define FAIL(o, place, ...) wfi_fail_in_text((o)->ctx, (o)->source, (o)->text, (place), __VA_ARGS__)

enum { LONGEST_REFERENCE = 12 }; /* &#x0010FFFF; has 12 */

/* --- characters ---------------------------------------------------------------------- */

/* Bytes of the UTF-8 character at p; 0 if there is none. */
static size_t character_at(const char *p, const char *end, uint32_t *code) {
    size_t length = wfi_utf8_length(p, end);
    unsigned char first = (unsigned char)*p;
    *code = length < 2 ? first : first & (0xffu >> (length + 1));
    for (size_t i = 1; i < length; i++) *code = *code << 6 | ((unsigned char)p[i] & 0x3fu);
    return length;
}

static bool is_allowed(uint32_t code) {
    if (code < 0x20) return code == '\t' || code == '\n' || code == '\r';
    return code < 0xd800 || (code > 0xdfff && code < 0xfffe) || (code > 0xffff && code <= 0x10ffff);
}

static size_t put_utf8(char to[4], uint32_t code) { return (size_t)(wfi_utf8_put(to, code) - to); }

/* --- in ---------------------------------------------------------------------------------- */

static weft_status append(const wfi_xml_origin *o, wfi_xml_buffer *to, const char *text, size_t length) {
    if (WFI_ROOM(o->ctx, to->text, to->used + length, to->room, 64)) return WEFT_ENOMEM;
    memcpy(to->text + to->used, text, length);
    to->used += length;
    return WEFT_OK;
}

/* The digits of &#10; or &#x0A;, between # and ; */
static bool scan_code(const char *p, const char *end, uint32_t *code) {
    uint32_t base = *p == 'x' ? 16 : 10;
    if (base == 16) p++;
    if (p == end) return false;
    for (*code = 0; p < end; p++) {
        int c = tolower((unsigned char)*p);
        uint32_t digit = c >= '0' && c <= '9'   ? (uint32_t)(c - '0')
                         : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a') + 10
                                                : 16;
        if (digit >= base) return false;
        *code = *code * base + digit; /* ten digits wrap at worst, and what comes out is checked */
    }
    return true;
}

/* What stands between & and ;, as a character. */
static bool resolve(const char *p, const char *end, uint32_t *code) {
    static const struct {
        const char *name;
        uint32_t code;
    } known[] = {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
    if (*p == '#') return p + 1 < end && end - p <= 9 && scan_code(p + 1, end, code) && is_allowed(*code);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        *code = known[i].code;
        if (strlen(known[i].name) == (size_t)(end - p) && !memcmp(p, known[i].name, (size_t)(end - p))) return true;
    }
    return false;
}

static weft_status decode_reference(const wfi_xml_origin *o, const char **at, const char *end, wfi_xml_buffer *to) {
    const char *p = *at + 1;
    size_t look = (size_t)(end - p) < LONGEST_REFERENCE ? (size_t)(end - p) : LONGEST_REFERENCE;
    const char *stop = look ? memchr(p, ';', look) : NULL;
    uint32_t code;
    char utf8[4];
    if (stop > p && resolve(p, stop, &code)) {
        *at = stop + 1;
        return append(o, to, utf8, put_utf8(utf8, code));
    }
    if (look && *p == '#') return FAIL(o, *at, "this reference does not stand for a character that XML allows");
    if (look && isalpha((unsigned char)*p))
        return FAIL(o, *at, "an entity that is not one of the five of XML (&amp; &lt; &gt; &quot; &apos;)");
    return FAIL(o, *at, "a single &: write &amp;");
}

/* A byte beyond ASCII, or a control character. */
static weft_status decode_special(const wfi_xml_origin *o, const char **at, const char *end, wfi_xml_buffer *to) {
    uint32_t code = (unsigned char)**at;
    size_t length = o->latin1 ? 1 : character_at(*at, end, &code);
    char utf8[4];
    if (!length)
        return FAIL(o, *at,
                    "this byte (0x%02x) is not UTF-8: convert the file, or name its encoding in the first line "
                    "(<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>)",
                    (unsigned)(unsigned char)**at);
    if (!is_allowed(code)) return FAIL(o, *at, "the character U+%04X is not allowed in XML", (unsigned)code);
    *at += length;
    return append(o, to, utf8, put_utf8(utf8, code));
}

/* A tab or the end of a line, which may be CR, LF or both. */
static weft_status decode_space(const wfi_xml_origin *o, const char **at, const char *end, bool value,
                                wfi_xml_buffer *to) {
    char c = **at;
    *at += c == '\r' && *at + 1 < end && (*at)[1] == '\n' ? 2 : 1;
    return append(o, to, value ? " " : c == '\t' ? "\t" : "\n", 1);
}

weft_status wfi_xml_decode(const wfi_xml_origin *o, const char *at, size_t length, wfi_xml_kind kind,
                           wfi_xml_buffer *to) {
    const char *end = at + length;
    weft_status st = append(o, to, "", 0); /* so that there is a text, be it empty */
    if (kind == WFI_XML_BYTES) return st ? st : append(o, to, at, length);
    while (at < end && !st) {
        const char *run = at;
        while (at < end && (unsigned char)*at >= 0x20 && (unsigned char)*at < 0x80 &&
               (*at != '&' || kind == WFI_XML_PLAIN))
            at++;
        if (at > run) st = append(o, to, run, (size_t)(at - run));
        if (st || at == end) break;
        if (*at == '&')
            st = decode_reference(o, &at, end, to);
        else if (*at == '\t' || *at == '\n' || *at == '\r')
            st = decode_space(o, &at, end, kind == WFI_XML_VALUE, to);
        else
            st = decode_special(o, &at, end, to);
    }
    return st;
}

/* --- out ------------------------------------------------------------------------------- */

void wfi_xml_write(wfi_sink *sink, const char *text, size_t length, bool ascii) {
    const char *end = text + length;
    while (text < end) {
        uint32_t code;
        size_t bytes = character_at(text, end, &code);
        if (*text == '&')
            wfi_sink_text(sink, "&amp;");
        else if (*text == '"')
            wfi_sink_text(sink, "&quot;");
        else if (!ascii && (*text == '<' || *text == '>'))
            wfi_sink_text(sink, *text == '<' ? "&lt;" : "&gt;");
        else if (bytes && (code < 0x20 || code == 0x7f || (ascii && code > 0x7f)))
            wfi_sink_print(sink, "&#%u;", (unsigned)code);
        else
            wfi_sink_bytes(sink, text, bytes ? bytes : 1);
        text += bytes ? bytes : 1;
    }
}

const char *wfi_xml_unfit(const char *p, const char *end) {
    while (p < end) {
        uint32_t code;
        size_t length = character_at(p, end, &code);
        if (!length || !is_allowed(code)) return p;
        p += length;
    }
    return NULL;
}

void wfi_xml_write_id(const weft_graph *g, weft_vid v, wfi_sink *sink) {
    wfi_sink_char(sink, '"');
    if (g->ids.kind == WEFT_IDS_STRING)
        wfi_xml_write(sink, g->ids.text + g->ids.start[v], (size_t)(g->ids.start[v + 1] - g->ids.start[v]), false);
    else
        wfi_sink_i64(sink, weft_graph_id(g, v));
    wfi_sink_char(sink, '"');
}
