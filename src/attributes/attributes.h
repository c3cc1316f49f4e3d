/* Attributes: named, typed columns with an optional value per vertex, followed by columns of edges with one value per
 * arc in the order of the rows. Needs: names that are nonempty, without NUL, and distinct among vertex columns and
 * among edge columns.
 * Encoding, the same in memory and in .weft files (docs/formats/weft.md): one block with the values of all columns,
 * laid out by wfi_vertex_data_lay_out. Texts are numbers in one pool of distinct texts, in which column names come
 * first, then values in the order of columns and vertices, so that equal columns are equal bytes. Missing values are
 * stored as zeros.
 * A graph without attributes has no wfi_vertex_data. */
#ifndef WFI_ATTRIBUTES_H
#define WFI_ATTRIBUTES_H

#include "graph/graph.h"
#include "stream/iso_time.h"

enum { WFI_COLUMN_NAME_MOST = 65535, WFI_COLUMN_ALIGNMENT = 64 };

typedef enum wfi_column_owner { WFI_OF_VERTICES, WFI_OF_ARCS } wfi_column_owner;

/* A column as stored in a file. Values begin at `at` in the block. If some are missing, a bitmap of present values
 * follows at the next multiple of WFI_COLUMN_ALIGNMENT. */
typedef struct wfi_column_entry {
    uint32_t owner, type, form; /* wfi_column_owner, weft_attribute_type, weft_time_form */
    uint32_t name;              /* number in the pool of texts */
    uint64_t at;
    uint64_t missing; /* number of missing values */
} wfi_column_entry;
_Static_assert(sizeof(wfi_column_entry) == 32, "an entry has no holes");

/* The arrays are blocks of wfi_take or lie in the graph's mapping. */
typedef struct wfi_vertex_data {
    size_t count, edge_count; /* numbers of vertex columns and of edge columns, in this order */
    weft_vid rows;
    uint64_t arcs;
    const wfi_column_entry *entries;
    const char *values;
    uint64_t value_bytes;
    uint64_t texts;
    const uint64_t *starts; /* begins of the pool's texts; texts + 1 entries */
    const char *text;
    const char **names; /* NUL-terminated column names; one block, the names after the list */
} wfi_vertex_data;

/* Source of a column: vertex v gets the value of row[v] (NULL: of v; WEFT_NO_VERTEX: none). */
typedef struct wfi_column_source {
    const char *name;
    weft_attribute_type type;
    weft_time_form form;
    const void *values;
    const uint8_t *valid;   /* a bit per row; NULL: no value is missing */
    const uint64_t *starts; /* begins of the pool's texts, for text columns */
    const char *text;
    uint64_t texts;
    const weft_vid *row;
    const uint64_t *record; /* row of each arc, like `row`; WFI_NO_RECORD: no value */
} wfi_column_source;

#define WFI_NO_RECORD UINT64_MAX

/* Sources of vertex columns and of edge columns. */
typedef struct wfi_column_sources {
    weft_vid n;
    uint64_t arcs;
    const wfi_column_source *from, *edge_from;
    size_t count, edge_count;
} wfi_column_sources;

/* Bytes per value, 0 for an unknown type. */
size_t wfi_attribute_bytes(uint32_t type);
static inline bool wfi_has_bit(const uint8_t *bits, uint64_t i) { return !bits || bits[i >> 3] >> (i & 7) & 1; }

/* Lays out the next column after `end` bytes: sets *at to its begin and advances *end past it. False beyond 2^62
 * bytes. */
bool wfi_vertex_data_lay_out(uint64_t rows, uint32_t type, bool missing, uint64_t *at, uint64_t *end);
/* Bitmap of present values; NULL if no value is missing. */
const uint8_t *wfi_column_valid(const wfi_vertex_data *c, size_t i);
static inline const void *wfi_column_values(const wfi_vertex_data *c, size_t i) { return c->values + c->entries[i].at; }
/* Text `number` of the pool. */
static inline const char *wfi_column_text(const wfi_vertex_data *c, uint32_t number, size_t *length) {
    *length = (size_t)(c->starts[number + 1] - c->starts[number]);
    return c->text + c->starts[number];
}

/* wfi_vertex_data_make, wfi_columns_make: new columns from sources. wfi_vertex_data_name: sets `names` when all other
 * arrays are set. */
weft_status wfi_vertex_data_make(weft_ctx *ctx, weft_vid n, const wfi_column_source *from, size_t count,
                                 wfi_vertex_data **out);
weft_status wfi_columns_make(weft_ctx *ctx, const wfi_column_sources *of, wfi_vertex_data **out);
weft_status wfi_vertex_data_name(weft_ctx *ctx, wfi_vertex_data *c);
/* Replace the graph's vertex columns (edge columns), keeping the edge columns (vertex columns). */
weft_status wfi_vertex_data_replace(weft_ctx *ctx, weft_graph *g, const wfi_column_source *from, size_t count);
weft_status wfi_edge_data_replace(weft_ctx *ctx, weft_graph *g, const wfi_column_source *from, size_t count);
/* Frees columns of g, except arrays in its mapping. */
void wfi_vertex_data_free(const weft_graph *g, wfi_vertex_data *c);
/* Bytes of the blocks outside the graph's mapping. */
uint64_t wfi_vertex_data_bytes(const weft_graph *g);

/* Number of rows of column i. */
static inline uint64_t wfi_column_rows(const wfi_vertex_data *c, size_t i) { return i < c->count ? c->rows : c->arcs; }
/* 0 if the graph has no attributes. */
static inline size_t wfi_edge_column_count(const weft_graph *g) {
    return g->attributes ? g->attributes->edge_count : 0;
}

/* wfi_edge_column_named: index of an edge column among all columns; false if there is none. wfi_fail_no_edge_column:
 * WEFT_ENOTFOUND with a list of the edge columns. */
bool wfi_edge_column_named(const weft_graph *g, const char *name, size_t *i);
weft_status wfi_fail_no_edge_column(weft_ctx *ctx, const weft_graph *g, const char *name);

/* Copies g's vertex columns to `fresh`, with vertex v from vertex row[v] (NULL: v), keeping its edge columns; or g's
 * edge columns, with arc e from arc record[e] (NULL: e), keeping its vertex columns. */
weft_status wfi_vertex_data_copy(weft_ctx *ctx, const weft_graph *g, const weft_vid *row, weft_graph *fresh);
weft_status wfi_edge_data_copy(weft_ctx *ctx, const weft_graph *g, const uint64_t *record, weft_graph *fresh);
/* Column i as a source with the same rows. */
/* vertex columns first, then edge columns */
wfi_column_source wfi_column_as_source(const wfi_vertex_data *c, size_t i);

#endif
