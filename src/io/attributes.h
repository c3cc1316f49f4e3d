/* Attributes in writers: declarations shared by them (attributes.c).  Names and values are in the graph's columns
 * (attributes/attributes.h); values that a format cannot hold are errors or warnings. */
#ifndef WFI_ATTRIBUTES_OUT_H
#define WFI_ATTRIBUTES_OUT_H

#include "attributes/attributes.h"
#include "io/io.h"

enum { WFI_VALUE_ROOM = 48 };

/* The value of vertex v, or of arc v if column i is of edges, as text: in `room`, or in the pool; NULL if it is
 * missing.  Numbers with the fewest digits that read back; NaN, INF, -INF; true, false; times in ISO 8601. */
const char *wfi_attribute_value(const wfi_vertex_data *c, size_t i, uint64_t v, char room[WFI_VALUE_ROOM],
                                size_t *length);
/* The same for a number. */
size_t wfi_print_real(char room[WFI_VALUE_ROOM], double x);

/* The index of the column of this name, or the number of columns. */
size_t wfi_attribute_named(const weft_graph *g, const char *name);

/* *yes: is there a text column of this name with a distinct value for each vertex? */
weft_status wfi_attribute_tells_apart(weft_ctx *ctx, const weft_graph *g, const char *name, bool *yes);

/* WEFT_EUNSUPPORTED if a name or a value has a byte that the format cannot hold. */
weft_status wfi_check_attributes(weft_ctx *ctx, const weft_graph *g, const char *format, wfi_unfit *unfit);
/* Warn that columns of a type unknown to the format are written as another: "has no type for times, which are written
 * as text".  The first: times. */
void wfi_warn_times(weft_ctx *ctx, const weft_graph *g, const char *format);
void wfi_warn_type(weft_ctx *ctx, const weft_graph *g, const char *format, weft_attribute_type type, const char *what);
/* Warns of columns of a table, of vertices or of edges, that are read back with another type (read_back.c).
 * strings_apart: numbers and truth values are recognised as such, strings may be times. */
void wfi_warn_by_content(weft_ctx *ctx, const weft_graph *g, const char *format, bool of_edges, bool strings_apart);
/* Warn that the format does not store edge columns, or attributes of vertices and edge columns, if there are any. */
void wfi_warn_edge_columns(weft_ctx *ctx, const weft_graph *g, const char *format);
void wfi_warn_attributes(weft_ctx *ctx, const weft_graph *g, const char *format);

/* Rules for the names of columns in a file. */
typedef struct wfi_naming {
    const char *format;
    bool words;                  /* letters, digits and _, beginning with a letter */
    bool any_case;               /* reserved names are compared without regard to case */
    const char *const *reserved; /* get a trailing _; the list ends with NULL */
    bool beside_ends,
        beside_weights; /* in a table of edges: names that would be taken for an end or the weight get _2 */
} wfi_naming;

/* The names of columns by these rules, all different, with a warning for each change.  One block: free it with
 * wfi_free. */
weft_status wfi_attribute_names(weft_ctx *ctx, const weft_graph *g, const wfi_naming *rules, const char ***names);
weft_status wfi_edge_names(weft_ctx *ctx, const weft_graph *g, const wfi_naming *rules, const char ***names);

#endif
