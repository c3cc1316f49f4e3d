/* What the files of bfs share: one search, its steps, and the list of sources.
 * Encoding: a vertex is in one of three states.  Its bit in `visited` is set: its level and parent are final.  The bit
 * is clear but it has a parent: found in the step under way, and the parent may still fall.  Neither: not found.
 * The frontier is the window [from, to) of `queue`, or the bits of `front`. */
#ifndef WFI_BFS_H
#define WFI_BFS_H

#include "algo/algo.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { BFS_MOST_HUBS = 1 << 10 };

typedef struct bfs_search {
    weft_ctx *ctx;
    const wfi_rows *out, *in; /* in is NULL when there is no transpose: then every step goes top-down */
    weft_vid n;
    weft_eid arcs;

    uint32_t *level;
    weft_vid *parent;
    weft_vid *queue; /* n places: a vertex enters it at most once */
    uint64_t *visited, *front, *next;
    size_t words; /* of each bitmap */

    uint64_t from, to; /* the frontier's window of the queue */
    bool front_made;   /* its bits are in `front` already */
    uint64_t hub_arcs; /* a row longer than this is shared out among the threads */
    uint64_t grain;    /* how much a piece of work is */
    weft_vid hubs[BFS_MOST_HUBS], hub;
    uint64_t hub_count;
    uint32_t depth; /* that the step under way gives out */
    uint64_t found, found_arcs;
    uint64_t reached, distances; /* so far: vertices, and the sum of their levels */
    const weft_vid *targets;     /* that end the search once all are reached; the first `met` of them are */
    size_t target_count, met;
    int stop;

    /* What all threads add to, away from what they only read, and from each other. */
    char apart[64];
    uint64_t cursor; /* the next piece of work */
    char between[64];
    uint64_t tail; /* of the queue: the end of what the step found */
} bfs_search;

static inline bool bfs_bit(const uint64_t *bitmap, weft_vid v) { return bitmap[v >> 6] >> (v & 63) & 1; }

/* Steps, each done by wfi_threads_for(ctx, work, ...) threads.
 * The sources, some of which may be the same, become the frontier; found and found_arcs are its size and its out-arcs. */
void wfi_bfs_begin(bfs_search *s, const weft_vid *sources, size_t count);
/* Top-down: the frontier's out-arcs give [to, tail) its parents; it becomes the frontier, found and found_arcs its
 * size and its out-arcs. */
void wfi_bfs_push(bfs_search *s, uint64_t frontier_arcs);
/* Bottom-up: each unvisited vertex looks for its first in-neighbour in `front`; `front` becomes what was found. */
void wfi_bfs_pull(bfs_search *s);
void wfi_bfs_queue_to_front(bfs_search *s);
/* Also sets found_arcs. */
void wfi_bfs_front_to_queue(bfs_search *s);

/* The sources that the parameters ask for, in order: those of the caller, or one, which is put into *one. */
const weft_vid *wfi_bfs_sources(weft_ctx *ctx, const weft_graph *g, const weft_bfs_params *params, weft_vid *one);
/* Rows of the table: one for each source that is searched from by itself. */
static inline size_t wfi_bfs_table_rows(const weft_bfs_params *params) {
    return params->together ? 0 : params->source_count;
}
/* Are sources and targets, as far as they are given, vertices of the graph? */
weft_status wfi_bfs_check_sources(weft_ctx *ctx, const weft_graph *g, const weft_bfs_params *params);

/* The table with a row for each of the sources that were asked for; without rows when none was. */
typedef struct wfi_bfs_table {
    weft_vid *source;
    uint64_t *reached, *depth, *distances; /* vertices with a level, the largest level, the sum of all levels */
} wfi_bfs_table;

void wfi_bfs_table_lay_out(wfi_workspace *w, uint64_t sources, wfi_bfs_table *table);

/* A run on the GPU, as the host sees it. */
typedef struct wfi_bfs_job {
    uint32_t *level;
    weft_vid *parent; /* NULL: not asked for */
    wfi_bfs_table table;
    const weft_vid *sources;
    size_t count; /* 0: the graph is empty */
    weft_vid one;
    uint64_t max_depth;
    bool many; /* the table is asked for */
} wfi_bfs_job;

/* Its columns, and all but the answer; then the scalars. */
void wfi_bfs_columns(wfi_workspace *w, weft_vid n, const weft_bfs_params *params, wfi_bfs_job *b);
weft_status wfi_bfs_job_begin(wfi_job *job, wfi_bfs_job *b);
weft_status wfi_bfs_job_end(wfi_job *job, uint64_t reached, uint64_t depth);

typedef enum wfi_bfs_method { WFI_BFS_TOP_DOWN, WFI_BFS_BOTH_WAYS } wfi_bfs_method;

/* The arrays of a run on the CPU, without the transpose. */
void wfi_bfs_space(wfi_workspace *w, weft_vid n, const weft_bfs_params *params, bool both_ways);

/* Does this run use the transpose, and why?  Its arrays are declared in w, which is empty. */
wfi_bfs_method wfi_bfs_pick(const weft_ctx *ctx, const weft_graph *g, const weft_bfs_params *params, wfi_workspace *w,
                            const char **reason);

weft_status wfi_bfs_cpu(wfi_job *job);

#ifdef __cplusplus
}
#endif
#endif
