/* A dynamic topological order of slots: every arc leads forward, as arcs come and go.  Arcs that close a cycle are kept
 * apart, a feedback arc set. */
#ifndef WFI_DYNAMIC_ORDER_H
#define WFI_DYNAMIC_ORDER_H

#include "dynamic/adjacency.h"

typedef struct wfi_arc {
    weft_vid u, v;
} wfi_arc;

typedef struct wfi_order {
    uint32_t *place;   /* of each slot: 0 ... slots - 1, each once */
    wfi_arc *feedback; /* arcs that close a cycle with the others */
    size_t feedbacks, feedback_room;
    bool again;               /* an arc was deleted: feedback arcs may fit now */
    uint64_t looked;          /* arcs, since somebody set it to 0 */
    uint8_t *seen;            /* 0 between calls */
    weft_vid *from, *stack;   /* of the search forward */
    uint64_t *ahead, *behind; /* place << 32 | slot of what the searches found */
    weft_vid *cycle;          /* the last that was closed, in order, beginning with the arc's target */
    size_t length;
} wfi_order;

/* Of all arcs.  The caller has the arrays, with a place for each slot, of which `place` and `seen` are new. */
weft_status wfi_order_load(weft_ctx *ctx, wfi_order *o, const wfi_adjacency *l);
/* Slots from ... to-1 are new. */
void wfi_order_grown(wfi_order *o, weft_vid from, weft_vid to);

/* Would, or does, the arc close a cycle?  If so o->cycle shows it; if not, the order lets it lead forward. */
bool wfi_order_fits(wfi_order *o, const wfi_adjacency *l, weft_vid u, weft_vid v);
/* The arc was inserted, or deleted.  WEFT_ENOMEM: no room for a feedback arc. */
weft_status wfi_order_insert(weft_ctx *ctx, wfi_order *o, const wfi_adjacency *l, weft_vid u, weft_vid v);
void wfi_order_delete(wfi_order *o, weft_vid u, weft_vid v);
/* Are there no cycles?  Tries feedback arcs once more, if an arc was deleted since. */
bool wfi_order_is_acyclic(wfi_order *o, const wfi_adjacency *l);

#endif
