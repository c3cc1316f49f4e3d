/* Many sources at once on the GPU: what of each search can be counted, without its levels and parents. */
#ifndef WFI_BFS_MANY_CUH
#define WFI_BFS_MANY_CUH

#include "shared/bfs/state.cuh"

#include "algo/bfs/bfs.h"

/* On the GPU. */
struct wfi_bfs_many_arrays {
    unsigned long long *seen, *front, *next; /* n each */
    struct level_counts *counted;
};
void wfi_bfs_many_lay_out(wfi_workspace *device, weft_vid n, wfi_bfs_many_arrays *a);

/* Fills the table's rows for its `count` sources.  s: rows and arrays as for a search, whose own beginning comes later;
 * its queues and levels are used as scratch. */
weft_status wfi_bfs_many(weft_ctx *ctx, const bfs_state &s, const wfi_bfs_many_arrays &a, size_t count,
                         uint64_t max_depth, const wfi_bfs_table *table);

#endif
