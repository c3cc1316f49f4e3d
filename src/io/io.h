/* Readers and writers: what they are given and how they are listed.  One file per format; formats.c has one line for
 * each. */
#ifndef WFI_IO_H
#define WFI_IO_H

#include "graph/edges.h"
#include "io/stream/sink.h"
#include "io/stream/source.h"
#include "io/table/table.h"

typedef struct wfi_format {
    weft_format_info info;
    /* How sure is this format, from the first bytes of the (decompressed) content and the name without .gz/.zst?
     * 0 no, 1 by extension only, 2 the content fits, 3 the content says so itself.  NULL: 2 by extension. */
    int (*sniff)(const char *head, size_t bytes, const char *name);
    weft_status (*read)(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, weft_graph **out);
    weft_status (*write)(weft_ctx *ctx, const weft_graph *g, wfi_sink *sink, const weft_write_params *params);
    /* Tables instead of `read`: adds the edges of one file to `table`. */
    weft_status (*gather)(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, struct wfi_table *table);
    bool slices; /* reads its part of a source that ranks share (wfi_source_slice) */
    /* Graphs of several files.  find: `path` may be their common name, or another of them; *out is the one to open,
     * NULL: none is.  wfi_free it.  claims: do the files beside this one say that it is of this format? */
    weft_status (*find)(weft_ctx *ctx, const char *path, char **out);
    weft_status (*claims)(weft_ctx *ctx, const wfi_source *source, bool *yes);
} wfi_format;

extern const wfi_format wfi_format_edgelist, wfi_format_csv, wfi_format_mtx, wfi_format_metis, wfi_format_dimacs,
    wfi_format_sg, wfi_format_wsg, wfi_format_ldbc, wfi_format_ligra, wfi_format_csr, wfi_format_dense,
    wfi_format_binary, wfi_format_dot, wfi_format_gml, wfi_format_adjlist, wfi_format_sif, wfi_format_graphml,
    wfi_format_gexf, wfi_format_pajek, wfi_format_graph6, wfi_format_npy, wfi_format_npz, wfi_format_parquet,
    wfi_format_arrow, wfi_format_webgraph, wfi_format_json, wfi_format_cyjs, wfi_format_jsonl;

/* Does `name` end in .extension for one of the (space separated) extensions? */
bool wfi_name_has_extension(const char *name, const char *extensions);

/* --- formats.c: finding a format by name, content or extension; NULL when there is none ----------------- */

const wfi_format *wfi_format_named(const char *name);
const wfi_format *wfi_format_of_content(const char *head, size_t bytes, const char *name);
const wfi_format *wfi_format_to_write(const char *path);
/* ".weft, .mtx, ...": the first extension of each that is written, for messages. */
void wfi_extensions_to_write(char *list, size_t room);
/* Of all formats, or of `only` this one, where that is not NULL: see find and claims above. */
weft_status wfi_format_find(weft_ctx *ctx, const char *path, const wfi_format *only, char **out);
weft_status wfi_format_claiming(weft_ctx *ctx, const wfi_source *source, const wfi_format **out);

/* --- foreign.c: files that are something else ------------------------------------------------------------ */

/* What the file is and what to do about it, or NULL when its start is like nothing known here: any text with two words
 * a line would pass as an edge list.  The first: of what JSON would take. */
const char *wfi_foreign_json(const char *head, size_t bytes);
const char *wfi_foreign(const char *head, size_t bytes);
/* Has it bytes that no text has? */
bool wfi_is_binary(const char *head, size_t bytes);

/* --- losses.c: what writers share; what a format cannot hold of a graph ------------------------------------------------------- */

/* Warns that `format`, a table of edges, loses the direction of an undirected graph, its vertices without edges, and
 * that its ids are names where they look like numbers. */
weft_status wfi_warn_losses(weft_ctx *ctx, const weft_graph *g, const char *format);
/* Each edge once, the first end of an undirected one being the smaller; `number` counts them from 0. */
typedef void wfi_put_edge(const weft_graph *g, weft_vid u, weft_eid e, uint64_t number, wfi_sink *sink);
weft_status wfi_write_edges(weft_ctx *ctx, const weft_graph *g, wfi_put_edge *put, wfi_sink *sink);
/* Rows ascend, so that they lie side by side. */
bool wfi_has_parallel_edges(const weft_graph *g);

/* The first byte of the name [at, end) that a format cannot hold; NULL: it holds all of it. */
typedef const char *wfi_unfit(const char *at, const char *end);
wfi_unfit wfi_unfit_nul;  /* text in which anything may stand in quotes */
wfi_unfit wfi_unfit_line; /* the rest of a line */
wfi_unfit wfi_unfit_utf8; /* UTF-8 in quotes */
/* WEFT_EUNSUPPORTED, with the format and the vertex, if the graph has a name with such a byte: it is refused before a
 * file has its name, never written as something else. */
weft_status wfi_check_names(weft_ctx *ctx, const weft_graph *g, const char *format, wfi_unfit *unfit);

#endif
