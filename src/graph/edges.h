/* Edges on their way from a reader or a generator to a graph.
 *
 * A reader appends pieces (runs of edges in file order; one per block of text) and calls wfi_graph_build, which turns
 * ids into vertices, applies the build rules and consumes the edges.  The order of pieces is the order of the file, so
 * that nothing depends on how many threads parsed it. */
#ifndef WFI_EDGES_H
#define WFI_EDGES_H

#include "graph/graph.h"

/* Distinct strings, numbered in order of first sight (names.c): one hash table for each parsing thread. */
typedef struct wfi_names {
    char *text; /* all names, one after the other */
    size_t text_used, text_room;
    uint64_t *start; /* count + 1 */
    size_t count, room;
    uint32_t *slot; /* open addressing: number + 1, 0 = empty */
    uint64_t *hash; /* per name */
    size_t slots;   /* a power of two */
} wfi_names;

wfi_names *wfi_names_new(weft_ctx *ctx);
void wfi_names_free(wfi_names *names);

/* The number of this name, new or known.  WEFT_ENOMEM when it cannot grow. */
weft_status wfi_names_number(weft_ctx *ctx, wfi_names *names, const char *text, size_t length, uint32_t *number);

/* Forgets all but the first `count` names. */
void wfi_names_cut(wfi_names *names, size_t count);

/* `count` edges: ends[2i], ends[2i+1] are source and target of edge i. */
typedef struct wfi_piece {
    uint64_t count;
    uint32_t *narrow; /* 2*count ids below 2^32, or NULL ... */
    int64_t *wide;    /* ... then 2*count ids of any size */
    void *weights;    /* count values of weight_type, or NULL */
    weft_weight_type weight_type;
    uint64_t inexact; /* integer weights that had to be rounded to floats (or doubles) */
    uint32_t names;   /* string ids: the ends are numbers in this table of the edges */
    uint8_t *back;    /* of each arc: an undirected edge was listed the other way round; NULL: none was */
    void *cells;      /* what is kept of each edge, as text (io/text/edge_cells.h); NULL: nothing */
} wfi_piece;

typedef struct wfi_edges {
    wfi_piece *pieces;
    size_t count, room;
    wfi_names **names; /* string ids: one table per parsing thread */
    size_t name_tables;
    struct wfi_edge_columns *columns; /* typed, by edge (edge_columns.h); NULL: none */
} wfi_edges;

/* Appends a piece (or reserves place `at`, growing as needed); takes over its arrays when it returns WEFT_OK. */
weft_status wfi_edges_put(weft_ctx *ctx, wfi_edges *edges, size_t at, const wfi_piece *piece);
/* A fresh piece at the end with room for `count` narrow edges, for readers and generators that know their size. */
weft_status wfi_edges_add(weft_ctx *ctx, wfi_edges *edges, uint64_t count, weft_weight_type type, wfi_piece **piece);
/* The same with ids of either width. */
weft_status wfi_edges_reserve(weft_ctx *ctx, wfi_edges *edges, uint64_t count, weft_weight_type type, bool wide);
/* Writes the sources (side 0) or the targets (side 1) of `count` edges of a piece, from edge `at` on. */
void wfi_piece_put_ends(wfi_piece *piece, uint64_t at, size_t count, unsigned side, const int64_t *id);
uint64_t wfi_edges_total(const wfi_edges *edges);
void wfi_edges_free(wfi_edges *edges);

typedef enum wfi_numbering {
    WFI_VERTICES, /* the ends are ends_base + vertex, vertex < vertices (checked); file id = id_base + vertex */
    WFI_COMPACT,  /* the ends are any ids; those that occur become vertices, in ascending order */
    WFI_NAMES     /* the ends are numbers in the names tables; vertices in byte order of the names */
} wfi_numbering;

typedef struct wfi_build {
    wfi_numbering numbering;
    uint64_t vertices;          /* for WFI_VERTICES */
    int64_t ends_base, id_base; /* for WFI_VERTICES */
    wfi_ids *ids;               /* for WFI_VERTICES: ascending ids, which the graph takes over; NULL: from id_base on */
    const int64_t *extra_ids;   /* WFI_COMPACT: ids that are vertices even if no edge has them (LDBC .v); any order */
    uint64_t extra_count;
    bool directed;       /* of the graph to be made: resolved by the reader from params.direction and the file */
    bool direction_open; /* the file does not say it, nor does its format */
    bool shared; /* each rank has a part of the edges, in the order of ranks, and all call wfi_graph_build (share.h) */
    bool made;   /* by a caller or a generator, not read: no question about weights of parallel edges */
    bool mirrored;    /* undirected, and the edges list both arcs of each edge already: do not add the reverse */
    uint64_t records; /* 0 = as many as there are edges */
    weft_build_params params;
    const char *format;
    weft_label label;
} wfi_build;

/* Consumes `edges` (freed even on failure).  The message of a failure says what, not where: readers that can name the
 * line check ids themselves. */
weft_status wfi_graph_build(weft_ctx *ctx, wfi_edges *edges, const wfi_build *build, weft_graph **out);

/* The caller's rules (NULL: the defaults) in full, if they are well-formed. */
weft_status wfi_build_rules(weft_ctx *ctx, const weft_build_params *given, weft_build_params *rules);

/* What the caller wants against what the file says. */
static inline bool wfi_resolve_directed(weft_direction wanted, bool file_says_directed) {
    return wanted == WEFT_AS_FILE ? file_says_directed : wanted == WEFT_DIRECTED;
}

/* Does each edge that is not a loop also go from target to source? */
static inline bool wfi_build_mirrors(const wfi_build *build) { return !build->directed && !build->mirrored; }

/* Do the rules change weights even where there are no parallel edges? */
static inline bool wfi_rules_change_weights(const weft_build_params *rules, weft_weight_type type) {
    bool to_f64 = type != WEFT_WEIGHT_NONE && type != WEFT_WEIGHT_F64;
    return rules->duplicates == WEFT_DUPLICATES_COUNT || (rules->duplicates == WEFT_DUPLICATES_MEAN && to_f64);
}

static inline weft_direction_from wfi_direction_from(const wfi_build *build) {
    if (build->params.direction != WEFT_AS_FILE) return WEFT_DIRECTION_FROM_FLAG;
    return build->direction_open ? WEFT_DIRECTION_ASSUMED : WEFT_DIRECTION_FROM_FILE;
}

/* The build rules among the parameters of a reading. */
static inline weft_build_params wfi_read_rules(const weft_read_params *params) {
    weft_build_params rules = WEFT_BUILD_DEFAULTS;
    rules.direction = params->direction;
    rules.duplicates = params->duplicates;
    rules.loops = params->loops;
    return rules;
}

#endif
