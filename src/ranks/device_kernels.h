/* The kernels of src/ranks, as its C code calls them: messages (device_messages.c), peeling (device_peel.c), triangles
 * (device_triangles.c).  All arrays are on the GPU. */
#ifndef WFI_RANK_DEVICE_KERNELS_H
#define WFI_RANK_DEVICE_KERNELS_H

#include "cuda/transfer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- messages: a counting sort by the owner of the vertex --- */

typedef struct wfi_addressed {
    const weft_vid *vertex;
    uint64_t count;
    const weft_vid *cut; /* rank r owns cut[r] ... cut[r+1]-1 */
    int ranks;
    uint64_t *place; /* of each rank */
} wfi_addressed;

/* What the messages carry: of[v], of 4 or 8 bytes, which is `rest` once it was read; keep: it stays as it was. */
typedef struct wfi_message_values {
    void *of;
    uint64_t rest;
    bool keep;
} wfi_message_values;

/* place[r] grows by how many of the vertices rank r owns. */
weft_status wfi_messages_count(weft_ctx *ctx, const wfi_addressed *a);
/* Messages of 2 or 3 words: place[r] is where the next of rank r goes. */
weft_status wfi_messages_sort(weft_ctx *ctx, const wfi_addressed *a, wfi_message_values values, unsigned words,
                              uint32_t *sorted);

/* --- Kahn's peeling --- */

typedef struct wfi_kahn_gpu {
    wfi_view out;
    weft_vid first;    /* of this rank's vertices; row k is that of first + k */
    uint32_t *level;   /* of these: the longest path so far */
    uint64_t *waiting; /* likewise: arcs from what is not peeled */
    weft_vid *queue;   /* rows that were peeled and whose targets were not decremented, ... */
    weft_vid *next;    /* ... and those that come */
    uint64_t *queued;  /* 1: of these */
    /* Of each vertex of the graph: by how much this rank decrements it, and in the lower half the level that its arcs
     * lead to */
    uint64_t *decrement;
    weft_vid *addressed; /* those that have one, ... */
    uint64_t *addressed_count;
} wfi_kahn_gpu;

/* The sources are queued. */
weft_status wfi_kahn_begin(weft_ctx *ctx, const wfi_kahn_gpu *p);
/* The targets of the first `queued` of the queue are decremented: those of this rank that reach 0 are put into `next`,
 * those of other ranks are addressed. */
weft_status wfi_kahn_decrement(weft_ctx *ctx, const wfi_kahn_gpu *p, uint64_t queued);
/* Messages (vertex, level, decrement) to this rank's vertices: those that reach 0 are queued. */
weft_status wfi_kahn_receive(weft_ctx *ctx, const wfi_kahn_gpu *p, const uint32_t *received, uint64_t count);
/* before[v], which is UINT64_MAX: the smallest of this rank's vertices in the leftover that leads to v. */
weft_status wfi_kahn_predecessors(weft_ctx *ctx, const wfi_kahn_gpu *p, uint64_t *before);

/* --- triangles: wedge checks by binary search --- */

/* A search as triangles.c describes it. */
typedef struct wfi_wedges {
    int rule;            /* wfi_triangle_rule */
    weft_vid first, end; /* this rank's vertices */
    weft_eid *offsets, *group;
    weft_vid *target, *from;
    uint8_t *arcs, *from_arcs; /* NULL: they do not count */
    uint64_t *sums;            /* of each vertex of the graph */
    uint64_t *found;           /* 1 */
    weft_vid *want;            /* rows that were fetched, ascending: `fetched` vertices, ... */
    uint64_t fetched;
    uint64_t *at, *length; /* ... where their rows lie */
    weft_vid *rows;
    uint8_t *rows_arcs;
} wfi_wedges;

/* Edges low ... low + count-1 in the order of their targets, which are vertices from ... to-1. */
typedef struct wfi_wedge_range {
    uint64_t low, count;
    weft_vid from, to;
    bool fetched; /* the rows of these targets were fetched; else they are this rank's */
} wfi_wedge_range;

/* The triangles u, v, w of each edge u -> v in the range: those targets w of row u that row v has. */
weft_status wfi_close_wedges(weft_ctx *ctx, const wfi_wedges *c, wfi_wedge_range range);

#ifdef __cplusplus
}
#endif
#endif
