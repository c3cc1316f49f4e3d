/* Kahn's peeling of a directed graph on ranks: levels from the sources, the leftover, and a cycle in it, with the same
 * answers as engines/kahn/kahn.h. */
#ifndef WFI_RANK_PEEL_H
#define WFI_RANK_PEEL_H

#include "engines/kahn/kahn.h"
#include "ranks/fetch.h"
#include "ranks/messages.h"

struct wfi_rank_peel;
/* The steps of ranks whose GPUs peel (device_steps.h).  Each is collective, and returns the same status on all
 * ranks. */
typedef struct wfi_rank_peel_gpu {
    /* p->waiting has the number of arcs into each of this rank's vertices. */
    weft_status (*begin)(struct wfi_rank_peel_gpu *gpu, weft_ctx *ctx, const wfi_spread *s,
                         const struct wfi_rank_peel *p);
    /* Each rank peels all it can, then sends decrements.  *queued: the rows that this rank can peel next; *stop: the
     * caller wants to stop. */
    weft_status (*round)(struct wfi_rank_peel_gpu *gpu, weft_ctx *ctx, const wfi_spread *s, uint64_t *queued,
                         bool *stop);
    /* Fills p->level and p->waiting. */
    weft_status (*end)(struct wfi_rank_peel_gpu *gpu, weft_ctx *ctx, const wfi_spread *s, struct wfi_rank_peel *p);
    /* After `end`: the smallest predecessor in the leftover of each vertex of the graph, or WEFT_NO_VERTEX, on every
     * rank. */
    weft_status (*point_back)(struct wfi_rank_peel_gpu *gpu, weft_ctx *ctx, const wfi_spread *s, weft_vid *before);
} wfi_rank_peel_gpu;

typedef struct wfi_rank_peel {
    wfi_rank_peel_gpu *gpu; /* set by the caller; NULL: CPU cores peel */
    /* Set by the caller, of this rank's vertices.  Afterwards the longest path from a source, or WEFT_UNREACHED */
    uint32_t *level;
    uint64_t *waiting; /* arcs into each of this rank's vertices from vertices that are not peeled */
    weft_vid *queue;
    weft_vid *decrement; /* decrements by this rank that are not sent yet, for each vertex of the graph */
    weft_vid *tops;      /* the level that these arcs lead to */
    uint64_t *left;
    uint64_t small; /* words of a leftover that the first rank takes whole */
    weft_vid *at,
        *words; /* the rows of a small leftover: a length, then targets; `at` is the position of each vertex's row */
    wfi_messages messages;
    wfi_fetch fetch;
    uint64_t peeled; /* vertices peeled by all ranks */
    uint32_t levels; /* 0 if no vertex was peeled */
} wfi_rank_peel;

/* Declares all its arrays but the level; the cycle grows in the same workspace. */
void wfi_rank_peel_lay_out(wfi_workspace *w, const wfi_spread *s, wfi_rank_peel *p);
/* Upper bound of the bytes that this rank sends, once the arrays are laid out; includes a search for a cycle in arcs of
 * all ranks. */
uint64_t wfi_rank_peel_sends(const wfi_spread *s, const wfi_rank_peel *p);
/* WEFT_EUNSUPPORTED if parallel arcs give a vertex 2^32 incoming arcs or more. */
weft_status wfi_rank_peel_run(weft_ctx *ctx, const wfi_spread *s, wfi_rank_peel *p);

/* The loop at the smallest vertex with a loop; length 0 if there is none. */
weft_status wfi_rank_loop(weft_ctx *ctx, wfi_workspace *w, const wfi_spread *s, wfi_cycle *cycle);
/* After peeling, whose arrays become scratch: a loop, or else the cycle of wfi_cycle_in_leftover, on each rank; length
 * 0 if nothing is left. */
weft_status wfi_rank_cycle(weft_ctx *ctx, wfi_workspace *w, const wfi_spread *s, wfi_rank_peel *p, wfi_cycle *cycle);

#endif
