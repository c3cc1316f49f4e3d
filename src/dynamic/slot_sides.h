/* The sides of a dynamic graph that began as a bipartite one.  A slot gets its side with the batch that makes it and
 * keeps it: so snapshots of any version may be packed at any time.  A vertex that was removed and comes back is told
 * its side as a new one is, since a file that was compacted does not know it any more, and has to come back on the one
 * that it had. */
#ifndef WFI_SLOT_SIDES_H
#define WFI_SLOT_SIDES_H

#include "dynamic/dynamic.h"

struct wfi_slot_sides;

/* *out stays NULL if the base has no sides. */
weft_status wfi_slot_sides_new(weft_ctx *ctx, const weft_graph *base, struct wfi_slot_sides **out);
void wfi_slot_sides_free(struct wfi_slot_sides *s);

/* Do both slots lie on one side? */
bool wfi_slot_sides_same(const struct wfi_slot_sides *s, weft_vid u, weft_vid v);
/* A vertex of a batch. */
typedef struct wfi_side_end {
    weft_vid slot;
    wfi_given_id id;
    bool added, fresh; /* by this change; then perhaps in a slot of its own */
} wfi_side_end;

/* The ends of an edge that is inserted: those that it adds get their sides, by their names (user_id:1), or else opposite
 * the other end, or else the source on the first side.  WEFT_EINVAL: both would be on one side, or a name does not say
 * a side though all others do. */
weft_status wfi_slot_sides_edge(weft_ctx *ctx, struct wfi_slot_sides *s, const wfi_side_end end[2]);
/* A vertex that is added without an edge: its name says the side, or it is refused. */
weft_status wfi_slot_sides_vertex(weft_ctx *ctx, struct wfi_slot_sides *s, const wfi_side_end *end);

/* A snapshot whose vertex i is slot order[i] (NULL: i) gets its sides. */
weft_status wfi_slot_sides_carry(weft_ctx *ctx, const struct wfi_slot_sides *s, const weft_vid *order, weft_graph *g);

#endif
