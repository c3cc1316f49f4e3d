/* One thread's way from the typed cells of rows to pieces of edges, for all tables and documents.
 *
 * A source puts the cells of a row, by field of edge_fields.h: a text, its place for messages, and the type that the
 * source declares (cells.h).  The binder asks the condition, and keeps the cells of the edges that stay beside their
 * ends and weights; a piece has them all. */
#ifndef WFI_EDGE_BINDER_H
#define WFI_EDGE_BINDER_H

#include "io/table/edge_fields.h"
#include "io/text/collect.h"

/* Room for a text that does not stand in the source as it is: without quotes or escapes.  wfi_free(room.text). */
typedef struct wfi_text_room {
    char *text;
    size_t bytes;
} wfi_text_room;

typedef struct wfi_edge_binder {
    wfi_collector collector;
    wfi_edge_fields *fields; /* NULL: of an edge nothing but ends, weight and direction is wanted */
    wfi_cell_text *cell;     /* of the row, by field; a text table has all its columns behind (edgelist_wanted.c) */
    const char **place;      /* by field: of its cell, for messages */
    wfi_text_room *room;     /* by field */
    unsigned *types;         /* by field: types that the source declared, a bit each */
    wfi_edge_cells cells;    /* of the piece */
    uint64_t left_out;
    wfi_cell_row asked; /* by the condition: a cell that is not of the kind that it is compared with */
} wfi_edge_binder;

/* more: cells beyond those of the fields.  wfi_binder_close is allowed after a failure. */
weft_status wfi_binder_open(weft_ctx *ctx, wfi_edge_binder *b, wfi_edge_fields *fields, size_t more);
void wfi_binder_close(wfi_edge_binder *b);
/* The same for several threads. */
weft_status wfi_binders_new(weft_ctx *ctx, wfi_edge_fields *fields, size_t more, int threads, wfi_edge_binder **out);
void wfi_binders_free(wfi_edge_binder *binders, int threads);
/* All rows were read: adds the edges that were left out, and the types that were declared, to those of the fields. */
void wfi_binder_count(const wfi_edge_binder *b);

/* An empty piece for up to `room` edges. */
weft_status wfi_binder_begin(weft_ctx *ctx, wfi_edge_binder *b, uint64_t room, weft_weight_type type);
weft_status wfi_binder_deliver(weft_ctx *ctx, wfi_edge_binder *b, wfi_edges *edges, size_t at, uint32_t names);

/* Before a row: no field has a cell. */
static inline void wfi_binder_clear(wfi_edge_binder *b) {
    for (size_t i = 0; i < b->fields->count; i++) b->cell[i].text = NULL;
}
/* Does the edge of the row stay?  -1: a cell is not of the kind that it is compared with. */
int wfi_binder_meets(wfi_edge_binder *b);
/* Why that could not be asked, without its place. */
enum { WFI_WHY = 320 };
const char *wfi_binder_why(const wfi_edge_binder *b, char why[WFI_WHY]);
/* The edge stays: its cells are kept. */
static inline weft_status wfi_binder_keep(weft_ctx *ctx, wfi_edge_binder *b) {
    return wfi_edge_cells_put(ctx, &b->cells, b->cell);
}

#endif
