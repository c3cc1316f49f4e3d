/* A JSON document that holds a graph, while it is read: jsondoc.c finds its shape, jsonlinks.c reads nodes and links,
 * jsontable.c tables of edges.  All of the text is in memory, so that a value is read again by going back to its place.
 *
 * WEFT_EINPUT with j.why set waits for its message, which jsondoc.c makes. */
#ifndef WFI_JSONDOC_H
#define WFI_JSONDOC_H

#include "io/document/listing.h"
#include "io/json/jsonrows.h"

/* A member of a document: "names" if its ids are names, even if they look like numbers. */
#define WFI_JSON_IDS "weft_ids"
/* Another: what attributes are called that have another name in the document. */
#define WFI_JSON_RENAMED "weft_names"

typedef struct wfi_json_doc {
    weft_ctx *ctx;
    const wfi_source *source;
    weft_read_params params;
    const char *text;
    wfi_json j;
    wfi_listing listing;
    wfi_text_room room[2];
    wfi_table_columns *kept; /* of a table */
    bool any_form;           /* 7 and "7" are the same id */
    unsigned forms;          /* wfi_json_form that ids had so far */
    uint64_t items;          /* seen so far: for asking whether to stop */
} wfi_json_doc;

/* Where the graph is in a document. */
typedef struct wfi_json_places {
    wfi_json_value nodes, links; /* links: also edges */
    wfi_json_value elements;     /* Cytoscape.js */
    bool cytoscape;              /* ids and weights are in "data" */
    bool says_direction, directed;
} wfi_json_places;

weft_status wfi_json_links_read(wfi_json_doc *d, const wfi_json_places *places);

/* rows: an array of rows; names: an array with the names of the columns, or kind NONE. */
weft_status wfi_json_table_read(wfi_json_doc *d, const wfi_json_value *rows, const wfi_json_value *names);
/* An object of columns, each an array of values or an object of them by row. */
weft_status wfi_json_columns_read(wfi_json_doc *d, const wfi_json_value *object);

/* The text of an id, held against those before: 7 and "7" are not both allowed. */
weft_status wfi_json_doc_id(wfi_json_doc *d, const wfi_json_value *v, const char *what, int room, wfi_json_name *name);
weft_status wfi_json_doc_edge(wfi_json_doc *d, const wfi_json_value *u, const wfi_json_value *v, const char *at);
/* Of the last edge. */
weft_status wfi_json_doc_weight(wfi_json_doc *d, const wfi_json_value *v);
/* Of the last edge: a column that is wanted.  Strings are times or texts, as in JSON lines. */
weft_status wfi_json_doc_value(wfi_json_doc *d, size_t field, const wfi_json_value *v);
/* Goes on to the next item of the array that d->j is in, and asks now and then whether to stop. */
weft_status wfi_json_doc_item(wfi_json_doc *d, bool *first, wfi_json_value *v);

#endif
