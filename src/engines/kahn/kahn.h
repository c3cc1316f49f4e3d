/* Kahn's algorithm on a directed graph: peeling sources level by level, the leftover, and a cycle in it as a
 * certificate. */
#ifndef WFI_KAHN_H
#define WFI_KAHN_H

#include "core/workspace.h"
#include "graph/graph.h"

WFI_C_BEGIN

/* Arrays belong to the caller and need not be initialised. */
typedef struct wfi_kahn {
    weft_vid *waiting; /* n.  Afterwards 0 = peeled; else v is on or behind a cycle, with that many arcs from such */
    weft_vid *order;   /* n.  Afterwards the peeled vertices, level by level, in any order inside a level */
    uint32_t *level;   /* n, or NULL.  Afterwards the longest path from a source; WEFT_UNREACHED when not peeled */
    weft_vid peeled;
    uint32_t levels; /* 0 when nothing was peeled */
} wfi_kahn;

/* WEFT_EUNSUPPORTED when parallel arcs give a vertex 2^32 predecessors or more. */
weft_status wfi_kahn_peel(weft_ctx *ctx, const weft_graph *g, wfi_kahn *k);

/* Do ids rise along every arc, or fall along every arc?  Either proves that there is no cycle.  Rows ascend, so that
 * the first and the last target of each row decide. */
typedef enum wfi_id_order { WFI_IDS_MIXED = 0, WFI_IDS_RISE, WFI_IDS_FALL } wfi_id_order;
wfi_id_order wfi_ids_along_arcs(const weft_ctx *ctx, const weft_graph *g);

/* A cycle: vertices in the order of its arcs, the smallest first; NULL = none.  The block is grown in the workspace
 * that the functions below are given, at most n vertices. */
typedef struct wfi_cycle {
    weft_vid *vertex;
    size_t length;
} wfi_cycle;

/* The loop at the smallest vertex that has one; length 0 when there is no loop. */
weft_status wfi_cycle_of_loop(weft_ctx *ctx, wfi_workspace *w, const weft_graph *g, wfi_cycle *cycle);

/* A short cycle among what wfi_kahn_peel left, at least one vertex; the graph has no loops.  Both arrays of k become
 * scratch, and `left` is: a bit a vertex, in whole words.  A function of the graph alone. */
weft_status wfi_cycle_in_leftover(weft_ctx *ctx, wfi_workspace *w, const weft_graph *g, wfi_kahn *k, uint64_t *left,
                                  wfi_cycle *cycle);
/* Peels, and if something is left, the one or the other. */
weft_status wfi_kahn_or_cycle(weft_ctx *ctx, wfi_workspace *w, const weft_graph *g, wfi_kahn *k, uint64_t *left,
                              wfi_cycle *cycle);
/* Rows that are not all at hand. */
typedef struct wfi_row_feed {
    /* Brings the rows of the first *brought vertices of a list, at least one. */
    weft_status (*bring)(void *user, const weft_vid *want, size_t count, size_t *brought);
    /* The row of v, the i-th of what was brought last. */
    const weft_vid *(*row)(void *user, size_t i, weft_vid v, uint64_t *length);
    void *user;
} wfi_row_feed;
/* Searches for a shorter cycle, at most, and arcs that they see in all, if the graph has no more. */
enum { WFI_CYCLE_SEARCHES = 64, WFI_LEAST_SEEN = 1 << 16 };
/* What stays behind, when the smallest predecessor of each of its vertices in it is known.  All become scratch. */
typedef struct wfi_leftover {
    weft_vid *before;  /* n: that predecessor; WEFT_NO_VERTEX outside */
    weft_vid *scratch; /* n */
    uint64_t *left;    /* a bit a vertex, in whole words */
} wfi_leftover;
/* wfi_cycle_in_leftover for that; feed NULL: the rows are those of the graph. */
weft_status wfi_cycle_by_pointers(weft_ctx *ctx, wfi_workspace *w, const weft_graph *g, const wfi_row_feed *feed,
                                  const wfi_leftover *l, wfi_cycle *cycle);

static inline uint64_t wfi_leftover_words(weft_vid n) { return ((uint64_t)n + 63) / 64; }

/* Warns when the file said otherwise. */
void wfi_cycle_compare_label(weft_ctx *ctx, const weft_graph *g, bool acyclic);

/* Is a directed graph acyclic?  For dense graphs (acyclic_dense.c): no arc is looked at twice, and no counter is
 * written for one. */
typedef struct wfi_watched_arrays {
    uint64_t *bits;   /* n rows of bits; without places where rows are read as they are */
    uint8_t *marks;   /* a byte for each bit of a row, for each thread: scratch of their making */
    uint64_t *here;   /* the vertices that are still there, as bits ... */
    uint8_t *there;   /* ... or as bytes, which a row that is no bits looks up quicker */
    uint64_t *cursor; /* n: where the vertex stands in its row: a word, or an arc */
    weft_vid *head, *next;
} wfi_watched_arrays;

/* as_bits: the rows are turned into a bit matrix first, in parallel; else they are read as they are. */
void wfi_watched_lay_out(wfi_workspace *w, weft_vid n, bool as_bits, int threads, wfi_watched_arrays *a);
weft_status wfi_watched_acyclic(weft_ctx *ctx, const weft_graph *g, bool as_bits, const wfi_watched_arrays *a,
                                bool *acyclic);

/* --- on the GPU (kahn_cuda.cu), as toposort and cycle call it: no CUDA type crosses this door --- */

/* How it is done, which a plan decides: by rows of targets, for a verdict from both ends if the incoming rows are on
 * the GPU already, or in a bit matrix. */
typedef enum wfi_kahn_way { WFI_KAHN_ROWS, WFI_KAHN_ROWS_BOTH_ENDS, WFI_KAHN_BITS } wfi_kahn_way;

/* What is asked for, on the host; with neither column, only whether there is a cycle, and which. */
typedef struct wfi_kahn_wish {
    wfi_kahn_way way;
    uint32_t *level, *position; /* n each, or NULL */
} wfi_kahn_wish;

typedef struct wfi_kahn_answer {
    bool acyclic;
    uint32_t levels; /* with a column only */
    wfi_cycle cycle; /* grown in the workspace; NULL when there is none */
} wfi_kahn_answer;

/* Dense enough for a bit matrix?  From 1/32 on, where a row of bits is no longer than a row of targets, if the counters
 * fit. */
enum { WFI_FEWEST_BIT_VERTICES = 256, WFI_MOST_BIT_VERTICES = 1 << 16 };
static inline bool wfi_kahn_as_bits(weft_vid n, weft_eid arcs) {
    return n >= WFI_FEWEST_BIT_VERTICES && n < WFI_MOST_BIT_VERTICES && arcs >= (uint64_t)n * n / 32;
}

wfi_kahn_way wfi_kahn_pick_cuda(const weft_ctx *ctx, const weft_graph *g, bool verdict_only);
/* Its arrays on the host, without the columns, and on the GPU, and what it adds to the mirror. */
void wfi_kahn_plan_cuda(const weft_graph *g, wfi_kahn_way way, bool levels, bool positions, wfi_workspace *space,
                        wfi_workspace *device);

/* The rows are on the GPU then. */
weft_status wfi_kahn_bring(weft_ctx *ctx, const weft_graph *g);
/* The levels, positions and cycle that kahn.c, toposort.c and witness.c give. */
weft_status wfi_kahn_cuda(weft_ctx *ctx, const weft_graph *g, wfi_workspace *space, wfi_workspace *device,
                          const wfi_kahn_wish *wish, wfi_kahn_answer *answer);

WFI_C_END
#endif
