/* See xml.h.  The text is walked once, from < to <; the names of the open elements stand on a stack of fixed size. */
#include "io/document/xml.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

enum { SHOWN = 40, POLL_BYTES = 1 << 20, DOCTYPE_BYTES = 1 << 16 };

static int shown(wfi_xml_span s) { return s.length < SHOWN ? (int)s.length : SHOWN; }

static bool is_white(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static const char *after_white(const char *p, const char *end) {
    while (p < end && is_white(*p)) p++;
    return p;
}

static bool starts_name(char c) {
    return isalpha((unsigned char)c) || c == '_' || c == ':' || (unsigned char)c >= 0x80;
}

static const char *after_name(const char *p, const char *end) {
    if (p == end || !starts_name(*p)) return p;
    while (p < end && (starts_name(*p) || isdigit((unsigned char)*p) || *p == '-' || *p == '.')) p++;
    return p;
}

static bool same(wfi_xml_span s, const char *word) { return strlen(word) == s.length && !memcmp(s.at, word, s.length); }

static wfi_xml_span without_prefix(wfi_xml_span s) {
    const char *colon = memrchr(s.at, ':', s.length);
    size_t prefix = colon ? (size_t)(colon - s.at) + 1 : 0;
    return (wfi_xml_span){s.at + prefix, s.length - prefix};
}

static bool begins_with(const char *p, const char *end, const char *word) {
    size_t length = strlen(word);
    return (size_t)(end - p) >= length && !memcmp(p, word, length);
}

static wfi_ull line_of(const wfi_xml *x, const char *at) {
    return (wfi_ull)wfi_count_lines(x->origin.text, (size_t)(at - x->origin.text)) + 1;
}

/* --- walking ------------------------------------------------------------------------------ */

static weft_status poll(wfi_xml *x) {
    if (x->p - x->polled < POLL_BYTES) return WEFT_OK;
    x->polled = x->p;
    if (wfi_cancelled(x->origin.ctx)) return wfi_fail_cancelled(x->origin.ctx);
    wfi_progress(x->origin.ctx, "reading", (uint64_t)(x->p - x->origin.text), (uint64_t)(x->end - x->origin.text));
    return WEFT_OK;
}

/* Moves x->p to where `what` stands next, or to the end; in steps, so that one huge comment can be interrupted too. */
static weft_status seek(wfi_xml *x, const char *what) {
    size_t length = strlen(what);
    for (;;) {
        size_t left = (size_t)(x->end - x->p), step = left < POLL_BYTES + length ? left : POLL_BYTES + length;
        const char *hit = step ? memmem(x->p, step, what, length) : NULL;
        x->p = hit ? hit : step == left ? x->end : x->p + POLL_BYTES;
        if (hit || x->p == x->end) return WEFT_OK;
        weft_status st = poll(x);
        if (st) return st;
    }
}

/* x->at begins something that goes on to `stop`. */
static weft_status pass(wfi_xml *x, size_t opening, const char *stop, const char *what) {
    x->p = x->at + opening;
    weft_status st = seek(x, stop);
    if (st) return st;
    if (x->p == x->end) return WFI_XML_FAIL(x, x->at, "%s that does not end", what);
    x->p += strlen(stop);
    return WEFT_OK;
}

/* <!DOCTYPE name SYSTEM "...">: nothing of it is fetched or declared. */
static weft_status pass_doctype(wfi_xml *x) {
    if (x->rooted) return WFI_XML_FAIL(x, x->at, "a DOCTYPE after the first element");
    const char *end = x->end - x->at > DOCTYPE_BYTES ? x->at + DOCTYPE_BYTES : x->end;
    for (const char *p = x->at; p < end; p++) {
        if (*p == '[')
            return WFI_XML_FAIL(x, p, "a DOCTYPE with declarations is not read: remove everything from [ to ]");
        if (*p == '"' || *p == '\'') p = memchr(p + 1, *p, (size_t)(end - p - 1));
        if (!p) break;
        x->p = p + 1;
        if (*p == '>') return WEFT_OK;
    }
    return WFI_XML_FAIL(x, x->at, "a DOCTYPE that does not end");
}

/* --- tags ----------------------------------------------------------------------------------- */

static weft_status read_attribute(wfi_xml *x, wfi_xml_attribute *a) {
    a->name.at = x->p;
    x->p = after_name(x->p, x->end);
    a->name.length = (size_t)(x->p - a->name.at);
    const char *p = after_white(x->p, x->end);
    if (p == x->end || *p != '=')
        return WFI_XML_FAIL(x, p, "expected = and a value after the attribute %.*s", shown(a->name), a->name.at);
    p = after_white(p + 1, x->end);
    if (p == x->end || (*p != '"' && *p != '\''))
        return WFI_XML_FAIL(x, p, "expected the value of %.*s in quotes", shown(a->name), a->name.at);
    a->value.at = x->p = p + 1;
    weft_status st = seek(x, *p == '"' ? "\"" : "'");
    if (st) return st;
    if (x->p == x->end) return WFI_XML_FAIL(x, p, "the value of %.*s does not end", shown(a->name), a->name.at);
    a->value.length = (size_t)(x->p++ - a->value.at);
    const char *less = memchr(a->value.at, '<', a->value.length);
    if (less)
        return WFI_XML_FAIL(x, less, "a < within the value of %.*s: is a quote missing?", shown(a->name), a->name.at);
    return WEFT_OK;
}

/* All attributes from x->p on, which then stands at what follows them. */
static weft_status read_attributes(wfi_xml *x) {
    x->attribute_count = 0;
    for (;;) {
        const char *next = after_white(x->p, x->end);
        if (next == x->end || !starts_name(*next)) {
            x->p = next;
            return WEFT_OK;
        }
        if (next == x->p) return WFI_XML_FAIL(x, next, "expected a space before the next attribute");
        x->p = next;
        if (x->attribute_count == WFI_XML_ATTRIBUTES)
            return WFI_XML_FAIL(x, next, "more than %d attributes in one element", WFI_XML_ATTRIBUTES);
        wfi_xml_attribute *a = &x->attributes[x->attribute_count];
        weft_status st = read_attribute(x, a);
        if (st) return st;
        for (size_t i = 0; i < x->attribute_count; i++)
            if (x->attributes[i].name.length == a->name.length &&
                !memcmp(x->attributes[i].name.at, a->name.at, a->name.length))
                return WFI_XML_FAIL(x, a->name.at, "a second %.*s", shown(a->name), a->name.at);
        x->attribute_count++;
    }
}

static weft_status read_start(wfi_xml *x) {
    wfi_xml_span whole = {x->at + 1, 0};
    x->p = after_name(whole.at, x->end);
    whole.length = (size_t)(x->p - whole.at);
    if (!whole.length) return WFI_XML_FAIL(x, x->at, "expected a name after < (for the character itself: &lt;)");
    if (!x->depth && x->rooted) return WFI_XML_FAIL(x, x->at, "a second element after the end of the document");
    if (x->depth == WFI_XML_DEPTH) return WFI_XML_FAIL(x, x->at, "elements nested more than %d deep", WFI_XML_DEPTH);
    weft_status st = read_attributes(x);
    if (st) return st;
    x->closes = x->p < x->end && *x->p == '/';
    if (x->closes) x->p++;
    if (x->p == x->end || *x->p != '>')
        return WFI_XML_FAIL(x, x->p, "expected an attribute, > or /> in <%.*s", shown(whole), whole.at);
    x->p++;
    x->rooted = true;
    x->open[x->depth++] = whole;
    x->name = without_prefix(whole);
    x->event = WFI_XML_START;
    return WEFT_OK;
}

static void close_element(wfi_xml *x) {
    x->closes = false;
    x->name = without_prefix(x->open[--x->depth]);
    x->event = WFI_XML_END;
}

static weft_status read_end(wfi_xml *x) {
    wfi_xml_span name = {x->at + 2, 0};
    x->p = after_name(name.at, x->end);
    name.length = (size_t)(x->p - name.at);
    if (!x->depth) return WFI_XML_FAIL(x, x->at, "</%.*s> closes nothing", shown(name), name.at);
    wfi_xml_span open = x->open[x->depth - 1];
    if (open.length != name.length || memcmp(open.at, name.at, name.length))
        return WFI_XML_FAIL(x, x->at, "</%.*s>, where </%.*s> was expected for the element of line %llu", shown(name),
                            name.at, shown(open), open.at, line_of(x, open.at));
    x->p = after_white(x->p, x->end);
    if (x->p == x->end || *x->p != '>') return WFI_XML_FAIL(x, x->p, "expected > after </%.*s", shown(name), name.at);
    x->p++;
    close_element(x);
    return WEFT_OK;
}

/* --- events ----------------------------------------------------------------------------------- */

static weft_status read_text(wfi_xml *x) {
    weft_status st = seek(x, "<");
    x->raw = (wfi_xml_span){x->at, (size_t)(x->p - x->at)};
    x->event = WFI_XML_TEXT;
    return st;
}

static weft_status read_cdata(wfi_xml *x) {
    enum { OPENING = sizeof "<![CDATA[" - 1, CLOSING = sizeof "]]>" - 1 };
    weft_status st = pass(x, OPENING, "]]>", "a CDATA section");
    if (st) return st;
    x->raw = (wfi_xml_span){x->at + OPENING, (size_t)(x->p - x->at) - OPENING - CLOSING};
    x->event = WFI_XML_CDATA;
    return WEFT_OK;
}

static weft_status finish(wfi_xml *x) {
    x->at = x->p;
    x->event = WFI_XML_FINISH;
    if (!x->rooted) return WFI_XML_FAIL(x, x->p, "expected an element, found the end of the file");
    if (!x->depth) return WEFT_OK;
    wfi_xml_span open = x->open[x->depth - 1];
    return WFI_XML_FAIL(x, x->p, "the file ends inside <%.*s> of line %llu", shown(open), open.at, line_of(x, open.at));
}

/* Is there anything but white space in the last TEXT or CDATA? */
static bool says_something(const wfi_xml *x, const char **at) {
    *at = after_white(x->raw.at, x->raw.at + x->raw.length);
    return *at < x->raw.at + x->raw.length;
}

weft_status wfi_xml_next(wfi_xml *x) {
    const char *word;
    if (x->closes) {
        close_element(x);
        return WEFT_OK;
    }
    for (;;) {
        weft_status st = poll(x);
        if (st) return st;
        if (x->p == x->end) return finish(x);
        x->at = x->p;
        bool event = true;
        if (*x->p != '<')
            st = read_text(x);
        else if (begins_with(x->p, x->end, "</"))
            st = read_end(x);
        else if (begins_with(x->p, x->end, "<![CDATA["))
            st = read_cdata(x);
        else if (begins_with(x->p, x->end, "<!--"))
            event = false, st = pass(x, 4, "-->", "a comment");
        else if (begins_with(x->p, x->end, "<?"))
            event = false, st = pass(x, 2, "?>", "a processing instruction");
        else if (begins_with(x->p, x->end, "<!DOCTYPE") || begins_with(x->p, x->end, "<!doctype"))
            event = false, st = pass_doctype(x);
        else
            st = read_start(x);
        if (st) return st;
        if (!event) continue;
        if (x->depth || x->event == WFI_XML_START || x->event == WFI_XML_END) return WEFT_OK;
        if (says_something(x, &word)) return WFI_XML_FAIL(x, word, "text outside the document's element");
    }
}

weft_status wfi_xml_child(wfi_xml *x, size_t depth, bool *found) {
    for (;;) {
        const char *word;
        weft_status st = wfi_xml_next(x);
        if (st) return st;
        *found = x->event == WFI_XML_START;
        if (*found || (x->event == WFI_XML_END && x->depth < depth)) return WEFT_OK;
        if (x->event != WFI_XML_END && says_something(x, &word))
            return WFI_XML_FAIL(x, word, "text where only elements are expected");
    }
}

weft_status wfi_xml_skip(wfi_xml *x) {
    size_t depth = x->depth;
    weft_status st = WEFT_OK;
    while (!st && x->depth >= depth) st = wfi_xml_next(x);
    return st;
}

weft_status wfi_xml_content(wfi_xml *x, wfi_xml_buffer *to, const char **at) {
    wfi_xml_span name = x->name;
    to->used = 0;
    *at = after_white(x->p, x->end);
    weft_status st = wfi_xml_decode(&x->origin, x->p, 0, WFI_XML_CHARS, to);
    while (!st) {
        st = wfi_xml_next(x);
        if (!st && x->event == WFI_XML_START)
            st = WFI_XML_FAIL(x, x->at, "expected text in <%.*s>, found an element", shown(name), name.at);
        if (st || x->event == WFI_XML_END) return st;
        st = wfi_xml_decode(&x->origin, x->raw.at, x->raw.length,
                            x->event == WFI_XML_TEXT ? WFI_XML_CHARS : WFI_XML_PLAIN, to);
    }
    return st;
}

weft_status wfi_xml_words(wfi_xml *x, wfi_xml_buffer *to, bool *plain) {
    to->used = 0;
    *plain = true;
    weft_status st = wfi_xml_decode(&x->origin, x->p, 0, WFI_XML_CHARS, to);
    while (!st) {
        st = wfi_xml_next(x);
        if (st || x->event == WFI_XML_END) return st;
        if (x->event == WFI_XML_START) {
            *plain = false;
            st = wfi_xml_skip(x);
        } else {
            st = wfi_xml_decode(&x->origin, x->raw.at, x->raw.length,
                                x->event == WFI_XML_TEXT ? WFI_XML_CHARS : WFI_XML_PLAIN, to);
        }
    }
    return st;
}

/* --- names and values ---------------------------------------------------------------------- */

bool wfi_xml_is(const wfi_xml *x, const char *name) { return same(x->name, name); }

const wfi_xml_attribute *wfi_xml_get(const wfi_xml *x, const char *name) {
    for (size_t i = 0; i < x->attribute_count; i++)
        if (same(x->attributes[i].name, name)) return &x->attributes[i];
    return NULL;
}

weft_status wfi_xml_value(const wfi_xml *x, const wfi_xml_attribute *attribute, wfi_xml_buffer *to) {
    to->used = 0;
    return wfi_xml_decode(&x->origin, attribute->value.at, attribute->value.length, WFI_XML_VALUE, to);
}

/* --- the beginning --------------------------------------------------------------------------- */

static bool is_any_of(wfi_xml_span s, const char *const *words) {
    for (; *words; words++)
        if (strlen(*words) == s.length && !strncasecmp(*words, s.at, s.length)) return true;
    return false;
}

/* UTF-16 was converted by the source, which knows it by its mark. */
static weft_status check_encoding(wfi_xml *x) {
    static const char *const utf8[] = {"utf-8", "utf8", "us-ascii", "ascii", "utf-16", "utf-16le", "utf-16be", NULL};
    static const char *const latin1[] = {"iso-8859-1", "iso8859-1", "latin1", "latin-1", NULL};
    const wfi_xml_attribute *a = wfi_xml_get(x, "encoding");
    if (!a || is_any_of(a->value, utf8)) return WEFT_OK;
    x->origin.latin1 = is_any_of(a->value, latin1);
    if (x->origin.latin1) return WEFT_OK;
    return WFI_XML_FAIL(x, a->value.at,
                        "the encoding %.*s is not read: convert the file to UTF-8 and write encoding=\"UTF-8\" here",
                        shown(a->value), a->value.at);
}

static weft_status read_declaration(wfi_xml *x) {
    if (!begins_with(x->p, x->end, "<?xml") || x->end - x->p < 6 || !is_white(x->p[5])) return WEFT_OK;
    x->at = x->p;
    x->p += 5;
    weft_status st = read_attributes(x);
    if (!st && !begins_with(x->p, x->end, "?>")) st = WFI_XML_FAIL(x, x->p, "expected ?> at the end of <?xml");
    if (st) return st;
    x->p += 2;
    return check_encoding(x);
}

weft_status wfi_xml_open(wfi_xml *x, weft_ctx *ctx, wfi_source *source) {
    size_t bytes;
    memset(x, 0, sizeof *x);
    x->origin.ctx = ctx;
    x->origin.source = source;
    weft_status st = wfi_source_whole(ctx, source, &x->origin.text, &bytes);
    if (!st) st = wfi_alloc(ctx, &x->open, WFI_XML_DEPTH);
    if (st) return st;
    x->p = x->polled = x->origin.text;
    x->end = x->origin.text + bytes;
    if (begins_with(x->p, x->end, "\xef\xbb\xbf")) x->p += 3;
    return read_declaration(x);
}

void wfi_xml_close(wfi_xml *x) {
    wfi_free(x->open);
    x->open = NULL;
}

weft_status wfi_xml_root(wfi_xml *x, const char *name) {
    weft_status st = wfi_xml_next(x);
    if (st || wfi_xml_is(x, name)) return st;
    if (x->name.length == 4 && !strncasecmp(x->name.at, "html", 4))
        return WFI_XML_FAIL(x, x->at, "this is a web page, not a graph: is it the error page of a failed download?");
    return WFI_XML_FAIL(x, x->at, "expected <%s>, found <%.*s>", name, shown(x->name), x->name.at);
}

static const char *after(const char *p, const char *end, const char *stop) {
    const char *hit = memmem(p, (size_t)(end - p), stop, strlen(stop));
    return hit ? hit + strlen(stop) : end;
}

bool wfi_xml_begins(const char *head, size_t bytes, const char *name) {
    const char *p = head, *end = head + bytes;
    if (begins_with(p, end, "\xef\xbb\xbf")) p += 3;
    for (p = after_white(p, end); p < end && *p == '<'; p = after_white(p, end)) {
        if (begins_with(p, end, "<!--"))
            p = after(p, end, "-->");
        else if (begins_with(p, end, "<?"))
            p = after(p, end, "?>");
        else if (begins_with(p, end, "<!"))
            p = after(memchr(p, '[', (size_t)(after(p, end, ">") - p)) ? after(p, end, "]") : p, end, ">");
        else
            return same(without_prefix((wfi_xml_span){p + 1, (size_t)(after_name(p + 1, end) - p - 1)}), name);
    }
    return false;
}
