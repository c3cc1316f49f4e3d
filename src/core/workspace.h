/* The arrays of a run, declared once.  A method lists them in one function; called with a workspace that measures, the
 * list is the plan's byte count, and called with one that has its arena, it is the memory of the run:
 *
 *     static void lay_out(wfi_workspace *w, weft_vid n, peel *p) {
 *         wfi_array(w, &p->left, n);
 *         wfi_array(w, &p->link, n);
 *     }
 *
 * Lifetimes: an array lasts for the run, or for a phase: arrays between wfi_mark and wfi_rewind lie where those of
 * other phases lie.  What depends on data that only the run meets is a growth: declared by its bound with wfi_growth,
 * taken with wfi_grow.  What stays with the graph (its transpose, its copy on the GPU) is declared with
 * wfi_keep_with_graph and made before the arena.  A list must depend on nothing that may change between plan and run.
 *
 * Arrays on the GPU are declared in the same way, in a workspace of their own with `on_device` set. */
#ifndef WFI_WORKSPACE_H
#define WFI_WORKSPACE_H

#include "core/pool.h"

WFI_C_BEGIN

/* What wfi_memory counts for a block of so many bytes. */
uint64_t wfi_taken_bytes(uint64_t bytes);

enum { WFI_MOST_GROWN = 8 };

/* For tests and for messages: one array as it was laid out. */
typedef struct wfi_array_note {
    const char *name;
    uint64_t at, bytes;
    bool within; /* bytes is a bound */
} wfi_array_note;

typedef struct wfi_workspace {
    weft_ctx *ctx; /* NULL: it measures */
    bool on_device;
    char *arena;
    uint64_t room;              /* of the arena */
    uint64_t at, peak;          /* laid out now, and at most */
    uint64_t columns;           /* of the result: as counted by the memory */
    uint64_t growth;            /* bounds, likewise */
    uint64_t kept, making;      /* with the graph: for good, and at most while it is made */
    bool needs_in;              /* the transpose is made before the run */
    bool in_is_a_wish;          /* without memory for it, the run continues */
    struct weft_result *result; /* where columns go; NULL: it measures */
    wfi_pool *pool;
    void *grown[WFI_MOST_GROWN];
    size_t grown_count;
    weft_status status;    /* of the first array or column that could not be allocated */
    wfi_array_note *notes; /* NULL, or room for note_room */
    size_t note_room, note_count;
} wfi_workspace;

/* `count` items of `each` bytes, aligned to 64 (on the GPU to 256); NULL while measuring.  within: no run may need all
 * of them. */
void *wfi_carve(wfi_workspace *w, const char *name, uint64_t count, size_t each, bool within);
#ifndef __cplusplus
#define wfi_array_at(w, place, count, within) \
    ((void)(*(place) = wfi_carve((w), #place, (count), sizeof **(place), (within))))
#define wfi_array(w, place, count) wfi_array_at(w, place, count, false)
/* Declared by its bound: what the data decide. */
#define wfi_array_within(w, place, most) wfi_array_at(w, place, most, true)
#endif

/* A phase begins, and ends. */
static inline uint64_t wfi_mark(const wfi_workspace *w) { return w->at; }
static inline void wfi_rewind(wfi_workspace *w, uint64_t mark) { w->at = mark; }

/* Up to so many bytes will be taken while running, in one block. */
void wfi_growth(wfi_workspace *w, uint64_t most);
/* Takes it: given back when the run ends.  NULL (message and w->status set) when there is none. */
void *wfi_grow(wfi_workspace *w, uint64_t count, size_t each);
/* A grown block belongs to the caller from now on. */
void wfi_grown_away(wfi_workspace *w, void *block);
void wfi_give_grown(wfi_workspace *w);

/* `kept` bytes stay with the graph, and up to `making` are held while they are made, themselves included.  Declared in
 * the order in which it is made. */
void wfi_keep_with_graph(wfi_workspace *w, uint64_t kept, uint64_t making);

/* After it measured: takes the arena, so that the same list, walked again, gives addresses; and gives it back.  For
 * work that is not a run of a plan. */
weft_status wfi_workspace_take(weft_ctx *ctx, wfi_workspace *w);
void wfi_workspace_give(wfi_workspace *w);

/* What a run holds at most. */
uint64_t wfi_workspace_bytes(const wfi_workspace *w);

WFI_C_END

#ifdef __cplusplus
/* The same for C++; scratch of CUB's is declared by its bound too. */
template <class T>
static inline void wfi_array_at(wfi_workspace *w, T **place, const char *name, uint64_t count, bool within) {
    *place = static_cast<T *>(wfi_carve(w, name, count, sizeof(T), within));
}
#define wfi_array(w, place, count)       wfi_array_at((w), (place), #place, (count), false)
#define wfi_array_within(w, place, most) wfi_array_at((w), (place), #place, (most), true)
#endif
#endif
