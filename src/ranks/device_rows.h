/* The rows of a rank's vertices on its GPU: for each part of the spread a view, WFI_MOST_BLOCKS of them, whose arrays
 * lie one after the other. */
#ifndef WFI_RANK_DEVICE_ROWS_H
#define WFI_RANK_DEVICE_ROWS_H

#include "ranks/device.h"

/* Arcs that enter this rank's vertices: 0 until those that have to be made are expected. */
weft_eid wfi_device_in_arcs(const wfi_spread *s);
/* Rows of incoming or outgoing arcs; those of an undirected graph are both.  arcs: with targets, and weighted: with
 * weights. */
void wfi_device_rows_lay_out(wfi_workspace *w, const wfi_spread *s, bool in, bool arcs, bool weighted, wfi_view *side);
/* Uploads what was laid out, unless an earlier run of the plan has: its arena, in which all runs lay out the same,
 * keeps the rows.  Incoming ones are made. */
weft_status wfi_device_rows_send(weft_ctx *ctx, const wfi_spread *s, bool in, wfi_view *side);

#endif
