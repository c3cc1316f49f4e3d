/* The interface of components' files. */
#ifndef WFI_COMPONENTS_H
#define WFI_COMPONENTS_H

#include "algo/components/components_cuda.h"
#include "engines/union_find/forest.h"

/* label[v] becomes the smallest vertex of v's weak component.  `giant` is scratch of wfi_components_giant_words words
 * for directed graphs whose transpose is not at hand, else it may be NULL. */
weft_status wfi_components_weak(weft_ctx *ctx, const weft_graph *g, weft_vid *label, uint64_t *giant);
static inline size_t wfi_components_giant_words(weft_vid n) { return ((size_t)n + 63) / 64; }
/* Sets the bits of the vertices with that label, and clears all others. */
void wfi_components_collect(weft_ctx *ctx, const weft_vid *label, weft_vid n, weft_vid giant, uint64_t *set);
static inline bool wfi_in_giant(const uint64_t *set, weft_vid v) { return set[v >> 6] >> (v & 63) & 1; }

/* label[v] becomes the smallest vertex of v's strong component.  Scratch: n entries each.  mark = NULL leaves
 * everything to the depth-first search; the answer is the same. */
weft_status wfi_components_strong(weft_ctx *ctx, const weft_graph *g, weft_vid *label, weft_vid *stack,
                                  weft_eid *cursor, uint8_t *mark);

/* Marks: a SINGLE is a component of its own; a REACHED vertex can be reached from the pivot; a CORE vertex also reaches
 * it; EXIT, with CORE: has an arc to a vertex that is neither core nor single. */
enum { WFI_SINGLE = 1, WFI_REACHED = 2, WFI_CORE = 4, WFI_EXIT = 8 };

/* Marks some of the singles and, if *found, mutually reachable vertices of (most likely) the largest strong component.
 * queue: n entries. */
weft_status wfi_components_core(weft_ctx *ctx, const weft_graph *g, weft_vid *queue, uint8_t *mark, bool *found);

/* The number of components, and the size of the largest.  size is scratch of n entries. */
void wfi_components_measure(weft_ctx *ctx, const weft_vid *label, weft_vid n, uint32_t *size, uint64_t *count,
                            uint64_t *largest);

/* Scratch: n entries each. */
typedef struct wfi_components_number_arrays {
    weft_vid *head, *next; /* chains of the vertices of components */
    weft_vid *queue;
    uint64_t *waiting; /* arcs into a component from the remaining ones */
    uint32_t *number;
} wfi_components_number_arrays;
/* number[v] becomes the number of the component with label v (the rule is in components_number.c). */
weft_status wfi_components_number(weft_ctx *ctx, const weft_graph *g, const weft_vid *label,
                                  const wfi_components_number_arrays *a);

/* The most frequent value in a sample of value[0 ... count-1]; with rows, each occurrence of v counts as many times as
 * row v has arcs.  An estimate, the same each time.  count > 0. */
weft_vid wfi_components_frequent(const weft_vid *value, uint64_t count, const weft_eid *rows);

#endif
