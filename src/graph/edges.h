/* Edges between a reader or generator and the graph.
 *
 * A reader appends pieces (runs of edges in file order, one per block of text) and calls wfi_graph_build, which turns
 * ids into vertices, applies the build rules and consumes the edges. Pieces are in file order, so that results do not
 * depend on the number of parsing threads. */
#ifndef WFI_EDGES_H
#define WFI_EDGES_H

#include "graph/graph.h"

/* String table: numbers distinct strings in order of first appearance (names.c); one hash table per parsing thread. */
typedef struct wfi_names {
    char *text; /* all names, concatenated */
    size_t text_used, text_capacity;
    uint64_t *start; /* count + 1 */
    size_t count, capacity;
    uint32_t *slot; /* open addressing: number + 1, 0 = empty */
    uint64_t *hash; /* per name */
    size_t slots;   /* a power of two */
} wfi_names;

wfi_names *wfi_names_new(weft_ctx *ctx);
void wfi_names_free(wfi_names *names);

/* Returns the number of a name and adds it if it is new. WEFT_ENOMEM if the table cannot grow. */
weft_status wfi_names_number(weft_ctx *ctx, wfi_names *names, const char *text, size_t length, uint32_t *number);

/* The number of a known name; false: it is new. */
bool wfi_names_find(const wfi_names *names, const char *text, size_t length, uint32_t *number);

/* Removes all names but the first `count`. */
void wfi_names_cut(wfi_names *names, size_t count);

/* `count` edges: ends[2i], ends[2i+1] are source and target of edge i. */
typedef struct wfi_piece {
    uint64_t count;
    uint32_t *narrow; /* 2 * count ids below 2^32, or NULL */
    int64_t *wide;    /* 2 * count ids of any size, or NULL */
    void *weights;    /* count values of weight_type, or NULL */
    weft_weight_type weight_type;
    uint64_t inexact; /* number of integer weights that were rounded to float or double */
    uint32_t names;   /* string ids: index of the names table that numbers the ends */
    uint8_t *back;    /* per arc, true if an undirected edge was listed in the other direction; NULL: none was */
    void *cells;      /* kept cells of each edge, as text (io/text/edge_cells.h), or NULL */
} wfi_piece;

typedef struct wfi_edges {
    wfi_piece *pieces;
    size_t count, capacity;
    wfi_names **names; /* string ids: one table per parsing thread */
    size_t name_tables;
    struct wfi_edge_columns *columns; /* typed columns by edge (edge_columns.h), or NULL */
} wfi_edges;

/* Stores a piece at index `at`, growing the list as needed; takes over its arrays unless it fails. */
weft_status wfi_edges_put(weft_ctx *ctx, wfi_edges *edges, size_t at, const wfi_piece *piece);
/* Appends a piece with space for `count` narrow edges, for callers that know the size. */
weft_status wfi_edges_add(weft_ctx *ctx, wfi_edges *edges, uint64_t count, weft_weight_type type, wfi_piece **piece);
/* wfi_edges_add with ids of either width. */
weft_status wfi_edges_reserve(weft_ctx *ctx, wfi_edges *edges, uint64_t count, weft_weight_type type, bool wide);
/* Writes the sources (side 0) or the targets (side 1) of `count` edges from edge `at` on. */
void wfi_piece_put_ends(wfi_piece *piece, uint64_t at, size_t count, unsigned side, const int64_t *id);
uint64_t wfi_edges_total(const wfi_edges *edges);
void wfi_edges_free(wfi_edges *edges);

typedef enum wfi_numbering {
    WFI_VERTICES, /* ends are ends_base + vertex, vertex < vertices (checked); file id = id_base + vertex */
    WFI_COMPACT,  /* ends are any ids; those that occur become vertices, in ascending order */
    WFI_NAMES     /* ends are numbers in the names tables; vertices are in byte order of the names */
} wfi_numbering;

typedef struct wfi_build {
    wfi_numbering numbering;
    uint64_t vertices;          /* for WFI_VERTICES */
    int64_t ends_base, id_base; /* for WFI_VERTICES */
    wfi_ids *ids;               /* WFI_VERTICES: ascending ids, taken over by the graph; NULL: id_base, id_base + 1,
                                 * ... */
    const int64_t *extra_ids;   /* WFI_COMPACT: ids that are vertices even without edges (LDBC .v), in any order */
    uint64_t extra_count;
    bool directed;       /* direction of the new graph, resolved by the reader from params.direction and the file */
    bool direction_open; /* neither the file nor its format determines the direction */
    bool shared;         /* collective: each rank has a part of the edges, in the order of ranks (share.h) */
    bool made;           /* made by a caller or a generator, not read: parallel weights are not ambiguous */
    bool mirrored;       /* undirected, and both arcs of each edge are listed: do not add the reverse */
    uint64_t records;    /* 0: the number of edges */
    weft_build_params params;
    const char *format;
    weft_label label;
} wfi_build;

/* Builds a graph; consumes `edges`, which are freed even on failure. Messages have no position: readers that know the
 * line check ids themselves. */
weft_status wfi_graph_build(weft_ctx *ctx, wfi_edges *edges, const wfi_build *build, weft_graph **out);

/* Copies the caller's rules (NULL: the defaults) and checks them. */
weft_status wfi_build_rules(weft_ctx *ctx, const weft_build_params *given, weft_build_params *rules);

/* Direction of the graph from the caller's wish and the file. */
static inline bool wfi_resolve_directed(weft_direction wanted, bool file_says_directed) {
    return wanted == WEFT_AS_FILE ? file_says_directed : wanted == WEFT_DIRECTED;
}

/* True if each edge that is not a loop gets a reverse arc. */
static inline bool wfi_build_mirrors(const wfi_build *build) { return !build->directed && !build->mirrored; }

/* True if the rules change weights even without parallel edges. */
static inline bool wfi_rules_change_weights(const weft_build_params *rules, weft_weight_type type) {
    bool to_f64 = type != WEFT_WEIGHT_NONE && type != WEFT_WEIGHT_F64;
    return rules->duplicates == WEFT_DUPLICATES_COUNT || (rules->duplicates == WEFT_DUPLICATES_MEAN && to_f64);
}

static inline weft_direction_from wfi_direction_from(const wfi_build *build) {
    if (build->params.direction != WEFT_AS_FILE) return WEFT_DIRECTION_FROM_FLAG;
    return build->direction_open ? WEFT_DIRECTION_ASSUMED : WEFT_DIRECTION_FROM_FILE;
}

/* Build rules of read parameters. */
static inline weft_build_params wfi_read_rules(const weft_read_params *params) {
    weft_build_params rules = WEFT_BUILD_DEFAULTS;
    rules.direction = params->direction;
    rules.duplicates = params->duplicates;
    rules.loops = params->loops;
    return rules;
}

#endif
