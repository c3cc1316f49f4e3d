/* Columns of edges between a list of edges and the arcs of a graph.
 *
 * A reader provides an optional value per listed edge (record). Where several records become one arc, because
 * parallel edges merge or an undirected edge is listed in both directions, each column needs a rule for its values;
 * without a rule the graph is refused. */
#ifndef WFI_ATTRIBUTES_EDGE_COLUMNS_H
#define WFI_ATTRIBUTES_EDGE_COLUMNS_H

#include "attributes/attributes.h"
#include "graph/build.h"

typedef enum wfi_edge_rule {
    WFI_RULE_NONE,
    WFI_RULE_SUM,
    WFI_RULE_COUNT, /* number of present values */
    WFI_RULE_MIN,
    WFI_RULE_MAX,
    WFI_RULE_MEAN,
    WFI_RULE_FIRST, /* first present value in file order; LAST: the last one */
    WFI_RULE_LAST
} wfi_edge_rule;

/* Record i is edge i of the concatenated pieces. */
typedef struct wfi_edge_columns {
    size_t count;
    wfi_column_source *from; /* rows are records, or `row` of records */
    wfi_edge_rule *rule;
    const uint64_t *row;     /* row in `from` of each record; NULL: its number */
    wfi_names *names, *pool; /* column names and texts, owned, or NULL */
    void **blocks;           /* owned values and bitmaps */
    size_t block_count;
} wfi_edge_columns;

weft_status wfi_edge_columns_new(weft_ctx *ctx, size_t count, wfi_edge_columns **out);
void wfi_edge_columns_free(wfi_edge_columns *c);
/* Passes the ownership of a block; at most 2 * count + 1 blocks. */
void wfi_edge_columns_own(wfi_edge_columns *c, void *block);

/* Parses rules such as "amount:sum,date:max" for the kept columns `names`; NULL: no rules. WEFT_EINVAL for a syntax
 * error, a column that is not kept, or two rules for one column. */
weft_status wfi_edge_rules_read(weft_ctx *ctx, const char *text, const wfi_names *names, size_t count,
                                wfi_edge_rule *rule);

/* Map from records to arcs: rows with parallel edges kept, and a record number per arc of these rows. */
typedef struct wfi_records {
    wfi_view rows;
    uint64_t *number;
    bool lent; /* the rows belong to the graph */
} wfi_records;
/* wfi_rows_from_edges that also makes *records if `columns`; otherwise *records stays empty. */
weft_status wfi_rows_with_records(weft_ctx *ctx, wfi_edges *edges, bool columns, const wfi_row_plan *plan,
                                  wfi_view *rows, wfi_row_counts *counts, wfi_records *records);
void wfi_records_free(wfi_records *records);
/* Adds the columns to g, which was made with `records`. */
weft_status wfi_edge_columns_place(weft_ctx *ctx, const wfi_edge_columns *c, const wfi_build *build,
                                   const wfi_records *records, weft_graph *g);

#endif
