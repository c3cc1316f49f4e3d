/* Direction-optimising search on ranks: the driver, which chooses each level's direction, ends the search and adds up
 * its figures (bfs_ranks.c).  Back ends supply a level, on CPUs (bfs_ranks.c) or GPUs (bfs_ranks_cuda.cu); their own
 * state begins with this struct. */
#ifndef WFI_BFS_RANK_LEVELS_H
#define WFI_BFS_RANK_LEVELS_H

#include "algo/bfs/bfs.h"
#include "ranks/spread.h"

WFI_C_BEGIN

/* Levels of a search that go bottom-up, at most: more than graphs have that gain by it, and a bound on what is sent. */
enum { WFI_RANK_PULLS = 64 };

typedef struct wfi_rank_levels {
    weft_ctx *ctx;
    wfi_spread *s;
    bool both_ways; /* bottom-up as well */
    size_t target_count;
    uint32_t depth;
    uint64_t awake, awake_arcs, unmet; /* of all ranks: the frontier, its arcs, targets that were not reached */
    uint64_t reached, distances;
    /* Each ends with wfi_rank_level_done.  begin: sources i ... i + count-1 of the search are level 0. */
    weft_status (*begin)(struct wfi_rank_levels *l, size_t i, size_t count);
    weft_status (*push)(struct wfi_rank_levels *l);
    weft_status (*pull)(struct wfi_rank_levels *l);
} wfi_rank_levels;

/* A level's figures of all ranks. */
void wfi_rank_level_done(wfi_rank_levels *l, uint64_t awake, uint64_t arcs, uint64_t unmet);

/* One search from all sources, or one from each, whose figures go to the table; depth: of the last.  A graph without
 * vertices has none. */
weft_status wfi_rank_searches(wfi_rank_levels *l, const weft_bfs_params *p, const weft_vid *sources,
                              wfi_bfs_table *table, uint64_t *depth);

WFI_C_END
#endif
