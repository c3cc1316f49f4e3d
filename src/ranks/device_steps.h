/* Peeling and triangles on the GPUs of ranks: the steps that peel.h and triangles.h leave to a GPU. */
#ifndef WFI_RANK_DEVICE_STEPS_H
#define WFI_RANK_DEVICE_STEPS_H

#include "ranks/device.h"
#include "ranks/peel.h"
#include "ranks/triangles.h"

WFI_C_BEGIN

/* Peeling as its kernels see it: all of it on the GPU. */
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

typedef struct wfi_device_peel {
    wfi_rank_peel_gpu gpu; /* first: for wfi_rank_peel, as wfi_device_peel_steps has it */
    wfi_kahn_gpu p;
    wfi_view out[WFI_MOST_BLOCKS];
    wfi_device_messages messages;
    uint64_t *before, *before_here; /* n, on the GPU and on the host: a leftover's smallest predecessors */
    uint64_t queued;
} wfi_device_peel;

extern const wfi_rank_peel_gpu wfi_device_peel_steps;

/* Its arrays, beside those of wfi_rank_peel_lay_out on the host. */
void wfi_device_peel_lay_out(wfi_workspace *host, wfi_workspace *device, const wfi_spread *s, wfi_device_peel *d);

/* A search as triangles.c describes it, likewise. */
typedef struct wfi_wedges {
    wfi_triangle_rule rule;
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

typedef struct wfi_device_triangles {
    wfi_rank_triangles_gpu gpu; /* first: for wfi_rank_triangles, as wfi_device_triangles_steps has it */
    wfi_workspace *device;      /* set by the caller, and: */
    weft_status status;         /* of this rank */
    wfi_wedges k;
    uint64_t *sum; /* on the GPU, of this rank's vertices */
} wfi_device_triangles;

extern const wfi_rank_triangles_gpu wfi_device_triangles_steps;

WFI_C_END
#endif
