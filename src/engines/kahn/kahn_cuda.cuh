/* Kahn's algorithm on the GPU, internal: by rows of targets (kahn_rows.cu) or by a bit matrix (kahn_bits.cu). */
#ifndef WFI_KAHN_KAHN_CUDA_CUH
#define WFI_KAHN_KAHN_CUDA_CUH

#include "cuda/mirror.cuh"
#include "engines/kahn/kahn.h"

struct wfi_peeled {
    bool acyclic;
    uint32_t levels; /* 0 if the verdict came without them */
};

/* level: n places on the GPU, WEFT_UNREACHED for vertices not peeled.  It may be incomplete only if both ends are
 * peeled at once and the graph is acyclic. */

struct wfi_row_peel {
    uint32_t *waiting;         /* n; with both ends three times */
    unsigned long long *queue; /* n, and one for each WFI_KAHN_PIECE arcs; with both ends twice */
    void *state;               /* state for the next launch */
    bool both_ends;
};
enum { WFI_KAHN_PIECE = 1024 };
/* The queue is laid out last, and only needed until the peeling ends. */
void wfi_peel_rows_lay_out(wfi_workspace *device, const weft_graph *g, bool both_ends, wfi_row_peel *peel);
weft_status wfi_peel_rows(weft_ctx *ctx, const weft_graph *g, const wfi_view *out, const wfi_row_peel *peel,
                          uint32_t *level, wfi_peeled *peeled);
/* before[v]: the smallest predecessor without a level; WEFT_NO_VERTEX if there is none. */
weft_status wfi_point_back_rows(weft_ctx *ctx, const weft_graph *g, const wfi_view *out, const uint32_t *level,
                                weft_vid *before);

/* Rows of bits, wfi_bit_stride(n) words each. */
struct wfi_bit_peel {
    uint32_t *waiting; /* n; with both_ends twice */
    uint32_t *gone;    /* two rows */
    void *found;       /* the verdict */
    uint32_t *bits,
        *back; /* n rows of bits: out of a vertex, and with both_ends into it; needed until the leftover is searched */
    bool both_ends;
};
static inline size_t wfi_bit_stride(weft_vid n) { return ((size_t)n + 127) / 128 * 4; }
/* Bytes of shared memory for peeling by bits: on older GPUs the largest matrices do not fit, and go by rows. */
static inline size_t wfi_bit_shared(weft_vid n) { return n * sizeof(uint16_t) + 1024; }
/* The rows of bits are laid out last. */
void wfi_peel_bits_lay_out(wfi_workspace *device, weft_vid n, bool both_ends, wfi_bit_peel *peel);
weft_status wfi_peel_bits(weft_ctx *ctx, const weft_graph *g, const wfi_view *out, const wfi_bit_peel *peel,
                          uint32_t *level, wfi_peeled *peeled);
weft_status wfi_point_back_bits(weft_ctx *ctx, weft_vid n, const wfi_bit_peel *peel, const uint32_t *level,
                                weft_vid *before);

#endif
