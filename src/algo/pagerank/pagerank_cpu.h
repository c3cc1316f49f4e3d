/* PageRank on CPU cores: the state of a run.  pagerank_cpu.c begins it and iterates, pagerank_sweep.c does one
 * iteration, pagerank_tiles.c adds up by tiles; a GPU may do the sweeps of a rank instead. */
#ifndef WFI_PAGERANK_CPU_H
#define WFI_PAGERANK_CPU_H

#include "algo/pagerank/pagerank.h"
#include "core/fixed.h"
#include "engines/fixed_sums/fixed_sums.h"
#include "ranks/spread.h"

enum { WFI_PAGERANK_PASS = 1 << 14 }; /* vertices that a thread takes at once where each costs the same */

/* --- tiles ---------------------------------------------------------------------- */

/* The arcs of a graph cut by blocks of sources and blocks of targets, so that a sweep stays inside a core's cache. */
typedef struct wfi_tiles {
    const weft_graph *g;
    unsigned shift;   /* the block of v is v >> shift; at most 16 */
    size_t blocks;    /* of sources, and of targets */
    uint64_t *start;  /* [to][from], and the end: where a tile's arcs begin */
    uint32_t *arcs;   /* source within its block << 16 | target within its block; by source within a tile */
    uint32_t *counts; /* while they are made: counters, and places, for each thread */
    uint32_t **cursors;
    uint64_t *sums; /* afterwards, in the same room: those of one block, for each thread */
} wfi_tiles;

void wfi_tiles_lay_out(wfi_workspace *w, const weft_graph *g, int threads, wfi_tiles *tiles);
/* Sorts the outgoing arcs into tiles. */
weft_status wfi_tiles_make(weft_ctx *ctx, const wfi_tiles *tiles);
/* sum[k] = sum of the shares of all arcs to vertex k of the block of targets, in fixed point of one limb.  False when
 * the caller of the library wants no more. */
bool wfi_tiles_add(weft_ctx *ctx, const wfi_tiles *tiles, size_t to, const float *share, uint64_t *sum);

/* --- a run ---------------------------------------------------------------------- */

/* Vertices that are swept at once, or of these the ones that this rank has.  The vertex of row k is `vertex` + k; its
 * values lie at `place` + k in the arrays of this rank, and its share at `seen` + k.  On a grid of ranks incoming rows
 * are those of others, too. */
typedef struct wfi_stretch {
    wfi_view in, out;    /* in: none with tiles */
    weft_vid first, end; /* rows */
    weft_vid vertex, place, seen;
} wfi_stretch;

typedef struct wfi_totals {
    wfi_fixed change, dangling, sum;
} wfi_totals;

#define WFI_NO_TOTALS ((wfi_totals){{0, 0}, {0, 0}, {0, 0}})

struct wfi_ranking;
/* A GPU that does the sweeps of a rank (pagerank_ranks_cuda.c).  Ranks, shares and inverse degrees are the host's until
 * `begin`, and the ranks again after `end`; in between calls all ranks make the same ones. */
typedef struct wfi_ranking_gpu {
    weft_status (*begin)(struct wfi_ranking *r);
    weft_status (*sweep)(struct wfi_ranking *r, wfi_totals *mine);
    void (*scale)(struct wfi_ranking *r, double scale);
    weft_status (*end)(struct wfi_ranking *r);
    weft_status status; /* of this rank alone: the next call tells the others */
    void *state;
} wfi_ranking_gpu;

typedef struct wfi_ranking {
    weft_ctx *ctx;
    const weft_graph *g;
    const weft_pagerank_params *params;
    const wfi_spread *spread;
    bool whole;           /* this rank has all vertices */
    wfi_ranking_gpu *gpu; /* NULL: the CPU */
    weft_vid mine;        /* vertices of this rank */
    size_t stretches;
    wfi_stretch stretch[WFI_SELL_PARTS];
    wfi_pulling pull; /* shares in effect, of all vertices that are seen; the rows of the stretch that is being swept */
    weft_vid sees;    /* so many: all of them, or those of a column of ranks */
    bool on_grid;     /* of ranks, in several columns */
    uint64_t *sums_out; /* then: what this rank has added up for the ranks of its row */
    uint64_t *sums_in;  /* what they have for its vertices */
    bool tiled;         /* else arcs are pulled */
    wfi_tiles tiles;
    bool single; /* ranks are f32 */
    double damping, uniform;
    double *restart;     /* NULL = uniform */
    double *dangling_to; /* NULL = it restarts */
    double teleport;     /* that restarts in this iteration */
    double dangling;     /* that goes to dangling_to */
    double *inverse;     /* 2^62 / (out-degree, or sum of the row's weights); 0 = dangling */
    void *rank;
    void *next; /* new shares, of this rank's vertices; if all are swept at once they change places with the others */
} wfi_ranking;

/* On one machine, or for this rank's part of the vertices; gpu may be NULL. */
weft_status wfi_pagerank_with(wfi_job *job, wfi_ranking_gpu *gpu);

/* --- pagerank_sweep.c ------------------------------------------------------------ */

/* One iteration: new ranks and shares of all vertices.  Together; the totals are those of this rank. */
weft_status wfi_pagerank_sweep(wfi_ranking *r, wfi_totals *mine);
/* r->next, the shares of stretch s, from its ranks; adds up what dangles. */
void wfi_make_shares(wfi_ranking *r, const wfi_stretch *s, wfi_totals *mine);
/* The new shares of stretch i come into effect. */
weft_status wfi_publish_shares(wfi_ranking *r, size_t i);
/* The array of new shares becomes the one in effect, if this rank has all vertices. */
void wfi_exchange_shares(wfi_ranking *r);
/* All ranks and shares by as much. */
void wfi_pagerank_scale(wfi_ranking *r, double scale);

/* On a grid: sums of stretch i, of all ranks of the row, for wfi_came_on_grid; together. */
weft_status wfi_pull_on_grid(wfi_ranking *r, size_t i);
/* wfi_pull of vertices of the stretch that was pulled last. */
void wfi_came_on_grid(const wfi_ranking *r, const wfi_stretch *s, weft_vid first, weft_vid count, double *came);

static inline size_t wfi_share_bytes(wfi_travels travels) {
    return travels == WFI_SHARE_32 ? sizeof(float) : sizeof(double);
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
