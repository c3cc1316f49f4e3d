/* A graph's mirror on the GPU: its rows and layouts derived from them.  Made on first use, once, under the graph's
 * lock, and kept with the graph. */
#ifndef WFI_CUDA_MIRROR_CUH
#define WFI_CUDA_MIRROR_CUH

#include "core/workspace.h"
#include "cuda/buffers.cuh"
#include "cuda/gpu_rows.h"

#include <new>

/* True if the incoming rows are on the GPU. */
bool wfi_mirror_has_in(const weft_graph *g);

/* --- rows on a GPU: the inside of gpu_rows.h ------------------------------------------------------------- */

struct wfi_gpu_rows {
    int users = 1; /* atomic */
    int index = 0; /* number of the GPU */
    weft_vid n = 0;
    weft_eid arcs = 0;
    unsigned words = 0; /* 32-bit words of a weight */
    wfi_buffer<weft_eid> offsets;
    wfi_buffer<weft_vid> targets;
    wfi_buffer<uint32_t> weights; /* u32, the bits of f32, or two words for the bits of an f64 */
};

static inline wfi_view wfi_gpu_rows_view(const wfi_gpu_rows *r, weft_weight_type type) {
    return {r->offsets.data, r->targets.data, r->weights.data, 0, 0, r->n, r->n, type};
}

/* Uninitialised rows of `arcs` arcs; the arrays have `capacity`, which is at least as large. */
weft_status wfi_gpu_rows_allocate(weft_ctx *ctx, weft_vid n, weft_eid arcs, unsigned words, weft_eid capacity,
                                  wfi_gpu_rows **out);
/* A capacity for these arcs and some more: the previous one, `had`, if it is suitable. */
weft_eid wfi_gpu_rows_capacity(weft_eid arcs, weft_eid had);
/* Copies rows of a graph to the GPU. */
weft_status wfi_gpu_rows_fill(weft_ctx *ctx, const weft_graph *g, const wfi_view *rows, wfi_gpu_rows *to);

/* Upper bound of the bytes on the GPU, besides the rows, for merging `changes` changes of arcs. */
static inline uint64_t wfi_merge_scratch(uint64_t changes, weft_vid rows, weft_eid arcs, unsigned words) {
    return (72 + 12 * (uint64_t)words) * changes + wfi_cub_sort_bytes(changes) + wfi_cub_scan_bytes(changes) +
           (rows + arcs) / 128 + 8192;
}

/* --- the contents of a mirror, for the files that make its parts --------------------------------------- */

/* A layout made from the rows and kept with them, one of each kind.  It is never made again, because another thread may
 * be reading it. */
struct wfi_layout {
    wfi_layout *next = nullptr;
    virtual ~wfi_layout() {}
};

struct wfi_mirror {
    int index;                                  /* number of the GPU */
    wfi_gpu_rows *out = nullptr, *in = nullptr; /* NULL: not made yet */
    wfi_layout *layouts = nullptr;

    ~wfi_mirror();
};

/* Makes a mirror, on this GPU, for a graph without one; it takes the rows `out` unless they are NULL. */
weft_status wfi_mirror_begin(weft_ctx *ctx, weft_graph *g, int index, wfi_gpu_rows *out);

/* With the graph's lock held: the mirror, and rows that must be there.  The rows are complete before the lock is
 * released: contexts have streams of their own, and another context may read next. */
weft_status wfi_mirror_of(weft_ctx *ctx, weft_graph *g, wfi_mirror **m);
weft_status wfi_mirror_need_out(weft_ctx *ctx, const weft_graph *g, wfi_mirror *m);
weft_status wfi_mirror_need_in(weft_ctx *ctx, const weft_graph *g, wfi_mirror *m);

/* The mirror's layout of this kind; NULL if there is none, or no mirror.  Needs no lock, because a layout is never made
 * again. */
template <class L> static L *wfi_layout_in(const wfi_mirror *m) {
    for (wfi_layout *l = m ? __atomic_load_n(&m->layouts, __ATOMIC_ACQUIRE) : nullptr; l; l = l->next)
        if (L *found = dynamic_cast<L *>(l)) return found;
    return nullptr;
}

/* The same with the lock held; makes an empty layout if there was none. */
template <class L> static weft_status wfi_layout_of(weft_ctx *ctx, wfi_mirror *m, L **layout) {
    *layout = wfi_layout_in<L>(m);
    if (*layout) return WEFT_OK;
    *layout = new (std::nothrow) L;
    if (!*layout) return wfi_fail(ctx, WEFT_ENOMEM, "out of memory: no room for a layout of the graph");
    (*layout)->next = m->layouts;
    __atomic_store_n(&m->layouts, *layout, __ATOMIC_RELEASE);
    return WEFT_OK;
}

#endif
