/* The interface of bfs's files: the list of sources, the columns and the table; one search is in engines/bfs. */
#ifndef WFI_BFS_H
#define WFI_BFS_H

#include "run/algorithm.h"
#include "weft/bfs.h"

WFI_C_BEGIN

/* The sources of the parameters, in order; NULL: there is no vertex. */
const weft_vid *wfi_bfs_sources(const weft_graph *g, const weft_bfs_params *params);
/* Rows of the table: one for each source with a search of its own. */
static inline size_t wfi_bfs_table_rows(const weft_bfs_params *params) {
    return params->each ? params->source_count : 0;
}

/* The table with a row for each of the sources, with `each`; otherwise without rows. */
typedef struct wfi_bfs_table {
    weft_vid *source;
    uint64_t *reached, *depth, *distances; /* vertices with a level, the largest level, the sum of all levels */
} wfi_bfs_table;

void wfi_bfs_table_lay_out(wfi_workspace *w, uint64_t sources, wfi_bfs_table *table);

/* The host's data of a run on the GPU. */
typedef struct wfi_bfs_job {
    uint32_t *level;
    weft_vid *parent; /* NULL: not requested */
    wfi_bfs_table table;
    const weft_vid *sources;
    size_t count; /* 0: the graph is empty */
    uint64_t max_depth;
    bool many; /* the table is requested */
} wfi_bfs_job;

/* Declares the columns; sets all inputs; writes the scalars. */
void wfi_bfs_columns(wfi_workspace *w, weft_vid n, const weft_bfs_params *params, wfi_bfs_job *b);
weft_status wfi_bfs_job_begin(wfi_job *job, wfi_bfs_job *b);
weft_status wfi_bfs_job_end(wfi_job *job, uint64_t reached, uint64_t depth);

typedef enum wfi_bfs_method {
    WFI_BFS_TOP_DOWN,
    WFI_BFS_BOTH_WAYS,
    WFI_BFS_ON_GPU,
    WFI_BFS_TOP_DOWN_STREAMED,
    WFI_BFS_BOTH_WAYS_STREAMED
} wfi_bfs_method;

extern const struct wfi_method wfi_bfs_on_ranks;

/* On the GPU: bfs_cuda.cu; for graphs that do not fit its memory bfs_stream.cu, which searches the sources of a table
 * one after the other. */
void wfi_bfs_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice);
weft_status wfi_bfs_cuda(wfi_job *job);
bool wfi_bfs_plan_stream(const weft_ctx *ctx, const weft_graph *g, const void *params, uint64_t available,
                         wfi_choice *choice);
weft_status wfi_bfs_stream(wfi_job *job);

WFI_C_END
#endif
