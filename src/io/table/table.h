/* Edges of a table (text, JSON lines, Parquet, Arrow) on their way to a graph.  A format gathers: it adds the edges of
 * one file to a wfi_table.  Several part files and a table of vertices may add to the same one before it becomes a
 * graph. */
#ifndef WFI_TABLE_H
#define WFI_TABLE_H

#include "graph/edges.h"
#include "io/table/columns.h"
#include "io/text/cells.h"

/* Where the ends of an edge stand in a line of text.  separator 0: that cannot be told. */
typedef struct wfi_edge_layout {
    char separator;
    bool runs;          /* a run of separators is one */
    bool records;       /* a quoted field may hold newlines */
    bool comments;      /* a line that begins with # or % is one */
    bool both;          /* a line of a directed graph may stand for both arcs */
    bool numbered;      /* the ends are numbers of vertices from 1, whatever their ids are */
    char tag;           /* the first field of a line that is an edge; 0: there is none */
    int source, target; /* fields, from 0 */
    uint64_t from;      /* where the edges begin */
} wfi_edge_layout;

/* Parallel edges of this graph have different weights: its message names their lines, if the source can be read a
 * second time (pair_lines.c).  All ranks that share it call this. */
weft_status wfi_name_lines(weft_ctx *ctx, wfi_source *source, const wfi_edge_layout *layout, weft_graph *g);

typedef struct wfi_table {
    const char *format; /* what weft_graph_info calls it; static text */
    wfi_edges edges;    /* pieces in the order of the files; a part puts its own from edges.count on */
    bool parts;         /* a part came before: its decisions below hold for this one too */
    uint64_t settled;   /* edges and vertices in the parts before; one of none decides nothing but the columns */
    bool names;         /* ids are names, numbers in edges.names; otherwise integers */
    bool weighted;
    bool says_direction, directed;
    wfi_table_columns *columns; /* what wfi_columns_say kept; NULL: no columns to speak of */
    wfi_edge_layout layout;     /* of a text */

    int64_t *extra; /* integer ids that are vertices though no edge has them; names only need a number in edges.names */
    uint64_t extra_count, extra_room;
    wfi_cells *cells;               /* attributes, from a table of vertices; NULL: there is none */
    bool bipartite;                 /* the file says that sources are of one kind, targets of another */
    struct wfi_edge_fields *fields; /* further wanted columns of edges (edge_fields.h); NULL: none */
    bool dense;                     /* the file says that the vertices are base ... base+vertices-1 */
    uint64_t vertices;
    int64_t base;
} wfi_table;

/* The table of names of thread `thread`, made when it is not there. NULL when out of memory.  Threads may ask for their
 * own at once, after wfi_table_use_names. */
weft_status wfi_table_use_names(weft_ctx *ctx, wfi_table *t, size_t threads);
wfi_names *wfi_table_names(weft_ctx *ctx, wfi_table *t, size_t thread);

/* What a table held before a file was added, so that a failed attempt leaves nothing. */
typedef struct wfi_table_mark {
    size_t pieces, name_tables;
    size_t *names; /* in each table of names */
    uint64_t extra;
} wfi_table_mark;
weft_status wfi_table_begin(weft_ctx *ctx, const wfi_table *t, wfi_table_mark *mark);
void wfi_table_undo(wfi_table *t, const wfi_table_mark *mark);
void wfi_table_mark_free(wfi_table_mark *mark);

/* A vertex that needs no edge. */
weft_status wfi_table_extra(weft_ctx *ctx, wfi_table *t, int64_t id);

/* What this part decided, held against the parts before: WEFT_EINPUT at line 1 of `source` if it differs.  Takes over
 * `columns` (may be NULL). */
weft_status wfi_table_settle(weft_ctx *ctx, const wfi_source *source, wfi_table *t, bool names, bool weighted,
                             wfi_table_columns *columns);

/* Makes the graph of all that was gathered and empties the table, also on failure. */
weft_status wfi_table_build(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, wfi_table *t,
                            weft_graph **out);
void wfi_table_free(wfi_table *t);

/* Tables of vertices beside the edges (--nodes FILE[:COLUMN]): every id in the column is a vertex, also one without
 * edges; the other columns are attributes. */
/* Adds the vertices that params->nodes names to a table whose edges are all there.  *distinct = how many they are;
 * *facts are those of the text, for ranks to compare. */
weft_status wfi_nodes_add(weft_ctx *ctx, const weft_read_params *params, wfi_table *table, uint64_t *distinct,
                          wfi_file_facts *facts);

/* Do all ranks have the same tables of vertices? */
weft_status wfi_nodes_same(weft_ctx *ctx, const weft_read_params *params, const wfi_file_facts *facts);

/* After the graph was made: a note with the number of vertices that only edges name, if there are any. */
void wfi_nodes_note(weft_ctx *ctx, const weft_read_params *params, const weft_graph *g, uint64_t distinct);

#endif
