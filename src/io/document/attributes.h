/* Attributes that a document declares before it uses them: GraphML's keys, GEXF's attributes.  Which of them is the
 * weight of an edge, what stands in for it where an edge has none, and which were passed over.
 *
 * A reader declares all, chooses, asks for each use, and at the end tells what it passed over. */
#ifndef WFI_ATTRIBUTES_H
#define WFI_ATTRIBUTES_H

#include "graph/edges.h"
#include "io/stream/source.h"

typedef enum wfi_scope { WFI_OF_NODES, WFI_OF_EDGES, WFI_OF_GRAPH, WFI_SCOPES } wfi_scope;

#define WFI_NO_TEXT UINT32_MAX

typedef struct wfi_attribute {
    const char *at;           /* where it is declared; NULL: it is not */
    uint32_t title, fallback; /* numbers in titles; fallback (its default) may be WFI_NO_TEXT */
    bool numeric;             /* a number by its type */
    bool varies;              /* over time */
    bool is_weight;           /* chosen */
    bool used;
} wfi_attribute;

typedef struct wfi_attributes {
    weft_ctx *ctx;
    const wfi_source *source;
    const char *text;
    wfi_names *ids, *titles;
    struct wfi_attribute_uses {
        wfi_attribute of[WFI_SCOPES];
    } * uses; /* by number of the id */
    size_t room;
    uint32_t fallback; /* the default of the weight, in titles, or WFI_NO_TEXT */
} wfi_attributes;

weft_status wfi_attributes_open(wfi_attributes *a, weft_ctx *ctx, const wfi_source *source, const char *text);
void wfi_attributes_close(wfi_attributes *a);

/* The number of a title or of any text. */
weft_status wfi_attributes_title(wfi_attributes *a, const char *text, size_t length, uint32_t *number);
/* Its text. */
const char *wfi_attributes_text(const wfi_attributes *a, uint32_t number, size_t *length);

/* WEFT_EINPUT if this id was declared for that scope before. */
weft_status wfi_attributes_declare(wfi_attributes *a, const char *id, size_t length, wfi_scope scope,
                                   const wfi_attribute *attribute);

/* The weight is the edges' attribute called `wanted`, or if that is NULL the one called weight, or else (if `value` may
 * be taken) a numeric one called value; in any case of letters.  There may be several: NetworkX declares one for whole
 * numbers and one for others.  WEFT_EINPUT if `wanted` is not there. */
weft_status wfi_attributes_choose(wfi_attributes *a, const char *wanted, bool value);

/* The attribute, marked as used; its `at` is NULL if it was not declared. */
weft_status wfi_attributes_use(wfi_attributes *a, const char *id, size_t length, wfi_scope scope, wfi_attribute **out);

/* The note "passed over: node attributes ...; edge attributes ..." if any were used that are not the weight. */
void wfi_attributes_tell(const wfi_attributes *a);

#endif
