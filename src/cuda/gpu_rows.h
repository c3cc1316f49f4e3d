/* Rows on a GPU, for C code.  Immutable and reference-counted: versions of a dynamic graph and mirrors of graphs hold
 * them, and a batch of changes makes new rows (arc_changes.h).  They lie on the GPU of the context that made them. */
#ifndef WFI_CUDA_GPU_ROWS_H
#define WFI_CUDA_GPU_ROWS_H

#include "cuda/arc_changes.h"
#include "graph/graph.h"

WFI_C_BEGIN

struct wfi_gpu_rows;

/* Changes of edges, in the host's memory. */
typedef struct wfi_arc_batch {
    weft_vid rows; /* after the batch; at most WFI_GPU_MOST_ROWS */
    bool directed; /* else each edge is two arcs */
    uint64_t count;
    const weft_vid *source, *target; /* ends of each change; source WEFT_NO_VERTEX: no change */
    const uint8_t *changes;          /* a weft_change each, none of a vertex; NULL: all insert */
    const void *weights;             /* a weight for each change; NULL if no change needs one */
    const uint64_t *removed;         /* a bit a row: its arcs, and the arcs to it, are removed first; NULL: none */
    bool pinned;                     /* source and target lie in pinned memory */
    bool more;                       /* other batches will follow: the rows get spare capacity */
} wfi_arc_batch;
#define WFI_GPU_MOST_ROWS ((weft_vid)INT32_MAX)

/* The rows of a graph. */
weft_status wfi_gpu_rows_new(weft_ctx *ctx, const weft_graph *g, struct wfi_gpu_rows **out);
/* The rows after the batch, and counts[WFI_COUNTS].  *ms: time of the merge without the upload. */
weft_status wfi_gpu_rows_merge(weft_ctx *ctx, struct wfi_gpu_rows *old, const wfi_arc_batch *batch, uint64_t *counts,
                               double *ms, struct wfi_gpu_rows **out);
/* Downloads the rows into the arrays of `to`, which are large enough. */
weft_status wfi_gpu_rows_download(weft_ctx *ctx, struct wfi_gpu_rows *rows, const wfi_view *to);
uint64_t wfi_gpu_rows_bytes(const struct wfi_gpu_rows *rows);
weft_vid wfi_gpu_rows_count(const struct wfi_gpu_rows *rows);
int wfi_gpu_rows_index(const struct wfi_gpu_rows *rows); /* the number of their GPU */
struct wfi_gpu_rows *wfi_gpu_rows_keep(struct wfi_gpu_rows *rows);
void wfi_gpu_rows_drop(struct wfi_gpu_rows *rows);

/* Makes these rows the mirror of a graph that has none, so that they need not be uploaded. */
weft_status wfi_mirror_adopt(weft_ctx *ctx, weft_graph *g, struct wfi_gpu_rows *rows);
/* The rows of the graph's mirror, with one user more; NULL: none. */
struct wfi_gpu_rows *wfi_mirror_share(const weft_graph *g);

WFI_C_END
#endif
