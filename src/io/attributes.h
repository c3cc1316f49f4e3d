/* Attributes on their way out: what writers share (attributes.c).  Names and values are in the graph's columns
 * (attributes/attributes.h); what a format cannot hold of them is refused or said. */
#ifndef WFI_ATTRIBUTES_OUT_H
#define WFI_ATTRIBUTES_OUT_H

#include "attributes/attributes.h"
#include "io/io.h"

enum { WFI_VALUE_ROOM = 48 };

/* The value of vertex v, or of arc v where column i is one of edges, as text: in `room`, or of the pool; NULL: it has
 * none.  Numbers with the fewest digits that read back; NaN, INF, -INF; true, false; times as ISO 8601 writes them. */
const char *wfi_attribute_value(const wfi_vertex_data *c, size_t i, uint64_t v, char room[WFI_VALUE_ROOM],
                                size_t *length);
/* The same of a number. */
size_t wfi_print_real(char room[WFI_VALUE_ROOM], double x);

/* The column of this name, or the number of columns. */
size_t wfi_attribute_named(const weft_graph *g, const char *name);

/* Is there a text of this name that each vertex has, no two the same? */
weft_status wfi_attribute_tells_apart(weft_ctx *ctx, const weft_graph *g, const char *name, bool *yes);

/* WEFT_EUNSUPPORTED if a name or a value has a byte that the format cannot hold. */
weft_status wfi_check_attributes(weft_ctx *ctx, const weft_graph *g, const char *format, wfi_unfit *unfit);
/* Warns that columns of this type are written as something else, by a format that does not have it: "has no type for
 * times, which are written as text".  The first: times. */
void wfi_warn_times(weft_ctx *ctx, const weft_graph *g, const char *format);
void wfi_warn_type(weft_ctx *ctx, const weft_graph *g, const char *format, weft_attribute_type type, const char *what);
/* Warns of columns of a table, of vertices or of edges, that are not read back by their type (read_back.c).
 * strings_apart: numbers and truth values are seen to be such, strings may be times. */
void wfi_warn_by_content(weft_ctx *ctx, const weft_graph *g, const char *format, bool of_edges, bool strings_apart);
/* Warns that the format does not store attributes, or columns of edges, if there are any. */
void wfi_warn_edge_columns(weft_ctx *ctx, const weft_graph *g, const char *format);
void wfi_warn_attributes(weft_ctx *ctx, const weft_graph *g, const char *format);

/* Rules for the names of columns in a file. */
typedef struct wfi_naming {
    const char *format;
    bool words;                       /* letters, digits and _ that begin with a letter */
    bool any_case;                    /* of the letters of those that are reserved */
    const char *const *reserved;      /* get _ at their end; the list ends with NULL */
    bool beside_ends, beside_weights; /* of a table of edges: what would be taken for an end or the weight gets _2 */
} wfi_naming;

/* What columns are called by these rules, all different.  Where a name has to change, a warning says so.  Free it with
 * wfi_free: one block. */
weft_status wfi_attribute_names(weft_ctx *ctx, const weft_graph *g, const wfi_naming *rules, const char ***names);
weft_status wfi_edge_names(weft_ctx *ctx, const weft_graph *g, const wfi_naming *rules, const char ***names);

#endif
