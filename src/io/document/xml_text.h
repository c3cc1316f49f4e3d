/* Characters of XML: references resolved while reading, written while writing; and which names a file can carry. */
#ifndef WFI_XML_TEXT_H
#define WFI_XML_TEXT_H

#include "io/io.h"

/* Where a piece of text comes from, for messages. */
typedef struct wfi_xml_origin {
    weft_ctx *ctx;
    const wfi_source *source;
    const char *text;
    bool latin1; /* ISO-8859-1 instead of UTF-8 */
} wfi_xml_origin;

typedef struct wfi_xml_buffer {
    char *text;
    size_t used, room;
} wfi_xml_buffer;

typedef enum wfi_xml_kind {
    WFI_XML_VALUE, /* of an attribute: white space becomes spaces */
    WFI_XML_CHARS, /* between tags */
    WFI_XML_PLAIN, /* CDATA: & is itself */
    WFI_XML_BYTES  /* no XML at all: every byte is itself */
} wfi_xml_kind;

/* Appends the characters of [at, at + length) as UTF-8. */
weft_status wfi_xml_decode(const wfi_xml_origin *origin, const char *at, size_t length, wfi_xml_kind kind,
                           wfi_xml_buffer *to);

/* The text with & < > " and line ends as references; `ascii`: for GML, only what it must, and all beyond ASCII. */
void wfi_xml_write(wfi_sink *sink, const char *text, size_t length, bool ascii);

/* A vertex by its id, in quotes, as the value of an attribute. */
void wfi_xml_write_id(const weft_graph *g, weft_vid v, wfi_sink *sink);

/* Names that are not UTF-8, or have a character that XML has no way to write. */
wfi_unfit wfi_xml_unfit;

#endif
