/* What a graph's mirror holds, on one GPU: for the files that make its parts. */
#ifndef WFI_CUDA_MIRROR_STATE_CUH
#define WFI_CUDA_MIRROR_STATE_CUH

#include "cuda/gpu_rows.cuh"
#include "cuda/mirror.cuh"

#include <new>

/* A layout that is made from the rows and kept with them: one of each kind.  What another thread may be reading is
 * never made anew. */
struct wfi_layout {
    wfi_layout *next = nullptr;
    virtual ~wfi_layout() {}
};

struct wfi_mirror {
    int index;                                  /* of the GPU */
    wfi_gpu_rows *out = nullptr, *in = nullptr; /* NULL: not there yet */
    wfi_layout *layouts = nullptr;

    ~wfi_mirror();
};

/* A mirror for a graph that has none: on this GPU, with these rows if they are not NULL. */
weft_status wfi_mirror_begin(weft_ctx *ctx, weft_graph *g, int index, wfi_gpu_rows *out);

/* With the graph's lock held: its mirror, and rows that must be there.  What is made is complete when the lock is given
 * up: contexts have streams of their own, and another may read it next. */
weft_status wfi_mirror_of(weft_ctx *ctx, weft_graph *g, wfi_mirror **m);
weft_status wfi_mirror_need_out(weft_ctx *ctx, const weft_graph *g, wfi_mirror *m);
weft_status wfi_mirror_need_in(weft_ctx *ctx, const weft_graph *g, wfi_mirror *m);

/* The mirror's layout of this kind; NULL when there is none, or no mirror.  Without the lock, for what is never made
 * anew. */
template <class L> static L *wfi_layout_in(const wfi_mirror *m) {
    for (wfi_layout *l = m ? __atomic_load_n(&m->layouts, __ATOMIC_ACQUIRE) : nullptr; l; l = l->next)
        if (L *found = dynamic_cast<L *>(l)) return found;
    return nullptr;
}

/* The same with the lock held: an empty one when there was none. */
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
