/* Attributes of the vertices that a dynamic graph began with, on their way to its snapshots.  A vertex that a batch
 * adds has none, and one that was removed has none any more, also if it comes back. */
#ifndef WFI_BASE_COLUMNS_H
#define WFI_BASE_COLUMNS_H

#include "dynamic/store.h"

/* *out stays NULL if the base has no attributes. */
weft_status wfi_base_columns_new(weft_ctx *ctx, const weft_graph *base, struct wfi_base_columns **out);
void wfi_base_columns_free(struct wfi_base_columns *c);

/* Before that version is published: these slots were removed, or came back. */
void wfi_base_columns_lose(struct wfi_base_columns *c, const weft_vid *slots, size_t count, uint64_t version);

/* A snapshot of version v, whose vertex i is slot order[i] (NULL: i), gets them. */
weft_status wfi_base_columns_carry(weft_ctx *ctx, const wfi_version *v, const weft_vid *order, weft_graph *g);

#endif
