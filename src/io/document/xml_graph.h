/* Graphs in XML (GraphML, GEXF): what their readers share.  Elements and their attributes, edges between named ends;
 * and what a document declares of its nodes and edges before it is used (GraphML's keys, GEXF's attributes): which of
 * that is the weight of an edge, what stands in for it where an edge has none, and what was passed over.
 *
 * A reader declares all, chooses, asks for each use, and at the end tells what it passed over. */
#ifndef WFI_XML_GRAPH_H
#define WFI_XML_GRAPH_H

#include "io/document/listing.h"
#include "io/document/xml.h"

typedef enum wfi_scope { WFI_OF_NODES, WFI_OF_EDGES, WFI_OF_GRAPH, WFI_SCOPES } wfi_scope;

#define WFI_NO_TEXT UINT32_MAX

typedef struct wfi_attribute {
    const char *at;           /* where it is declared; NULL: it is not */
    uint32_t title, fallback; /* numbers in titles; fallback (its default) may be WFI_NO_TEXT */
    bool numeric;             /* a number by its type */
    bool varies;              /* over time */
    bool is_weight;           /* chosen */
    bool used;
    bool drawing;    /* of GraphML: not a value, but what to draw */
    bool lost;       /* something of it was not text, and was passed over */
    size_t column;   /* of nodes: among the listing's cells */
    int type;        /* of these, a weft_attribute_type */
    uint32_t preset; /* of nodes that have none: number in titles, or WFI_NO_TEXT */
} wfi_attribute;

typedef struct wfi_xml_graph {
    wfi_xml x;
    wfi_listing listing;
    weft_read_params params;
    wfi_xml_buffer id, source, target, word;
    wfi_names *ids, *titles; /* of attributes */
    struct wfi_attribute_uses {
        wfi_attribute of[WFI_SCOPES];
    } * uses; /* by number of the id */
    size_t room;
    uint32_t fallback; /* the default of the weight, in titles, or WFI_NO_TEXT */
    uint32_t *presets; /* ids of the attributes of nodes that have one */
    size_t preset_count, preset_room;
} wfi_xml_graph;

/* wfi_xml_graph_close is allowed after a failure. */
weft_status wfi_xml_graph_open(wfi_xml_graph *g, weft_ctx *ctx, wfi_source *source, const weft_read_params *params);
void wfi_xml_graph_close(wfi_xml_graph *g);

static inline bool wfi_wants_weights(const wfi_xml_graph *g) { return g->params.weights != WEFT_WEIGHTS_IGNORE; }
bool wfi_xml_holds(const wfi_xml_buffer *b, const char *word);
/* The value of an attribute of the element, which must have it; and of one that may be missing: empty then, and *place
 * is NULL. */
weft_status wfi_xml_need(wfi_xml_graph *g, const char *name, wfi_xml_buffer *to, const char **place);
weft_status wfi_xml_want(wfi_xml_graph *g, const char *name, wfi_xml_buffer *to, const char **place);
/* Fails: the element is not expected within `parent`. */
weft_status wfi_xml_unexpected(wfi_xml_graph *g, const char *parent, const char *why);
/* At <default>: keeps it if it is text, and no drawing. */
weft_status wfi_xml_default(wfi_xml_graph *g, wfi_attribute *a);
/* A node has this value of an attribute, which was declared; after all of a node, those that it lacks and that have a
 * default. */
weft_status wfi_xml_node_value(wfi_xml_graph *g, const wfi_attribute *a, const char *text, size_t length);
weft_status wfi_xml_node_presets(wfi_xml_graph *g);
/* The same of an edge: is a column of this title wanted?  The defaults of the values that it lacks. */
bool wfi_xml_wants_edge_value(const wfi_xml_graph *g, const wfi_attribute *a, size_t *field);
/* The value of the last edge in that field, without the white space around it unless the attribute is a text. */
weft_status wfi_xml_edge_value(wfi_xml_graph *g, const wfi_attribute *a, size_t field, const char *text, size_t length);
weft_status wfi_xml_edge_presets(wfi_xml_graph *g);
/* At <edge>: an edge of the listing between `source` and `target`; and the weight of one that has none of its own. */
weft_status wfi_xml_edge(wfi_xml_graph *g);
weft_status wfi_xml_edge_default(wfi_xml_graph *g, const char *at);

/* The number of a title or of any text. */
weft_status wfi_attributes_title(wfi_xml_graph *g, const char *text, size_t length, uint32_t *number);
/* Its text. */
const char *wfi_attributes_text(const wfi_xml_graph *g, uint32_t number, size_t *length);

/* WEFT_EINPUT if this id was declared for that scope before. */
weft_status wfi_attributes_declare(wfi_xml_graph *g, const char *id, size_t length, wfi_scope scope,
                                   const wfi_attribute *attribute);

/* The weight is the edges' attribute called `wanted`, or if that is NULL the one called weight, or else (if `value` may
 * be taken) a numeric one called value; in any case of letters.  There may be several: NetworkX declares one for whole
 * numbers and one for others.  WEFT_EINPUT if `wanted` is not there. */
weft_status wfi_attributes_choose(wfi_xml_graph *g, const char *wanted, bool value);

/* The attribute, marked as used; its `at` is NULL if it was not declared. */
weft_status wfi_attributes_use(wfi_xml_graph *g, const char *id, size_t length, wfi_scope scope, wfi_attribute **out);

/* The note "passed over: edge attributes ..." if any were used that are not the weight; before it, those of nodes that
 * were not only text. */
void wfi_attributes_tell(const wfi_xml_graph *g);

#endif
