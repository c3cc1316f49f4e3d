/* How many triangles each vertex is a corner of, in the oriented view on the GPU: what triangles and clustering share. */
#ifndef WFI_TRIANGLES_CUDA_CUH
#define WFI_TRIANGLES_CUDA_CUH

#include "cuda/shared_memory.cuh"
#include "shared/triangles/hubs.cuh"
#include "shared/triangles/oriented_cuda.cuh"

/* corners[r] = triangles that the vertex of rank r is in; n places on the GPU, filled here.  h: laid out for the view, if it has long rows;
 * short ones alone do well without.  A stage of its own. */
weft_status wfi_count_triangles_cuda(weft_ctx *ctx, const wfi_oriented_rows *o, wfi_hubs *h,
                                     unsigned long long *corners);

/* --- long rows: what kernels have in common that mark them in shared memory ------------------------- */

/* How a block divides its shared memory: a counter for each of the lowest ranks, then marks for each warp, BITS of them for each of
 * these ranks and WFI_SHARED_MARKS for all others. */
enum { WFI_SHARED_MARKS = 1 << 14 };
template <unsigned BITS> struct wfi_mark_layout {
    unsigned threads;
    weft_vid own; /* ranks below have marks and a counter of their own */
    __host__ __device__ unsigned mark_words() const { return (BITS * own + WFI_SHARED_MARKS) / 32; }
    __host__ __device__ size_t bytes() const { return 4 * ((size_t)own + threads / 32 * mark_words()); }
};

/* The most shared memory that helps, where there is so much, and how many blocks the GPU then holds. */
template <unsigned BITS>
weft_status wfi_choose_layout(weft_ctx *ctx, const void *kernel, wfi_mark_layout<BITS> large,
                              wfi_mark_layout<BITS> small, wfi_mark_layout<BITS> *shape, unsigned *blocks) {
    int sms = wfi_gpu_of(ctx)->sms, fit = 0;
    size_t room = 0;
    weft_status st = wfi_allow_shared_memory(ctx, kernel, &room);
    if (st) return st;
    *shape = room >= large.bytes() ? large : small;
    WFI_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, kernel, (int)shape->threads, shape->bytes()));
    *blocks = (unsigned)(sms * fit);
    return WEFT_OK;
}

/* So many long rows at a time that a request to stop is soon seen, `steps` being what is done till then: a row takes its length
 * squared at most. */
unsigned wfi_long_rows_at_once(const wfi_oriented_rows *o, uint64_t steps);

/* A long row is the work of several warps: how many entries each has of it, and how many there are. */
struct wfi_segments {
    unsigned length, count;
};
wfi_segments wfi_cut_long_rows(const wfi_oriented_rows *o);

#endif
