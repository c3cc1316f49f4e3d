/* Incremental mirrors: the mirror of a snapshot is made from the rows of an earlier version on the GPU and the batches
 * since then.  Only the changes are uploaded; they are merged into the rows there (gpu_rows.h).
 *
 * A dynamic graph in the host's memory has a trail, and its snapshots share it if their vertices are its slots, so that
 * numbers are the same in all of them.  Nothing is kept before the GPU has used a snapshot; the trail is dropped when
 * vertex numbers shift, or when its changes cost as much as an upload.  One thread appends; any thread may follow. */
#ifndef WFI_CUDA_TRAIL_H
#define WFI_CUDA_TRAIL_H

#include "cuda/gpu_rows.h"

WFI_C_BEGIN

typedef struct wfi_trail wfi_trail;

wfi_trail *wfi_trail_new(weft_ctx *ctx, size_t weight);
wfi_trail *wfi_trail_keep(wfi_trail *trail);
void wfi_trail_drop(wfi_trail *trail);

/* Changes of arcs in any order, but the changes of one arc in their own. */
typedef struct wfi_arc_steps {
    uint64_t count;
    void (*step)(const void *changes, uint64_t i, weft_vid *row, weft_vid *target, uint8_t *change,
                 const void **weight);
    const void *changes;
} wfi_arc_steps;
/* Appends the changes that lead to `version`, which is one more than the last.  Out of memory, or with more than `most`
 * changes in all, the trail ends, and begins anew with the next snapshot that the GPU uses. */
void wfi_trail_append(weft_ctx *ctx, wfi_trail *trail, uint64_t version, const wfi_arc_steps *steps, uint64_t most);
/* Vertex numbers shift with `version`: no earlier rows lead to it. */
void wfi_trail_break(wfi_trail *trail, uint64_t version);
/* The batch failed: `version` is the last after all. */
void wfi_trail_undo(wfi_trail *trail, uint64_t version);

/* Offers the rows of a version: later versions may be made from them. */
void wfi_trail_offer(wfi_trail *trail, uint64_t version, struct wfi_gpu_rows *rows);
/* Drops the rows, because their memory is needed; false: there were none. */
bool wfi_trail_forget(wfi_trail *trail);

/* True if the graph's rows can be made from the trail's rows on GPU `index` (-1: any); *changes = arcs to change. */
bool wfi_trail_reaches(const weft_graph *g, int index, uint64_t *changes);
/* Makes the rows; *out is NULL if that became impossible. */
weft_status wfi_trail_follow(weft_ctx *ctx, const weft_graph *g, int index, struct wfi_gpu_rows **out);

WFI_C_END
#endif
