/* Attributes: named columns with a type, a value or none for each vertex, and behind them those of edges, with one for
 * each arc in the order of the rows.  Needs: names that are distinct among those of an owner, not empty and without
 * NUL.
 * Encoding, in memory and in .weft files alike (docs/formats/weft.md): one block with the values of all columns, laid
 * out by wfi_vertex_data_lay_out; texts are numbers in one pool of distinct texts, in which the names of the columns
 * come first, then the values in the order of columns and vertices, so that equal columns are equal bytes.  Where a
 * value is missing, zeros are stored.
 * A graph without attributes has no wfi_vertex_data. */
#ifndef WFI_ATTRIBUTES_H
#define WFI_ATTRIBUTES_H

#include "graph/graph.h"
#include "stream/iso_time.h"

enum { WFI_COLUMN_NAME_MOST = 65535, WFI_COLUMN_ALIGNMENT = 64 };

typedef enum wfi_column_owner { WFI_OF_VERTICES, WFI_OF_ARCS } wfi_column_owner;

/* As it stands in a file.  Its values begin at `at` in the block; if some are missing, a bit for each vertex that has
 * one follows at the next multiple of WFI_COLUMN_ALIGNMENT. */
typedef struct wfi_column_entry {
    uint32_t owner, type, form; /* wfi_column_owner, weft_attribute_type, weft_time_form */
    uint32_t name;              /* number of a text */
    uint64_t at;
    uint64_t missing; /* how many vertices, or arcs, have no value */
} wfi_column_entry;
_Static_assert(sizeof(wfi_column_entry) == 32, "an entry has no holes");

/* Arrays are blocks of wfi_take, or lie in the graph's mapping. */
typedef struct wfi_vertex_data {
    size_t count, edge_count; /* columns of vertices, then those of edges */
    weft_vid rows;
    uint64_t arcs;
    const wfi_column_entry *entries;
    const char *values;
    uint64_t value_bytes;
    uint64_t texts;
    const uint64_t *starts; /* texts + 1 */
    const char *text;
    const char **names; /* of columns, with a NUL: a block of its own, the names after the list */
} wfi_vertex_data;

/* Where a column's values come from: for vertex v those of row[v] (NULL: v itself; WEFT_NO_VERTEX: it has none). */
typedef struct wfi_column_source {
    const char *name;
    weft_attribute_type type;
    weft_time_form form;
    const void *values;
    const uint8_t *valid;   /* a bit for each row; NULL: all have a value */
    const uint64_t *starts; /* of texts: their pool */
    const char *text;
    uint64_t texts;
    const weft_vid *row;
    const uint64_t *record; /* the same of arcs; WFI_NO_RECORD */
} wfi_column_source;

#define WFI_NO_RECORD UINT64_MAX

/* What columns are made of: for n vertices, then for arcs. */
typedef struct wfi_column_sources {
    weft_vid n;
    uint64_t arcs;
    const wfi_column_source *from, *edge_from;
    size_t count, edge_count;
} wfi_column_sources;

/* Bytes of a value: 0 if there is no such type. */
size_t wfi_attribute_bytes(uint32_t type);
static inline bool wfi_has_bit(const uint8_t *bits, uint64_t i) { return !bits || bits[i >> 3] >> (i & 7) & 1; }

/* Where the next column begins after `end` bytes, which become those after it.  False beyond 2^62 bytes. */
bool wfi_vertex_data_lay_out(uint64_t rows, uint32_t type, bool missing, uint64_t *at, uint64_t *end);
/* The bits of a column, or NULL. */
const uint8_t *wfi_column_valid(const wfi_vertex_data *c, size_t i);
static inline const void *wfi_column_values(const wfi_vertex_data *c, size_t i) { return c->values + c->entries[i].at; }
/* A text of the pool. */
static inline const char *wfi_column_text(const wfi_vertex_data *c, uint32_t number, size_t *length) {
    *length = (size_t)(c->starts[number + 1] - c->starts[number]);
    return c->text + c->starts[number];
}

/* Fresh columns for n vertices.  The second: `names` of columns whose other arrays are there. */
weft_status wfi_vertex_data_make(weft_ctx *ctx, weft_vid n, const wfi_column_source *from, size_t count,
                                 wfi_vertex_data **out);
weft_status wfi_columns_make(weft_ctx *ctx, const wfi_column_sources *of, wfi_vertex_data **out);
weft_status wfi_vertex_data_name(weft_ctx *ctx, wfi_vertex_data *c);
/* The graph's columns of vertices become these; those of edges stay.  The second: the other way round. */
weft_status wfi_vertex_data_replace(weft_ctx *ctx, weft_graph *g, const wfi_column_source *from, size_t count);
weft_status wfi_edge_data_replace(weft_ctx *ctx, weft_graph *g, const wfi_column_source *from, size_t count);
/* The graph's own go with it. */
void wfi_vertex_data_free(const weft_graph *g, wfi_vertex_data *c);
/* Bytes of its blocks that do not lie in the graph's mapping. */
uint64_t wfi_vertex_data_bytes(const weft_graph *g);

/* Rows of a column. */
static inline uint64_t wfi_column_rows(const wfi_vertex_data *c, size_t i) { return i < c->count ? c->rows : c->arcs; }
/* Of a graph, which may have none. */
static inline size_t wfi_edge_column_count(const weft_graph *g) {
    return g->attributes ? g->attributes->edge_count : 0;
}

/* The place of a column of edges among all columns; false: there is none of that name.  The second: WEFT_ENOTFOUND,
 * with those that there are. */
bool wfi_edge_column_named(const weft_graph *g, const char *name, size_t *i);
weft_status wfi_fail_no_edge_column(weft_ctx *ctx, const weft_graph *g, const char *name);

/* fresh, a graph whose vertex v is vertex row[v] of g (NULL: v), gets g's attributes; its columns of edges stay.  The
 * second: those of edges, arc e being arc record[e] of g (NULL: e). */
weft_status wfi_vertex_data_carry(weft_ctx *ctx, const weft_graph *g, const weft_vid *row, weft_graph *fresh);
weft_status wfi_edge_data_carry(weft_ctx *ctx, const weft_graph *g, const uint64_t *record, weft_graph *fresh);
/* A column of the graph as a source of its own rows. */
wfi_column_source wfi_column_as_source(const wfi_vertex_data *c, size_t i); /* i: of vertices, then of edges */

#endif
