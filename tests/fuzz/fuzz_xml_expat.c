/* Fuzz target: XML, against expat, where it is installed (the driver's golden files are those of GraphML).
 *
 * Both walk the same bytes.  If both accept them, elements (without prefixes), attributes (resolved and normalised) and
 * characters have to be the same, in the same order.  A document that expat accepts must not be refused, nor one
 * accepted that expat refuses, but for these differences, which are deliberate:
 *  - We refuse a DOCTYPE with declarations, one of more than 64 KiB, and with it all entities but the five of XML;
 *    elements more than 1,000 deep; more than 256 attributes in an element; encodings other than UTF-8 and ISO-8859-1.
 *  - UTF-16 is converted by the source before the reader sees it, and packed bytes are unpacked: such inputs are passed
 *    over.
 *  - We pass over what no graph is read from without a look at its characters: comments (with -- in them), processing
 *    instructions (called xml, or anywhere), the inside of a DOCTYPE, and the declaration but for its encoding.
 *  - Characters of names are not checked beyond ASCII, and names stay bytes of the file also in ISO-8859-1: all names
 *    that formats know are ASCII.  ]]> between tags and white space before the declaration are taken as they stand. */
#include "sound.h"

#include "core/core.h"
#include "io/document/xml.h"

#include <expat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

extern const char *const fuzz_format;
extern unsigned long long fuzz_graphs;
const char *const fuzz_format = "graphml";
unsigned long long fuzz_graphs; /* documents that both accept */

/* What a parser has seen, as bytes: S name, A name = value for each attribute, E name, T text, each with a NUL. */
typedef struct walk {
    char *seen;
    size_t used, room;
    bool in_text;
    int depth;
} walk;

static void put(walk *w, const char *text, size_t length) {
    if (w->used + length > w->room) {
        w->room = 2 * (w->used + length) + 256;
        w->seen = realloc(w->seen, w->room);
        if (!w->seen) abort();
    }
    if (length) memcpy(w->seen + w->used, text, length);
    w->used += length;
}

static void put_mark(walk *w, char mark, const char *name, size_t length) {
    w->in_text = false;
    put(w, &mark, 1);
    put(w, name, length);
    put(w, "", 1);
}

static void put_text(walk *w, const char *text, size_t length) {
    if (!length) return;
    if (!w->in_text) put(w, "T", 1);
    w->in_text = true;
    put(w, text, length);
}

/* --- expat -------------------------------------------------------------------------------------------- */

static const char *without_prefix(const char *name) {
    const char *colon = strrchr(name, ':');
    return colon ? colon + 1 : name;
}

static void expat_start(void *to, const char *name, const char **attributes) {
    put_mark(to, 'S', without_prefix(name), strlen(without_prefix(name)));
    for (; *attributes; attributes += 2) {
        put_mark(to, 'A', attributes[0], strlen(attributes[0]));
        put(to, attributes[1], strlen(attributes[1]) + 1);
    }
}

static void expat_end(void *to, const char *name) {
    put_mark(to, 'E', without_prefix(name), strlen(without_prefix(name)));
}

static void expat_text(void *to, const char *text, int length) { put_text(to, text, (size_t)length); }

static enum XML_Error walk_expat(const uint8_t *data, size_t bytes, walk *w) {
    XML_Parser parser = XML_ParserCreate(NULL);
    if (!parser) abort();
    XML_SetUserData(parser, w);
    XML_SetElementHandler(parser, expat_start, expat_end);
    XML_SetCharacterDataHandler(parser, expat_text);
    enum XML_Error fault = XML_ERROR_NONE;
    if (XML_Parse(parser, (const char *)data, (int)bytes, 1) == XML_STATUS_ERROR) fault = XML_GetErrorCode(parser);
    XML_ParserFree(parser);
    return fault;
}

/* --- ours --------------------------------------------------------------------------------------------- */

static void put_name(const wfi_xml *x, wfi_xml_span name, char mark, walk *w) {
    w->in_text = false;
    put(w, &mark, 1);
    for (size_t i = 0; i < name.length; i++) {
        unsigned char c = (unsigned char)name.at[i];
        const char two[] = {(char)(0xc0 | c >> 6), (char)(0x80 | (c & 0x3f))};
        bool wide = x->origin.latin1 && c >= 0x80;
        put(w, wide ? two : name.at + i, wide ? 2 : 1);
    }
    put(w, "", 1);
}

static weft_status put_event(wfi_xml *x, wfi_xml_buffer *buffer, walk *w) {
    weft_status st = WEFT_OK;
    if (x->event == WFI_XML_START) put_name(x, x->name, 'S', w);
    if (x->event == WFI_XML_END) put_name(x, x->name, 'E', w);
    for (size_t i = 0; i < x->attribute_count && x->event == WFI_XML_START && !st; i++) {
        st = wfi_xml_value(x, &x->attributes[i], buffer);
        put_name(x, x->attributes[i].name, 'A', w);
        put(w, buffer->text, st ? 0 : buffer->used);
        put(w, "", 1);
    }
    if (x->event != WFI_XML_TEXT && x->event != WFI_XML_CDATA) return st;
    buffer->used = 0;
    st = wfi_xml_decode(&x->origin, x->raw.at, x->raw.length, x->event == WFI_XML_TEXT ? WFI_XML_CHARS : WFI_XML_PLAIN,
                        buffer);
    put_text(w, buffer->text, st ? 0 : buffer->used);
    return st;
}

static weft_status walk_ours(weft_ctx *ctx, const uint8_t *data, size_t bytes, walk *w) {
    static wfi_xml x;
    wfi_source *source = NULL;
    wfi_xml_buffer buffer = {0};
    weft_status st = wfi_source_memory(ctx, data, bytes, "fuzz", &source);
    if (st) return st;
    st = wfi_xml_open(&x, ctx, source);
    for (bool more = true; !st && more; more = x.event != WFI_XML_FINISH) {
        st = wfi_xml_next(&x);
        if (!st) st = put_event(&x, &buffer, w);
    }
    wfi_free(buffer.text);
    wfi_xml_close(&x);
    wfi_source_close(source);
    return st;
}

/* --- the comparison ----------------------------------------------------------------------------------- */

static bool begins(const uint8_t *data, size_t bytes, const char *with, size_t length) {
    return bytes >= length && !memcmp(data, with, length);
}

/* Does the source make something else of these bytes before they are XML? */
static bool is_converted(const uint8_t *data, size_t bytes) {
    return begins(data, bytes, "\xff\xfe", 2) || begins(data, bytes, "\xfe\xff", 2) ||
           begins(data, bytes, "\x1f\x8b", 2) || begins(data, bytes, "\x28\xb5\x2f\xfd", 4) ||
           (bytes > 1 && (!data[0] || !data[1]));
}

static bool we_may_refuse(const char *message) {
    static const char *const reasons[] = {"DOCTYPE", "nested more than", "attributes in one element", "the encoding ",
                                          "an entity that is not one of the five"};
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (strstr(message, reasons[i])) return true;
    return false;
}

/* Faults of the structure, which no reader may pass over. */
static bool we_must_refuse(enum XML_Error fault) {
    switch (fault) {
    case XML_ERROR_NO_ELEMENTS:
    case XML_ERROR_UNCLOSED_TOKEN:
    case XML_ERROR_TAG_MISMATCH:
    case XML_ERROR_DUPLICATE_ATTRIBUTE:
    case XML_ERROR_JUNK_AFTER_DOC_ELEMENT:
    case XML_ERROR_UNDEFINED_ENTITY:
    case XML_ERROR_BAD_CHAR_REF:
    case XML_ERROR_ASYNC_ENTITY:
    case XML_ERROR_UNCLOSED_CDATA_SECTION: return true;
    default: return false;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
    walk theirs = {0}, ours = {0};
    weft_ctx *ctx;
    if (bytes > 1 << 20 || is_converted(data, bytes)) return 0;
    FUZZ_CHECK(weft_ctx_new(&ctx) == WEFT_OK);
    enum XML_Error fault = walk_expat(data, bytes, &theirs);
    weft_status st = walk_ours(ctx, data, bytes, &ours);
    FUZZ_CHECK(st == WEFT_OK || st == WEFT_EINPUT);
    if (fault == XML_ERROR_NONE && st) FUZZ_CHECK(we_may_refuse(weft_ctx_message(ctx)));
    if (fault != XML_ERROR_NONE && !st) FUZZ_CHECK(!we_must_refuse(fault));
    if (fault == XML_ERROR_NONE && !st) {
        FUZZ_CHECK(ours.used == theirs.used && !memcmp(ours.seen, theirs.seen, ours.used));
        fuzz_graphs++;
    }
    free(theirs.seen);
    free(ours.seen);
    FUZZ_CHECK(weft_ctx_memory_in_use(ctx) == 0);
    weft_ctx_free(ctx);
    return 0;
}
