/* A graph as documents list it (GraphML, GEXF, Pajek, JSON, ...): vertices declared by name, edges between names in any
 * order, weights that an edge may lack, a direction that an edge may have of its own.
 *
 * A reader opens a listing, declares, adds and builds.  Names that are all whole numbers (written as numbers are: no
 * leading zeros, no plus) make a graph with integer ids.  All places (`at`) point into one text and serve messages. */
#ifndef WFI_LISTING_H
#define WFI_LISTING_H

#include "io/io.h"
#include "io/table/edge_binder.h"
#include "io/text/cells.h"

typedef struct wfi_listed_edge {
    uint32_t source, target; /* indices of names */
    const char *at;
    bool weighted;
    bool both; /* in a directed graph it is two arcs, one in each direction */
    wfi_weight weight;
} wfi_listed_edge;

typedef struct wfi_listing {
    weft_ctx *ctx;
    const wfi_source *source;
    const char *text; /* the text that places point into */
    const weft_read_params *params;
    bool ends_declare; /* an edge makes its ends vertices; otherwise they must be declared, before it or after */

    wfi_names *names;
    struct wfi_listed_name {
        const char *declared, *used; /* where, NULL = not */
    } * places;                      /* by name */
    size_t name_room;
    wfi_listed_edge *edges;
    uint64_t edge_count, edge_room, both_count;
    wfi_edge_fields *fields;                 /* columns of edges that are wanted; NULL: none */
    wfi_edge_binder binder;                  /* of the cells of the last edge */
    uint64_t edges_done;                     /* edges with their cells put */
    wfi_cells *cells;                        /* attributes: those of the vertex that was declared last are put */
    bool direction_open;                     /* neither the document nor its format says it; an edge may */
    const char *directed_at, *undirected_at; /* the first edge with a direction of its own, of either kind */
} wfi_listing;

/* The text must stay until the listing is closed.  wfi_listing_close is allowed after a failure. */
weft_status wfi_listing_open(wfi_listing *l, weft_ctx *ctx, const wfi_source *source, const char *text,
                             const weft_read_params *params);
void wfi_listing_close(wfi_listing *l);

/* WEFT_EINPUT if it was declared before. */
weft_status wfi_listing_vertex(wfi_listing *l, const char *name, size_t length, const char *at);

/* An end of an edge: its name, and where that stands. */
typedef struct wfi_listed_end {
    const char *name;
    size_t length;
    const char *at;
} wfi_listed_end;
weft_status wfi_listing_edge(wfi_listing *l, wfi_listed_end source, wfi_listed_end target, const char *at);
/* An edge between vertices by their numbers: the order in which they are declared, before it or after. */
weft_status wfi_listing_numbered(wfi_listing *l, uint32_t source, uint32_t target, const char *at);
/* Of the last edge: its weight, as text (blanks around it do not count). */
weft_status wfi_listing_weight(wfi_listing *l, const char *number, size_t length, const char *at);
/* Columns of edges (listing_fields.c).  Is this title wanted?  Its field, or SIZE_MAX.  A value of the last edge, as a
 * type of cells.h: of two the first counts. */
size_t wfi_listing_field(const wfi_listing *l, const char *title, size_t length);
bool wfi_listing_has_value(const wfi_listing *l, size_t field);
weft_status wfi_listing_value(wfi_listing *l, size_t field, int type, const char *text, size_t length);
/* For the listing itself: to begin and to end with; all of an edge has been read; all edges are in the first piece. */
weft_status wfi_listing_open_fields(wfi_listing *l);
void wfi_listing_close_fields(wfi_listing *l);
weft_status wfi_listing_end_edge(wfi_listing *l);
weft_status wfi_listing_check_fields(wfi_listing *l);
weft_status wfi_listing_settle_fields(wfi_listing *l, wfi_edges *edges);

/* Where some edges have a weight, the others get weight 1.  Returns the number of edges without one. */
uint64_t wfi_listing_give_ones(wfi_listing *l);
/* Sets the direction of the last edge. */
void wfi_listing_direction(wfi_listing *l, bool directed);
/* Instead: the last edge has both directions.  In a directed graph it is two arcs, otherwise an undirected edge. */
void wfi_listing_both_ways(wfi_listing *l);

/* Checks (undeclared ends, weights that some edges lack, both directions in one file) and makes the graph.  directed:
 * what the document says of all edges; edges that say it of themselves overrule it when they agree. */
weft_status wfi_listing_build(wfi_listing *l, const char *format, bool directed, weft_graph **out);

/* Where a document lists the edge between two ids, in either direction. */
typedef struct wfi_listed_id {
    const char *text;
    size_t length;
} wfi_listed_id;
typedef const char *wfi_edge_place(const void *of, wfi_listed_id u, wfi_listed_id v);
/* After attributes are there: the sides of a bipartite graph, of which the document speaks by them
 * (attributes/sides.h).
 * wfi_listing_build does that.  A failure frees the graph; WEFT_EINPUT names an edge within a side. */
weft_status wfi_find_sides(weft_ctx *ctx, const wfi_source *source, const char *whole, const weft_read_params *params,
                           wfi_edge_place *place, const void *of, weft_graph **out);

/* GEXF: what its writer and its reader share. */
/* Among the keywords of a document: its ids are names, even if they look like numbers. */
#define WFI_GEXF_NAMES "weft ids names"

/* GML: what its writer and its reader share. */
/* In a graph's list: the ids are the labels of the nodes.  Ids in GML are numbers; this is how names come back. */
#define WFI_GML_IDS "weftIds"
/* There too: what attributes are called that have another name in the file. */
#define WFI_GML_RENAMED "weftNames"

/* GraphML: what its writer and its reader share. */
/* A graph whose data of this name is `names` has names for ids, even if they look like numbers. */
#define WFI_GRAPHML_IDS "weft.ids"

#endif
