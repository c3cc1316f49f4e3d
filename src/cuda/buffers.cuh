/* Memory on the GPU, counted in the context that asked for it, and released at the end of its scope.
 *
 *      wfi_buffer<float> rank;
 *      weft_status st = rank.take(ctx, n);
 *
 * Blocks come from the context's pool, in the order of its stream; the pool keeps released blocks, so that a second run
 * allocates nothing. */
#ifndef WFI_CUDA_BUFFERS_CUH
#define WFI_CUDA_BUFFERS_CUH

#include "core/context.h"
#include "core/memory.h"
#include "cuda/gpu.cuh"
#include "cuda/stages.cuh"
#include "cuda/transfer.h"

template <class T> struct wfi_buffer {
    T *data = nullptr;
    size_t count = 0;

    wfi_buffer() = default;
    wfi_buffer(const wfi_buffer &) = delete;
    wfi_buffer &operator=(const wfi_buffer &) = delete;
    ~wfi_buffer() { give(); }

    /* Uninitialised; releases the previous block. */
    weft_status take(weft_ctx *ctx, size_t wanted) {
        give();
        wfi_memory *memory = wfi_ctx_device_memory(ctx);
        size_t bytes = wanted * sizeof(T);
        if (!wfi_memory_reserve(ctx, memory, "GPU memory", bytes)) return WEFT_ENOMEM;
        void *block = nullptr;
        wfi_stage_scope stage(ctx, "memory");
        cudaError_t error = wfi_cuda_injected_failure();
        if (error == cudaSuccess) error = wfi_gpu_alloc(wfi_gpu_of(ctx), bytes, &block);
        if (error != cudaSuccess) {
            wfi_memory_unreserve(memory, bytes);
            return wfi_cuda_fail(ctx, "cudaMallocFromPoolAsync", error);
        }
        data = static_cast<T *>(block);
        count = wanted;
        owner = wfi_memory_keep(memory);
        gpu = wfi_gpu_of(ctx);
        return WEFT_OK;
    }

    weft_status take_zeroed(weft_ctx *ctx, size_t wanted) {
        weft_status st = take(ctx, wanted);
        if (st) return st;
        WFI_CUDA_OR_RETURN(cudaMemsetAsync(data, 0, wanted * sizeof(T), wfi_cuda_stream(ctx)));
        return WEFT_OK;
    }

    void give() {
        if (!data) return;
        wfi_gpu_free(gpu, data);
        wfi_memory_unreserve(owner, count * sizeof(T));
        wfi_memory_release(owner);
        data = nullptr;
        count = 0;
    }

    void swap(wfi_buffer &other) {
        T *mine = data;
        data = other.data;
        other.data = mine;
        size_t size = count;
        count = other.count;
        other.count = size;
        wfi_memory *memory = owner;
        owner = other.owner;
        other.owner = memory;
        wfi_gpu *where = gpu;
        gpu = other.gpu;
        other.gpu = where;
    }

    wfi_gpu *on() const { return gpu; }

  private:
    wfi_memory *owner = nullptr;
    wfi_gpu *gpu = nullptr;
};

/* The same for an array in an arena. */
template <class T> static weft_status wfi_zero(weft_ctx *ctx, T *data, size_t count) {
    WFI_CUDA_OR_RETURN(cudaMemsetAsync(data, 0, count * sizeof(T), wfi_cuda_stream(ctx)));
    return WEFT_OK;
}

weft_status wfi_upload_all(weft_ctx *ctx, const weft_graph *g, const wfi_copy *part, size_t parts);
weft_status wfi_download_all(weft_ctx *ctx, const wfi_copy *part, size_t parts);
/* wfi_deliver_all for one column. */
weft_status wfi_deliver(weft_ctx *ctx, void *to, const void *from, size_t bytes);
/* Lets a column of 32-bit words, each at most `most` or with all bits set, cross the link as bytes if it goes through
 * staging buffers; the threads that empty these buffers widen it.  scratch: one byte for each word, on the GPU, until
 * delivery. */
void wfi_narrow(weft_ctx *ctx, wfi_copy *column, uint64_t most, void *scratch);
/* A download from a block that may have outlived its context; `ctx`, which may have nothing on the GPU, receives the
 * errors. */
weft_status wfi_download_from(weft_ctx *ctx, wfi_gpu *gpu, void *to, const void *from, size_t bytes);

/* Waits for the stream.  Fails with the error of a kernel or of a call before it. */
weft_status wfi_cuda_sync(weft_ctx *ctx);

/* The number of blocks of `threads` threads that `work` items need, at most `most`. */
static inline unsigned wfi_grid(uint64_t work, unsigned threads, unsigned most) {
    uint64_t blocks = (work + threads - 1) / threads;
    return (unsigned)(blocks < 1 ? 1 : blocks < most ? blocks : most);
}

/* --- beside buffers -------------------------------------------------------------------------------------- */

/* Pinned memory of the host, uninitialised.  wfi_pinned_free takes NULL, too. */
weft_status wfi_pinned_new(weft_ctx *ctx, size_t bytes, void **pinned);
void wfi_pinned_free(void *pinned);

/* Result columns that stay on the GPU (core/context.h).  For a column that is large compared with the rest of the run:
 * its memory on the GPU, to be filled before the run ends; NULL if the column goes to the host. */
weft_status wfi_resident_column(weft_ctx *ctx, const void *column, size_t bytes, void **memory);

/* Bounds of the temporary storage of CUB's device-wide functions for `count` items: declared as arrays of a workspace
 * (wfi_array_within) and handed to CUB, which refuses too small a storage.  They follow from CUB's algorithms [1]: a
 * scan keeps a record of 16 bytes for each tile of a block's items, the radix sort 256 counters of 4 bytes for each
 * tile, and a tile has about a thousand items.
 * [1] Merrill, Garland, "Single-pass parallel prefix scan with decoupled look-back", 2016; Adinets, Merrill,
 *     "Onesweep", 2022. */
enum { WFI_CUB_LEAST = 1 << 16 };
/* ExclusiveSum and DeviceSelect. */
static inline uint64_t wfi_cub_scan_bytes(uint64_t count) { return count / 16 + WFI_CUB_LEAST; }
/* SortPairs and SortKeys with a DoubleBuffer; without one CUB needs a second array of keys, and of values, as well. */
static inline uint64_t wfi_cub_sort_bytes(uint64_t count) { return count / 4 + WFI_CUB_LEAST; }

#endif
