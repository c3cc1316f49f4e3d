/* The ground that the blocks of a store lie on: plots of up to 2 MiB, which are huge pages where the system has them,
 * in cells of WFI_CELL bytes.  A bitmap beside each plot says which cells are taken, so that neighbours that are given
 * back are one free stretch again.  A plot has at most one owner, the only one who takes cells there.  Anybody gives
 * them back, at any time, without a lock: the bits are cleared, and the owner finds them so.  The lock is for who owns
 * what.
 * Why not malloc: each thread's arena grows by a system call of a page or two, which 16 threads wait for in turn; its
 * pages are small; and what one thread made and another frees is locked twice. */
#ifndef WFI_DYNAMIC_GROUND_H
#define WFI_DYNAMIC_GROUND_H

#include "core/memory.h"

/* Larger blocks do not lie in plots. */
enum { WFI_CELL = 128, WFI_PLOT_MOST = 1 << 16 };

typedef struct wfi_plot wfi_plot;
typedef struct wfi_ground wfi_ground;

wfi_ground *wfi_ground_new(weft_ctx *ctx);
/* With all plots: no block is used any more. */
void wfi_ground_free(wfi_ground *ground);

static inline size_t wfi_in_cells(size_t bytes) { return (bytes + WFI_CELL - 1) / WFI_CELL * WFI_CELL; }

/* A block of up to WFI_PLOT_MOST bytes in the caller's plot *mine (NULL: none yet), or in another, which *mine then is.
 * NULL when out of memory. */
void *wfi_plot_take(weft_ctx *ctx, wfi_ground *ground, wfi_plot **mine, size_t bytes);
void wfi_plot_give(wfi_plot *plot, void *block, size_t bytes);
/* The caller takes no more for now. */
void wfi_plot_leave(wfi_ground *ground, wfi_plot **mine);
/* So many bytes were given back: now and then, plots that are empty go back to the system, all but a third of the
 * ground. */
void wfi_ground_tidy(wfi_ground *ground, uint64_t given);

#endif
