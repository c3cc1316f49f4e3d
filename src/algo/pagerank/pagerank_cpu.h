/* PageRank on CPU cores: the state of a run.  pagerank_cpu.c initialises it and iterates, pagerank_sweep.c does one
 * iteration, pagerank_tiles.c adds up by tiles; a GPU may do the sweeps of a rank instead. */
#ifndef WFI_PAGERANK_CPU_H
#define WFI_PAGERANK_CPU_H

#include "algo/pagerank/pagerank.h"
#include "core/fixed.h"
#include "engines/fixed_sums/fixed_sums.h"
#include "ranks/spread.h"

enum { WFI_PAGERANK_PASS = 1 << 14 }; /* vertices per unit of work in loops of equal cost */

/* --- tiles ---------------------------------------------------------------------- */

/* The arcs of a graph, cut into tiles by blocks of sources and blocks of targets, so that a sweep stays in a core's
 * cache. */
typedef struct wfi_tiles {
    const weft_graph *g;
    unsigned shift;   /* the block of v is v >> shift; at most 16 */
    size_t blocks;    /* number of blocks of sources, equal to that of targets */
    uint64_t *start;  /* begin of each tile [to][from], and the end */
    uint32_t *arcs;   /* source within its block << 16 | target within its block; sorted by source within a tile */
    uint32_t *counts; /* during construction, for each thread: counters, then write positions */
    uint32_t **cursors;
    uint64_t *sums; /* after it, in the same memory: sums of one block, for each thread */
} wfi_tiles;

void wfi_tiles_lay_out(wfi_workspace *w, const weft_graph *g, int threads, wfi_tiles *tiles);
/* Sorts the outgoing arcs into tiles. */
weft_status wfi_tiles_make(weft_ctx *ctx, const wfi_tiles *tiles);
/* sum[k] = sum of the shares of all arcs to vertex k of the block of targets, in fixed point of one limb.  False after
 * a request to stop. */
bool wfi_tiles_add(weft_ctx *ctx, const wfi_tiles *tiles, size_t to, const float *share, uint64_t *sum);

/* --- a run ---------------------------------------------------------------------- */

/* A stretch: the vertices that are swept at once, or this rank's part of them.  Row k is vertex `vertex` + k; its
 * values are at `place` + k in the arrays of this rank, its share is at `seen` + k.  On a grid of ranks incoming rows
 * include those of other ranks. */
typedef struct wfi_stretch {
    wfi_view in, out;    /* in: unused with tiles */
    weft_vid first, end; /* rows */
    weft_vid vertex, place, seen;
} wfi_stretch;

typedef struct wfi_totals {
    wfi_fixed change, dangling, sum;
} wfi_totals;

#define WFI_NO_TOTALS ((wfi_totals){{0, 0}, {0, 0}, {0, 0}})

struct wfi_ranking;
/* A GPU that does the sweeps of a rank (pagerank_ranks_cuda.c).  Ranks, shares and inverse degrees are in host memory
 * until `begin`, and the ranks again after `end`; between these, all ranks make the same calls. */
typedef struct wfi_ranking_gpu {
    weft_status (*begin)(struct wfi_ranking *r);
    weft_status (*sweep)(struct wfi_ranking *r, wfi_totals *mine);
    void (*scale)(struct wfi_ranking *r, double scale);
    weft_status (*end)(struct wfi_ranking *r);
    weft_status status; /* of this rank alone; the next call exchanges it */
    void *state;
} wfi_ranking_gpu;

typedef struct wfi_ranking {
    weft_ctx *ctx;
    const weft_graph *g;
    const struct weft_pagerank_params *params;
    const wfi_spread *spread;
    bool whole;           /* this rank has all vertices */
    wfi_ranking_gpu *gpu; /* NULL: the CPU */
    weft_vid mine;        /* number of this rank's vertices */
    size_t stretches;
    wfi_stretch stretch[WFI_SELL_PARTS];
    wfi_pulling pull;   /* current shares of all visible vertices; the rows of the current stretch */
    weft_vid sees;      /* number of visible vertices: all, or those of a column of ranks */
    bool on_grid;       /* ranks form several columns */
    uint64_t *sums_out; /* on a grid: sums of this rank for the ranks of its row */
    uint64_t *sums_in;  /* on a grid: their sums for this rank's vertices */
    bool tiled;         /* else arcs are pulled */
    wfi_tiles tiles;
    bool single; /* ranks are f32 */
    double damping, uniform;
    double *restart;     /* NULL: uniform */
    double *dangling_to; /* NULL: dangling rank restarts */
    double teleport;     /* rank that restarts in this iteration */
    double dangling;     /* rank that goes to dangling_to in this iteration */
    double *inverse;     /* 2^62 / (out-degree, or sum of the row's weights); 0 for a dangling vertex */
    void *rank;
    /* New shares of this rank's vertices; exchanged with the current shares if all vertices are swept at once. */
    void *next;
} wfi_ranking;

/* A run on one machine, or for this rank's part of the vertices; gpu may be NULL. */
weft_status wfi_pagerank_with(wfi_job *job, wfi_ranking_gpu *gpu);

/* --- pagerank_sweep.c ------------------------------------------------------------ */

/* One iteration: new ranks and shares of all vertices.  Collective; *mine gets the totals of this rank. */
weft_status wfi_pagerank_sweep(wfi_ranking *r, wfi_totals *mine);
/* Fills r->next with the shares of stretch s, from its ranks; adds up dangling rank. */
void wfi_make_shares(wfi_ranking *r, const wfi_stretch *s, wfi_totals *mine);
/* Makes the new shares of stretch i current. */
weft_status wfi_publish_shares(wfi_ranking *r, size_t i);
/* Exchanges new and current shares; only if this rank has all vertices. */
void wfi_exchange_shares(wfi_ranking *r);
/* Scales all ranks and shares. */
void wfi_pagerank_scale(wfi_ranking *r, double scale);

/* On a grid: adds up the sums of stretch i over all ranks of the row, for wfi_pulled_on_grid.  Collective. */
weft_status wfi_pull_on_grid(wfi_ranking *r, size_t i);
/* As wfi_pull, for vertices of the stretch of the last wfi_pull_on_grid. */
void wfi_pulled_on_grid(const wfi_ranking *r, const wfi_stretch *s, weft_vid first, weft_vid count, double *pulled);

static inline size_t wfi_share_bytes(wfi_share_kind kind) {
    return kind == WFI_SHARE_32 ? sizeof(float) : sizeof(double);
}

static inline void wfi_totals_join(wfi_totals *all, const wfi_totals *mine) {
#pragma omp critical(wfi_pagerank_totals)
    {
        wfi_fixed_join(&all->change, mine->change);
        wfi_fixed_join(&all->dangling, mine->dangling);
        wfi_fixed_join(&all->sum, mine->sum);
    }
}

#endif
