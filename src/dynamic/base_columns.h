/* Attributes of the vertices that a dynamic graph began with, for its snapshots. A vertex added by a batch has none,
 * and a removed vertex loses its attributes, even if it comes back. */
#ifndef WFI_BASE_COLUMNS_H
#define WFI_BASE_COLUMNS_H

#include "dynamic/store.h"

/* *out stays NULL if the base has no attributes. */
weft_status wfi_base_columns_new(weft_ctx *ctx, const weft_graph *base, struct wfi_base_columns **out);
void wfi_base_columns_free(struct wfi_base_columns *c);

/* Called before `version` is published: the values of these slots, which were removed or came back, are lost. */
void wfi_base_columns_lose(struct wfi_base_columns *c, const weft_vid *slots, size_t count, uint64_t version);

/* Adds the attributes to a snapshot of version v with slot order[i] (NULL: i) as vertex i. */
weft_status wfi_base_columns_copy(weft_ctx *ctx, const wfi_version *v, const weft_vid *order, weft_graph *g);

#endif
