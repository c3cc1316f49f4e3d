/* Ranks tell each other of vertices: what is said of a vertex goes to the rank that has it. */
#ifndef WFI_TELL_H
#define WFI_TELL_H

#include "ranks/spread.h"

/* What is said begins with its vertex; this is the shortest. */
typedef struct wfi_told {
    weft_vid vertex;
    uint32_t number;
} wfi_told;

typedef struct wfi_telling {
    size_t each;        /* bytes of what is said */
    void *say;          /* filled by the caller: each vertex of the graph at most once */
    uint64_t said;      /* so many */
    uint8_t *mentioned; /* a bit for each vertex of the graph */
    void *heard;        /* in the order of ranks, and of each in its order */
    uint64_t heard_count;
    void *sorted;
    uint64_t *go, *come;
} wfi_telling;

/* Its arrays, by their bounds: twice what is said of each vertex of the graph, and once for each of this rank's and
 * each rank. */
void wfi_telling_lay_out(wfi_workspace *w, const wfi_spread *s, size_t each, wfi_telling *t);
/* Before the first is said. */
void wfi_telling_begin(const wfi_spread *s, wfi_telling *t);
/* What is in `say` is told, and what other ranks tell is heard; then nothing is said yet.  The graph is in one
 * block. */
weft_status wfi_tell(weft_ctx *ctx, const wfi_spread *s, wfi_telling *t);

static inline void *wfi_said(const wfi_telling *t, uint64_t i) { return (char *)t->say + i * t->each; }
static inline const void *wfi_heard(const wfi_telling *t, uint64_t i) { return (const char *)t->heard + i * t->each; }

/* The vertex stands in `say`, with what is said of it to come.  True: it did not before. */
static inline bool wfi_mention(wfi_telling *t, weft_vid v) {
    uint8_t bit = (uint8_t)(1u << (v & 7));
    if (t->mentioned[v >> 3] & bit) return false;
    t->mentioned[v >> 3] |= bit;
    *(weft_vid *)wfi_said(t, t->said++) = v;
    return true;
}

#endif
