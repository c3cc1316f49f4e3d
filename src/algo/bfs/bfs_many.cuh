/* Many sources at once on the GPU: what of each search can be counted, without its levels and parents. */
#ifndef WFI_BFS_MANY_CUH
#define WFI_BFS_MANY_CUH

#include "algo/bfs/bfs_state.cuh"

#include "algo/bfs/bfs.h"

enum { BFS_MANY_BYTES = 24 /* a vertex, beside what s holds */ };

/* Fills the table's rows for its `count` sources.  s: rows and arrays as for a search, whose own beginning comes later; its
 * queues and levels are used as scratch. */
weft_status wfi_bfs_many(weft_ctx *ctx, const search &s, size_t count, uint64_t max_depth, const wfi_bfs_table *table);

#endif
