/* labelprop, GPU: a step of it, for the vertices of a graph or for those of a rank.  No CUDA type crosses this door. */
#ifndef WFI_LABELPROP_COUNT_H
#define WFI_LABELPROP_COUNT_H

#include "core/workspace.h"
#include "cuda/transfer.h"

WFI_C_BEGIN

enum { WFI_LABEL_KINDS = 13 }; /* of rows, by their lengths */

typedef struct wfi_label_counter {
    wfi_view out, in; /* set by the caller: rows of the vertices first, first + 1, ...; in: of a directed graph */
    weft_vid n, first, vertices; /* of the graph; of the rows */
    weft_eid out_arcs;           /* of the rows */
    bool directed;
    weft_vid *label[2]; /* of all n, for the caller */

    uint32_t begin[WFI_LABEL_KINDS], count[WFI_LABEL_KINDS]; /* the rest is its own */
    int sms;
    unsigned giant_blocks, hub_slots;
    bool short_of_room; /* for the tables of rows up to 4096 */
    weft_vid *list;
    unsigned *counts, *parts;
    uint64_t *best; /* of hubs, then of giants */
    uint64_t *part;
    uint64_t *seen;
    uint32_t *all; /* this and what follows: while vertices are listed */
    uint8_t *kind, *sorted;
    weft_vid *vertex;
    char *scratch;
} wfi_label_counter;

/* What a step changed. */
typedef struct wfi_label_tally {
    bool changed, differs; /* has any label, against one and two steps ago? */
    uint64_t volume;       /* arcs at those that changed */
} wfi_label_tally;

/* Its arrays; n, vertices are set.  arcs: of all rows, both ways; giants: some row may be one (wfi_label_giant). */
void wfi_label_counter_lay_out(wfi_workspace *device, uint64_t arcs, bool giants, wfi_label_counter *c);
/* A row with more arcs is a giant. */
uint64_t wfi_label_giant(void);
/* The rows are there. */
weft_status wfi_label_counter_begin(weft_ctx *ctx, wfi_label_counter *c);
typedef struct wfi_label_step {
    const weft_vid *now;
    weft_vid *next;        /* has the labels of two steps ago; then, for the rows' vertices, those after the step */
    const uint8_t *active; /* whether a neighbour has changed; NULL: everybody is counted */
    bool first;            /* all labels are different */
} wfi_label_step;
weft_status wfi_label_counter_step(weft_ctx *ctx, const wfi_label_counter *c, const wfi_label_step *step,
                                   wfi_label_tally *seen);

WFI_C_END
#endif
