/* A context's part on its GPU: a stream, a pool of memory, and pinned buffers for streaming.  Made on first use
 * (wfi_cuda_ready), and kept until the context and the last block of the pool are gone: mirrors of graphs and columns
 * of results outlive their context.
 *
 * The library is a guest: the current GPU belongs to the calling thread and its program.  All code that calls CUDA does
 * so in a scope
 *
 *      wfi_gpu_scope here(gpu);
 *
 * (or between wfi_cuda_enter and wfi_cuda_leave), which makes the GPU current and then restores the previous one by the
 * driver's context, because cudaSetDevice would make a context on the GPU that it restores.  Nothing of the process is
 * changed: not the default pool, not the default stream.
 *
 * After a fork the child cannot use CUDA (wfi_cuda_lost): blocks are dropped without a call. */
#ifndef WFI_CUDA_GPU_CUH
#define WFI_CUDA_GPU_CUH

#include "cuda/device.h"

#include <cuda_runtime.h>

struct wfi_places; /* stream.cu */

struct wfi_gpu {
    int index = 0;
    /* Properties, read once; in brackets those of an H200.  Shapes of kernels are derived from them. */
    int arch = 0;            /* 900: compute capability 9.0 */
    int sms = 0;             /* (132) */
    int shared_memory = 0;   /* bytes that a block may ask for (232,448) */
    bool clusters = false;   /* supports clusters of blocks (yes) */
    void *context = nullptr; /* the driver's */
    cudaStream_t own = nullptr;
    cudaStream_t stream = nullptr; /* `own`, or the caller's */
    cudaMemPool_t pool = nullptr;
    wfi_places *places = nullptr; /* NULL: nothing was streamed so far */
    int users = 1;                /* the context, and each block */
};

/* The GPU part of a ready context. */
wfi_gpu *wfi_gpu_of(const weft_ctx *ctx);
/* The stream of all of the context's work. */
cudaStream_t wfi_cuda_stream(const weft_ctx *ctx);
int wfi_cuda_index(const weft_ctx *ctx);

wfi_gpu *wfi_gpu_keep(wfi_gpu *gpu); /* adds a user */
void wfi_gpu_release(wfi_gpu *gpu);

/* A block of the pool, in the order of its stream; freeing it ends the use of the GPU by the block.  Work already on
 * the stream of `gpu` may still read a freed block, other work must not. */
cudaError_t wfi_gpu_alloc(wfi_gpu *gpu, size_t bytes, void **block);
void wfi_gpu_free(wfi_gpu *gpu, void *block);

struct wfi_gpu_scope {
    explicit wfi_gpu_scope(const wfi_gpu *gpu);
    ~wfi_gpu_scope() { wfi_cuda_leave(&visit); }
    wfi_gpu_scope(const wfi_gpu_scope &) = delete;
    wfi_gpu_scope &operator=(const wfi_gpu_scope &) = delete;

  private:
    wfi_visit visit;
};

/* device.cu: the driver's context of a GPU, made if it does not exist; and making a context current. */
cudaError_t wfi_driver_context(int index, void **context);
void wfi_driver_move(void *context, wfi_visit *visit);

/* stream.cu and transfer.cu: free the memory kept for later runs. */
void wfi_places_free(wfi_places *places);
void wfi_carriers_drop(int index);

/* --- errors ---------------------------------------------------------------------------------------------- */

/* CUDA errors as sentences.  Device code writes
 *
 *      WFI_CUDA_OR_RETURN(cudaMalloc(&block, bytes));
 *
 * in functions that have a weft_ctx *ctx: a failure returns from the function with the message set.  Resources are
 * owned by the caller, who releases them whatever the status. */

/* `call` may be followed by its arguments; the message omits them.  WEFT_ENOMEM if the GPU is out of memory, else
 * WEFT_EDEVICE. */
weft_status wfi_cuda_fail(weft_ctx *ctx, const char *call, cudaError_t error);

/* The failure that a test has set for this call (wfi_cuda_inject_failure), else success. */
cudaError_t wfi_cuda_injected_failure(void);

#define WFI_CUDA_OR_RETURN(call)                                             \
    do {                                                                     \
        cudaError_t error_ = wfi_cuda_injected_failure();                    \
        if (error_ == cudaSuccess) error_ = (call);                          \
        if (error_ != cudaSuccess) return wfi_cuda_fail(ctx, #call, error_); \
    } while (0)

/* This thread's number in its grid, and the number of threads. */
__device__ static inline uint64_t wfi_thread(void) { return blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; }
__device__ static inline uint64_t wfi_all_threads(void) { return (uint64_t)gridDim.x * blockDim.x; }

/* Makes the driver's context of the GPU if it does not exist.  *ms = time of the driver's start and of making the
 * context, however long ago. */
weft_status wfi_cuda_start(weft_ctx *ctx, double *ms);

/* ceilings.cu: copy, read, gather, launch, barrier, upload and download.  Needs the driver's context. */
weft_status wfi_cuda_measure(weft_ctx *ctx, struct weft_machine *machine);

#endif
