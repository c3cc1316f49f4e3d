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
     * 0 no, 1 by extension only, 2 the content fits, 3 the content says so itself.  NULL = never by content. */
    int (*sniff)(const char *head, size_t bytes, const char *name);
    weft_status (*read)(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, weft_graph **out);
    weft_status (*write)(weft_ctx *ctx, const weft_graph *g, wfi_sink *sink, const weft_write_params *params);
    /* Tables instead of `read`: adds the edges of one file to `table`. */
    weft_status (*gather)(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, struct wfi_table *table);
    bool slices; /* reads its part of a source that ranks share (wfi_source_slice) */
} wfi_format;

extern const wfi_format wfi_format_edgelist, wfi_format_csv, wfi_format_mtx, wfi_format_metis, wfi_format_dimacs,
    wfi_format_sg, wfi_format_wsg, wfi_format_ldbc, wfi_format_ligra, wfi_format_csr, wfi_format_dense,
    wfi_format_binary, wfi_format_dot, wfi_format_gml, wfi_format_adjlist, wfi_format_sif, wfi_format_graphml,
    wfi_format_gexf, wfi_format_pajek, wfi_format_graph6, wfi_format_npy, wfi_format_npz, wfi_format_parquet,
    wfi_format_arrow, wfi_format_webgraph, wfi_format_json, wfi_format_cyjs, wfi_format_jsonl;

/* Does `name` end in .extension for one of the (space separated) extensions? */
bool wfi_name_has_extension(const char *name, const char *extensions);

#endif
