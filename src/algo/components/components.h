/* What the files of components share. */
#ifndef WFI_COMPONENTS_H
#define WFI_COMPONENTS_H

#include "algo/components/components_cuda.h"
#include "engines/union_find/forest.h"

/* label[v] becomes the smallest vertex of v's weak component.  `giant` is scratch of wfi_components_giant_words words
 * for directed graphs whose transpose is not at hand, else it may be NULL. */
weft_status wfi_components_weak(weft_ctx *ctx, const weft_graph *g, weft_vid *label, uint64_t *giant);
static inline size_t wfi_components_giant_words(weft_vid n) { return ((size_t)n + 63) / 64; }
/* Which vertices have that label, a bit for each. */
void wfi_components_collect(weft_ctx *ctx, const weft_vid *label, weft_vid n, weft_vid giant, uint64_t *set);
static inline bool wfi_in_giant(const uint64_t *set, weft_vid v) { return set[v >> 6] >> (v & 63) & 1; }

/* label[v] becomes the smallest vertex of v's strong component.  Scratch: n places each.  mark = NULL leaves everything
 * to the depth-first search; the answer is the same. */
weft_status wfi_components_strong(weft_ctx *ctx, const weft_graph *g, weft_vid *label, weft_vid *stack,
                                  weft_eid *cursor, uint8_t *mark);

/* Marks: a single is a component by itself; REACHED can be reached from the pivot; CORE leads back to it as well; EXIT,
 * with CORE: has an arc to something that is neither core nor single. */
enum { WFI_SINGLE = 1, WFI_REACHED = 2, WFI_CORE = 4, WFI_EXIT = 8 };

/* Marks some of the singles and, if *found, mutually reachable vertices of (most likely) the largest strong component.
 * queue: n places. */
weft_status wfi_components_core(weft_ctx *ctx, const weft_graph *g, weft_vid *queue, uint8_t *mark, bool *found);

/* How many components the labels make, and how large the largest is.  size is scratch of n places. */
void wfi_components_measure(weft_ctx *ctx, const weft_vid *label, weft_vid n, uint32_t *size, uint64_t *count,
                            uint64_t *largest);

/* Scratch: n places each. */
typedef struct wfi_components_number_arrays {
    weft_vid *head, *next; /* chains of the vertices of components */
    weft_vid *queue;
    uint64_t *waiting; /* arcs that enter a component from what is left */
    uint32_t *number;
} wfi_components_number_arrays;
/* number[v] becomes the number of the component whose label v is (the rule is in components_number.c). */
weft_status wfi_components_number(weft_ctx *ctx, const weft_graph *g, const weft_vid *label,
                                  const wfi_components_number_arrays *a);

/* The value that occurs most often in a sample of value[0 ... count-1]; with rows, each occurrence of v counts as many
 * times as row v has arcs.  An estimate, the same each time.  count > 0. */
weft_vid wfi_components_frequent(const weft_vid *value, uint64_t count, const weft_eid *rows);

#endif
