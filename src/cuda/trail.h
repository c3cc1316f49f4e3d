/* Incremental mirrors: the mirror of a snapshot is made from the rows of an earlier version that lie on the GPU and the
 * batches since then.  Only the changes travel; the rows are merged there (gpu_rows.h).
 *
 * A dynamic graph in the host's memory has a trail, and so have its snapshots whose vertices are its slots: numbers do
 * not shift between them.  Nothing is kept before a snapshot was used on the GPU; what was kept is dropped when numbers
 * shift, or when the changes are so many that an upload costs no more.  One thread appends; any thread may follow. */
#ifndef WFI_CUDA_TRAIL_H
#define WFI_CUDA_TRAIL_H

#include "cuda/gpu_rows.h"

WFI_C_BEGIN

typedef struct wfi_trail wfi_trail;

wfi_trail *wfi_trail_new(weft_ctx *ctx, size_t weight);
wfi_trail *wfi_trail_keep(wfi_trail *trail);
void wfi_trail_drop(wfi_trail *trail);

/* Changes of arcs, sorted or not; of the same arc in their order. */
typedef struct wfi_arc_steps {
    uint64_t count;
    void (*step)(const void *changes, uint64_t i, weft_vid *row, weft_vid *target, uint8_t *change,
                 const void **weight);
    const void *changes;
} wfi_arc_steps;
/* What leads to `version`, which is one more than the last.  Out of memory, or more than `most` in all: the trail ends,
 * and begins anew with the next snapshot that is used on the GPU. */
void wfi_trail_append(weft_ctx *ctx, wfi_trail *trail, uint64_t version, const wfi_arc_steps *steps, uint64_t most);
/* Numbers shift with `version`: nothing before it leads to it. */
void wfi_trail_break(wfi_trail *trail, uint64_t version);
/* The batch failed: `version` is the last after all. */
void wfi_trail_undo(wfi_trail *trail, uint64_t version);

/* The rows of a version are there: later ones may follow from them. */
void wfi_trail_show(wfi_trail *trail, uint64_t version, struct wfi_gpu_rows *rows);
/* Their memory is needed; false: there were none. */
bool wfi_trail_forget(wfi_trail *trail);

/* Can the graph's rows be made from those on GPU `index` (-1: any), and how many changes of arcs lead there? */
bool wfi_trail_leads(const weft_graph *g, int index, uint64_t *changes);
/* Makes them; *out is NULL if it cannot be done after all. */
weft_status wfi_trail_follow(weft_ctx *ctx, const weft_graph *g, int index, struct wfi_gpu_rows **out);

WFI_C_END
#endif
