/* Fields of an edge beyond its ends and its weight: columns to keep (keep), and columns of the condition
 * (edges_where). */
#ifndef WFI_EDGE_FIELDS_H
#define WFI_EDGE_FIELDS_H

#include "io/table/columns.h"
#include "io/text/edge_cells.h"

typedef struct wfi_edge_fields {
    const weft_read_params *params;
    wfi_names *names; /* names that the caller gives; the first `kept` are kept */
    size_t count, kept;
    wfi_condition *condition; /* NULL: all edges stay */
    wfi_edge_rule *rule;      /* of the kept ones */
    unsigned *types;          /* declared types of their cells (cells.h); 0: none */
    wfi_names *titles;        /* titles of the kept ones in the table; NULL: not yet found */
    int *column;              /* of each, in the table that is being read */
    int *field;               /* the other way round, -1: none; of `columns` */
    int columns, last;        /* the last that is wanted */
    bool text_table;          /* no cell tells its type */
    char decimal;             /* of numbers in a text table, if the caller said it; 0 */
    bool *asks;               /* of each: 1.234 may be either number, as others of the table have decimal commas */
    uint64_t left_out;        /* edges that do not meet the condition */
} wfi_edge_fields;

/* The fields that the parameters ask for; *out stays NULL if there are none. */
weft_status wfi_edge_fields_open(weft_ctx *ctx, const weft_read_params *params, wfi_edge_fields **out);
void wfi_edge_fields_free(wfi_edge_fields *f);
/* In a document without weights the column `value` is the weight, and a note says so, unless the caller keeps it as a
 * column. */
bool wfi_value_is_weight(const weft_read_params *params);
void wfi_note_value_is_weight(weft_ctx *ctx, const wfi_source *source);

/* Finds them among the columns of a table: by name, or by number from 1. */
weft_status wfi_edge_fields_find(weft_ctx *ctx, const wfi_source *source, const wfi_columns *columns,
                                 wfi_edge_fields *f);
/* Does the column become a column of the graph? */
bool wfi_edge_fields_keep(const wfi_edge_fields *f, int column);

/* The cells that were kept become columns of the edges, and a note says how many edges were left out. */
weft_status wfi_edge_fields_settle(weft_ctx *ctx, const wfi_source *source, wfi_edge_fields *f, wfi_edges *edges);

#endif
