/* Peeling and triangles on the GPUs of ranks: the steps that peel.h and triangles.h leave to a GPU. */
#ifndef WFI_RANK_DEVICE_STEPS_H
#define WFI_RANK_DEVICE_STEPS_H

#include "ranks/device.h"
#include "ranks/peel.h"
#include "ranks/triangles.h"

WFI_C_BEGIN

/* The arrays of peeling for its kernels: all of them on the GPU. */
typedef struct wfi_kahn_gpu {
    wfi_view out;
    weft_vid first;    /* first of this rank's vertices; row k belongs to first + k */
    uint32_t *level;   /* longest path so far, for each row */
    uint64_t *waiting; /* arcs from vertices that are not peeled, for each row */
    weft_vid *queue;   /* peeled rows whose targets are to be decremented, ... */
    weft_vid *next;    /* ... and those of the next step */
    uint64_t *queued;  /* 1: their number */
    /* Of each vertex of the graph: this rank's decrements in the upper half, and the level that its arcs lead to in the
     * lower half */
    uint64_t *decrement;
    weft_vid *addressed; /* vertices with a decrement, ... */
    uint64_t *addressed_count;
} wfi_kahn_gpu;

typedef struct wfi_device_peel {
    wfi_rank_peel_gpu gpu; /* first: for wfi_rank_peel, from wfi_device_peel_steps */
    wfi_kahn_gpu p;
    wfi_view out[WFI_MOST_BLOCKS];
    wfi_device_messages messages;
    uint64_t *before, *before_here; /* n, on the GPU and on the host: a leftover's smallest predecessors */
    uint64_t queued;
} wfi_device_peel;

extern const wfi_rank_peel_gpu wfi_device_peel_steps;

/* Declares its arrays, beside those of wfi_rank_peel_lay_out on the host. */
void wfi_device_peel_lay_out(wfi_workspace *host, wfi_workspace *device, const wfi_spread *s, wfi_device_peel *d);

/* The arrays of a search for triangles (triangles.c) on the GPU. */
typedef struct wfi_wedges {
    wfi_triangle_rule rule;
    weft_vid first, end; /* this rank's vertices */
    weft_eid *offsets, *group;
    weft_vid *target, *from;
    uint8_t *arcs, *from_arcs; /* NULL: arcs are not counted */
    uint64_t *sums;            /* sums of each vertex of the graph */
    uint64_t *found;           /* 1 */
    weft_vid *want;            /* fetched rows, ascending: `fetched` vertices, ... */
    uint64_t fetched;
    uint64_t *at, *length; /* ... and the positions of their rows */
    weft_vid *rows;
    uint8_t *rows_arcs;
} wfi_wedges;

typedef struct wfi_device_triangles {
    wfi_rank_triangles_gpu gpu; /* first: for wfi_rank_triangles, from wfi_device_triangles_steps */
    wfi_workspace *device;      /* set by the caller, as is */
    weft_status status;         /* status of this rank */
    wfi_wedges k;
    uint64_t *sum; /* sums of this rank's vertices, on the GPU */
} wfi_device_triangles;

extern const wfi_rank_triangles_gpu wfi_device_triangles_steps;

WFI_C_END
#endif
