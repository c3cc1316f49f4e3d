/* Components on the GPU: a disjoint-set forest, trimming and splitting of strong components, linking of weak components
 * in sparse graphs. */
#ifndef WFI_COMPONENTS_CUDA_CUH
#define WFI_COMPONENTS_CUDA_CUH

#include "cuda/mirror.cuh"
#include "engines/union_find/forest.cuh"

/* --- the forest (engines/union_find/forest.cuh), for weak and strong components, and its results (flatten_cuda.cu) */

/* wfi_compress_path for several vertices at once, so that their loads overlap.  up becomes their roots; an unused
 * entry may be 0, which is always a root. */
template <int MANY>
__device__ static inline void wfi_compress_paths(weft_vid *label, const weft_vid (&v)[MANY], weft_vid (&up)[MANY]) {
    bool more;
#pragma unroll
    for (int k = 0; k < MANY; k++) up[k] = wfi_parent_of(label, v[k]);
    do {
        weft_vid above[MANY];
        more = false;
#pragma unroll
        for (int k = 0; k < MANY; k++) above[k] = wfi_parent_of(label, up[k]);
#pragma unroll
        for (int k = 0; k < MANY; k++)
            if (above[k] != up[k]) {
                label[v[k]] = up[k] = above[k];
                more = true;
            }
    } while (more);
}

/* The number of roots, and the number of vertices below the largest; on the GPU, zero before. */
struct wfi_forest_tally {
    unsigned roots, largest;
};

/* Replaces every label by its root, and fills *tally.  size: n zeros, on the GPU like label.  Asynchronous. */
weft_status wfi_components_flatten_cuda(weft_ctx *ctx, weft_vid *label, weft_vid n, uint32_t *size,
                                        wfi_forest_tally *tally);
/* Waits for the tally. */
weft_status wfi_components_tally_cuda(weft_ctx *ctx, const wfi_forest_tally *tally, uint64_t *count, uint64_t *largest);

/* --- strong: trimming, layer by layer, of vertices on no cycle (peel_cuda.cu) ---------------------------- */

enum { WFI_PEEL_SETS = 3 };

/* All on the GPU. */
struct wfi_trim {
    wfi_view out, in;
    weft_vid n;
    uint8_t *kind;
    uint32_t *ahead, *back; /* n: remaining arcs to, and from, its kind */
    weft_vid *queue;        /* an entry for each vertex of a kind above 0 */
    uint32_t *queued;       /* bits: n / 32, rounded up */
    unsigned *found;        /* WFI_PEEL_SETS rotating counters; 0 before */
    const unsigned *wanted; /* 0: nothing to do */
};

/* kind[v] becomes 0 for vertices that have, or come to have, no arc from or no arc to another vertex of their kind;
 * kinds of 0 stay.  Not necessarily all: see the file.  Asynchronous. */
weft_status wfi_components_peel_cuda(weft_ctx *ctx, wfi_trim w);

/* --- strong, the last part: arcs among undecided vertices (split_cuda.cu) -------------------------------- */

enum { WFI_SPLIT_SETS = 3, WFI_SPLIT_BLOCKS = 1 << 10 };

struct wfi_split_state {
    struct {
        unsigned changed[WFI_SPLIT_SETS], kept[WFI_SPLIT_SETS];
    } signals;                       /* counters of a launch, cleared before it */
    unsigned round;                  /* rounds so far */
    unsigned undecided;              /* whether arcs are left */
    unsigned left[WFI_SPLIT_BLOCKS]; /* arcs of each block */
};

/* All on the GPU. */
struct wfi_split {
    weft_vid *label;
    uint2 *arcs;            /* (from, to): roots of trees; overwritten */
    uint32_t *ahead, *back; /* n: scratch; the largest rank that leads here, and the largest that this leads to */
    wfi_split_state *s;
};

/* Joins in `label` the vertices on a common cycle of the `count` arcs. */
weft_status wfi_components_split_cuda(weft_ctx *ctx, wfi_split w, uint64_t count);

/* --- weak: the trees of an undirected graph with few arcs a vertex, such as a road network (weak_sparse.cu) */

enum { WFI_LONG_ROW = 1024 }; /* more arcs than one thread takes */

struct wfi_sparse_weak {
    wfi_view out;
    weft_vid n;
    weft_vid *label;      /* n, filled here */
    uint32_t *size;       /* n, zeros in the end; before that the list of vertices with no edge out of their
                           * component */
    weft_vid *longs;      /* vertices with long rows; at most arcs / WFI_LONG_ROW */
    unsigned *long_count; /* zero before */
    unsigned *listed;     /* zero before */
};

/* Asynchronous. */
weft_status wfi_components_join_sparse_cuda(weft_ctx *ctx, const wfi_sparse_weak *w);

#endif
