/* Components on the GPU: a disjoint-set forest, trimming and splitting of strong ones, linking of weak ones in sparse
 * graphs. */
#ifndef WFI_COMPONENTS_CUDA_CUH
#define WFI_COMPONENTS_CUDA_CUH

#include "cuda/mirror.cuh"
#include "engines/union_find/forest.cuh"

/* --- the forest (engines/union_find/forest.cuh), for weak and strong ones, and what is read off it in the end
 * (settle_cuda.cu) --- */

/* wfi_hang_below_root for several vertices at once, so that their reads are under way together.  up becomes their
 * roots; 0, which hangs below nobody, may stand for none. */
template <int MANY>
__device__ static inline void wfi_hang_below_roots(weft_vid *label, const weft_vid (&v)[MANY], weft_vid (&up)[MANY]) {
    bool more;
#pragma unroll
    for (int k = 0; k < MANY; k++) up[k] = wfi_above(label, v[k]);
    do {
        weft_vid above[MANY];
        more = false;
#pragma unroll
        for (int k = 0; k < MANY; k++) above[k] = wfi_above(label, up[k]);
#pragma unroll
        for (int k = 0; k < MANY; k++)
            if (above[k] != up[k]) {
                label[v[k]] = up[k] = above[k];
                more = true;
            }
    } while (more);
}

/* How many roots there are, and how many vertices below the busiest; on the GPU, zero before. */
struct wfi_forest_tally {
    unsigned roots, largest;
};

/* Every label becomes its root, and *tally is filled.  size: n zeros, on the GPU as label is.  Does not wait. */
weft_status wfi_components_settle_cuda(weft_ctx *ctx, weft_vid *label, weft_vid n, uint32_t *size,
                                       wfi_forest_tally *tally);
/* Waits. */
weft_status wfi_components_tally_cuda(weft_ctx *ctx, const wfi_forest_tally *tally, uint64_t *count, uint64_t *largest);

/* --- strong: trimming, layer by layer, what lies on no cycle (peel_cuda.cu) ------------------------------ */

enum { WFI_PEEL_SETS = 3 };

/* All on the GPU. */
struct wfi_trim {
    wfi_view out, in;
    weft_vid n;
    uint8_t *kind;
    uint32_t *ahead, *back; /* n: arcs to, and from, its kind that are left */
    weft_vid *queue;        /* as many as there are kinds above 0 */
    uint32_t *queued;       /* bits: n / 32, rounded up */
    unsigned *found;        /* WFI_PEEL_SETS counters, which take turns; 0 before */
    const unsigned *wanted; /* 0: nothing to do */
};

/* kind[v] becomes 0 for vertices that have, or come to have, no arc from or no arc to another one of their kind; those
 * that were 0 stay.  Not necessarily all: see the file.  Nothing is waited for. */
weft_status wfi_components_peel_cuda(weft_ctx *ctx, wfi_trim w);

/* --- strong, the last part: arcs among vertices of which nothing is known (split_cuda.cu) ---------------- */

enum { WFI_SPLIT_SETS = 3, WFI_SPLIT_BLOCKS = 1 << 10 };

struct wfi_split_state {
    struct {
        unsigned changed[WFI_SPLIT_SETS], kept[WFI_SPLIT_SETS];
    } signals;                       /* of a launch, cleared before it */
    unsigned round;                  /* how many there were */
    unsigned undecided;              /* whether arcs are left */
    unsigned left[WFI_SPLIT_BLOCKS]; /* arcs of each block */
};

/* All on the GPU. */
struct wfi_split {
    weft_vid *label;
    uint2 *arcs;            /* (from, to): roots of trees; used up */
    uint32_t *ahead, *back; /* n: scratch; the largest rank that leads here, and that this leads to */
    wfi_split_state *s;
};

/* Joins in `label` what lies on a common cycle of the `count` arcs. */
weft_status wfi_components_split_cuda(weft_ctx *ctx, wfi_split w, uint64_t count);

/* --- weak: the trees of an undirected graph with few arcs a vertex, such as a road network (weak_few.cu) - */

enum { WFI_LONG_ROW = 1024 }; /* more arcs than a thread goes through */

struct wfi_few {
    wfi_view out;
    weft_vid n;
    weft_vid *label;      /* n, filled here */
    uint32_t *size;       /* n, zeros in the end; before that the list of vertices whose edges were tried in vain */
    weft_vid *longs;      /* vertices with long rows; arcs / WFI_LONG_ROW places */
    unsigned *long_count; /* zero before */
    unsigned *listed;     /* zero before */
};

/* Does not wait. */
weft_status wfi_components_join_few_cuda(weft_ctx *ctx, const wfi_few *w);

#endif
