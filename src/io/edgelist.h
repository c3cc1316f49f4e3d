/* Edge lists: what is learnt from the beginning of the file, and the parser by itself (for benchmarks). */
#ifndef WFI_EDGELIST_H
#define WFI_EDGELIST_H

#include "io/sink.h"
#include "io/source.h"
#include "io/table.h"

/* How this file writes its edges, from its first 64 KiB. */
typedef struct wfi_edgelist_style {
    uint64_t from;     /* where the edges begin: behind a header row */
    char separator;    /* names: ' ' (any blanks), '\t', ',' or ';' */
    bool names;        /* ids are names */
    bool weights;      /* the third column is a weight that is wanted */
    bool says_direction, directed;
    bool ours;         /* written by Weft: "#v id" lines name vertices without edges */
    bool dense;        /* ours: vertices base ... base+vertices-1 */
    uint64_t vertices;
    int64_t base;
} wfi_edgelist_style;

weft_status wfi_edgelist_look(weft_ctx *ctx, const wfi_source *source, const weft_read_params *params,
                              wfi_edgelist_style *style);

/* One field of a line in the style's manner: *field, *length (quotes taken off; doubled quotes stay for the caller),
 * *at behind it.  False when the line has no further field.  The line ends with '\n'. */
bool wfi_edgelist_field(const wfi_edgelist_style *style, const char **at, const char **field, size_t *length,
                        bool *quoted);

/* The whole file into pieces, not yet a graph. */
weft_status wfi_edgelist_gather(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, wfi_table *table);

weft_status wfi_write_edgelist(weft_ctx *ctx, const weft_graph *g, wfi_sink *sink, const weft_write_params *params);
weft_status wfi_write_csv(weft_ctx *ctx, const weft_graph *g, wfi_sink *sink, const weft_write_params *params);

#endif
