/* Breadth-first search, what the rungs share: the columns and the frontier.
 * Encoding: level[v] = WEFT_UNREACHED until v is reached.  Of several parents the smallest vertex counts, so that every rung, in
 * whatever order it works, has the same answer. */
#ifndef WEFT_LAB_BFS_H
#define WEFT_LAB_BFS_H

#include "searched.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct search {
    lab_run *r;
    weft_csr out, in;
    weft_vid n, source;
    uint32_t *level;
    weft_vid *parent;
    weft_vid *frontier, *next; /* room for n vertices each */
    void *extra;               /* what else the rung asked for */
    uint64_t depth;            /* levels to go at most */
} search;

/* Allocates, then turns to LAB_KERNELS, sets the columns and puts the source in the frontier. */
weft_status bfs_open(lab_run *r, size_t extra_bytes, search *s);
/* The answer from the columns, and the bytes of the model. */
weft_status bfs_close(search *s, double bytes);

/* u reaches v from `level`: true when v was not reached before.  A smaller parent of the same level takes over. */
static inline int bfs_reach(search *s, weft_vid u, weft_vid v, uint32_t level) {
    if (s->level[v] == WEFT_UNREACHED) {
        s->level[v] = level + 1;
        s->parent[v] = u;
        return 1;
    }
    if (s->level[v] == level + 1 && u < s->parent[v]) s->parent[v] = u;
    return 0;
}

/* One source, not a list of them. */
const char *bfs_serves(lab_run *r);

/* The same on the GPU: it must fit there, and so many levels of some launches each must not take too long. */
const char *bfs_gpu_serves(lab_run *r);

extern const lab_rung bfs_scan, bfs_queue, bfs_prefix_sum, bfs_bottom_up, bfs_engine, bfs_gpu_queue, bfs_gpu_prefix_sum,
    bfs_gpu_warp, bfs_gpu_bottom_up, bfs_engine_gpu;

#ifdef __cplusplus
}
#endif
#endif
