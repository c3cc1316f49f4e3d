/* Tables of vertices: which column has their ids (nodes_names.c), and how they are written (nodes_write.c). */
#ifndef WFI_NODES_H
#define WFI_NODES_H

#include "io/io.h"
#include "io/table/fields.h"

/* Facts of one table of vertices. */
typedef struct wfi_nodes_facts {
    uint64_t rows, distinct;
    wfi_file_facts file;
} wfi_nodes_facts;
/* nodes.c: adds those of "FILE" or "FILE:COLUMN". */
weft_status wfi_nodes_add_one(weft_ctx *ctx, const weft_read_params *params, const char *spec, wfi_table *t,
                              wfi_nodes_facts *facts);
/* The number of distinct ids among the last `count` extra ones of the table, and the places of the first two that are
 * the same, if there are any. */
weft_status wfi_nodes_distinct(weft_ctx *ctx, const wfi_table *t, uint64_t count, uint64_t twice[2],
                               uint64_t *distinct);
/* nodes_several.c: the table's cells, new or those of the tables of vertices before. */
weft_status wfi_nodes_open_cells(weft_ctx *ctx, const wfi_source *source, const weft_read_params *params, wfi_table *t);

/* The column with the most telling name; -1 if there is none, -2 if there are two. */
int wfi_nodes_by_name(const wfi_field *titles, size_t count);
/* The column that the user names; -1 if there is none of this name. */
int wfi_nodes_by_wish(const wfi_field *titles, size_t count, const char *wish);

wfi_writer wfi_write_nodes;

#endif
