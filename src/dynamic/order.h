/* An order of slots in which every arc leads forward, kept as arcs come and go; arcs that close a cycle stand aside. */
#ifndef WFI_DYNAMIC_ORDER_H
#define WFI_DYNAMIC_ORDER_H

#include "dynamic/links.h"

typedef struct wfi_arc {
    weft_vid u, v;
} wfi_arc;

typedef struct wfi_order {
    weft_vid slots;
    uint64_t room;
    uint32_t *place; /* of each slot: 0 ... slots - 1, each once */
    wfi_arc *aside;  /* arcs that close a cycle with the others */
    size_t asides, aside_room;
    bool again;               /* an arc went: those aside may fit now */
    uint64_t looked;          /* arcs, since somebody set it to 0 */
    uint8_t *seen;            /* 0 between calls */
    weft_vid *from, *stack;   /* of the search forward */
    uint64_t *ahead, *behind; /* place << 32 | slot of what the searches found */
    weft_vid *cycle;          /* the last that was closed, in order, beginning with the arc's target */
    size_t length;
} wfi_order;

/* Of all links. */
weft_status wfi_order_load(weft_ctx *ctx, wfi_order *o, const wfi_links *l);
void wfi_order_end(wfi_order *o);
weft_status wfi_order_grow(weft_ctx *ctx, wfi_order *o, weft_vid slots);

/* Would, or does, the arc close a cycle?  If so o->cycle shows it; if not, the order lets it lead forward. */
bool wfi_order_fits(wfi_order *o, const wfi_links *l, weft_vid u, weft_vid v);
/* The arc is in the links now, or no longer.  WEFT_ENOMEM: no room to put it aside. */
weft_status wfi_order_insert(weft_ctx *ctx, wfi_order *o, const wfi_links *l, weft_vid u, weft_vid v);
void wfi_order_delete(wfi_order *o, weft_vid u, weft_vid v);
/* Without cycles?  Tries those aside once more, if anything went since. */
bool wfi_order_is_whole(wfi_order *o, const wfi_links *l);

#endif
