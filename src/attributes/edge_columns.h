/* Columns of edges on their way from a list of edges to the arcs of a graph.
 *
 * A reader gives a value, or none, for each edge that it lists (a record).  Where several records become one arc, since
 * parallel edges merge or an undirected edge is listed both ways, each column needs a rule for its values; without one
 * the graph is refused. */
#ifndef WFI_ATTRIBUTES_EDGE_COLUMNS_H
#define WFI_ATTRIBUTES_EDGE_COLUMNS_H

#include "attributes/attributes.h"
#include "graph/build.h"

typedef enum wfi_edge_rule {
    WFI_RULE_NONE,
    WFI_RULE_SUM,
    WFI_RULE_COUNT, /* of values, not of those that are missing */
    WFI_RULE_MIN,
    WFI_RULE_MAX,
    WFI_RULE_MEAN,
    WFI_RULE_FIRST, /* in the order of the file, of those that are there; as LAST */
    WFI_RULE_LAST
} wfi_edge_rule;

/* Record i is edge i of the pieces, one after the other. */
typedef struct wfi_edge_columns {
    size_t count;
    wfi_column_source *from; /* by record */
    wfi_edge_rule *rule;
    const uint64_t *row;     /* of each record, in `from`; NULL: its number */
    wfi_names *names, *pool; /* of columns; texts.  Their own, or NULL, as are: */
    void **blocks;           /* values and bits */
    size_t block_count;
} wfi_edge_columns;

weft_status wfi_edge_columns_new(weft_ctx *ctx, size_t count, wfi_edge_columns **out);
void wfi_edge_columns_free(wfi_edge_columns *c);
/* A block that is freed with them; at most two for each column, and one more. */
void wfi_edge_columns_own(wfi_edge_columns *c, void *block);

/* "amount:sum,date:max" for the columns of these names, which are to be kept; NULL: no rules.  WEFT_EINVAL for a slip,
 * a column that is not kept, or two rules for one. */
weft_status wfi_edge_rules_read(weft_ctx *ctx, const char *text, const wfi_names *names, size_t count,
                                wfi_edge_rule *rule);

/* Where records go: rows in which parallel edges stay, and the number of its record for each of their arcs. */
typedef struct wfi_records {
    wfi_view rows;
    uint64_t *number;
    bool lent; /* the rows are those of the graph */
} wfi_records;
/* wfi_rows_from_edges and, with columns, where their records go; without, *records stays empty. */
weft_status wfi_rows_with_records(weft_ctx *ctx, wfi_edges *edges, bool columns, const wfi_row_plan *plan,
                                  wfi_view *rows, wfi_row_counts *counts, wfi_records *records);
void wfi_records_free(wfi_records *records);
/* g, made of these rows, gets the columns. */
weft_status wfi_edge_columns_place(weft_ctx *ctx, const wfi_edge_columns *c, const wfi_build *build,
                                   const wfi_records *records, weft_graph *g);

#endif
