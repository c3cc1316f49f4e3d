/* A part of strong components on the GPU: setting aside, layer by layer, what lies on no cycle. */
#ifndef WFI_COMPONENTS_PEEL_CUH
#define WFI_COMPONENTS_PEEL_CUH

#include "cuda/mirror.cuh"

enum { WFI_PEEL_SETS = 3 };

/* kind[v] becomes 0 for vertices that have, or come to have, no arc from or no arc to another one of their kind; those
 * that were 0 stay.  Not necessarily all: see the file.  ahead, back: scratch of n places; queue: of as many as there
 * are kinds above 0; bits: of n / 32, rounded up; found: WFI_PEEL_SETS zeros.  All on the GPU; nothing is waited
 * for. */
weft_status wfi_components_peel_cuda(weft_ctx *ctx, const wfi_view *out, const wfi_view *in, weft_vid n, uint8_t *kind,
                                     uint32_t *ahead, uint32_t *back, weft_vid *queue, uint32_t *bits, unsigned *found,
                                     const unsigned *wanted);

#endif
