/* Kahn's peeling of a directed graph on ranks: levels from the sources, the leftover, and a cycle inside that, with the
 * answers that engines/kahn/kahn.h has on one machine. */
#ifndef WFI_RANK_PEEL_H
#define WFI_RANK_PEEL_H

#include "engines/kahn/kahn.h"
#include "ranks/fetch.h"
#include "ranks/messages.h"

struct wfi_rank_peel;
/* Ranks whose GPUs peel (device_steps.h).  All ranks call each of them together, and get the same status. */
typedef struct wfi_rank_peel_gpu {
    /* p->waiting has the arcs that enter this rank's vertices. */
    weft_status (*begin)(struct wfi_rank_peel_gpu *gpu, weft_ctx *ctx, const wfi_spread *s,
                         const struct wfi_rank_peel *p);
    /* Each peels what it can, then sends decrements.  *queued: what this rank can take then; *stop: it shall end. */
    weft_status (*round)(struct wfi_rank_peel_gpu *gpu, weft_ctx *ctx, const wfi_spread *s, uint64_t *queued,
                         bool *stop);
    /* p->level and p->waiting. */
    weft_status (*end)(struct wfi_rank_peel_gpu *gpu, weft_ctx *ctx, const wfi_spread *s, struct wfi_rank_peel *p);
    /* After that: the smallest predecessor in the leftover of each vertex of the graph, or WEFT_NO_VERTEX, on every
     * rank. */
    weft_status (*point_back)(struct wfi_rank_peel_gpu *gpu, weft_ctx *ctx, const wfi_spread *s, weft_vid *before);
} wfi_rank_peel_gpu;

typedef struct wfi_rank_peel {
    wfi_rank_peel_gpu *gpu; /* set by the caller; NULL: CPU cores peel */
    /* Set by the caller, of this rank's vertices.  Afterwards the longest path from a source, or WEFT_UNREACHED */
    uint32_t *level;
    uint64_t *waiting; /* of this rank's vertices: arcs from what is not peeled */
    weft_vid *queue;
    weft_vid *decrement; /* of each vertex of the graph: by this rank, and not sent yet */
    weft_vid *tops;      /* the level that they lead to */
    uint64_t *left;
    uint64_t small; /* words of a leftover that the first rank takes whole */
    weft_vid *at,
        *words; /* the rows of a small leftover: a length, then targets; of which each vertex knows its place */
    wfi_messages messages;
    wfi_fetch fetch;
    uint64_t peeled; /* by all ranks */
    uint32_t levels; /* 0 when nothing was */
} wfi_rank_peel;

/* All its arrays but the level; the cycle is grown in the same workspace. */
void wfi_rank_peel_lay_out(wfi_workspace *w, const wfi_spread *s, wfi_rank_peel *p);
/* Bytes that this rank sends at most, once they are laid out: also if there is a cycle, in which arcs of all ranks are
 * searched. */
uint64_t wfi_rank_peel_sends(const wfi_spread *s, const wfi_rank_peel *p);
/* WEFT_EUNSUPPORTED when parallel arcs give a vertex 2^32 predecessors or more. */
weft_status wfi_rank_peel_run(weft_ctx *ctx, const wfi_spread *s, wfi_rank_peel *p);

/* The loop at the smallest vertex that has one; length 0 when there is no loop. */
weft_status wfi_rank_loop(weft_ctx *ctx, wfi_workspace *w, const wfi_spread *s, wfi_cycle *cycle);
/* After peeling, whose arrays become scratch: a loop, or else the cycle of wfi_cycle_in_leftover, on each rank; length
 * 0 when nothing is left. */
weft_status wfi_rank_cycle(weft_ctx *ctx, wfi_workspace *w, const wfi_spread *s, wfi_rank_peel *p, wfi_cycle *cycle);

#endif
