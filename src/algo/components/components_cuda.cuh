/* Components on the GPU: the steps that have a file of their own. */
#ifndef WFI_COMPONENTS_CUDA_CUH
#define WFI_COMPONENTS_CUDA_CUH

#include "algo/components/forest.cuh"
#include "cuda/mirror.cuh"

/* --- strong: trimming, layer by layer, what lies on no cycle (peel_cuda.cu) ------------------------------ */

enum { WFI_PEEL_SETS = 3 };

/* kind[v] becomes 0 for vertices that have, or come to have, no arc from or no arc to another one of their kind; those
 * that were 0 stay.  Not necessarily all: see the file.  ahead, back: scratch of n places; queue: of as many as there
 * are kinds above 0; bits: of n / 32, rounded up; found: WFI_PEEL_SETS zeros.  All on the GPU; nothing is waited
 * for. */
weft_status wfi_components_peel_cuda(weft_ctx *ctx, const wfi_view *out, const wfi_view *in, weft_vid n, uint8_t *kind,
                                     uint32_t *ahead, uint32_t *back, weft_vid *queue, uint32_t *bits, unsigned *found,
                                     const unsigned *wanted);

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

/* Joins in `label` what lies on a common cycle of the `count` arcs (from, to), whose ends are roots of trees.  The arcs
 * are used up.  ahead and back: scratch of n places; state: on the GPU as well. */
weft_status wfi_components_split_cuda(weft_ctx *ctx, weft_vid *label, uint2 *arcs, uint64_t count, uint32_t *ahead,
                                      uint32_t *back, wfi_split_state *state);

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
