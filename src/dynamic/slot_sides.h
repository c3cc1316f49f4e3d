/* Sides of a dynamic graph that began as a bipartite graph. A slot gets its side in the batch that makes it and keeps
 * it, so snapshots of any version can be packed at any time. A vertex that was removed and comes back is assigned a
 * side like a new one, because a compacted file does not know the old one; it must be the old one. */
#ifndef WFI_SLOT_SIDES_H
#define WFI_SLOT_SIDES_H

#include "dynamic/dynamic.h"

struct wfi_slot_sides;

/* *out stays NULL if the base has no sides. */
weft_status wfi_slot_sides_new(weft_ctx *ctx, const weft_graph *base, struct wfi_slot_sides **out);
void wfi_slot_sides_free(struct wfi_slot_sides *s);

/* True if both slots are on the same side. */
bool wfi_slot_sides_same(const struct wfi_slot_sides *s, weft_vid u, weft_vid v);
/* End of an edge in a batch. */
typedef struct wfi_side_end {
    weft_vid slot;
    wfi_given_id id;
    bool added, fresh; /* became a vertex by this change; in a new slot */
} wfi_side_end;

/* Assigns sides to the new ends of an inserted edge: by their names (user_id:1), else opposite the other end, else
 * the source on the first side. WEFT_EINVAL if both ends would be on the same side, or if a name has no side although
 * all others have. */
weft_status wfi_slot_sides_edge(weft_ctx *ctx, struct wfi_slot_sides *s, const wfi_side_end end[2]);
/* Assigns a side by name to a vertex added without an edge; fails without such a name. */
weft_status wfi_slot_sides_vertex(weft_ctx *ctx, struct wfi_slot_sides *s, const wfi_side_end *end);

/* Adds the sides to a snapshot with slot order[i] (NULL: i) as vertex i. */
weft_status wfi_slot_sides_copy(weft_ctx *ctx, const struct wfi_slot_sides *s, const weft_vid *order, weft_graph *g);

#endif
