/* The GPU for drivers in C: the graph's rows there, copies, and the way of columns to the result.
 * All of it in the order of the context's stream, between wfi_cuda_enter and wfi_cuda_leave.  Nothing is done for 0
 * bytes, whose arrays may be NULL. */
#ifndef WFI_CUDA_TRANSFER_H
#define WFI_CUDA_TRANSFER_H

#include "core/workspace.h"
#include "graph/graph.h"

WFI_C_BEGIN

/* Between host and GPU through pinned memory, in pieces, so that the link runs at its speed whatever memory the host's
 * side is.  wfi_upload returns when `from` may be changed; wfi_download when `to` is there. */
weft_status wfi_upload(weft_ctx *ctx, void *to, const void *from, size_t bytes);
weft_status wfi_download(weft_ctx *ctx, void *to, const void *from, size_t bytes);
/* From one array on the GPU to another, which do not overlap; and a byte into all of one. */
weft_status wfi_device_copy(weft_ctx *ctx, void *to, const void *from, size_t bytes);
weft_status wfi_device_fill(weft_ctx *ctx, void *to, int byte, size_t bytes);

/* What a run asks of the graph's mirror (mirror.cuh), declared: what is not there yet is made before the arena is
 * taken. */
enum { WFI_OUT_ROWS = 1, WFI_IN_ROWS = 2 };
void wfi_mirror_declare(wfi_workspace *device, const weft_graph *g, unsigned rows);
/* The outgoing or incoming rows (of an undirected graph they are the same). */
weft_status wfi_mirror_out(weft_ctx *ctx, const weft_graph *g, wfi_view *rows);
weft_status wfi_mirror_in(weft_ctx *ctx, const weft_graph *g, wfi_view *rows);

/* Several arrays of the graph, which may lie in a mapped file, one after the other without a gap (buffers.cuh), or
 * columns of the result. */
typedef struct wfi_copy {
    void *to;
    const void *from;
    size_t bytes; /* of `to` */
    /* `from` has a byte for each word of 32 bits, 255 for one with all bits set. */
#ifdef __cplusplus
    bool narrow = false;
#else
    bool narrow;
#endif
} wfi_copy;
/* `to` are columns of the result, whole, at most WFI_MOST_RESIDENTS: downloaded without a wait in between, or copied
 * aside on the GPU where the caller wants columns to stay (core/context.h).  `from` may be given back then. */
weft_status wfi_deliver_all(weft_ctx *ctx, const wfi_copy *column, size_t columns);

WFI_C_END
#endif
