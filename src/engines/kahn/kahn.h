/* Kahn's algorithm on a directed graph: peeling sources level by level, the leftover, and a cycle in it as a
 * certificate. */
#ifndef WFI_KAHN_H
#define WFI_KAHN_H

#include "core/workspace.h"
#include "graph/graph.h"

WFI_C_BEGIN

/* Arrays belong to the caller and need not be initialised. */
typedef struct wfi_kahn {
    weft_vid *waiting; /* n.  Afterwards 0 = peeled; else v is on or behind a cycle, and this is its number of arcs from
                        * such vertices */
    weft_vid *order;   /* n.  Afterwards the peeled vertices, level by level, in any order inside a level */
    uint32_t *level;   /* n, or NULL.  Afterwards the longest path from a source; WEFT_UNREACHED if not peeled */
    weft_vid peeled;
    uint32_t levels; /* 0 if nothing was peeled */
} wfi_kahn;

/* WEFT_EUNSUPPORTED if parallel arcs give a vertex 2^32 incoming arcs or more. */
weft_status wfi_kahn_peel(weft_ctx *ctx, const weft_graph *g, wfi_kahn *k);

/* Whether ids rise along every arc, or fall along every arc.  Either proves that there is no cycle.  Rows ascend, so
 * that the first and the last target of each row decide. */
typedef enum wfi_id_order { WFI_IDS_MIXED = 0, WFI_IDS_RISE, WFI_IDS_FALL } wfi_id_order;
wfi_id_order wfi_ids_along_arcs(const weft_ctx *ctx, const weft_graph *g);

/* A cycle: vertices in the order of its arcs, the smallest first; NULL = none.  The block grows in the workspace given
 * to the functions below, to at most n vertices. */
typedef struct wfi_cycle {
    weft_vid *vertex;
    size_t length;
} wfi_cycle;

/* The loop at the smallest vertex with a loop; length 0 if there is none. */
weft_status wfi_cycle_of_loop(weft_ctx *ctx, wfi_workspace *w, const weft_graph *g, wfi_cycle *cycle);

/* A short cycle in the leftover of wfi_kahn_peel, which must not be empty; the graph has no loops.  Both arrays of k
 * become scratch, and so does `left`: a bit a vertex, in whole words.  The cycle is a function of the graph alone. */
weft_status wfi_cycle_in_leftover(weft_ctx *ctx, wfi_workspace *w, const weft_graph *g, wfi_kahn *k, uint64_t *left,
                                  wfi_cycle *cycle);
/* Peels, and finds a loop or a cycle in the leftover, if there is one. */
weft_status wfi_kahn_or_cycle(weft_ctx *ctx, wfi_workspace *w, const weft_graph *g, wfi_kahn *k, uint64_t *left,
                              wfi_cycle *cycle);
/* Rows that are not all in memory, such as those of other ranks. */
typedef struct wfi_row_feed {
    /* Brings the rows of the first *brought vertices of a list, at least one. */
    weft_status (*bring)(void *user, const weft_vid *want, size_t count, size_t *brought);
    /* The row of v, the i-th of the rows brought last. */
    const weft_vid *(*row)(void *user, size_t i, weft_vid v, uint64_t *length);
    void *user;
} wfi_row_feed;
/* Limits of the search for a shorter cycle: the number of searches, and a budget of arcs, which is at least the second
 * and at least the arcs of the graph. */
enum { WFI_CYCLE_SEARCHES = 64, WFI_LEAST_SEEN = 1 << 16 };
/* The leftover, with the smallest leftover predecessor of each vertex.  All arrays become scratch. */
typedef struct wfi_leftover {
    weft_vid *before;  /* n: that predecessor; WEFT_NO_VERTEX outside the leftover */
    weft_vid *scratch; /* n */
    uint64_t *left;    /* a bit a vertex, in whole words */
} wfi_leftover;
/* wfi_cycle_in_leftover for such a leftover; feed NULL: the rows are those of the graph. */
weft_status wfi_cycle_by_pointers(weft_ctx *ctx, wfi_workspace *w, const weft_graph *g, const wfi_row_feed *feed,
                                  const wfi_leftover *l, wfi_cycle *cycle);

static inline uint64_t wfi_leftover_words(weft_vid n) { return ((uint64_t)n + 63) / 64; }

/* Warns if the file's label disagrees. */
void wfi_cycle_compare_label(weft_ctx *ctx, const weft_graph *g, bool acyclic);

/* The test of dense graphs for cycles (acyclic_dense.c): no arc is read twice, and no counter is written for an arc. */
typedef struct wfi_watched_arrays {
    uint64_t *bits;   /* n rows of bits; empty if rows are read as they are */
    uint8_t *marks;   /* a byte for each bit of a row, for each thread: scratch for making rows */
    uint64_t *here;   /* the remaining vertices, as bits ... */
    uint8_t *there;   /* ... or as bytes, which are faster to look up from a row of targets */
    uint64_t *cursor; /* n: the vertex's position in its row: a word, or an arc */
    weft_vid *head, *next;
} wfi_watched_arrays;

/* as_bits: the rows are turned into a bit matrix first, in parallel; else they are read as they are. */
void wfi_watched_lay_out(wfi_workspace *w, weft_vid n, bool as_bits, int threads, wfi_watched_arrays *a);
weft_status wfi_watched_acyclic(weft_ctx *ctx, const weft_graph *g, bool as_bits, const wfi_watched_arrays *a,
                                bool *acyclic);

/* --- on the GPU (kahn_cuda.cu), for toposort and cycle: no CUDA type crosses this interface --- */

/* The way of peeling, which a plan decides: by rows of targets; by rows from both ends, for a verdict if the incoming
 * rows are on the GPU already; or in a bit matrix. */
typedef enum wfi_kahn_way { WFI_KAHN_ROWS, WFI_KAHN_ROWS_BOTH_ENDS, WFI_KAHN_BITS } wfi_kahn_way;

/* The requested results, on the host; with neither column, only whether there is a cycle, and which. */
typedef struct wfi_kahn_request {
    wfi_kahn_way way;
    uint32_t *level, *position; /* n each, or NULL */
} wfi_kahn_request;

typedef struct wfi_kahn_answer {
    bool acyclic;
    uint32_t levels; /* only with a column */
    wfi_cycle cycle; /* grown in the workspace; NULL if there is none */
} wfi_kahn_answer;

/* True if the graph is dense enough for a bit matrix (density 1/32 or more, where a row of bits is no longer than a row
 * of targets) and the counters fit. */
enum { WFI_FEWEST_BIT_VERTICES = 256, WFI_MOST_BIT_VERTICES = 1 << 16 };
static inline bool wfi_kahn_as_bits(weft_vid n, weft_eid arcs) {
    return n >= WFI_FEWEST_BIT_VERTICES && n < WFI_MOST_BIT_VERTICES && arcs >= (uint64_t)n * n / 32;
}

wfi_kahn_way wfi_kahn_pick_cuda(const weft_ctx *ctx, const weft_graph *g, bool verdict_only);
/* Declares the arrays on the host, without the columns, the arrays on the GPU, and the rows of the mirror. */
void wfi_kahn_plan_cuda(const weft_graph *g, wfi_kahn_way way, bool levels, bool positions, wfi_workspace *space,
                        wfi_workspace *device);

/* Brings the rows to the GPU. */
weft_status wfi_kahn_upload_rows(weft_ctx *ctx, const weft_graph *g);
/* The levels, positions and cycle of kahn.c, toposort.c and witness.c. */
weft_status wfi_kahn_cuda(weft_ctx *ctx, const weft_graph *g, wfi_workspace *space, wfi_workspace *device,
                          const wfi_kahn_request *wish, wfi_kahn_answer *answer);

WFI_C_END
#endif
