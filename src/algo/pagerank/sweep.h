/* A run of PageRank in progress: what its sweeps read and write. */
#ifndef WFI_PAGERANK_SWEEP_H
#define WFI_PAGERANK_SWEEP_H

#include "algo/pagerank/pagerank.h"
#include "algo/pagerank/tiles.h"
#include "core/fixed.h"
#include "ranks/spread.h"
#include "shared/pull/pull.h"

/* Vertices that are swept at once, or of these the ones that this rank has.  The vertex of row k is `vertex` + k; its
 * values lie at `place` + k in the arrays of this rank, and its share at `seen` + k.  On a grid of ranks (grid.c)
 * incoming rows are those of others, too. */
typedef struct wfi_stretch {
    wfi_rows in, out;    /* in: none with tiles */
    weft_vid first, end; /* rows */
    weft_vid vertex, place, seen;
} wfi_stretch;

typedef struct wfi_totals {
    wfi_fixed change, dangling, sum;
} wfi_totals;

struct wfi_ranking;
/* A GPU that does the sweeps of a rank (pagerank_ranks_cuda.c).  Ranks, shares and gifts are the host's until `begin`,
 * and the ranks again after `end`; in between calls all ranks make the same ones. */
typedef struct wfi_ranking_gpu {
    weft_status (*begin)(struct wfi_ranking *r);
    weft_status (*sweep)(struct wfi_ranking *r, double teleport, wfi_totals *mine);
    void (*scale)(struct wfi_ranking *r, double scale);
    weft_status (*end)(struct wfi_ranking *r);
    weft_status status; /* of this rank alone: the next call tells the others */
    void *state;
} wfi_ranking_gpu;

typedef struct wfi_ranking {
    weft_ctx *ctx;
    const weft_graph *g;
    const wfi_spread *spread;
    bool whole;           /* this rank has all vertices */
    wfi_ranking_gpu *gpu; /* NULL: the CPU */
    weft_vid mine;        /* vertices of this rank */
    size_t stretches;
    wfi_stretch stretch[WFI_PAGERANK_PARTS];
    wfi_pulling pull; /* shares in effect, of all vertices that are seen; the rows of the stretch that is being swept */
    weft_vid sees;    /* so many: all of them, or those of a column of ranks */
    bool on_grid;     /* of ranks, in several columns */
    uint64_t *sums_out; /* then: what this rank has added up for the ranks of its row */
    uint64_t *sums_in;  /* what they have for its vertices */
    wfi_tiles *tiles;   /* NULL = pull */
    uint64_t *sums;     /* tiles: room for one block's sums for each thread */
    bool single;        /* ranks are f32 */
    double damping, uniform;
    double *restart;     /* NULL = uniform */
    double *dangling_to; /* NULL = it restarts */
    double dangling;     /* that goes there in this iteration */
    double *give;        /* 2^62 / (out-degree, or sum of the row's weights); 0 = dangling */
    void *rank;
    /* New shares, of this rank's vertices; they change places with those in effect if all vertices are swept at
         * once */
    void *next;
} wfi_ranking;

/* pagerank_cpu.c, with this GPU. */
weft_status wfi_pagerank_with(wfi_job *job, wfi_ranking_gpu *gpu);
/* The bytes of a share as it travels. */
size_t wfi_share_bytes(const wfi_ranking *r);

/* first_ranks.c: r->rank; the shares are written over.  start_sum: of nstart, if that is given.  Together. */
weft_status wfi_first_ranks(wfi_ranking *r, const weft_pagerank_params *p, double start_sum);

/* The new shares of stretch i come into effect. */
weft_status wfi_publish_shares(wfi_ranking *r, size_t i);

/* grid.c: sums of stretch i, of all ranks of the row, for wfi_came_on_grid; together. */
weft_status wfi_pull_on_grid(wfi_ranking *r, size_t i);
/* wfi_pull of vertices of the stretch that was pulled last. */
void wfi_came_on_grid(const wfi_ranking *r, const wfi_stretch *s, weft_vid first, weft_vid count, double *came);
/* A byte for each vertex of this rank, in the place of the next shares: is it one of two vertices that have no other
 * neighbour (graph/paired.h)?  Together. */
weft_status wfi_mark_paired_on_grid(wfi_ranking *r);

/* settle.c: of the values at first ... first+count-1 new ranks from what came, and r->next from the ranks.  offsets: of
 * the first one's outgoing row and those after. */
void wfi_make_ranks(wfi_ranking *r, weft_vid first, weft_vid count, const double *came, double teleport, wfi_totals *t);
void wfi_make_shares(wfi_ranking *r, const weft_eid *offsets, weft_vid first, weft_vid count, wfi_totals *t);

#endif
