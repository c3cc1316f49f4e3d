/* Ranks tell each other of vertices: pairs of a vertex and a number go to the rank that has the vertex. */
#ifndef WFI_TELL_H
#define WFI_TELL_H

#include "ranks/spread.h"

typedef struct wfi_told {
    weft_vid vertex;
    uint32_t number;
} wfi_told;

typedef struct wfi_telling {
    wfi_told *say;   /* filled by the caller: each vertex of the graph at most once */
    wfi_told *heard; /* in the order of ranks, and of each in its order */
    uint64_t heard_count;
    wfi_told *sorted;
    uint64_t *go, *come;
} wfi_telling;

/* Its arrays, by their bounds: 16 bytes for each vertex of the graph, and 8 for each of this rank's and each rank. */
void wfi_telling_lay_out(wfi_workspace *w, const wfi_spread *s, wfi_telling *t);
/* The first `count` of `say` are told, and what other ranks tell is heard.  The graph is in one block. */
weft_status wfi_tell(weft_ctx *ctx, const wfi_spread *s, wfi_telling *t, uint64_t count);

#endif
