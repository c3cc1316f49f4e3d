/* XML, pulled event by event from a text in memory.
 *
 * What is read: elements (a prefix is stripped: y:node is node), attributes, text, CDATA, comments, processing
 * instructions; UTF-8, or ISO-8859-1 if the declaration says so.  What is refused, at its line and column: what is not
 * well formed, entities other than the five of XML and character references, a DOCTYPE with declarations in it,
 * elements nested more than WFI_XML_DEPTH deep.  Nothing is fetched, expanded or called recursively. */
#ifndef WFI_XML_H
#define WFI_XML_H

#include "io/document/xml_text.h"

enum { WFI_XML_DEPTH = 1000, WFI_XML_ATTRIBUTES = 256 };

typedef struct wfi_xml_span {
    const char *at;
    size_t length;
} wfi_xml_span;

typedef struct wfi_xml_attribute {
    wfi_xml_span name, value; /* as they stand in the file, prefix and references included */
} wfi_xml_attribute;

typedef enum wfi_xml_event { WFI_XML_START, WFI_XML_END, WFI_XML_TEXT, WFI_XML_CDATA, WFI_XML_FINISH } wfi_xml_event;

typedef struct wfi_xml {
    wfi_xml_origin origin; /* ctx, source and text for messages */
    const char *end;

    wfi_xml_event event;                              /* the last one */
    const char *at;                                   /* where it begins */
    wfi_xml_span name;                                /* START, END: without its prefix */
    wfi_xml_span raw;                                 /* TEXT, CDATA */
    wfi_xml_attribute attributes[WFI_XML_ATTRIBUTES]; /* START */
    size_t attribute_count;
    size_t depth; /* open elements: START counts itself, END no longer */

    const char *p, *polled;
    wfi_xml_span *open; /* whole names of the open elements */
    bool closes;        /* <a/>: its END is next */
    bool rooted;        /* the element of the document has begun */
} wfi_xml;

/* Reads the whole text and its declaration.  wfi_xml_close is allowed after a failure. */
weft_status wfi_xml_open(wfi_xml *x, weft_ctx *ctx, wfi_source *source);
void wfi_xml_close(wfi_xml *x);

weft_status wfi_xml_next(wfi_xml *x);
/* The next element within the one that is open at `depth`, all before it having been read to its end; *found is false
 * when that one ends.  Text between elements is refused. */
weft_status wfi_xml_child(wfi_xml *x, size_t depth, bool *found);
/* After START: to the end of that element. */
weft_status wfi_xml_skip(wfi_xml *x);
/* After START: the text of that element, up to its end, and the place of its first word. */
weft_status wfi_xml_content(wfi_xml *x, wfi_xml_buffer *to, const char **at);

/* The same where elements may lie in it, which are passed over: *plain is false then. */
weft_status wfi_xml_words(wfi_xml *x, wfi_xml_buffer *to, bool *plain);

/* Is the element of the last START or END called that? */
bool wfi_xml_is(const wfi_xml *x, const char *name);
/* An attribute without a prefix, or NULL. */
const wfi_xml_attribute *wfi_xml_get(const wfi_xml *x, const char *name);
/* Its value with the references resolved, instead of what the buffer held. */
weft_status wfi_xml_value(const wfi_xml *x, const wfi_xml_attribute *attribute, wfi_xml_buffer *to);

/* Goes to the START of the document's element, which must have this name. */
weft_status wfi_xml_root(wfi_xml *x, const char *name);
/* For a look at the first bytes: is the first element called that, after whatever may come before it? */
bool wfi_xml_begins(const char *head, size_t bytes, const char *name);

#define WFI_XML_FAIL(x, place, ...) \
    wfi_fail_in_text((x)->origin.ctx, (x)->origin.source, (x)->origin.text, (place), __VA_ARGS__)

#endif
