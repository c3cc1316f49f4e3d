/* Readers and writers: their types and registry.  One file per format; formats.c has one line for each. */
#ifndef WFI_IO_H
#define WFI_IO_H

#include "io/stream/sink.h"
#include "io/table/table.h"

typedef int wfi_sniffer(const char *head, size_t bytes);
typedef int wfi_named_sniffer(const char *head, size_t bytes, const char *name);
typedef weft_status wfi_reader(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, weft_graph **out);
typedef weft_status wfi_gatherer(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, wfi_table *table);
typedef weft_status wfi_writer(weft_ctx *ctx, const weft_graph *g, wfi_sink *sink, const char *format);
typedef weft_status wfi_writer_by(weft_ctx *ctx, const weft_graph *g, wfi_sink *sink, const weft_write_params *params);
typedef weft_status wfi_finder(weft_ctx *ctx, const char *path, char **out);
typedef weft_status wfi_claimer(weft_ctx *ctx, const wfi_source *source, bool *yes);

/* Groups of parameters for tables: header and decimal; separator and comments; columns of the ends; of the weight;
 * vertices. */
enum {
    WFI_TAKES_HEADER = 1,
    WFI_TAKES_WORDS = 2,
    WFI_TAKES_ENDS = 4,
    WFI_TAKES_WEIGHT = 8,
    WFI_TAKES_VERTICES = 16,
    WFI_TAKES_COLUMNS = WFI_TAKES_ENDS | WFI_TAKES_WEIGHT | WFI_TAKES_VERTICES,
    WFI_TAKES_ALL = 31
};

typedef struct wfi_format {
    weft_format_info info;
    int by_name; /* confidence by its extension alone, on the scale below */
    /* Confidence in a format from the first bytes of the (decompressed) content: 0 no, 1 weak, 2 the content fits, 3
     * the content identifies itself.  NULL = never by content. */
    wfi_sniffer *sniff;
    wfi_named_sniffer *sniff_named; /* instead, if the name without .gz or .zst has more influence */
    wfi_reader *read;
    wfi_gatherer *gather; /* tables, instead of `read`: adds the edges of one file to a table */
    wfi_writer *write;
    wfi_writer_by *write_by; /* instead, if parameters beyond those of the sink matter */
    /* Graphs of several files.  find: `path` may be their common name, or one of them; *out is the file to open, or
     * NULL; wfi_free it.  claims: do the files beside this one identify this format? */
    wfi_finder *find;
    wfi_claimer *claims;
    bool slices;       /* reads its part of a source that ranks share (wfi_source_slice) */
    bool text;         /* the extension counts only if no byte is NUL */
    bool attributes;   /* vertex attributes are written */
    bool edge_columns; /* edge columns are written */
    bool keeps;        /* edge columns are read on request, and conditions on them */
    unsigned takes;    /* the groups of parameters that it supports */
} wfi_format;

wfi_sniffer wfi_sniff_weft, wfi_sniff_metis, wfi_sniff_dimacs, wfi_sniff_ligra, wfi_sniff_csr, wfi_sniff_dense,
    wfi_sniff_graphml, wfi_sniff_gexf, wfi_sniff_pajek, wfi_sniff_graph6, wfi_sniff_npy, wfi_sniff_npz, wfi_sniff_gml,
    wfi_sniff_parquet, wfi_sniff_arrow, wfi_sniff_json, wfi_sniff_edgelist;
wfi_named_sniffer wfi_sniff_mtx, wfi_sniff_jsonl, wfi_sniff_webgraph;
wfi_reader wfi_read_weft, wfi_read_mtx, wfi_read_metis, wfi_read_dimacs, wfi_read_sg, wfi_read_wsg, wfi_read_ldbc,
    wfi_read_ligra, wfi_read_csr, wfi_read_dense, wfi_read_graphml, wfi_read_gexf, wfi_read_pajek, wfi_read_graph6,
    wfi_read_npz, wfi_read_gml, wfi_read_webgraph, wfi_read_json;
wfi_gatherer wfi_gather_npy, wfi_gather_parquet, wfi_gather_arrow, wfi_gather_jsonl, wfi_edgelist_gather;
wfi_writer wfi_write_mtx, wfi_write_metis, wfi_write_dimacs, wfi_write_gap, wfi_write_csr, wfi_write_dense,
    wfi_write_graphml, wfi_write_gexf, wfi_write_pajek, wfi_write_gml, wfi_write_dot, wfi_write_json, wfi_write_jsonl,
    wfi_write_edgelist;
wfi_writer_by wfi_write_weft, wfi_write_npz;
wfi_finder wfi_find_ldbc, wfi_find_webgraph;
wfi_claimer wfi_claims_webgraph;

/* Does `name` end in .extension for one of the (space separated) extensions? */
bool wfi_name_has_extension(const char *name, const char *extensions);

/* --- formats.c: finding a format by name, content or extension; NULL if there is none ------------------ */

const wfi_format *wfi_format_named(const char *name);
/* Confidence that a file is in this format, by its content or by its extension alone. */
int wfi_format_sure(const wfi_format *format, const char *head, size_t bytes, const char *name);
const wfi_format *wfi_format_of_content(const char *head, size_t bytes, const char *name);
const wfi_format *wfi_format_to_write(const char *path);
/* ".weft, .mtx, ...": the first extension of each format that is written, for messages. */
void wfi_extensions_to_write(char *list, size_t room);
/* Over all formats, or only `only` if that is not NULL: see find and claims above. */
weft_status wfi_format_find(weft_ctx *ctx, const char *path, const wfi_format *only, char **out);
weft_status wfi_format_claiming(weft_ctx *ctx, const wfi_source *source, const wfi_format **out);

/* --- foreign.c: files in other formats ------------------------------------------------------------------- */

/* Description of a foreign file and advice, or NULL if it is unknown: any text with two words a line would pass as an
 * edge list.  The first function: for files that JSON would accept. */
const char *wfi_foreign_json(const char *head, size_t bytes);
const char *wfi_foreign(const char *head, size_t bytes);
/* Has it bytes that are not text? */
bool wfi_is_binary(const char *head, size_t bytes);

/* --- losses.c: shared by writers: losses of a graph in a format -------------------------------------------- */

/* Warns that `format`, a table of edges, loses the direction of an undirected graph and vertices without edges, and
 * that ids are names if they look like numbers. */
weft_status wfi_warn_losses(weft_ctx *ctx, const weft_graph *g, const char *format);
/* Writes each edge once, the first end of an undirected edge being the smaller; `number` counts edges from 0. */
typedef void wfi_put_edge(const weft_graph *g, weft_vid u, weft_eid e, uint64_t number, const void *user,
                          wfi_sink *sink);
weft_status wfi_write_edges(weft_ctx *ctx, const weft_graph *g, wfi_put_edge *put, const void *user, wfi_sink *sink);
/* Are there parallel edges?  They are adjacent, since rows ascend. */
bool wfi_has_parallel_edges(const weft_graph *g);

/* The first byte of the name [at, end) that a format cannot hold; NULL if it can hold the name. */
typedef const char *wfi_unfit(const char *at, const char *end);
wfi_unfit wfi_unfit_nul;  /* text in which quotes allow anything */
wfi_unfit wfi_unfit_line; /* the rest of a line */
wfi_unfit wfi_unfit_utf8; /* UTF-8 in quotes */
/* WEFT_EUNSUPPORTED, with the format and the vertex, if the graph has a name with such a byte; the file is then not
 * created, and no name is ever changed. */
weft_status wfi_check_names(weft_ctx *ctx, const weft_graph *g, const char *format, wfi_unfit *unfit);
/* WEFT_EUNSUPPORTED: `what`, such as "the name of vertex", is [text, end) and has a byte at `unfit`. */
weft_status wfi_fail_unfit(weft_ctx *ctx, const char *format, const char *what, const char *text, const char *end,
                           const char *unfit);

#endif
