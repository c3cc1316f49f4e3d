/* The GPU for drivers in C: the graph's rows there, copies, and the download of columns to the result.
 * All calls work in the order of the context's stream, between wfi_cuda_enter and wfi_cuda_leave.  For 0 bytes they do
 * nothing, and the arrays may be NULL. */
#ifndef WFI_CUDA_TRANSFER_H
#define WFI_CUDA_TRANSFER_H

#include "core/workspace.h"
#include "graph/graph.h"

WFI_C_BEGIN

/* Copies between host and GPU through pinned memory, in pieces, so that the link runs at full speed whatever memory the
 * host's array has.  wfi_upload returns when `from` may be changed; wfi_download when `to` is complete. */
weft_status wfi_upload(weft_ctx *ctx, void *to, const void *from, size_t bytes);
weft_status wfi_download(weft_ctx *ctx, void *to, const void *from, size_t bytes);
/* Copies between arrays on the GPU that do not overlap; fills an array on the GPU with a byte. */
weft_status wfi_device_copy(weft_ctx *ctx, void *to, const void *from, size_t bytes);
weft_status wfi_device_fill(weft_ctx *ctx, void *to, int byte, size_t bytes);

/* Declares the rows that a run needs from the graph's mirror (mirror.cuh): missing rows are made before the arena is
 * taken. */
enum { WFI_OUT_ROWS = 1, WFI_IN_ROWS = 2 };
void wfi_mirror_declare(wfi_workspace *device, const weft_graph *g, unsigned rows);
/* The outgoing or incoming rows (of an undirected graph they are the same). */
weft_status wfi_mirror_out(weft_ctx *ctx, const weft_graph *g, wfi_view *rows);
weft_status wfi_mirror_in(weft_ctx *ctx, const weft_graph *g, wfi_view *rows);

/* One of several arrays to copy: of the graph, possibly in a mapped file, which go up as one transfer without a gap
 * (buffers.cuh), or columns of the result. */
typedef struct wfi_copy {
    void *to;
    const void *from;
    size_t bytes; /* length of `to` */
    /* `from` has a byte for each word of 32 bits, 255 for a word with all bits set. */
#ifdef __cplusplus
    bool narrow = false;
#else
    bool narrow;
#endif
} wfi_copy;
/* `to` are whole columns of the result, at most WFI_MOST_RESIDENTS: downloaded without a wait in between, or copied
 * aside on the GPU if the caller wants the columns to stay (core/context.h).  Afterwards `from` may be released. */
weft_status wfi_deliver_all(weft_ctx *ctx, const wfi_copy *column, size_t columns);

WFI_C_END
#endif
