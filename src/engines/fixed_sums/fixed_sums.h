/* y = A x over incoming rows, where x are the shares of the arcs' other ends.  Sums are in fixed point (core/fixed.h),
 * so that their order does not matter: one limb over f32 shares, two over f64 shares.  fixed_sums.cuh computes the same
 * on the GPU. */
#ifndef WFI_FIXED_SUMS_H
#define WFI_FIXED_SUMS_H

#include "engines/fixed_sums/takes.h"

#include <stdatomic.h>

/* The value that an arc carries: a share in f32, a share in f64, or a share in f64 times the weight of the arc. */
typedef enum wfi_share_kind { WFI_SHARE_32, WFI_SHARE_64, WFI_SHARE_WEIGHTED } wfi_share_kind;

typedef struct wfi_pulling {
    weft_ctx *ctx;
    const wfi_view *rows;
    weft_weight_type weight_type;
    wfi_share_kind kind;
    void *share;       /* a share for each vertex, times 2^62 */
    _Atomic bool stop; /* also set when the caller has asked to stop */
} wfi_pulling;

/* came[k] = the sum of vertex first + k. */
void wfi_pull(wfi_pulling *p, weft_vid first, weft_vid count, double *came);

/* The sums themselves with carries propagated, of one limb over f32 shares and of two over others, for callers that add
 * to them.  sum: limbs * count words. */
static inline size_t wfi_pull_limbs(wfi_share_kind kind) { return kind == WFI_SHARE_32 ? 1 : 2; }
void wfi_pull_sums(wfi_pulling *p, weft_vid first, weft_vid count, uint64_t *sum);

/* Chunks of rows of about the same cost: chunk c of the vertices first ... end-1 begins at the returned vertex. */
size_t wfi_pull_chunks(const wfi_pulling *p, weft_vid first, weft_vid end);
weft_vid wfi_pull_chunk(const wfi_pulling *p, weft_vid first, weft_vid end, size_t c);

/* The sum of row v's weights, added in their order in double.  *bad: the first arc with an unusable weight. */
double wfi_row_sum(weft_weight_type type, const wfi_view *rows, weft_vid v, _Atomic weft_eid *bad);
/* Sums of the first `count` rows.  An unusable weight is refused in the algorithm's name; the message looks for its arc
 * in the outgoing rows. */
weft_status wfi_row_sums(weft_ctx *ctx, const char *algorithm, const weft_graph *g, const wfi_view *rows,
                         weft_vid count, double *sum);

#endif
