/* What of a graph lies on the GPU.  Made on first use, once, under the graph's lock, and kept with the graph. */
#ifndef WFI_CUDA_MIRROR_CUH
#define WFI_CUDA_MIRROR_CUH

#include "core/workspace.h"
#include "cuda/buffers.cuh"
#include "graph/graph.h"

struct wfi_mirror;

/* What a run asks of the mirror, declared: what is not there yet is made before the arena is taken. */
enum { WFI_OUT_ROWS = 1, WFI_IN_ROWS = 2 };
/* Are the incoming rows there? */
bool wfi_mirror_has_in(const weft_graph *g);
void wfi_mirror_declare(wfi_workspace *device, const weft_graph *g, unsigned rows);

/* The outgoing or incoming rows (of an undirected graph they are the same). */
weft_status wfi_mirror_out(weft_ctx *ctx, const weft_graph *g, wfi_view *rows);
weft_status wfi_mirror_in(weft_ctx *ctx, const weft_graph *g, wfi_view *rows);

#endif
