/* The arrays of a run, declared once. A method lists them in one function. With a workspace that measures, the list
 * gives the plan's byte count; with a workspace that has its arena, it gives the run's memory:
 *
 *     static void lay_out(wfi_workspace *w, weft_vid n, peel *p) {
 *         wfi_array(w, &p->left, n);
 *         wfi_array(w, &p->link, n);
 *     }
 *
 * Lifetimes: an array lasts for the run or for a phase; arrays between wfi_mark and wfi_rewind share their bytes with
 * those of other phases. An array whose size depends on data that only the run sees is a growth: its bound is
 * declared with wfi_growth, and the run allocates it with wfi_grow. Arrays kept with the graph (its transpose, its
 * copy on the GPU) are declared with wfi_keep_with_graph and made before the arena. A list must not depend on
 * anything that may change between plan and run.
 *
 * Arrays on the GPU are declared in the same way, in a workspace of their own with `on_device` set. */
#ifndef WFI_WORKSPACE_H
#define WFI_WORKSPACE_H

#include "core/pool.h"

WFI_C_BEGIN

/* Bytes that wfi_memory counts for a block of `bytes` bytes. */
uint64_t wfi_taken_bytes(uint64_t bytes);

enum { WFI_MOST_GROWN = 8 };

/* One laid-out array, for tests and messages. */
typedef struct wfi_array_note {
    const char *name;
    uint64_t at, bytes;
    bool within; /* `bytes` is an upper bound */
} wfi_array_note;

typedef struct wfi_workspace {
    weft_ctx *ctx; /* NULL while measuring */
    bool on_device;
    char *arena;
    uint64_t arena_bytes;       /* bytes of the arena */
    uint64_t at, peak;          /* current and largest offset */
    uint64_t columns;           /* bytes of the result's columns, with block headers */
    uint64_t growth;            /* sum of the bounds of growths, with block headers */
    uint64_t kept, making;      /* bytes kept with the graph, and the peak while they are made */
    bool needs_in;              /* the transpose is made before the run */
    bool transpose_optional;    /* the run can do without the transpose if memory is short */
    struct weft_result *result; /* owner of the columns; NULL while measuring */
    wfi_pool *pool;
    void *grown[WFI_MOST_GROWN];
    size_t grown_count;
    weft_status status;    /* failure of the first array or column */
    wfi_array_note *notes; /* NULL, or an array of note_capacity entries */
    size_t note_capacity, note_count;
} wfi_workspace;

/* Lays out `count` items of `each` bytes, aligned to 64 bytes (on the GPU to 256). Returns NULL while measuring.
 * within: the count is an upper bound. */
void *wfi_carve(wfi_workspace *w, const char *name, uint64_t count, size_t each, bool within);
#ifndef __cplusplus
#define wfi_array_at(w, place, count, within) \
    ((void)(*(place) = wfi_carve((w), #place, (count), sizeof **(place), (within))))
#define wfi_array(w, place, count) wfi_array_at(w, place, count, false)
/* An array with a data-dependent size, declared by its upper bound. */
#define wfi_array_within(w, place, most) wfi_array_at(w, place, most, true)
#endif

/* Begin and end of a phase. */
static inline uint64_t wfi_mark(const wfi_workspace *w) { return w->at; }
static inline void wfi_rewind(wfi_workspace *w, uint64_t mark) { w->at = mark; }

/* Declares one block of at most `most` bytes that the run allocates by itself. */
void wfi_growth(wfi_workspace *w, uint64_t most);
/* Allocates such a block, released when the run ends. NULL (message and w->status set) if memory runs out. */
void *wfi_grow(wfi_workspace *w, uint64_t count, size_t each);
/* Passes the ownership of a grown block to the caller. */
void wfi_grown_release(wfi_workspace *w, void *block);
void wfi_give_grown(wfi_workspace *w);

/* Declares `kept` bytes that stay with the graph and a peak of `making` bytes while they are made, those included.
 * Needs calls in the order of making. */
void wfi_keep_with_graph(wfi_workspace *w, uint64_t kept, uint64_t making);

/* For work without a plan. After measuring: allocates the arena, so that the same list, walked again, gives
 * addresses. wfi_workspace_give frees it. */
weft_status wfi_workspace_take(weft_ctx *ctx, wfi_workspace *w);
void wfi_workspace_give(wfi_workspace *w);

/* Peak memory of a run in bytes. */
uint64_t wfi_workspace_bytes(const wfi_workspace *w);

WFI_C_END

#ifdef __cplusplus
/* C++ overloads. CUB scratch: declare an upper bound. */
template <class T>
static inline void wfi_array_at(wfi_workspace *w, T **place, const char *name, uint64_t count, bool within) {
    *place = static_cast<T *>(wfi_carve(w, name, count, sizeof(T), within));
}
#define wfi_array(w, place, count)       wfi_array_at((w), (place), #place, (count), false)
#define wfi_array_within(w, place, most) wfi_array_at((w), (place), #place, (most), true)
#endif
#endif
